/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes libosmovty close a session's descriptor once. */
#pragma once

void telnet_fd_mend(void);
void telnet_fd_unmend(void);
