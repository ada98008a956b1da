/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/funcs-text.h"
#include "lib/output/call-columns.h"
#include "lib/output/paths-view.h"

enum { OWNER, INTERRUPTS, FUNCTION, PERCENT, CALLS };

/* Defines the columns of a table. With other owners than CPUs, the owner's text says which calls are of interrupts, so people do not see that column. */
#define COLUMNS(owner, first, not_cpu, ...) \
	static const struct table_column by_##owner[] = { \
		[OWNER] = { __VA_ARGS__ }, \
		[INTERRUPTS] = { "interrupts", TABLE_BOOL, .more = not_cpu, .people = not_cpu }, \
		[FUNCTION] = { "function", TABLE_TEXT }, \
		[PERCENT] = { "percent", TABLE_PERCENT, .of = "self", .head = "%SELF", .heat = true }, \
		CALL_COLUMNS(CALLS, true), \
		{ NULL }, \
	}; \
	static const struct table_spec spec_by_##owner = { .columns = by_##owner + (first), .sort = "-self,function" }

/* Without owners, the table begins with the next column. */
COLUMNS(none, INTERRUPTS, true, NULL);
COLUMNS(task, OWNER, true, "task", TABLE_TEXT);
COLUMNS(comm, OWNER, true, "comm", TABLE_TEXT);
COLUMNS(cpu, OWNER, false, "cpu", TABLE_ID);

const struct table_spec *funcs_spec(enum paths_by by)
{
	static const struct table_spec *const specs[] = {
		[PATHS_ALL] = &spec_by_none,
		[PATHS_TASK] = &spec_by_task,
		[PATHS_COMM] = &spec_by_comm,
		[PATHS_CPU] = &spec_by_cpu,
	};

	return specs[by];
}

static void set_owner(struct table *table, enum paths_by by, const struct callgraph_function *function)
{
	if (by == PATHS_CPU)
		table_id(table, OWNER, paths_owner_cpu(function->owner));
	else if (function->owner)
		table_copy(table, OWNER, function->owner);
}

int funcs_table(struct table *table, const struct callgraph *graph, enum paths_by by, const struct callgraph_choice *choice, const struct path_facts *facts)
{
	const unsigned int skipped = by == PATHS_ALL ? INTERRUPTS : 0;
	callgraph_functions_t functions = { 0 };
	int err = callgraph_functions(graph, choice, &functions);
	struct callgraph_figures all = { 0 };

	vec_each (&functions, function) {
		/*
		 * With --callers-of, the rows are callers, and their figures are of calls of other functions. So only what is known of all functions is taken.
		 */
		const struct timed_facts *known = choice->callers_of && choice->callers_of->n ? &facts->least : path_facts_of(facts, function->name);
		const struct call_row row = {
			.figures = &function->all,
			.total = function->total,
			.facts = known,
			.lacks = path_facts_owner_lacks(facts, function->owner),
		};

		if (err)
			break;
		table_row(table, TABLE_ROOT);
		set_owner(table, by, function);
		table_bool(table, INTERRUPTS - skipped, function->irq);
		table_copy(table, FUNCTION - skipped, function->name);
		call_values(table, CALLS - skipped, &row);
		all.cut += function->all.cut;
		all.timeless += function->all.timeless;
	}
	if (!err)
		call_notes(table, CALLS - skipped, facts->paths, &all, graph);
	if (!err && !functions.n)
		err = -ENOENT;
	callgraph_functions_fini(&functions);
	return err;
}

static int make(struct handler **out, struct reading *reading, void *options)
{
	struct funcs_view *o = options;

	o->choice.by_owner = o->paths.by != PATHS_ALL;
	o->choice.globs = &o->globs;
	o->choice.callees_of = &o->callees_of;
	o->choice.callers_of = &o->callers_of;
	o->paths.callees_of = &o->callees_of;
	o->paths.callers_of = &o->callers_of;
	o->paths.flat = !o->callees_of.n && !o->callers_of.n;
	return paths_view_make(out, reading, &o->paths, funcs_spec(o->paths.by), &o->table);
}

static int show(struct handler *h, struct reading *reading, void *options)
{
	struct paths_view *view = container_of(h, struct paths_view, handler);
	struct funcs_view *o = options;
	struct path_facts facts;
	int err = path_facts_init(&facts, view->paths);

	err = err ? err : callgraph_settle(view->paths->graph);
	table_clear(view->table);
	err = err ? err : funcs_table(view->table, view->paths->graph, o->paths.by, &o->choice, &facts);
	path_facts_fini(&facts);
	return paths_view_show(view, reading, err,
			       o->globs.n	 ? o->globs.at[0]
			       : o->callers_of.n ? o->callers_of.at[0]
			       : o->callees_of.n ? o->callees_of.at[0]
						 : NULL);
}

const struct analysis funcs_analysis = {
	.name = "funcs",
	.needs = ANALYSIS_ALL_TASKS | ANALYSIS_TIMES,
	.folds = calls_fold,
	.make = make,
	.show = show,
};
