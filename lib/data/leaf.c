/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/data/leaf.h"
#include "lib/data/bytes.h"

/* At most this many records before a call and after it are looked at for their times. */
enum { MOST_LOOKED_AT = 256 };

static bool is_type(const struct graph_ids *ids, const struct record *rec, uint16_t id, bool big_endian)
{
	return rec->size >= ids->type_offset + 2U && get16((const char *)rec->data + ids->type_offset, big_endian) == id;
}

enum leaf_clock leaf_clock_of(const struct datfile *file, const struct datbuf *buffer)
{
	__cleanup(free_ptr) char *name = clock_name_of(&file->meta, buffer->clock);

	if (!name || file->meta.tsc2nsec.present || !clock_is_ns(name) || strcmp(name, "tsc2nsec") == 0)
		return LEAF_CLOCK_OTHER;
	return strcmp(name, "local") == 0 ? LEAF_CLOCK_LOCAL : LEAF_CLOCK_NS;
}

bool leaf_is_entry(const struct leaf_how *how, const struct record *rec)
{
	return how->ids->entry.id && is_type(how->ids, rec, how->ids->entry.id, how->big_endian);
}

static bool holds(const struct record *rec, unsigned int offset, unsigned int size)
{
	return rec->size >= offset + size;
}

/* Both records have the same byte order, so the bytes can be compared. */
static bool same_call(const struct graph_ids *ids, const struct record *entry, const struct record *exit)
{
	const char *a = entry->data, *b = exit->data;

	if (!holds(entry, ids->pid_offset, 4) || !holds(exit, ids->pid_offset, 4) || memcmp(a + ids->pid_offset, b + ids->pid_offset, 4) != 0)
		return false;
	if (ids->entry.func_size != ids->exit.func_size || !holds(entry, ids->entry.func_offset, ids->entry.func_size) ||
	    !holds(exit, ids->exit.func_offset, ids->exit.func_size))
		return false;
	a += ids->entry.func_offset;
	b += ids->exit.func_offset;
	return ids->entry.func_size == 8 ? memcmp(a, b, 8) == 0 : memcmp(a, b, 4) == 0;
}

/* These are an entry and an exit that may belong to one call, and the records around them. */
struct neighbours {
	struct record *entry, *exit;
	size_t before, after; /* the number of records of the same CPU in front of .entry and behind .exit */
};

/*
 * Looks at the exits among the @n records. *@least becomes the shortest time from an exit's .rettime to the exit's record, if this is less than *@least. The
 * kernel writes the record right after it has taken .rettime, or later if an interrupt comes in between. So if the trace clock has another starting point
 * than the clock "local", the result tells how far it is ahead. Returns true if there is an exit.
 */
static bool least_ahead(const struct leaf_how *how, const struct record *records, size_t n, int64_t *least)
{
	const unsigned int offset = how->ids->rettime_offset;
	bool seen = false;

	for (const struct record *rec = records; rec < records + n; rec++) {
		if (!is_type(how->ids, rec, how->ids->exit.id, how->big_endian) || !holds(rec, offset, 8))
			continue;
		*least = MIN(*least, (int64_t)(rec->ts - get64((const char *)rec->data + offset, how->big_endian)));
		seen = true;
	}
	return seen;
}

/*
 * Finds from other exits near the call how far the trace clock is ahead of the clock "local". It uses the exits before the entry, in the entry's sub-buffer,
 * and the exits after the exit, in the exit's sub-buffer. So it does not matter where chunks end. Returns true if there are any.
 */
static bool ahead_of_local(const struct leaf_how *how, const struct neighbours *at, int64_t *ahead)
{
	const size_t before = MIN(at->before, MOST_LOOKED_AT), after = MIN(at->after, MOST_LOOKED_AT);
	size_t front = 0, back = 0;

	while (front < before && !((at->entry - front)->flags & RECORD_PAGE))
		front++;
	while (back < after && !(at->exit[back + 1].flags & RECORD_PAGE))
		back++;
	return (int)least_ahead(how, at->entry - front, front, ahead) | (int)least_ahead(how, at->exit + 1, back, ahead);
}

/* Did the call of the exit begin after the record of the entry? This can only be so if the two are LEAF_LONG or more apart. */
static bool of_later_call(const struct leaf_how *how, const struct neighbours *at)
{
	const struct graph_ids *ids = how->ids;
	const char *data = at->exit->data;
	uint64_t calltime, rettime;
	int64_t ahead = 0;

	if (how->clock == LEAF_CLOCK_OTHER || !ids->calltime_offset || !ids->rettime_offset ||
	    !holds(at->exit, MAX(ids->calltime_offset, ids->rettime_offset), 8))
		return false;
	calltime = get64(data + ids->calltime_offset, how->big_endian);
	rettime = get64(data + ids->rettime_offset, how->big_endian);
	if ((int64_t)(at->exit->ts - at->entry->ts - (rettime - calltime)) <= LEAF_LATER)
		return false;
	if (how->clock == LEAF_CLOCK_NS) {
		ahead = (int64_t)(at->exit->ts - rettime);
		if (!ahead_of_local(how, at, &ahead))
			return false;
	}
	return (int64_t)(calltime + (uint64_t)ahead - at->entry->ts) > LEAF_LATER;
}

static void pair(const struct leaf_how *how, const struct neighbours *at)
{
	struct record *entry = at->entry, *exit = at->exit;
	const uint16_t is_long = exit->ts - entry->ts >= LEAF_LONG ? RECORD_LONG : 0;

	if ((exit->flags & RECORD_LOST) || exit->size > UINT16_MAX || !same_call(how->ids, entry, exit) || (is_long && of_later_call(how, at)))
		return;
	entry->flags |= RECORD_LEAF | is_long;
	entry->exit = exit->data;
	entry->exit_size = (uint16_t)exit->size;
	entry->later = (uint16_t)(exit->ts - entry->ts);
	exit->flags |= RECORD_FOLDED | is_long;
}

static void pair_at(const struct leaf_how *how, const struct neighbours *at)
{
	if (leaf_is_entry(how, at->entry) && is_type(how->ids, at->exit, how->ids->exit.id, how->big_endian))
		pair(how, at);
}

void leaf_pair(const struct leaf_how *how, recordvec_t *first, recordvec_t *second)
{
	pair_at(how, &(struct neighbours){ &first->at[first->n - 1], second->at, first->n - 1, second->n - 1 });
}

/* Returns true if the layout is the usual one, with all fields within LEAF_SLACK. Then a payload can be read before its size is known. */
static bool within_slack(const struct graph_ids *ids)
{
	return ids->type_offset + 2U <= LEAF_SLACK && ids->pid_offset + 4U <= LEAF_SLACK && ids->entry.func_offset + 8U <= LEAF_SLACK &&
	       ids->exit.func_offset + 8U <= LEAF_SLACK && ids->entry.func_size == 8 && ids->exit.func_size == 8;
}

/*
 * Does for all neighbouring records what pair() does, but without branches in the frequent cases. Entries and exits follow each other in an order that no
 * CPU can predict, and a wrong prediction costs as much as decoding a record. @big_endian is a constant.
 */
static inline __attribute__((always_inline)) void mark(const struct leaf_how *how, recordvec_t *records, size_t from, bool big_endian)
{
	/* This is a copy, so that the compiler knows that changes of the records do not change it. */
	const struct graph_ids ids = *how->ids;
	const uint32_t common_size = MAX(ids.pid_offset + 4U, ids.type_offset + 2U);
	const uint32_t entry_size = MAX(ids.entry.func_offset + 8U, common_size);
	const uint32_t exit_size = MAX(ids.exit.func_offset + 8U, common_size);
	struct record *const end = records->at + records->n;
	struct record *before = records->at + from;
	uint64_t func = 0;
	uint32_t pid = 0, no_entry = 1;

	for (struct record *rec = before; rec < end; rec++) {
		const char *data = rec->data;
		uint32_t type = get16(data + ids.type_offset, big_endian);
		uint64_t this_func = get64(data + ids.exit.func_offset, big_endian);
		uint32_t this_pid = get32(data + ids.pid_offset, big_endian);
		uint64_t differs = (type ^ ids.exit.id) | (this_pid ^ pid) | (this_func ^ func) | (rec->flags & RECORD_LOST) | no_entry;
		uint32_t leaf = !differs & (rec->size - exit_size <= UINT16_MAX - exit_size);
		uint32_t is_long = leaf & (rec->ts - before->ts >= LEAF_LONG);

		if (unlikely(is_long) && of_later_call(how, &(struct neighbours){ before, rec, (size_t)(before - records->at), (size_t)(end - rec) - 1 }))
			leaf = is_long = 0;
		/* The record before has no exit yet, so no exit is overwritten. */
		before->exit = (const void *)((uintptr_t)data & -(uintptr_t)leaf);
		before->exit_size = (uint16_t)rec->size;
		before->later = (uint16_t)(rec->ts - before->ts);
		before->flags |= RECORD_LEAF * leaf | RECORD_LONG * is_long;
		rec->flags |= RECORD_FOLDED * leaf | RECORD_LONG * is_long;
		no_entry = (type ^ ids.entry.id) | (rec->size < entry_size);
		func = get64(data + ids.entry.func_offset, big_endian);
		pid = this_pid;
		before = rec;
	}
}

void leaf_mark(const struct leaf_how *how, recordvec_t *records, size_t from)
{
	if (!how->ids->entry.id)
		return;
	if (!within_slack(how->ids))
		for (size_t i = from + 1; i < records->n; i++)
			pair_at(how, &(struct neighbours){ &records->at[i - 1], &records->at[i], i - 1, records->n - i - 1 });
	else if (how->big_endian)
		mark(how, records, from, true);
	else
		mark(how, records, from, false);
}
