/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "wire/m3ua_data.h"
