/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Analyses of what happens now: the reading column behind the recording one. A command whose answer is made of records while they
 * happen is this:
 *	struct live_opts live = { .record = &opts.record, .reading = &opts.reading, .window_ns = LIVE_WINDOW_NS, .add = add, .ctx = &opts };
 *	status = live_main(&live);
 */
#ifndef RINGSIDE_CMD_LIVE_H
#define RINGSIDE_CMD_LIVE_H

#include "cmd/record.h"
#include "lib/analysis/reading.h"
#include "lib/record/live.h"

/* So long is waited for earlier events of other CPUs, where nothing else is said. */
#define LIVE_WINDOW_NS 10000000ULL

struct live_opts {
	struct record_opts *record;	/* what is traced; its spec.live is set */
	struct reading *reading;	/* what is asked for; the caller closes it, unless .hangs */
	uint64_t window_ns;
	int64_t ts_offset;	/* added to all times, in ns */
	bool hush;		/* where it traces is not worth a word */
	bool by_kernel;		/* what is told does not come from records: that there are none is not worth a word */
	/* As in struct record_hooks, and likewise when tracing is off. NULL: nothing. */
	int (*prepare)(void *ctx, struct session *session);
	int (*ready)(void *ctx, struct instance *inst);
	void (*ended)(void *ctx);
	/* Adds the analyses, by reading_add(): the input is open, nothing has been read. 0, or -errno after a message. */
	int (*add)(void *ctx, struct reading *reading);
	/* After each round of reading, and, @last, before the analyses are shown at the end. 0, or -errno after a message. NULL: nothing. */
	int (*round)(void *ctx, struct reading *reading, bool last);
	void *ctx;
	bool hangs;	/* set: the thread that reads is stuck in writing, and still uses what it has */
};

/* Traces until the end and shows the analyses; says what was lost. The exit status. */
int live_main(struct live_opts *opts);

/* --- what the files of this share ------------------------------------------------------------------------- */

/* From pages to analyses. */
struct live_view;

/* Borrows @opts. 0 or -ENOMEM after a message. */
int live_view_new(struct live_view **out, struct live_opts *opts, struct live_reader *reader);

/* What of the records was shown. */
struct live_seen {
	uint64_t seen;
	bool shown;
};

/* Tells what was seen, and frees the view unless it still @ended not. */
void live_view_end(struct live_view *view, struct live_seen *seen, bool ended);

/*
 * The stage of a pass that learns names of tasks and functions while they change, asked for when they turn up. All is borrowed, but
 * *@source, which has to be there only now; NULL: no memory.
 */
struct stage *live_names_new(struct trace *trace, const struct live_source *source);

#endif
