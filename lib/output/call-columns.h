/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines the columns that all tables of calls have. A column has the same name and meaning in each of these tables (Documentation/analysis.md). A table
 * puts CALL_COLUMNS() after its own columns. call_values() sets the values of these columns for a row.
 */
#ifndef RINGSIDE_CALL_COLUMNS_H
#define RINGSIDE_CALL_COLUMNS_H

#include "lib/analysis/paths.h"
#include "lib/output/table.h"

enum call_column {
	CALL_CALLS,
	CALL_CUT,
	CALL_TOTAL,
	CALL_SELF,
	CALL_OFF,
	CALL_BLOCKED,
	CALL_QUEUED,
	CALL_PREEMPTED,
	CALL_GUESSED,
	CALL_IRQ,
	CALL_MEAN,
	CALL_MIN,
	CALL_P50,
	CALL_P90,
	CALL_P99,
	CALL_P999,
	CALL_MAX,
	CALL_SPREAD,
	CALL_COLUMN_COUNT
};

/*
 * These are the definitions of the columns. @first is the index of the first of these columns in the table. If @wide is true, the text table also shows irq,
 * mean, p90 and spread by default. @wide is true for tables of functions. A tree of calls has no room for these four columns.
 */
#define CALL_COLUMNS(first, wide) \
	[(first) + CALL_CALLS] = { "calls", TABLE_COUNT }, [(first) + CALL_CUT] = { "cut", TABLE_COUNT, .more = true }, \
		   [(first) + CALL_TOTAL] = { "total", TABLE_NS }, [(first) + CALL_SELF] = { "self", TABLE_NS }, [(first) + CALL_OFF] = { "off", TABLE_NS }, \
		   [(first) + CALL_BLOCKED] = { "blocked", TABLE_NS, .more = true }, [(first) + CALL_QUEUED] = { "queued", TABLE_NS, .more = true }, \
		   [(first) + CALL_PREEMPTED] = { "preempted", TABLE_NS, .more = true }, [(first) + CALL_GUESSED] = { "guessed", TABLE_NS, .more = true }, \
		   [(first) + CALL_IRQ] = { "irq", TABLE_NS, .more = !(wide) }, [(first) + CALL_MEAN] = { "mean", TABLE_NS, .more = !(wide) }, \
		   [(first) + CALL_MIN] = { "min", TABLE_NS, .more = true }, [(first) + CALL_P50] = { "p50", TABLE_NS }, \
		   [(first) + CALL_P90] = { "p90", TABLE_NS, .more = !(wide) }, [(first) + CALL_P99] = { "p99", TABLE_NS }, \
		   [(first) + CALL_P999] = { "p999", TABLE_NS, .more = true }, [(first) + CALL_MAX] = { "max", TABLE_NS }, \
		   [(first) + CALL_SPREAD] = { "spread", TABLE_TEXT, .drawn = true, .people = true, .more = !(wide) }

/* This tells what call_values() needs to know about the calls of one row. */
struct call_row {
	const struct callgraph_figures *figures;
	uint64_t total; /* the value of the column "total" in ns, as the table of the row defines it */
	const struct timed_facts *facts;
	bool lacks; /* a task of these calls lacks switches: see path_facts_owner_lacks() */
};

/* Sets the columns of calls in the last row of @table. @first is the index of the first of these columns, as for CALL_COLUMNS(). */
void call_values(struct table *table, unsigned int first, const struct call_row *row);

/*
 * Adds a note that says that @cut calls are not complete and why. The note ends in "not " and @so. For example, @so is "counted". Adds nothing when @cut is 0.
 */
void call_note_cut(struct table *table, uint64_t cut, const char *so);

/*
 * Adds a note that the times of some complete calls are not known, and why. @calls is the number of these calls. @why is the text that units_why_timeless() in
 * lib/analysis/units.h returns. Adds nothing when @calls is 0.
 */
void call_note_timeless(struct table *table, uint64_t calls, const char *why);

/* Adds a note for each of the @inputs if its calls show that it was recorded with the option nosleep-time (timed_facts.unmeasured). */
void call_note_unmeasured(struct table *table, const inputs_t *inputs, const struct timed *timed);

/*
 * Adds the notes below a table of calls. @first is the index of the first of the columns of calls, as for CALL_COLUMNS(). @all has two numbers: how many
 * calls in the table are not complete, and how many calls have times that are not known. Each note is added only if it applies:
 *  - The values of "off", "blocked" and "queued" are not known or not exact, because events were not recorded. This note is added only if @table has rows.
 *  - Tasks lack switches (paths_find_lacking()), so the values of "off" are not known for their calls. This note is added only if @table has rows.
 *  - The values of "irq" are not known. This note is added only if @table has rows, and shows the column "irq".
 *  - A file was recorded with the option nosleep-time. This note is added only if @table has rows.
 *  - Some calls are not complete (@all->cut).
 *  - The times of some calls are not known (@all->timeless).
 *  - Some paths were folded (lib/analysis/callgraph.h). If paths_rows_by_caller() is true, the note also says that the calls of these paths are missing. These
 *    calls are missing because it is not known any more who called whom in these paths.
 */
void call_notes(struct table *table, unsigned int first, const struct paths *paths, const struct callgraph_figures *all, const struct callgraph *graph);

#endif
