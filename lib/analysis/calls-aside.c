/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeps the calls that stand beside the stacks of lib/analysis/calls.h, and the texts of sources. Such a call has a struct call_task of its own, which is
 * called a place.
 */
#include "lib/analysis/calls-inside.h"

/* The map .aside is tidied only if it has at least this many entries. Entries of calls that have ended stay in the map until then. */
enum { LEAST_TIDY = 1024 };

/* Returns @key mixed with the file, the buffer and the source. The two ends of a call agree in these. */
static struct key key_in(const struct call_at *at, struct key key)
{
	key_mix(&key.a, &key.b, (uint64_t)at->rec->file << 48 | (uint64_t)at->rec->buffer << 32 | call_source_index(at->what->source));
	return key;
}

/*
 * Replaces the map .aside by one that has only the calls that are still open. Does nothing while more than half of the entries are of open calls. Returns
 * 0 or -ENOMEM.
 */
static int tidy(struct calls *calls)
{
	__typeof__(calls->aside) kept = { 0 };

	if (map_count(&calls->aside) < LEAST_TIDY || map_count(&calls->aside) < 2 * calls->naside)
		return 0;
	map_each (&calls->aside, entry) {
		map_entry(&kept) to = entry->value ? map_add(&kept, entry->key) : NULL;

		if (entry->value && !to) {
			map_fini(&kept);
			return -ENOMEM;
		}
		if (to)
			to->value = entry->value;
	}
	map_fini(&calls->aside);
	calls->aside = kept;
	return 0;
}

/* Returns a free place for a call beside the stack of the task at hand, or NULL when memory runs out. */
static struct call_task *place_of(const struct call_at *at)
{
	struct calls *calls = at->calls;
	struct call_task *place = at->task->free_aside;

	if (place) {
		at->task->free_aside = place->free_aside;
		place->part = (uint8_t)at->what->part;
		place->inside = at->what->inside;
		place->at_end = at->what->at_end;
		return place;
	}
	if (vec_reserve(&calls->tasks.all, 1))
		return NULL;
	place = calloc(1, calls->tasks.size);
	if (!place)
		return NULL;
	calls->tasks.all.at[calls->tasks.all.n++] = place;
	place->aside = true;
	place->beside = at->task;
	place->part = (uint8_t)at->what->part;
	place->inside = at->what->inside;
	place->at_end = at->what->at_end;
	return calls_new_task(calls, place, at->rec, at->task->pid) ? NULL : place;
}

/* Leaves the call of @place by calling @leave. The place is free afterwards. Returns 0 or -errno. */
static int leave_place(const struct call_at *at, struct call_task *place, int (*leave)(const struct call_at *at, struct call_frame *frame))
{
	struct call_at there = *at;

	there.task = place;
	/* A place that call_move_aside() has moved still has the earlier pid, and is not used again. */
	if (likely(place->pid == place->beside->pid)) {
		place->free_aside = place->beside->free_aside;
		place->beside->free_aside = place;
	}
	at->calls->naside--;
	return leave(&there, call_top(place));
}

int call_begin_aside(const struct call_at *at, struct key key, struct call_frame frame)
{
	struct calls *calls = at->calls;
	struct call_at there = *at;
	map_entry(&calls->aside) entry;
	int err = tidy(calls);

	entry = err ? NULL : map_add(&calls->aside, key_in(at, key));
	if (!entry)
		return -ENOMEM;
	if (entry->value) {
		err = leave_place(at, entry->value, call_abandon);
		entry->value = NULL;
	}
	there.task = err ? NULL : place_of(at);
	if (!there.task)
		return err ? err : -ENOMEM;
	there.task->cpu = at->rec->cpu;
	/* The call belongs to the task, even if an interrupt began it. */
	frame.irq = CALL_IN_TASK;
	entry->value = there.task;
	calls->naside++;
	return call_enter(&there, CALL_LEVEL_USER, &frame, at->rec);
}

int call_unseen_aside(const struct call_at *at, struct call_frame frame)
{
	struct call_at there = *at;
	int err;

	there.task = place_of(at);
	if (!there.task)
		return -ENOMEM;
	frame.irq = CALL_IN_TASK;
	err = call_unseen(&there, CALL_LEVEL_USER, frame);
	there.task->free_aside = at->task->free_aside;
	at->task->free_aside = there.task;
	return err;
}

static int end_aside(const struct call_at *at, struct key key, int (*leave)(const struct call_at *at, struct call_frame *frame))
{
	map_entry(&at->calls->aside) entry = map_find(&at->calls->aside, key_in(at, key));
	struct call_task *place = entry ? entry->value : NULL;

	if (!place)
		return 1;
	entry->value = NULL;
	return leave_place(at, place, leave);
}

int call_end_aside(const struct call_at *at, struct key key)
{
	return end_aside(at, key, call_finish);
}

int call_abandon_aside(const struct call_at *at, struct key key)
{
	return end_aside(at, key, call_abandon);
}

int call_move_aside(const struct call_at *at, struct key from, struct key to, uint64_t mark)
{
	map_entry(&at->calls->aside) entry = map_find(&at->calls->aside, key_in(at, from));
	struct call_task *place = entry ? entry->value : NULL;
	int err = 0;

	if (!place)
		return 0;
	entry->value = NULL;
	entry = map_add(&at->calls->aside, key_in(at, to));
	if (!entry)
		return -ENOMEM;
	if (entry->value)
		err = leave_place(at, entry->value, call_abandon);
	entry->value = place;
	place->beside = at->task;
	call_top(place)->key = mark;
	return err;
}

const struct call_frame *call_aside(const struct call_at *at, struct key key)
{
	const map_entry(&at->calls->aside) entry = map_find(&at->calls->aside, key_in(at, key));

	return entry && entry->value ? call_top(entry->value) : NULL;
}

const char *call_text(const struct call_at *at, const char *text, size_t n)
{
	map_entry(&at->calls->texts) entry = map_find_text(&at->calls->texts, text, n);
	char *copy;

	if (entry)
		return entry->value;
	copy = strndup(text, n);
	entry = copy ? map_add_text(&at->calls->texts, copy, n) : NULL;
	if (!entry) {
		free(copy);
		return NULL;
	}
	return entry->value = copy;
}

void calls_free_aside(struct calls *calls)
{
	map_fini(&calls->aside);
	map_each (&calls->texts, entry)
		free(entry->value);
	map_fini(&calls->texts);
}
