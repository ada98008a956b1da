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
	int64_t i = keys_index(&b->keys, (struct key){ what, b->at, 0 });

	if (i < 0 || (i == (int64_t)b->all.n && vec_push(&b->all, (struct branch){ .what = what, .below = b->at })))
		return -ENOMEM;
	times_merge(&b->all.at[i].times, &b->times);
	b->at = (uint32_t)i;
	return 0;
}

static int by_place(const void *a, const void *b, void *ctx)
{
	const struct branches *all = ctx;
	const struct branch *x = &all->all.at[*(const uint32_t *)a], *y = &all->all.at[*(const uint32_t *)b];
	int order = ORDER(x->below, y->below);

	order = order ? order : ORDER(y->times.total, x->times.total);
	order = order ? order : ORDER(y->times.count, x->times.count);
	order = order || !all->order ? order : all->order(all->ctx, x->what, y->what);
	return order ? order : ORDER(x->what, y->what);
}

int branches_sort(struct branches *b)
{
	size_t n = b->all.n - 1;

	b->sorted = calloc(n + 1, sizeof(*b->sorted));
	if (!b->sorted)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++)
		b->sorted[i] = i + 1;
	qsort_r(b->sorted, n, sizeof(*b->sorted), by_place, b);
	for (uint32_t i = 0; i < n; i++) {
		struct branch *below = &b->all.at[b->all.at[b->sorted[i]].below];

		if (!below->n++)
			below->first = i;
	}
	return 0;
}
