/* SPDX-License-Identifier: GPL-2.0 */
/* ringside syscalls: the system calls of a recording, a command or a process, as strace shows them. */
#include "cmd/ask.h"
#include "cmd/commands.h"
#include "cmd/live-files.h"
#include "cmd/syscalls-bits.h"
#include "cmd/table-options.h"
#include "lib/analysis/syscalls.h"
#include "lib/base/err.h"
#include "lib/base/now.h"
#include "lib/base/str.h"
#include "lib/data/metadata.h"
#include "lib/event/syscall-quals.h"
#include "lib/event/syscall-set.h"
#include "lib/output/syscalls-text.h"
#include "lib/tracefs/doctor.h"
#include "lib/tracefs/ksyms.h"

#include <stdio.h>

/* A buffer of this size holds some 100,000 calls, which a program can make while ringside waits for a CPU. */
enum { BUFFER_KB = 8192 };

/* The functions in which the kernel copies the name of a file from the program. One calls the other, or the compiler has made it a part of the other. */
#define NAME_OF "path=+0(+0($retval)):string uptr=+8($retval):x64"
static const struct {
	const char *function, *probe;
} name_probes[] = {
	{ "getname", "kretprobe:getname " NAME_OF " name=ringside/" SYSCALLS_PROBE },
	{ "getname_flags", "kretprobe:getname_flags " NAME_OF " name=ringside/" SYSCALLS_PROBE "_flags" },
};

struct syscalls_opts {
	struct ask_opts ask; /* first */
	struct syscalls_view view;
	struct table_opts table;
	bool only_summary, with_summary; /* -c, -C */
	bool wall;			 /* -w changes nothing, as the table has elapsed times anyway */
	int follows;			 /* how often -f is given */
	int quiets;			 /* how often -q is given */
	const char *sort;		 /* -S */
	struct live_files files;	 /* for -y while the program runs */
	char *filter;			 /* of the system calls' events; NULL: all are recorded */
};

static int count_times(void *ctx, __unused const struct opt *opt, __unused const char *value)
{
	((struct syscalls_opts *)ctx)->view.times++;
	return 0;
}

/* strace's --absolute-timestamps=[FORMAT][,PRECISION]. The rows are the combinations that -t, -tt and -ttt stand for. */
static int set_times(void *ctx, __unused const struct opt *opt, const char *value)
{
	static const struct {
		const char *text;
		uint64_t times;
	} rows[] = {
		{ "none", 0 },	  { "time", 1 },    { "s", 1 },	      { "time,s", 1 },	{ "us", 2 },
		{ "time,us", 2 }, { "unix,us", 3 }, { "us,unix", 3 }, { "us,time", 2 }, { "s,time", 1 },
	};
	struct syscalls_opts *o = ctx;
	struct str plain = { 0 };
	bool known = !value;

	if (!value)
		o->view.times++;
	for (const char *at = value; at && *at; at++) {
		at += str_starts(at, "format:") ? strlen("format:") : str_starts(at, "precision:") ? strlen("precision:") : 0;
		if (!*at)
			break;
		str_addc(&plain, *at);
	}
	for (size_t i = 0; !known && i < ARRAY_LEN(rows); i++) {
		known = strcmp(rows[i].text, str_text(&plain)) == 0;
		o->view.times = known ? rows[i].times : o->view.times;
	}
	str_fini(&plain);
	if (!known)
		usage(&cmd_syscalls, "--absolute-timestamps=%s: time (-t), time,us (-tt), unix,us (-ttt) or none is wanted", value);
	return known ? 0 : -EINVAL;
}

/* strace's -y and -yy are the same here. */
static int count_names(void *ctx, __unused const struct opt *opt, __unused const char *value)
{
	((struct syscalls_opts *)ctx)->view.wanted.descriptors = true;
	return 0;
}

/* strace's --decode-fds=WHAT. */
static int set_names(void *ctx, __unused const struct opt *opt, const char *value)
{
	const bool none = value && strcmp(value, "none") == 0;

	if (value && !none && strcmp(value, "path") != 0 && strcmp(value, "all") != 0)
		return usage(&cmd_syscalls, "--decode-fds=%s: path, all or none; what only %s would tell is not known here", value, value), -EINVAL;
	((struct syscalls_opts *)ctx)->view.wanted.descriptors = !none;
	return 0;
}

/* Refuses strace's -a COLUMN and -aCOLUMN, which would be taken here for -a and something else. */
static int refuse_column(char *const *words)
{
	int n;

	do {
		const char *word = *words ? *words : "", *last = word + strlen(word) - (*word != 0), *column = NULL;

		n = *words ? opt_span(&cmd_syscalls, words) : 0;
		if (n == 1 && *word == '-' && word[1] != '-' && *last == 'a')
			column = words[1];
		else if (n < 0 && str_starts(word, "-a"))
			column = word + 2;
		if (column && *column && !column[strspn(column, "0123456789")])
			return usage(&cmd_syscalls, "-a %s: results stand in column 40, as they do in strace; leave it out (-a is --all here)", column),
			       -EINVAL;
		words += n > 0 ? n : 0;
	} while (n > 0);
	return 0;
}

/* Adds a value of -e after checking it. Takes over @expr, which may be NULL for lack of memory. */
static int add_expr(struct syscalls_opts *o, char *expr)
{
	int err = strv_own(&o->view.exprs, expr);
	struct syscall_quals quals;

	if (err)
		return err;
	err = syscall_quals_init(&quals, &(strv_t){ .at = &o->view.exprs.at[o->view.exprs.n - 1], .n = 1 });
	syscall_quals_fini(&quals);
	return err;
}

static int add_expression(void *ctx, __unused const struct opt *opt, const char *value)
{
	return add_expr(ctx, strdup(value));
}

/* strace's --trace=SET, --signal=SET and --status=SET are its -e NAME=SET. */
static int add_quality(void *ctx, const struct opt *opt, const char *value)
{
	return add_expr(ctx, str_printf("%s=%s", opt->name, value));
}

/* strace's -q leaves out ringside's own remarks, -qq also the ends of tasks, and -qqq all lines of that kind. --quiet=SET is also -e quiet=SET. */
static int add_quiet(void *ctx, const struct opt *opt, const char *value)
{
	struct syscalls_opts *o = ctx;
	const int quiets = o->quiets += opt->letter == 'q';
	const char *set = value ? value : quiets > 2 ? "all" : quiets == 2 ? "exit" : NULL;

	o->ask.record.quiet = true;
	return set ? add_expr(o, str_printf("quiet=%s", set)) : 0;
}

/* Refuses an option that only strace has. The option's help says why. */
static int refuse(__unused void *ctx, const struct opt *opt, __unused const char *value)
{
	usage(&cmd_syscalls, "-%c: %s", opt->letter, opt->help);
	return -EINVAL;
}

static int count_follows(void *ctx, __unused const struct opt *opt, __unused const char *value)
{
	struct syscalls_opts *o = ctx;

	o->follows++;
	o->ask.follow = true;
	return 0;
}

#define TO(field) offsetof(struct syscalls_opts, field)

static const struct opt opts[] = {
	{ OPT_ROWS, .rows = ask_whom },
	{ OPT_CALL_FLAG, 'f', .name = "follow-forks", .call = count_follows,
	  .help = "trace also the threads and children of the command, or of the processes of -p; with -ff -o FILE, write the calls of each task to FILE.PID" },
	{ OPT_HEADING, .help = "Which calls" },
	{ OPT_CALL, 'e', .name = "expr", .arg = "SET", .call = add_expression,
	  .help = "show only these calls; SET is a list of names, globs, /REGEX and %classes, as for strace's -e trace=; with ! in front of SET, show all other calls; -e signal=, -e status= and -e quiet= do what they do in strace" },
	{ OPT_FLAG, 'z', .name = "successful-only", .offset = TO(view.successful), .help = "show only calls that did not fail" },
	{ OPT_FLAG, 'Z', .name = "failed-only", .offset = TO(view.failed), .help = "show only calls that failed" },
	{ OPT_CALL, .name = "trace", .arg = "SET", .hidden = true, .call = add_quality },
	{ OPT_CALL, .name = "signal", .arg = "SET", .hidden = true, .call = add_quality },
	{ OPT_CALL, .name = "status", .arg = "SET", .hidden = true, .call = add_quality },
	/* These rows come before the -q that all commands have, so that they are found first and its help stays as it is. */
	{ OPT_CALL_FLAG, 'q', .hidden = true, .call = add_quiet },
	{ OPT_CALL, .name = "quiet|silent|silence", .arg = "SET", .optional = true, .hidden = true, .call = add_quiet },
	{ OPT_CALL, 'P', .name = "trace-path", .arg = "PATH", .hidden = true, .call = refuse,
	  .help = "calls cannot be chosen by file here; -y -e %file,%desc shows the names of files, so that grep can find the calls" },
	{ OPT_CALL, 's', .name = "string-limit", .arg = "SIZE", .hidden = true, .call = refuse,
	  .help = "of all texts in the program's memory, only names of files are shown, and these are never cut; leave the option out" },
	{ OPT_CALL_FLAG, 'k', .name = "stack-traces", .hidden = true, .call = refuse,
	  .help = "no stack is recorded here; `ringside record -e raw_syscalls -T` records the kernel's stack with each call" },
	{ OPT_CALL_FLAG, 'x', .name = "strings-in-hex", .hidden = true, .call = refuse,
	  .help = "names of files are printed as strace prints them without -x; leave the option out" },
	{ OPT_CALL, 'E', .name = "env", .arg = "NAME=VALUE", .hidden = true, .call = refuse,
	  .help = "`ringside syscalls env NAME=VALUE COMMAND` runs the command with this variable" },
	{ OPT_CALL, 'u', .name = "user", .arg = "NAME", .hidden = true, .call = refuse,
	  .help = "`ringside syscalls runuser -u NAME COMMAND` runs the command as this user" },
	{ OPT_HEADING, .help = "What to print" },
	{ OPT_FLAG, 'T', .name = "syscall-times", .offset = TO(view.took), .help = "print how long each call took" },
	{ OPT_CALL_FLAG, 't', .call = count_times, .help = "print the time of day; -tt adds microseconds, -ttt prints seconds since 1970" },
	{ OPT_CALL, .name = "absolute-timestamps|timestamps", .arg = "FORMAT", .optional = true, .complete = "=time time,us unix,us none", .call = set_times,
	  .help = "do what -t does; with FORMAT 'time,us', do what -tt does; with FORMAT 'unix,us', do what -ttt does" },
	{ OPT_FLAG, 'r', .name = "relative-timestamps", .offset = TO(view.relative), .help = "print the time since the previous line" },
	{ OPT_CALL_FLAG, 'y', .call = count_names, .help = "print the name of the file after each file descriptor, as in 3</etc/passwd>" },
	{ OPT_CALL, .name = "decode-fds", .arg = "WHAT", .optional = true, .complete = "=path all none", .call = set_names,
	  .help = "do what -y does; WHAT is 'path' or 'all', which mean the same, or 'none', which undoes -y" },
	{ OPT_FLAG, 'Y', .name = "task-names", .offset = TO(view.comms), .help = "print the task's name beside its process id" },
	{ OPT_FLAG, 'c', .name = "summary|summary-only", .offset = TO(only_summary), .help = "print a table of the calls instead of a line for each call" },
	{ OPT_FLAG, 'C', .name = "summary-too", .offset = TO(with_summary), .help = "print the lines, and then the table" },
	{ OPT_STR, 'S', .name = "summary-sort-by", .arg = "COLUMN", .complete = "=time calls errors name min-time max-time avg-time nothing",
	  .offset = TO(sort), .help = "sort the table by this column, as strace does: time, calls, errors, name, max-time, ..." },
	{ OPT_FLAG, 'w', .name = "summary-wall-clock", .offset = TO(wall),
	  .help = "accepted for compatibility with strace; the table always shows elapsed times" },
	{ OPT_STRV, .name = "graph", .arg = "SET", .offset = TO(view.graphs),
	  .help = "below each system call in SET, print the functions that the kernel called during the call, as function_graph records them" },
	{ OPT_HEADING, .help = "How" },
	{ OPT_ROWS, .rows = ask_cost },
	{ OPT_ROWS, .rows = ask_where },
	{ OPT_ROWS, .rows = reading_files },
	{ OPT_ROWS, .rows = reading_which },
	{ OPT_ROWS, .rows = reading_more, .letterless = true }, /* -S is strace's */
	{ OPT_ROWS, .rows = table_options, .offset = TO(table) },
	{ OPT_ROWS, .rows = reading_pager },
	OPT_END,
};

/* Returns the time of day minus the monotonic time, in ns. */
static int64_t wall_offset(void)
{
	return (int64_t)(clock_ns(CLOCK_REALTIME) - now_ns());
}

/* The events that tell which signals tasks get, what tasks are called, and how they end. */
static const char *const life_events[][2] = {
	{ "signal:signal_generate", "events/signal/signal_generate" },
	{ "signal:signal_deliver", "events/signal/signal_deliver" },
	{ "task:task_newtask", "events/task/task_newtask" },
	{ "sched:sched_process_exit", "events/sched/sched_process_exit" },
};

/* These calls are always recorded, because they tell how tasks end, and where a command begins. */
static const char *const needed_calls[] = { "execve", "execveat", "exit", "exit_group" };
enum { MOST_FILTERED = 24 }; /* at most so many calls are in a filter, because the kernel compares each event with one after the other */

static void add_number(struct str *filter, uint64_t number)
{
	str_addf(filter, "%sid == %llu", filter->len ? " || " : "", (unsigned long long)number);
}

static bool is_needed(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(needed_calls); i++)
		if (strcmp(needed_calls[i], name) == 0)
			return true;
	return false;
}

/*
 * If few calls are shown, the kernel is told to record no others. There is no filter if signals are shown: a signal is shown only if its task is known to live,
 * which any call of the task can tell. There is none with -y either, because many calls change descriptors.
 */
static int fill_filter(struct syscalls_opts *o)
{
	static const struct metadata here; /* the metadata of this machine */
	const struct syscalls calls = syscalls_of(&here);
	struct syscall_quals quals = { 0 };
	struct syscall_set set = { 0 };
	struct str filter = { 0 };
	size_t n = 0;
	int err = syscall_quals_init(&quals, &o->view.exprs);

	err = err ? err : syscall_set_init(&set, &calls, &quals.trace);
	for (size_t i = 0; !err && i < calls.n; i++) {
		if (!calls.all[i].name || !(syscall_set_has(&set, i) || is_needed(calls.all[i].name)))
			continue;
		add_number(&filter, i);
		n++;
	}
	err = err ? err : str_ok(&filter);
	if (!err && !quals.signals && !set.all && n <= MOST_FILTERED && !o->view.wanted.descriptors && ksym_exists("__x64_sys_exit_group") == 1)
		o->filter = str_take(&filter);
	str_fini(&filter);
	syscall_set_fini(&set);
	syscall_quals_fini(&quals);
	return err == -ENOMEM ? fail(ENOMEM, "out of memory") : err;
}

static int arm(struct syscalls_opts *o)
{
	struct ask_opts *ask = &o->ask;
	struct buffer_spec *buffer = &ask->record.spec.buffers.at[0];
	const bool lives = o->view.lines;
	struct tracedir top = TRACEDIR_NONE;
	int err = fill_filter(o);

	err = err ? err : tracedir_open(&top, NULL);
	ask->cure = "Asking for few calls (-e) and for no signals (-e signal=none) helps, because the kernel then records these calls only";
	buffer->clock = "mono";
	ask->ts_offset = wall_offset();
	buffer->size_kb = BUFFER_KB;
	err = err ? err : ask_event(ask, "raw_syscalls");
	if (!err)
		buffer->events.at[buffer->events.n - 1].filter = o->filter;
	err = err ? err : ask_event(ask, "sched:sched_process_exec");
	for (size_t i = 0; !err && lives && i < ARRAY_LEN(life_events); i++)
		if (tracedir_has(&top, life_events[i][1]))
			err = ask_event(ask, life_events[i][0]);
	for (size_t i = 0; !err && i < ARRAY_LEN(name_probes) && !doctor_lacks(&top, "kprobe, kretprobe"); i++)
		if (ksym_exists(name_probes[i].function) == 1)
			err = ask_probe(ask, name_probes[i].probe);
	tracedir_fini(&top);
	return err;
}

/* --graph: function_graph traces the functions of these calls and the functions that they call. */
static int arm_graph(struct syscalls_opts *o)
{
	static const struct metadata here; /* the metadata of this machine */
	const struct syscalls calls = syscalls_of(&here);
	struct buffer_spec *buffer = &o->ask.record.spec.buffers.at[0];
	struct syscall_set set = { 0 };
	int err = syscall_set_init(&set, &calls, &o->view.graphs);

	for (size_t i = 0; !err && i < calls.n; i++) {
		char name[64];

		if (!calls.all[i].name || !syscall_set_has(&set, i))
			continue;
		snprintf(name, sizeof(name), "__x64_sys_%s", syscall_event_name(&calls.all[i]));
		if (ksym_exists(name) == 1)
			err = strv_add(&buffer->graph, name);
	}
	syscall_set_fini(&set);
	if (err)
		return err == -ENOMEM ? fail(ENOMEM, "out of memory") : err;
	if (!buffer->graph.n)
		return fail(EOPNOTSUPP, "--graph: this kernel has none of the functions of these calls (__x64_sys_...)");
	buffer->tracer = "function_graph";
	/* Only the top instance has set_graph_function. */
	o->ask.record.spec.private_ = false;
	return 0;
}

/* Translates strace's words for -S to columns of the table. */
static int settle_sort(struct syscalls_opts *o)
{
	static const char *const words[][2] = {
		{ "time", "-total" },	 { "time-total", "-total" }, { "total-time", "-total" }, { "calls", "-calls" },		{ "count", "-calls" },
		{ "errors", "-errors" }, { "error", "-errors" },     { "name", "syscall" },	 { "syscall", "syscall" },	{ "syscall-name", "syscall" },
		{ "min-time", "-min" },	 { "time-min", "-min" },     { "shortest", "-min" },	 { "max-time", "-max" },	{ "time-max", "-max" },
		{ "longest", "-max" },	 { "avg-time", "-mean" },    { "time-avg", "-mean" },	 { "nothing", TABLE_UNSORTED }, { "none", TABLE_UNSORTED },
	};

	if (o->sort && o->table.sort)
		return usage(&cmd_syscalls, "-S and --sort do not go together"), -EINVAL;
	for (size_t i = 0; o->sort && i < ARRAY_LEN(words); i++) {
		if (strcmp(words[i][0], o->sort) != 0)
			continue;
		o->table.sort = words[i][1];
		return 0;
	}
	if (o->sort)
		return usage(&cmd_syscalls, "-S %s: time, calls, errors, name, min-time, max-time, avg-time or nothing", o->sort), -EINVAL;
	return 0;
}

/* -ff -o FILE writes a file for each task. */
static int settle_files(struct syscalls_opts *o)
{
	if (o->follows < 2)
		return 0;
	if (o->view.summary)
		return usage(&cmd_syscalls, "-ff does not go with a table: it writes a file for each task, and a table is of all tasks"), -EINVAL;
	if (!o->ask.path)
		return 0; /* -ff without -o FILE is the same as -f, as in strace */
	o->view.files = take(o->ask.path);
	o->view.pids = false;
	return 0;
}

/* Refuses strace's -o '|COMMAND' and -o '!COMMAND', which would write to a file of that name here. */
static int refuse_pipe(const char *path)
{
	if (!path || (*path != '|' && *path != '!'))
		return 0;
	return usage(&cmd_syscalls, "-o '%s': no command is run here; -o >(COMMAND) of bash writes to one, and ./%s is the file of this name", path, path),
	       -EINVAL;
}

/* Settles what is shown, which depends on several options together. */
static int settle(struct syscalls_opts *o)
{
	struct ask_opts *ask = &o->ask;
	const struct record_spec *spec = &ask->record.spec;
	const strv_t *pids = &ask->read.reading.select.pids;

	if (refuse_pipe(ask->path))
		return -EINVAL;
	if (o->view.successful && o->view.failed)
		return usage(&cmd_syscalls, "-z and -Z do not go together"), -EINVAL;
	if (o->only_summary && o->with_summary)
		return usage(&cmd_syscalls, "-c and -C do not go together"), -EINVAL;
	o->view.summary = o->only_summary || o->with_summary || table_asked(&o->table) || o->table.sort || o->table.top;
	if (settle_sort(o))
		return -EINVAL;
	o->view.lines = !o->view.summary || o->with_summary;
	o->view.pids = ask->live ? ask->follow || ask->everybody || spec->pids.n > 1 : pids->n != 1 || strchr(pids->at[0], ',');
	o->view.plain_pids = ask->path != NULL;
	if (settle_files(o))
		return -EINVAL;
	o->view.wanted.from_exec = ask->live && spec->only_command;
	o->view.wanted.holes = reading_has_holes(&ask->read.reading);
	o->view.live = ask->live;
	o->view.quiet = ask->record.quiet;
	if (ask->live)
		o->view.wanted.source = live_files_source(&o->files, ask);
	if (o->view.graphs.n && !o->view.lines)
		return usage(&cmd_syscalls, "--graph and a table do not go together"), -EINVAL;
	if (ask->live && o->view.graphs.n && arm_graph(o))
		return -EINVAL;
	return ask->live ? arm(o) : 0;
}

static int run(int argc, char **argv)
{
	struct syscalls_opts o = { .ask = ASK_NONE };
	struct analysis what = syscalls_analysis;
	int err, status;

	watch_expect();
	err = refuse_column(argv + 1);
	err = err ? err : ask_parse(&cmd_syscalls, &o, argc, argv);
	err = err ? err : settle(&o);
	err = err ? err : ask_output(&o.ask);
	err = err ? err : table_settle(&cmd_syscalls, &o.table, o.ask.out, &o.view.table);
	/* Only the table needs sums of times. */
	if (o.view.summary)
		what.needs |= ANALYSIS_SUMS;
	if (!err && !o.ask.record.quiet)
		syscalls_bits_of_processes(&o.ask.record.spec);
	status = err ? opt_status(err) : ask_main(&cmd_syscalls, &o.ask, &what, &o.view);
	if (!err && !o.ask.record.quiet && status != STATUS_NOT_FOUND && status != STATUS_NOT_EXECUTABLE)
		syscalls_bits_of_command(&o.ask.record.spec);
	strv_fini(&o.view.exprs);
	strv_fini(&o.view.graphs);
	free(o.filter);
	ask_fini(&o.ask);
	return status;
}

const struct cmd cmd_syscalls = {
	.name = "syscalls",
	.synopsis = "[OPTION...] [COMMAND [ARG...] | FILE...]",
	.summary = "print system calls with their arguments, results and times as strace does, without stopping the traced program",
	.details = "With a command, the calls of the command are printed. With -p PID,..., the calls of these processes are printed.\n"
		   "With -a, the calls of all tasks are printed. If there is neither a command nor -p nor -a, the calls in the\n"
		   "recording FILE are printed (default: trace.dat).\n"
		   "  ringside syscalls -f make                 each call of make and its children\n"
		   "  ringside syscalls -e %file,close ls       only calls about files\n"
		   "  ringside syscalls -c -p 1234 --duration 5 a table of what a process does for 5 seconds\n"
		   "  ringside syscalls -T trace.dat            the calls that `record -e raw_syscalls` recorded",
	.opts = opts,
	.stop_at_operand = true,
	.operands = "command",
	.run = run,
};
