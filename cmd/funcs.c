/* SPDX-License-Identifier: GPL-2.0 */
/* ringside funcs: a table of functions: how often each was called, how long it took, and where that time went. */
#include "cmd/commands.h"
#include "cmd/paths-options.h"
#include "cmd/reading.h"
#include "cmd/table-options.h"
#include "lib/output/funcs-text.h"

#include <unistd.h>

struct funcs_opts {
	struct reading_opts read;	/* first */
	struct funcs_view view;
	struct table_opts table;
};

#define TO(field) offsetof(struct funcs_opts, field)

static const struct opt opts[] = {
	{ OPT_ROWS, .rows = reading_files },
	{ OPT_ROWS, .rows = reading_which },
	{ OPT_ROWS, .rows = reading_more },
	{ OPT_HEADING, .help = "What to tell" },
	{ OPT_STRV, .name = "match", .arg = "GLOB", .complete = "functions", .offset = TO(view.globs),
	  .help = "only functions of these names, as the operands" },
	{ OPT_STRV, .name = "callees-of", .arg = "GLOB", .complete = "functions", .offset = TO(view.callees_of),
	  .help = "only calls that these functions made directly" },
	{ OPT_STRV, .name = "callers-of", .arg = "GLOB", .complete = "functions", .offset = TO(view.callers_of),
	  .help = "who calls these functions, with the times of those calls" },
	{ OPT_ROWS, .rows = paths_rows, .offset = TO(view.paths) },
	{ OPT_ROWS, .rows = table_options, .offset = TO(table) },
	{ OPT_ROWS, .rows = reading_pager },
	OPT_END,
};

static int run(int argc, char **argv)
{
	struct funcs_opts o = { 0 };
	int err = reading_parse_words(&cmd_funcs, &o, &o.view.globs, argc, argv), status;

	err = err ? err : table_settle(&cmd_funcs, &o.table, STDOUT_FILENO, &o.view.table);
	status = reading_main(&cmd_funcs, &o.read, err, &funcs_analysis, &o.view);
	strv_fini(&o.view.globs);
	strv_fini(&o.view.callees_of);
	strv_fini(&o.view.callers_of);
	return status;
}

const struct cmd cmd_funcs = {
	.name = "funcs",
	.synopsis = "[OPTION...] [FUNCTION...] [FILE...]",
	.summary = "a table of functions: how often each was called, how long it took, and where that time went",
	.details = "FILE is trace.dat unless given; an operand that is no file is the name of a function, a glob.\n"
		   "  ringside funcs -n 20                      the functions in which most time was spent\n"
		   "  ringside funcs 'vfs_*' --sort p99         the slowest of these\n"
		   "  ringside funcs --by task --json           for each task, for a program\n"
		   "  ringside funcs --callers-of kfree         who calls it, how often, and how long that takes",
	.opts = opts,
	.operands = "files",
	.run = run,
};
