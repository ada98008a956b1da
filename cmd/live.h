/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs analyses of events while these events happen. lib/record reads the pages of the ring buffers, and hands each page to lib/analysis at once. A command
 * with a live analysis looks like this:
 *	struct live_opts live = { .record = &opts.record, .reading = &opts.reading, .window_ns = LIVE_WINDOW_NS, .add = add, .ctx = &opts };
 *	status = live_main(&live);
 */
#ifndef RINGSIDE_CMD_LIVE_H
#define RINGSIDE_CMD_LIVE_H

#include "cmd/record.h"
#include "lib/analysis/reading.h"
#include "lib/record/live.h"

/* This is the usual value of live_opts.window_ns: 10 ms. */
#define LIVE_WINDOW_NS 10000000ULL

/* This is .file of struct table_meta (lib/output/table.h) for a table of what was traced. */
#define LIVE_FILE "the running kernel"

struct live_opts {
	struct record_opts *record; /* what is traced; the caller has set its spec.live to true */
	struct reading *reading;    /* the selection of records, and the analyses; the caller closes it, unless .hangs is set */
	uint64_t window_ns;	    /* how long an event waits for earlier events of other CPUs, in ns; usually LIVE_WINDOW_NS */
	int64_t ts_offset;	    /* added to all times, in ns */
	/*
	 * The name of the output file. A message names this file when a second signal has ended the reading before .reading->complete was true. The caller
	 * makes the file, and publishes it only if .reading->complete is true. NULL: there is no such file.
	 */
	const char *output;
	/* what the user can do when events are lost, a sentence without its full stop; NULL: the message names a larger buffer, fewer events or a filter */
	const char *cure;
	bool hush;	/* leave out the message that says in which instance events are traced */
	bool by_kernel; /* true: the kernel itself counts, and no message says that there were no records to show */
	/* These are called as in struct record_hooks; ended() is called when tracing is off. Each may be NULL. */
	int (*prepare)(void *ctx, struct session *session);
	int (*ready)(void *ctx, struct instance *inst);
	void (*ended)(void *ctx);
	/*
	 * Adds the analyses by reading_add(). This function is called after the input was opened, and before anything is read. Returns 0, or -errno after a
	 * message.
	 */
	int (*add)(void *ctx, struct reading *reading);
	/*
	 * Called after each round of reading, and once more at the end, before the analyses are shown. @last is true only in this last call. Returns 0, or
	 * -errno after a message. This member may be NULL.
	 */
	int (*round)(void *ctx, struct reading *reading, bool last);
	void *ctx;
	bool ran;   /* set by live_main(): tracing or the command was started */
	bool hangs; /* set by live_main(): the reading thread hangs in a write() and still uses .reading and .ctx, so these must not be freed */
};

/*
 * Traces until the traced command ends, or until the user or an option ends tracing. Then shows the analyses, and says what was lost. Returns the exit status.
 */
int live_main(struct live_opts *opts);

/* --- what the files cmd/live*.c share ------------------------------------------------------------------------- */

/* A struct live_view passes the pages of the ring buffers on to the analyses. */
struct live_view;

/* Makes a view and fills in @reader. Borrows @opts. Returns 0, or -ENOMEM after a message. */
int live_view_new(struct live_view **out, struct live_opts *opts, struct live_reader *reader);

/* This tells how many records were seen, and whether any was shown. */
struct live_seen {
	uint64_t seen;
	bool shown;
};

/* Fills in *@seen. Frees the view if @ended is true. If @ended is false, the reading thread has not ended and still uses the view. */
void live_view_end(struct live_view *view, struct live_seen *seen, bool ended);

/*
 * Makes a stage (lib/analysis/stage.h) that learns the names of tasks and functions when they first appear, and again when they change. If there are user
 * stacks, the stage also learns which files programs have mapped into memory. The stage borrows @trace, and also .top, .maps_ctx and .command of *@source.
 * *@source itself is used only during this call. Returns NULL when memory runs out.
 */
struct stage *live_names_new(struct trace *trace, const struct live_source *source);

/* Learns the last names of tasks that have ended. Must be called after all records have gone through the stage, and before analyses show their results. */
void live_names_last(struct stage *names);

#endif
