/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/counts-text.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/output/reading-meta.h"
#include "lib/output/worst-text.h"

/* The columns after the keys. */
enum { COUNT, PERCENT, RATE, SUM, MEAN };

struct view {
	struct handler handler;
	struct counts *counts;
	const struct counts_view *opt;
	struct table_column columns[COUNT_MOST_KEYS + MEAN + 3];
	struct table_spec spec;
	struct table *table;
	size_t first, nkeys;	    /* .first is the first column of a key; a column with the beginning of the period may stand before it */
	uint64_t since_ns, last_ns; /* when the period began, and the time of the last record */
	bool begun;		    /* a period has begun */
	bool shown;		    /* a period has been shown */
};

static int show_period(struct view *v, uint64_t span_ns);

/* Ends the period with the first record after it. Periods without events have no table. */
static int take_period(struct view *v, const struct record *rec)
{
	const struct input *input = v->counts->sources.at[rec->file].input;
	const uint64_t every = v->opt->every_ns, now = input_time(input, rec);
	int err = 0;

	if (!input_in_ns(input, rec->buffer))
		return fail(EINVAL, "--every: the times of this recording are ticks of its clock, and nobody knows how long one is");
	if (!v->begun)
		v->since_ns = now;
	if (now > v->since_ns && now - v->since_ns >= every) {
		err = v->counts->n ? show_period(v, every) : 0;
		v->since_ns += (now - v->since_ns) / every * every;
	}
	v->begun = true;
	v->last_ns = MAX(v->last_ns, now);
	return err;
}

static int take_records(struct handler *h, const struct batch *batch)
{
	struct view *v = container_of(h, struct view, handler);
	int err = 0;

	for (size_t i = 0; !err && i < batch->n; i++) {
		err = v->opt->every_ns && !v->opt->fill ? take_period(v, &batch->records[i]) : 0;
		err = err ? err : counts_record(v->counts, &batch->records[i]);
	}
	return err;
}

static void view_free(struct handler *h)
{
	struct view *v = container_of(h, struct view, handler);

	counts_free(v->counts);
	table_free(v->table);
	free(v);
}

/* Fills in a column for each key, and those of the figures. */
static void fill_columns(struct view *v, const struct count_spec *spec)
{
	struct table_column *figures;

	v->first = v->opt->every_ns ? 1 : 0;
	v->nkeys = MAX(spec->keys.n, (size_t)1);
	v->columns[0] = (struct table_column){ "ts", TABLE_TS };
	v->columns[v->first] = (struct table_column){ "event", TABLE_TEXT };
	for (size_t i = 0; i < spec->keys.n; i++)
		v->columns[v->first + i] = (struct table_column){ spec->keys.at[i].text, counts_type(v->counts->numeric[i], v->counts->is_signed[i]),
								  .lines = spec->keys.at[i].of == COUNT_STACK };
	figures = v->columns + v->first + v->nkeys;
	figures[COUNT] = (struct table_column){ "count", TABLE_COUNT, .sum = true };
	figures[PERCENT] = (struct table_column){ "percent", TABLE_PERCENT, .of = "count", .head = "%", .heat = true };
	figures[RATE] = (struct table_column){ "rate", TABLE_REAL, .head = "RATE/s" };
	if (spec->sum) {
		figures[SUM] = (struct table_column){ "sum", v->counts->sum_is_signed ? TABLE_ID : TABLE_COUNT };
		figures[MEAN] = (struct table_column){ "mean", TABLE_REAL };
	}
	v->spec = (struct table_spec){ .columns = v->columns, .sort = "-count", .parts = true };
}

static int make(struct handler **out, struct reading *reading, void *options)
{
	struct counts_view *opt = options;
	struct view *v = calloc(1, sizeof(*v));
	int err;

	if (!v)
		return -ENOMEM;
	v->opt = opt;
	v->handler = (struct handler){ .records = take_records, .free = view_free };
	err = counts_new(&v->counts, reading, &opt->spec);
	if (!err) {
		fill_columns(v, &opt->spec);
		err = table_new(&v->table, &v->spec, &opt->table);
	}
	if (err)
		view_free(&v->handler);
	else
		*out = &v->handler;
	return err;
}

static void add_sum(struct view *v, const struct count_row *row, unsigned int at)
{
	const struct counts *c = v->counts;

	if (!row->summed)
		return;
	/* A sum of more than 64 bits is shown as not known. */
	if (c->sum_is_signed ? row->sum >= INT64_MIN && row->sum <= INT64_MAX : row->sum <= (__int128)UINT64_MAX) {
		if (c->sum_is_signed)
			table_id(v->table, at + SUM, (int64_t)row->sum);
		else
			table_count(v->table, at + SUM, (uint64_t)row->sum);
	}
	table_real(v->table, at + MEAN, (double)row->sum / (double)row->summed);
}

/* Adds a stack for people, as report prints it: a line for each function, the innermost first. */
static void add_stack(struct view *v, unsigned int column, const char *path)
{
	struct str text = { 0 };

	if (path) {
		stack_lines(path, &text);
		table_copy(v->table, column, str_text(&text));
	}
	str_fini(&text);
}

/* Adds a row. @span_ns is the time for the rate; 0 means that it is not known. */
static void add_row(struct view *v, const struct count_row *row, uint64_t span_ns)
{
	const unsigned int at = (unsigned int)(v->first + v->nkeys);

	table_row(v->table, TABLE_ROOT);
	if (v->first)
		table_count(v->table, 0, v->since_ns);
	for (unsigned int i = 0; i < v->nkeys; i++) {
		const unsigned int column = (unsigned int)v->first + i;

		if (v->columns[column].type != TABLE_TEXT && row->values[i].text)
			table_id(v->table, column, row->values[i].number);
		else if (v->columns[column].lines && v->opt->table.form == TABLE_FOR_PEOPLE)
			add_stack(v, column, row->values[i].text);
		else if (v->columns[column].type == TABLE_TEXT)
			table_text(v->table, column, row->values[i].text);
	}
	table_count(v->table, at + COUNT, row->n);
	if (span_ns)
		table_real(v->table, at + RATE, (double)row->n * (double)NSEC_PER_SEC / (double)span_ns);
	if (v->counts->spec->sum)
		add_sum(v, row, at);
}

/* Adds notes about all counts below the last table. */
static void add_notes(struct view *v, const struct table_meta *meta)
{
	const struct counts *c = v->counts;

	if (c->beyond)
		table_note(v->table, "%llu events are in no row, as only %d different keys are told apart", (unsigned long long)c->beyond, COUNT_MOST_ROWS);
	if (c->stacks.streams.size && c->without_stack && v->opt->place)
		table_note(v->table, "%llu of the events have no stack%s", (unsigned long long)c->without_stack,
			   strcmp(v->opt->place, "file") == 0 ? "; `ringside record -T` records one with each event" : "");
	if (c->dropped)
		table_note(v->table, "%llu events are in no row, as the kernel's table had no room for more different keys; --map-size makes it larger",
			   (unsigned long long)c->dropped);
	/* Output for programs has it in its facts. */
	if (meta->span && !meta->ticks && v->opt->table.form == TABLE_FOR_PEOPLE)
		table_note(v->table, "%.6f seconds %s", (double)meta->span / (double)NSEC_PER_SEC,
			   v->opt->elapsed_ns && *v->opt->elapsed_ns ? "elapsed" : "from the first event to the last");
}

static int fill_meta(struct view *v, struct table_meta *meta, strv_t *files)
{
	int err = reading_meta(v->counts->reading, meta, files);

	meta->place = v->opt->place;
	meta->why = v->opt->why;
	if (v->opt->elapsed_ns && *v->opt->elapsed_ns) {
		meta->span = *v->opt->elapsed_ns;
		meta->ticks = meta->ts_ticks = false;
	}
	meta->lost = v->counts->lost;
	meta->lost_more = v->counts->lost_more;
	return err;
}

static void add_rows(struct view *v, uint64_t span_ns)
{
	vec_each (&v->counts->rows, row)
		if (row->n || !v->first || (v->opt->absent && !v->opt->spec.keys.n && v->counts->n))
			add_row(v, row, span_ns);
}

/* Shows the period that is over, and begins the next one. For people, each period is a table of its own. */
static int show_period(struct view *v, uint64_t span_ns)
{
	const struct table_meta first = { .place = v->opt->place, .why = v->opt->why, .file = v->counts->reading->inputs.at[0].path }, none = { 0 };
	const int out = v->counts->reading->out;
	int err = v->opt->absent ? counts_add_absent(v->counts) : 0;

	if (!err && v->counts->n) {
		add_rows(v, span_ns);
		if (v->opt->table.form != TABLE_FOR_PEOPLE)
			err = table_part(v->table, out);
		else
			err = (v->shown ? io_write(out, "\n", 1) : 0) ?: table_show(v->table, v->shown ? &none : &first, out);
		table_clear(v->table);
		v->shown = true;
	}
	counts_restart(v->counts);
	return err;
}

static int show_last_period(struct view *v)
{
	const int out = v->counts->reading->out;
	struct table_meta meta;
	strv_t files = { 0 };
	int err = show_period(v, v->opt->fill ? v->counts->span_ns : v->last_ns - v->since_ns);

	err = err ? err : fill_meta(v, &meta, &files);
	if (!err && v->opt->table.form != TABLE_FOR_PEOPLE)
		err = table_part(v->table, out);
	if (!err)
		add_notes(v, &meta);
	if (!err && v->opt->table.form != TABLE_FOR_PEOPLE)
		err = table_part_end(v->table, &meta, out);
	else if (!err)
		err = table_notes(v->table, &meta, out);
	strv_fini(&files);
	return err;
}

static int show_whole(struct view *v)
{
	struct table_meta meta;
	strv_t files = { 0 };
	int err = fill_meta(v, &meta, &files);

	if (!err && v->opt->absent)
		err = counts_add_absent(v->counts);
	if (!err && v->opt->sink)
		err = v->opt->sink(v->opt->to, v->counts, meta.span);
	table_clear(v->table);
	add_rows(v, meta.ticks ? 0 : meta.span);
	add_notes(v, &meta);
	err = err || v->opt->sink ? err : table_show(v->table, &meta, v->counts->reading->out);
	strv_fini(&files);
	return err;
}

static int show(struct handler *h, struct reading *reading, void *options)
{
	const struct counts_view *opt = options;
	struct view *v = container_of(h, struct view, handler);
	int err = opt->fill ? opt->fill(opt->ctx, reading, v->counts) : counts_flush(v->counts);

	if (err || !opt->every_ns)
		return err ? err : show_whole(v);
	if (opt->fill)
		v->since_ns = v->counts->since_ns;
	return opt->more ? show_period(v, v->counts->span_ns) : show_last_period(v);
}

const struct analysis counts_analysis = {
	.name = "count",
	.needs = ANALYSIS_LEARN,
	.make = make,
	.show = show,
};
