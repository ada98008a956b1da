/* SPDX-License-Identifier: GPL-2.0 */
/* ringside sched: how tasks shared the CPUs: who ran, who waited, who preempted and who woke whom. */
#include "cmd/commands.h"
#include "cmd/live-table.h"
#include "cmd/reading.h"
#include "cmd/table-options.h"
#include "lib/base/err.h"
#include "lib/output/sched-text.h"

#include <unistd.h>

/* What to print. */
struct sched_how {
	bool timeline, preempts, wakes, by_given;
	struct sched_options_view view;
};

struct sched_opts {
	struct reading_opts read; /* first */
	struct sched_how how;
	struct table_opts table;
	bool live;
};

/* The options after --live. */
struct sched_live {
	struct live_table live; /* first */
	struct sched_how how;
};

static int set_by(void *ctx, __unused const struct opt *opt, const char *value)
{
	static const char *const names[] = { [SCHED_PER_TASK] = "task", [SCHED_PER_COMM] = "comm", [SCHED_PER_CPU] = "cpu" };
	struct sched_how *o = ctx;

	for (unsigned int i = 0; i < ARRAY_LEN(names); i++) {
		if (strcmp(value, names[i]) == 0) {
			o->view.by = i;
			o->by_given = true;
			return 0;
		}
	}
	return fail(EINVAL, "--by %s: task, comm or cpu", value);
}

/* The rows whose values are in struct sched_how. */
static const struct opt how_rows[] = {
	{ OPT_HEADING, .help = "What to print" },
	{ OPT_CALL, .name = "by", .arg = "KEY", .complete = "=task comm cpu", .call = set_by,
	  .help = "print a row for each task (task, the default), each task name (comm) or each CPU (cpu)" },
	{ OPT_FLAG(struct sched_how, timeline), .name = "timeline", .one_of = "tell", .help = "print a line each time a task leaves a CPU" },
	{ OPT_FLAG(struct sched_how, preempts), .name = "preempts", .one_of = "tell", .help = "show who preempts whom, how often and for how long" },
	{ OPT_FLAG(struct sched_how, wakes), .name = "wakes", .one_of = "tell",
	  .help = "show who wakes whom, how often, and how long the woken task then waits for a CPU" },
	OPT_END,
};

static const struct opt opts[] = {
	{ OPT_ROWS, .rows = reading_files },
	{ OPT_ROWS, .rows = reading_tasks },
	{ OPT_ROWS, .rows = how_rows, .offset = offsetof(struct sched_opts, how) },
	{ OPT_FLAG(struct sched_opts, live), .name = "live", .help = "show what happens now; `ringside sched --live --help` lists the options of --live" },
	{ OPT_ROWS, .rows = table_options, .offset = offsetof(struct sched_opts, table) },
	{ OPT_ROWS, .rows = reading_pager },
	OPT_END,
};

static const struct opt live_rows[] = {
	LIVE_TABLE_ROWS,
	{ OPT_ROWS, .rows = how_rows, .offset = offsetof(struct sched_live, how) },
	OPT_END,
};

/* Checks the options. The lines of --timeline are printed as they come, so their form and order cannot be chosen. */
static int check(const struct cmd *cmd, struct sched_how *o, const struct table_opts *table)
{
	o->view.tell = o->timeline ? SCHED_TELL_TIMELINE : o->preempts ? SCHED_TELL_PREEMPTS : o->wakes ? SCHED_TELL_WAKES : SCHED_TELL_SUMS;
	if (o->by_given && o->view.tell != SCHED_TELL_SUMS)
		return usage(cmd, "--by is for the table of tasks, not for --timeline, --preempts and --wakes"), -EINVAL;
	if (o->timeline && table->sort)
		return usage(cmd, "--sort: the lines of --timeline come in the order of time"), -EINVAL;
	if (o->timeline && table->columns && !table->json && !table->csv)
		return usage(cmd, "--columns: the lines of --timeline have theirs; with --json or --csv they can be chosen"), -EINVAL;
	return 0;
}

/* Adds the events of `record -e sched` that sched needs. */
static int add_events(struct record_opts *o)
{
	static const char *const events[] = { "sched:sched_switch",	  "sched:sched_waking",	      "sched:sched_wakeup",	 "sched:sched_wakeup_new",
					      "sched:sched_migrate_task", "sched:sched_process_exit", "sched:sched_process_fork" };

	vec_each (&o->spec.buffers, buffer)
		if (buffer->events.n)
			return 0;
	for (size_t i = 0; i < ARRAY_LEN(events); i++)
		if (vec_push(&o->spec.buffers.at[o->spec.buffers.n - 1].events, (struct event_spec){ .pattern = events[i] }))
			return fail(ENOMEM, "out of memory");
	return 0;
}

static int run_live(int argc, char **argv)
{
	struct sched_live o = { 0 };
	int err = live_table_parse(cmd_sched.live, &o.live, &o.how.view.table, argc, argv);

	if (!err && o.how.timeline)
		err = (usage(cmd_sched.live, "--timeline is of a recording; `ringside stream -e sched_switch` shows each switch as it happens"), -EINVAL);
	err = err ? err : check(cmd_sched.live, &o.how, &o.live.table);
	err = err ? err : add_events(&o.live.record);
	return live_table_main(&o.live, err, &sched_analysis, &o.how.view);
}

static const struct cmd cmd_live = {
	.name = "sched --live",
	.synopsis = "[OPTION...] [COMMAND [ARG...]]",
	.summary = "show the table of `ringside sched` for what happens now, while a command runs, or until q or Ctrl-C",
	.details = "If no events are named, the scheduler's events are traced. On a terminal, the table is drawn again each second.\n"
		   "  ringside sched --live --sort max          which tasks had the longest waits so far\n"
		   "  ringside sched --live --wakes make        who wakes whom while make runs",
	.opts = live_rows,
	.stop_at_operand = true,
	.operands = "command",
	.run = run_live,
};

static int run(int argc, char **argv)
{
	struct sched_opts o = { 0 };
	int err;

	if (live_asked(argc, argv)) {
		watch_expect();
		return run_live(argc, argv);
	}
	err = reading_parse(&cmd_sched, &o, argc, argv);
	err = err ? err : check(&cmd_sched, &o.how, &o.table);
	err = err ? err : table_settle(&cmd_sched, &o.table, STDOUT_FILENO, &o.how.view.table);
	return reading_main(&cmd_sched, &o.read, err, &sched_analysis, &o.how.view);
}

const struct cmd cmd_sched = {
	.name = "sched",
	.synopsis = "[OPTION...] [FILE...]",
	.summary = "show how tasks shared the CPUs: how long each ran and waited, and who preempted or woke whom",
	.details = "Without FILE, a trace file on standard input is read; if there is none, trace.dat is read.\n"
		   "`ringside record -e sched` records the events that this command needs.\n"
		   "  ringside sched -n 20                      which tasks ran most, and how long each waited for a CPU\n"
		   "  ringside sched --sort max                 which tasks had the longest waits, and when\n"
		   "  ringside sched --timeline --cpu 3         which tasks ran on CPU 3, and for how long\n"
		   "  ringside sched --wakes --comm nginx       who wakes nginx, and whom nginx wakes\n"
		   "  ringside sched --live                     who runs and who waits now",
	.opts = opts,
	.live = &cmd_live,
	.operands = "files",
	.run = run,
};
