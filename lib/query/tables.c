/* SPDX-License-Identifier: GPL-2.0 */
#ifdef RINGSIDE_SQLITE
#include "lib/query/tables.h"
#include "lib/base/err.h"
#include "lib/query/scan.h"

#include <string.h>

/* --- which there are -------------------------------------------------------------------------------------------- */

static const struct relation_kind *const kinds[] = {
	&kind_events, &kind_calls, &kind_sched, &kind_syscalls, &kind_wakeups, &kind_irqs, &kind_losses, &kind_functions, &kind_meta,
};

void relation_forget(struct relation *table)
{
	vec_each (&table->parts, part) {
		free(part->key);
		store_put(part->store);
	}
	table->parts.n = 0;
}

void relation_free(struct relation *table)
{
	if (!table)
		return;
	vec_each (&table->columns, column)
		free(column->name);
	vec_fini(&table->columns);
	vec_each (&table->events, event)
		vec_fini(&event->fields);
	vec_fini(&table->events);
	relation_forget(table);
	vec_fini(&table->parts);
	store_put(table->store);
	free(table->name);
	free(table);
}

static int add_column(struct relation *table, const char *name, enum column_type type, bool hidden)
{
	struct column column = { .name = strdup(name), .type = (uint8_t)type, .hidden = hidden };

	if (column.name && !vec_push(&table->columns, column))
		return 0;
	free(column.name);
	return -ENOMEM;
}

static int find_column(const struct relation *table, const char *name)
{
	vec_each (&table->columns, column)
		if (strcasecmp(column->name, name) == 0)
			return (int)(column - table->columns.at);
	return -1;
}

/* Adds a column behind the existing ones. Its name is changed if a column has that name. */
static int add_last_column(struct relation *table, const char *name, bool hidden)
{
	__cleanup(free_ptr) char *mine = NULL;
	strv_t names = { 0 };
	int err = 0;

	vec_each (&table->columns, column)
		err = err ? err : strv_add(&names, column->name);
	mine = err ? NULL : cell_last_column(&names, name);
	strv_fini(&names);
	return mine ? add_column(table, mine, COLUMN_TEXT, hidden) : -ENOMEM;
}

/* Adds the columns of the file. With a single file they are hidden, so that only a query that names them shows them. */
static int add_file_columns(struct relation *table)
{
	const bool hidden = table->query->reading->inputs.n < 2;
	int err;

	table->file = (unsigned int)table->columns.n;
	err = add_last_column(table, "file", hidden);
	return err ? err : add_last_column(table, "host", hidden);
}

static struct relation *new_table(struct query *query, const struct relation_kind *kind, const char *name)
{
	struct relation *table = calloc(1, sizeof(*table));

	if (!table)
		return NULL;
	*table = (struct relation){ .query = query, .kind = kind, .name = strdup(name), .ts = -1 };
	if (table->name && !vec_push(&query->tables, table))
		return table;
	relation_free(table);
	return NULL;
}

static bool is_time(const char *column)
{
	return strcmp(column, "ts") == 0 || strcmp(column, "end") == 0;
}

static int add_fixed(struct query *query, const struct relation_kind *kind, const char *name)
{
	struct relation *table = new_table(query, kind, name);
	int err = table ? 0 : -ENOMEM;

	for (size_t i = 0; !err && kind->columns[i]; i++) {
		const bool text = str_ends(kind->columns[i], " TEXT");
		char *column = strndup(kind->columns[i], strcspn(kind->columns[i], " "));

		err = column ? add_column(table, column, text ? COLUMN_TEXT : is_time(column) ? COLUMN_TIME : COLUMN_INTEGER, false) : -ENOMEM;
		free(column);
	}
	if (!err)
		table->ts = find_column(table, "ts");
	return err ? err : add_file_columns(table);
}

/* --- tables of events ------------------------------------------------------------------------------------------- */

static enum column_type type_of(const struct plan_field *f)
{
	return !cell_is_integer(f) ? COLUMN_TEXT : cell_is_wide(f) ? COLUMN_UNSIGNED : COLUMN_INTEGER;
}

/* Adds a field, or merges it with a column of that name. A column that is a number in one file and a text in another is a text. */
static int merge_field(struct relation *table, const char *name, enum column_type type)
{
	int at = -1;

	for (size_t i = EVENT_MORE; at < 0 && i < table->columns.n; i++)
		if (strcasecmp(table->columns.at[i].name, name) == 0)
			at = (int)i;
	if (at < 0)
		return add_column(table, name, type, false) ? -ENOMEM : (int)table->columns.n - 1;
	table->columns.at[at].type = MAX(table->columns.at[at].type, (uint8_t)type);
	return at;
}

static int add_fields(struct relation *table, struct event *event, struct relation_event *out)
{
	struct plan *plan = NULL;
	strv_t names = { 0 };
	int err = plan_new(&plan, event, PLAN_JSON);

	err = err ? err : cell_columns(plan, &names);
	out->event = event;
	for (size_t i = 0; !err && i < names.n; i++) {
		int column = merge_field(table, names.at[i], type_of(&plan->fields.at[i]));

		err = MIN(column, 0);
		while (!err && out->fields.n <= (size_t)column - EVENT_MORE)
			err = vec_push(&out->fields, -1);
		if (!err)
			out->fields.at[column - EVENT_MORE] = (int)i;
	}
	strv_fini(&names);
	plan_free(plan);
	return err;
}

static int add_event(struct query *query, const struct event *event, const char *name)
{
	struct relation *table = new_table(query, &kind_event, name);
	int err = table ? 0 : -ENOMEM;

	for (size_t i = 0; !err && cell_event_columns[i]; i++)
		err = add_column(table, cell_event_columns[i], i == EVENT_COMM || i == EVENT_BUFFER ? COLUMN_TEXT : i ? COLUMN_INTEGER : COLUMN_TIME, false);
	vec_each (&query->reading->inputs, input) {
		struct event *mine = err ? NULL : trace_find(input->trace, event->system, event->name);

		err = err ? err : vec_push(&table->events, (struct relation_event){ 0 });
		if (!err && mine && trace_event(input->trace, mine->id) == mine)
			err = add_fields(table, mine, &table->events.at[table->events.n - 1]);
	}
	if (!err)
		table->ts = EVENT_TS;
	return err ? err : add_file_columns(table);
}

/* Did an earlier file, or this file under another id, have the event? */
static bool is_known(const struct query *query, const struct input *in, const struct event *event)
{
	for (const struct input *before = query->reading->inputs.at; before < in; before++)
		if (trace_find(before->trace, event->system, event->name))
			return true;
	return trace_find(in->trace, event->system, event->name) != event;
}

static int add_events(struct query *query)
{
	strv_t names = { 0 };
	int err = cell_reserve(&names);

	vec_each (&query->reading->inputs, input) {
		vec_each (&input->trace->events, event) {
			const char *name = err || is_known(query, input, *event) ? NULL : cell_table(&names, *event);

			if (name)
				err = add_event(query, *event, name);
			else if (!err && !is_known(query, input, *event))
				err = -ENOMEM;
		}
	}
	strv_fini(&names);
	return err;
}

/* Finds the name of each file's machine, which is the second word of its uname. */
static int add_hosts(struct query *query)
{
	vec_each (&query->reading->inputs, input) {
		const struct text *uname = &input->file->meta.uname;
		strv_t words = { 0 };
		int err = uname->at ? strv_split(&words, uname->at, " \n") : 0;

		err = err ? err : strv_add(&query->hosts, words.n > 1 ? words.at[1] : "");
		strv_fini(&words);
		if (err)
			return err;
	}
	return 0;
}

int tables_make(struct query *query)
{
	int err = add_hosts(query);

	for (size_t i = 0; !err && i < ARRAY_LEN(kinds); i++) {
		err = add_fixed(query, kinds[i], kinds[i]->name);
		if (!err && kinds[i]->also)
			err = add_fixed(query, kinds[i], kinds[i]->also);
	}
	return err ? err : add_events(query);
}

/* --- rows ------------------------------------------------------------------------------------------------------- */

void relation_put_file(const struct relation *table, struct store *store, uint32_t row, unsigned int file)
{
	const char *path = table->query->reading->inputs.at[file].path, *host = table->query->hosts.at[file];
	struct str room = { 0 };
	struct cell cell;

	if (!store_wants(store->wanted, table->file) && !store_wants(store->wanted, table->file + 1))
		return;
	cell_text(&cell, path, strlen(path), &room);
	store_cell(store, row, table->file, &cell);
	cell_text(&cell, host, strlen(host), &room);
	store_cell(store, row, table->file + 1, &cell);
	str_fini(&room);
}

int relation_make(struct relation *table, struct store **out)
{
	__cleanup(free_ptr) uint8_t *types = calloc(table->columns.n + 1, 1);
	struct store *store = NULL;
	int err;

	*out = NULL;
	for (size_t i = 0; types && i < table->columns.n; i++)
		types[i] = table->columns.at[i].type;
	err = types ? store_new(&store, types, (unsigned int)table->columns.n, table->wanted) : -ENOMEM;
	err = err ? err : table->kind->fill(table, store);
	err = err ? err : store_done(store, table->ts);
	if (err) {
		store_put(store);
		return err;
	}
	*out = store;
	return 0;
}

int relation_fill(struct relation *table)
{
	struct store *store;
	int err;

	/* The time is always made, because it tells whether rows are in order. */
	if (table->ts >= 0)
		table->wanted |= 1ULL << MIN(table->ts, 63);
	if (table->store && !(table->wanted & ~table->store->wanted))
		return 0;
	err = relation_make(table, &store);
	if (err)
		return err;
	store_put(table->store);
	table->store = store;
	return 0;
}

/* Fills the store with events, because a query asks for them several times. */
static int fill_events(struct relation *table, struct store *store)
{
	const struct scan_want all = { .to = UINT64_MAX, .cpu = -1 };
	struct scan scan;
	int err = scan_open(&scan, table, &all);

	while (!err) {
		uint32_t row;

		err = scan_next(&scan);
		if (err <= 0)
			break;
		row = store_row(store);
		for (unsigned int i = 0; i < table->columns.n; i++) {
			struct cell cell;

			if (!store_wants(store->wanted, i))
				continue;
			scan_cell(&scan, i, &cell);
			store_cell(store, row, i, &cell);
		}
		err = scan.room.oom || scan.scratch.oom ? -ENOMEM : store->err;
	}
	scan_close(&scan);
	return err;
}

static const char *const events_columns[] = {
	"ts", "cpu", "pid", "comm TEXT", "buffer TEXT", "flags", "preempt", "name TEXT", "system TEXT", "text TEXT", NULL,
};

const struct relation_kind kind_events = { .name = "events", .columns = events_columns, .stream = true, .fill = fill_events };
const struct relation_kind kind_event = { .stream = true, .fill = fill_events };

/* --- one pass --------------------------------------------------------------------------------------------------- */

/* Counts lost events, and calls the query's watch. */
struct loss_counter {
	struct handler handler;
	const struct query *query;
	uint64_t lost;
	bool more;
};

static int count_losses(struct handler *h, const struct batch *batch)
{
	struct loss_counter *counter = (struct loss_counter *)h;

	for (size_t i = 0; i < batch->n; i++) {
		const struct record *rec = &batch->records[i];

		if (!(rec->flags & RECORD_LOST))
			continue;
		if (rec->lost == LOST_UNKNOWN)
			counter->more = true;
		else
			counter->lost += (uint64_t)rec->lost;
	}
	return batch->n ? query_tick(counter->query, &batch->records[batch->n - 1]) : 0;
}

static bool folds(__unused const struct trace *trace)
{
	return true;
}

static int make_counter(struct handler **out, __unused struct reading *reading, void *options)
{
	*out = options;
	return 0;
}

static const struct analysis counter_analysis = { .name = "sql", .needs = ANALYSIS_TIMES, .folds = folds, .make = make_counter };

int relation_pass(struct relation *table, const struct analysis *what, void *ctx)
{
	struct query *query = table->query;
	struct loss_counter counter = { .handler = { .records = count_losses }, .query = query };
	struct reading reading;
	int err = reading_share(&reading, query->reading);

	err = err ? err : reading_add(&reading, what, ctx);
	err = err ? err : reading_add(&reading, &counter_analysis, &counter);
	err = err ? err : reading_select(&reading);
	err = err ? err : reading_run(&reading);
	if (!err && reading_hides_stays(&reading) && !query->hides_stays)
		warn(READING_HIDES_STAYS);
	query->hides_stays |= reading_hides_stays(&reading);
	if (!err && !query->tells_deep)
		reading_warn_of_deep(&reading);
	query->tells_deep |= reading.calls && calls_deep(reading.calls);
	if (!err && !query->tells_lacking)
		reading_note_lacking(&reading);
	query->tells_lacking |= !err && reading.lacking;
	query->lost = MAX(query->lost, counter.lost);
	query->lost_more |= counter.more;
	query->damaged |= reading_damaged(&reading);
	reading_again(&reading);
	return err;
}
#endif
