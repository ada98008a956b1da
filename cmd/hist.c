/* SPDX-License-Identifier: GPL-2.0 */
/* ringside hist: which chains of calls led to events and functions, and how often. */
#include "cmd/commands.h"
#include "cmd/report.h"

#define TO(field) offsetof(struct report, field)

static int set_form(void *ctx, const struct opt *opt, __unused const char *value)
{
	struct report *report = ctx;

	report->hist_show.form = strcmp(opt->name, "flat") == 0 ? HIST_FLAT : HIST_FOLDED;
	return 0;
}

static const struct opt opts[] = {
	{ OPT_ROWS, .rows = report_read_options },
	{ OPT_ROWS, .rows = report_which_options },
	{ OPT_ROWS, .rows = view_which, .offset = TO(view) },
	{ OPT_HEADING, .help = "What to tell" },
	{ OPT_FLAG, 'P', .name = "all-pids", .offset = TO(chains.all_tasks), .help = "do not tell tasks apart" },
	{ OPT_FLAG, .name = "time", .offset = TO(chains.time),
	  .help = "add up the nanoseconds that calls of function_graph took, without those inside; others are left out" },
	{ OPT_STR, .name = "sum", .arg = "FIELD", .offset = TO(chains.sum),
	  .help = "add up this field of events, as bytes, instead of counting; others are left out" },
	{ OPT_U64, 'n', .name = "top", .arg = "N", .offset = TO(hist_show.top),
	  .help = "only the N most frequent events and functions" },
	{ OPT_CALL_FLAG, .name = "flat", .call = set_form, .help = "a line for each event and function, without callers" },
	{ OPT_CALL_FLAG, .name = "folded", .call = set_form,
	  .help = "a line \"TASK;CALLER;...;EVENT COUNT\" for each chain, for flame graphs" },
	{ OPT_FLAG, .name = "no-pager", .offset = TO(no_pager), .help = "no pager, also on a terminal" },
	OPT_END,
};

static int run(int argc, char **argv)
{
	struct report report = { .hist = true };
	char **operands;
	int n = opt_parse(&cmd_hist, &report, argc, argv, &operands);
	int status = n < 0 ? opt_status(n) : 1;

	if (n >= 0 && report.chains.time && report.chains.sum) {
		report_fini(&report);
		return usage(&cmd_hist, "--time or --sum: one of them");
	}
	if (n >= 0 && !report_operands(&report, n, operands) && !report_open(&report))
		status = report_paged(&report);
	report_fini(&report);
	return status;
}

const struct cmd cmd_hist = {
	.name = "hist",
	.synopsis = "[OPTION...] [FILE...]",
	.summary = "count the chains of calls that led to events and functions",
	.details = "FILE is trace.dat unless given. The most frequent come first, each with its callers as a tree.\n"
		   "  ringside hist -P -n 10                          the ten most frequent of all tasks\n"
		   "  ringside hist --folded | flamegraph.pl > f.svg  a flame graph\n"
		   "  ringside hist --event malloc --sum size         by bytes",
	.opts = opts,
	.operands = "files",
	.run = run,
};
