/* SPDX-License-Identifier: GPL-2.0 */
/* The options that say what to trace, in which tasks, and into which buffer. Many belong to the buffer that was named last, or to the event before them. */
#include "cmd/record.h"

#include "lib/base/err.h"
#include "lib/base/str.h"
#include "lib/record/probes.h"
#include "lib/tracefs/funcommand.h"
#include <stdio.h>
#include <unistd.h>

static struct buffer_spec *current(struct record_opts *o)
{
	return &o->spec.buffers.at[o->spec.buffers.n - 1];
}

static struct event_spec *last_event(struct record_opts *o)
{
	struct buffer_spec *b = current(o);

	return b->events.n ? &b->events.at[b->events.n - 1] : NULL;
}

/* Keeps a text that the specification borrows. Returns NULL for lack of memory. */
static const char *keep_text(struct record_opts *o, char *text)
{
	return strv_own(&o->texts, text) ? NULL : o->texts.at[o->texts.n - 1];
}

/* Applies --module to all -l and -n of its buffer, before or after it. Returns 0 or -ENOMEM. */
static int apply_module(struct record_opts *o)
{
	struct buffer_spec *b = current(o);
	strv_t *const lists[] = { &b->functions, &b->not_functions };
	int err = 0;

	if (!o->module)
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		vec_each (lists[i], name) {
			char *text = str_printf("%s:mod:%s", strcmp(*name, "*") ? *name : "", o->module);

			if (!text)
				return -ENOMEM;
			free(*name);
			*name = text;
		}
	if (!b->functions.n && !b->not_functions.n)
		err = strv_own(&b->functions, str_printf(":mod:%s", o->module));
	o->module = NULL;
	return err;
}

static int add_buffer(void *ctx, const struct opt *opt __unused, const char *value)
{
	struct record_opts *o = ctx;
	int err = apply_module(o);

	if (o->exclude && o->spec.join == JOIN_ADD) {
		o->exclude = false;
		return err || strv_has(&o->removed, value) ? err : strv_add(&o->removed, value);
	}
	vec_each (&o->spec.buffers, buffer)
		if (buffer->name && strcmp(buffer->name, value) == 0)
			return fail(EINVAL, "-B %s is given twice", value);
	o->exclude = false;
	return err ? err : vec_push(&o->spec.buffers, (struct buffer_spec){ .name = value });
}

static int add_event(void *ctx, const struct opt *opt __unused, const char *value)
{
	struct record_opts *o = ctx;

	return vec_push(&current(o)->events, (struct event_spec){ .pattern = value, .off = o->exclude });
}

static int add_probe(void *ctx, const struct opt *opt, const char *value)
{
	struct event_spec event = { .pattern = value };
	int err = probe_set_new(&event.probes, value, strcmp(opt->name, "latency") == 0);

	err = err ? err : vec_push(&current(ctx)->events, event);
	if (err)
		probe_set_free(event.probes);
	return err;
}

static int set_filter(void *ctx, const struct opt *opt __unused, const char *value)
{
	struct event_spec *event = last_event(ctx);

	if (!event)
		return fail(EINVAL, "-f '%s' must come after the -e whose events it filters", value);
	if (event->filter)
		return fail(EINVAL, "-f is given twice for -e %s: put both conditions into one with &&", event->pattern);
	event->filter = value;
	return 0;
}

static int add_trigger(void *ctx, const struct opt *opt __unused, const char *value)
{
	struct event_spec *event = last_event(ctx);

	if (!event)
		return fail(EINVAL, "-R '%s' must come after the -e that it is a trigger of", value);
	return strv_add(&event->triggers, value);
}

static int set_exclude(void *ctx, const struct opt *opt __unused, const char *value __unused)
{
	((struct record_opts *)ctx)->exclude = true;
	return 0;
}

static int set_tracer(void *ctx, const struct opt *opt __unused, const char *value)
{
	struct buffer_spec *b = current(ctx);

	if (b->tracer)
		return fail(EINVAL, "-p is given twice for one buffer; a buffer has one tracer");
	b->tracer = value;
	return 0;
}

static int add_function(void *ctx, const struct opt *opt, const char *value)
{
	struct buffer_spec *b = current(ctx);
	strv_t *list = opt->letter == 'l' && funcommand_is(value) ? &b->funcommands
		       : opt->letter == 'l'			  ? &b->functions
		       : opt->letter == 'n'			  ? &b->not_functions
								  : &b->graph;

	return strv_add(list, value);
}

static int add_option(void *ctx, const struct opt *opt __unused, const char *value)
{
	return strv_add(&current(ctx)->options, value);
}

/* Sets a trace option of the kernel for an option of ringside, by its letter or name. */
static int add_flag(void *ctx, const struct opt *opt, const char *value __unused)
{
	static const struct {
		char letter;
		const char *name;
		const char *option;
	} flags[] = {
		{ 'T', NULL, "stacktrace" },	   { 0, "ustack", "userstacktrace" }, { 0, "func-stack", "func_stack_trace" },
		{ 'd', NULL, "nofunction-trace" }, { 'D', NULL, "nofunction-trace" },
	};
	struct record_opts *o = ctx;
	size_t i = 0;

	while (opt->letter ? flags[i].letter != opt->letter : !flags[i].name || strcmp(flags[i].name, opt->name) != 0)
		i++;
	o->spec.no_functions |= opt->letter == 'D';
	return strv_add(&current(o)->options, flags[i].option);
}

static int set_clock(void *ctx, const struct opt *opt __unused, const char *value)
{
	current(ctx)->clock = value;
	return 0;
}

static int set_kb(const char *option, const char *value, uint64_t *kb)
{
	int err = parse_size(value, 1024, kb);

	if (err == -ERANGE)
		return fail(EINVAL, "%s %s: the size is too large", option, value);
	if (err || !*kb)
		return fail(EINVAL, "%s %s: a size in kB is wanted; 10M and the like are understood", option, value);
	return 0;
}

static int set_size(void *ctx, const struct opt *opt __unused, const char *value)
{
	return set_kb("-b", value, &current(ctx)->size_kb);
}

static int set_subbuf(void *ctx, const struct opt *opt __unused, const char *value)
{
	uint64_t *kb = &current(ctx)->subbuf_kb;
	int err = set_kb("--subbuf-size", value, kb);

	if (!err && (*kb & (*kb - 1) || *kb < 4 || *kb > 512))
		return fail(EINVAL, "--subbuf-size %s: must be 4, 8, 16 … 512 kB", value);
	return err;
}

/* Returns the mask of those @cpus that this machine may have, in the form that the kernel reads: groups of 32 bits. */
static char *cpu_mask(const struct cpuset *cpus)
{
	unsigned int n = (unsigned int)sysconf(_SC_NPROCESSORS_CONF);
	struct str s = { 0 };

	for (unsigned int group = (n + 31) / 32; group-- > 0;) {
		uint32_t bits = 0;

		for (unsigned int cpu = group * 32; cpu < MIN(n, group * 32 + 32); cpu++)
			bits |= (uint32_t)cpuset_has(cpus, cpu) << cpu % 32;
		str_addf(&s, "%s%x", s.len ? "," : "", bits);
	}
	return str_take(&s);
}

static bool is_no_mask(const char *mask)
{
	return strspn(mask, "0,") == strlen(mask);
}

static int set_cpumask(void *ctx, const struct opt *opt __unused, const char *value)
{
	struct record_opts *o = ctx;
	bool all = strcmp(value, "-1") == 0;

	if (!all && (strspn(value, "0123456789abcdefABCDEF,") != strlen(value) || !*value))
		return fail(EINVAL, "-M %s: a hexadecimal mask of CPUs is wanted (f: CPUs 0 to 3), or -1 for all", value);
	if (is_no_mask(value))
		return fail(EINVAL, "-M %s: there is no CPU in this mask; f means CPUs 0 to 3, and -1 all", value);
	current(o)->cpumask = all ? keep_text(o, cpu_mask(&(struct cpuset){ .all = true })) : value;
	return current(o)->cpumask ? 0 : -ENOMEM;
}

/* Handles --cpu. */
static int set_cpus(void *ctx, const struct opt *opt __unused, const char *value)
{
	struct record_opts *o = ctx;
	struct cpuset cpus = { 0 };
	char *mask = NULL;
	int err = parse_cpus(value, &cpus);

	if (!err)
		mask = cpu_mask(&cpus);
	cpuset_fini(&cpus);
	if (err)
		return fail(EINVAL, "--cpu %s: numbers of CPUs are wanted, as in 0,2-4", value);
	if (mask && is_no_mask(mask)) {
		free(mask);
		return fail(EINVAL, "--cpu %s: this machine has the CPUs 0 to %ld", value, sysconf(_SC_NPROCESSORS_CONF) - 1);
	}
	current(o)->cpumask = keep_text(o, mask);
	return current(o)->cpumask ? 0 : -ENOMEM;
}

int record_opts_number(const char *option, const char *value, const char *want, uint64_t most, uint64_t *out)
{
	int err = parse_u64(value, out);

	if (err == -ERANGE || (!err && *out > most))
		return fail(EINVAL, "%s %s: the number is too large; the largest is %llu", option, value, (unsigned long long)most);
	return err ? fail(EINVAL, "%s %s: %s is wanted", option, value, want) : 0;
}

/* The kernel keeps the depth in 32 bits, and takes a larger number modulo 2^32. */
static int set_depth(void *ctx, const struct opt *opt __unused, const char *value)
{
	struct buffer_spec *b = current(ctx);

	b->has_depth = true;
	return record_opts_number("--max-graph-depth", value, "a number of levels, 0 for all,", UINT32_MAX, &b->max_graph_depth);
}

static int set_module(void *ctx, const struct opt *opt __unused, const char *value)
{
	((struct record_opts *)ctx)->module = value;
	return 0;
}

int record_opts_pid(struct record_opts *o, const char *option, const char *value, const char *word)
{
	uint64_t pid;
	char path[32];

	if (parse_u64(word, &pid) || !pid || pid > INT32_MAX)
		return fail(EINVAL, "%s '%s': a process id is wanted; pgrep(1) finds those of a program", option, value);
	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	if (access(path, F_OK))
		return fail(ESRCH, "%s %s: there is no process %d", option, value, (int)pid);
	return vec_push(&o->spec.pids, (pid_t)pid);
}

static int add_pids(void *ctx, const struct opt *opt __unused, const char *value)
{
	strv_t words = { 0 };
	int err = strv_split(&words, value, ",");

	if (!err && !words.n)
		err = record_opts_pid(ctx, "-P", value, "");
	for (size_t i = 0; !err && i < words.n; i++)
		err = record_opts_pid(ctx, "-P", value, words.at[i]);
	strv_fini(&words);
	return err;
}

#define TO(field) offsetof(struct record_opts, field)

const struct opt what_options[] = {
	{ OPT_HEADING, .help = "What to record" },
	{ OPT_CALL, 'p', .name = "tracer|plugin", .arg = "TRACER", .complete = "tracers", .call = set_tracer,
	  .help = "use this tracer: function_graph, function, or another tracer of this kernel" },
	{ OPT_CALL, 'g', .arg = "FUNCTION", .complete = "functions", .call = add_function,
	  .help = "with -p function_graph: record only this function (or glob) and what it calls; repeatable" },
	{ OPT_CALL, 'l', .arg = "FUNCTION", .complete = "functions", .call = add_function,
	  .help = "trace only this function (or glob); FUNCTION:COMMAND instead lets the kernel carry out COMMAND, such as traceoff, at each call of the function; repeatable" },
	{ OPT_CALL, 'n', .arg = "FUNCTION", .complete = "functions", .call = add_function,
	  .help = "do not trace this function (or glob), even if -l names it; repeatable" },
	{ OPT_CALL, .name = "module", .arg = "MODULE", .call = set_module,
	  .help = "limit -l and -n to the functions of this module; without -l and -n, trace all functions of this module" },
	{ OPT_CALL, .name = "max-graph-depth", .arg = "LEVELS", .call = set_depth, .help = "record at most this many levels of calls (0: all)" },
	{ OPT_CALL, 'e', .name = "event", .arg = "EVENT", .complete = "events", .call = add_event,
	  .help = "record this event; EVENT is the name of an event or of a system, SYSTEM:NAME, a glob, or 'all'; repeatable" },
	{ OPT_CALL, .name = "probe", .arg = "PROBE", .complete = "probes", .call = add_probe,
	  .help = "add this probe, such as 'kprobe:do_sys_openat2 dfd filename:string', and record its event; the probe is removed when the settings are put back; see ringside-probe(1)" },
	{ OPT_CALL, .name = "latency", .arg = "PROBE", .complete = "probes", .call = add_probe,
	  .help = "record the entry and the return of each call of a function, so that the time of the call can be shown; PROBE is kprobe:FUNCTION or uprobe:FILE:SYMBOL" },
	{ OPT_U64, .name = "max-probes", .arg = "N", .offset = TO(spec.max_probes),
	  .help = "with --probe or --latency: refuse a glob that matches more than N functions (default: 512)" },
	{ OPT_CALL, 'f', .name = "filter", .arg = "FILTER", .complete = "filter", .call = set_filter,
	  .help = "record the events of the preceding -e only if this filter, in the kernel's syntax, is true" },
	{ OPT_CALL, 'R', .name = "trigger", .arg = "TRIGGER", .call = add_trigger,
	  .help = "add this trigger, in the kernel's syntax, to the events of the preceding -e" },
	{ OPT_CALL_FLAG, 'v', .call = set_exclude, .help = "do not record the events of the -e options that follow" },
	{ OPT_FLAG, 'i', .offset = TO(spec.ignore_missing), .help = "go on without the events that this kernel does not have" },
	{ OPT_CALL_FLAG, 'T', .call = add_flag, .help = "record a kernel stack with each event" },
	{ OPT_CALL_FLAG, .name = "ustack", .call = add_flag,
	  .help = "record the user-space stack with each event; the program must be compiled with frame pointers" },
	{ OPT_CALL_FLAG, .name = "func-stack", .call = add_flag, .help = "with -p function: record a kernel stack at each call of a function that -l names" },
	{ OPT_CALL_FLAG, 'd', .call = add_flag, .help = "with a latency tracer (irqsoff, wakeup, ...): measure the latency, but trace no functions" },
	{ OPT_CALL_FLAG, 'D', .call = add_flag,
	  .help = "do what -d does; also turn function tracing off for the whole system, until the settings are put back" },
	{ OPT_CALL, 'O', .name = "option", .arg = "OPTION", .complete = "options", .call = add_option,
	  .help = "set a trace option; noOPTION clears it; repeatable" },
	{ OPT_CALL, 'C', .name = "clock", .arg = "CLOCK", .complete = "clocks", .call = set_clock, .help = "use this trace clock" },
	OPT_END,
};

const struct opt whom_options[] = {
	{ OPT_HEADING, .help = "Whom to record" },
	{ OPT_FLAG, 'F', .offset = TO(spec.only_command), .help = "record only what the command does" },
	{ OPT_CALL, 'P', .name = "pid", .arg = "PID", .call = add_pids,
	  .help = "record only the thread with this id, or with -c the whole process; repeatable" },
	{ OPT_FLAG, 'c', .offset = TO(spec.children),
	  .help = "with -F or -P: record also the children and the other threads of the command (-F) or of the processes (-P)" },
	{ OPT_STR, .name = "user", .arg = "USER", .complete = "users", .offset = TO(spec.user), .help = "run the command as this user" },
	{ OPT_CALL, 'M', .name = "cpumask", .arg = "MASK", .call = set_cpumask, .help = "record only the CPUs of this hexadecimal mask; -1: all CPUs" },
	{ OPT_CALL, .name = "cpu", .arg = "CPUS", .complete = "cpus", .call = set_cpus, .help = "record only the CPUs with these numbers, as in 0,2-4" },
	OPT_END,
};

const struct opt where_options[] = {
	{ OPT_CALL, 'B', .name = "buffer", .arg = "NAME", .complete = "instances", .call = add_buffer,
	  .help = "apply the options that follow to the trace instance of this name, not to the top buffer; repeatable" },
	{ OPT_CALL, 'b', .name = "buffer-size", .arg = "KB", .call = set_size, .help = "set the size of the kernel's buffer on each CPU" },
	{ OPT_CALL, .name = "subbuf-size", .arg = "KB", .call = set_subbuf, .help = "set the size of the buffer's sub-buffers" },
	{ OPT_U64, .name = "cmdlines-size", .arg = "NUMBER", .offset = TO(spec.cmdlines_size), .help = "let the kernel remember the names of this many tasks" },
	OPT_END,
};

const struct opt aside_options[] = {
	{ OPT_FLAG, .name = "private", .offset = TO(spec.private_), .help = "record in a trace instance that ringside makes, not in the top buffer" },
	{ OPT_FLAG, .name = "force", .offset = TO(spec.force),
	  .help = "take over a buffer that somebody else uses, and put its settings back afterwards; also, put a uprobe even where no instruction begins" },
	OPT_END,
};

static int check(const struct cmd *cmd, struct record_opts *o)
{
	const struct record_spec *spec = &o->spec;

	if (spec->only_command && !spec->argv)
		return usage(cmd, "-F records only the command, but there is none"), -EINVAL;
	if (spec->children && !spec->only_command && !spec->pids.n)
		return usage(cmd, "-c is for the children of -F or -P"), -EINVAL;
	if (spec->user && !spec->argv)
		return usage(cmd, "--user is for a command, but there is none"), -EINVAL;
	return apply_module(o) ? fail(ENOMEM, "out of memory") : 0;
}

int trace_parse(const struct cmd *cmd, struct record_opts *o, int argc, char **argv)
{
	char **operands;
	int n;

	o->spec.program = "ringside " RINGSIDE_VERSION;
	if (vec_push(&o->spec.buffers, (struct buffer_spec){ 0 }))
		return fail(ENOMEM, "out of memory");
	n = opt_parse(cmd, o, argc, argv, &operands);
	if (n < 0)
		return n;
	if (n)
		o->spec.argv = operands;
	return check(cmd, o);
}

void record_opts_fini(struct record_opts *o)
{
	record_spec_fini(&o->spec);
	strv_fini(&o->texts);
	strv_fini(&o->removed);
	strv_fini(&o->why);
}
