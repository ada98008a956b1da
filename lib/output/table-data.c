/* SPDX-License-Identifier: GPL-2.0 */
/* Prints tables for programs: JSON and CSV. */
#include "lib/analysis/lost-text.h"
#include "lib/base/err.h"
#include "lib/base/quote.h"
#include "lib/output/table-rows.h"

#include <stdio.h>

enum { PIECE = 1 << 16 }; /* so many bytes are written at a time */

/* Adds a number with as many digits as are needed to read it back unchanged: 0.1 stays 0.1. */
static void add_real(double value, struct str *out)
{
	char text[32];

	snprintf(text, sizeof(text), "%.15g", value);
	if (strtod(text, NULL) != value)
		snprintf(text, sizeof(text), "%.17g", value);
	str_add(out, text);
}

static void add_plain(enum table_type type, const union table_value *value, struct str *out)
{
	switch (type) {
	case TABLE_ID:
	case TABLE_DEPTH:
		str_addf(out, "%lld", (long long)value->id);
		break;
	case TABLE_PERCENT:
	case TABLE_REAL:
		add_real(value->real, out);
		break;
	case TABLE_BOOL:
		str_add(out, value->is ? "true" : "false");
		break;
	case TABLE_TEXT:
	case TABLE_ANY:
	case TABLE_PATH:
		str_add(out, value->text);
		break;
	case TABLE_COUNT:
	case TABLE_NUMBER:
	case TABLE_TS:
	case TABLE_NS:
	case TABLE_BYTES:
		str_addf(out, "%llu", (unsigned long long)value->n);
		break;
	}
}

/* Adds a value; @quote writes its text. A value that is not known is what @quote makes of NULL. */
static void add_value(const struct table *t, uint32_t row, unsigned int column, void (*quote)(const char *text, struct str *out), struct str *out)
{
	enum table_type type = t->spec->columns[column].type;
	struct str path = { 0 };
	union table_value value;

	if (type == TABLE_PATH && !(t->known.at[row] & 1ULL << column)) {
		table_path(t, row, &path);
		quote(str_text(&path), out);
		out->oom |= path.oom;
		str_fini(&path);
	} else if (!table_value(t, row, column, &value)) {
		quote(NULL, out);
	} else if (type == TABLE_TEXT || type == TABLE_PATH || (type == TABLE_ANY && !table_is_number(t, row, column))) {
		quote(value.text, out);
	} else {
		add_plain(type, &value, out);
	}
}

/* --- JSON ----------------------------------------------------------------------------------------------------- */

static void add_list(const strv_t *list, struct str *out)
{
	str_addc(out, '[');
	vec_each (list, text) {
		str_add(out, text == list->at ? "" : ", ");
		quote_json(*text, out);
	}
	str_addc(out, ']');
}

static void add_meta(const struct table *t, const struct table_meta *meta, struct str *out)
{
	str_add(out, "\"meta\": {\"file\": ");
	quote_json(meta->file, out);
	if (meta->files) {
		str_add(out, ", \"files\": ");
		add_list(meta->files, out);
	}
	if (meta->place)
		str_addf(out, ", \"in\": \"%s\"", meta->place);
	str_add(out, ", \"span\": ");
	if (meta->span)
		str_addf(out, "%llu", (unsigned long long)meta->span);
	else
		str_add(out, "null");
	str_addf(out, ", \"losses\": %llu, \"losses_complete\": %s, \"selection\": ", (unsigned long long)meta->lost, meta->lost_more ? "false" : "true");
	quote_json(meta->selection, out);
	str_addf(out, ", \"time_unit\": \"%s\"", meta->ticks ? "ticks" : "ns");
	if (meta->ts_ticks && !meta->ticks)
		str_add(out, ", \"ts_unit\": \"ticks\"");
	str_addf(out, ", \"rows\": %zu, \"rows_cut\": %zu", t->n, t->cut);
	if (meta->deep)
		str_addf(out, ", \"calls_left_out\": %llu", (unsigned long long)meta->deep);
	vec_each (&t->facts, fact) {
		str_add(out, ", ");
		quote_json(fact->name, out);
		str_addf(out, ": %llu", (unsigned long long)fact->value);
	}
	str_add(out, ", \"notes\": ");
	add_list(&t->notes, out);
	str_add(out, "}");
}

static void add_sums(const struct table *t, struct str *out)
{
	bool first = true;

	str_add(out, ",\n\"sums\": {");
	for (unsigned int i = 0; i < t->ncolumns; i++) {
		if (!t->spec->columns[i].sum)
			continue;
		str_add(out, first ? "" : ", ");
		quote_json(t->spec->columns[i].name, out);
		str_add(out, ": ");
		add_plain(t->spec->columns[i].type, &t->sums[i], out);
		first = false;
	}
	str_addc(out, '}');
}

static void add_json_row(const struct table *t, uint32_t row, bool first, struct str *out)
{
	str_add(out, first ? "\n{" : ",\n{");
	for (unsigned int k = 0; k < t->nshown; k++) {
		str_add(out, k ? ", " : "");
		quote_json(t->spec->columns[t->shown[k]].name, out);
		str_add(out, ": ");
		add_value(t, row, t->shown[k], quote_json, out);
	}
	str_addc(out, '}');
}

static int add_rows(const struct table *t, const char *name, int fd, struct str *out)
{
	int err = 0;

	str_add(out, ",\n");
	quote_json(name, out);
	str_add(out, ": [");
	for (size_t i = 0; !err && i < t->n; i++) {
		add_json_row(t, t->order[i], !i, out);
		err = table_flush(fd, out, PIECE);
	}
	str_add(out, t->n ? "\n]" : "]");
	return err;
}

int table_json(const struct table *t, const struct table_meta *meta, int fd)
{
	struct str out = { 0 };
	int err;

	str_addc(&out, '{');
	add_meta(t, meta, &out);
	if (table_sums(t))
		add_sums(t, &out);
	err = add_rows(t, "rows", fd, &out);
	vec_each (&t->others, other)
		err = err ? err : add_rows(other->table, other->name, fd, &out);
	str_add(&out, "}\n");
	err = err ? err : table_flush(fd, &out, 0);
	str_fini(&out);
	return err;
}

/* --- CSV ------------------------------------------------------------------------------------------------------ */

static void add_csv_head(const struct table *t, struct str *out)
{
	for (unsigned int k = 0; k < t->nshown; k++) {
		str_add(out, k ? "," : "");
		quote_csv(t->spec->columns[t->shown[k]].name, out);
	}
	str_addc(out, '\n');
}

static void add_csv_row(const struct table *t, uint32_t row, struct str *out)
{
	size_t begin = out->len;

	for (unsigned int k = 0; k < t->nshown; k++) {
		str_add(out, k ? "," : "");
		add_value(t, row, t->shown[k], quote_csv, out);
	}
	/* An empty line would not be a row. */
	str_add(out, out->len == begin ? "\"\"\n" : "\n");
}

/* Tells the losses and the notes as warnings, because CSV has no place for them. */
static void tell_notes(const struct table *t, const struct table_meta *meta)
{
	struct str lost = { 0 };

	if (!meta->lost_told)
		lost_text(meta->lost, meta->lost_more, &lost);
	if (lost.len)
		warn("%s", str_text(&lost));
	str_fini(&lost);
	vec_each (&t->notes, text)
		warn("%s", *text);
}

int table_csv(const struct table *t, const struct table_meta *meta, int fd)
{
	struct str out = { 0 };
	int err = 0;

	add_csv_head(t, &out);
	for (size_t i = 0; !err && i < t->n; i++) {
		add_csv_row(t, t->order[i], &out);
		err = table_flush(fd, &out, PIECE);
	}
	err = err ? err : table_flush(fd, &out, 0);
	str_fini(&out);
	tell_notes(t, meta);
	return err;
}

/* --- a table in parts ------------------------------------------------------------------------------------------- */

/* Orders the rows of a part. */
static int order_part(struct table *t)
{
	int err = t->oom ? -ENOMEM : 0;

	if (!err && t->spec->parts) {
		err = table_order_rows(t);
		t->parts_cut += t->cut;
	}
	return err ? fail(-err, "%m") : 0;
}

int table_part(struct table *t, int fd)
{
	const bool json = t->show.form == TABLE_JSON;
	struct str out = { 0 };
	int err = order_part(t);
	const size_t n = t->order ? t->n : t->known.n;

	if (!t->begun && json)
		str_add(&out, "{\"rows\": [");
	else if (!t->begun)
		add_csv_head(t, &out);
	t->begun = true;
	for (size_t i = 0; !err && i < n; i++) {
		const uint32_t row = t->order ? t->order[i] : (uint32_t)i;

		if (json)
			add_json_row(t, row, !t->told, &out);
		else
			add_csv_row(t, row, &out);
		t->told++;
		err = table_flush(fd, &out, PIECE);
	}
	err = err ? err : table_flush(fd, &out, 0);
	str_fini(&out);
	table_order_done(t);
	table_clear(t);
	return err;
}

int table_part_end(struct table *t, const struct table_meta *meta, int fd)
{
	struct str out = { 0 };
	int err = t->oom ? fail(ENOMEM, "%m") : 0;

	t->n = t->told;
	t->cut = t->parts_cut;
	if (t->show.form == TABLE_JSON) {
		str_add(&out, t->told ? "\n],\n" : "],\n");
		add_meta(t, meta, &out);
		str_add(&out, "}\n");
	} else {
		tell_notes(t, meta);
	}
	err = err ? err : table_flush(fd, &out, 0);
	str_fini(&out);
	return err;
}
