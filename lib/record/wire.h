/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The other end of `record --hosts`: a recording that is sent through standard output while it runs, in frames (lib/net/frame.h), and told through standard
 * input when to begin and when to end. The spools of the CPUs are the queue, as for a listener (lib/record/sender.h): a slow way costs disk
 * space but no events.
 */
#ifndef RINGSIDE_WIRE_H
#define RINGSIDE_WIRE_H

#include "lib/record/recorder.h"
#include "lib/record/spec.h"
#include "lib/record/watch.h"

struct wire;

/*
 * Takes standard input and output (what is read there is empty from now on, and what is written there goes to standard error), says that we are there, and puts
 * into spec->output the name of a temporary file, which lives as long as the wire. Returns 0 or -errno after a message.
 */
int wire_open(struct wire **out, struct record_spec *spec);

/* The threads, which are to be kept out of the trace: one sends, one hears. */
enum { WIRE_THREADS = 2 };

struct wire_setup {
	const char *meta;  /* the file with what is known before the start */
	const char *stats; /* per_cpu/cpuN/stats of the instance whose clock is asked for */
	bool ns;	   /* that clock counts nanoseconds */
};

/* Sends what is known, and starts the threads: from now on questions for the time are answered. Returns 0 or -errno after a message. */
int wire_prepare(struct wire *w, const struct wire_setup *setup, pid_t tids[WIRE_THREADS]);

/* Says that all is armed, and waits to be told to begin. -ECANCELED or -EINTR after a message: that will not be. */
int wire_await(struct wire *w, const struct watch *watch);

/* From now on what is in the spools of @rec is sent; @rec outlives the wire. And: tracing is on; the spools have grown, from any thread. */
void wire_start(struct wire *w, const struct recorder *rec);
void wire_begun(struct wire *w);
void wire_wake(struct wire *w);

/* A pipe for poll(): it reports that it has no reader any more when the other end has gone. */
const int *wire_broken(const struct wire *w);

/* The command has ended. Says so once; the recording goes on until it is told to end. */
void wire_command_ended(struct wire *w);

/* Bytes of the lane that were sent. */
uint64_t wire_sent(const struct wire *w, size_t lane);

/*
 * When the recorder was stopped: sends the rest, the file @meta, and how many events there are, and waits until all has arrived. Returns 0, or -errno after a
 * message; what was not sent is in the spools then.
 */
int wire_finish(struct wire *w, const char *meta, uint64_t events, uint64_t lost);

/* Ends the threads. Before the recorder is closed, and before the instance is removed. Accepts NULL. */
void wire_close(struct wire *w);

#endif
