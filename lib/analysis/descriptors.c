/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/descriptors.h"
#include "lib/base/map.h"

/* This tells what a descriptor is now, and what it was before. */
struct descriptor {
	char *name, *before; /* NULL: not known */
	uint64_t since, before_since;
	bool kept;
};

struct descriptors {
	unsigned int owners;
	int unseen;
	MAP(int, struct descriptor) all;
};

struct descriptors *descriptors_new(void)
{
	struct descriptors *table = calloc(1, sizeof(*table));

	if (table)
		table->owners = 1;
	return table;
}

struct descriptors *descriptors_share(struct descriptors *table)
{
	table->owners++;
	return table;
}

struct descriptors *descriptors_copy(const struct descriptors *table, uint64_t ns)
{
	struct descriptors *copy = descriptors_new();

	for (size_t i = 0; copy && table->unseen <= 0 && i < map_count(&table->all); i++) {
		map_entry(&table->all) from = map_at(&table->all, i);

		if (!from->value.name || from->value.since >= ns || !descriptors_set(copy, from->key, from->value.name, from->value.kept, from->value.since))
			continue;
		descriptors_drop(copy);
		return NULL;
	}
	return copy;
}

void descriptors_forget(struct descriptors *table)
{
	map_each (&table->all, entry) {
		free(entry->value.name);
		free(entry->value.before);
	}
	map_fini(&table->all);
}

bool descriptors_sole(const struct descriptors *table)
{
	return table->owners == 1 && table->unseen <= 0;
}

void descriptors_drop(struct descriptors *table)
{
	if (!table || --table->owners)
		return;
	descriptors_forget(table);
	free(table);
}

const char *descriptors_made(const struct descriptors *table, int fd, uint64_t ns)
{
	const map_entry(&table->all) entry = map_find(&table->all, fd);

	if (!entry)
		return NULL;
	if (ns >= entry->value.since)
		return entry->value.name;
	return ns >= entry->value.before_since ? entry->value.before : NULL;
}

const char *descriptors_at(const struct descriptors *table, int fd, uint64_t ns)
{
	return table->unseen > 0 ? NULL : descriptors_made(table, fd, ns);
}

bool descriptors_wanted(const struct descriptors *table, int fd)
{
	return table->unseen <= 0 && !descriptors_made(table, fd, UINT64_MAX);
}

/* From @ns on, the descriptor is something else. If something is known from a later time on, that is kept, and only what was before it changes. */
static void change(struct descriptor *of, char *name, bool kept, uint64_t ns)
{
	free(of->before);
	if (ns < of->since) {
		of->before = name;
		of->before_since = ns;
		return;
	}
	of->before = of->name;
	of->before_since = of->since;
	of->name = name;
	of->since = ns;
	of->kept = kept;
}

int descriptors_set(struct descriptors *table, int fd, const char *name, bool kept, uint64_t ns)
{
	map_entry(&table->all) entry = name ? map_add(&table->all, fd) : map_find(&table->all, fd);
	char *copy = name ? strdup(name) : NULL;

	if (name && (!entry || !copy)) {
		free(copy);
		return -ENOMEM;
	}
	if (entry)
		change(&entry->value, copy, kept, ns);
	return 0;
}

void descriptors_keep(struct descriptors *table, int fd, bool kept, uint64_t ns)
{
	map_entry(&table->all) entry = map_find(&table->all, fd);

	if (entry && ns >= entry->value.since)
		entry->value.kept = kept;
}

void descriptors_exec(struct descriptors *table, uint64_t ns)
{
	map_each (&table->all, entry)
		if (entry->value.name && (!entry->value.kept || ns < entry->value.since))
			change(&entry->value, NULL, false, ns);
}

void descriptors_close(struct descriptors *table, int64_t first, int64_t last, uint64_t ns)
{
	map_each (&table->all, entry)
		if (entry->key >= first && entry->key <= last)
			change(&entry->value, NULL, false, ns);
}

void descriptors_unseen(struct descriptors *table, int more)
{
	table->unseen += more;
}
