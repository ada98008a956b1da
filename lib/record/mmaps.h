/* SPDX-License-Identifier: GPL-2.0 */
/* Collects the kernel's perf events (include/uapi/linux/perf_event.h) that report the mappings, forks and execs of processes. */
#ifndef RINGSIDE_MMAPS_H
#define RINGSIDE_MMAPS_H

#include "lib/base/vec.h"
#include <sys/types.h>

enum mmap_kind { MMAP_MAP, MMAP_FORK, MMAP_EXEC };

struct mmap_event {
	enum mmap_kind kind;
	uint64_t time;			    /* when the event happened, in ns, by the clock that mmaps_open() was given */
	pid_t pid;			    /* the process; for MMAP_FORK: the new process */
	pid_t parent;			    /* for MMAP_FORK: the parent of the new process */
	uint64_t start, end, offset, inode; /* for MMAP_MAP: the addresses, the offset in the file, and the inode; .inode is 0 if there is a .build_id */
	char *file;			    /* for MMAP_MAP: the path of the mapped file */
	char *build_id;			    /* for MMAP_MAP: the file's build-id in hexadecimal digits; NULL: the kernel did not tell it */
};

typedef VEC(struct mmap_event) mmap_events_t;
void mmap_events_fini(mmap_events_t *v);

struct mmaps;

/*
 * Begins to collect events. @clockid is the clock that gives the times of the events. If @clockid is -1, perf's own clock gives the times. Returns 0, or -errno
 * without a message. The function fails, for example, when the kernel does not give these events to this process.
 */
int mmaps_open(struct mmaps **out, int clockid);

/* Returns the id of the thread that collects the events. The caller keeps this thread out of the trace. */
pid_t mmaps_tid(const struct mmaps *m);

/* Reads perf's clock, in ns, for meta_clock_offset(). @ctx is not used. Returns 0 or -errno. */
int mmaps_clock(void *ctx, uint64_t *ns);

/* Appends to *@out all events that have come since the last call, and sorts *@out by time. The caller owns the events. Returns 0 or -ENOMEM. */
int mmaps_take(struct mmaps *m, mmap_events_t *out);

/* Ends the collecting, appends the last events as mmaps_take() does, and warns when events were lost. Returns 0 or -ENOMEM. */
int mmaps_stop(struct mmaps *m, mmap_events_t *out);

void mmaps_close(struct mmaps *m);

#endif
