/* SPDX-License-Identifier: GPL-2.0 */
/* ringside hist: prints which call chains led to events and functions, and how often. */
#include "cmd/commands.h"
#include "cmd/reading.h"
#include "cmd/table-options.h"
#include "lib/output/hist-text.h"

#include <unistd.h>

struct hist_opts {
	struct reading_opts read; /* first */
	struct hist_view view;
	struct table_opts table;
};

#define TO(field) offsetof(struct hist_opts, field)

static int set_form(void *ctx, const struct opt *opt, __unused const char *value)
{
	struct hist_opts *o = ctx;

	o->view.show.form = strcmp(opt->name, "flat") == 0 ? HIST_FLAT : HIST_FOLDED;
	return 0;
}

static const struct opt opts[] = {
	{ OPT_ROWS, .rows = reading_files },
	{ OPT_ROWS, .rows = reading_which },
	{ OPT_ROWS, .rows = reading_more },
	{ OPT_STRV, .name = "event", .hidden = true, .arg = "EVENT", .offset = TO(read.reading.select.events), .help = "as --only-event" },
	{ OPT_HEADING, .help = "What to print" },
	{ OPT_FLAG, 'P', .name = "all-pids", .offset = TO(view.opt.all_tasks), .help = "count all tasks together" },
	{ OPT_FLAG, .name = "time", .offset = TO(view.opt.time),
	  .help = "instead of counting, add up the time of each call in ns, without the time of the calls inside it; events that are not calls are left out" },
	{ OPT_STR, .name = "sum", .arg = "FIELD", .complete = "fields", .offset = TO(view.opt.sum),
	  .help = "instead of counting, add up the values of this field; events without this field are left out" },
	{ OPT_U64, 'n', .name = "top", .arg = "N", .offset = TO(view.show.top), .help = "print only the N most frequent events and functions" },
	{ OPT_CALL_FLAG, .name = "flat", .one_of = "lines", .call = set_form, .help = "print a line for each event and function, without callers" },
	{ OPT_CALL_FLAG, .name = "folded", .one_of = "lines", .call = set_form,
	  .help = "print a line \"TASK;CALLER;...;EVENT COUNT\" for each chain of calls, for flame graphs" },
	{ OPT_ROWS, .rows = reading_colour },
	{ OPT_ROWS, .rows = reading_pager },
	{ OPT_ROWS, .rows = table_form_options, .offset = TO(table) },
	OPT_END,
};

static int run(int argc, char **argv)
{
	struct hist_opts o = { 0 };
	int err = reading_parse(&cmd_hist, &o, argc, argv);

	if (!err && o.view.opt.time && o.view.opt.sum) {
		usage(&cmd_hist, "--time and --sum do not go together");
		err = -EINVAL;
	}
	if (!err && o.view.show.form == HIST_FOLDED && table_asked(&o.table)) {
		usage(&cmd_hist, "--folded is no table; it does not go with --json, --csv and --columns");
		err = -EINVAL;
	}
	o.table.top = o.view.show.top;
	err = err ? err : table_settle(&cmd_hist, &o.table, STDOUT_FILENO, &o.view.show.table);
	o.view.show.as_table = table_asked(&o.table);
	return reading_main(&cmd_hist, &o.read, err, o.view.opt.time ? &hist_time_analysis : &hist_analysis, &o.view);
}

const struct cmd cmd_hist = {
	.name = "hist",
	.synopsis = "[OPTION...] [FILE...]",
	.summary = "count the chains of calls that led to events and functions",
	.details = "Without FILE, a trace file on standard input is read; if there is none, trace.dat is read.\n"
		   "The most frequent events and functions come first, each with its callers as a tree.\n"
		   "  ringside hist -P -n 10                          the ten most frequent events and functions of all tasks\n"
		   "  ringside hist --folded | flamegraph.pl > f.svg  a flame graph\n"
		   "  ringside hist --only-event malloc --sum size    which callers allocate the most bytes",
	.opts = opts,
	.operands = "files",
	.run = run,
};
