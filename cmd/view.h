/* SPDX-License-Identifier: GPL-2.0 */
/* Which records are shown and how: what report says of a file, and stream of what happens. */
#ifndef RINGSIDE_CMD_VIEW_H
#define RINGSIDE_CMD_VIEW_H

#include "cmd/opt.h"
#include "lib/analysis/select.h"
#include "lib/analysis/within.h"
#include "lib/event/trace.h"
#include "lib/output/lines.h"

struct view_opts {
	struct select_options select;
	struct within_options within;
	struct trace_options trace;
	struct lines_options lines;
	bool align;		/* --align-ts: the first record is time 0 */
	const char *color;
};

/* Rows for OPT_ROWS, whose context structure is struct view_opts: which records; how they are printed; which times. */
extern const struct opt view_which[], view_how[], view_times[];

/* After opt_parse(): the colours on @fd, the options of plug-ins. 0 or -EINVAL after a message. */
int view_settle(const struct cmd *cmd, struct view_opts *view, int fd);
void view_opts_fini(struct view_opts *view);

#endif
