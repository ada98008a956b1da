/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sends a recording to the other end. The other end is the `record --hosts` that has started this process from another machine. The recording is sent
 * through standard output while it runs, in frames (lib/net/frame.h). Frames on standard input tell us when to begin and when to end. The data wait in the
 * spools of the CPUs (lib/record/spool.h) until they are sent. So when the connection is slow, no events are lost.
 */
#ifndef RINGSIDE_WIRE_H
#define RINGSIDE_WIRE_H

#include "lib/record/recorder.h"
#include "lib/record/spec.h"
#include "lib/record/watch.h"

struct wire;

/*
 * Takes over standard input and output, and sends a greeting to the other end. From now on nothing can be read from standard input. Text that is written to
 * standard output goes to standard error. The thread that calls wire_open() must also call wire_await(), wire_begun() and wire_ended(). Puts the name of a
 * temporary file into spec->output, where it is valid until wire_close(). Returns 0 or -errno after a message.
 */
int wire_open(struct wire **out, struct record_spec *spec);

/* There are two threads, one that sends and one that receives. They have to be kept out of the trace. */
enum { WIRE_THREADS = 2 };

struct wire_setup {
	const char *meta;  /* the name of the file with the metadata that are known before the start */
	const char *stats; /* the path of a per_cpu/cpuN/stats, from which the trace clock of the instance is read */
	bool ns;	   /* the trace clock counts nanoseconds */
};

/*
 * Sends the metadata of @setup and starts the threads. Puts the ids of the threads into @tids. From now on, the other end gets an answer when it asks for the
 * time of the trace clock. Returns 0 or -errno after a message.
 */
int wire_prepare(struct wire *w, const struct wire_setup *setup, pid_t tids[WIRE_THREADS]);

/*
 * Tells the other end that tracing is set up, and waits until the other end says when to begin. All hosts begin at this time. To be in time, the caller's
 * thread gets a real-time priority (lib/base/turn.h) as soon as the time to begin is known. The thread keeps the priority until wire_begun(). The thread gets
 * the priority again when the time to end has come, and keeps it until wire_ended(). Returns 0 when it is time to begin. When the recording will not begin,
 * returns -ECANCELED, -EINTR or another -errno after a message.
 */
int wire_await(struct wire *w, const struct watch *watch);

/*
 * From wire_start() on, the data in the spools of @rec are sent. @rec must outlive the wire. wire_begun() tells the wire that tracing is on. wire_ended()
 * tells it that tracing is off. wire_wake() tells it that the spools have grown. Any thread may call wire_wake().
 */
void wire_start(struct wire *w, const struct recorder *rec);
void wire_begun(struct wire *w);
void wire_ended(struct wire *w);
void wire_wake(struct wire *w);

/*
 * Returns a pointer to a descriptor for poll(). When the `record --hosts` at the other end has gone, poll() reports POLLERR for this descriptor. The pointer
 * is valid until wire_close().
 */
const int *wire_broken(const struct wire *w);

/* Tells the other end that the command has ended. A further call does nothing. The recording goes on until the other end ends it. */
void wire_command_ended(struct wire *w);

/*
 * Returns how many bytes of the spool of a lane were sent. A lane is a CPU's spool and the thread that writes it (lib/record/recorder.h). @lane is the index
 * of the lane in @rec of wire_start().
 */
uint64_t wire_sent(const struct wire *w, size_t lane);

/*
 * Sends the rest of the data, the file @meta, the number of events, and the number of lost events. Waits until all of this has arrived. Must be called after
 * the recorder was stopped. Returns 0, or -errno after a message. On failure the data that were not sent are still in the spools.
 */
int wire_finish(struct wire *w, const char *meta, uint64_t events, uint64_t lost);

/* Ends the threads. Must be called before the recorder is closed and before the instance is removed. Accepts NULL. */
void wire_close(struct wire *w);

#endif
