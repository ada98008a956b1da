/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/parents.h"

static struct parents_name *slot_of(const struct parents *parents, uint32_t name)
{
	uint32_t mask = parents->room - 1, i = name * 0x9e3779b1u >> 7 & mask;

	while (parents->names[i].name && parents->names[i].name != name)
		i = (i + 1) & mask;
	return &parents->names[i];
}

/* Notes that @name is at @at now. */
static void link_entry(struct parents *parents, uint32_t name, uint32_t at)
{
	struct parents_name *slot = slot_of(parents, name);
	uint32_t *place = &slot->first;

	if (!slot->name) {
		slot->name = name;
		parents->used++;
	}
	while (*place && *place - 1 < at)
		place = &parents->stack.at[*place - 1].next;
	parents->stack.at[at] = (struct parents_entry){ name, *place };
	*place = at + 1;
}

static void unlink_entry(struct parents *parents, uint32_t at)
{
	uint32_t *place = &slot_of(parents, parents->stack.at[at].name)->first;

	while (*place != at + 1)
		place = &parents->stack.at[*place - 1].next;
	*place = parents->stack.at[at].next;
}

/* Makes room for one name more, and forgets those that are not in the stack any more. */
static bool renew_names(struct parents *parents)
{
	struct parents_name *names;
	uint32_t room = 64;

	while (room < parents->stack.n * 4)
		room *= 2;
	names = calloc(room, sizeof(*names));
	if (!names)
		return false;
	free(parents->names);
	parents->names = names;
	parents->room = room;
	parents->used = 0;
	for (size_t i = parents->stack.n; i--;)
		link_entry(parents, parents->stack.at[i].name, (uint32_t)i);
	return true;
}

static void set(struct parents *parents, uint32_t at, uint32_t name)
{
	if (!name || at > parents->stack.n ||
	    (at < parents->stack.n && parents->stack.at[at].name == name))
		return;
	if (parents->used * 2 >= parents->room && !renew_names(parents))
		return;
	if (at < parents->stack.n)
		unlink_entry(parents, at);
	else if (vec_push(&parents->stack, (struct parents_entry){ 0 }))
		return;
	link_entry(parents, name, at);
}

unsigned int parents_depth(struct parents *parents, uint32_t parent, uint32_t func)
{
	uint32_t at;

	if (!parent)
		return 0;
	at = parents->room ? slot_of(parents, parent)->first : 0;
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
	free(parents->names);
}
