/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/output/branches.h"

int branches_init(struct branches *b)
{
	*b = (struct branches){ 0 };
	return vec_push(&b->all, (struct branch){ 0 });
}

void branches_fini(struct branches *b)
{
	vec_fini(&b->all);
	map_fini(&b->places);
	free(b->sorted);
}

void branches_begin(struct branches *b, const struct times *times)
{
	b->at = 0;
	b->times = *times;
	times_merge(&b->all.at[0].times, times);
}

/* Returns the branch for @what on the current branch, or 0 if there is none. */
static uint32_t find(const struct branches *b, uint64_t what)
{
	const struct branch *all = b->all.at;
	const map_entry(&b->places) entry;
	uint32_t i;

	if (all[b->at].n >= BRANCH_MANY) {
		entry = map_find(&b->places, ((struct branch_place){ what, b->at }));
		return entry ? (uint32_t)entry->value : 0;
	}
	for (i = all[b->at].first; i && all[i].what != what;)
		i = all[i].next;
	return i;
}

/* Adds a branch to .places. If there are just enough branches to need .places, those beside it are added, too. Returns 0 or -ENOMEM. */
static int add_places(struct branches *b, uint32_t i)
{
	const struct branch *all = b->all.at;

	do {
		map_entry(&b->places) entry = map_add(&b->places, ((struct branch_place){ all[i].what, b->at }));

		if (!entry)
			return -ENOMEM;
		entry->value = i;
		i = all[i].next;
	} while (i && all[b->at].n == BRANCH_MANY);
	return 0;
}

/* Adds a branch for @what to the current one, which must not have one, and returns it, or -ENOMEM. */
static int64_t add(struct branches *b, uint64_t what)
{
	const uint32_t i = (uint32_t)b->all.n;

	if (vec_push(&b->all, (struct branch){ .what = what, .next = b->all.at[b->at].first }))
		return -ENOMEM;
	b->all.at[b->at].first = i;
	return ++b->all.at[b->at].n >= BRANCH_MANY && add_places(b, i) ? -ENOMEM : (int64_t)i;
}

int branches_add(struct branches *b, uint64_t what)
{
	const uint32_t hot = b->all.at[b->at].hot;
	int64_t i = hot;

	/* Mostly the branch is the one that was used last here. Branch 0 is the root, which is on no other branch. */
	if (!hot || b->all.at[hot].what != what) {
		i = find(b, what);
		i = i ? i : add(b, what);
		if (i < 0)
			return -ENOMEM;
		b->all.at[b->at].hot = (uint32_t)i;
	}
	times_merge(&b->all.at[i].times, &b->times);
	b->at = (uint32_t)i;
	return 0;
}

/* Orders the branches on one branch. */
static int by_weight(const void *a, const void *b, void *ctx)
{
	const struct branches *all = ctx;
	const struct branch *x = &all->all.at[*(const uint32_t *)a], *y = &all->all.at[*(const uint32_t *)b];
	int order = ORDER(y->times.total, x->times.total);

	order = order ? order : ORDER(y->times.count, x->times.count);
	return order ? order : ORDER(x->what, y->what);
}

int branches_sort(struct branches *b)
{
	uint32_t sum = 0;

	b->sorted = calloc(b->all.n, sizeof(*b->sorted));
	if (!b->sorted)
		return -ENOMEM;
	vec_each (&b->all, at) {
		const uint32_t begin = sum;

		for (uint32_t i = at->first; i; i = b->all.at[i].next)
			b->sorted[sum++] = i;
		at->first = begin;
	}
	vec_each (&b->all, at)
		if (at->n > 1)
			qsort_r(b->sorted + at->first, at->n, sizeof(*b->sorted), by_weight, b);
	return 0;
}
