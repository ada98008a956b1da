/* SPDX-License-Identifier: GPL-2.0 */
/* Starts a pager, which shows the output of a command on the terminal, and decides whether output is coloured. */
#ifndef RINGSIDE_CMD_PAGER_H
#define RINGSIDE_CMD_PAGER_H

#include "lib/base/base.h"
#include <sys/types.h>

/*
 * Starts $RINGSIDE_PAGER, else $PAGER, else `less -RFX`, and makes standard output its input. No pager is started when standard output is not a
 * terminal, when $TERM is unset, empty or "dumb", when the variable that is used is empty or "cat", or when there is no such program. Warns if the
 * variable that is used names a program that does not exist. Once a pager has been started, this process ignores SIGINT and SIGPIPE. Returns the
 * pager's pid, or 0 when none was started.
 */
pid_t pager_start(void);

/* Closes standard output and waits until the user has left the pager. Does nothing when @pager is 0. */
void pager_wait(pid_t pager);

/*
 * Does --color=WHEN ("auto", "always", "never"; NULL is auto) want colours on @fd? With "auto" there are none when @fd is no terminal, when $NO_COLOR is
 * set and not empty, or when $TERM is "dumb". Returns 0, 1, or -EINVAL for another word.
 */
int colour_wanted(const char *when, int fd);

#endif
