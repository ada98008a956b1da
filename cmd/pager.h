/* SPDX-License-Identifier: GPL-2.0 */
/* Starts a pager, which shows the output of a command on the terminal. Also decides whether the output has colours. */
#ifndef RINGSIDE_CMD_PAGER_H
#define RINGSIDE_CMD_PAGER_H

#include "lib/base/base.h"
#include <sys/types.h>

/*
 * Starts a pager, and connects standard output to the input of the pager. The pager is $RINGSIDE_PAGER. If $RINGSIDE_PAGER is not set, the pager is $PAGER. If
 * neither variable is set, the pager is `less -RFX`. No pager is started in these cases:
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
 * Returns 1 when --color=WHEN asks for colours on @fd, and 0 when it does not. Returns -EINVAL when
 * @when is no valid word. Valid words are "auto", "always" and "never". NULL means "auto". "auto"
 * asks for colours if all of these are true: @fd is a terminal, $TERM is not "dumb", and $NO_COLOR
 * is empty or not set.
 */
int colour_wanted(const char *when, int fd);

#endif
