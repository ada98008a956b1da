/* SPDX-License-Identifier: GPL-2.0 */
/* ringside latency: the distribution of the time between two events, measured by the kernel, in the stream of events, or in a recording. */
#include "cmd/ask.h"
#include "cmd/commands.h"
#include "cmd/latency-kernel.h"
#include "cmd/table-options.h"
#include "lib/base/err.h"
#include "lib/base/parse.h"
#include "lib/output/dist-text.h"
#include "lib/tracefs/doctor.h"
#include "lib/tracefs/select.h"
#include "lib/tracefs/process.h"

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

enum place { WHERE_IT_CAN, IN_KERNEL, BY_BPF, IN_STREAM };

struct latency_opts {
	struct ask_opts ask; /* first */
	struct dist_view view;
	struct table_opts table;
	const char *kind, *from, *to, *on, *by;
	uint64_t outliers;
	int place;
	char *why_not, *what, *cure;
	bool elsewhere;	      /* one of the events lacks the field by which -p chooses */
	const char *function; /* the NAME of function:NAME */
	char *probes[2];      /* the probes at its entry and at its return */
	struct pair pair;
	struct latency_kernel kernel;
	struct ask_kernel hooks;
};

static int set_size(void *ctx, __unused const struct opt *opt, const char *value)
{
	struct latency_opts *o = ctx;

	if (parse_u64(value, &o->kernel.size) || o->kernel.size < HIST_LEAST_SIZE || o->kernel.size > HIST_MOST_SIZE)
		return fail(EINVAL, "--map-size %s: a number from %d to %d", value, HIST_LEAST_SIZE, HIST_MOST_SIZE);
	return 0;
}

static const char *const places[] = { "auto", "kernel", "bpf", "stream", NULL };

#define TO(field) offsetof(struct latency_opts, field)

static const struct opt opts[] = {
	{ OPT_HEADING, .help = "Between which events" },
	{ OPT_STR, .name = "from", .arg = "EVENT[/FILTER/]", .complete = "events", .offset = TO(from), .help = "name the event at which the time begins" },
	{ OPT_STR, .name = "to", .arg = "EVENT[/FILTER/]", .complete = "events", .offset = TO(to), .help = "name the event at which the time ends" },
	{ OPT_STR, .name = "on", .arg = "KEY[=KEY2],...", .offset = TO(on),
	  .help = "pair events in which these fields are equal; if a field has another name in the second event, KEY2 is that name" },
	{ OPT_STR, .name = "by", .arg = "KEY", .complete = "=comm pid cpu", .offset = TO(by),
	  .help = "measure separately for each value of comm, pid, cpu, or a field of the second event" },
	{ OPT_TIME, .positive = true, .name = "over", .arg = "TIME", .offset = TO(view.opt.over_ns), .help = "count only times that are at least this long" },
	{ OPT_U64, 'n', .name = "outliers", .arg = "N", .offset = TO(outliers),
	  .help = "print when and where the N longest times ended (default: 5); if the kernel measures the times (see --in), the N longest times are not known" },
	{ OPT_FLAG, .name = "trace", .offset = TO(view.opt.trace),
	  .help = "print a line for each measured time, as soon as the event that ends it has happened; with --over, print a line only for times of at least that length; implies --in=stream" },
	{ OPT_FLAG, .name = "heat", .offset = TO(view.opt.heat), .help = "also show how the times change during the measurement; implies --in=stream" },
	{ OPT_ROWS, .rows = ask_whom },
	{ OPT_HEADING, .help = "How" },
	{ OPT_CHOICE, .name = "in", .arg = "PLACE", .choices = places, .offset = TO(place),
	  .help = "choose where to measure: 'kernel' measures in the kernel, by BPF programs or synthetic events; 'bpf' measures in the kernel, by BPF programs only; 'stream' measures in ringside, which gets each event from the kernel; 'auto' (the default) is 'kernel' where this is possible, and 'stream' elsewhere" },
	{ OPT_CALL, .name = "map-size", .arg = "N", .call = set_size,
	  .help = "give each of the kernel's histograms room for this many entries; the histogram of the begin events has one entry for each different key, and the histogram of the times has one entry for each different time" },
	{ OPT_ROWS, .rows = ask_cost },
	{ OPT_ROWS, .rows = ask_where },
	{ OPT_ROWS, .rows = reading_files },
	{ OPT_ROWS, .rows = table_form_options, .offset = TO(table) },
	{ OPT_ROWS, .rows = reading_pager },
	OPT_END,
};

/* --- what is asked for -------------------------------------------------------------------------------------------- */

static int no_such_kind(const char *kind)
{
	__cleanup(free_ptr) char *list = NULL;
	strv_t names = { 0 };

	for (const struct pair_preset *p = pair_presets; p->name; p++)
		strv_add(&names, p->name);
	strv_add(&names, "function:NAME");
	list = join_names(&names, "", "");
	strv_fini(&names);
	if (strcmp(kind, "page-fault") == 0)
		return fail(EINVAL, "latency page-fault: the kernel has an event for the beginning of a page fault, and none for its end; "
				    "`ringside record -p function_graph -l handle_mm_fault` and `ringside dist handle_mm_fault` tell how long they take");
	return fail(EINVAL, "latency of '%s'? There is %s; or --from EVENT --to EVENT --on KEY", kind, list ? list : "");
}

static const char of_function[] = "function:";

/* Chooses a function of the kernel. In a recording, calls of that name are measured. Live, one probe is made at its entry and one at its return. */
static int choose_function(struct latency_opts *o, const char *name)
{
	__cleanup(free_ptr) char *from = str_printf("ringside:latency_%d_entry", (int)getpid()), *to = str_printf("ringside:latency_%d_return", (int)getpid());
	struct tracedir top = TRACEDIR_NONE;
	const char *lacks;
	int err;

	o->function = name;
	if (!*name)
		return fail(EINVAL, "latency function:NAME: of which function of the kernel?");
	if (!o->ask.live)
		return 0;
	err = tracedir_open(&top, NULL);
	lacks = err ? NULL : doctor_lacks(&top, "kprobe, kretprobe");
	if (lacks)
		err = fail(EOPNOTSUPP,
			   "latency %s: this kernel has no probes of its functions (%s); `ringside record -p function_graph -l %s` and "
			   "`ringside latency %s trace.dat` tell it of a recording",
			   o->kind, lacks, name, o->kind);
	else if (!err)
		err = function_exists(&top, name);
	tracedir_fini(&top);
	o->probes[0] = str_printf("kprobe:%s name=ringside/latency_%d_entry", name, (int)getpid());
	o->probes[1] = str_printf("kretprobe:%s name=ringside/latency_%d_return", name, (int)getpid());
	o->kernel.probes = true;
	if (!err && (!from || !to || !o->probes[0] || !o->probes[1]))
		err = -ENOMEM;
	return err ? err : pair_parse(&o->pair, from, to, "common_pid");
}

static int settle_pair(struct latency_opts *o)
{
	const char *missing = !o->from ? "--from" : !o->to ? "--to" : !o->on ? "--on" : NULL;
	const bool any = o->from || o->to || o->on;
	int err;

	if (o->kind && any)
		return usage(&cmd_latency, "%s does not go with --from, --to and --on", o->kind), -EINVAL;
	if (any && missing)
		return usage(&cmd_latency, "%s is missing: --from and --to name two events, and --on the field that has the same value in both", missing),
		       -EINVAL;
	if (o->kind && strncmp(o->kind, of_function, strlen(of_function)) == 0)
		return choose_function(o, o->kind + strlen(of_function));
	err = o->kind ? pair_parse_kind(&o->pair, o->kind) : pair_parse(&o->pair, o->from, o->to, o->on);
	return err > 0 ? no_such_kind(o->kind) : err;
}

static void settle_by(struct latency_opts *o)
{
	if (!o->by)
		return;
	o->view.opt.by = DIST_FIELD;
	o->view.opt.field = o->by;
	if (strcmp(o->by, "comm") == 0)
		o->view.opt.by = DIST_COMM;
	else if (strcmp(o->by, "cpu") == 0)
		o->view.opt.by = DIST_CPU;
}

/* --- whose -------------------------------------------------------------------------------------------------------- */

/* Adds "FIELD == 1 || FIELD == 2" with all threads of the processes of -p. */
static int add_threads(const struct latency_opts *o, const char *field, struct str *out)
{
	vec_each (&o->ask.record.spec.pids, pid) {
		char path[32];
		DIR *dir;

		snprintf(path, sizeof(path), "/proc/%d/task", (int)*pid);
		dir = opendir(path);
		if (!dir)
			return fail(ESRCH, "-p %d: there is no process %d any more", (int)*pid, (int)*pid);
		for (struct dirent *entry; (entry = readdir(dir));)
			if (*entry->d_name != '.')
				str_addf(out, "%s%s == %s", out->len ? " || " : "", field, entry->d_name);
		closedir(dir);
	}
	return str_ok(out);
}

/* Adds to the side's filter that @field has one of these threads. */
static int limit_side(const struct latency_opts *o, struct pair_side *side, const char *field)
{
	struct str text = { 0 };
	int err = add_threads(o, field, &text);
	char *both = err ? NULL : side->filter ? str_printf("(%s) && (%s)", side->filter, text.at) : str_take(&text);

	str_fini(&text);
	if (err || !both)
		return err ? err : -ENOMEM;
	free(side->filter);
	side->filter = both;
	return 0;
}

/*
 * -p: limits the times to these tasks:
 * - If a field of the end event says whose time it is, both sides are limited by it.
 * - If both events happen in the same task, they are limited by that task.
 * - Otherwise the time belongs to the task in which it began.
 */
static int choose_tasks(struct latency_opts *o)
{
	const struct pair_preset *preset = o->pair.preset;
	struct pair_side *from = &o->pair.from, *to = &o->pair.to;
	int err;

	if (!o->ask.record.spec.pids.n)
		return 0;
	err = process_numbers_shared();
	if (err)
		return err;
	/* The stream also has the events of other threads that it follows. Threads and children that start later do not pass the filter. */
	o->ask.record.spec.children = o->ask.live;
	for (size_t i = 0; i < o->pair.nkeys; i++) {
		if (preset && preset->pid && strcmp(to->keys[i], preset->pid) == 0) {
			err = limit_side(o, from, from->keys[i]);
			return err ? err : limit_side(o, to, to->keys[i]);
		}
		if (pair_key_is_pid(from->keys[i]) && pair_key_is_pid(to->keys[i])) {
			err = limit_side(o, from, "common_pid");
			return err ? err : limit_side(o, to, "common_pid");
		}
	}
	o->elsewhere = true;
	return limit_side(o, from, "common_pid");
}

/* A stream of some tasks has the events in these tasks and their wakeups, but no end event in another task. Such a time is refused here. */
static int check_stream(const struct latency_opts *o)
{
	const struct pair_preset *preset = o->pair.preset;

	if (!o->ask.live || !o->ask.record.spec.pids.n || (!o->elsewhere && !(preset && strcmp(preset->name, "migrate") == 0)))
		return 0;
	return fail(EOPNOTSUPP,
		    "-p: a time that can begin in one task and end in another is measured by the kernel only%s%s; -a measures it in the stream, for all tasks",
		    o->why_not ? ", and " : "", o->why_not ? o->why_not : "");
}

/* --- where -------------------------------------------------------------------------------------------------------- */

static int prepare(void *ctx, struct session *session)
{
	return latency_kernel_prepare(ctx, session);
}

static int ready(void *ctx, struct instance *inst)
{
	return latency_kernel_ready(ctx, inst);
}

static void ended(void *ctx)
{
	latency_kernel_ended(ctx);
}

static uint64_t pairs(void *ctx)
{
	return ((const struct latency_kernel *)ctx)->pairs;
}

static void measure_in_kernel(struct latency_opts *o)
{
	struct buffer_spec *buffer = &o->ask.record.spec.buffers.at[0];

	vec_each (&buffer->events, event)
		event->counted = true;
	/* A histogram with times makes the kernel switch to this clock, so it is set before events come. */
	buffer->clock = "global";
	o->hooks = (struct ask_kernel){ .prepare = prepare,
					.ready = ready,
					.ended = ended,
					.events = pairs,
					.cost = o->kernel.laps ? COST_LAPPED : COST_PAIRED,
					.ctx = &o->kernel };
	o->ask.kernel = &o->hooks;
	o->view.place = "kernel";
	o->view.fill = latency_kernel_fill;
	o->view.ctx = &o->kernel;
}

static int not_of_a_file(const struct latency_opts *o)
{
	return usage(&cmd_latency, "--in %s: a recording is measured as it is read", places[o->place]), -EINVAL;
}

static bool in_kernel_only(const struct latency_opts *o)
{
	return o->place == IN_KERNEL || o->place == BY_BPF;
}

static int settle_place(struct latency_opts *o)
{
	int err;

	o->view.place = o->ask.live ? "stream" : "file";
	o->view.elapsed_ns = &o->ask.elapsed_ns;
	if (!o->ask.live && in_kernel_only(o))
		return not_of_a_file(o);
	if ((o->view.opt.heat || o->view.opt.trace) && in_kernel_only(o))
		return usage(&cmd_latency, "%s: the kernel's distributions do not tell when; --in stream does", o->view.opt.heat ? "--heat" : "--trace"),
		       -EINVAL;
	if (!o->ask.live || o->place == IN_STREAM)
		return check_stream(o);
	if (o->view.opt.heat || o->view.opt.trace) {
		o->view.why = o->view.opt.heat ? "--heat tells when" : "--trace tells when";
		return check_stream(o);
	}
	o->kernel.pair = &o->pair;
	o->kernel.opt = &o->view.opt;
	err = latency_kernel_plan(&o->kernel, o->place == BY_BPF ? LATENCY_BPF : LATENCY_CHEAPEST, &o->why_not);
	o->view.why = o->why_not;
	if (!err)
		measure_in_kernel(o);
	if (err > 0 && in_kernel_only(o))
		return fail(EOPNOTSUPP, "--in %s: %s; --in stream measures the events as they come", places[o->place], o->why_not);
	return err > 0 ? check_stream(o) : err;
}

static int ask_events(struct latency_opts *o)
{
	int err;

	if (o->function) {
		err = ask_probe(&o->ask, o->probes[0]);
		return err ? err : ask_probe(&o->ask, o->probes[1]);
	}
	err = ask_event(&o->ask, o->pair.from.event);
	return err || strcmp(o->pair.from.event, o->pair.to.event) == 0 ? err : ask_event(&o->ask, o->pair.to.event);
}

/* Chooses the two events in the stream or the file. Other events tell where tasks run and when they end. */
static int settle_events(struct latency_opts *o)
{
	struct select_options *select = &o->ask.read.reading.select;
	int err = strv_add(&select->events, o->pair.from.event);

	select->all_events = true;
	if (o->pair.preset)
		select->events_cure = o->cure = str_printf("; `ringside record -e %s -e %s` records what %s needs", o->pair.from.event, o->pair.to.event,
							   o->kind);
	return err ? err : strv_add(&select->events, o->pair.to.event);
}

enum { MOST_OUTLIERS = 100000 };

static int settle(struct latency_opts *o)
{
	int err = settle_pair(o);

	if (!err && o->view.opt.trace && o->function && !o->ask.live)
		return usage(&cmd_latency, "--trace: calls of a recording are told by `ringside report` and `ringside slow`"), -EINVAL;
	if (err)
		return err == -ENOMEM ? fail(ENOMEM, "out of memory") : err;
	settle_by(o);
	if (o->outliers > MOST_OUTLIERS)
		return usage(&cmd_latency, "--outliers %llu: at most %d", (unsigned long long)o->outliers, MOST_OUTLIERS), -EINVAL;
	o->view.opt.outliers = (size_t)o->outliers;
	o->view.opt.what = o->kind ? o->kind : o->pair.to.event;
	o->view.pair = &o->pair;
	if (o->function && !o->ask.live) {
		o->view.opt.what = o->function;
		o->view.place = "file";
		return in_kernel_only(o) ? not_of_a_file(o) : 0;
	}
	err = choose_tasks(o);
	if (o->ask.live)
		err = err ? err : ask_events(o);
	err = err ? err : settle_events(o);
	return err ? (err == -ENOMEM ? fail(ENOMEM, "out of memory") : err) : settle_place(o);
}

/* --- the command -------------------------------------------------------------------------------------------------- */

/*
 * The first word is the kind, unless options name the events. Files may follow. The first word that is not a file, or the word after "--", begins the command.
 */
static int take_operands(struct latency_opts *o, char **operands)
{
	int err = 0;

	if (*operands && !o->from && !o->to && !o->on && !ask_is_file(*operands))
		o->kind = *operands++;
	for (; !err && *operands; operands++) {
		if (!ask_is_file(*operands) && !o->ask.record.spec.argv) {
			o->ask.record.spec.argv = operands;
			return 0;
		}
		err = reading_input(&o->ask.read.reading, *operands);
	}
	return err ? fail(ENOMEM, "out of memory") : 0;
}

/* Finds the command after "--". Returns the number of words before it, which are ringside's. */
static int find_command(struct latency_opts *o, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--") == 0 && argv[i + 1]) {
			o->ask.record.spec.argv = argv + i + 1;
			return i;
		}
	}
	return argc;
}

static int parse(struct latency_opts *o, int argc, char **argv)
{
	char **operands;
	int err = ask_begin(&o->ask), n;

	if (err)
		return err;
	argc = find_command(o, argc, argv);
	n = opt_parse(&cmd_latency, o, argc, argv, &operands);
	if (n < 0)
		return n;
	err = take_operands(o, operands);
	if (!err && !o->kind && !o->from && !o->to && !o->on)
		return usage(&cmd_latency, "between which events? Name a kind, as in `ringside latency wakeup -a`, or --from, --to and --on"), -EINVAL;
	/* The events differ in which task a time belongs to, so all tasks are measured while a command runs. */
	o->ask.everybody |= o->ask.record.spec.argv != NULL;
	return err ? err : ask_check(&cmd_latency, &o->ask);
}

static int run(int argc, char **argv)
{
	struct latency_opts o = { .ask = ASK_NONE, .outliers = 5 };
	int err, status;

	watch_expect();
	o.ask.cure = ask_in_bpf;
	err = parse(&o, argc, argv);
	err = err ? err : settle(&o);
	err = err ? err : ask_output(&o.ask);
	err = err ? err : table_settle(&cmd_latency, &o.table, o.ask.out, &o.view.table);
	if (!err && o.view.opt.trace && o.view.table.form != TABLE_FOR_PEOPLE)
		err = (usage(&cmd_latency, "--trace tells lines as they come; JSON has the N longest as \"outliers\", see -n"), -EINVAL);
	status = err ? opt_status(err) : ask_main(&cmd_latency, &o.ask, o.function && !o.ask.live ? &dist_calls_analysis : &dist_pairs_analysis, &o.view);
	free(o.why_not);
	free(o.cure);
	free(o.probes[0]);
	free(o.probes[1]);
	latency_kernel_fini(&o.kernel);
	pair_fini(&o.pair);
	ask_fini(&o.ask);
	return status;
}

const struct cmd cmd_latency = {
	.name = "latency",
	.synopsis = "[OPTION...] KIND|--from EVENT --to EVENT --on KEY [-- COMMAND [ARG...] | FILE...]",
	.summary = "measure the time from one event to another, in a recording or while they happen",
	.details = "With a command, all tasks are measured while the command runs. With -a, all tasks are measured until Ctrl-C. With -p PID,..., only\n"
		   "these processes are measured. If there is neither a command nor -a nor -p, the times in the\n"
		   "recording FILE are measured (default: trace.dat).\n"
		   "KIND names the two events: wakeup, migrate, syscall, syscall:NAME, function:NAME, irq, softirq, block, lock.\n"
		   "  ringside latency wakeup -a --duration 5       the time from waking to running, for all tasks\n"
		   "  ringside latency syscall:openat -- make       how long openat takes while make runs\n"
		   "  ringside latency --from irq:softirq_raise --to irq:softirq_entry --on cpu,vec --by vec -a --duration 1",
	.opts = opts,
	.operands = "files",
	.run = run,
};
