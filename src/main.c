/* SPDX-License-Identifier: GPL-2.0-or-later */
/* signalboxd: arguments only; all else is in libraries that the tests link. */
#include <stdio.h>

int main(void)
{
	return 0;
}
