/* SPDX-License-Identifier: GPL-2.0 */
/* Declares what the files of `ringside stream` share. */
#ifndef RINGSIDE_CMD_STREAM_H
#define RINGSIDE_CMD_STREAM_H

#include "cmd/live.h"
#include "cmd/reading.h"
#include "lib/output/fields-text.h"
#include "lib/output/tree.h"

struct stream_opts {
	struct record_opts record; /* first: the shared rows fill it in */
	struct reading_opts read;
	uint64_t window_ns;
	bool tree;
	struct tree_options tree_opts;
	struct fields_view fields; /* --fields */
	bool hangs;		   /* the thread that reads hangs in a write, and still uses what it was given */
};

extern const struct opt stream_options[];

/* Does what record_parse() does. The caller calls stream_opts_fini() in either case. */
int stream_parse(const struct cmd *cmd, struct stream_opts *opts, int argc, char **argv);
void stream_opts_fini(struct stream_opts *opts);

#endif
