/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/funcs-text.h"
#include "lib/output/call-columns.h"

enum { OWNER, FUNCTION, PERCENT, CALLS };

#define COLUMNS(owner, ...)                                                                                \
	static const struct table_column by_##owner[] = {                                                  \
		[OWNER] = { __VA_ARGS__ },                                                                 \
		[FUNCTION] = { "function", TABLE_TEXT },                                                   \
		[PERCENT] = { "percent", TABLE_PERCENT, .of = "self", .head = "%SELF", .heat = true },     \
		CALL_COLUMNS(CALLS, true),                                                                 \
		{ NULL },                                                                                  \
	};                                                                                                 \
	static const struct table_spec spec_by_##owner = { .columns = by_##owner, .sort = "-self,function" }

COLUMNS(none, "owner", TABLE_TEXT, .more = true, .people = true);
COLUMNS(task, "task", TABLE_TEXT);
COLUMNS(comm, "comm", TABLE_TEXT);
COLUMNS(cpu, "cpu", TABLE_TEXT);

const struct table_spec *funcs_spec(const char *by)
{
	static const struct {
		const char *by;
		const struct table_spec *spec;
	} specs[] = { { "task", &spec_by_task }, { "comm", &spec_by_comm }, { "cpu", &spec_by_cpu } };

	for (size_t i = 0; by && i < ARRAY_LEN(specs); i++)
		if (strcmp(by, specs[i].by) == 0)
			return specs[i].spec;
	return &spec_by_none;
}

int funcs_table(struct table *table, const struct callgraph *graph, const struct callgraph_choice *choice, const struct timed_facts *facts)
{
	callgraph_functions_t functions = { 0 };
	int err = callgraph_functions(graph, choice, &functions);
	uint64_t cut = 0;

	vec_each (&functions, function) {
		const struct call_row row = { .calls = &function->calls, .total = function->total, .sums = &function->sums,
					      .facts = facts };

		if (err)
			break;
		table_row(table, TABLE_ROOT);
		if (function->owner)
			table_copy(table, OWNER, function->owner);
		table_copy(table, FUNCTION, function->name);
		call_values(table, CALLS, &row);
		cut += function->sums.cut;
	}
	if (!err)
		call_notes(table, facts, cut, graph);
	if (!err && !functions.n)
		err = -ENOENT;
	callgraph_functions_fini(&functions);
	return err;
}
