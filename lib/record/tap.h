/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Brings the kernel's ring buffers to a reader while tracing goes on: one thread goes round all CPUs, and what it finds
 * is read at once, partly filled sub-buffers too. Whoever reads is called in that thread; as long as it works nothing is
 * taken from the ring buffers, so that they are what holds a burst, and the kernel counts what they could not hold.
 *
 * Sub-buffers are taken by read(2): of three ways the best when there is much to read; Documentation/DESIGN.md has the figures.
 */
#ifndef RINGSIDE_TAP_H
#define RINGSIDE_TAP_H

#include "lib/base/vec.h"
#include <sys/types.h>

struct tap_lane {
	int in;			/* per_cpu/cpuN/trace_pipe_raw, O_RDONLY | O_NONBLOCK; owned by the tap */
	uint32_t page_size;	/* of a sub-buffer, bytes */
};
typedef VEC(struct tap_lane) taplanes_t;

/* Who reads. All are called by the tap's thread; 0 or a negative errno after a message, which ends the tap. */
struct tap_reader {
	/* Room for sub-buffers of @lane: *@size bytes, whole ones. NULL: no memory (without a message). */
	void *(*room)(void *ctx, size_t lane, size_t *size);
	/* @size bytes have been put there. @drained: there was nothing more on this CPU then. */
	int (*pages)(void *ctx, size_t lane, size_t size, bool drained);
	/*
	 * A round through all lanes began and ended then (CLOCK_MONOTONIC). *@pending: more may come of what was read, after
	 * another round; else the next one may be when something happens, or after a second.
	 */
	int (*round)(void *ctx, uint64_t begin_ns, uint64_t end_ns, bool *pending);
	/* Tracing has ended and all has been read. */
	int (*end)(void *ctx);
	void *ctx;
	uint64_t pause_ns;	/* between two rounds, when there is not much to read */
	uint64_t interval_ns;	/* instead, always, and never waiting at the buffers; 0: the kernel wakes us */
	int rt_priority;	/* of the thread (SCHED_FIFO); 0: none */
	int out;		/* where the reader writes: the tap ends with -EPIPE when nobody reads there any more; -1: none */
};

struct tap;

/* Starts the thread. Takes over all of *@lanes, also when it fails. @reader is borrowed. 0, or -errno after a message. */
int tap_open(struct tap **out, taplanes_t *lanes, const struct tap_reader *reader);

/* The thread's id. */
pid_t tap_tid(const struct tap *tap);

/* Becomes readable when the thread ends, or gives up before: time for tap_stop(). */
int tap_event(const struct tap *tap);

/* Asks the thread to read what is left and to end. */
void tap_ask(struct tap *tap);

/*
 * Has the thread end without reading what is left, and closes all trace_pipe_raw. False: it hangs, as somebody does not take
 * what it writes. Then neither tap_stop() nor tap_close() is to be called, and the reader must stay.
 */
bool tap_abandon(struct tap *tap);

/*
 * When nothing is written into the buffers any more: reads what is left, ends the thread and closes all trace_pipe_raw. 0, or
 * what ended the thread early: -EPIPE, or a negative errno after a message. Further calls give the same again.
 */
int tap_stop(struct tap *tap);

/* Ends the thread where it is, if it still runs. Accepts NULL. */
void tap_close(struct tap *tap);

#endif
