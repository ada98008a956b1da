/* SPDX-License-Identifier: GPL-2.0 */
/* What --profile and -H add to a recording. */
#include "cmd/record.h"

#include "lib/analysis/profile-pairs.h"
#include "lib/base/err.h"
#include "lib/base/str.h"

#include <stdio.h>

/* The events of --profile, which are those of trace-cmd. Not every kernel has all of them. */
static const struct {
	const char *pattern;
	bool stack;
} profiled[] = {
	{ "sched:sched_switch", true }, { "sched:sched_wakeup", true },		 { "sched:sched_wakeup_new", true }, { "sched:sched_process_exec", false },
	{ "raw_syscalls", false },	{ "exceptions:page_fault_user", false }, { "irq:irq_handler_entry", false }, { "irq:irq_handler_exit", false },
	{ "irq:softirq_raise", false }, { "irq:softirq_entry", false },		 { "irq:softirq_exit", false },
};

#define TO(field) offsetof(struct record_opts, field)

const struct opt profile_flag[] = {
	{ OPT_FLAG, .name = "profile", .offset = TO(profile),
	  .help = "record also what `report --profile` shows: sched events with stacks, system calls, page faults, interrupts, and one level of function_graph (the outermost functions of the kernel)" },
	OPT_END,
};

/*
 * The rows of the options that shape a profile. In their help, @when stands before what -S does, and @elsewhere before what -G and --by-comm do. @adds is
 * what adds events, and @shows is what prints the profile.
 */
#define PROFILE_ROWS(when, elsewhere, adds, shows) \
	{ OPT_FLAG, 'S', .offset = TO(only_given), \
	  .help = when "record only the events and the tracer that other options name, not those that " adds " adds" }, \
		{ OPT_FLAG, 'G', .offset = TO(irq_global), .help = elsewhere "count interrupts per CPU, not per task" }, \
		{ OPT_FLAG, .name = "by-comm", .offset = TO(by_comm), .help = elsewhere "put tasks of the same name together" }, \
	{ \
		OPT_STRV, 'H', .arg = "HOOK", .offset = TO(spec.hooks), \
			       .help = "HOOK is START,FIELD[,PID]/END,FIELD[,FLAGS]: record the events START and END; " shows \
				       " shows the time from each START to the END whose FIELD has the same value; ringside-report(1) explains PID and FLAGS" \
	}

const struct opt profile_options[] = { PROFILE_ROWS("with --profile: ", "no effect here; in `report --profile`: ", "--profile", "`report --profile`"),
				       OPT_END };
const struct opt profiling_options[] = { PROFILE_ROWS("", "", "`ringside profile`", "the profile"), OPT_END };

static int add_event(struct buffer_spec *b, const char *pattern, bool stack)
{
	struct event_spec event = { .pattern = pattern };
	int err = stack ? strv_add(&event.triggers, "stacktrace") : 0;

	err = err ? err : vec_push(&b->events, event);
	if (err)
		strv_fini(&event.triggers);
	return err;
}

/* Does one of the buffer's own probes make this event? Then the event is recorded already, and does not exist yet. */
static bool is_probe(const struct buffer_spec *b, const struct profile_side *side)
{
	__cleanup(free_ptr) char *name = str_printf("name=%s/%s", side->system ? side->system : "", side->event);
	const size_t n = name ? strlen(name) : 0;

	vec_each (&b->events, event) {
		const char *at = event->probes && name ? strstr(event->pattern, name) : NULL;

		if (at && (!at[n] || at[n] == ' '))
			return true;
	}
	return false;
}

static int add_side(struct record_opts *o, struct buffer_spec *b, const struct profile_side *side, bool stack)
{
	char *name = str_printf("%s%s%s", side->system ? side->system : "", side->system ? ":" : "", side->event);

	if (strv_own(&o->texts, name))
		return -ENOMEM;
	if (is_probe(b, side))
		return 0;
	return add_event(b, name, stack);
}

/* Adds one level of calls if the kernel has it, in the top buffer only, because other buffers do not have it in all kernels. */
static void add_graph(const struct record_opts *o, struct buffer_spec *b, const struct tracedir *top)
{
	strv_t tracers = { 0 };

	if (b->tracer || b->name || o->spec.private_)
		return;
	if (!tracedir_list(top, TRACEDIR_TRACERS, &tracers) && strv_has(&tracers, "function_graph") && tracedir_has(top, "max_graph_depth")) {
		b->tracer = "function_graph";
		if (!b->has_depth)
			b->max_graph_depth = 1;
		b->has_depth = true;
	}
	strv_fini(&tracers);
}

static int add_profiled(struct record_opts *o, struct buffer_spec *b)
{
	struct tracedir top = TRACEDIR_NONE;
	int err = tracedir_open(&top, NULL);

	if (!err)
		add_graph(o, b, &top);
	for (size_t i = 0; !err && i < ARRAY_LEN(profiled); i++) {
		char file[64];

		snprintf(file, sizeof(file), "events/%s", profiled[i].pattern);
		if (strchr(file, ':'))
			*strchr(file, ':') = '/';
		if (tracedir_has(&top, file))
			err = add_event(b, profiled[i].pattern, profiled[i].stack);
	}
	tracedir_fini(&top);
	return err;
}

static int add_to_buffer(struct record_opts *o, struct buffer_spec *b, const struct profile_pair *hooks, size_t nhooks)
{
	int err = o->profile && !o->only_given ? add_profiled(o, b) : 0;

	for (size_t i = 0; !err && i < nhooks; i++) {
		err = add_side(o, b, &hooks[i].start, hooks[i].stack);
		err = err ? err : add_side(o, b, &hooks[i].end, false);
	}
	return err == -ENOMEM ? fail(ENOMEM, "out of memory") : err;
}

int record_profile(struct record_opts *o)
{
	struct profile_pairs pairs;
	size_t built_in;
	int err;

	if (o->only_given && !o->profile)
		return fail(EINVAL, "-S is for --profile");
	if (!o->profile && !o->spec.hooks.n)
		return 0;
	err = profile_pairs_init(&pairs, &o->spec.hooks);
	built_in = pairs.all.n - MIN(pairs.all.n, o->spec.hooks.n);
	for (size_t i = o->spec.buffers.n > 1; !err && i < o->spec.buffers.n; i++)
		err = add_to_buffer(o, &o->spec.buffers.at[i], pairs.all.at + built_in, o->spec.hooks.n);
	profile_pairs_fini(&pairs);
	return err;
}
