/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A table of what happens now: `funcs --live` and `graph --live`. The command has a second struct cmd for its words behind --live, whose context
 * structure begins with struct live_table:
 *	if (live_asked(argc, argv)) …
 *	err = live_table_parse(&cmd_my_live, &opts, &opts.my.table, argc, argv);
 *	status = live_table_main(&opts.live, err, &my_analysis, &opts.my);
 */
#ifndef RINGSIDE_CMD_LIVE_TABLE_H
#define RINGSIDE_CMD_LIVE_TABLE_H

#include "cmd/live.h"
#include "cmd/reading.h"
#include "cmd/table-options.h"

#include <termios.h>

struct live_table {
	struct record_opts record;	/* first */
	struct reading_opts read;
	struct table_opts table;
	bool live;			/* --live has been seen where options stand */
	/* While it runs. */
	int out;			/* where the table goes */
	bool hangs;			/* see struct live_opts */
	bool screen;			/* it is drawn in place */
	bool drawn;			/* the terminal shows our own screen */
	bool keys;			/* the terminal tells keys at once */
	struct termios before;
	uint64_t begun_ns, next_ns;	/* when it was begun, and is to be drawn next */
};

/* Is --live among the words? */
bool live_asked(int argc, char **argv);

/* Rows for OPT_ROWS: what is traced comes from record's; these are --live itself, and when it ends. */
extern const struct opt live_table_rows[];

/* The rows of all such commands. */
#define LIVE_TABLE_ROWS                                                                                        \
	{ OPT_ROWS, .rows = live_table_rows }, { OPT_ROWS, .rows = what_options }, { OPT_ROWS, .rows = whom_options },        \
	{ OPT_HEADING, .help = "Where" }, { OPT_ROWS, .rows = where_options }, { OPT_ROWS, .rows = aside_options },             \
	{ OPT_ROWS, .rows = pace_options }, { OPT_ROWS, .rows = talk_options },                                                \
	{ OPT_ROWS, .rows = reading_pairs, .offset = offsetof(struct live_table, read) },                                      \
	{ OPT_ROWS, .rows = table_options, .offset = offsetof(struct live_table, table), .letterless = true }

/* Parses, and settles how the table is shown. 0, or opt_parse()'s negative result. live_table_main() after it in any case. */
int live_table_parse(const struct cmd *cmd, struct live_table *opts, struct table_show *show, int argc, char **argv);

/* Traces and shows the table until the end; frees what @opts has. @err: of parsing. The exit status. */
int live_table_main(struct live_table *opts, int err, const struct analysis *what, void *options);

#endif
