/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/parents.h"

static struct parents_name *name_of(const struct parents *parents, uint32_t name_id)
{
	uint32_t mask = parents->room - 1, i = name_id * 0x9e3779b1u >> 7 & mask;

	while (parents->names[i].name_id && parents->names[i].name_id != name_id)
		i = (i + 1) & mask;
	return &parents->names[i];
}

/* Notes that @name_id is at @at now. */
static void link_entry(struct parents *parents, uint32_t name_id, uint32_t at)
{
	struct parents_name *name = name_of(parents, name_id);
	uint32_t *place = &name->first;

	if (!name->name_id) {
		name->name_id = name_id;
		parents->used++;
	}
	while (*place && *place - 1 < at)
		place = &parents->stack.at[*place - 1].next;
	parents->stack.at[at] = (struct parents_entry){ name_id, *place };
	*place = at + 1;
}

static void unlink_entry(struct parents *parents, uint32_t at)
{
	uint32_t *place = &name_of(parents, parents->stack.at[at].name_id)->first;

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
		link_entry(parents, parents->stack.at[i].name_id, (uint32_t)i);
	return true;
}

static void set(struct parents *parents, uint32_t at, const struct symbol *sym)
{
	if (!sym || at > parents->stack.n ||
	    (at < parents->stack.n && parents->stack.at[at].name_id == sym->name_id))
		return;
	if (parents->used * 2 >= parents->room && !renew_names(parents))
		return;
	if (at < parents->stack.n)
		unlink_entry(parents, at);
	else if (vec_push(&parents->stack, (struct parents_entry){ 0 }))
		return;
	link_entry(parents, sym->name_id, at);
}

unsigned int parents_depth(struct parents *parents, const struct symbol *parent, const struct symbol *func)
{
	uint32_t at;

	if (!parent)
		return 0;
	at = parents->room ? name_of(parents, parent->name_id)->first : 0;
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
