/* SPDX-License-Identifier: GPL-2.0 */
/* ringside dist: prints one distribution in full, of how long calls took, or of a number that events carry. */
#include "cmd/commands.h"
#include "cmd/reading.h"
#include "cmd/table-options.h"
#include "lib/base/err.h"
#include "lib/output/dist-text.h"

#include <unistd.h>

struct dist_opts {
	struct reading_opts read; /* first */
	struct dist_view view;
	uint64_t outliers;
	struct table_opts table;
	strv_t words;
};

#define TO(field) offsetof(struct dist_opts, field)

static int set_by(void *ctx, __unused const struct opt *opt, const char *value)
{
	static const char *const names[] = { [DIST_ALL] = "none", [DIST_COMM] = "comm", [DIST_TASK] = "task", [DIST_CPU] = "cpu" };
	struct dist_opts *o = ctx;

	o->view.opt.by = DIST_FIELD;
	/* A leading dot makes any name a field. */
	o->view.opt.field = value + (*value == '.');
	for (unsigned int i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(value, names[i]) == 0)
			o->view.opt.by = i;
	return 0;
}

static int set_log2(void *ctx, __unused const struct opt *opt, __unused const char *value)
{
	((struct dist_opts *)ctx)->view.opt.step = 0;
	return 0;
}

/* Reads a step, which is a number or a time. */
static int set_linear(void *ctx, __unused const struct opt *opt, const char *value)
{
	struct dist_opts *o = ctx;

	if (parse_u64(value, &o->view.opt.step) && parse_time_ns(value, &o->view.opt.step))
		o->view.opt.step = 0;
	if (!o->view.opt.step)
		return fail(EINVAL,
			    "--linear %s: the width of a bar is wanted, as in 10us or as a number of ns for durations, and as a whole number for others",
			    value);
	return 0;
}

static const struct opt opts[] = {
	{ OPT_ROWS, .rows = reading_files },
	{ OPT_ROWS, .rows = reading_which },
	{ OPT_ROWS, .rows = reading_more },
	{ OPT_ROWS, .rows = reading_pairs },
	{ OPT_HEADING, .help = "What to print" },
	{ OPT_CALL, .name = "by", .arg = "KEY", .complete = "=comm task cpu none", .call = set_by,
	  .help = "make a distribution for each task name (comm), each task (task), each CPU (cpu), or each value of the field KEY of the event" },
	{ OPT_CALL_FLAG, .name = "log2", .one_of = "bars", .call = set_log2, .help = "make a bar for each power of two (the default)" },
	{ OPT_CALL, .name = "linear", .arg = "STEP", .one_of = "bars", .call = set_linear,
	  .help = "make bars of this width: a time with a unit, as in 10us, or a whole number (for durations, in ns)" },
	{ OPT_U64, 'n', .name = "outliers", .arg = "N", .offset = TO(outliers),
	  .help = "print when and where the N largest values occurred (default: 5 values)" },
	{ OPT_ROWS, .rows = table_form_options, .offset = TO(table) },
	{ OPT_ROWS, .rows = reading_pager },
	OPT_END,
};

static int check(struct dist_opts *o)
{
	if (!o->words.n)
		return usage(&cmd_dist, "of what? Name a function, or EVENT.FIELD, as in `ringside dist vfs_read` or `ringside dist sched_switch.prev_prio`"),
		       -EINVAL;
	if (o->words.n > 1)
		return usage(&cmd_dist, "one distribution at a time: '%s' or '%s'; a shell pattern names several functions", o->words.at[0], o->words.at[1]),
		       -EINVAL;
	if (o->outliers > 100000)
		return usage(&cmd_dist, "--outliers %llu: at most 100000", (unsigned long long)o->outliers), -EINVAL;
	o->view.opt.what = o->words.at[0];
	o->view.opt.outliers = (size_t)o->outliers;
	return table_settle(&cmd_dist, &o->table, STDOUT_FILENO, &o->view.table);
}

static bool is_pair(const struct dist_opts *o)
{
	vec_each (&o->read.reading.pairs, pair)
		if (strcmp(pair->name, o->view.opt.what) == 0)
			return true;
	return false;
}

/* Shows the distribution. Returns the exit status. Whether it is of calls or of events is known only when the files are open. */
static int show(struct dist_opts *o)
{
	struct reading *reading = &o->read.reading;
	int is_event;

	if (reading_settle(&cmd_dist, &o->read, STDOUT_FILENO))
		return 2;
	if (reading_open(reading))
		return 1;
	is_event = is_pair(o) ? 0 : dist_is_event(&reading->inputs, o->view.opt.what);
	if (is_event < 0)
		return 1;
	if (reading_add(reading, is_event ? &dist_events_analysis : &dist_calls_analysis, &o->view))
		return 1;
	return reading_show_all(&o->read, NULL, NULL);
}

static int run(int argc, char **argv)
{
	struct dist_opts o = { .outliers = 5 };
	int err = reading_parse_words(&cmd_dist, &o, &o.words, argc, argv), status;

	err = err ? err : reading_pair_words(&o.read, &o.words, true);
	err = err ? err : check(&o);
	status = err ? opt_status(err) : show(&o);
	reading_close(&o.read.reading);
	strv_fini(&o.words);
	return status;
}

const struct cmd cmd_dist = {
	.name = "dist",
	.synopsis = "[OPTION...] FUNCTION|EVENT.FIELD [FILE...]",
	.summary = "show one distribution in full: the durations of calls, or the values of a field of events",
	.details = "Without FILE, a trace file on standard input is read; if there is none, trace.dat is read.\n"
		   "FUNCTION may be a glob. The calls of all functions that match the glob make one distribution.\n"
		   "  ringside dist vfs_read                        how long vfs_read() took, and when its longest calls began\n"
		   "  ringside dist vfs_read --linear 10us          bars of 10 us\n"
		   "  ringside dist sched_switch.prev_prio          how often each priority occurs\n"
		   "  ringside dist kmem:kmalloc.bytes_req --by comm   who asks for how much memory",
	.opts = opts,
	.operands = "files",
	.run = run,
};
