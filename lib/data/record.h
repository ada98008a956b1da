/* SPDX-License-Identifier: GPL-2.0 */
/* One event of the ring buffer, borrowed from the page that holds it, and runs of them. */
#ifndef RINGSIDE_RECORD_H
#define RINGSIDE_RECORD_H

#include "lib/base/base.h"

enum record_flag {
	/* a graph entry whose exit is its CPU's next record, nothing lost between: .exit is that one's payload */
	RECORD_LEAF = 1 << 0,
	RECORD_FOLDED = 1 << 1,	/* that exit record itself: already told by the entry before it on its CPU */
	RECORD_LOST = 1 << 2,	/* events were lost on this CPU just before this one: .lost */
	RECORD_PAGE = 1 << 3,	/* the first record of its sub-buffer (for --boundary) */
	RECORD_NODATA = 1 << 4,	/* no event: only carries .lost or RECORD_GAP; .data is NULL */
	RECORD_TIMED = 1 << 5,	/* a return whose call is known: .took (lib/analysis/latency.h) */
	RECORD_LATE = 1 << 6,	/* live: records of later times are out already */
	RECORD_WOKEN = 1 << 7,	/* a switch to a task whose wakeup is known: .took (lib/analysis/wakeups.h) */
	RECORD_GAP = 1 << 8,	/* events were lost on this CPU just behind this one: the next one of its stream has RECORD_LOST. Known that
				 * early of files; live only when the next one has come already */
};

#define LOST_UNKNOWN (-1)

struct record {
	uint64_t ts;		/* raw units of the trace's clock as stored; lib/data/clock.h converts */
	const void *data;	/* payload in the file's byte order, 4-byte aligned, starts with the common fields */
	union {
		const void *exit;	/* RECORD_LEAF: the exit's payload (of exit_size bytes) */
		uint64_t took;		/* RECORD_TIMED, RECORD_WOKEN: the time since the call or the wakeup, as clock_time() counts */
	};
	int64_t lost;		/* RECORD_LOST: how many, LOST_UNKNOWN if the kernel did not say */
	uint32_t size;		/* bytes at data */
	uint16_t exit_size;
	uint16_t cpu;
	uint16_t buffer;	/* index into the file's buffers; several files: see lib/data/merge.h */
	uint16_t flags;		/* enum record_flag */
	uint8_t file;		/* index of the input file */
};

/* Makes what is left of a record that is not wanted: the loss before it or behind it, if there was one. False: nothing. */
static inline bool record_leaves_loss(struct record *rec)
{
	if (!(rec->flags & (RECORD_LOST | RECORD_GAP)))
		return false;
	rec->flags = (rec->flags & (RECORD_LOST | RECORD_GAP)) | RECORD_NODATA;
	rec->data = NULL;
	return true;
}

/*
 * Records in the order of time, with the memory they point into. Who gets a batch from merge_next() has a reference
 * until batch_put(); it may be kept while later ones are worked on, read by several threads, and shared with batch_get().
 */
struct batch {
	struct record *records;
	size_t n;
	size_t nodata;		/* how many were RECORD_NODATA when the batch came from merge_next() */
	uint64_t seq;		/* 0, 1, 2 … in output order */
};

#endif
