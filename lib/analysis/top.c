/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/analysis/top.h"

static void part_fini(struct top_part *part)
{
	quantiles_fini(&part->times);
	*part = (struct top_part){ 0 };
}

static void forget_behind(struct top *top)
{
	vec_each (&top->tasks, task)
		free(task->name);
	vec_fini(&top->tasks);
	keys_fini(&top->behind_keys);
	top->behind_keys = (struct keys){ 0 };
	top->behind = SIZE_MAX;
}

void top_fini(struct top *top)
{
	forget_behind(top);
	vec_each (&top->rows, row) {
		free(row->name);
		part_fini(&row->now);
		part_fini(&row->last);
		part_fini(&row->all);
	}
	vec_fini(&top->rows);
	keys_fini(&top->keys);
}

void top_open(struct top *top, size_t row)
{
	forget_behind(top);
	top->behind = row;
}

struct top_row *top_find(struct top *top, struct key key)
{
	const int64_t i = keys_find(&top->keys, key);

	return i < 0 ? NULL : &top->rows.at[i];
}

static int add_behind(struct top *top, uint64_t ns, const char *comm, int pid)
{
	const int64_t i = keys_index(&top->behind_keys, (struct key){ (uint64_t)pid, 0, 0 });

	if (i == (int64_t)top->tasks.n) {
		struct top_behind task = { .name = pid ? str_printf("%s-%d", comm, pid) : strdup(comm) };

		if (!task.name || vec_push(&top->tasks, task)) {
			free(task.name);
			return -ENOMEM;
		}
	}
	if (i < 0)
		return -ENOMEM;
	top->tasks.at[i].n++;
	top->tasks.at[i].ns += ns == TOP_NO_TIME ? 0 : ns;
	return 0;
}

int top_add(struct top *top, struct key key, const char *name, int64_t id, uint64_t ns, const char *comm, int pid)
{
	struct top_row *row = top_find(top, key);
	int64_t i;

	if (!row && top->rows.n >= TOP_MOST) {
		top->beyond++;
		return 0;
	}
	if (!row) {
		struct top_row new = { .name = strdup(name), .id = id };

		i = new.name ? keys_index(&top->keys, key) : -ENOMEM;
		if (i < 0 || vec_push(&top->rows, new)) {
			free(new.name);
			return -ENOMEM;
		}
		row = &top->rows.at[i];
	}
	row->now.n++;
	if (ns != TOP_NO_TIME) {
		row->now.ns += ns;
		if (quantiles_add(&row->now.times, ns))
			return -ENOMEM;
	}
	return (size_t)(row - top->rows.at) == top->behind ? add_behind(top, ns, comm, pid) : 0;
}

int top_turn(struct top *top, uint64_t span_ns)
{
	top->span_ns = span_ns;
	vec_each (&top->rows, row) {
		part_fini(&row->last);
		row->last = row->now;
		row->now = (struct top_part){ 0 };
		row->all.n += row->last.n;
		row->all.ns += row->last.ns;
		if (row->last.n && quantiles_merge(&row->all.times, &row->last.times))
			return -ENOMEM;
	}
	return 0;
}

struct top_sums top_sums(const struct top *top)
{
	struct top_sums sums = { 0 };

	vec_each (&top->rows, row) {
		sums.n += row->last.n;
		sums.ns += row->last.ns;
	}
	return sums;
}

/* --- order ------------------------------------------------------------------------------------------------ */

struct ordering {
	const struct top *top;
	enum top_sort sort;
};

/* Returns a quantile for sorting. A quantile that is not known becomes 0, and so comes last. */
static uint64_t quantile_or_0(const struct quantiles *q, unsigned int mille)
{
	const uint64_t value = quantiles_at(q, mille);

	return value == QUANTILE_UNKNOWN ? 0 : value + 1;
}

static uint64_t weight(const struct top_row *row, enum top_sort sort)
{
	switch (sort) {
	case TOP_BY_TIME:
		return row->last.ns;
	case TOP_BY_RATE:
		return row->last.n;
	case TOP_BY_P50:
		return quantile_or_0(&row->last.times, 500);
	case TOP_BY_P99:
		return quantile_or_0(&row->last.times, 990);
	case TOP_BY_CALLS:
		return row->all.n;
	default:
		return 0;
	}
}

/*
 * Compares two rows. If they are equal in the value by which rows are sorted, the busier one comes first, then the one that was busier before, and then the
 * name decides. So no row changes its place without reason.
 */
static int compare(const void *a, const void *b, void *ctx)
{
	const struct ordering *by = ctx;
	const struct top_row *l = &by->top->rows.at[*(const uint32_t *)a], *r = &by->top->rows.at[*(const uint32_t *)b];
	const enum top_sort sorts[] = { by->sort, TOP_BY_TIME, TOP_BY_RATE, TOP_BY_CALLS };

	for (size_t i = 0; by->sort != TOP_BY_NAME && i < ARRAY_LEN(sorts); i++) {
		const uint64_t x = weight(l, sorts[i]), y = weight(r, sorts[i]);

		if (x != y)
			return x > y ? -1 : 1;
	}
	return strcmp(l->name, r->name) ?: (*(const uint32_t *)a > *(const uint32_t *)b) - (*(const uint32_t *)a < *(const uint32_t *)b);
}

int top_order(const struct top *top, enum top_sort sort, const char *filter, uint32_t **order, size_t *n)
{
	struct ordering by = { top, sort };

	*n = 0;
	*order = malloc(MAX(top->rows.n, (size_t)1) * sizeof(**order));
	if (!*order)
		return -ENOMEM;
	for (size_t i = 0; i < top->rows.n; i++)
		if (!filter || !*filter || strcasestr(top->rows.at[i].name, filter))
			(*order)[(*n)++] = (uint32_t)i;
	qsort_r(*order, *n, sizeof(**order), compare, &by);
	return 0;
}
