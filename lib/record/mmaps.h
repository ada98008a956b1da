/* SPDX-License-Identifier: GPL-2.0 */
/* What processes map, fork and exec, as the kernel's perf events tell it (include/uapi/linux/perf_event.h), while it happens. */
#ifndef RINGSIDE_MMAPS_H
#define RINGSIDE_MMAPS_H

#include "lib/base/vec.h"
#include <sys/types.h>

enum mmap_kind { MMAP_MAP, MMAP_FORK, MMAP_EXEC };

struct mmap_event {
	enum mmap_kind kind;
	uint64_t time;		/* ns of the clock */
	pid_t pid, parent;	/* the process; of MMAP_FORK who forked it */
	uint64_t start, end, offset, inode;	/* of MMAP_MAP; inode 0: there is a build-id instead */
	char *file;		/* of MMAP_MAP */
	char *build_id;		/* hexadecimal, or NULL */
};

typedef VEC(struct mmap_event) mmap_events_t;
void mmap_events_fini(mmap_events_t *v);

struct mmaps;

/* @clockid: which clock; -1: perf's own. 0; -errno, no message, when the kernel has no such events for us. */
int mmaps_open(struct mmaps **out, int clockid);

/* The thread that takes them up, not to be traced itself. */
pid_t mmaps_tid(const struct mmaps *m);

/* perf's clock now, in ns, for meta_clock_offset(): ctx is not used. 0 or -errno. */
int mmaps_clock(void *ctx, uint64_t *ns);

/* Appends all events since the last call, by time. 0 or -ENOMEM. */
int mmaps_take(struct mmaps *m, mmap_events_t *out);

/* The last call of that kind: ends it, and warns if some were lost. */
int mmaps_stop(struct mmaps *m, mmap_events_t *out);

void mmaps_close(struct mmaps *m);

#endif
