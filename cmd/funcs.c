/* SPDX-License-Identifier: GPL-2.0 */
/* ringside funcs: a table of functions: how often each was called, how long it took, and where that time went. */
#include "cmd/commands.h"
#include "cmd/live-table.h"
#include "cmd/paths-options.h"
#include "cmd/reading.h"
#include "cmd/table-options.h"
#include "lib/output/funcs-text.h"

#include <unistd.h>

struct funcs_opts {
	struct reading_opts read; /* first */
	struct funcs_view view;
	struct table_opts table;
	bool live;
};

/* The options after --live. */
struct funcs_live {
	struct live_table live; /* first */
	struct funcs_view view;
};

#define TO(field) offsetof(struct funcs_opts, field)

#define VIEW(field) offsetof(struct funcs_view, field)

/* The rows whose values are in struct funcs_view. */
static const struct opt view_rows[] = {
	{ OPT_HEADING, .help = "What to print" },
	{ OPT_STRV, .name = "match", .arg = "GLOB", .complete = "functions", .offset = VIEW(globs),
	  .help = "show only functions that match GLOB; without --live, operands do the same" },
	{ OPT_STRV, .name = "callees-of", .arg = "GLOB", .complete = "functions", .offset = VIEW(callees_of),
	  .help = "show only the calls that functions matching GLOB make directly" },
	{ OPT_STRV, .name = "callers-of", .arg = "GLOB", .complete = "functions", .offset = VIEW(callers_of),
	  .help = "show who calls the functions that match GLOB, with the times of these calls" },
	OPT_END,
};

static const struct opt opts[] = {
	{ OPT_ROWS, .rows = reading_files },
	{ OPT_ROWS, .rows = reading_which },
	{ OPT_ROWS, .rows = reading_more },
	{ OPT_ROWS, .rows = reading_pairs },
	{ OPT_ROWS, .rows = view_rows, .offset = TO(view) },
	{ OPT_ROWS, .rows = paths_rows, .offset = TO(view.paths) },
	{ OPT_FLAG, .name = "live", .offset = TO(live), .help = "show what happens now; `ringside funcs --live --help` lists the options of --live" },
	{ OPT_ROWS, .rows = table_options, .offset = TO(table) },
	{ OPT_ROWS, .rows = reading_pager },
	OPT_END,
};

#define LIVE(field) offsetof(struct funcs_live, field)

static const struct opt live_rows[] = {
	LIVE_TABLE_ROWS,
	{ OPT_ROWS, .rows = view_rows, .offset = LIVE(view) },
	{ OPT_ROWS, .rows = paths_rows, .offset = LIVE(view.paths) },
	{ OPT_ROWS, .rows = reading_pairs, .offset = LIVE(live.read) },
	OPT_END,
};

static int check(struct funcs_view *view)
{
	int err = paths_words(&view->globs);

	err = err ? err : paths_words(&view->callees_of);
	return err ? err : paths_words(&view->callers_of);
}

static void view_fini(struct funcs_view *view)
{
	strv_fini(&view->globs);
	strv_fini(&view->callees_of);
	strv_fini(&view->callers_of);
}

static int run_live(int argc, char **argv)
{
	struct funcs_live o = { .live.functions = true };
	int err = live_table_parse(cmd_funcs.live, &o.live, &o.view.table, argc, argv), status;

	err = err ? err : check(&o.view);
	status = live_table_main(&o.live, err, &funcs_analysis, &o.view);
	if (!o.live.hangs)
		view_fini(&o.view);
	return status;
}

static const struct cmd cmd_live = {
	.name = "funcs --live",
	.synopsis = "[OPTION...] [COMMAND [ARG...]]",
	.summary = "show the table of `ringside funcs` for what happens now, while a command runs, or until q or Ctrl-C",
	.details = "The options of `ringside record` choose what is traced. On a terminal, the table is drawn again each second.\n"
		   "  ringside funcs --live -p function_graph -g vfs_read -F dd if=/dev/zero of=/dev/null count=100000\n"
		   "  ringside funcs --live -e raw_syscalls --by comm",
	.opts = live_rows,
	.stop_at_operand = true,
	.operands = "command",
	.run = run_live,
};

static int run(int argc, char **argv)
{
	struct funcs_opts o = { 0 };
	int err, status;

	if (live_asked(argc, argv)) {
		watch_expect();
		return run_live(argc, argv);
	}
	err = reading_parse_words(&cmd_funcs, &o, &o.view.globs, argc, argv);
	err = err ? err : reading_pair_words(&o.read, &o.view.globs, false);
	err = err ? err : check(&o.view);
	err = err ? err : table_settle(&cmd_funcs, &o.table, STDOUT_FILENO, &o.view.table);
	status = reading_main(&cmd_funcs, &o.read, err, &funcs_analysis, &o.view);
	view_fini(&o.view);
	return status;
}

const struct cmd cmd_funcs = {
	.name = "funcs",
	.synopsis = "[OPTION...] [FUNCTION...] [FILE...]",
	.summary = "print a table of functions: how often each was called, how long it took, and where that time went",
	.details = "Without FILE, a trace file on standard input is read; if there is none, trace.dat is read.\n"
		   "An operand that is not a file is the name of a function, or a glob.\n"
		   "  ringside funcs -n 20                      the functions in which most time was spent\n"
		   "  ringside funcs 'vfs_*' --sort p99         the functions of these names, the slowest first\n"
		   "  ringside funcs --by task --json           a row for each function and task, in JSON\n"
		   "  ringside funcs --callers-of kfree         who calls kfree, how often, and how long these calls take\n"
		   "  ringside funcs --live -p function_graph   the functions in which most time is spent now",
	.opts = opts,
	.live = &cmd_live,
	.operands = "files",
	.run = run,
};
