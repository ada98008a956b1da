/* SPDX-License-Identifier: GPL-2.0 */
/* ringside graph: the calls of a recording as one tree, merged by path. */
#include "cmd/commands.h"
#include "cmd/paths-options.h"
#include "cmd/reading.h"
#include "cmd/table-options.h"
#include "lib/base/err.h"
#include "lib/output/graph-text.h"

#include <unistd.h>

struct graph_opts {
	struct reading_opts read;	/* first */
	struct graph_view view;
	uint64_t depth;
	struct table_opts table;
};

#define TO(field) offsetof(struct graph_opts, field)

static int set_percent(void *ctx, __unused const struct opt *opt, const char *value)
{
	struct graph_opts *o = ctx;
	char *end;

	o->view.show.min_percent = strtod(value, &end);
	if (end == value || (*end && strcmp(end, "%") != 0) || !(o->view.show.min_percent >= 0 && o->view.show.min_percent <= 100))
		return fail(EINVAL, "--min-percent %s: a number from 0 to 100", value);
	return 0;
}

static const struct opt opts[] = {
	{ OPT_ROWS, .rows = reading_files },
	{ OPT_ROWS, .rows = reading_which },
	{ OPT_ROWS, .rows = reading_more },
	{ OPT_HEADING, .help = "What to tell" },
	{ OPT_FLAG, .name = "callers", .offset = TO(view.callers),
	  .help = "the functions that are named are the roots, and below each stand its callers" },
	{ OPT_STR, .name = "path", .arg = "A;B;C", .offset = TO(view.path), .help = "only what is called by this chain of functions, from a root on" },
	{ OPT_U64, .name = "depth", .arg = "N", .offset = TO(depth), .help = "only so many levels of calls" },
	{ OPT_CALL, .name = "min-percent", .arg = "PERCENT", .call = set_percent,
	  .help = "put what takes less of its root into one row of its caller (0.5)" },
	{ OPT_ROWS, .rows = paths_rows, .offset = TO(view.paths) },
	{ OPT_ROWS, .rows = table_options, .offset = TO(table) },
	{ OPT_ROWS, .rows = reading_pager },
	OPT_END,
};

static int check(const struct graph_opts *o)
{
	if (o->view.callers && !o->view.globs.n)
		return usage(&cmd_graph, "--callers: of which function? Name one, as in `ringside graph --callers kfree`"), -EINVAL;
	if (o->view.path && o->view.globs.n)
		return usage(&cmd_graph, "--path or the name of a function: one of them"), -EINVAL;
	return 0;
}

static int run(int argc, char **argv)
{
	struct graph_opts o = { .view.show.min_percent = 0.5 };
	int err = reading_parse_words(&cmd_graph, &o, &o.view.globs, argc, argv), status;

	err = err ? err : check(&o);
	o.view.show.depth = (unsigned int)MIN(o.depth, (uint64_t)UINT16_MAX);
	err = err ? err : table_settle(&cmd_graph, &o.table, STDOUT_FILENO, &o.view.table);
	status = reading_main(&cmd_graph, &o.read, err, &graph_analysis, &o.view);
	strv_fini(&o.view.globs);
	return status;
}

const struct cmd cmd_graph = {
	.name = "graph",
	.synopsis = "[OPTION...] [FUNCTION...] [FILE...]",
	.summary = "the calls of a recording as one tree, merged by path, with their times",
	.details = "FILE is trace.dat unless given; an operand that is no file is the name of a function, a glob: only what it calls is shown.\n"
		   "  ringside graph                            where the time went, from the outermost functions on\n"
		   "  ringside graph vfs_read --depth 3         what vfs_read() calls, wherever it was called\n"
		   "  ringside graph --callers kfree            who calls kfree()\n"
		   "  ringside graph --by task --json           a tree for each task, for a program",
	.opts = opts,
	.operands = "files",
	.run = run,
};
