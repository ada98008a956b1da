/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/parents.h"

/* Notes that @name is at @at now. *@first is 1 + the first place of this name in the stack. */
static void link_entry(struct parents *parents, uint32_t *first, uint32_t name, uint32_t at)
{
	uint32_t *place = first;

	while (*place && *place - 1 < at)
		place = &parents->stack.at[*place - 1].next;
	parents->stack.at[at] = (struct parents_entry){ name, *place };
	*place = at + 1;
}

static void unlink_entry(struct parents *parents, uint32_t at)
{
	uint32_t *place = &map_find(&parents->names, parents->stack.at[at].name)->value;

	while (*place != at + 1)
		place = &parents->stack.at[*place - 1].next;
	*place = parents->stack.at[at].next;
}

/* Forgets the names that are no longer in the stack. The map has room for the names that stay. */
static void renew_names(struct parents *parents)
{
	map_clear(&parents->names);
	for (size_t i = parents->stack.n; i--;)
		link_entry(parents, &map_add(&parents->names, parents->stack.at[i].name)->value, parents->stack.at[i].name, (uint32_t)i);
}

static void set(struct parents *parents, uint32_t at, uint32_t name)
{
	map_entry(&parents->names) entry;

	if (!name || at > parents->stack.n || (at < parents->stack.n && parents->stack.at[at].name == name))
		return;
	if (map_count(&parents->names) >= 32 + 2 * parents->stack.n)
		renew_names(parents);
	entry = map_add(&parents->names, name);
	if (!entry)
		return;
	if (at < parents->stack.n)
		unlink_entry(parents, at);
	else if (vec_push(&parents->stack, (struct parents_entry){ 0 }))
		return;
	link_entry(parents, &entry->value, name, at);
}

unsigned int parents_depth(struct parents *parents, uint32_t parent, uint32_t func)
{
	map_entry(&parents->names) entry;
	uint32_t at;

	if (!parent)
		return 0;
	entry = map_find(&parents->names, parent);
	at = entry ? entry->value : 0;
	if (!at) {
		set(parents, 0, parent);
		at = 1;
	}
	set(parents, at, func);
	return at - 1;
}

void parents_fini(struct parents *parents)
{
	vec_fini(&parents->stack);
	map_fini(&parents->names);
}
