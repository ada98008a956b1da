/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/latency-bpf.h"
#include "cmd/ask.h"
#include "lib/base/err.h"

#include <stdio.h>

/* --- can it? --------------------------------------------------------------------------------------------------- */

static bool by_cpu(const struct dist_options *opt)
{
	return opt->by == DIST_CPU || (opt->by == DIST_FIELD && pair_key_is_cpu(opt->field));
}

static struct laps_side side_of(const char *event, const char *const *keys, const char *filter, size_t nkeys)
{
	/* A scheduler event is about another task than the one in which it happens, so those that ringside causes for others count. */
	struct laps_side side = { .event = event, .filter = filter, .without_us = !str_starts(event, "sched:") };

	for (size_t i = 0; i < MIN(nkeys, (size_t)LAPS_MOST_KEYS); i++)
		side.keys[i] = keys[i];
	return side;
}

int latency_bpf_plan(struct latency_kernel *k, const struct tracedir *top, char **why_not)
{
	const char *reason = NULL;

	*why_not = NULL;
	if (k->probes)
		reason = "BPF programs measure between events, and not between probes";
	else if (k->opt->by != DIST_ALL && !by_cpu(k->opt))
		reason = "BPF programs measure separately by CPU only";
	else if (k->pair->nkeys > LAPS_MOST_KEYS)
		reason = "BPF programs pair events by at most two keys";
	if (reason) {
		*why_not = strdup(reason);
		return *why_not ? 1 : -ENOMEM;
	}
	/*
	 * The programs compare the system call numbers of entry and exit themselves. They also know that an exit may have no number, so .to needs no filter
	 * then.
	 */
	k->laps_options = (struct laps_options){ .from = side_of(k->from, k->from_keys, k->pair->from.filter, k->pair->nkeys),
						 .to = side_of(k->to, k->to_keys, k->pair->unnumbered ? NULL : k->pair->to.filter, k->pair->nkeys),
						 .nkeys = k->pair->nkeys,
						 .over_ns = k->opt->over_ns };
	return laps_open(&k->laps, top, &k->laps_options, why_not);
}

/* --- measuring ---------------------------------------------------------------------------------------------------- */

int latency_bpf_ready(struct latency_kernel *k)
{
	int err = ask_kernel_alone(k->inst);
	int begun = err ? 0 : laps_begin(k->laps);

	return begun ? fail(-begun, "the BPF programs that measure cannot be started: %s", strerror(-begun)) : err;
}

void latency_bpf_ended(struct latency_kernel *k)
{
	const size_t n = laps_cpus(k->laps);

	laps_end(k->laps);
	k->lapped = calloc(n, sizeof(*k->lapped));
	k->failed = !k->lapped && fail(ENOMEM, "out of memory");
	for (size_t cpu = 0; cpu < n && k->lapped; cpu++)
		laps_read(k->laps, cpu, &k->lapped[cpu]);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* Keeps a number of the longest time, with the sign that the event's format gives it. */
static int keep_number(struct dist *dist, const struct values *values, const char *name, uint64_t number, size_t size)
{
	const struct value_field *field = values_field(values, name);
	char text[24];
	int n;

	if (field && value_is_signed(field))
		n = snprintf(text, sizeof(text), "%lld", size == 4 || field->at.size == 4 ? (long long)(int32_t)number : (long long)number);
	else
		n = snprintf(text, sizeof(text), "%llu", (unsigned long long)number);
	return dist_worst_field(&dist->worst, name, text, (size_t)n);
}

static int keep_longest(struct latency_kernel *k, struct reading *reading, struct dist *dist)
{
	struct event *event = trace_find_said(reading->inputs.at[0].trace, k->to);
	const struct laps_times *longest = k->lapped;
	const struct values *values;
	size_t at, size;
	const char *name;
	bool text;
	int err = event ? values_of(&values, event) : 0;

	for (size_t cpu = 0; cpu < laps_cpus(k->laps); cpu++)
		longest = k->lapped[cpu].most > longest->most ? &k->lapped[cpu] : longest;
	dist->worst.any = longest->most != 0;
	dist->worst.value = longest->most;
	for (size_t i = 0; !err && event && longest->most && (name = laps_field(k->laps, i, &text, &at, &size)); i++) {
		if (text)
			err = dist_worst_field(&dist->worst, name, longest->texts[at], strnlen(longest->texts[at], LAPS_TEXT_SIZE));
		else
			err = keep_number(dist, values, name, longest->numbers[at], size);
	}
	return err;
}

/* Adds the times of one CPU, or of all if @key is NULL. */
static int add_times(struct latency_kernel *k, struct dist *dist, const char *key, const struct laps_times *times)
{
	uint64_t n = 0;
	int err = 0;

	for (unsigned int i = 0; i < LAPS_SHORTS && !err; i++) {
		if (times->shorts[i])
			err = dist_add_many(dist, key, i, times->shorts[i]);
		n += times->shorts[i];
	}
	for (unsigned int i = 0; i < LAPS_BUCKETS && !err; i++) {
		if (times->buckets[i])
			err = dist_add_many(dist, key, quantiles_middle(i), times->buckets[i]);
		n += times->buckets[i];
	}
	k->pairs += n;
	dist->dropped += times->dropped;
	return err || !n ? err : dist_correct(dist, key, times->sum, ~times->least, times->most);
}

static void merge(struct laps_times *into, const struct laps_times *times)
{
	into->dropped += times->dropped;
	into->sum += times->sum;
	into->least = MAX(into->least, times->least);
	into->most = MAX(into->most, times->most);
	for (size_t i = 0; i < LAPS_SHORTS; i++)
		into->shorts[i] += times->shorts[i];
	for (size_t i = 0; i < LAPS_BUCKETS; i++)
		into->buckets[i] += times->buckets[i];
}

int latency_bpf_fill(struct latency_kernel *k, struct reading *reading, struct dist *dist)
{
	__cleanup(free_ptr) struct laps_times *all = calloc(1, sizeof(*all));
	const bool each = by_cpu(k->opt);
	int err = all ? 0 : -ENOMEM;

	dist->dropped = 0;
	for (size_t cpu = 0; cpu < laps_cpus(k->laps) && !err; cpu++) {
		char key[24];

		snprintf(key, sizeof(key), "%zu", cpu);
		if (each)
			err = add_times(k, dist, key, &k->lapped[cpu]);
		else
			merge(all, &k->lapped[cpu]);
	}
	err = err || each ? err : add_times(k, dist, NULL, all);
	dist->lost = laps_missed(k->laps);
	return err ? err : keep_longest(k, reading, dist);
}
