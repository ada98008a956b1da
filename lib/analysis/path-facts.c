/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/path-facts.h"

/* .handlers is not compared, because no table shows it. */
static bool same(const struct timed_facts *a, const struct timed_facts *b)
{
	return a->switches == b->switches && a->wakeups == b->wakeups && a->guessed == b->guessed && a->some == b->some && a->irq == b->irq;
}

int path_facts_init(struct path_facts *facts, const struct paths *paths)
{
	__cleanup(free_ptr) bool *told = calloc(paths->graph->names.n, sizeof(*told));
	const struct timed_facts first = timed_facts_of(paths->timed, 0);
	bool all_same = true;

	*facts = (struct path_facts){ .paths = paths, .least = timed_facts_least(paths->timed) };
	facts->names = paths->graph->names.n;
	facts->owners = calloc(facts->names, sizeof(*facts->owners));
	if (!told || !facts->owners)
		return -ENOMEM;
	for (unsigned int file = 0; file < paths->inputs->n; file++)
		paths_find_lacking(paths, file, facts->owners);
	for (unsigned int file = 1; file < paths->inputs->n; file++) {
		const struct timed_facts its = timed_facts_of(paths->timed, file);

		all_same &= same(&its, &first);
	}
	if (all_same)
		return 0;
	facts->by_name = calloc(facts->names, sizeof(*facts->by_name));
	if (!facts->by_name)
		return -ENOMEM;
	for (size_t name = 0; name < paths->graph->names.n; name++)
		facts->by_name[name] = facts->least;
	for (size_t i = 0; i < paths->names.n; i++) {
		const struct timed_facts its = timed_facts_of(paths->timed, paths->files.at[i]);
		struct timed_facts *to = &facts->by_name[paths->names.at[i]];

		*to = told[paths->names.at[i]] ? timed_facts_both(to, &its) : its;
		told[paths->names.at[i]] = true;
	}
	return 0;
}

void path_facts_fini(struct path_facts *facts)
{
	free(take(facts->by_name));
	free(take(facts->owners));
}

bool path_facts_owner_lacks(const struct path_facts *facts, const char *owner)
{
	const int64_t i = owner ? callgraph_find_name(facts->paths->graph, owner) : -1;

	return i >= 0 && (size_t)i < facts->names && facts->owners[i];
}

const struct timed_facts *path_facts_of(const struct path_facts *facts, const char *name)
{
	const int64_t i = facts->by_name ? callgraph_find_name(facts->paths->graph, name) : -1;

	return i > CALLGRAPH_UNKNOWN_NAME && (size_t)i < facts->names ? &facts->by_name[i] : &facts->least;
}

const struct timed_facts *path_facts_at(const struct path_facts *facts, const struct callgraph *graph, const struct callgraph_node *node)
{
	return node->flags & CALLGRAPH_REST ? &facts->least : path_facts_of(facts, graph->names.at[node->name]);
}
