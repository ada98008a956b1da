/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines a record and a batch of records. A record is an event of the ring buffer. The struct record does not own the event's data, but points into the
 * page that holds these data. Live records are merged while the kernel makes them (merge_open_live() in lib/data/merge.h).
 */
#ifndef RINGSIDE_RECORD_H
#define RINGSIDE_RECORD_H

#include "lib/base/base.h"

enum record_flag {
	/*
	 * The record is the entry of a call. The exit of this call is the next record of the same CPU, and nothing was lost in between. .exit is the payload of
	 * the exit.
	 */
	RECORD_LEAF = 1 << 0,
	RECORD_FOLDED = 1 << 1, /* the exit of a call whose entry has RECORD_LEAF; .exit of the entry is the payload of this record */
	RECORD_LOST = 1 << 2,	/* events were lost on this CPU just before this record; .lost says how many */
	RECORD_PAGE = 1 << 3,	/* the first record of its sub-buffer (for --boundary) */
	RECORD_NODATA = 1 << 4, /* the record is no event, but only reports lost events (RECORD_LOST, RECORD_GAP); .data is NULL */
	RECORD_TIMED = 1 << 5,	/* a return whose call is known; .took is set (lib/analysis/latency.h) */
	RECORD_LATE = 1 << 6,	/* only if live records are merged: a record with a later time came before this record */
	RECORD_WOKEN = 1 << 7,	/* a switch to a task whose wakeup is known; .took is set (by a stage, such as the one of lib/analysis/wakeups.h) */
	/*
	 * Events were lost on this CPU just after this record. So the next record of this CPU has RECORD_LOST. If live records are merged, RECORD_GAP is set
	 * only if the next record has come already.
	 */
	RECORD_GAP = 1 << 8,
	/*
	 * This flag comes with RECORD_LEAF or RECORD_FOLDED. The entry and the exit are so far apart in time that the task may have been on another CPU in
	 * between, and the exit may belong to a later call of the same function. The records of other CPUs tell to which call the exit belongs. RECORD_LONG is
	 * also set in two further cases:
	 *  - in an entry, if a time window ends between this entry and its exit;
	 *  - in every exit with RECORD_TAIL.
	 */
	RECORD_LONG = 1 << 9,
	RECORD_TAIL = 1 << 10, /* comes with RECORD_FOLDED: the entry is left out, because it is before the time window (@whole of merge_narrow()) */
	/*
	 * This flag comes with RECORD_NODATA, and tells that .pid is set. If data were removed from the record, .pid is the task that these data named. If
	 * the record never had data, .pid is the task of the previous record of this CPU.
	 */
	RECORD_WHO = 1 << 11,
};

#define LOST_UNKNOWN (-1)

struct record {
	uint64_t ts;	  /* in units of the trace's clock, as stored; lib/data/clock.h converts it */
	const void *data; /* payload in the file's byte order, 4-byte aligned, starts with the common fields */
	union {
		const void *exit; /* for RECORD_LEAF: the payload of the exit; it has .exit_size bytes */
		uint64_t took;	  /* for RECORD_TIMED and RECORD_WOKEN: the time since the call or the wakeup, in the units of clock_time() */
	};
	int64_t lost; /* for RECORD_LOST: how many events were lost, or LOST_UNKNOWN when the kernel did not tell */
	union {
		uint32_t size; /* bytes at data */
		int32_t pid;   /* RECORD_WHO: the task */
	};
	uint16_t exit_size;
	uint16_t cpu;
	uint16_t buffer; /* index into the buffers of the file .file */
	uint16_t flags;	 /* enum record_flag */
	uint16_t later;	 /* if record_is_leaf() returns true: how much later than .ts the exit was recorded, in the units of .ts */
	uint8_t file;	 /* index of the input file */
};

/* Returns true when @rec is the entry of a leaf call, and .exit certainly belongs to this call. During this call, the task was on no other CPU. */
static inline bool record_is_leaf(const struct record *rec)
{
	return (rec->flags & (RECORD_LEAF | RECORD_LONG)) == RECORD_LEAF;
}

/*
 * The caller does not want the data of @rec, which is a record of the task @pid. If events were lost just before or just after @rec, @rec must stay to report
 * the loss. In this case, the function removes the data of @rec and returns true. @rec still tells the pid (RECORD_WHO), because a loss concerns the task that
 * ran on the CPU at that time. If no events were lost just before or just after @rec, the function returns false, and the caller may drop @rec.
 */
static inline bool record_leaves_loss(struct record *rec, int pid)
{
	if (!(rec->flags & (RECORD_LOST | RECORD_GAP)))
		return false;
	rec->flags = (rec->flags & (RECORD_LOST | RECORD_GAP)) | RECORD_NODATA | RECORD_WHO;
	rec->data = NULL;
	rec->pid = pid;
	return true;
}

/*
 * Lets a record that only reports lost events tell which task the loss concerns. @rec is a record without data (RECORD_NODATA). @pid is the task of the last
 * record before @rec on the same CPU, or -1 when there was no such record. The caller may have dropped this last record. The function stores @pid in @rec
 * (RECORD_WHO) and returns true if all of this holds:
 *  - @rec reports that events were lost after it (RECORD_GAP), and not that events were lost before it (RECORD_LOST).
 *  - @rec does not tell a task yet.
 *  - @pid is not -1.
 * Otherwise the function changes nothing and returns false.
 */
static inline bool record_follows(struct record *rec, int pid)
{
	if ((rec->flags & (RECORD_NODATA | RECORD_GAP | RECORD_LOST | RECORD_WHO)) != (RECORD_NODATA | RECORD_GAP) || pid < 0)
		return false;
	rec->flags |= RECORD_WHO;
	rec->pid = pid;
	return true;
}

/*
 * A batch has records in the order of time. The memory into which the records point is valid as long as there is a reference to the batch. merge_next()
 * gives its caller a reference. The reference lasts until batch_put(). batch_get() takes further references. A batch may be kept while later batches are
 * used. Several threads may read a batch.
 */
struct batch {
	struct record *records;
	size_t n;
	size_t nodata; /* how many records had RECORD_NODATA when the batch came from merge_next() */
	size_t folded; /* how many exits were left out because they are folded into their entries (merge_input.fold in lib/data/merge.h) */
	uint64_t seq;  /* 0, 1, 2 … in output order */
};

#endif
