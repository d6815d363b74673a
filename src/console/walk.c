/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "console/walk.h"
#include "console/console.h"
