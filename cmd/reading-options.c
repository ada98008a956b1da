/* SPDX-License-Identifier: GPL-2.0 */
/* The options that all commands which read records have in common. */
#include "cmd/default-input.h"
#include "cmd/pager.h"
#include "cmd/reading.h"
#include "lib/base/err.h"
#include "lib/base/str.h"

#include <sys/stat.h>
#include <unistd.h>

static int add_input(void *ctx, __unused const struct opt *opt, const char *value)
{
	struct reading_opts *o = ctx;
	struct input input = { .path = value, .hz = o->hz };

	if (!o->reading.inputs.n)
		input.ts_offset = o->ts_offset;
	return vec_push(&o->reading.inputs, input);
}

static int add_filter(void *ctx, __unused const struct opt *opt, const char *value)
{
	struct reading_opts *o = ctx;

	return strv_add(o->invert ? &o->reading.select.drop : &o->reading.select.keep, value);
}

/* Handles --cpu. trace-cmd also accepts colons between the numbers. */
static int set_cpus(void *ctx, __unused const struct opt *opt, const char *value)
{
	struct reading_opts *o = ctx;
	__cleanup(free_ptr) char *list = strdup(value);

	if (!list)
		return -ENOMEM;
	for (char *at = strchr(list, ':'); at; at = strchr(at, ':'))
		*at = ',';
	cpuset_fini(&o->reading.cpus);
	if (parse_cpus(list, &o->reading.cpus))
		return fail(EINVAL, "--cpu %s: not a list of CPUs as in 0,2-4", value);
	o->reading.has_cpus = true;
	return 0;
}

#define TO(field) offsetof(struct reading_opts, field)
/* clang-format off */
#define HEADING(text) { .type = OPT_HEADING, .help = text }
/* clang-format on */

/* Options that choose CPUs and times. */
#define WINDOW_ROWS \
	{ OPT_CALL, 0, .name = "cpu", .arg = "CPUS", .complete = "cpus", .help = "take only records of these CPUs, as in 0,2-4", .call = set_cpus }, \
		{ OPT_STR, \
		  0, \
		  .name = "since", \
		  .arg = "TIME", \
		  .help = "begin at this time: a time as `report` shows it, +SECONDS after the first record, or N% of the recording", \
		  .offset = TO(reading.since) }, \
	{ \
		OPT_STR, 0, .name = "until", .arg = "TIME", .help = "end at this time, which is written as for --since", .offset = TO(reading.until) \
	}

const struct opt reading_files[] = {
	HEADING("What to read"),
	{ OPT_CALL, 'i', .name = "input", .arg = "FILE", .complete = "files",
	  .help = "read this file, not trace.dat; if -i is repeated, the records of all files are merged by time", .call = add_input },
	{ OPT_STRV, 'B', .name = "buffer", .arg = "NAME", .help = "read only buffers whose name matches this glob; \"top\" is the top buffer",
	  .offset = TO(reading.buffers) },
	{ OPT_STR, 0, .name = "kallsyms", .arg = "FILE", .complete = "files", .help = "take function names from this copy of /proc/kallsyms",
	  .offset = TO(reading.kallsyms) },
	OPT_END,
};

const struct opt reading_which[] = {
	HEADING("Which records"),
	{ OPT_CALL, 'F', .name = "filter", .arg = "FILTER", .complete = "filter",
	  .help = "take only records that match this filter, \"EVENTS : EXPRESSION\"; if -F is given several times, one match is enough", .call = add_filter },
	{ OPT_FLAG, 'v', .name = "invert", .help = "leave out records that match the -F options that follow", .offset = TO(invert) },
	{ OPT_STRV, 0, .name = "only-event", .arg = "EVENT",
	  .help = "take only these events; EVENT is a name, SYSTEM:NAME or SYSTEM, or a glob of one of these forms", .offset = TO(reading.select.events) },
	{ OPT_STRV, 0, .name = "pid", .arg = "PID",
	  .help = "take only records of the tasks with these ids, as in 12,34, and records whose field pid or next_pid is one of these ids",
	  .offset = TO(reading.select.pids) },
	WINDOW_ROWS,
	OPT_END,
};

const struct opt reading_tasks[] = {
	HEADING("Which tasks, CPUs and times"),
	{ OPT_STRV, 0, .name = "pid", .arg = "PID", .help = "take only the tasks with these ids, as in 12,34", .offset = TO(reading.select.pids) },
	{ OPT_STRV, .name = "comm", .arg = "NAME", .offset = TO(reading.select.comms), .help = "take only the tasks with these names (globs)" },
	WINDOW_ROWS,
	OPT_END,
};

const struct opt reading_more[] = {
	{ OPT_STRV, .name = "tid", .arg = "TID", .offset = TO(reading.select.tids), .help = "take only records of the tasks with these ids, as in 12,34" },
	{ OPT_STRV, .name = "comm", .arg = "NAME", .offset = TO(reading.select.comms),
	  .help = "take only records of tasks with these names (globs), and records whose field pid or next_pid is the id of such a task" },
	{ OPT_STRV, .name = "func", .arg = "FUNCTION", .complete = "functions", .offset = TO(reading.within.funcs),
	  .help = "take only calls of these functions (globs), with all that the task does during these calls" },
	{ OPT_TIME, .name = "min-duration", .arg = "TIME", .offset = TO(reading.within.min_duration),
	  .help = "take only calls that last at least this long, as in 50us, 2ms, or 0.5 (seconds); with --func, only the calls of the functions of --func must last that long, not the calls inside them" },
	{ OPT_FLAG, 'I', .name = "no-hardirq", .offset = TO(reading.select.no_hardirq), .help = "leave out what happened in hard interrupts" },
	{ OPT_FLAG, 'S', .name = "no-softirq", .offset = TO(reading.select.no_softirq), .help = "leave out what happened in soft interrupts" },
	OPT_END,
};

static int add_pair(void *ctx, __unused const struct opt *opt, const char *value)
{
	struct reading_opts *o = ctx;
	int err = vec_push(&o->reading.pairs, (struct pair){ 0 });

	return err ? err : pair_parse_spec(&o->reading.pairs.at[o->reading.pairs.n - 1], value);
}

const struct opt reading_pairs[] = {
	{ OPT_CALL, .name = "pair", .arg = "PAIR", .complete = "=wakeup migrate syscall irq softirq block lock", .call = add_pair,
	  .help = "treat the time between two events as a call; PAIR is a kind of latency (wakeup, irq, block, ...; see ringside-latency(1)), or [NAME=]FROM,TO[,KEY[=KEY2]...]: the events FROM and TO, and the fields that must be equal in both (KEY in FROM, KEY2 in TO); the call gets the name NAME" },
	OPT_END,
};

int reading_pair_words(struct reading_opts *o, strv_t *words, bool only)
{
	const bool none = !words->n;
	int err = 0;

	for (size_t i = 0; !err && i < words->n; i++) {
		struct pair pair = { 0 };

		vec_each (&o->reading.pairs, known)
			if (!err && strcmp(known->name, words->at[i]) == 0)
				err = 1;
		err = err ? err : pair_parse_kind(&pair, words->at[i]);
		pair.or_function = true;
		err = err ? err : vec_push(&o->reading.pairs, pair);
		if (err)
			pair_fini(&pair);
		err = MIN(err, 0);
	}
	for (size_t i = 0; !err && only && none && i < o->reading.pairs.n; i++)
		err = strv_add(words, o->reading.pairs.at[i].name);
	return err == -ENOMEM ? fail(ENOMEM, "out of memory") : err;
}

const struct opt reading_how[] = {
	{ OPT_FLAG, 'R', .name = "raw", .offset = TO(reading.trace.raw), .help = "print the fields of events instead of their text" },
	{ OPT_STRV, 'r', .name = "raw-event", .arg = "REGEX", .offset = TO(reading.trace.raw_events),
	  .help = "print the fields, not the text, of events whose name or system matches REGEX" },
	{ OPT_STRV, 'n', .name = "no-handler", .arg = "REGEX", .offset = TO(reading.trace.plain_events),
	  .help = "use no plug-in for events whose name or system matches REGEX" },
	{ OPT_FLAG, 'N', .name = "no-plugins", .offset = TO(reading.trace.no_plugins), .help = "use no plug-ins, only the kernel's own print formats" },
	{ OPT_FLAG, 'L', .name = "local-plugins", .offset = TO(reading.trace.no_system_plugins),
	  .help = "load no plug-ins from libtraceevent's folder, only those from other folders" },
	{ OPT_FLAG, .name = "no-flags", .offset = TO(lines.no_flags),
	  .help = "print no flags after the CPU, for scripts that expect lines as trace-cmd printed them before its version 3.3" },
	{ OPT_FLAG, .name = "boundary", .offset = TO(lines.boundary), .help = "show where sub-buffers begin" },
	OPT_END,
};

const struct opt reading_colour[] = {
	{ OPT_STR, .optional = true, .name = "color|colour", .arg = "WHEN", .complete = "=auto always never", .offset = TO(color),
	  .help = "use colours: auto (on a terminal), always, never" },
	OPT_END,
};

const struct opt reading_times[] = {
	{ OPT_FLAG, 't', .name = "full-time", .offset = TO(reading.exact), .help = "print times with nanoseconds" },
	{ OPT_FLAG, .name = "ts-diff", .offset = TO(lines.ts_diff), .help = "print also the time since the previous line" },
	{ OPT_FLAG, .name = "align-ts", .offset = TO(reading.align), .help = "print times relative to the first record" },
	OPT_END,
};

const struct opt reading_pager[] = {
	{ OPT_FLAG, .name = "no-pager", .help = "use no pager, even on a terminal", .offset = TO(no_pager) },
	OPT_END,
};

/*
 * Is the operand a file, and not a function? A function has no slash. A name that looks like a file is one even if the file is missing. "-" is the standard
 * input.
 */
static bool is_file(const char *word)
{
	struct stat st;

	return strcmp(word, "-") == 0 || strchr(word, '/') || str_ends(word, ".dat") || (stat(word, &st) == 0 && !S_ISDIR(st.st_mode));
}

/* Reads this file, too. Returns 0, or -errno after a message. */
static int take_file(struct reading_opts *o, const char *path)
{
	return add_input(o, NULL, path) ? fail(ENOMEM, "out of memory") : 0;
}

int reading_parse_words(const struct cmd *cmd, void *opts, strv_t *words, int argc, char **argv)
{
	struct reading_opts *o = opts;
	char **operands;
	int n = opt_parse(cmd, o, argc, argv, &operands), err = 0;

	for (int i = 0; !err && i < n; i++)
		err = !words || is_file(operands[i]) ? take_file(o, operands[i]) : strv_split(words, operands[i], ",") ? fail(ENOMEM, "out of memory") : 0;
	if (!err && n >= 0 && !o->reading.inputs.n)
		err = take_file(o, default_input());
	return n < 0 ? n : err;
}

int reading_parse_operands(const struct cmd *cmd, void *opts, int (*take_one)(void *opts, const char *operand), int argc, char **argv)
{
	struct reading_opts *o = opts;
	char **operands;
	int n = opt_parse(cmd, o, argc, argv, &operands), err = 0;

	for (int i = 0; !err && i < n; i++) {
		err = take_one(opts, operands[i]);
		err = err == 1 ? 0 : err < 0 ? err : take_file(o, operands[i]);
	}
	return n < 0 ? n : err;
}

int reading_parse(const struct cmd *cmd, void *opts, int argc, char **argv)
{
	return reading_parse_words(cmd, opts, NULL, argc, argv);
}

int reading_settle(const struct cmd *cmd, struct reading_opts *o, int fd)
{
	int colour = colour_wanted(o->color, fd);

	if (colour < 0)
		return usage(cmd, "--color=%s: auto, always or never", o->color), -EINVAL;
	if (o->lines.no_flags && o->lines.latency)
		return usage(cmd, "--no-flags is about the usual lines; the latency format is made of flags"), -EINVAL;
	o->lines.colour = o->reading.colour = colour;
	o->reading.out = fd;
	o->reading.trace.visible = isatty(fd);
	return trace_option_parse(&o->reading.trace);
}
