/* SPDX-License-Identifier: GPL-2.0 */
/* A pager between us and the terminal. */
#ifndef RINGSIDE_CMD_PAGER_H
#define RINGSIDE_CMD_PAGER_H

#include "lib/base/base.h"
#include <sys/types.h>

/*
 * When stdout is a terminal that can do more than print ($TERM): starts $RINGSIDE_PAGER, $PAGER or `less -RFX`, and makes stdout
 * its input. An empty variable or "cat" means none, as does a program that is not there. Returns its pid, or 0 when there is none.
 */
pid_t pager_start(void);

/* Ends our output and waits until the user has left the pager. 0: nothing to do. */
void pager_wait(pid_t pager);

/* --color=WHEN ("auto", "always", "never"; NULL is auto) on @fd; NO_COLOR is respected. -EINVAL: no such word. */
int colour_wanted(const char *when, int fd);

#endif
