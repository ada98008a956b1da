/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of `ringside stream` share. */
#ifndef RINGSIDE_CMD_STREAM_H
#define RINGSIDE_CMD_STREAM_H

#include "cmd/record.h"
#include "cmd/reading.h"
#include "lib/output/tree.h"
#include "lib/record/live.h"

struct stream_opts {
	struct record_opts record;	/* first: the shared rows fill it in */
	struct reading_opts read;
	uint64_t window_ns;
	bool tree;
	struct tree_options tree_opts;
	bool hangs;	/* the thread that reads is stuck in writing, and still uses what it has */
};

extern const struct opt stream_options[];

/* As record_parse(). stream_opts_fini() after it in any case. */
int stream_parse(const struct cmd *cmd, struct stream_opts *opts, int argc, char **argv);
void stream_opts_fini(struct stream_opts *opts);

/* The reading column behind the recording one: pages to text. */
struct stream_view;

/* Borrows @opts. 0 or -ENOMEM after a message. */
int stream_view_new(struct stream_view **out, struct stream_opts *opts, struct live_reader *reader);

/* What of the records was shown, and whether anything was damaged. */
struct stream_seen {
	uint64_t seen;
	bool shown;
};

/* Tells what was seen, and frees the view unless it still @ended not. */
void stream_view_end(struct stream_view *view, struct stream_seen *seen, bool ended);

/*
 * The stage of a pass that learns names of tasks and functions while they change, asked for when they turn up. All is borrowed, but
 * *@source, which has to be there only now; NULL: no memory.
 */
struct stage *stream_names_new(struct trace *trace, const struct live_source *source);

#endif
