/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of `ringside stream` share. */
#ifndef RINGSIDE_CMD_STREAM_H
#define RINGSIDE_CMD_STREAM_H

#include "cmd/record.h"
#include "lib/analysis/select.h"
#include "lib/event/trace.h"
#include "lib/output/lines.h"
#include "lib/record/live.h"

struct stream_opts {
	struct record_opts record;	/* first: the shared rows fill it in */
	struct select_options select;
	struct trace_options trace;
	struct lines_options lines;
	const char *color;
	uint64_t window_ns;
	bool tree;
};

extern const struct opt stream_options[];

/* As record_parse(). stream_opts_fini() after it in any case. */
int stream_parse(const struct cmd *cmd, struct stream_opts *opts, int argc, char **argv);
void stream_opts_fini(struct stream_opts *opts);

/* The reading column behind the recording one: pages to text on stdout. */
struct stream_view;

/* Borrows @opts. 0 or -ENOMEM after a message. */
int stream_view_new(struct stream_view **out, struct stream_opts *opts, struct live_reader *reader);

/* What of the records was shown, and whether anything was damaged. */
struct stream_seen {
	uint64_t seen;
	bool shown;
};
void stream_view_free(struct stream_view *view, struct stream_seen *seen);

/*
 * Task names while they change: a handler in front of @next that, when a record's task has no name, looks whether the kernel knows one
 * now; and anyway once a second. 0 or -ENOMEM. Borrows all.
 */
int stream_names_new(struct handler **out, struct handler *next, struct trace *trace, const struct tracedir *top);

#endif
