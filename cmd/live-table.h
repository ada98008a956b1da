/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shows a table of what happens now, for `funcs --live`, `graph --live` and `sched --live`. Each of these commands has a second struct cmd, which describes the
 * options that can be given with --live. The parsed options are stored in a structure that begins with a struct live_table. The command contains these lines:
 *	if (live_asked(argc, argv)) …
 *	err = live_table_parse(&cmd_my_live, &opts.live, &opts.my.table, argc, argv);
 *	status = live_table_main(&opts.live, err, &my_analysis, &opts.my);
 * Here opts is the structure with the parsed options, opts.live is its struct live_table, and opts.my has the command's usual options.
 */
#ifndef RINGSIDE_CMD_LIVE_TABLE_H
#define RINGSIDE_CMD_LIVE_TABLE_H

#include "cmd/live.h"
#include "cmd/reading.h"
#include "cmd/table-options.h"

#include <termios.h>

struct live_table {
	struct record_opts record; /* must be the first member */
	struct reading_opts read;
	struct table_opts table;
	bool live;	/* --live was given as an option */
	bool functions; /* without --live, operands are names of functions; --match takes them with --live. The caller sets this */
	/* live_table_parse() and live_table_main() set the members below. */
	int out;	       /* where the table is printed */
	bool hangs;	       /* the reading thread hangs in a write() and still uses .read */
	bool screen;	       /* the table is drawn again and again on a screen of its own */
	bool drawn;	       /* the terminal shows that screen */
	bool keys;	       /* the terminal passes each key on at once, without waiting for Enter */
	size_t width;	       /* the width of the terminal, in characters */
	struct termios before; /* used when .keys is true: the settings of the terminal that are put back at the end */
	uint64_t begun_ns;     /* when live_table_main() was called */
	uint64_t next_ns;      /* when the table is drawn next */
};

/* Returns true if --live is among the words before "--". */
bool live_asked(int argc, char **argv);

/* These are rows for OPT_ROWS: --live itself, --self, --duration and --keep. What is traced is chosen by the rows of `ringside record` (cmd/record.h). */
extern const struct opt live_table_rows[];

/* These are all rows that the commands with --live share. */
#define LIVE_TABLE_ROWS \
	{ OPT_ROWS, .rows = live_table_rows }, { OPT_ROWS, .rows = what_options }, { OPT_ROWS, .rows = whom_options }, { OPT_HEADING, .help = "Where" }, \
		{ OPT_ROWS, .rows = where_options }, { OPT_ROWS, .rows = aside_options }, { OPT_ROWS, .rows = pace_options }, \
		{ OPT_ROWS, .rows = talk_options }, \
	{ \
		OPT_ROWS, .rows = table_options, .offset = offsetof(struct live_table, table), .letterless = true \
	}

/*
 * Parses the command line, and decides how the table is shown. Returns 0, opt_parse()'s negative result, or -errno after a message. The caller calls
 * live_table_main() in any case.
 */
int live_table_parse(const struct cmd *cmd, struct live_table *opts, struct table_show *show, int argc, char **argv);

/*
 * Traces and shows the table of the analysis @what until tracing ends. Then frees what @opts has. @options is passed on to the analysis. If .hangs is true
 * afterwards, a thread still uses .read and @options. In this case, .read is not freed, and the caller must not free @options. @err is what live_table_parse()
 * has returned, or an error that the caller found later. If @err is not 0, nothing is traced. Returns the exit status.
 */
int live_table_main(struct live_table *opts, int err, const struct analysis *what, void *options);

#endif
