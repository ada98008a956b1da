/* SPDX-License-Identifier: GPL-2.0 */
/* ringside sched: how tasks shared the CPUs: who ran, who waited, who preempted and who woke whom. */
#include "cmd/commands.h"
#include "cmd/reading.h"
#include "cmd/table-options.h"
#include "lib/base/err.h"
#include "lib/output/sched-text.h"

#include <unistd.h>

struct sched_opts {
	struct reading_opts read;	/* first */
	bool timeline, preempts, wakes, by_given;
	struct sched_options_view view;
	struct table_opts table;
};

static int set_by(void *ctx, __unused const struct opt *opt, const char *value)
{
	static const char *const names[] = { [SCHED_PER_TASK] = "task", [SCHED_PER_COMM] = "comm", [SCHED_PER_CPU] = "cpu" };
	struct sched_opts *o = ctx;

	for (unsigned int i = 0; i < ARRAY_LEN(names); i++) {
		if (strcmp(value, names[i]) == 0) {
			o->view.by = i;
			o->by_given = true;
			return 0;
		}
	}
	return fail(EINVAL, "--by %s: task, comm or cpu", value);
}

static const struct opt opts[] = {
	{ OPT_ROWS, .rows = reading_files },
	{ OPT_ROWS, .rows = reading_tasks },
	{ OPT_HEADING, .help = "What to tell" },
	{ OPT_CALL, .name = "by", .arg = "KEY", .complete = "=task comm cpu", .call = set_by,
	  .help = "a row for each task (usual), name of tasks or CPU" },
	{ OPT_FLAG(struct sched_opts, timeline), .name = "timeline", .one_of = "tell", .help = "a line for each stay of a task on a CPU, when it ends" },
	{ OPT_FLAG(struct sched_opts, preempts), .name = "preempts", .one_of = "tell", .help = "who preempts whom, how often and for how long" },
	{ OPT_FLAG(struct sched_opts, wakes), .name = "wakes", .one_of = "tell", .help = "who wakes whom, how often, and how long it then takes to run" },
	{ OPT_ROWS, .rows = table_options, .offset = offsetof(struct sched_opts, table) },
	{ OPT_ROWS, .rows = reading_pager },
	OPT_END,
};

/* Lines that are printed as they come have the form and the order that they have. */
static int check(const struct sched_opts *o)
{
	if (o->by_given && o->view.tell != SCHED_TELL_SUMS)
		return usage(&cmd_sched, "--by is for the table of tasks, not for --timeline, --preempts and --wakes"), -EINVAL;
	if (o->timeline && o->table.sort)
		return usage(&cmd_sched, "--sort: the lines of --timeline come in the order of time"), -EINVAL;
	if (o->timeline && o->table.columns && !o->table.json && !o->table.csv)
		return usage(&cmd_sched, "--columns: the lines of --timeline have theirs; with --json or --csv they can be chosen"), -EINVAL;
	return 0;
}

static int run(int argc, char **argv)
{
	struct sched_opts o = { 0 };
	int err = reading_parse(&cmd_sched, &o, argc, argv);

	o.view.tell = o.timeline ? SCHED_TELL_TIMELINE : o.preempts ? SCHED_TELL_PREEMPTS : o.wakes ? SCHED_TELL_WAKES : SCHED_TELL_SUMS;
	err = err ? err : check(&o);
	err = err ? err : table_settle(&cmd_sched, &o.table, STDOUT_FILENO, &o.view.table);
	return reading_main(&cmd_sched, &o.read, err, &sched_analysis, &o.view);
}

const struct cmd cmd_sched = {
	.name = "sched",
	.synopsis = "[OPTION...] [FILE...]",
	.summary = "how tasks shared the CPUs: who ran, who waited, who preempted and who woke whom",
	.details = "FILE is trace.dat unless given; `record -e sched` records what is needed.\n"
		   "  ringside sched -n 20                      who ran most, and how long each waited for a CPU\n"
		   "  ringside sched --sort max                 whose longest wait was the worst, and when\n"
		   "  ringside sched --timeline --cpu 3         what CPU 3 did, stay by stay\n"
		   "  ringside sched --wakes --comm nginx       who wakes it, and whom it wakes",
	.opts = opts,
	.operands = "files",
	.run = run,
};
