/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/counts-text.h"
#include "lib/output/reading-meta.h"

/* Behind the keys. */
enum { COUNT, PERCENT, RATE, SUM, MEAN };

struct view {
	struct handler handler;
	struct counts *counts;
	struct table_column columns[COUNT_MOST_KEYS + MEAN + 2];
	struct table_spec spec;
	struct table *table;
	size_t nkeys;
};

static int take_records(struct handler *h, const struct batch *batch)
{
	struct view *v = container_of(h, struct view, handler);
	int err = 0;

	for (size_t i = 0; !err && i < batch->n; i++)
		err = counts_record(v->counts, &batch->records[i]);
	return err;
}

static void view_free(struct handler *h)
{
	struct view *v = container_of(h, struct view, handler);

	counts_free(v->counts);
	table_free(v->table);
	free(v);
}

/* A column for each key, and those of the figures. */
static void fill_columns(struct view *v, const struct count_spec *spec)
{
	struct table_column *figures;

	v->nkeys = MAX(spec->keys.n, (size_t)1);
	v->columns[0] = (struct table_column){ "event", TABLE_TEXT };
	for (size_t i = 0; i < spec->keys.n; i++)
		v->columns[i] = (struct table_column){ spec->keys.at[i].text, v->counts->numeric[i] ? TABLE_ID : TABLE_TEXT };
	figures = v->columns + v->nkeys;
	figures[COUNT] = (struct table_column){ "count", TABLE_COUNT, .sum = true };
	figures[PERCENT] = (struct table_column){ "percent", TABLE_PERCENT, .of = "count", .head = "%", .heat = true };
	figures[RATE] = (struct table_column){ "rate", TABLE_REAL, .head = "RATE/s" };
	if (spec->sum) {
		figures[SUM] = (struct table_column){ "sum", v->counts->sum_is_signed ? TABLE_ID : TABLE_COUNT };
		figures[MEAN] = (struct table_column){ "mean", TABLE_REAL };
	}
	v->spec = (struct table_spec){ .columns = v->columns, .sort = "-count" };
}

static int make(struct handler **out, struct reading *reading, void *options)
{
	struct counts_view *opt = options;
	struct view *v = calloc(1, sizeof(*v));
	int err;

	if (!v)
		return -ENOMEM;
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

static void add_sum(struct view *v, const struct count_row *row)
{
	const struct counts *c = v->counts;
	const unsigned int at = (unsigned int)v->nkeys;

	if (!row->summed)
		return;
	/* What does not fit into 64 bits is not known. */
	if (c->sum_is_signed ? row->sum >= INT64_MIN && row->sum <= INT64_MAX : row->sum <= (__int128)UINT64_MAX) {
		if (c->sum_is_signed)
			table_id(v->table, at + SUM, (int64_t)row->sum);
		else
			table_count(v->table, at + SUM, (uint64_t)row->sum);
	}
	table_real(v->table, at + MEAN, (double)row->sum / (double)row->summed);
}

static void add_row(struct view *v, const struct count_row *row, const struct table_meta *meta)
{
	const unsigned int at = (unsigned int)v->nkeys;

	table_row(v->table, TABLE_ROOT);
	for (unsigned int i = 0; i < v->nkeys; i++) {
		if (v->columns[i].type == TABLE_ID && row->values[i].text)
			table_id(v->table, i, row->values[i].number);
		else if (v->columns[i].type == TABLE_TEXT)
			table_text(v->table, i, row->values[i].text);
	}
	table_count(v->table, at + COUNT, row->n);
	if (meta->span && !meta->ticks)
		table_real(v->table, at + RATE, (double)row->n * (double)NSEC_PER_SEC / (double)meta->span);
	if (v->counts->spec->sum)
		add_sum(v, row);
}

static int show(struct handler *h, struct reading *reading, void *options)
{
	const struct counts_view *opt = options;
	struct view *v = container_of(h, struct view, handler);
	struct table_meta meta;
	strv_t files = { 0 };
	int err = reading_meta(reading, &meta, &files);

	if (!err && opt->fill)
		err = opt->fill(opt->ctx, reading, v->counts);
	if (!err && opt->absent)
		err = counts_add_absent(v->counts);
	table_clear(v->table);
	meta.place = opt->place;
	meta.why = opt->why;
	if (v->counts->span_ns) {
		meta.span = v->counts->span_ns;
		meta.ticks = false;
	}
	meta.lost = v->counts->lost;
	meta.lost_more = v->counts->lost_more;
	vec_each (&v->counts->rows, row)
		add_row(v, row, &meta);
	if (v->counts->beyond)
		table_note(v->table, "%llu events are in no row, as only %d different keys are told apart",
			   (unsigned long long)v->counts->beyond, COUNT_MOST_ROWS);
	if (v->counts->dropped)
		table_note(v->table, "%llu events are in no row, as the kernel's table had no room for more different keys; --map-size makes it larger",
			   (unsigned long long)v->counts->dropped);
	/* For programs it is in the meta. */
	if (meta.span && !meta.ticks && opt->table.form == TABLE_FOR_PEOPLE)
		table_note(v->table, "%.6f seconds %s", (double)meta.span / (double)NSEC_PER_SEC,
			   v->counts->span_ns ? "were counted" : "from the first event to the last");
	err = err ? err : table_show(v->table, &meta, reading->out);
	strv_fini(&files);
	return err;
}

const struct analysis counts_analysis = {
	.name = "count",
	.make = make,
	.show = show,
};
