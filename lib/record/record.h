/* SPDX-License-Identifier: GPL-2.0 */
/* A whole recording: from what was asked for to the file, with the kernel left as it was. */
#ifndef RINGSIDE_RECORD_RUN_H
#define RINGSIDE_RECORD_RUN_H

#include "lib/record/advice.h"
#include "lib/record/spec.h"
#include "lib/record/watch.h"

/* How it stands while it runs. */
struct record_status {
	uint64_t elapsed_ns;
	uint64_t events, lost;
	uint64_t bytes;		/* in the spools */
};

/* What one CPU of one buffer came to. */
struct cpu_outcome {
	const char *buffer;	/* "" for the top buffer; lives as long as the outcome */
	unsigned int cpu;
	uint64_t events, bytes, lost;
	uint64_t dropped;	/* bytes given up for -m */
	uint64_t gap;		/* the most events lost at one stretch, as far as that is known */
	uint64_t buffer_kb;	/* of its ring buffer */
};

struct record_outcome {
	VEC(struct cpu_outcome) cpus;
	strv_t names;		/* of the buffers, for the above */
	strv_t similar;		/* when functions were armed and nothing came: some whose names begin alike */
	struct advice advice;	/* when events were lost */
	enum watch_end end;
	bool ran;		/* the command was started */
	int status;		/* its exit status; 128 + N when signal N ended the recording before it */
	bool still_running;	/* the command has not ended yet */
	bool cut_short;		/* of a stream: a second signal came before all was read */
	bool hangs;		/* then: the reader hangs in writing, so that nothing of it may be freed; the process is to end */
	bool sent;		/* of -N: the listener has all of it, and there is no file here */
	uint64_t size;		/* of the file; 0: there is none */
	uint64_t bytes;		/* of sub-buffers in it */
	uint64_t elapsed_ns, saving_ns;
};

void record_outcome_fini(struct record_outcome *out);

/* What the command line tool wants to hear. Each may be NULL. */
struct record_hooks {
	void (*said)(void *ctx, const char *sentence);	/* where it records, if not where one would think */
	/* Before the instances are taken: what is to be there when they are armed, and go after them. 0 or -errno after a message. */
	int (*prepare)(void *ctx, struct session *session);
	/* All is armed, and nothing runs yet: the last changes, in the first buffer's instance. 0 or -errno after a message. */
	int (*ready)(void *ctx, struct instance *inst);
	void (*begun)(void *ctx);	/* tracing is on */
	void (*live)(void *ctx, const struct record_status *now);	/* about once a second */
	void (*ended)(void *ctx);	/* tracing is off */
	void (*saving)(void *ctx, uint64_t done, uint64_t total);
	/* All is done but waiting for a command that still runs. Not called when nothing was recorded. */
	void (*done)(void *ctx, const struct record_outcome *out);
	void *ctx;
};

/*
 * Records; or with spec->join JOIN_READ takes what is in the buffers now, without tracing anything. 0 when there is a complete
 * file and nothing went wrong; else -errno after a message: *@out tells whether there is a file all the same. With -ENOENT or
 * -EACCES from the search for the command, nothing has been touched and out->status is 127 or 126. To be called once a process,
 * without other threads.
 */
int record(struct record_spec *spec, const struct record_hooks *hooks, struct record_outcome *out);

/*
 * Arms the kernel for good, as spec->join says (JOIN_START, JOIN_ADD), and runs the command, if any, whose end it waits for
 * with @wait. What it has changed stays until stays_put_back(). Of @hooks only said() is called; 0, or -errno and out->status
 * as above: nothing stays then.
 */
int start(struct record_spec *spec, bool wait, const struct record_hooks *hooks, struct record_outcome *out);

#endif
