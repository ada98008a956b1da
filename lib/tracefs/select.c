/* SPDX-License-Identifier: GPL-2.0 */
/* Checks the names of tracers, options and clocks, and finds events by patterns. functions.c does this for functions. */
#include "lib/tracefs/select.h"
#include "lib/tracefs/refused.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/parse.h"

/* Returns the end of a sentence about an unknown @word, in new memory: the nearest of @names. When none is near, it has all of them if they are few. */
static char *instead(const char *word, const strv_t *names)
{
	strv_t best = { 0 };
	char *text;

	nearest_names(word, names, 3, &best);
	if (best.n)
		text = join_names(&best, "; nearest: ", "");
	else if (names->n <= 40)
		text = join_names(names, "; there is ", "");
	else
		text = NULL;
	strv_fini(&best);
	return text;
}

/* --- tracers ------------------------------------------------------------------------------------------------ */

static const struct {
	const char *tracer;
	const char *config;
} configs[] = {
	{ "blk", "CONFIG_BLK_DEV_IO_TRACE" },
	{ "function", "CONFIG_FUNCTION_TRACER" },
	{ "function_graph", "CONFIG_FUNCTION_GRAPH_TRACER" },
	{ "hwlat", "CONFIG_HWLAT_TRACER" },
	{ "irqsoff", "CONFIG_IRQSOFF_TRACER" },
	{ "mmiotrace", "CONFIG_MMIOTRACE" },
	{ "osnoise", "CONFIG_OSNOISE_TRACER" },
	{ "preemptirqsoff", "CONFIG_IRQSOFF_TRACER and CONFIG_PREEMPT_TRACER" },
	{ "preemptoff", "CONFIG_PREEMPT_TRACER" },
	{ "timerlat", "CONFIG_TIMERLAT_TRACER" },
	{ "wakeup", "CONFIG_SCHED_TRACER" },
	{ "wakeup_dl", "CONFIG_SCHED_TRACER" },
	{ "wakeup_rt", "CONFIG_SCHED_TRACER" },
};

const char *tracer_config(const char *tracer)
{
	for (size_t i = 0; i < ARRAY_LEN(configs); i++)
		if (strcmp(configs[i].tracer, tracer) == 0)
			return configs[i].config;
	return NULL;
}

int tracer_check(const struct tracedir *dir, const char *tracer)
{
	__cleanup(free_ptr) char *others = NULL;
	const char *config = tracer_config(tracer);
	strv_t names = { 0 };
	int err = tracedir_list(dir, TRACEDIR_TRACERS, &names);
	bool has = strv_has(&names, tracer);

	others = config || names.n <= 8 ? join_names(&names, "; there is ", "") : instead(tracer, &names);
	strv_fini(&names);
	if (err)
		return refused(dir, "available_tracers", -err);
	if (has)
		return 0;
	if (strstr(dir->path, "/instances/"))
		return fail(ENOENT, "the tracer %s is not in this kernel's trace instances%s", tracer, others ? others : "");
	if (config)
		return fail(ENOENT, "the tracer %s is not in this kernel, which would have to be built with %s%s; `ringside doctor` tells what it has", tracer,
			    config, others ? others : "");
	return fail(ENOENT, "there is no tracer '%s' in this kernel%s", tracer, others ? others : "");
}

/* --- options and clocks ------------------------------------------------------------------------------------- */

static int check_name(const struct tracedir *dir, enum tracedir_list what, const char *kind, const char *name, const char *file)
{
	__cleanup(free_ptr) char *near = NULL;
	strv_t names = { 0 };
	int err = tracedir_list(dir, what, &names);
	bool has = strv_has(&names, name) || (what == TRACEDIR_OPTIONS && str_starts(name, "no") && strv_has(&names, name + 2));

	if (!err && !has)
		near = instead(what == TRACEDIR_OPTIONS && str_starts(name, "no") ? name + 2 : name, &names);
	strv_fini(&names);
	if (err)
		return refused(dir, file, -err);
	return has ? 0 : fail(ENOENT, "there is no %s '%s' in this kernel%s", kind, name, near ? near : "");
}

/* Returns true if the names are the same when "-" and "_" count as equal. */
static bool same_but_dashes(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if (*a != *b && !(strchr("-_", *a) && strchr("-_", *b)))
			return false;
	return *a == *b;
}

void option_spell(const struct tracedir *dir, char *name)
{
	strv_t names = { 0 };
	char *off = str_starts(name, "no") ? name + 2 : NULL;

	if (!tracedir_list(dir, TRACEDIR_OPTIONS, &names) && !strv_has(&names, name) && !(off && strv_has(&names, off)))
		vec_each (&names, real) {
			char *at = same_but_dashes(name, *real) ? name : off && same_but_dashes(off, *real) ? off : NULL;

			if (at)
				memcpy(at, *real, strlen(*real));
		}
	strv_fini(&names);
}

int option_check(const struct tracedir *dir, const char *name)
{
	return check_name(dir, TRACEDIR_OPTIONS, "trace option", name, "options");
}

int clock_check(const struct tracedir *dir, const char *clock)
{
	return check_name(dir, TRACEDIR_CLOCKS, "trace clock", clock, "trace_clock");
}

/* --- events ------------------------------------------------------------------------------------------------- */

/* A pattern split at its ':' or '/'. */
struct event_pattern {
	char *system;
	char *name; /* NULL: the pattern has no ':' or '/' */
};

static bool matches(const struct event_pattern *p, char *event)
{
	char *colon = strchr(event, ':');
	bool is;

	if (!colon)
		return false;
	*colon = '\0';
	if (p->name)
		is = glob_match(p->system, event) && (!*p->name || glob_match(p->name, colon + 1));
	else
		is = glob_match(p->system, event) || glob_match(p->system, colon + 1);
	*colon = ':';
	return is;
}

/* Returns true if @pattern names an event of the system ftrace. The kernel describes these events, but they cannot be switched on. */
static bool is_made_by_writers(const struct tracedir *dir, const char *pattern)
{
	__cleanup(free_ptr) char *folder = str_printf("events/%s", pattern);
	char *colon = folder ? strchr(folder, ':') : NULL;

	if (colon)
		*colon = '/';
	return folder && str_starts(folder, "events/ftrace/") && tracedir_has(dir, folder);
}

static int no_event(const struct tracedir *dir, const char *pattern, const strv_t *events)
{
	__cleanup(free_ptr) char *near = NULL;
	const char *colon = strpbrk(pattern, ":/");
	strv_t names = { 0 };

	if (is_made_by_writers(dir, pattern))
		return fail(ENOENT,
			    "'%s' cannot be switched on: tracers (-p) and programs that write to trace_marker make the events of the system ftrace, "
			    "and they are recorded without -e; `-p nop` records nothing else",
			    pattern);
	/* A pattern without a system is compared both with names of events and with names of systems. */
	vec_each (events, event) {
		char *name = strchr(*event, ':');
		char *system = strndup(*event, strcspn(*event, ":"));

		if (!colon && name) {
			strv_add(&names, name + 1);
			if (system && (!names.n || !strv_has(&names, system)))
				strv_add(&names, system);
		} else {
			strv_add(&names, *event);
		}
		free(system);
	}
	near = instead(pattern, &names);
	strv_fini(&names);
	return fail(ENOENT, "there is no event '%s' in this kernel%s", pattern, near ? near : "; `ringside list -e` lists them");
}

int events_find(const struct tracedir *dir, const char *pattern, strv_t *out)
{
	__cleanup(free_ptr) char *copy = strdup(strcmp(pattern, "all") == 0 ? "*" : pattern);
	struct event_pattern p = { .system = copy };
	size_t before = out->n;
	strv_t all = { 0 };
	bool found = false;
	int err;

	if (!copy)
		return fail(ENOMEM, "out of memory");
	p.name = strpbrk(copy, ":/");
	if (p.name)
		*p.name++ = '\0';
	err = tracedir_list(dir, TRACEDIR_EVENTS, &all);
	if (err)
		refused(dir, "available_events", -err);
	for (size_t i = 0; !err && i < all.n; i++) {
		if (!matches(&p, all.at[i]))
			continue;
		found = true;
		/* The kernel's list has no event twice, so only what @out had before is compared. */
		if ((!before || !strv_has(out, all.at[i])) && strv_add(out, all.at[i]))
			err = fail(ENOMEM, "no memory for the list of events");
	}
	if (!err && !found)
		err = no_event(dir, pattern, &all);
	strv_fini(&all);
	return err;
}

/* --- buffers ------------------------------------------------------------------------------------------------ */

uint64_t memory_available_kb(void)
{
	struct text text = { 0 };
	const char *at;
	uint64_t kb = UINT64_MAX;

	if (!io_slurp("/proc/meminfo", &text) && (at = strstr(text.at, "MemAvailable:")))
		kb = strtoull(at + strlen("MemAvailable:"), NULL, 10);
	free(text.at);
	return kb;
}

int buffer_check(uint64_t kb, uint64_t now_kb, unsigned int cpus)
{
	/* A tenth of the memory is left for the recorder and everybody else. */
	uint64_t have = memory_available_kb(), more = kb > now_kb ? kb - now_kb : 0, most = have / 10 * 9 / cpus;

	if (more <= most)
		return 0;
	return fail(ENOMEM,
		    "buffers of %llu MB on each of %u CPUs are %llu MB in all, and of the %llu MB of memory that are available, a tenth is left to others: "
		    "%llu kB on each CPU are possible (-b)",
		    (unsigned long long)(kb >> 10), cpus, (unsigned long long)((kb >> 10) * cpus), (unsigned long long)(have >> 10),
		    (unsigned long long)(now_kb + most));
}
