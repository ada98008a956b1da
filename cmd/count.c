/* SPDX-License-Identifier: GPL-2.0 */
/* ringside count: how often events happen, by any keys, in a recording or live. */
#include "cmd/ask.h"
#include "cmd/commands.h"
#include "cmd/count-kernel.h"
#include "cmd/count-repeat.h"
#include "cmd/table-options.h"
#include "lib/base/err.h"
#include "lib/base/parse.h"
#include "lib/base/str.h"
#include "lib/output/counts-text.h"

struct count_opts {
	struct ask_opts ask; /* first */
	struct counts_view view;
	struct table_opts table;
	strv_t events;
	bool functions; /* --func was given */
	strv_t globs;	/* the functions that are traced live */
	const char *filter;
	char *condition; /* the filter in the form that the reading takes */
	int place;	 /* enum place */
	char *why_not;	 /* why the kernel cannot count */
	uint64_t runs;	 /* -r; 0: there is one run */
	struct count_kernel kernel;
	struct ask_kernel hooks;
};

enum place { WHERE_IT_CAN, IN_KERNEL, BY_BPF, IN_STREAM };

static int add_keys(void *ctx, __unused const struct opt *opt, const char *value)
{
	struct count_opts *o = ctx;

	return count_keys_parse(&o->view.spec, value);
}

static int add_events(void *ctx, __unused const struct opt *opt, const char *value)
{
	struct count_opts *o = ctx;

	return strv_split(&o->events, value, ",");
}

static int set_size(void *ctx, __unused const struct opt *opt, const char *value)
{
	struct count_opts *o = ctx;

	if (parse_u64(value, &o->kernel.size) || o->kernel.size < HIST_LEAST_SIZE || o->kernel.size > HIST_MOST_SIZE)
		return fail(EINVAL, "--map-size %s: a number from %d to %d", value, HIST_LEAST_SIZE, HIST_MOST_SIZE);
	return 0;
}

static int set_runs(void *ctx, __unused const struct opt *opt, const char *value)
{
	struct count_opts *o = ctx;

	if (parse_u64(value, &o->runs) || !o->runs || o->runs > COUNT_MOST_RUNS)
		return fail(EINVAL, "-r %s: a number of runs from 1 to %d", value, COUNT_MOST_RUNS);
	return 0;
}

static const char *const places[] = { "auto", "kernel", "bpf", "stream", NULL };

#define TO(field) offsetof(struct count_opts, field)

static const struct opt opts[] = {
	{ OPT_HEADING, .help = "What to count" },
	{ OPT_CALL, 'e', .name = "event", .arg = "EVENT", .complete = "events", .call = add_events,
	  .help = "count this event; EVENT is the name of an event or of a system, SYSTEM:NAME, a glob, or 'all'; repeatable" },
	{ OPT_STR, 'f', .name = "condition", .arg = "FILTER", .complete = "filter", .offset = TO(filter),
	  .help = "count only events for which this filter is true, as in 'bytes_req > 4096'" },
	{ OPT_CALL, .name = "by", .arg = "KEY,...", .complete = "=event comm pid cpu stack", .call = add_keys,
	  .help = "count separately for each value of these keys: event, comm, pid, cpu, stack, or fields; a field's name may be followed by .hex, .sym, .sym-offset, .syscall, .execname, .log2, .buckets=WIDTH" },
	{ OPT_STR, .name = "sum", .arg = "FIELD", .offset = TO(view.spec.sum), .help = "add up the values of this field as well" },
	{ OPT_TIME, .positive = true, .name = "every", .arg = "TIME", .offset = TO(view.every_ns),
	  .help = "print a table for each period of this length, as in 1s or 100ms" },
	{ OPT_ROWS, .rows = ask_whom },
	{ OPT_HEADING, .help = "How" },
	{ OPT_CALL, 'r', .name = "repeat", .arg = "N", .call = set_runs, .help = "count this many times, and print the mean and how much the runs differ" },
	{ OPT_CHOICE, .name = "in", .arg = "PLACE", .choices = places, .offset = TO(place),
	  .help = "choose where to count: 'kernel' counts in the kernel, by BPF programs or histograms; 'bpf' counts in the kernel, by BPF programs only; 'stream' counts in ringside, which gets each event from the kernel; 'auto' (the default) is 'kernel' where this is possible, and 'stream' elsewhere" },
	{ OPT_CALL, .name = "map-size", .arg = "N", .call = set_size,
	  .help = "give the kernel's histogram of each event room for this many different values of its keys" },
	{ OPT_ROWS, .rows = ask_cost },
	{ OPT_ROWS, .rows = ask_where },
	{ OPT_ROWS, .rows = reading_files },
	{ OPT_ROWS, .rows = reading_which },
	{ OPT_ROWS, .rows = reading_more },
	{ OPT_ROWS, .rows = table_options, .offset = TO(table) },
	{ OPT_ROWS, .rows = reading_pager },
	OPT_END,
};

/* Finds the command after "--". Returns the number of words before it, which are ringside's. */
static int find_command(struct count_opts *o, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--") == 0 && argv[i + 1]) {
			o->ask.record.spec.argv = argv + i + 1;
			return i;
		}
	}
	return argc;
}

/* Operands are files and events. No event has a slash in its name. With -e, the first operand that is not a file begins the command. */
static int take_operands(struct count_opts *o, char **operands)
{
	const bool named = o->events.n;
	int err = 0;

	for (; !err && *operands; operands++) {
		if (ask_is_file(*operands) || (!named && strchr(*operands, '/'))) {
			err = reading_input(&o->ask.read.reading, *operands);
		} else if (named && !o->ask.record.spec.argv) {
			o->ask.record.spec.argv = operands;
			return 0;
		} else {
			err = strv_split(&o->events, *operands, ",");
		}
	}
	return err ? fail(ENOMEM, "out of memory") : 0;
}

static int parse(struct count_opts *o, int argc, char **argv)
{
	char **operands;
	int err = ask_begin(&o->ask), n;

	if (err)
		return err;
	argc = find_command(o, argc, argv);
	n = opt_parse(&cmd_count, o, argc, argv, &operands);
	if (n < 0)
		return n;
	/* opt_parse() puts a NULL after the last operand, in the place of "--". */
	err = take_operands(o, operands);
	err = err ? err : ask_check(&cmd_count, &o->ask);
	o->functions = o->ask.read.reading.within.funcs.n;
	if (!err && o->ask.live && !o->events.n && !o->functions)
		return usage(&cmd_count, "which events? Name them, as in `ringside count sched:* -- make`"), -EINVAL;
	return err;
}

/* Settles --func: counts calls from the function tracer, by function if no keys are given. */
static int settle_functions(struct count_opts *o)
{
	int err = 0;

	if (o->events.n)
		return usage(&cmd_count, "--func and events do not go together"), -EINVAL;
	err = strv_add(&o->events, "ftrace:function");
	if (!err && !o->view.spec.keys.n)
		err = count_keys_parse(&o->view.spec, "ip.sym");
	vec_each (&o->ask.read.reading.within.funcs, name)
		if (!err && o->ask.live)
			err = strv_split(&o->globs, *name, ",");
	return err;
}

/*
 * The kernel counts calls by an event that is made later. Until then another event, which is not recorded either, stands for it, so that the kernel is told
 * whose events are meant.
 */
static int add_stand_in(struct count_opts *o)
{
	int err = ask_event(&o->ask, count_kernel_forks);

	vec_each (&o->ask.record.spec.buffers.at[0].events, event)
		event->counted = true;
	return err;
}

/* If the calls are counted from the stream, the function tracer has to record them. */
static int trace_functions(struct count_opts *o)
{
	struct buffer_spec *buffer = &o->ask.record.spec.buffers.at[0];
	int err = 0;

	if (!o->globs.n)
		return 0;
	if (o->ask.kernel)
		return add_stand_in(o);
	buffer->tracer = "function";
	vec_each (&o->globs, name)
		err = err ? err : strv_add(&buffer->functions, *name);
	return err;
}

static int prepare(void *ctx, struct session *session)
{
	return count_kernel_prepare(ctx, session);
}

static int ready(void *ctx, struct instance *inst)
{
	return count_kernel_ready(ctx, inst);
}

static void ended(void *ctx)
{
	count_kernel_ended(ctx);
}

static int on_round(void *ctx, struct reading *reading, __unused bool last)
{
	struct count_opts *o = container_of(ctx, struct count_opts, kernel);

	return count_kernel_round(&o->kernel, reading, &o->view.more);
}

static uint64_t events(void *ctx)
{
	return ((const struct count_kernel *)ctx)->counted;
}

/* The end of a period is checked this many times per period, or more often. */
enum { LOOKS = 20, LOOK_MOST_MS = 50 };

/* With --every, the histograms are read while they count. */
static void count_in_periods(struct count_opts *o)
{
	const uint64_t look = MIN(o->view.every_ns / LOOKS, (uint64_t)LOOK_MOST_MS * NSEC_PER_MSEC);

	o->kernel.every_ns = o->view.every_ns;
	o->ask.record.spec.interval_ns = MAX(look, (uint64_t)NSEC_PER_MSEC);
}

/* Lets the kernel count: its histograms are read at the end, and nothing is recorded. */
static void count_in_kernel(struct count_opts *o)
{
	vec_each (&o->ask.record.spec.buffers.at[0].events, event)
		event->counted = true;
	o->hooks = (struct ask_kernel){ .prepare = prepare,
					.ready = ready,
					.ended = ended,
					.round = on_round,
					.events = events,
					.cost = o->kernel.tally ? COST_TALLIED : COST_COUNTED,
					.nkeys = o->kernel.events.n ? o->kernel.events.at[0].nkeys : 1,
					.ctx = &o->kernel };
	if (o->view.every_ns)
		count_in_periods(o);
	o->ask.kernel = &o->hooks;
	o->view.place = "kernel";
	o->view.fill = count_kernel_fill;
	o->view.ctx = &o->kernel;
}

/* If events of the stream are counted by their stacks, the kernel is told to record a stack after each. */
static int want_stacks(struct count_opts *o)
{
	if (!o->ask.live || !count_by_stack(&o->view.spec) || o->ask.kernel)
		return 0;
	return strv_add(&o->ask.record.spec.buffers.at[0].options, o->functions ? "func_stack_trace" : "stacktrace");
}

/* Can the kernel count? Returns what count_kernel_plan() returns. */
static int plan(struct count_opts *o)
{
	if (!o->functions)
		return count_kernel_plan(&o->kernel, &o->events, o->place == BY_BPF ? COUNT_BPF : COUNT_CHEAPEST, &o->why_not);
	if (o->place == BY_BPF)
		return usage(&cmd_count, "--in bpf: BPF programs count events, and --func counts calls of functions"), -EINVAL;
	return count_kernel_plan_functions(&o->kernel, &o->globs, &o->why_not);
}

/* Settles where the events are counted: in the kernel if it can. */
static int settle_place(struct count_opts *o)
{
	int err;

	if (!o->ask.live) {
		o->view.place = "file";
		return o->place == IN_KERNEL || o->place == BY_BPF
			       ? (usage(&cmd_count, "--in %s: a recording is counted as it is read", places[o->place]), -EINVAL)
			       : 0;
	}
	o->kernel.spec = &o->view.spec;
	o->kernel.ask = &o->ask;
	o->kernel.filter = o->filter;
	o->view.place = "stream";
	if (o->place == IN_STREAM)
		return 0;
	err = plan(o);
	o->view.why = o->why_not;
	if (!err)
		count_in_kernel(o);
	if (err > 0 && o->place != WHERE_IT_CAN)
		return fail(EOPNOTSUPP, "--in %s: %s; --in stream counts the events as they come", places[o->place], o->why_not);
	return MIN(err, 0);
}

/* Sets up the events and the condition, which are the same for a recording, the stream and the kernel. */
static int settle(struct count_opts *o)
{
	struct select_options *select = &o->ask.read.reading.select;
	int err = 0;

	if (o->functions)
		err = settle_functions(o);
	vec_each (&o->events, event) {
		if (!err && o->ask.live && !o->functions)
			err = ask_event(&o->ask, *event);
		if (!err && strcmp(*event, "all") != 0)
			err = strv_add(&select->events, *event);
	}
	err = err ? err : settle_place(o);
	err = err ? err : trace_functions(o);
	err = err ? err : want_stacks(o);
	if (o->filter && !err) {
		o->condition = str_printf(".* : %s", o->filter);
		err = o->condition ? strv_add(&select->keep, o->condition) : -ENOMEM;
	}
	o->view.absent = o->events.n && !o->filter;
	o->ask.record.spec.children = !o->ask.everybody && o->ask.live;
	return err == -ENOMEM ? fail(ENOMEM, "out of memory") : err;
}

static int count_once(void *ctx)
{
	struct count_opts *o = ctx;

	return ask_main(&cmd_count, &o->ask, &counts_analysis, &o->view);
}

/* -r: each run is counted by a process of its own, and the table shows all runs. */
static int count_often(struct count_opts *o)
{
	struct count_repeat repeat = { o->runs, &o->view, count_once, o };
	const char *path = take(o->ask.path);
	bool complete;
	int status;

	/* The process of each run loads its own BPF programs. */
	if (o->kernel.tally)
		tally_detach(o->kernel.tally);
	status = count_repeat(&repeat, o->ask.out, &complete);
	o->ask.path = path;
	return ask_publish(&o->ask, complete) ? 1 : status;
}

/* Refuses options that do not go with several runs. */
static int settle_runs(struct count_opts *o)
{
	if (!o->runs)
		return 0;
	if (!o->ask.live)
		return usage(&cmd_count, "-r: a recording is counted once"), -EINVAL;
	if (!o->ask.record.spec.argv && !o->ask.record.spec.duration_ns)
		return usage(&cmd_count, "-r: a command ends each run, or --duration"), -EINVAL;
	if (o->view.every_ns || o->view.spec.sum)
		return usage(&cmd_count, "-r and %s do not go together", o->view.every_ns ? "--every" : "--sum"), -EINVAL;
	return 0;
}

/* Puts the columns in the order of perf stat: first the count, then the event. */
static void settle_layout(struct count_opts *o)
{
	struct table_show *show = &o->view.table;

	o->view.elapsed_ns = &o->ask.elapsed_ns;
	if (o->ask.live && !o->runs && !o->view.spec.keys.n && !o->view.spec.sum && !o->view.every_ns && !show->columns && show->form == TABLE_FOR_PEOPLE)
		show->columns = "count,event,rate";
}

static int run(int argc, char **argv)
{
	struct count_opts o = { .ask = ASK_NONE, .kernel.lock = PTHREAD_MUTEX_INITIALIZER };
	int err, status;

	watch_expect();
	o.ask.cure = ask_in_bpf;
	err = parse(&o, argc, argv);
	err = err ? err : settle(&o);
	err = err ? err : settle_runs(&o);
	err = err ? err : ask_output(&o.ask);
	err = err ? err : table_settle(&cmd_count, &o.table, o.ask.out, &o.view.table);
	settle_layout(&o);
	status = err ? opt_status(err) : o.runs ? count_often(&o) : count_once(&o);
	strv_fini(&o.events);
	strv_fini(&o.globs);
	free(o.condition);
	free(o.why_not);
	count_kernel_fini(&o.kernel);
	ask_fini(&o.ask);
	count_spec_fini(&o.view.spec);
	return status;
}

const struct cmd cmd_count = {
	.name = "count",
	.synopsis = "[OPTION...] [EVENT...] [-- COMMAND [ARG...] | FILE...]",
	.summary = "count events by task, CPU, stack or the values of their fields, in a recording or while they happen",
	.details = "With a command, the events of the command and its children are counted. With -p PID,..., the events of these processes are counted.\n"
		   "With -a, all events of the machine are counted. If there is neither a command nor -p nor -a, the events in the\n"
		   "recording FILE are counted (default: trace.dat).\n"
		   "  ringside count -e 'sched:*' -- make       a count for each event, as perf stat -e prints it\n"
		   "  ringside count kmalloc --by call_site.sym --sum bytes_alloc FILE\n"
		   "  ringside count sys_enter --by comm,id.syscall -a --duration 5\n"
		   "  ringside count kmalloc --by bytes_req.log2 --sort bytes_req.log2 FILE",
	.opts = opts,
	.operands = "files",
	.run = run,
};
