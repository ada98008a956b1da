/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/output/table-order.h"

static int compare(enum table_type type, const union table_value *a, const union table_value *b)
{
	switch (type) {
	case TABLE_TEXT:
	case TABLE_ANY:
		return strcmp(a->text, b->text);
	case TABLE_ID:
	case TABLE_DEPTH:
		return ORDER(a->id, b->id);
	case TABLE_PERCENT:
	case TABLE_REAL:
		return ORDER(a->real, b->real);
	case TABLE_BOOL:
		return ORDER(a->is, b->is);
	case TABLE_PATH:
		return 0;
	case TABLE_COUNT:
	case TABLE_NUMBER:
	case TABLE_TS:
	case TABLE_NS:
	case TABLE_BYTES:
		break;
	}
	return ORDER(a->n, b->n);
}

/* Orders rows by the keys. A value that is not known comes last in either direction. Equal rows stay in the order in which they were added. */
static int by_keys(const void *a, const void *b, void *ctx)
{
	const struct table *t = ctx;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	for (unsigned int i = 0; i < t->nkeys; i++) {
		const struct table_key *key = &t->keys[i];
		enum table_type type = t->spec->columns[key->column].type;
		/* Siblings differ only in the last part of their paths. */
		unsigned int column = type == TABLE_PATH && t->tree >= 0 ? (unsigned int)t->tree : key->column;
		union table_value of_x, of_y;
		bool has_x = table_value(t, x, column, &of_x), has_y = table_value(t, y, column, &of_y);
		int order;

		if (has_x != has_y)
			return has_x ? -1 : 1;
		order = has_x ? compare(t->spec->columns[column].type, &of_x, &of_y) : 0;
		if (order)
			return key->down ? -order : order;
	}
	return ORDER(x, y);
}

/* For each row, the list of its children in sorted order. */
struct family {
	uint32_t *first; /* the first child of each row; the last element is for the roots */
	uint32_t *next;
};

/* Returns the row that is shown after @row: its first child, or else the next sibling of the row or of one of its ancestors. */
static uint32_t behind(const struct table *t, const struct family *family, uint32_t row)
{
	if (family->first[row] != TABLE_ROOT)
		return family->first[row];
	while (row != TABLE_ROOT && family->next[row] == TABLE_ROOT)
		row = t->parents.at[row];
	return row == TABLE_ROOT ? TABLE_ROOT : family->next[row];
}

/* Orders rows so that each is followed by its descendants, with as many roots as are wanted. */
static int order_tree(struct table *t)
{
	size_t n = t->known.n;
	__cleanup(free_ptr) uint32_t *first = malloc((n + 1) * sizeof(*first));
	__cleanup(free_ptr) uint32_t *next = malloc((n + 1) * sizeof(*next));
	struct family family = { first, next };
	uint64_t roots = 0;

	t->depths = calloc(n + 1, sizeof(*t->depths));
	if (!first || !next || !t->depths)
		return -ENOMEM;
	memset(first, 0xff, (n + 1) * sizeof(*first));
	for (size_t i = n; i-- > 0;) {
		uint32_t row = t->order[i], parent = t->parents.at[row], *head = &first[parent == TABLE_ROOT ? n : parent];

		next[row] = *head;
		*head = row;
	}
	for (size_t row = 0; row < n; row++)
		if (t->parents.at[row] != TABLE_ROOT)
			t->depths[row] = (uint16_t)MIN(t->depths[t->parents.at[row]] + 1, UINT16_MAX);
	t->n = 0;
	for (uint32_t row = first[n]; row != TABLE_ROOT; row = behind(t, &family, row)) {
		if (t->parents.at[row] == TABLE_ROOT && t->show.top && roots++ == t->show.top)
			break;
		t->order[t->n++] = row;
	}
	t->cut = n - t->n;
	return 0;
}

int table_order(struct table *t)
{
	bool tree = false;

	t->n = t->known.n;
	t->cut = 0;
	t->order = malloc((t->n + 1) * sizeof(*t->order));
	if (!t->order)
		return -ENOMEM;
	for (uint32_t row = 0; row < t->n; row++) {
		t->order[row] = row;
		tree |= t->parents.at[row] != TABLE_ROOT;
	}
	if (t->nkeys)
		qsort_r(t->order, t->n, sizeof(*t->order), by_keys, t);
	if (tree)
		return order_tree(t);
	if (t->show.top && t->n > t->show.top) {
		t->cut = t->n - (size_t)t->show.top;
		t->n = (size_t)t->show.top;
	}
	return 0;
}
