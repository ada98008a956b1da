/* SPDX-License-Identifier: GPL-2.0 */
/* Makes a table with only the few rows that a query wants; other rows are not kept. */
#ifdef RINGSIDE_SQLITE
#include "lib/query/wants.h"

#include <inttypes.h>

/* At most this many choices of a table are made in a statement. A statement with more is better served by all rows. */
enum { MOST_PARTS = 2 };

static bool chooses(const struct choice *choice, const struct want *want)
{
	return want->constant && choice->columns >> MIN(want->column, 63u) & 1;
}

bool choice_fits(const struct choice *choice, unsigned int column, const struct cell *cell)
{
	if (!choice)
		return true;
	vec_each (choice->wants, want)
		if (want->column == column && chooses(choice, want) && !want_fits(want, cell))
			return false;
	return true;
}

/* Puts a key that is equal for equal choices. */
static void put_key(const struct choice *choice, struct str *out)
{
	vec_each (choice->wants, want) {
		if (!chooses(choice, want))
			continue;
		str_addf(out, "%u:%u(", want->column, want->op);
		vec_each (&want->values, value)
			str_addf(out, "%u:%" PRId64 ":%a:%zu:%s,", value->kind, value->number, value->real, value->size, value->text ? value->text : "");
		str_addc(out, ')');
	}
}

static struct store *find_part(const struct relation *table, const char *key)
{
	vec_each (&table->parts, part)
		if (strcmp(part->key, key) == 0 && !(table->wanted & ~part->store->wanted))
			return part->store;
	return NULL;
}

static int make_part(struct relation *table, const struct choice *choice, const char *key, struct store **out)
{
	struct relation_part part = { 0 };
	int err;

	table->choice = choice;
	err = relation_make(table, &part.store);
	table->choice = NULL;
	if (err)
		return err;
	part.key = strdup(key);
	if (!part.key || vec_push(&table->parts, part)) {
		free(part.key);
		store_put(part.store);
		return -ENOMEM;
	}
	*out = part.store;
	return 0;
}

int relation_chosen(struct relation *table, const wants_t *wants, struct store **out)
{
	const struct choice choice = { .columns = table->kind->chooses, .wants = wants };
	const bool there = table->store && !(table->wanted & ~table->store->wanted);
	struct str key = { 0 };
	int err = 0;

	*out = NULL;
	if (table->ts >= 0)
		table->wanted |= 1ULL << MIN(table->ts, 63);
	if (!there && !table->query->numbered)
		put_key(&choice, &key);
	if (key.len && !key.oom)
		*out = find_part(table, str_text(&key));
	if (!*out && key.len && !key.oom && table->parts.n < MOST_PARTS)
		err = make_part(table, &choice, str_text(&key), out);
	if (!err && !*out) {
		err = relation_fill(table);
		*out = table->store;
	}
	str_fini(&key);
	if (!err)
		(*out)->users++;
	return err;
}
#endif
