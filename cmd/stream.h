/* SPDX-License-Identifier: GPL-2.0 */
/* Declares what the files of `ringside stream` share. */
#ifndef RINGSIDE_CMD_STREAM_H
#define RINGSIDE_CMD_STREAM_H

#include "cmd/live.h"
#include "cmd/reading.h"
#include "lib/output/fields-text.h"
#include "lib/output/tree.h"

struct stream_opts {
	struct record_opts record; /* must be the first member, because the options that stream shares with record are stored in it */
	struct reading_opts read;
	uint64_t window_ns; /* --window: see struct live_opts */
	bool tree;
	struct tree_options tree_opts;
	struct fields_view fields; /* --fields */
	bool hangs;		   /* the reading thread hangs in a write() and still uses this struct, so the struct must not be freed */
};

extern const struct opt stream_options[];

/* Does what record_parse() does. The caller calls stream_opts_fini() even when stream_parse() fails. */
int stream_parse(const struct cmd *cmd, struct stream_opts *opts, int argc, char **argv);
void stream_opts_fini(struct stream_opts *opts);

#endif
