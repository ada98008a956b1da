/* SPDX-License-Identifier: GPL-2.0 */
/* One CPU's way from the ring buffer into its spool; used by recorder.c alone, but for the reading of a page and the priority. */
#ifndef RINGSIDE_LANE_H
#define RINGSIDE_LANE_H

#include "lib/record/recorder.h"
#include <pthread.h>

struct lane {
	struct lane_spec spec;
	int pipe[2];
	size_t room;		   /* bytes of a whole move: what the pipe takes, whole sub-buffers */
	bool spliced;		   /* else by read and write through @bounce */
	void *bounce;		   /* @room bytes */
	char *page;		   /* a sub-buffer, of lane_flush(); NULL before its first one */
	uint64_t start, end;	   /* the range that is kept; end is also read by others */
	struct handover *handover; /* what it took need not lie in the spool, which has a hole there; NULL: all lies there */
	uint64_t moves, wakeups;
	uint64_t max_bytes;
	uint64_t drain_bytes;
};

/* Makes pipe or bounce buffer; 0 or -errno after a message. lane_fini() after it in any case. */
int lane_init(struct lane *lane, const struct lane_spec *spec, const struct recorder_config *config);
void lane_fini(struct lane *lane);

/*
 * Moves whole sub-buffers, at most @room bytes: the number of bytes moved; 0 when there is no whole one;
 * -errno when reading or writing failed (without a message).
 */
ssize_t lane_move(struct lane *lane);

/* Reads one sub-buffer of @size bytes, also a partly filled one: @size, 0 when there is nothing, -errno. */
ssize_t lane_read_page(int fd, char *page, size_t size);

/* Is the sub-buffer at @page so full that there may be another one behind it? */
bool lane_looks_full(const char *page, size_t size);

/*
 * Moves what splicing leaves, the sub-buffer that is being filled, as far as it is: so that it is ours, whoever dies. 0 or
 * -errno; does nothing where lane_move() reads such ones anyway, nor where only the newest bytes are kept.
 */
int lane_flush(struct lane *lane);

/* Moves all there is, the partly filled sub-buffers at the end too. Returns 0 or -errno. */
int lane_drain(struct lane *lane);

/* Gives a thread that reads this real-time priority (SCHED_FIFO), unless it is 0. Returns 0 or -errno after a message. */
int lane_priority(pthread_t thread, int priority);

#endif
