/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/share.h"
#include "data/plane.h"
