/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/output/hist-branches.h"
#include "lib/base/str.h"

#define BAR "            |"
#define BLANK "             "
#define NAME "          "

int branches_init(struct branches *b)
{
	/* The first key, so that both have the same numbers. */
	return keys_index(&b->keys, (struct key){ 0, 0, 1 }) < 0 ? -ENOMEM : vec_push(&b->all, (struct branch){ 0 });
}

void branches_fini(struct branches *b)
{
	vec_fini(&b->all);
	keys_fini(&b->keys);
	free(b->sorted);
}

void branches_begin(struct branches *b, uint64_t count)
{
	b->at = 0;
	b->count = count;
	b->all.at[0].count += count;
}

int branches_add(struct branches *b, uint32_t frame)
{
	int64_t i = keys_index(&b->keys, (struct key){ b->at, frame, 0 });

	if (i == (int64_t)b->all.n && vec_push(&b->all, (struct branch){ .frame = frame, .below = b->at }))
		return -ENOMEM;
	if (i < 0)
		return -ENOMEM;
	b->all.at[i].count += b->count;
	b->at = (uint32_t)i;
	return 0;
}

static int by_place(const void *a, const void *b, void *ctx)
{
	const struct branches *all = ctx;
	const struct branch *x = &all->all.at[*(const uint32_t *)a], *y = &all->all.at[*(const uint32_t *)b];

	if (x->below != y->below)
		return x->below < y->below ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return strcmp(all->hist->frames.at[x->frame].name, all->hist->frames.at[y->frame].name);
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

static const char *name_of(const struct branches *b, const struct branch *branch)
{
	return b->hist->frames.at[branch->frame].name;
}

static const struct branch *caller(const struct branches *b, const struct branch *branch, uint32_t i)
{
	return &b->all.at[b->sorted[branch->first + i]];
}

/* Goes up through callers that are the only ones. Returns the last, which has none or several, or not all chains go on. */
static const struct branch *add_run(const struct branches *b, const struct branch *at, const struct str *front, struct str *out)
{
	while (at->n == 1 && caller(b, at, 0)->count == at->count) {
		at = caller(b, at, 0);
		str_addf(out, "%s" NAME "%s\n", str_text(front), name_of(b, at));
	}
	return at;
}

static void add_callers(const struct branches *b, const struct branch *at, struct str *front, struct str *out)
{
	size_t len = front->len;

	for (uint32_t i = 0; i < at->n; i++) {
		const struct branch *from = caller(b, at, i);
		double percent = at->count ? (double)from->count * 100 / (double)at->count : 0;

		str_addf(out, "%s" BAR "\n%s" BAR "--%%%.2f-- %s  # %llu\n", str_text(front), str_text(front), percent,
			 name_of(b, from), (unsigned long long)from->count);
		str_add(front, i + 1 < at->n ? BAR : BLANK);
		from = add_run(b, from, front, out);
		add_callers(b, from, front, out);
		front->len = len;
		if (front->at)
			front->at[len] = '\0';
	}
}

void branches_text(const struct branches *b, struct str *out)
{
	struct str front = { 0 };

	add_callers(b, add_run(b, &b->all.at[0], &front, out), &front, out);
	str_fini(&front);
}
