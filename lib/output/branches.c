/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/output/branches.h"

int branches_init(struct branches *b, int (*order)(const void *ctx, uint64_t a, uint64_t b), const void *ctx)
{
	*b = (struct branches){ .order = order, .ctx = ctx };
	/* The first key, so that both have the same numbers. */
	return keys_index(&b->keys, (struct key){ 0, 0, 1 }) < 0 ? -ENOMEM : vec_push(&b->all, (struct branch){ 0 });
}

void branches_fini(struct branches *b)
{
	vec_fini(&b->all);
	keys_fini(&b->keys);
	free(b->sorted);
}

void branches_begin(struct branches *b, const struct times *times)
{
	b->at = 0;
	b->times = *times;
	times_merge(&b->all.at[0].times, times);
}

int branches_add(struct branches *b, uint64_t what)
{
	uint32_t hot = b->all.at[b->at].hot;
	int64_t i = hot;

	/* Mostly it is the one that was added last on this branch. Nothing stands on another branch and is branch 0. */
	if (!hot || b->all.at[hot].what != what) {
		i = keys_index(&b->keys, (struct key){ what, b->at, 0 });
		if (i < 0 || (i == (int64_t)b->all.n && vec_push(&b->all, (struct branch){ .what = what, .below = b->at })))
			return -ENOMEM;
		b->all.at[b->at].hot = (uint32_t)i;
	}
	times_merge(&b->all.at[i].times, &b->times);
	b->at = (uint32_t)i;
	return 0;
}

/* For branches that stand on the same one. */
static int by_weight(const void *a, const void *b, void *ctx)
{
	const struct branches *all = ctx;
	const struct branch *x = &all->all.at[*(const uint32_t *)a], *y = &all->all.at[*(const uint32_t *)b];
	int order = ORDER(y->times.total, x->times.total);

	order = order ? order : ORDER(y->times.count, x->times.count);
	order = order || !all->order ? order : all->order(all->ctx, x->what, y->what);
	return order ? order : ORDER(x->what, y->what);
}

int branches_sort(struct branches *b)
{
	uint32_t sum = 0;

	b->sorted = calloc(b->all.n, sizeof(*b->sorted));
	if (!b->sorted)
		return -ENOMEM;
	for (size_t i = 1; i < b->all.n; i++)
		b->all.at[b->all.at[i].below].n++;
	vec_each (&b->all, at) {
		at->first = sum;
		sum += at->n;
		at->n = 0;
	}
	for (uint32_t i = 1; i < b->all.n; i++) {
		struct branch *below = &b->all.at[b->all.at[i].below];

		b->sorted[below->first + below->n++] = i;
	}
	vec_each (&b->all, at)
		if (at->n > 1)
			qsort_r(b->sorted + at->first, at->n, sizeof(*b->sorted), by_weight, b);
	return 0;
}
