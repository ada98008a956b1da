/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes calls of pairs of events (lib/analysis/pair-spec.h). Such a call can overlap with all other calls, and can end in another task. So it stands
 * beside the stacks of tasks.
 */
#include "lib/analysis/calls-inside.h"
#include "lib/analysis/pair-match.h"

/* In a frame of this source, .func is the address of the pair's name, and .key is what pair_events_mark() returned. */

static struct call_frame frame_of(const struct call_at *at, const struct call_pair *pair, uint64_t mark)
{
	struct call_frame frame = call_begin(at);

	frame.func = (uintptr_t)pair->pair->name;
	frame.key = mark;
	return frame;
}

static int end_pair(struct call_at at, const struct call_pair *pair, struct key key, uint64_t mark)
{
	const struct call_event what = { .source = &call_source_pairs, .part = CALL_BESIDE };
	const struct call_frame *open;
	int err = 1;

	at.what = &what;
	open = call_aside(&at, key);
	if (open && pair_marks_fit(open->key, mark))
		return call_end_aside(&at, key);
	if (open)
		err = call_abandon_aside(&at, key);
	return err < 0 || pair_events_ends_alone(pair->events, at.rec) ? MIN(err, 0) : call_unseen_aside(&at, frame_of(&at, pair, mark));
}

static int begin_pair(struct call_at at, const struct call_pair *pair, struct key key, uint64_t mark)
{
	struct call_event what = { .source = &call_source_pairs, .part = pair->of_task ? CALL_OF_TASK : CALL_BESIDE, .at_end = pair->at_end };
	int pid;

	if (pair_events_pid(pair->events, at.rec, &pid)) {
		what.part = CALL_FOR_TASK;
		at.task = calls_find(at.calls, at.rec, pid);
	}
	what.inside = what.part == CALL_OF_TASK && pair_events_inside(pair->events, at.rec->file);
	at.what = &what;
	return at.task ? call_begin_aside(&at, key, frame_of(&at, pair, mark)) : -ENOMEM;
}

int calls_pairs_record(const struct call_at *at, const struct common *common)
{
	const struct calls *calls = at->calls;
	struct key key;
	int err = 0;

	for (size_t i = 0; !err && i < calls->pairs.n; i++) {
		const struct call_pair *pair = &calls->pairs.at[i];
		const struct pair_events *events = pair->events;

		if (!pair_events_has(events, at->rec->file, common->id))
			continue;
		if (pair_events_key(events, at->rec, common, true, &key)) {
			key.c |= (uint64_t)i << 8;
			err = end_pair(*at, pair, key, pair_events_mark(events, &calls->reuse, at->rec, common, true));
		}
		if (!err && pair_events_key(events, at->rec, common, false, &key)) {
			key.c |= (uint64_t)i << 8;
			err = begin_pair(*at, pair, key, pair_events_mark(events, &calls->reuse, at->rec, common, false));
		}
	}
	return err;
}

int calls_pairs_execs(struct call_at at, const struct reuse_end *exec)
{
	const struct call_event what = { .source = &call_source_pairs };
	const struct calls *calls = at.calls;
	int err = 0;

	at.what = &what;
	for (size_t i = 0; !err && i < calls->pairs.n; i++) {
		const struct pair_events *events = calls->pairs.at[i].events;
		const struct call_frame *open;
		struct key from, to;

		if (!pair_events_task_key(events, at.rec->file, exec->old, &from) || !pair_events_task_key(events, at.rec->file, exec->pid, &to))
			continue;
		from.c |= (uint64_t)i << 8;
		to.c |= (uint64_t)i << 8;
		open = call_aside(&at, from);
		if (open)
			err = call_move_aside(&at, from, to, pair_mark_under(open->key, &calls->reuse, at.rec->file, exec->pid));
	}
	return err;
}

static bool is_of_task(const struct pair *pair)
{
	for (size_t i = 0; i < pair->nkeys; i++)
		if (pair_key_is_pid(pair->from.keys[i]))
			return true;
	return false;
}

int calls_pairs(struct calls *calls, const pairs_t *pairs)
{
	int err = 0;

	vec_each (pairs, pair) {
		struct call_pair new = { .pair = pair, .of_task = is_of_task(pair), .at_end = pair_switch_key(pair) >= 0 };

		err = err ? err : vec_push(&calls->pairs, new);
		err = err ? err : pair_events_new(&calls->pairs.at[calls->pairs.n - 1].events, calls->inputs, pair);
		if (err || pair_events_found(calls->pairs.at[calls->pairs.n - 1].events))
			continue;
		if (pair->or_function)
			pair_events_free(calls->pairs.at[--calls->pairs.n].events);
		else
			err = pair_not_found(pair, calls->inputs);
	}
	return err;
}

void calls_free_pairs(struct calls *calls)
{
	vec_each (&calls->pairs, pair)
		pair_events_free(pair->events);
	vec_fini(&calls->pairs);
}

static bool find(__unused const struct trace *trace, __unused const struct event *event, __unused struct call_event *out)
{
	return false;
}

static int on_record(__unused const struct call_at *at)
{
	return 1;
}

static const char *name_of(__unused const struct trace *trace, uint64_t func, __unused char buf[CALL_NAME], __unused const char **module)
{
	return (const char *)(uintptr_t)func;
}

const struct call_source call_source_pairs = {
	.name = "pairs",
	.calls = "pairs of events",
	.find = find,
	.record = on_record,
	.name_of = name_of,
};
