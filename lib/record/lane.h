/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Moves the data of one CPU from the ring buffer into the CPU's spool (lib/record/spool.h). A lane is a thread with the ring buffer that it reads and the
 * spool that it writes (lib/record/recorder.h). Only recorder.c and tap.c use this header.
 */
#ifndef RINGSIDE_LANE_H
#define RINGSIDE_LANE_H

#include "lib/record/recorder.h"
#include <pthread.h>

struct lane {
	struct lane_spec spec;
	int pipe[2];	     /* if .spliced is true: the data go through this pipe */
	size_t room;	     /* the most bytes that lane_move() moves in one call; .pipe or .bounce has room for them */
	bool spliced;	     /* true: the data are spliced; false: they are read and written through .bounce */
	void *bounce;	     /* memory of .room bytes; NULL until it is needed */
	char *page;	     /* memory for a sub-buffer, for lane_flush(); NULL before its first call */
	uint64_t start, end; /* the range of offsets in the spool whose data are kept; other threads read .start and .end, too */
	/*
	 * The handover (lib/record/handover.h). It passes data to a thread that compresses them. The spool has holes for these data. NULL: all data go to the
	 * spool.
	 */
	struct handover *handover;
	uint64_t moves;	      /* .moves of struct lane_result */
	uint64_t wakeups;     /* .wakeups of struct lane_result */
	uint64_t max_bytes;   /* only the newest data are kept, at most this many bytes; 0: all data are kept (struct recorder_config) */
	uint64_t drain_bytes; /* lane_drain() stops when the spool has this many bytes; 0: it stops when the ring buffer is empty */
};

/* Makes the pipe or the bounce buffer. Returns 0 or -errno after a message. The caller calls lane_fini() in any case. */
int lane_init(struct lane *lane, const struct lane_spec *spec, const struct recorder_config *config);
void lane_fini(struct lane *lane);

/*
 * Moves sub-buffers out of the ring buffer, at most .room bytes. When .spliced is true, moves only sub-buffers that the kernel has filled. They go to .handover
 * while .handover has room, and otherwise to the spool. When .spliced is false, also moves partly filled sub-buffers, and all data go to the spool. Returns the
 * number of bytes moved, which is 0 when there is nothing to move. Returns -errno without a message when reading or writing failed.
 */
ssize_t lane_move(struct lane *lane);

/*
 * Reads one sub-buffer of @size bytes, even if it is only partly filled. The bytes that the kernel does not give become zeros. Returns @size, or 0 when
 * there is nothing to read, or -errno.
 */
ssize_t lane_read_page(int fd, char *page, size_t size);

/* Tells whether the sub-buffer at @page is so full that the kernel may already have gone on to the next sub-buffer. */
bool lane_looks_full(const char *page, size_t size);

/*
 * Moves the events of the sub-buffer that the kernel is filling. They go to .handover, or to the spool if .handover is NULL or has no room. Does nothing
 * when only the newest bytes are kept (.max_bytes is not 0). Also does nothing when .spliced is false, because lane_move() then moves these events. Returns 0
 * or -errno.
 */
int lane_flush(struct lane *lane);

/*
 * Moves everything, even the partly filled sub-buffer at the end. If .drain_bytes is not 0, stops early when the spool has .drain_bytes or more. If .max_bytes
 * is not 0, at most the newest .max_bytes bytes are kept after success. Returns 0 or -errno.
 */
int lane_drain(struct lane *lane);

/* Gives the thread the real-time priority @priority (SCHED_FIFO). Does nothing if @priority is 0. Returns 0 or -errno after a message. */
int lane_priority(pthread_t thread, int priority);

#endif
