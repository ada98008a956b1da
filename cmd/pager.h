/* SPDX-License-Identifier: GPL-2.0 */
/* A pager between us and the terminal. */
#ifndef RINGSIDE_CMD_PAGER_H
#define RINGSIDE_CMD_PAGER_H

#include "lib/base/base.h"
#include <sys/types.h>

/*
 * Starts $RINGSIDE_PAGER, $PAGER or `less -RFX` and makes stdout its input, when stdout is a terminal that can do more than print ($TERM). There is
 * no pager when the variable is empty or "cat", or when there is no such program. Returns the pager's pid, or 0 when there is none.
 */
pid_t pager_start(void);

/* Ends our output and waits until the user has left the pager. Does nothing when @pager is 0. */
void pager_wait(pid_t pager);

/* Does --color=WHEN ("auto", "always", "never"; NULL is auto) want colours on @fd? Respects NO_COLOR. Returns 0, 1, or -EINVAL for another word. */
int colour_wanted(const char *when, int fd);

#endif
