/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/count-bpf.h"
#include "cmd/kernel-names.h"
#include "lib/base/err.h"
#include "lib/base/now.h"
#include "lib/record/probes.h"
#include "lib/tracefs/doctor.h"
#include "lib/tracefs/select.h"

#include <ctype.h>
#include <unistd.h>

/* The histograms of all events share ALL_KEYS keys. An event gets at least LEAST_KEYS and at most MOST_KEYS, unless an option says otherwise. */
enum { ALL_KEYS = 131072, LEAST_KEYS = 2048, MOST_KEYS = 32768 };

/*
 * An event that happens in one task and is about another has that task's process id in this field. The kernel's list of processes (set_event_pid) lets the
 * event through for either task, so it counts for both.
 */
static const struct {
	const char *event, *field;
} about[] = {
	{ "sched:sched_switch", "next_pid" },
	{ "sched:sched_waking", "pid" },
	{ "sched:sched_wakeup", "pid" },
	{ "sched:sched_wakeup_new", "pid" },
};

const char count_kernel_forks[] = "sched:sched_process_fork";
static const char fork_keys[] = "common_pid,child_pid";

/* --- can it? --------------------------------------------------------------------------------------------------- */

static bool has_key(const struct kernel_event *event, const char *name)
{
	for (size_t i = 0; i < event->nkeys; i++)
		if (strcmp(event->keys[i].name, name) == 0)
			return true;
	return false;
}

/* Adds the key unless the event has it. Returns false if the event has as many keys as a histogram can have. */
static bool add_key(struct kernel_event *event, int what, const char *name)
{
	if (has_key(event, name))
		return true;
	if (event->nkeys == HIST_MOST_KEYS)
		return false;
	event->keys[event->nkeys++] = (struct kernel_key){ what, name, NULL };
	return true;
}

/* Adds the keys of the event's histogram. A field that the event lacks is left out of the histogram, although the count has it as a key. */
static bool add_keys(const struct count_kernel *k, struct kernel_event *event, const strv_t *fields)
{
	bool fit = true;

	if (k->follows)
		fit = add_key(event, KERNEL_PID, "common_pid");
	for (size_t i = 0; k->follows && i < ARRAY_LEN(about); i++)
		if (strcmp(about[i].event, event->name) == 0)
			fit &= add_key(event, KERNEL_TO, about[i].field);
	vec_each (&k->spec->keys, key) {
		if (key->of == COUNT_COMM || key->of == COUNT_PID)
			fit &= add_key(event, KERNEL_PID, "common_pid");
		else if (key->of == COUNT_CPU)
			fit &= add_key(event, KERNEL_CPU, "common_cpu");
		else if (key->of == COUNT_FIELD && strv_has(fields, key->field))
			fit &= add_key(event, KERNEL_FIELD, key->field);
	}
	/* The stack is the last key because its text takes several lines. */
	if (count_by_stack(k->spec))
		fit &= add_key(event, KERNEL_STACK, k->stack_key);
	return event->nkeys ? fit : add_key(event, KERNEL_CPU, "common_cpu");
}

static bool by_list(const struct count_spec *spec, const struct tracedir *top, const char *event)
{
	vec_each (&spec->keys, key)
		if (key->of == COUNT_FIELD && event_has_list(top, event, key->field))
			return true;
	return false;
}

/* Can the kernel take the filter? Returns 1 if so, 0 if it has words that only ringside knows, or -ENOENT if the event lacks a field of it. */
static int takes_filter(const char *filter, const strv_t *fields)
{
	for (const char *at = filter; *at;) {
		size_t n = 0;

		if (*at == '"') {
			at += 1 + strcspn(at + 1, "\"");
			if (!*at++)
				return 0;
			continue;
		}
		while (isalnum((unsigned char)at[n]) || at[n] == '_')
			n++;
		if (n && !isdigit((unsigned char)*at)) {
			__cleanup(free_ptr) char *word = strndup(at, n);

			if (word && strcmp(word, "common_pid") && !strv_has(fields, word))
				return isupper((unsigned char)*word) ? 0 : -ENOENT;
		} else if (!n && (!strchr(" ()<>=!&|~-", *at) || str_starts(at, "=~") || str_starts(at, "!~"))) {
			return 0;
		}
		at += n ? n : 1;
	}
	return 1;
}

/* Takes over @event even if @err is set. Writes its keys for a trigger, if any such event can @count. Returns 0 or -errno. */
static int add_event(struct count_kernel *k, struct kernel_event *event, int err, bool count)
{
	struct str typed = { 0 };

	for (size_t i = 0; i < event->nkeys; i++)
		str_addf(&typed, "%s%s%s", i ? "," : "", event->keys[i].name, event->keys[i].what == KERNEL_PID ? ".execname" : "");
	err = err ? err : str_ok(&typed);
	event->typed = err || !count ? NULL : str_take(&typed);
	str_fini(&typed);
	err = err ? err : vec_push(&k->events, *event);
	if (err) {
		free(event->name);
		free(event->typed);
	}
	return err;
}

static int plan_event(struct count_kernel *k, const struct tracedir *top, const char *name, char **why_not)
{
	struct kernel_event event = { .name = strdup(name) };
	strv_t fields = { 0 };
	int takes, err = event.name ? event_fields(top, name, &fields) : -ENOMEM;

	takes = k->filter && !err ? takes_filter(k->filter, &fields) : 1;
	if (!err && !hist_is_there(top, name))
		*why_not = str_printf("this kernel has no histograms of events (CONFIG_HIST_TRIGGERS)");
	else if (!err && !takes)
		*why_not = str_printf("the condition is in words that its histograms do not have");
	else if (!err && count_by_common(k->spec))
		*why_not = str_printf("its histograms take no field that all events have but the task's number");
	else if (!err && by_list(k->spec, top, name))
		*why_not = str_printf("its histograms take no list of numbers as a key");
	else if (!err && !add_keys(k, &event, &fields))
		*why_not = str_printf("its histograms have at most %d keys, and this takes more%s", HIST_MOST_KEYS,
				      k->follows ? " with those that tell whose events they are" : "");
	if (k->spec->sum && strv_has(&fields, k->spec->sum))
		event.sums = true;
	strv_fini(&fields);
	/* -ENOENT: the event lacks a field of the condition, so none is counted. */
	return add_event(k, &event, err, takes != -ENOENT);
}

/* Does an option choose among the records? */
static bool chooses(const struct count_kernel *k)
{
	const struct reading *r = &k->ask->read.reading;
	const struct select_options *s = &r->select;

	return s->pids.n || s->tids.n || s->comms.n || s->keep.n || s->drop.n || s->no_hardirq || s->no_softirq || r->has_cpus || r->since || r->until ||
	       r->within.min_duration;
}

/* Settles what is the same for all events. */
static void begin_plan(struct count_kernel *k, const struct tracedir *top, char **why_not)
{
	k->follows = !k->ask->everybody;
	k->stack_key = hist_stack_key(top);
	if (chooses(k))
		*why_not = str_printf("it counts before options such as --comm, --cpu and -F can choose");
}

static int plan_histograms(struct count_kernel *k, const struct tracedir *top, const strv_t *names, char **why_not)
{
	int err = 0;

	if (k->follows && !hist_is_there(top, count_kernel_forks))
		*why_not = str_printf("this kernel has no histograms of events (CONFIG_HIST_TRIGGERS)");
	vec_each (names, name)
		if (!err && !*why_not)
			err = plan_event(k, top, *name, why_not);
	return err ? err : *why_not != NULL;
}

/* Plans a count by BPF programs, or by histograms where these cannot count. Why BPF programs cannot count is not reported if histograms can. */
static int plan_cheapest(struct count_kernel *k, const struct tracedir *top, const strv_t *names, char **why_not)
{
	__cleanup(free_ptr) char *bpf_why_not = NULL;
	int err = names->n && hist_is_there(top, names->at[0]) ? count_bpf_plan(k, top, names, &bpf_why_not) : 1;

	return err > 0 ? plan_histograms(k, top, names, why_not) : err;
}

int count_kernel_plan(struct count_kernel *k, const strv_t *events, enum count_by_what what, char **why_not)
{
	struct tracedir top = TRACEDIR_NONE;
	strv_t names = { 0 };
	int err = tracedir_open(&top, NULL);

	*why_not = NULL;
	vec_each (events, pattern)
		err = err ? err : events_find(&top, *pattern, &names);
	if (!err)
		begin_plan(k, &top, why_not);
	if (!err && !*why_not) {
		err = what == COUNT_BPF ? count_bpf_plan(k, &top, &names, why_not) : plan_cheapest(k, &top, &names, why_not);
		if (err == -ENOMEM)
			fail(ENOMEM, "out of memory");
	}
	strv_fini(&names);
	tracedir_fini(&top);
	return err < 0 ? err : *why_not != NULL;
}

/* --- calls of functions ------------------------------------------------------------------------------------------ */

/* Each probe takes the kernel some time to set up and to remove. */
enum { MOST_FUNCTIONS = 200 };

static const char calls_event[] = "ftrace:function", calls_format[] = "events/ftrace/function/format";

static void drop_doubles(strv_t *names)
{
	size_t kept = 0;

	strv_sort(names);
	for (size_t i = 0; i < names->n; i++) {
		if (kept && strcmp(names->at[i], names->at[kept - 1]) == 0)
			free(names->at[i]);
		else
			names->at[kept++] = names->at[i];
	}
	names->n = kept;
}

/* Finds the functions that match @globs; one that matches several is there once. Returns 0, or -errno after a message. */
static int find_functions(struct count_kernel *k, const struct tracedir *top, strv_t *globs, char **why_not)
{
	size_t refused = 0, all = 0;
	int err = functions_check(top, &(struct functions_asked){ "--func", globs }, 1);

	vec_each (globs, glob) {
		err = err ? err : probes_functions(top, *glob, &k->functions, &refused);
		all += refused;
	}
	drop_doubles(&k->functions);
	if (!err && all)
		*why_not = str_printf("%zu of the functions cannot have a probe, as they are on the kernel's blacklist or share their names", all);
	else if (!err && k->functions.n > MOST_FUNCTIONS)
		*why_not = str_printf("these are %zu functions, and at most %d get a probe each", k->functions.n, MOST_FUNCTIONS);
	return err;
}

/* Plans the event of the probes. It tells which task called, on which CPU, which function, and from where. */
static int plan_calls(struct count_kernel *k, char **why_not)
{
	struct kernel_event event = { .name = str_printf("ringside:count_%d", (int)getpid()), .as = calls_event };
	bool fit = true;

	if (k->follows)
		fit = add_key(&event, KERNEL_PID, "common_pid");
	vec_each (&k->spec->keys, key) {
		if (key->of == COUNT_COMM || key->of == COUNT_PID)
			fit &= add_key(&event, KERNEL_PID, "common_pid");
		else if (key->of == COUNT_CPU)
			fit &= add_key(&event, KERNEL_CPU, "common_cpu");
		else if (key->of == COUNT_FIELD && strcmp(key->field, "ip") == 0)
			fit &= add_key(&event, KERNEL_FIELD, "__probe_ip");
		else if (key->of == COUNT_FIELD && !*why_not)
			*why_not = str_printf("its probes do not tell %s", key->field);
	}
	if (count_by_stack(k->spec))
		fit &= add_key(&event, KERNEL_STACK, k->stack_key);
	for (size_t i = 0; i < event.nkeys; i++)
		if (event.keys[i].what == KERNEL_FIELD)
			event.keys[i].field = "ip";
	if (!event.nkeys)
		fit = add_key(&event, KERNEL_CPU, "common_cpu");
	if (!fit && !*why_not)
		*why_not = str_printf("its histograms have at most %d keys, and this takes more", HIST_MOST_KEYS);
	return add_event(k, &event, event.name ? 0 : -ENOMEM, true);
}

int count_kernel_plan_functions(struct count_kernel *k, strv_t *globs, char **why_not)
{
	struct tracedir top = TRACEDIR_NONE;
	const char *lacks;
	int err = tracedir_open(&top, NULL);

	*why_not = NULL;
	lacks = err ? NULL : doctor_lacks(&top, "kprobe");
	if (!err)
		begin_plan(k, &top, why_not);
	if (!err && !*why_not && k->follows && !hist_is_there(&top, count_kernel_forks))
		*why_not = str_printf("this kernel has no histograms of events (CONFIG_HIST_TRIGGERS)");
	if (!err && !*why_not && (lacks || !tracedir_has(&top, calls_format)))
		*why_not = str_printf("this kernel has no probes of its functions (%s)", lacks ? lacks : "CONFIG_FUNCTION_TRACER");
	if (!err && !*why_not && (k->filter || k->spec->sum))
		*why_not = str_printf("its probes have no fields for -f and --sum");
	if (!err && !*why_not)
		err = find_functions(k, &top, globs, why_not);
	if (!err && !*why_not)
		err = plan_calls(k, why_not) ? fail(ENOMEM, "out of memory") : 0;
	tracedir_fini(&top);
	return err ? err : *why_not != NULL;
}

/* Makes the probe of one function. All probes belong to one event: the first probe makes it, and the others join it. */
static int make_probe(struct session *session, const char *event, const char *function, bool first)
{
	__cleanup(free_ptr) char *text = str_printf("p:%s %s", event, function), *remove = str_printf("-:%s", event), *what = NULL;
	size_t at = 0;
	int err;

	if (!text || !remove)
		return fail(ENOMEM, "out of memory");
	err = first ? session_dynevent(session, text, NULL, remove, &what, &at) : session_dynevent_also(session, text, &what, &at);
	return what ? fail(-err, "--func: the kernel takes no probe of %s: %s; --in stream counts the calls as they come", function, what) : err;
}

int count_kernel_prepare(struct count_kernel *k, struct session *session)
{
	__cleanup(free_ptr) char *event = NULL;
	bool first = true;
	int err = 0;

	if (k->tally)
		return count_bpf_prepare(k, session);
	if (!k->functions.n)
		return 0;
	event = strdup(k->events.at[0].name);
	if (!event)
		return fail(ENOMEM, "out of memory");
	event[strcspn(event, ":")] = '/';
	vec_each (&k->functions, function) {
		err = err ? err : make_probe(session, event, *function, first);
		first = false;
	}
	return err;
}

/* --- arming ------------------------------------------------------------------------------------------------------ */

/* Adds " if ...": the filter and, where all tasks are counted, a condition that leaves out ringside's own threads. */
static void add_condition(const struct count_kernel *k, struct str *out)
{
	if (k->filter)
		str_addf(out, " if (%s)", k->filter);
	if (!k->follows)
		kernel_without_us(k->inst, k->filter ? " && " : " if ", out);
}

static uint64_t size_of(const struct count_kernel *k)
{
	return k->size ? k->size : MIN(MAX(ALL_KEYS / MAX(k->events.n, (size_t)1), (size_t)LEAST_KEYS), (size_t)MOST_KEYS);
}

/* Sets up the histogram in the paused state. This takes a while, so all histograms are started together afterwards. */
static int arm_event(struct count_kernel *k, struct kernel_event *event)
{
	__cleanup(free_ptr) char *paused = NULL;
	struct str text = { 0 };

	str_addf(&text, "hist:keys=%s", event->typed);
	if (event->sums)
		str_addf(&text, ":vals=%s", k->spec->sum);
	str_addf(&text, ":size=%llu", (unsigned long long)size_of(k));
	add_condition(k, &text);
	event->trigger = str_take(&text);
	str_fini(&text);
	paused = event->trigger ? hist_with(event->trigger, "pause") : NULL;
	return paused ? session_trigger(k->inst, event->name, paused) : fail(ENOMEM, "out of memory");
}

static bool wants_names(const struct count_kernel *k)
{
	vec_each (&k->spec->keys, key)
		if (key->of == COUNT_COMM || key->as == COUNT_EXECNAME)
			return true;
	return false;
}

/* Sets up what tells who forks whom, and what the tasks are called in the end. */
static int arm_tasks(struct count_kernel *k)
{
	__cleanup(free_ptr) char *pids = NULL;
	int err = 0;

	if (k->follows) {
		err = tracedir_read(&k->inst->dir, "set_event_pid", &pids);
		err = err ? fail(-err, "set_event_pid: %s", strerror(-err)) : strv_split(&k->tasks, pids, "\n ");
		err = err ? err : session_trigger(k->inst, count_kernel_forks, "hist:keys=common_pid,child_pid:size=32768");
	}
	return err || !wants_names(k) ? err : kernel_names_arm(k->inst);
}

int count_kernel_ready(struct count_kernel *k, struct instance *inst)
{
	int err;

	k->inst = inst;
	err = k->tally ? count_bpf_ready(k) : arm_tasks(k);
	vec_each (&k->events, event)
		if (event->typed)
			err = err ? err : arm_event(k, event);
	vec_each (&k->events, event)
		if (event->typed)
			err = err ? err : hist_run(inst, event->name, event->trigger, true);
	pthread_mutex_lock(&k->lock);
	k->began_ns = now_ns();
	pthread_mutex_unlock(&k->lock);
	return err;
}

/* Reads all histograms. Forks are read last, so that the fork of each task whose events have been read is known. */
static int read_all(struct count_kernel *k)
{
	int err = 0;

	k->filled = false;
	if (k->tally)
		return count_bpf_read(k);
	vec_each (&k->events, event) {
		free(take(event->text.at));
		if (!err && event->typed)
			err = hist_read(k->inst, event->name, event->typed, &event->text);
	}
	free(take(k->forks.at));
	free(take(k->names.at));
	if (k->follows)
		err = err ? err : hist_read(k->inst, count_kernel_forks, fork_keys, &k->forks);
	if (wants_names(k))
		err = err ? err : kernel_names_read(k->inst, &k->names);
	return err;
}

/* Ends the current part at @now. With --every, a part is the time of one table. */
static void end_part(struct count_kernel *k, uint64_t now)
{
	k->began_ns += k->span_ns;
	k->span_ns = now - k->began_ns;
}

int count_kernel_round(struct count_kernel *k, struct reading *reading, bool *more)
{
	const uint64_t now = now_ns();
	int err = 0;

	pthread_mutex_lock(&k->lock);
	if (k->every_ns && k->began_ns && !k->over && now >= k->began_ns + k->span_ns + k->every_ns) {
		end_part(k, now);
		err = read_all(k);
		*more = true;
		err = err ? err : reading_show(reading);
		*more = false;
	}
	pthread_mutex_unlock(&k->lock);
	return err;
}

void count_kernel_ended(struct count_kernel *k)
{
	bool failed = false;

	if (!k->inst)
		return;
	pthread_mutex_lock(&k->lock);
	vec_each (&k->events, event)
		if (event->typed)
			failed |= hist_run(k->inst, event->name, event->trigger, false);
	failed |= k->tally && tally_run(k->tally, false);
	k->over = true;
	end_part(k, now_ns());
	failed |= read_all(k) != 0;
	k->failed = failed;
	pthread_mutex_unlock(&k->lock);
}

void count_kernel_fini(struct count_kernel *k)
{
	count_bpf_fini(k);
	vec_each (&k->events, event) {
		free(event->name);
		free(event->typed);
		free(event->trigger);
		free(event->text.at);
	}
	vec_fini(&k->events);
	map_fini(&k->before);
	strv_fini(&k->entries);
	strv_fini(&k->tasks);
	strv_fini(&k->functions);
	free(k->forks.at);
	free(k->names.at);
}
