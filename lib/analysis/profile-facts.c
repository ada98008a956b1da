/* SPDX-License-Identifier: GPL-2.0 */
/* What a profile has counted (struct profile_facts in lib/analysis/profile.h), and the same for --by-comm. */
#include "lib/analysis/profile-inside.h"

int64_t profile_item_of(struct profile *p, struct profile_facts *facts, const struct profile_item *item)
{
	uint64_t what = item->pair ? (uint64_t)(item->pair - p->pairs.all.at) : item->event ? item->event->id : 0;
	struct key key = { (uint64_t)item->owner << 32 | (uint64_t)item->kind << 24 | what, item->value, 0 };

	return keys_element(&facts->item_keys, &facts->items, key, *item);
}

/* Returns the owner for all tasks with this owner's name. If the name is not known, returns @index. Returns -ENOMEM when memory runs out. */
static int64_t group_of(struct profile *p, uint32_t index)
{
	struct profile_owner owner = p->owners.at[index];
	const char *comm = comms_known(p->inputs->at[owner.file].trace->comms, owner.pid);
	struct key key = { (uint64_t)owner.file << 32 | (uint64_t)owner.buffer << 8 | OWNER_GROUP, (uintptr_t)comm, owner.cpu };

	if (owner.kind != OWNER_TASK || !comm)
		return index;
	owner.kind = OWNER_GROUP;
	owner.comm = owner.pid ? comm : NULL;
	owner.pid = 0;
	return keys_element(&p->owner_keys, &p->owners, key, owner);
}

/* Is the item's value only the pid of the owner? */
static bool names_owner(const struct profile_item *item)
{
	const struct profile_side *start = item->pair ? &item->pair->start : NULL;

	return start && start->pid && strcmp(start->match, start->pid) == 0;
}

int profile_by_comm(struct profile *p, struct profile_facts *out)
{
	VEC(uint32_t) moved = { 0 };
	int err = 0;

	*out = (struct profile_facts){ 0 };
	vec_each (&p->facts.items, item) {
		int64_t owner = err ? 0 : group_of(p, item->owner), i;
		struct profile_item what = *item;

		what.owner = (uint32_t)owner;
		what.value = names_owner(item) && p->owners.at[owner].kind == OWNER_GROUP ? 0 : item->value;
		what.times = (struct times){ 0 };
		i = err || owner < 0 ? -ENOMEM : profile_item_of(p, out, &what);
		err = i < 0 ? -ENOMEM : vec_push(&moved, (uint32_t)i);
		if (!err)
			times_merge(&out->items.at[i].times, &item->times);
	}
	vec_each (&p->facts.at_stacks, at) {
		struct key key = { err ? 0 : moved.at[at->item], at->stack, 0 };
		int64_t i = err ? -ENOMEM
				: keys_element(&out->at_keys, &out->at_stacks, key, (struct profile_at_stack){ .item = (uint32_t)key.a, .stack = at->stack });

		err = i < 0 ? -ENOMEM : 0;
		if (!err)
			times_merge(&out->at_stacks.at[i].times, &at->times);
	}
	vec_fini(&moved);
	return err;
}

void profile_facts_fini(struct profile_facts *facts)
{
	vec_fini(&facts->items);
	vec_fini(&facts->at_stacks);
	keys_fini(&facts->item_keys);
	keys_fini(&facts->at_keys);
}
