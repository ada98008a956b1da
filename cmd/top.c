/* SPDX-License-Identifier: GPL-2.0 */
/* ringside top: what happens most, on a screen that refreshes, or printed. */
#define _GNU_SOURCE
#include "cmd/ask.h"
#include "cmd/commands.h"
#include "cmd/table-options.h"
#include "cmd/top-record.h"
#include "cmd/top-screen.h"
#include "lib/base/err.h"
#include "lib/base/now.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* How often keys and the buffers are checked, whether or not events have come; and the size of each CPU's buffer. */
enum { LOOK_US = 50000, BUFFER_KB = 8192 };
#define RECORD_SECONDS "5"

/* The columns of --batch. */
enum { NAME, RATE, PERCENT, P50_NOW, P99_NOW, CALLS, TOTAL, P50, P99, COLUMNS };

static const struct table_column columns[COLUMNS + 1] = {
	[NAME] = { "name", TABLE_TEXT }, /* the head is in kind_names */
	[RATE] = { "rate", TABLE_REAL, .head = "RATE/s" },
	[PERCENT] = { "percent", TABLE_PERCENT, .head = "%", .heat = true },
	[P50_NOW] = { "p50_now", TABLE_NS, .head = "NOW P50" },
	[P99_NOW] = { "p99_now", TABLE_NS, .head = "NOW P99" },
	[CALLS] = { "calls", TABLE_COUNT },
	[TOTAL] = { "total", TABLE_NS },
	[P50] = { "p50", TABLE_NS },
	[P99] = { "p99", TABLE_NS },
};

struct top_opts {
	struct ask_opts ask; /* first */
	int kind;	     /* enum top_kind */
	strv_t events;
	strv_t functions;
	const char *latency; /* NULL: not given */
	struct pair pair;
	uint64_t delay_ns, batch;
	int sort;
	struct table_opts table;
	struct table_show show;

	/* What changes while it runs. */
	struct top top;
	struct top_screen *screen;
	struct table *out;
	struct table_column columns[COLUMNS + 1];
	struct table_spec spec;
	uint64_t begun_ns, turned_ns, printed;
	uint64_t used_ns; /* CPU time that ringside had used at the last refresh */
	uint64_t seen;	  /* events that had been seen at the last refresh */
	struct top_state state;
	pid_t recorder;		    /* the process that key r starts; 0: none is running */
	char file[TOP_RECORD_NAME]; /* the file that it writes */
	bool ended;
};

static const char *const sorts[] = { "time", "rate", "p50", "p99", "calls", "name", NULL };
static const char *const kind_names[] = { "function", "event", "syscall", "task", "whose" }; /* by enum top_kind */

#define TO(field) offsetof(struct top_opts, field)

static const struct opt opts[] = {
	{ OPT_HEADING, .help = "What to show" },
	{ OPT_CHOSEN, .name = "syscalls", .one_of = "kind", .choice = TOP_SYSCALLS, .offset = TO(kind), .help = "show system calls (the default)" },
	{ OPT_CHOSEN, .name = "tasks", .one_of = "kind", .choice = TOP_TASKS, .offset = TO(kind), .help = "show how much each task runs" },
	{ OPT_CHOSEN, .name = "events", .one_of = "kind", .choice = TOP_EVENTS, .offset = TO(kind),
	  .help = "show the events that -e names; without -e, show events of the scheduler, interrupts, block devices and signals" },
	{ OPT_CHOSEN, .name = "funcs", .one_of = "kind", .choice = TOP_FUNCS, .offset = TO(kind),
	  .help = "show functions of the kernel, traced by function_graph" },
	{ OPT_STR, .name = "latency", .arg = "KIND", .complete = "=wakeup migrate syscall irq softirq block lock", .offset = TO(latency),
	  .help = "show latencies by task, device or interrupt; KIND is wakeup, syscall:NAME, irq, block, ..., as for `ringside latency`" },
	{ OPT_STRV, 'e', .name = "event", .arg = "EVENT", .complete = "events", .offset = TO(events),
	  .help = "with --events: show these events; EVENT is written as for `record -e`; repeatable" },
	{ OPT_STRV, 'l', .name = "function", .arg = "FUNCTION", .complete = "functions", .offset = TO(functions),
	  .help = "with --funcs: show only this function (or glob); repeatable" },
	{ OPT_ROWS, .rows = ask_whom },
	{ OPT_HEADING, .help = "How" },
	{ OPT_TIME, 'd', .name = "delay", .arg = "TIME", .positive = true, .offset = TO(delay_ns), .help = "refresh at this interval (default: 1 s)" },
	{ OPT_U64, .name = "batch", .arg = "N", .positive = true, .offset = TO(batch),
	  .help = "show no screen and read no keys; print the table N times, and end" },
	{ OPT_CHOICE, .name = "by", .arg = "WHAT", .choices = sorts, .offset = TO(sort),
	  .help = "sort the rows by time, rate, p50, p99, calls or name, on the screen and with --batch" },
	{ OPT_ROWS, .rows = ask_cost },
	{ OPT_ROWS, .rows = ask_where },
	{ OPT_ROWS, .rows = table_options, .offset = TO(table) },
	OPT_END,
};

/* --- the table of --batch --------------------------------------------------------------------------------- */

static void set_time(struct table *table, unsigned int column, uint64_t ns)
{
	if (ns != QUANTILE_UNKNOWN)
		table_count(table, column, ns);
}

static void add_row(struct top_opts *o, const struct top_row *row, const struct top_sums *sums)
{
	struct table *t = o->out;

	table_row(t, TABLE_ROOT);
	table_text(t, NAME, row->name);
	if (o->top.span_ns)
		table_real(t, RATE, (double)row->last.n * (double)NSEC_PER_SEC / (double)o->top.span_ns);
	if (sums->n)
		table_real(t, PERCENT, 100 * (sums->ns ? (double)row->last.ns / (double)sums->ns : (double)row->last.n / (double)sums->n));
	set_time(t, P50_NOW, quantiles_at(&row->last.times, 500));
	set_time(t, P99_NOW, quantiles_at(&row->last.times, 990));
	table_count(t, CALLS, row->all.n);
	if (o->top.kind != TOP_EVENTS)
		table_count(t, TOTAL, row->all.ns);
	set_time(t, P50, quantiles_at(&row->all.times, 500));
	set_time(t, P99, quantiles_at(&row->all.times, 990));
}

static void add_note(struct top_opts *o)
{
	char events[64] = "";

	if (o->state.events >= 0)
		snprintf(events, sizeof(events), ", the events %.1f %%", 100 * o->state.events);
	table_note(o->out, "%s%s, refresh %llu after %.1f s; ringside takes %.1f %% of a CPU%s", o->latency ? o->latency : kind_names[o->top.kind],
		   o->latency ? "" : "s", (unsigned long long)o->printed + 1, o->state.seconds, 100 * o->state.cost, events);
}

static int print_refresh(struct top_opts *o)
{
	const struct top_sums sums = top_sums(&o->top);
	struct table_meta meta = { .file = LIVE_FILE, .lost = o->state.lost, .lost_more = o->state.lost_more, .span = o->top.span_ns };
	uint32_t *order;
	size_t n;
	int err = top_order(&o->top, (enum top_sort)o->sort, NULL, &order, &n);

	if (err)
		return err;
	table_clear(o->out);
	for (size_t i = 0; i < n; i++)
		add_row(o, &o->top.rows.at[order[i]], &sums);
	free(order);
	if (o->show.form == TABLE_FOR_PEOPLE)
		add_note(o);
	if (o->printed && o->show.form == TABLE_FOR_PEOPLE)
		err = dprintf(o->ask.out, "\n") < 0 ? -errno : 0;
	return err ? err : table_show(o->out, &meta, o->ask.out);
}

/* --- r ------------------------------------------------------------------------------------------------------ */

static void record_row(void *ctx, const struct top_row *row, struct str *note)
{
	struct top_opts *o = ctx;
	const struct top_record what = { .top = &o->top,
					 .spec = &o->ask.record.spec,
					 .meta = o->ask.read.reading.inputs.at[0].trace->meta,
					 .seconds = RECORD_SECONDS,
					 .file = o->file };
	posix_spawn_file_actions_t files;
	strv_t words = { 0 };
	int err;

	if (o->recorder)
		return str_addf(note, "%s is still being recorded", o->file);
	top_record_name(row, o->file);
	if (top_record_words(&what, row, &words) || vec_push(&words, NULL)) {
		strv_fini(&words);
		return str_add(note, "no memory for recording");
	}
	posix_spawn_file_actions_init(&files);
	for (int fd = 0; fd < 3; fd++)
		posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0);
	err = posix_spawn(&o->recorder, "/proc/self/exe", &files, NULL, words.at, environ);
	posix_spawn_file_actions_destroy(&files);
	words.n--;
	strv_fini(&words);
	if (err)
		o->recorder = 0;
	str_addf(note, err ? "cannot record: %s" : "recording into %s for " RECORD_SECONDS " s", err ? strerror(err) : o->file);
}

static void look_after_recorder(struct top_opts *o, bool wait)
{
	char text[400];
	int status;

	if (!o->recorder || waitpid(o->recorder, &status, wait ? 0 : WNOHANG) <= 0)
		return;
	o->recorder = 0;
	snprintf(text, sizeof(text), status ? "recording into %s has failed; `ringside record` would say why" : "%s is written: `ringside report %s`", o->file,
		 o->file);
	if (o->screen)
		top_screen_note(o->screen, text);
	else if (!o->ask.record.quiet)
		note("%s", text);
}

/* --- while it runs ------------------------------------------------------------------------------------------ */

static uint64_t used_ns(void)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	return (uint64_t)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) * NSEC_PER_SEC + (uint64_t)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1000;
}

/* Returns the share of time that the events since the last refresh took from the tasks in which they happened, or less than 0 if that is not known. */
static double events_cost(const struct top_opts *o, uint64_t span_ns)
{
	if (!o->ask.cost.measured || o->ask.cost.ns <= 0 || o->ask.record.spec.buffers.at[0].tracer)
		return -1;
	return (double)(o->ask.seen - o->seen) * o->ask.cost.ns / (double)span_ns;
}

static int refresh(struct top_opts *o, const struct reading *reading, uint64_t now)
{
	const struct calls_lost *lost = reading->calls ? calls_lost(reading->calls) : NULL;
	const uint64_t used = used_ns(), span = MAX(now - o->turned_ns, 1ULL);
	int err = top_turn(&o->top, now - o->turned_ns);

	o->ask.seen = reading->pass.seen;
	o->state = (struct top_state){ (double)(now - o->begun_ns) / (double)NSEC_PER_SEC, (double)(used - o->used_ns) / (double)span, events_cost(o, span),
				       lost ? lost->events : o->top.lost, lost ? lost->more : o->top.lost_more };
	o->turned_ns = now;
	o->used_ns = used;
	o->seen = o->ask.seen;
	return err;
}

static void end_now(struct top_opts *o)
{
	o->ended = true;
	kill(getpid(), SIGINT);
}

static int on_round(void *ctx, struct reading *reading, bool last)
{
	struct top_opts *o = ctx;
	const uint64_t now = now_ns();
	bool changed = false;
	int err = 0;

	if (last) {
		top_screen_close(o->screen);
		o->screen = NULL;
		/* Prints what was seen since the last refresh, after the command or the time has ended. */
		err = o->printed < o->batch ? refresh(o, reading, now) : 0;
		return err || o->printed >= o->batch ? err : print_refresh(o);
	}
	if (o->ended)
		return 0;
	look_after_recorder(o, false);
	if (o->screen && top_screen_keys(o->screen, &changed))
		end_now(o);
	if (now - o->turned_ns >= o->delay_ns) {
		err = refresh(o, reading, now);
		changed = true;
		if (!err && o->batch) {
			err = print_refresh(o);
			if (!err && ++o->printed >= o->batch)
				end_now(o);
		}
	}
	if (!err && o->screen && changed && !o->ended)
		err = top_screen_draw(o->screen, &o->state);
	return err == -ENOMEM ? fail(ENOMEM, "out of memory") : err;
}

static int add(void *ctx, struct reading *reading)
{
	struct top_opts *o = ctx;
	int err = reading_add(reading, &top_analysis, &o->top);

	o->begun_ns = o->turned_ns = now_ns();
	o->used_ns = used_ns();
	if (!err && !o->batch)
		err = top_screen_open(&o->screen, &o->top, o->latency ? o->latency : kind_names[o->top.kind], (enum top_sort)o->sort, record_row, o);
	return err;
}

/* --- what is traced ------------------------------------------------------------------------------------------ */

static int arm(struct top_opts *o)
{
	static const char *const usual[] = { "sched", "irq", "block", "signal" };
	struct record_spec *record = &o->ask.record.spec;
	struct buffer_spec *buffer = &record->buffers.at[0];
	int err = 0;

	buffer->size_kb = BUFFER_KB;
	record->interval_ns = LOOK_US * 1000ULL;
	if (o->kind == TOP_SYSCALLS)
		return ask_event(&o->ask, "raw_syscalls");
	if (o->kind == TOP_TASKS)
		return ask_event(&o->ask, "sched:sched_switch");
	if (o->kind == TOP_LATENCY) {
		err = ask_event(&o->ask, o->pair.from.event);
		return err || strcmp(o->pair.from.event, o->pair.to.event) == 0 ? err : ask_event(&o->ask, o->pair.to.event);
	}
	if (o->kind == TOP_FUNCS) {
		buffer->tracer = "function_graph";
		vec_each (&o->functions, name)
			err = err ? err : strv_split(&buffer->functions, *name, ",");
		return err ? fail(ENOMEM, "out of memory") : 0;
	}
	vec_each (&o->events, event)
		err = err ? err : ask_event(&o->ask, *event);
	for (size_t i = 0; !err && !o->events.n && i < ARRAY_LEN(usual); i++)
		err = ask_event(&o->ask, usual[i]);
	record->ignore_missing = !o->events.n;
	return err;
}

/*
 * Do the events of some tasks tell all times of these tasks? They do if a time ends in the task in which it began, or if the end event says whose time it is.
 */
static bool is_of_tasks(const struct pair *pair)
{
	const struct pair_preset *preset = pair->preset;

	if (preset && strcmp(preset->name, "migrate") == 0)
		return false;
	for (size_t i = 0; i < pair->nkeys; i++)
		if ((preset && preset->pid && strcmp(pair->to.keys[i], preset->pid) == 0) ||
		    (pair_key_is_pid(pair->from.keys[i]) && pair_key_is_pid(pair->to.keys[i])))
			return true;
	return false;
}

static int settle_latency(struct top_opts *o)
{
	int err;

	if (!o->latency)
		return 0;
	if (o->kind != TOP_SYSCALLS)
		return usage(&cmd_top, "--latency and --%ss do not go together", o->kind == TOP_FUNCS ? "func" : kind_names[o->kind]), -EINVAL;
	err = pair_parse_kind(&o->pair, o->latency);
	if (err > 0)
		return usage(&cmd_top, "--latency %s: there is wakeup, migrate, syscall, syscall:NAME, irq, softirq, block and lock", o->latency), -EINVAL;
	if (!err && o->ask.record.spec.pids.n && !is_of_tasks(&o->pair))
		return usage(&cmd_top, "-p: times of --latency %s may begin and end in different tasks; leave out -p to measure all", o->latency), -EINVAL;
	o->kind = TOP_LATENCY;
	o->top.pair = &o->pair;
	return err;
}

static int parse(struct top_opts *o, int argc, char **argv)
{
	char **operands;
	int err = ask_begin(&o->ask), n;

	if (err)
		return err;
	n = opt_parse(&cmd_top, o, argc, argv, &operands);
	if (n < 0)
		return n;
	if (settle_latency(o))
		return -EINVAL;
	if (o->events.n && o->kind != TOP_EVENTS)
		return usage(&cmd_top, "-e is for --events"), -EINVAL;
	if (o->functions.n && o->kind != TOP_FUNCS)
		return usage(&cmd_top, "-l is for --funcs"), -EINVAL;
	if (!o->batch && (table_asked(&o->table) || o->table.sort || o->table.top || o->table.color || o->ask.path))
		return usage(&cmd_top, "--json, --csv, --columns, --sort, --color, -n and -o are for --batch; --by sorts the screen"), -EINVAL;
	if (!o->batch && (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)))
		return usage(&cmd_top, "a screen needs a terminal; --batch N prints N refreshes"), -EINVAL;
	o->ask.record.spec.argv = n ? operands : NULL;
	o->ask.everybody |= !o->ask.record.spec.pids.n;
	return ask_check(&cmd_top, &o->ask);
}

/* Shows until the end. Returns the exit status. */
static int show(struct top_opts *o)
{
	struct live_opts live = { .record = &o->ask.record, .reading = &o->ask.read.reading, .window_ns = LIVE_WINDOW_NS, .hush = true, .ctx = o };
	int status;

	live.prepare = ask_cost_prepare, live.ready = ask_cost_ready, live.ended = ask_cost_ended;
	live.add = add, live.round = on_round, live.output = ask_plain_output(&o->ask);
	o->top.kind = (enum top_kind)o->kind;
	o->ask.read.reading.select.live = o->ask.read.reading.within.live = true;
	memcpy(o->columns, columns, sizeof(columns));
	o->columns[NAME].name = kind_names[o->kind];
	o->spec.columns = o->columns;
	if (reading_settle(&cmd_top, &o->ask.read, o->ask.out) || table_new(&o->out, &o->spec, &o->show))
		return 2;
	status = live_main(&live);
	/* A thread hangs and may still use the memory, so nothing is freed. */
	if (live.hangs)
		_exit(status);
	top_screen_close(o->screen);
	look_after_recorder(o, true);
	ask_cost_tell(&o->ask);
	return status;
}

static int run(int argc, char **argv)
{
	struct top_opts o = { .ask = ASK_NONE, .kind = TOP_SYSCALLS, .delay_ns = NSEC_PER_SEC, .top = TOP_NONE };
	int err, status;

	watch_expect();
	err = parse(&o, argc, argv);
	err = err ? err : arm(&o);
	err = err ? err : ask_output(&o.ask);
	if (!o.ask.path)
		o.ask.out = STDOUT_FILENO;
	err = err ? err : table_settle(&cmd_top, &o.table, o.ask.out, &o.show);
	status = err ? opt_status(err) : show(&o);
	if (ask_publish(&o.ask, o.ask.read.reading.complete))
		status = 1;
	top_fini(&o.top);
	table_free(o.out);
	strv_fini(&o.events);
	strv_fini(&o.functions);
	pair_fini(&o.pair);
	ask_fini(&o.ask);
	return status;
}

const struct cmd cmd_top = {
	.name = "top",
	.synopsis = "[OPTION...] [COMMAND [ARG...]]",
	.summary = "show which system calls, tasks, latencies, events or functions take the most time now, on a screen that refreshes",
	.details = "`ringside top` shows what all tasks do, even if there is a COMMAND. With -p PID,..., it shows only what these processes do. `ringside\n"
		   "top` ends at q, at Ctrl-C, or when COMMAND ends. -o and the options of the table work only with --batch.\n"
		   "  ringside top                              which system calls take the most time\n"
		   "  ringside top --tasks --by p99             which tasks run longest without a break\n"
		   "  ringside top --latency wakeup             which woken tasks wait longest until they run\n"
		   "  ringside top --events -e 'kmem:*'         which of these events happen most often\n"
		   "  ringside top --batch 3 -d 2 -n 10 --csv   three tables that a program can read",
	.opts = opts,
	.stop_at_operand = true,
	.operands = "command",
	.run = run,
};
