/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/pairs.h"
#include "lib/analysis/lacking.h"
#include "lib/analysis/pair-match.h"
#include "lib/base/err.h"

/* This tells whether an input has records of the two events. */
struct seen {
	const struct event *from, *to; /* NULL: the input has no such event */
	bool begins, ends;
};

struct pairs {
	const struct pair *pair;
	struct matcher *matcher;
	VEC(const struct value_field *) by; /* element i is for the input i: the field of the end event by which pairs are told apart; NULL: no such field */
	VEC(struct seen) seen;		    /* element i is for the input i */
};

/*
 * Returns the name of the field by which pairs are told apart; NULL if it is no field. If a key of the pair is a field that names a task, the name and the pid
 * are those of this task. The event may lack the field.
 */
static const char *by_name(const struct dist *dist, const struct values *values)
{
	const struct pair *pair = dist->pairs->pair;
	const bool comm = dist->opt.by == DIST_COMM, pid = dist->opt.by == DIST_FIELD && strcmp(dist->opt.field, "pid") == 0;

	for (size_t i = pair->nkeys; (comm || pid) && i-- > 0;) {
		const struct value_field *key = values_field(values, pair->to.keys[i]);

		if (key && !key->common && pair_key_names_task(pair->to.keys[i]))
			return comm ? pair_key_comm(pair->to.keys[i]) : pair->to.keys[i];
	}
	return dist->opt.by == DIST_FIELD ? dist->opt.field : NULL;
}

/* Finds the field of the end event by which pairs are told apart, if it is a field. Returns 0 or a negative errno, with a message. */
static int find_by(struct dist *dist, const struct input *input)
{
	struct event *event = trace_find_said(input->trace, dist->pairs->pair->to.event);
	const struct seen seen = { .from = trace_find_said(input->trace, dist->pairs->pair->from.event), .to = event };
	const struct value_field *by = NULL;
	const struct values *values;
	const char *name = NULL;
	int err = event ? values_of(&values, event) : 0;

	if (event && !err)
		name = by_name(dist, values);
	if (name) {
		by = values_field(values, name);
		if (by && by->common && pair_key_is_pid(name))
			by = NULL;
		else if (!by && dist->opt.by == DIST_FIELD && !pair_key_is_pid(name) && !pair_key_is_cpu(name))
			return fail(EINVAL, "--by %s: %s:%s has no such field; `ringside report --events` shows which there are", name, event->system,
				    event->name);
	}
	dist_key_field(dist, by);
	err = err ? err : vec_push(&dist->pairs->seen, seen);
	return err ? err : vec_push(&dist->pairs->by, by);
}

static int take_match(struct dist *dist, const struct record *rec, const struct match *match, struct str *text)
{
	const struct value_field *by_field = dist->pairs->by.at[rec->file];
	const struct input *input = &dist->inputs->at[rec->file];
	const char *by = dist_task_key(dist, input, match->task, rec->cpu, text), *name = dist->opt.field;

	if (by_field) {
		str_clear(text);
		value_text(by_field, rec->data, rec->size, text);
		by = str_text(text);
	} else if (dist->opt.by == DIST_FIELD) {
		str_addf(text, "%d", pair_key_is_cpu(name) ? (int)rec->cpu : strcmp(name, "pid") == 0 ? match->task : record_pid(input->trace, rec));
		by = str_text(text);
	}
	return dist_worst_take(&dist->worst, input->trace, rec, match->took)
		       ?: dist_add(dist, by,
				   &(struct dist_outlier){ .value = match->took,
							   .ns = match->ns + match->took,
							   .input = input,
							   .pid = match->task,
							   .cpu = rec->cpu });
}

static void see(struct seen *seen, const struct trace *trace, const struct record *rec)
{
	const struct event *event = rec->flags & RECORD_NODATA ? NULL : trace_event(trace, record_id(trace, rec));

	seen->begins |= event && event == seen->from;
	seen->ends |= event && event == seen->to;
}

bool pairs_seen(const struct dist *dist, size_t input)
{
	const struct seen *seen = &dist->pairs->seen.at[input];

	return seen->begins && seen->ends;
}

static int take_record(struct dist *dist, const struct record *rec, struct str *text)
{
	struct seen *seen = &dist->pairs->seen.at[rec->file];
	struct match match;
	int err;

	/* The filters of a pair may ask for the task's name. */
	learn_until(dist->learn, rec);
	err = matcher_record(dist->pairs->matcher, rec, &match);

	if (rec->flags & RECORD_LOST) {
		dist->lost += rec->lost > 0 ? (uint64_t)rec->lost : 0;
		dist->lost_more |= rec->lost <= 0;
	}
	if (unlikely(!seen->begins || !seen->ends))
		see(seen, dist->inputs->at[rec->file].trace, rec);
	err = err ? err : dist_worst_stack(&dist->worst, dist->inputs->at[rec->file].trace, rec);
	return err || !match.pair || match.took < dist->opt.over_ns ? err : take_match(dist, rec, &match, text);
}

static int take_records(struct dist *dist, const struct batch *batch)
{
	struct str text = { 0 };
	int err = 0;

	for (size_t i = 0; !err && i < batch->n; i++)
		err = take_record(dist, &batch->records[i], &text);
	dist->backwards = matcher_backwards(dist->pairs->matcher);
	str_fini(&text);
	return err;
}

static void pairs_free(struct pairs *pairs)
{
	if (!pairs)
		return;
	matcher_free(pairs->matcher);
	vec_fini(&pairs->by);
	vec_fini(&pairs->seen);
	free(pairs);
}

static int open_pairs(struct dist *dist, struct reading *reading, const struct pair *pair)
{
	int err;

	dist->pairs = calloc(1, sizeof(*dist->pairs));
	if (!dist->pairs)
		return -ENOMEM;
	dist->pairs->pair = pair;
	dist->pairs_free = pairs_free;
	dist->take = take_records;
	dist->times = true;
	err = lacking_find_for(reading, pair);
	err = err ? err : matcher_new(&dist->pairs->matcher, dist->inputs, pair, 1, false);
	vec_each (dist->inputs, input)
		err = err ? err : find_by(dist, input);
	return err || matcher_found(dist->pairs->matcher) ? err : pair_not_found(pair, dist->inputs);
}

int dist_new_pairs(struct dist **out, struct reading *reading, const struct dist_options *opt, const struct pair *pair)
{
	int err = dist_make(out, reading, opt);

	err = err ? err : open_pairs(*out, reading, pair);
	if (err)
		dist_free(take(*out));
	return err;
}
