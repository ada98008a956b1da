/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/data/leaf.h"
#include "lib/data/bytes.h"

static bool is_type(const struct graph_ids *ids, const struct record *rec, uint16_t id,
		    bool big_endian)
{
	return rec->size >= ids->type_offset + 2U &&
	       get16((const char *)rec->data + ids->type_offset, big_endian) == id;
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
static bool same_call(const struct graph_ids *ids, const struct record *entry,
		      const struct record *exit)
{
	const char *a = entry->data, *b = exit->data;

	if (!holds(entry, ids->pid_offset, 4) || !holds(exit, ids->pid_offset, 4) ||
	    memcmp(a + ids->pid_offset, b + ids->pid_offset, 4) != 0)
		return false;
	if (ids->entry.func_size != ids->exit.func_size ||
	    !holds(entry, ids->entry.func_offset, ids->entry.func_size) ||
	    !holds(exit, ids->exit.func_offset, ids->exit.func_size))
		return false;
	a += ids->entry.func_offset;
	b += ids->exit.func_offset;
	return ids->entry.func_size == 8 ? memcmp(a, b, 8) == 0 : memcmp(a, b, 4) == 0;
}

static void pair(const struct graph_ids *ids, struct record *entry, struct record *exit)
{
	if ((exit->flags & RECORD_LOST) || exit->size > UINT16_MAX || !same_call(ids, entry, exit))
		return;
	entry->flags |= RECORD_LEAF;
	entry->exit = exit->data;
	entry->exit_size = (uint16_t)exit->size;
	exit->flags |= RECORD_FOLDED;
}

void leaf_pair(const struct graph_ids *ids, struct record *entry, struct record *exit, bool big_endian)
{
	if (leaf_is_entry(ids, entry, big_endian) && is_type(ids, exit, ids->exit.id, big_endian))
		pair(ids, entry, exit);
}

/* @big_endian is a constant in each of the callers. */
static inline __attribute__((always_inline)) void
mark(const struct graph_ids *ids, struct record *records, size_t n, bool big_endian)
{
	struct record *entry = NULL;

	for (struct record *rec = records; rec < records + n; rec++) {
		uint16_t type = 0;

		if (likely(rec->size >= ids->type_offset + 2U))
			type = get16((const char *)rec->data + ids->type_offset, big_endian);
		if (entry && type == ids->exit.id)
			pair(ids, entry, rec);
		entry = type == ids->entry.id ? rec : NULL;
	}
}

void leaf_mark(const struct graph_ids *ids, struct record *records, size_t n, bool big_endian)
{
	if (!ids->entry.id)
		return;
	if (big_endian)
		mark(ids, records, n, true);
	else
		mark(ids, records, n, false);
}
