/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the exits of calls of function_graph that -I and -S must not leave out, because the entries of the calls were kept. An example is irq_enter_rcu(). The
 * record of its exit says that it was made in a hard interrupt, but the record of its entry does not say so. Everything between the two records is left out.
 */
#ifndef RINGSIDE_KEPT_ENTRY_H
#define RINGSIDE_KEPT_ENTRY_H

#include "lib/event/trace.h"

/* This is kept for each CPU of a buffer. A struct that is all zero has seen no entry yet. */
struct kept_entry {
	uint64_t func; /* the function whose entry was the last record that was kept; 0: the last record that was kept was no such entry */
};

/* Notes that a record is kept. @event is its event, or NULL if this event is not known. An entry whose exit is folded into the record needs no other exit. */
static inline void kept_entry_note(struct kept_entry *entry, const struct event *event, const struct record *rec)
{
	const bool waits = event && event->kind == EVENT_GRAPH_ENTRY && !record_is_leaf(rec);

	if (!waits || !field_get(&event->field[GRAPH_FUNC], rec->data, rec->size, event->trace->swap, &entry->func))
		entry->func = 0;
}

/* Returns true if the record is the exit of the function whose entry was the last record that was kept. */
static inline bool kept_entry_ends(const struct kept_entry *entry, const struct event *event, const struct record *rec)
{
	uint64_t func;

	return entry->func && event && event->kind == EVENT_GRAPH_EXIT &&
	       field_get(&event->field[GRAPH_FUNC], rec->data, rec->size, event->trace->swap, &func) && func == entry->func;
}

#endif
