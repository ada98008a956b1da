/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A tap gives the contents of the kernel's ring buffers to a reader (struct tap_reader) while tracing goes on. The tap's thread works in rounds. In each round,
 * this thread goes once through all CPUs, and reads the data of each CPU, even sub-buffers that are not full. Then the data of the round are given to the
 * reader. When there are few data, the tap's thread itself calls the reader. Otherwise a second thread calls the reader, while the tap's thread goes on reading
 * (lib/record/backlog.h). When a ring buffer is full, events are lost, and the kernel counts them.
 */
#ifndef RINGSIDE_TAP_H
#define RINGSIDE_TAP_H

#include "lib/base/vec.h"
#include <sys/types.h>

/* A lane is the ring buffer of one CPU of one instance. */
struct tap_lane {
	int in;		    /* per_cpu/cpuN/trace_pipe_raw, O_RDONLY | O_NONBLOCK; owned by the tap */
	uint32_t page_size; /* the size of a sub-buffer in bytes */
};
typedef VEC(struct tap_lane) taplanes_t;

/*
 * The reader. Its functions are called by the tap's thread or by the second thread (see above). The two threads never call them at the same time. Each function
 * except room() returns 0, or -errno after a message. An -errno ends the tap.
 */
struct tap_reader {
	/*
	 * Returns memory for the next sub-buffers of the lane with the index @lane. Sets *@size to the size of this memory, which is a multiple of the
	 * lane's .page_size. When memory runs out, returns NULL without a message, and the tap ends.
	 */
	void *(*room)(void *ctx, size_t lane, size_t *size);
	/*
	 * Called when @size bytes of the lane have been put into the memory that room() returned. @drained is true if there was nothing more to read in the
	 * lane. A round can call room() and pages() several times for a CPU.
	 */
	int (*pages)(void *ctx, size_t lane, size_t size, bool drained);
	/*
	 * Called when a round through all lanes is over. The round began at @begin_ns and ended at @end_ns (CLOCK_MONOTONIC). The function sets *@pending
	 * to true if the reader has data that it can process only after another round. Otherwise it sets *@pending to false. If *@pending is false and
	 * .interval_ns is 0, the tap's thread may wait before the next round. It then waits until the kernel wakes it or a second has passed.
	 */
	int (*round)(void *ctx, uint64_t begin_ns, uint64_t end_ns, bool *pending);
	/* Called when tracing has ended and everything has been read. */
	int (*end)(void *ctx);
	void *ctx;
	/*
	 * The next two members say how long the tap's thread waits between two rounds. The thread does not wait after a round that has found at least 128 kB on
	 * a CPU.
	 */
	uint64_t interval_ns; /* the pause between two rounds; 0: the kernel wakes the thread when there is something to read */
	/*
	 * Used if .interval_ns is 0. The thread pauses for this time after each of these rounds:
	 *  - a round before which the thread has waited for a wake-up by the kernel;
	 *  - a round in which round() set *@pending to true;
	 *  - a round whose data the second thread gave to the reader (see above).
	 */
	uint64_t pause_ns;
	int rt_priority; /* the SCHED_FIFO priority of the thread; 0: none */
	/* The descriptor to which the reader writes. The tap ends with -EPIPE when nobody reads the other end any more. -1: there is none. */
	int out;
};

struct tap;

/* Starts the thread. Takes over everything in *@lanes, even after a failure. @reader is borrowed. Returns 0, or -errno after a message. */
int tap_open(struct tap **out, taplanes_t *lanes, const struct tap_reader *reader);

/* Returns the thread's id. */
pid_t tap_tid(const struct tap *tap);

/* Returns a descriptor that becomes readable when the thread has ended or given up. The caller then calls tap_stop(). */
int tap_event(const struct tap *tap);

/* Asks the thread to read what is left and to end. */
void tap_ask(struct tap *tap);

/*
 * Ends the thread without reading what is left, and closes all trace_pipe_raw. Returns false when the thread hangs in a write because nobody reads its
 * output. After false, tap_stop() and tap_close() must not be called, and @reader of tap_open() must not be freed.
 */
bool tap_abandon(struct tap *tap);

/*
 * Reads what is left, ends the thread and closes all trace_pipe_raw. The caller has turned tracing off before. Returns 0, or the error that ended the
 * thread early. The error is -EPIPE, -ECANCELED (tap_abandon() was called), or another -errno after a message. Further calls return the same value.
 */
int tap_stop(struct tap *tap);

/* Ends the thread at once, if it still runs, and frees the tap. Accepts NULL. */
void tap_close(struct tap *tap);

#endif
