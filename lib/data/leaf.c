/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/data/leaf.h"
#include "lib/data/bytes.h"

static bool is_type(const struct graph_ids *ids, const struct record *rec, uint16_t id, bool big_endian)
{
	return rec->size >= ids->type_offset + 2U && get16((const char *)rec->data + ids->type_offset, big_endian) == id;
}

bool leaf_is_entry(const struct graph_ids *ids, const struct record *rec, bool big_endian)
{
	return ids->entry.id && is_type(ids, rec, ids->entry.id, big_endian);
}

static bool holds(const struct record *rec, unsigned int offset, unsigned int size)
{
	return rec->size >= offset + size;
}

/* Both sides have the same byte order, so that bytes can be compared. */
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

static void pair(const struct graph_ids *ids, struct record *entry, struct record *exit)
{
	const uint16_t is_long = exit->ts - entry->ts >= LEAF_LONG ? RECORD_LONG : 0;

	if ((exit->flags & RECORD_LOST) || exit->size > UINT16_MAX || !same_call(ids, entry, exit))
		return;
	entry->flags |= RECORD_LEAF | is_long;
	entry->exit = exit->data;
	entry->exit_size = (uint16_t)exit->size;
	exit->flags |= RECORD_FOLDED | is_long;
}

void leaf_pair(const struct graph_ids *ids, struct record *entry, struct record *exit, bool big_endian)
{
	if (leaf_is_entry(ids, entry, big_endian) && is_type(ids, exit, ids->exit.id, big_endian))
		pair(ids, entry, exit);
}

/* The usual layouts, all within the slack, so that no size needs to be known before a payload is read. */
static bool within_slack(const struct graph_ids *ids)
{
	return ids->type_offset + 2U <= LEAF_SLACK && ids->pid_offset + 4U <= LEAF_SLACK && ids->entry.func_offset + 8U <= LEAF_SLACK &&
	       ids->exit.func_offset + 8U <= LEAF_SLACK && ids->entry.func_size == 8 && ids->exit.func_size == 8;
}

/*
 * What pair() does for all neighbours, without branches: entries and exits follow each other in ways that no
 * CPU can guess, and each wrong guess costs as much as decoding a record. @big_endian is a constant.
 */
static inline __attribute__((always_inline)) void mark(const struct graph_ids *all, struct record *records, size_t n, bool big_endian)
{
	/* Of its own, so that nobody thinks the records' change could change it. */
	const struct graph_ids ids = *all;
	const uint32_t common_size = MAX(ids.pid_offset + 4U, ids.type_offset + 2U);
	const uint32_t entry_size = MAX(ids.entry.func_offset + 8U, common_size);
	const uint32_t exit_size = MAX(ids.exit.func_offset + 8U, common_size);
	struct record *before = records;
	uint64_t func = 0;
	uint32_t pid = 0, no_entry = 1;

	for (struct record *rec = records; rec < records + n; rec++) {
		const char *data = rec->data;
		uint32_t type = get16(data + ids.type_offset, big_endian);
		uint64_t this_func = get64(data + ids.exit.func_offset, big_endian);
		uint32_t this_pid = get32(data + ids.pid_offset, big_endian);
		uint64_t differs = (type ^ ids.exit.id) | (this_pid ^ pid) | (this_func ^ func) | (rec->flags & RECORD_LOST) | no_entry;
		uint32_t leaf = !differs & (rec->size - exit_size <= UINT16_MAX - exit_size);
		uint32_t is_long = leaf & (rec->ts - before->ts >= LEAF_LONG);

		/* The record before has no exit yet: nothing is overwritten. */
		before->exit = (const void *)((uintptr_t)data & -(uintptr_t)leaf);
		before->exit_size = (uint16_t)rec->size;
		before->flags |= RECORD_LEAF * leaf | RECORD_LONG * is_long;
		rec->flags |= RECORD_FOLDED * leaf | RECORD_LONG * is_long;
		no_entry = (type ^ ids.entry.id) | (rec->size < entry_size);
		func = get64(data + ids.entry.func_offset, big_endian);
		pid = this_pid;
		before = rec;
	}
}

void leaf_mark(const struct graph_ids *ids, struct record *records, size_t n, bool big_endian)
{
	if (!ids->entry.id)
		return;
	if (!within_slack(ids))
		for (size_t i = 1; i < n; i++)
			leaf_pair(ids, &records[i - 1], &records[i], big_endian);
	else if (big_endian)
		mark(ids, records, n, true);
	else
		mark(ids, records, n, false);
}
