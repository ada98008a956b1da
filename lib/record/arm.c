/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/record/arm.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/parse.h"
#include "lib/record/probes.h"
#include "lib/record/whom.h"
#include "lib/tracefs/meta.h"
#include "lib/tracefs/refused.h"
#include <fcntl.h>
#include <linux/membarrier.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * WAKE_KB: the recording threads are woken when a buffer holds this much, which is what a pipe takes at once. The fill level is kept between the two
 * percentages.
 */
enum { WAKE_KB = 1024, LEAST_PERCENT = 3, MOST_PERCENT = 30 };

static int open_top(struct session *s, const struct record_spec *spec, const struct buffer_spec *b, struct armed *armed, char **said)
{
	const char *files[3] = { NULL };
	struct session_want want = {
		.tracer = b->tracer,
		.files = files,
		.private_ = spec->private_,
		.force = spec->force,
	};
	size_t n = 0;

	if (b->graph.n)
		files[n++] = "set_graph_function";
	if (b->has_depth)
		files[n++] = "max_graph_depth";
	return session_top(s, &want, &armed->inst, said);
}

/*
 * Sets the fill level of a CPU's buffer at which the kernel wakes the reader. It is low enough that new events have room while the buffer is read, and high
 * enough that wake-ups are few.
 */
static int set_percent(const struct armed *armed, bool live)
{
	__cleanup(free_ptr) char *text = NULL;
	uint64_t kb, percent;

	if (live && tracedir_has(&armed->inst->dir, "buffer_percent"))
		return session_set(armed->inst, "buffer_percent", "0");
	/* Before the first use, the file reads "7 (expanded: 1408)". */
	if (!tracedir_has(&armed->inst->dir, "buffer_percent") || tracedir_read(&armed->inst->dir, "per_cpu/cpu0/buffer_size_kb", &text))
		return 0;
	kb = strtoull(text, NULL, 10);
	if (strstr(text, "expanded: "))
		kb = strtoull(strstr(text, "expanded: ") + strlen("expanded: "), NULL, 10);
	percent = kb ? WAKE_KB * 100 / kb : MOST_PERCENT;
	percent = MAX(MIN(percent, (uint64_t)MOST_PERCENT), (uint64_t)LEAST_PERCENT);
	return session_setf(armed->inst, "buffer_percent", "%u", (unsigned int)percent);
}

static int set_sizes(const struct armed *armed)
{
	const struct buffer_spec *b = armed->spec;
	int err = 0;

	if (b->subbuf_kb && !tracedir_has(&armed->inst->dir, "buffer_subbuf_size_kb"))
		return fail(ENOENT, "--subbuf-size: this kernel cannot change the size of sub-buffers (it has no "
				    "buffer_subbuf_size_kb)");
	if (b->subbuf_kb)
		err = session_setf(armed->inst, "buffer_subbuf_size_kb", "%llu", (unsigned long long)b->subbuf_kb);
	if (!err && b->size_kb)
		err = session_setf(armed->inst, "buffer_size_kb", "%llu", (unsigned long long)b->size_kb);
	return err;
}

static int set_basics(const struct armed *armed)
{
	const struct buffer_spec *b = armed->spec;
	int err = 0;

	if (b->clock)
		err = session_set(armed->inst, "trace_clock", b->clock);
	if (!err)
		err = set_sizes(armed);
	if (!err && b->cpumask)
		err = session_set(armed->inst, "tracing_cpumask", b->cpumask);
	if (!err && b->has_depth)
		err = session_setf(armed->inst, "max_graph_depth", "%llu", (unsigned long long)b->max_graph_depth);
	return err;
}

static int set_functions(const struct armed *armed)
{
	const struct {
		const char *file;
		const strv_t *names;
	} rows[] = {
		{ "set_ftrace_filter", &armed->spec->functions },
		{ "set_ftrace_notrace", &armed->spec->not_functions },
		{ "set_graph_function", &armed->spec->graph },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		int err = rows[i].names->n ? session_set_list(armed->inst, rows[i].file, rows[i].names) : 0;

		if (err)
			return err;
	}
	return 0;
}

static int set_tracer(const struct armed *armed)
{
	const struct buffer_spec *b = armed->spec;
	int err = set_functions(armed);

	/* Options are set after the tracer, because some of them (func_stack_trace) exist only once their tracer is there. */
	if (!err && b->tracer)
		err = session_set(armed->inst, "current_tracer", b->tracer);
	vec_each (&b->options, option)
		if (!err)
			err = session_option(armed->inst, *option);
	/* set_functions() above has emptied the list of functions. That leaves the function commands alone. */
	return err ? err : session_funcommands(armed->inst, &b->funcommands);
}

static int set_filters(const struct armed *armed, const struct event_spec *event)
{
	size_t without;
	int err = session_filters(armed->inst, &event->found, event->filter, &without);

	if (!err && without)
		note("-f '%s' is for %zu of the %zu events of %s; the others have no such field and are recorded whole", event->filter,
		     event->found.n - without, event->found.n, event->pattern);
	return err;
}

static int set_conditions(const struct armed *armed, const struct event_spec *event)
{
	int err = event->filter ? set_filters(armed, event) : 0;

	vec_each (&event->found, name)
		vec_each (&event->triggers, trigger)
			if (!err)
				err = session_trigger(armed->inst, *name, *trigger);
	return err;
}

static void drop_name(strv_t *list, const char *name)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->at[i], name) == 0)
			free(list->at[i]);
		else
			list->at[kept++] = list->at[i];
	list->n = kept;
}

/* Lists the events that are on in the end. An -e adds its events, and an -e behind -v takes its events away. */
static int chosen_events(const struct buffer_spec *b, strv_t *out)
{
	vec_each (&b->events, event)
		vec_each (&event->found, name) {
			if (event->counted)
				continue;
			else if (event->off)
				drop_name(out, *name);
			else if (!strv_has(out, *name) && strv_add(out, *name))
				return fail(ENOMEM, "no memory for the list of events");
		}
	return 0;
}

/* Switches off the events behind -v, as of `set -v -e sched`, whoever has switched them on. */
static int clear_events(const struct armed *armed)
{
	int err = 0;

	vec_each (&armed->spec->events, event)
		if (!err && event->off && event->found.n)
			err = session_events(armed->inst, &event->found, false);
	return err;
}

static int set_events(const struct armed *armed, const struct record_spec *spec)
{
	strv_t on = { 0 };
	int err = spec->join == JOIN_ADD ? clear_events(armed) : 0;

	vec_each (&armed->spec->events, event)
		if (!err && !event->counted)
			err = set_conditions(armed, event);
	if (!err)
		err = chosen_events(armed->spec, &on);
	if (!err && on.n)
		err = session_events(armed->inst, &on, true);
	strv_fini(&on);
	return err;
}

static int finish(struct armed *armed)
{
	armed->clock = tracedir_current(&armed->inst->dir, "trace_clock");
	if (!armed->clock)
		armed->clock = strdup("local");
	if (!armed->clock)
		return fail(ENOMEM, "no memory for a clock's name");
	armed->page_size = meta_page_size(&armed->inst->dir);
	armed->gate = instance_fd(armed->inst, "tracing_on", O_WRONLY);
	return armed->gate < 0 ? armed->gate : 0;
}

/* Returns 1 if a snapshot has been taken, 0 if not (the file "snapshot" then reads "Snapshot is freed"), or -errno after a message. */
static int has_snapshot(const struct tracedir *dir)
{
	__cleanup(free_ptr) char *text = NULL;
	int err = tracedir_read(dir, "snapshot", &text);

	if (err == -ENOENT)
		return fail(ENOENT, "this kernel has no snapshots: it would have to be built with CONFIG_TRACER_SNAPSHOT");
	return err ? refused(dir, "snapshot", -err) : !strstr(text, "* Snapshot is freed *");
}

/* Fails if no buffer has a snapshot. If only some buffers have none, notes it. */
static int check_snapshots(const armedvec_t *armed)
{
	__cleanup(free_ptr) char *list = NULL;
	strv_t without = { 0 };
	int err = 0;

	vec_each (armed, one) {
		const int has = err ? err : has_snapshot(&one->inst->dir);

		err = has < 0 ? has : !has && strv_add(&without, one->inst->dir.path) ? fail(ENOMEM, "out of memory") : 0;
	}
	list = without.n ? join_names(&without, "there is no snapshot in ", ": `ringside snapshot -s` takes one") : NULL;
	if (!err && list)
		err = without.n == armed->n ? fail(ENODATA, "%s", list) : (note("%s", list), 0);
	strv_fini(&without);
	return err;
}

static int take_instance(struct session *s, const struct record_spec *spec, struct armed *armed, char **said)
{
	const struct buffer_spec *b = armed->spec;
	char *one = NULL;
	int err;

	if (spec->join == JOIN_NOT && !spec->as_is)
		return b->name ? session_instance(s, b->name, spec->force, &armed->inst) : open_top(s, spec, b, armed, said);
	err = session_join(s, b->name ? b->name : "", spec->as_is ? JOIN_ADD : spec->join, &armed->inst, &one);
	if (!err && spec->as_is)
		err = session_keep_on(armed->inst);
	if (one && !*said)
		*said = take(one);
	free(one);
	return err;
}

static int arm_one(struct session *s, const struct record_spec *spec, pid_t command, struct armed *armed, char **said)
{
	int err = take_instance(s, spec, armed, said);

	if (!err)
		err = set_basics(armed);
	/* The recording threads read the buffer while it fills. */
	session_own(s, true);
	if (!err && spec->join == JOIN_NOT)
		err = set_percent(armed, spec->live);
	session_own(s, false);
	if (!err)
		err = arm_pids(armed, spec, command);
	if (!err)
		err = set_tracer(armed);
	if (!err)
		err = set_events(armed, spec);
	return err ? err : finish(armed);
}

int arm(struct session *s, const struct record_spec *spec, pid_t command, armedvec_t *out, char **said)
{
	int err = 0;

	*said = NULL;
	/* The size of the list of task names is the same for all buffers, and its file is in the top directory. */
	if (spec->cmdlines_size) {
		struct instance top = { .session = s, .name = (char *)"", .dir = *session_dir(s) };

		err = session_setf(&top, "saved_cmdlines_size", "%llu", (unsigned long long)spec->cmdlines_size);
	}
	if (!err && spec->no_functions)
		err = session_sysctl(s, "ftrace_enabled", "0");
	err = err ? err : probes_arm(s, spec);
	vec_each (&spec->buffers, buffer) {
		if (err || !buffer_used(spec, buffer))
			continue;
		err = vec_push(out, (struct armed){ .spec = buffer, .gate = -1 });
		if (!err)
			err = arm_one(s, spec, command, &out->at[out->n - 1], said);
	}
	return !err && spec->snapshot ? check_snapshots(out) : err;
}

void armed_fini(armedvec_t *v)
{
	vec_each (v, one) {
		close_fd(&one->gate);
		free(one->clock);
	}
	vec_fini(v);
}

/*
 * These events come when a task wakes or goes to sleep on an idle CPU. The filter leaves them out for the task whose id replaces #. .of_idle is true for
 * events that only idle tasks cause. Idle tasks are not traced when the user has chosen some tasks.
 */
static const struct {
	const char *event, *filter;
	bool of_idle;
} wakings[] = {
	{ "sched:sched_switch", "(prev_pid != # || next_pid != 0) && (prev_pid != 0 || next_pid != #)", true },
	{ "sched:sched_waking", "pid != #", false },
	{ "sched:sched_wakeup", "pid != #", false },
	{ "sched:sched_migrate_task", "pid != #", false },
};

/* Returns the filter of the event, which is that of the last -e that names it. NULL: it has none. */
static const char *filter_of(const struct buffer_spec *b, const char *name)
{
	const char *filter = NULL;

	vec_each (&b->events, event)
		if (!event->off && strv_has(&event->found, name) && event->filter)
			filter = event->filter;
	return filter;
}

static int hide_waking(const struct armed *armed, const char *name, const char *filter, pid_t tid)
{
	const char *given = filter_of(armed->spec, name);
	struct str text = { 0 };
	int err;

	if (given)
		str_addf(&text, "(%s) && (", given);
	for (const char *at = filter; *at; at++)
		if (*at == '#')
			str_addf(&text, "%d", tid);
		else
			str_addc(&text, *at);
	if (given)
		str_addc(&text, ')');
	err = str_ok(&text);
	err = err ? fail(ENOMEM, "no memory for a filter") : session_filter(armed->inst, name, str_text(&text));
	str_fini(&text);
	return err;
}

int arm_without_waking(const armedvec_t *armed, const struct record_spec *spec, pid_t tid)
{
	const bool idle = arm_traces_us(spec);
	int err = 0;

	if (spec->self)
		return 0;
	vec_each (armed, one) {
		strv_t on = { 0 };

		err = err ? err : chosen_events(one->spec, &on);
		session_own(one->inst->session, true);
		for (size_t i = 0; i < ARRAY_LEN(wakings) && !err; i++)
			if ((idle || !wakings[i].of_idle) && strv_has(&on, wakings[i].event))
				err = hide_waking(one, wakings[i].event, wakings[i].filter, tid);
		session_own(one->inst->session, false);
		strv_fini(&on);
	}
	return err;
}

void arm_writers_done(void)
{
	syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
}
