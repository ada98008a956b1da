/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records which files are mapped by which processes, at which addresses, and since when. With these data, the addresses in user stacks can be shown as
 * names. The mappings that exist at the beginning are read from /proc. Later mappings, forks and execs are learnt from the kernel's perf events.
 */
#ifndef RINGSIDE_SPACES_H
#define RINGSIDE_SPACES_H

#include "lib/base/vec.h"
#include "lib/tracefs/session.h"
#include <sys/types.h>

struct spaces;
typedef VEC(pid_t) pids_t;

/*
 * Begins to watch the mappings. @clock is the name of the trace clock. The times of the mappings are times of this clock in ns. When the clock does not count
 * nanoseconds, all these times are 0. Returns 0, or -errno after a message. If the kernel refuses to give us perf events for mappings, the function prints a
 * warning, sets *@out to NULL, and returns 0.
 */
int spaces_open(struct spaces **out, struct session *s, const char *clock);

/* Returns the id of the thread that watches. The caller must keep this thread out of the trace. */
pid_t spaces_tid(const struct spaces *spaces);

/*
 * Takes in the present mappings of the process @pid. When @pid is 0, takes in the mappings of all processes. It is no error when a process has gone.
 * Returns 0 or -ENOMEM.
 */
int spaces_seed(struct spaces *spaces, pid_t pid);

/*
 * Ends watching and appends blocks to *@blocks. A block is a text with the mappings of one program that a process ran. The block has the form of the option
 * PROCMAPS of a trace.dat. Behind a tab at the end of each line, it also has the data that only user stacks need (lib/data/metadata.h). There are blocks only
 * for the processes @pids, or for all processes when @pids is empty. A block that spaces_news() has appended is appended again only if it has changed since.
 * Returns 0 or -ENOMEM.
 */
int spaces_end(struct spaces *spaces, const pids_t *pids, strv_t *blocks);

/*
 * Appends blocks as spaces_end() does, but watching goes on. There are blocks only for processes in which something has changed since the last call. A
 * new block replaces the earlier block whose first line has the same process and the same time.
 */
int spaces_news(struct spaces *spaces, const pids_t *pids, strv_t *blocks);

void spaces_close(struct spaces *spaces);

#endif
