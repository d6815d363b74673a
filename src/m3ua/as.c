/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "m3ua/as.h"

#include "m3ua/dest.h"
#include "m3ua/sg.h"
