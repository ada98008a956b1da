/* SPDX-License-Identifier: GPL-2.0 */
/* ringside graph: prints the calls of a recording as one tree, with equal paths merged. */
#include "cmd/commands.h"
#include "cmd/live-table.h"
#include "cmd/paths-options.h"
#include "cmd/reading.h"
#include "cmd/table-options.h"
#include "lib/base/err.h"
#include "lib/output/graph-text.h"

#include <unistd.h>

struct graph_what {
	struct graph_view view;
	uint64_t depth;
};

struct graph_opts {
	struct reading_opts read; /* first */
	struct graph_what what;
	struct table_opts table;
	bool live;
};

/* The options after --live. */
struct graph_live {
	struct live_table live; /* first */
	struct graph_what what;
};

#define WHAT(field) offsetof(struct graph_what, field)
#define TO(field) offsetof(struct graph_opts, field)
#define LIVE(field) offsetof(struct graph_live, field)

static int set_percent(void *ctx, __unused const struct opt *opt, const char *value)
{
	struct graph_what *o = ctx;
	char *end;

	o->view.show.min_percent = strtod(value, &end);
	if (end == value || (*end && strcmp(end, "%") != 0) || !(o->view.show.min_percent >= 0 && o->view.show.min_percent <= 100))
		return fail(EINVAL, "--min-percent %s: a number from 0 to 100", value);
	return 0;
}

static const struct opt what_rows[] = {
	{ OPT_HEADING, .help = "What to print" },
	{ OPT_FLAG, .name = "callers", .offset = WHAT(view.show.callers), .help = "show the named functions as roots, and below each function its callers" },
	{ OPT_STR, .name = "path", .arg = "A;B;C", .offset = WHAT(view.path),
	  .help = "show only what C calls when B has called C and A has called B; A is a root of the tree" },
	{ OPT_U64, .name = "depth", .arg = "N", .offset = WHAT(depth), .help = "show at most this many levels of calls; 0: show all levels" },
	{ OPT_CALL, .name = "min-percent", .arg = "PERCENT", .call = set_percent,
	  .help = "below each function, show in one row all callees that take less than this percentage of the time of their root (default: 0.5)" },
	OPT_END,
};

static const struct opt opts[] = {
	{ OPT_ROWS, .rows = reading_files },
	{ OPT_ROWS, .rows = reading_which },
	{ OPT_ROWS, .rows = reading_more },
	{ OPT_ROWS, .rows = reading_pairs },
	{ OPT_ROWS, .rows = what_rows, .offset = TO(what) },
	{ OPT_ROWS, .rows = paths_rows, .offset = TO(what.view.paths) },
	{ OPT_FLAG, .name = "live", .offset = TO(live), .help = "show what happens now; `ringside graph --live --help` lists the options of --live" },
	{ OPT_ROWS, .rows = table_options, .offset = TO(table) },
	{ OPT_ROWS, .rows = reading_pager },
	OPT_END,
};

static const struct opt live_rows[] = {
	LIVE_TABLE_ROWS,
	{ OPT_ROWS, .rows = what_rows, .offset = LIVE(what) },
	{ OPT_STRV, .name = "match", .arg = "GLOB", .complete = "functions", .offset = LIVE(what.view.globs),
	  .help = "show only functions that match GLOB, and what these functions call; without --live, operands do this" },
	{ OPT_ROWS, .rows = paths_rows, .offset = LIVE(what.view.paths) },
	{ OPT_ROWS, .rows = reading_pairs, .offset = LIVE(live.read) },
	OPT_END,
};

static int check(struct graph_what *o)
{
	int err = paths_words(&o->view.globs);

	if (err)
		return err;
	o->view.show.depth = (unsigned int)MIN(o->depth, (uint64_t)UINT16_MAX);
	if (o->view.show.callers && !o->view.globs.n)
		return usage(&cmd_graph, "--callers: of which function? Name one, as in `ringside graph --callers kfree`"), -EINVAL;
	if (o->view.path && o->view.globs.n)
		return usage(&cmd_graph, "--path and the name of a function do not go together"), -EINVAL;
	return 0;
}

static int run_live(int argc, char **argv)
{
	struct graph_live o = { .live.functions = true, .what.view.show.min_percent = 0.5 };
	int err = live_table_parse(cmd_graph.live, &o.live, &o.what.view.table, argc, argv), status;

	err = err ? err : check(&o.what);
	status = live_table_main(&o.live, err, &graph_analysis, &o.what.view);
	if (!o.live.hangs)
		strv_fini(&o.what.view.globs);
	return status;
}

static const struct cmd cmd_live = {
	.name = "graph --live",
	.synopsis = "[OPTION...] [COMMAND [ARG...]]",
	.summary = "show the tree of `ringside graph` for what happens now, while a command runs, or until q or Ctrl-C",
	.details = "The options of `ringside record` choose what is traced. On a terminal, the tree is drawn again each second.\n"
		   "  ringside graph --live -p function_graph -g do_sys_openat2\n"
		   "  ringside graph --live -e raw_syscalls --by comm",
	.opts = live_rows,
	.stop_at_operand = true,
	.operands = "command",
	.run = run_live,
};

static int run(int argc, char **argv)
{
	struct graph_opts o = { .what.view.show.min_percent = 0.5 };
	int err, status;

	if (live_asked(argc, argv)) {
		watch_expect();
		return run_live(argc, argv);
	}
	err = reading_parse_words(&cmd_graph, &o, &o.what.view.globs, argc, argv);
	err = err ? err : reading_pair_words(&o.read, &o.what.view.globs, false);
	err = err ? err : check(&o.what);
	err = err ? err : table_settle(&cmd_graph, &o.table, STDOUT_FILENO, &o.what.view.table);
	status = reading_main(&cmd_graph, &o.read, err, &graph_analysis, &o.what.view);
	strv_fini(&o.what.view.globs);
	return status;
}

const struct cmd cmd_graph = {
	.name = "graph",
	.synopsis = "[OPTION...] [FUNCTION...] [FILE...]",
	.summary = "show the calls of a recording as one tree, merged by call path, with their times",
	.details = "Without FILE, a trace file on standard input is read; if there is none, trace.dat is read.\n"
		   "An operand that is not a file is the name of a function, or a glob.\n"
		   "If an operand names functions, only these functions and what they call are shown. With --callers, these functions and\n"
		   "their callers are shown.\n"
		   "  ringside graph                            where the time went, from the outermost functions on\n"
		   "  ringside graph vfs_read --depth 3         what vfs_read() calls, wherever it was called\n"
		   "  ringside graph --callers kfree            who calls kfree()\n"
		   "  ringside graph --by task --json           a tree for each task, in JSON\n"
		   "  ringside graph --live -p function_graph   where the time goes now",
	.opts = opts,
	.live = &cmd_live,
	.operands = "files",
	.run = run,
};
