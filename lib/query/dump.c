/* SPDX-License-Identifier: GPL-2.0 */
#ifdef RINGSIDE_SQLITE
#include "lib/query/dump.h"
#include "lib/base/err.h"
#include "lib/query/scan.h"

struct source {
	struct relation *relation;
	struct dump_table table;
	uint64_t rows; /* how many rows have been given */
	bool left_out;
};

/* The sources of events, by event id. */
typedef VEC(size_t) sources_t;

struct dump {
	struct query *query;
	VEC(struct source) sources;
	VEC(sources_t) by_id; /* by number of the file */
	size_t at;	      /* the source of the current row */
	/* For events. */
	struct relation *events; /* NULL: no events are wanted, or all have been given */
	struct scan scan;
	bool scans;
	size_t all; /* the source of the table `events`; SIZE_MAX: its rows are not wanted */
	size_t own; /* the source of the event's own table, whose row is next; SIZE_MAX: there is none */
	/* For tables that are made in memory. */
	struct store *store;
	uint32_t row;
	struct str room;
};

/* --- tables ------------------------------------------------------------------------------------------------------ */

static const struct relation_kind *const timed[] = { &kind_events, &kind_event, &kind_calls, &kind_sched, &kind_irqs, &kind_losses };

static int describe(struct source *source)
{
	const struct relation *r = source->relation;
	struct dump_table *table = &source->table;
	int err = 0;

	*table = (struct dump_table){ .name = r->name,
				      .ts = -1,
				      .event = r->kind == &kind_events ? EVENTS_NAME : -1,
				      .host = r->file + 1,
				      .of_event = r->kind == &kind_event };
	for (size_t i = 0; i < ARRAY_LEN(timed); i++)
		if (r->kind == timed[i])
			table->ts = r->ts;
	vec_each (&r->columns, column) {
		const int i = (int)(column - r->columns.at);
		struct dump_column out = { .name = column->name };

		out.type = column->type == COLUMN_TEXT ? DUMP_TEXT : column->type == COLUMN_UNSIGNED || i == table->ts ? DUMP_UNSIGNED : DUMP_INTEGER;
		if (r->kind->stream && i >= EVENT_CPU && i < EVENT_MORE && out.type == DUMP_INTEGER)
			out.type = DUMP_SMALL;
		out.known = i == table->ts || i == table->event || i == (int)table->host || out.type == DUMP_SMALL;
		err = err ? err : vec_push(&table->columns, out);
	}
	return err;
}

static int add_source(struct dump *dump, struct relation *relation, const char *only)
{
	struct source source = { .relation = relation, .left_out = only && strcasecmp(only, relation->name) };
	int err;

	/* A second name of a table is left out. */
	if (relation->kind->also && strcmp(relation->name, relation->kind->also) == 0)
		return 0;
	err = describe(&source);
	if (!err)
		err = vec_push(&dump->sources, source);
	if (err)
		vec_fini(&source.table.columns);
	return err;
}

static int find_events(struct dump *dump)
{
	int err = 0;

	vec_each (&dump->query->reading->inputs, input) {
		const size_t file = (size_t)(input - dump->query->reading->inputs.at);
		sources_t ids = { 0 };

		for (size_t id = 0; !err && id < input->trace->nids; id++)
			err = vec_push(&ids, SIZE_MAX);
		for (size_t i = 0; !err && i < dump->sources.n; i++) {
			const struct source *source = &dump->sources.at[i];
			const struct event *event = source->relation->kind == &kind_event ? source->relation->events.at[file].event : NULL;

			if (event && !source->left_out && event->id < ids.n)
				ids.at[event->id] = i;
		}
		err = err ? err : vec_push(&dump->by_id, ids);
		if (err)
			vec_fini(&ids);
	}
	return err;
}

static int choose(struct dump *dump, const char *only)
{
	strv_t names = { 0 }, best = { 0 };
	__cleanup(free_ptr) char *near = NULL;
	bool any = !only;

	vec_each (&dump->sources, source) {
		any |= !source->left_out;
		if (source->relation->kind == &kind_events) {
			dump->events = source->relation;
			dump->all = source->left_out ? SIZE_MAX : (size_t)(source - dump->sources.at);
		}
		strv_add(&names, source->table.name);
	}
	if (!any) {
		nearest_names(only, &names, 2, &best);
		near = join_names(&best, " (did you mean ", "?)");
	}
	strv_fini(&names);
	strv_fini(&best);
	return any ? 0 : fail(EINVAL, "there is no table '%s'%s; `ringside sql --tables` lists them", only, near ? near : "");
}

static bool event_wanted(void *ctx, const struct event *event)
{
	const struct dump *dump = ctx;

	if (dump->all != SIZE_MAX)
		return true;
	vec_each (&dump->by_id, ids)
		if (event->id < ids->n && ids->at[event->id] != SIZE_MAX)
			return true;
	return false;
}

static int begin_scan(struct dump *dump)
{
	const struct scan_want want = { .to = UINT64_MAX, .cpu = -1, .event = event_wanted, .ctx = dump };
	bool any = false;

	vec_each (&dump->sources, source)
		any |= source->relation->kind->stream && !source->left_out;
	if (!any) {
		dump->events = NULL;
		return 0;
	}
	dump->scans = true;
	return scan_open(&dump->scan, dump->events, &want);
}

int dump_open(struct dump **out, struct query *query, const char *only)
{
	struct dump *dump = *out = calloc(1, sizeof(*dump));
	int err = dump ? 0 : -ENOMEM;

	if (err)
		return fail(ENOMEM, "out of memory");
	dump->query = query;
	dump->all = dump->own = SIZE_MAX;
	vec_each (&query->tables, relation)
		err = err ? err : add_source(dump, *relation, only);
	err = err ? err : find_events(dump);
	if (err)
		return fail(ENOMEM, "out of memory");
	err = choose(dump, only);
	return err ? err : begin_scan(dump);
}

void dump_close(struct dump *dump)
{
	if (!dump)
		return;
	if (dump->scans)
		scan_close(&dump->scan);
	store_put(dump->store);
	vec_each (&dump->sources, source)
		vec_fini(&source->table.columns);
	vec_fini(&dump->sources);
	vec_each (&dump->by_id, ids)
		vec_fini(ids);
	vec_fini(&dump->by_id);
	str_fini(&dump->room);
	free(dump);
}

size_t dump_tables(const struct dump *dump)
{
	return dump->sources.n;
}

const struct dump_table *dump_table_at(const struct dump *dump, size_t index)
{
	return &dump->sources.at[index].table;
}

/* --- rows -------------------------------------------------------------------------------------------------------- */

/* Goes to the next row. An event first gives a row of `events`, and then a row of its own table. */
static int next_event(struct dump *dump)
{
	int err;

	if (dump->own != SIZE_MAX) {
		dump->at = dump->own;
		dump->own = SIZE_MAX;
		return 1;
	}
	err = scan_next(&dump->scan);
	if (err <= 0)
		return err;
	dump->own = dump->by_id.at[dump->scan.rec->file].at[dump->scan.event->id];
	if (dump->all == SIZE_MAX)
		return next_event(dump);
	dump->at = dump->all;
	return 1;
}

static int make_rows(struct dump *dump, struct relation *relation)
{
	int err;

	relation->wanted = UINT64_MAX;
	err = relation_fill(relation);
	if (err)
		return err == -ENOMEM ? fail(ENOMEM, "out of memory") : err;
	dump->store = take(relation->store);
	dump->row = 0;
	return 0;
}

static int next_made(struct dump *dump)
{
	int err = 0;

	if (dump->store && ++dump->row < dump->store->n)
		return 1;
	store_put(take(dump->store));
	for (dump->at++; !err && dump->at < dump->sources.n; dump->at++) {
		struct source *source = &dump->sources.at[dump->at];

		if (source->relation->kind->stream || source->left_out)
			continue;
		err = make_rows(dump, source->relation);
		if (!err && dump->store->n)
			return 1;
		store_put(take(dump->store));
	}
	return err;
}

int dump_next(struct dump *dump, size_t *table, uint64_t *row)
{
	int err = dump->events ? next_event(dump) : 0;

	if (!err) {
		if (dump->events)
			dump->at = SIZE_MAX;
		dump->events = NULL;
		err = next_made(dump);
	}
	if (err <= 0)
		return err;
	*table = dump->at;
	*row = dump->sources.at[dump->at].rows++;
	return 1;
}

void dump_cell(struct dump *dump, unsigned int column, struct cell *out)
{
	if (!dump->events) {
		store_value(dump->store, dump->row, column, &dump->room, out);
		return;
	}
	/* Reads the current record as a row of this table. */
	dump->scan.table = dump->sources.at[dump->at].relation;
	scan_cell(&dump->scan, column, out);
	dump->scan.table = dump->events;
}
#endif
