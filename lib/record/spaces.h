/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records which files processes have mapped, at which addresses and since when; user stacks need this. What is mapped at the
 * beginning comes from /proc; what processes map, fork and exec later comes from the kernel's perf events.
 */
#ifndef RINGSIDE_SPACES_H
#define RINGSIDE_SPACES_H

#include "lib/base/vec.h"
#include "lib/tracefs/session.h"
#include <sys/types.h>

struct spaces;
typedef VEC(pid_t) pids_t;

/*
 * Begins to watch. @clock: the trace clock; times are told in it, in raw units, as far as it counts time. 0, also (*@out is
 * NULL, after a warning) when the kernel has no such events for us; -errno after a message.
 */
int spaces_open(struct spaces **out, struct session *s, const char *clock);

/* The thread that watches, not to be traced itself. */
pid_t spaces_tid(const struct spaces *spaces);

/*
 * Takes in what the process @pid has mapped now; 0: what all processes have. A process that has gone is no error. Returns 0 or -ENOMEM.
 */
int spaces_seed(struct spaces *spaces, pid_t pid);

/*
 * Ends watching and appends a block for each process and program that it ran, as option PROCMAPS has them, each line with what
 * user stacks need behind a tab (see lib/data/metadata.h). @pids: of these processes only; empty: of all. Returns 0 or -ENOMEM.
 */
int spaces_end(struct spaces *spaces, const pids_t *pids, strv_t *blocks);

/*
 * The same of those processes in which something has changed since the last call, while watching goes on; their blocks replace
 * those of before.
 */
int spaces_news(struct spaces *spaces, const pids_t *pids, strv_t *blocks);

void spaces_close(struct spaces *spaces);

#endif
