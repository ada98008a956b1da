/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/latency-bpf.h"
#include "cmd/kernel-names.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/tracefs/refused.h"
#include "lib/tracefs/select.h"

#include <stdio.h>
#include <unistd.h>

enum { DEFAULT_SIZE = 32768 };

/* The clocks of CPUs may disagree, which can make a time negative. As an unsigned number it would exceed this. */
#define MOST_US (UINT64_MAX / 2000)

/* --- can it? --------------------------------------------------------------------------------------------------- */

/* Finds the event that @text names, as "SYSTEM:EVENT". There must be only one. Returns 0, or -errno after a message. */
static int find_event(const struct tracedir *top, const char *text, char **out)
{
	strv_t found = { 0 };
	int err = events_find(top, text, &found);

	if (!err && found.n > 1)
		err = fail(EINVAL, "%s: several events have this name; name one of them, as in %s", text, found.at[0]);
	if (!err) {
		*out = strdup(found.at[0]);
		err = *out ? 0 : fail(ENOMEM, "out of memory");
	}
	strv_fini(&found);
	return err;
}

static bool has_keys(const struct tracedir *top, const char *event, const struct pair_side *side, size_t n, char **why_not)
{
	strv_t fields = { 0 };

	event_fields(top, event, &fields);
	for (size_t i = 0; i < n && !*why_not; i++)
		if (!strv_has(&fields, side->keys[i]) && !pair_key_is_pid(side->keys[i]) && !pair_key_is_cpu(side->keys[i]))
			*why_not = str_printf("%s has no field %s", event, side->keys[i]);
	strv_fini(&fields);
	return !*why_not;
}

/*
 * Of the longest time, the kernel saves the end event's fields: numbers and texts of a fixed size, and no more than a histogram has room for. The kernel takes no
 * single letter for a parameter of save().
 */
enum { MOST_SAVED = 8 };

static int plan_saved(struct latency_kernel *k, const struct tracedir *top)
{
	strv_t fields = { 0 };
	int err = k->probes ? 0 : event_fields(top, k->to, &fields);

	vec_each (&fields, name) {
		__cleanup(free_ptr) char *declared = str_starts(*name, "common_") ? NULL : event_declaration(top, k->to, *name);
		const char *array = declared ? strchr(declared, '[') : NULL;

		if (!err && declared && (*name)[1] && k->saved.n < MOST_SAVED && (!array || (str_starts(declared, "char ") && array[1] != ']')))
			err = strv_add(&k->saved, *name);
	}
	strv_fini(&fields);
	return err;
}

/* Returns the key that is a field of the end event and names a task, or NULL. A key that is the task of the event itself is spelled "common_pid". */
static const char *task_key(const struct latency_kernel *k)
{
	const char *key = NULL;

	for (size_t i = 0; i < k->pair->nkeys; i++)
		key = pair_key_names_task(k->to_keys[i]) ? k->to_keys[i] : key;
	return key;
}

/* Does the histogram tell tasks apart by pid, so that their names have to be found? */
static bool needs_names(const struct latency_kernel *k)
{
	return k->opt->by == DIST_COMM && strcmp(k->keys[0], "common_pid") == 0;
}

static int plan_keys(struct latency_kernel *k, const struct tracedir *top, char **why_not)
{
	const struct dist_options *opt = k->opt;
	const char *by = NULL, *task = task_key(k);

	if (task && opt->by == DIST_COMM)
		by = pair_key_comm(task);
	else if (task && opt->by == DIST_FIELD && strcmp(opt->field, "pid") == 0)
		by = task;
	else if (opt->by == DIST_COMM || opt->by == DIST_TASK || (opt->by == DIST_FIELD && pair_key_is_pid(opt->field)))
		by = "common_pid";
	else if (opt->by == DIST_CPU || (opt->by == DIST_FIELD && pair_key_is_cpu(opt->field)))
		by = "common_cpu";
	else if (opt->by == DIST_FIELD)
		by = opt->field;
	if (by && strcmp(by, "common_pid") != 0 && strcmp(by, "common_cpu") != 0) {
		k->field = event_declaration(top, k->to, by);
		if (!k->field)
			*why_not = str_printf("%s has no field %s", k->to, by);
		else if (!by[1])
			*why_not = str_printf("its histograms pass on no field whose name is a single letter, such as %s", by);
		else if (event_has_list(top, k->to, by))
			*why_not = str_printf("its histograms take no list of numbers as a key, such as %s", by);
	}
	if (opt->by == DIST_TASK)
		*why_not = str_printf("its histograms do not tell tasks of one name apart; --by pid does");
	if (by)
		k->keys[k->nkeys++] = by;
	k->keys[k->nkeys++] = "lat";
	k->typed = by ? str_printf("%s%s,lat", by, strcmp(by, "common_pid") ? "" : ".execname") : strdup("lat");
	k->name = str_printf("ringside_%d", (int)getpid());
	return k->typed && k->name ? 0 : -ENOMEM;
}

/* A field of the event itself is preferred to the one that all events have, whose name the kernel knows with "common_" only. */
static void name_keys(const struct tracedir *top, const char *event, const struct pair_side *side, size_t n, const char **out)
{
	strv_t fields = { 0 };

	event_fields(top, event, &fields);
	for (size_t i = 0; i < n; i++) {
		const char *key = side->keys[i];

		if (strv_has(&fields, key))
			out[i] = key;
		else
			out[i] = pair_key_is_cpu(key) ? "common_cpu" : pair_key_is_pid(key) ? "common_pid" : key;
	}
	strv_fini(&fields);
}

static int find_events(struct latency_kernel *k, const struct tracedir *top)
{
	int err;

	if (k->probes) {
		k->from = strdup(k->pair->from.event);
		k->to = strdup(k->pair->to.event);
		return k->from && k->to ? 0 : fail(ENOMEM, "out of memory");
	}
	err = find_event(top, k->pair->from.event, &k->from);
	return err ? err : find_event(top, k->pair->to.event, &k->to);
}

static int plan_synthetic(struct latency_kernel *k, const struct tracedir *top, char **why_not)
{
	if (strcmp(k->from, k->to) == 0)
		*why_not = str_printf("both events are the same");
	else if (k->probes || (has_keys(top, k->from, &k->pair->from, k->pair->nkeys, why_not) && has_keys(top, k->to, &k->pair->to, k->pair->nkeys, why_not)))
		return plan_keys(k, top, why_not) ?: plan_saved(k, top);
	return 0;
}

/* Plans BPF programs, or a synthetic event where these cannot measure. Why BPF programs cannot measure is not reported if a synthetic event can. */
static int plan_cheapest(struct latency_kernel *k, const struct tracedir *top, char **why_not)
{
	/* The probe is not made yet, so the files of another event tell what the kernel can do. */
	const bool histograms = hist_is_there(top, k->probes ? "sched:sched_switch" : k->from), synthetic = tracedir_has(top, "synthetic_events");
	__cleanup(free_ptr) char *bpf_why_not = NULL;
	int err;

	if (!histograms || !synthetic) {
		*why_not = str_printf("this kernel has no %s",
				      histograms  ? "synthetic events (CONFIG_SYNTH_EVENTS)"
				      : synthetic ? "histograms of events (CONFIG_HIST_TRIGGERS)"
						  : "histograms of events and no synthetic events (CONFIG_HIST_TRIGGERS, CONFIG_SYNTH_EVENTS)");
		return 0;
	}
	err = latency_bpf_plan(k, top, &bpf_why_not);
	return err > 0 ? plan_synthetic(k, top, why_not) : err;
}

int latency_kernel_plan(struct latency_kernel *k, enum latency_by_what what, char **why_not)
{
	struct tracedir top = TRACEDIR_NONE;
	int err = tracedir_open(&top, NULL);

	*why_not = NULL;
	err = err ? err : find_events(k, &top);
	if (!err) {
		name_keys(&top, k->from, &k->pair->from, k->pair->nkeys, k->from_keys);
		name_keys(&top, k->to, &k->pair->to, k->pair->nkeys, k->to_keys);
		err = what == LATENCY_BPF ? latency_bpf_plan(k, &top, why_not) : plan_cheapest(k, &top, why_not);
		if (err == -ENOMEM)
			fail(ENOMEM, "out of memory");
	}
	tracedir_fini(&top);
	return err < 0 ? err : *why_not != NULL;
}

/* --- arming ------------------------------------------------------------------------------------------------------ */

static int make_event(struct latency_kernel *k, struct session *session)
{
	__cleanup(free_ptr) char *text = str_printf("s:%s u64 lat%s%s", k->name, k->field ? "; " : "", k->field ? k->field : "");
	__cleanup(free_ptr) char *remove = str_printf("-:synthetic/%s", k->name);
	__cleanup(free_ptr) char *what = NULL;
	size_t at = 0;
	int err = text && remove ? session_dynevent(session, text, NULL, remove, &what, &at) : fail(ENOMEM, "out of memory");

	return what ? fail(-err, "the kernel does not take the synthetic event: %s\n%s\n%*s^", what, text, (int)at, "") : err;
}

int latency_kernel_prepare(struct latency_kernel *k, struct session *session)
{
	return k->laps ? 0 : make_event(k, session);
}

static void add_keys(const char *const *keys, size_t n, struct str *out)
{
	str_add(out, "hist:keys=");
	for (size_t i = 0; i < n; i++)
		str_addf(out, "%s%s", i ? "," : "", keys[i]);
}

/* Adds the size and the condition. Scheduler events of our own threads are kept, because a wakeup by us is about another task. */
static void add_condition(const struct latency_kernel *k, const char *event, const struct pair_side *side, struct str *out)
{
	str_addf(out, ":size=%llu", (unsigned long long)(k->size ? k->size : DEFAULT_SIZE));
	if (side->filter)
		str_addf(out, " if (%s)", side->filter);
	if (!str_starts(event, "sched:"))
		kernel_without_us(k->inst, side->filter ? " && " : " if ", out);
}

static int arm(struct latency_kernel *k, const char *event, struct str *text)
{
	int err = str_ok(text) ? fail(ENOMEM, "out of memory") : session_trigger(k->inst, event, text->at);

	str_clear(text);
	return err;
}

/* The histogram of the times is set up first, and the one of the events that begin a time last, so that no time is lost on the way. */
static int arm_histograms(struct latency_kernel *k, struct instance *inst)
{
	__cleanup(free_ptr) char *synthetic = str_printf("synthetic:%s", k->name);
	struct str text = { 0 };
	int err = needs_names(k) ? kernel_names_arm(inst) : 0;

	str_addf(&text, "hist:keys=%s:size=%llu", k->typed, (unsigned long long)(k->size ? k->size : DEFAULT_SIZE));
	if (k->opt->over_ns)
		str_addf(&text, " if lat >= %llu", (unsigned long long)((k->opt->over_ns + 999) / 1000));
	err = err ? err : synthetic ? arm(k, synthetic, &text) : -ENOMEM;
	add_keys(k->from_keys, k->pair->nkeys, &text);
	str_add(&text, ":rs_ts=common_timestamp.usecs");
	add_condition(k, k->from, &k->pair->from, &text);
	err = err ? err : arm(k, k->from, &text);
	add_keys(k->to_keys, k->pair->nkeys, &text);
	str_addf(&text, ":rs_lat=common_timestamp.usecs-$rs_ts:onmatch(%.*s.%s).%s($rs_lat%s%s)", (int)strcspn(k->from, ":"), k->from, strchr(k->from, ':') + 1,
		 k->name, k->field ? "," : "", k->field ? k->keys[0] : "");
	vec_each (&k->saved, name)
		str_addf(&text, "%s%s%s", name == k->saved.at ? ":onmax($rs_lat).save(" : ",", *name, name + 1 == k->saved.at + k->saved.n ? ")" : "");
	add_condition(k, k->to, &k->pair->to, &text);
	err = err ? err : arm(k, k->to, &text);
	str_fini(&text);
	return err;
}

int latency_kernel_ready(struct latency_kernel *k, struct instance *inst)
{
	k->inst = inst;
	return k->laps ? latency_bpf_ready(k) : arm_histograms(k, inst);
}

/* Reads the side's histogram. It is found by its keys as its file shows them. */
static bool read_side(const struct latency_kernel *k, const char *event, const char *const *names, struct text *out)
{
	struct str keys = { 0 };
	int err;

	add_keys(names, k->pair->nkeys, &keys);
	err = str_ok(&keys) ?: hist_read(k->inst, event, keys.at + strlen("hist:keys="), out);
	str_fini(&keys);
	return err == 0;
}

void latency_kernel_ended(struct latency_kernel *k)
{
	__cleanup(free_ptr) char *synthetic = str_printf("synthetic:%s", k->name);

	if (!k->inst)
		return;
	if (k->laps) {
		latency_bpf_ended(k);
		return;
	}
	k->failed = !synthetic || hist_read(k->inst, synthetic, k->typed, &k->times) || !read_side(k, k->from, k->from_keys, &k->begins) ||
		    !read_side(k, k->to, k->to_keys, &k->ends);
	if (!k->failed && needs_names(k))
		k->failed = kernel_names_read(k->inst, &k->names);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static int learn_names(const struct latency_kernel *k, struct comms *comms)
{
	struct text rest = k->times;
	struct hist_entry entry;
	struct str lines = { 0 };
	int err;

	while (hist_next(&rest, k->keys, k->nkeys, &entry))
		kernel_names_first(&lines, &entry.keys[0]);
	err = kernel_names_learn(comms, &lines, &k->names);
	str_fini(&lines);
	return err;
}

/* Returns the key of an entry of the distribution, or NULL if there is only one entry. @buf has the key if it has to be made. */
static const char *key_of(const struct latency_kernel *k, const struct comms *comms, const struct text *key, struct str *buf)
{
	struct text comm;
	uint64_t pid;

	str_clear(buf);
	if (k->nkeys < 2)
		return NULL;
	if (strcmp(k->keys[0], "common_pid") != 0)
		str_addn(buf, key->at, key->size);
	else if (!hist_task(key, &comm, &pid))
		str_add(buf, "?");
	else if (k->opt->by == DIST_COMM)
		return comms_find(comms, (int)pid);
	else
		str_addf(buf, "%d", (int)pid);
	return str_text(buf);
}

/* The kernel prints negative numbers as unsigned ones; their sign is put back here. */
static int keep_field(struct dist *dist, const struct values *values, const char *name, const struct text *text)
{
	const struct value_field *field = values_field(values, name);
	char number[24];

	if (!field || !value_is_signed(field) || strtoull(text->at, NULL, 10) <= INT64_MAX)
		return dist_worst_field(&dist->worst, name, text->at, text->size);
	return dist_worst_field(&dist->worst, name, number, (size_t)snprintf(number, sizeof(number), "%lld", (long long)strtoull(text->at, NULL, 10)));
}

/* Finds the entry with the longest time. */
static bool find_longest(const struct latency_kernel *k, struct hist_entry *out, uint64_t *longest)
{
	struct text rest = k->ends;
	struct hist_entry entry;
	uint64_t us;

	*longest = 0;
	while (rest.at && hist_next(&rest, k->to_keys, k->pair->nkeys, &entry))
		if (hist_number(&entry, "max", &us) && us > *longest && us <= MOST_US) {
			*out = entry;
			*longest = us;
		}
	return *longest;
}

static int keep_longest(struct latency_kernel *k, struct reading *reading, struct dist *dist)
{
	struct event *event = trace_find_said(reading->inputs.at[0].trace, k->to);
	const struct values *values;
	struct hist_entry entry;
	struct text kept;
	uint64_t us;
	int err = event ? values_of(&values, event) : 0;

	if (err || !event || !find_longest(k, &entry, &us) || us * 1000 < k->opt->over_ns)
		return err;
	dist->worst.any = true;
	dist->worst.value = us * 1000;
	vec_each (&k->saved, name)
		if (!err && hist_kept(&entry, *name, &kept))
			err = keep_field(dist, values, *name, &kept);
	return err;
}

static int fill_histograms(struct latency_kernel *k, struct reading *reading, struct dist *dist)
{
	struct comms *comms = reading->inputs.at[0].trace->comms;
	struct text rest = k->times;
	struct hist_entry entry;
	struct str buf = { 0 };
	int err = 0;

	if (needs_names(k))
		err = learn_names(k, comms);
	while (!err && hist_next(&rest, k->keys, k->nkeys, &entry)) {
		uint64_t us = strtoull(entry.keys[k->nkeys - 1].at, NULL, 10);

		k->pairs += entry.hits;
		if (us > MOST_US) {
			dist->backwards += entry.hits;
			continue;
		}
		err = dist_add_many(dist, key_of(k, comms, &entry.keys[0], &buf), us * 1000, entry.hits);
	}
	err = err ? err : keep_longest(k, reading, dist);
	dist->rounded = true;
	dist->dropped = hist_dropped(&k->times) + hist_dropped(&k->begins) + hist_dropped(&k->ends);
	str_fini(&buf);
	return err;
}

int latency_kernel_fill(void *ctx, struct reading *reading, struct dist *dist)
{
	struct latency_kernel *k = ctx;
	int err;

	if (k->filled || k->failed)
		return k->failed ? -EIO : 0;
	k->filled = true;
	err = k->laps ? latency_bpf_fill(k, reading, dist) : fill_histograms(k, reading, dist);
	return err == -ENOMEM ? fail(ENOMEM, "out of memory") : err;
}

void latency_kernel_fini(struct latency_kernel *k)
{
	free(k->from);
	free(k->to);
	free(k->name);
	free(k->field);
	free(k->typed);
	strv_fini(&k->saved);
	free(k->begins.at);
	free(k->ends.at);
	free(k->times.at);
	free(k->names.at);
	laps_close(take(k->laps));
	free(k->lapped);
}
