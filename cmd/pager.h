/* SPDX-License-Identifier: GPL-2.0 */
/* Starts a pager, which shows the output of a command on the terminal, and decides whether output is coloured. */
#ifndef RINGSIDE_CMD_PAGER_H
#define RINGSIDE_CMD_PAGER_H

#include "lib/base/base.h"
#include <sys/types.h>

/*
 * Starts a pager, and connects standard output to the input of the pager. The pager is $RINGSIDE_PAGER. If this variable is not set, it is $PAGER. If neither
 * is set, it is `less -RFX`. No pager is started in these cases:
 * - Standard output is not a terminal.
 * - $TERM is unset, empty or "dumb".
 * - The variable that names the pager is empty or "cat".
 * - The program of the pager does not exist. If a variable names this program, a warning is printed.
 *
 * Once a pager has been started, this process ignores SIGINT and SIGPIPE. Returns the pager's pid, or 0 when none was started.
 */
pid_t pager_start(void);

/* Closes standard output and waits until the user has left the pager. Does nothing when @pager is 0. */
void pager_wait(pid_t pager);

/*
 * Returns 1 when --color=WHEN asks for colours on @fd, 0 when it does not, and -EINVAL when @when is no valid word. Valid words are "auto", "always" and
 * "never". NULL means "auto". With "auto", there are colours only on a terminal. They are also left out when $TERM is "dumb" or $NO_COLOR is not empty.
 */
int colour_wanted(const char *when, int fd);

#endif
