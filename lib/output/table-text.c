/* SPDX-License-Identifier: GPL-2.0 */
/* Prints tables for people. On a terminal, libsmartcols lays out up to ROWS_AT_ONCE rows at a time. */
#include "lib/base/duration.h"
#include "lib/base/err.h"
#include "lib/base/quote.h"
#include "lib/base/visible.h"
#include "lib/output/table-fit.h"
#include "lib/output/table-numbers.h"
#include "lib/output/table-plain.h"

#include <langinfo.h>
#include <libsmartcols.h>
#include <locale.h>

enum { ROWS_AT_ONCE = 4096, FLUSHED = 1 << 16 };

struct view {
	const struct table *t;
	const struct table_meta *meta;
	const struct table_unit *units[TABLE_COLUMNS]; /* the unit of each column; NULL: none */
	size_t widths[TABLE_COLUMNS];
	bool utf8;
	bool sums;
	struct table *own; /* is .t: a copy of the table, which loses what a narrow terminal has no room for */
	size_t most;	   /* texts are cut to this number of characters; 0: they are not cut */
	bool odd;	   /* some characters are not one column wide */
	bool *last;	   /* by depth: was the latest row at that depth the last one below its parent? */
	bool *ends;	   /* by place in the table's order: is the row the last one below its parent? */
};

/* --- values --------------------------------------------------------------------------------------------------- */

/* Adds a duration with its own unit. The names of all units take the same space, so that numbers stand below each other. */
static void add_own_unit(uint64_t ns, struct str *out)
{
	duration_add(out, ns);
	str_add(out, strcmp(duration_unit(ns)->name, "s") == 0 ? " " : "");
}

static void add_typed(const struct view *v, unsigned int column, const union table_value *value, struct str *out)
{
	switch (v->t->spec->columns[column].type) {
	case TABLE_TEXT:
	case TABLE_ANY:
	case TABLE_PATH:
		str_add(out, value->text);
		break;
	case TABLE_ID:
	case TABLE_DEPTH:
		str_addf(out, "%lld", (long long)value->id);
		break;
	case TABLE_PERCENT:
	case TABLE_REAL:
		table_add_real(value->real, out);
		break;
	case TABLE_BOOL:
		str_add(out, value->is ? "yes" : "no");
		break;
	case TABLE_COUNT:
	case TABLE_NUMBER:
	case TABLE_TS:
	case TABLE_NS:
	case TABLE_BYTES:
		if (v->t->spec->columns[column].own_unit && !v->meta->ticks)
			add_own_unit(value->n, out);
		else
			table_add_scaled(value->n, v->units[column], out);
		break;
	}
}

static void add_cell(const struct view *v, uint32_t row, unsigned int column, struct str *out)
{
	union table_value value;

	if (v->t->spec->columns[column].type == TABLE_PATH && !(v->t->known.at[row] & 1ULL << column))
		table_path(v->t, row, out);
	else if (table_value(v->t, row, column, &value))
		add_typed(v, column, &value, out);
	else
		str_addc(out, '-');
}

static void add_sum(const struct view *v, unsigned int column, struct str *out)
{
	const struct table_spec *spec = v->t->spec;

	if (spec->columns[column].sum)
		add_typed(v, column, &v->t->sums[column], out);
	else if (column == v->t->shown[0])
		str_add(out, spec->all ? spec->all : "all");
}

/* --- trees ---------------------------------------------------------------------------------------------------- */

struct branches_text {
	const char *branch, *last, *bar, *blank;
};

/* Finds out which rows are the last ones below their parents. */
static int find_ends(struct view *v)
{
	const struct table *t = v->t;
	__cleanup(free_ptr) bool *seen = NULL;

	if (!t->depths)
		return 0;
	seen = calloc(t->known.n + 1, sizeof(*seen));
	v->ends = calloc(t->n + 1, sizeof(*v->ends));
	v->last = calloc(UINT16_MAX + 1, sizeof(*v->last));
	if (!seen || !v->ends || !v->last)
		return -ENOMEM;
	for (size_t i = t->n; i-- > 0;) {
		uint32_t parent = t->parents.at[t->order[i]];
		bool *of = &seen[parent == TABLE_ROOT ? t->known.n : parent];

		v->ends[i] = !*of;
		*of = true;
	}
	return 0;
}

/* At most this many branches are drawn. The kernel's call stacks have some fifty frames; only damaged or endlessly recursive ones have more. */
enum { MOST_BRANCHES = 100 };

/* Adds the branches in front of the @i-th row. Rows must come in their order. Branches on the left that do not fit are replaced by their number. */
static void add_front(const struct view *v, size_t i, struct str *out)
{
	static const struct branches_text drawn = { "├─", "└─", "│ ", "  " }, ascii = { "|-", "`-", "| ", "  " };
	const struct branches_text *text = v->utf8 ? &drawn : &ascii;
	uint16_t depth = v->t->depths[v->t->order[i]];

	if (depth > MOST_BRANCHES)
		str_addf(out, "+%d ", depth - MOST_BRANCHES);
	for (uint16_t k = depth > MOST_BRANCHES ? depth - MOST_BRANCHES + 1 : 1; k < depth; k++)
		str_add(out, v->last[k] ? text->blank : text->bar);
	if (depth)
		str_add(out, v->ends[i] ? text->last : text->branch);
	v->last[depth] = v->ends[i];
}

/*
 * Replaces characters that cannot be shown by escapes. Escapes that visible_str() has made are left as they are. It is done here because libsmartcols would
 * also escape the backslash of an escape.
 */
static void make_visible(const struct view *v, unsigned int column, struct str *text)
{
	struct str plain = { 0 };
	bool odd = false;

	visible_str(text, 0, v->t->spec->columns[column].lines);
	for (size_t i = 0; !odd && i < text->len; i++)
		odd = text->at[i] == '\t' || (!v->utf8 && (uint8_t)text->at[i] >= 0x80);
	if (!odd)
		return;
	for (size_t i = 0; i < text->len; i++)
		if (text->at[i] == '\t' || (!v->utf8 && (uint8_t)text->at[i] >= 0x80))
			str_addf(&plain, "\\x%02x", (uint8_t)text->at[i]);
		else
			str_addc(&plain, text->at[i]);
	plain.oom |= text->oom;
	str_fini(text);
	*text = plain;
}

/* Adds the text of a row's column. The row after the last one has the sums. Rows must come in their order. */
static void add_text(const struct view *v, size_t i, unsigned int column, struct str *out)
{
	const struct table *t = v->t;
	const enum table_type type = t->spec->columns[column].type;

	if (i < t->n && (int)column == t->tree && t->depths)
		add_front(v, i, out);
	if (i < t->n)
		add_cell(v, t->order[i], column, out);
	else
		add_sum(v, column, out);
	if (type == TABLE_TEXT || type == TABLE_ANY || type == TABLE_PATH || i == t->n)
		make_visible(v, column, out);
	if (v->most && (type == TABLE_TEXT || type == TABLE_ANY || type == TABLE_PATH))
		table_cut(out, v->most, v->utf8);
}

/* --- layout --------------------------------------------------------------------------------------------------- */

static void choose_units(struct view *v)
{
	const struct table *t = v->t;

	for (unsigned int k = 0; k < t->nshown; k++) {
		unsigned int column = t->shown[k];
		enum table_type type = t->spec->columns[column].type;
		uint64_t largest = v->sums && t->spec->columns[column].sum ? t->sums[column].n : 0;
		union table_value value;

		if ((type != TABLE_NS && type != TABLE_BYTES && type != TABLE_TS) || t->spec->columns[column].own_unit)
			continue;
		for (size_t i = 0; i < t->n; i++)
			if (table_value(t, t->order[i], column, &value))
				largest = MAX(largest, value.n);
		v->units[column] = table_unit_for(type, type == TABLE_TS ? v->meta->ts_ticks : v->meta->ticks, largest);
	}
}

/* Makes the widths large enough for a row's texts. The row after the last one has the sums. */
static int measure_row(struct view *v, size_t i, struct str *text)
{
	const struct table *t = v->t;

	for (unsigned int k = 0; k < t->nshown; k++) {
		str_clear(text);
		add_text(v, i, t->shown[k], text);
		v->widths[k] = MAX(v->widths[k], table_plain_width(str_text(text), text->len, &v->odd));
	}
	return str_ok(text);
}

/* Is the table laid out without libsmartcols? */
static bool is_plain(const struct view *v)
{
	return !v->odd && !v->t->show.width && !v->t->show.colour;
}

/* Is the column aligned to the right? A column of any values is if all its values are numbers. */
static bool is_right(const struct view *v, unsigned int k)
{
	const struct table_column *column = &v->t->spec->columns[k];

	if (column->type == TABLE_ANY) {
		for (uint32_t row = 0; row < v->t->known.n; row++)
			if (v->t->known.at[row] >> k & 1 && !table_is_number(v->t, row, k))
				return false;
		return v->t->known.n;
	}
	return column->type != TABLE_TEXT && column->type != TABLE_PATH && column->type != TABLE_BOOL && !column->left;
}

/* Is the column broken into lines if the terminal is too narrow? If no column asks for that, all text columns except the tree and drawings are. */
static bool is_broken(const struct view *v, unsigned int column_index)
{
	const struct table_column *column = &v->t->spec->columns[column_index];
	bool any = false;

	for (unsigned int k = 0; k < v->t->nshown; k++)
		any |= v->t->spec->columns[v->t->shown[k]].wrap;
	return any ? column->wrap : !is_right(v, column_index) && !column->tree && !column->drawn;
}

static char *head_of(const struct view *v, unsigned int column)
{
	const struct table_column *c = &v->t->spec->columns[column];
	struct str head = { 0 };

	for (const char *at = c->head ? c->head : c->name; *at; at++)
		str_addc(&head, !c->head && *at >= 'a' && *at <= 'z' ? (char)(*at - 'a' + 'A') : *at == '_' ? ' ' : *at);
	if (v->units[column])
		str_addf(&head, " %s", v->units[column]->name);
	return str_take(&head);
}

/* Makes the widths large enough for the headings. */
static int measure_heads(struct view *v)
{
	bool odd = false;

	for (unsigned int k = 0; k < v->t->nshown; k++) {
		__cleanup(free_ptr) char *head = head_of(v, v->t->shown[k]);

		if (!head)
			return -ENOMEM;
		/* A column is at least one character wide, even if it is empty. */
		v->widths[k] = MAX(MAX(v->widths[k], (size_t)1), table_plain_width(head, strlen(head), &odd));
	}
	return 0;
}

/* Decides what a narrow terminal has no room for. */
static void fit(struct view *v)
{
	bool broken[TABLE_COLUMNS];

	for (unsigned int k = 0; k < v->t->nshown; k++)
		broken[k] = is_broken(v, v->t->shown[k]);
	if (v->t->show.fit)
		v->own->nshown = (uint8_t)table_fit(v->widths, v->t->nshown, *v->t->show.fit);
	else if (!table_breaks(v->widths, broken, v->t->nshown, v->t->show.width))
		v->own->show.width = 0;
}

/*
 * Measures all rows, and decides what has room. If libsmartcols lays out all rows at once, it measures them itself, so that it can break texts into lines.
 */
static int measure(struct view *v, size_t n)
{
	struct str text = { 0 };
	int err = 0;

	for (size_t i = 0; (n > ROWS_AT_ONCE || is_plain(v) || v->t->show.fit || v->t->show.width) && !err && i < n; i++)
		err = measure_row(v, i, &text);
	err = err ? err : measure_heads(v);
	if (!err)
		fit(v);
	if (n <= ROWS_AT_ONCE && !is_plain(v) && !v->t->show.fit)
		memset(v->widths, 0, sizeof(v->widths));
	str_fini(&text);
	return err;
}

static int add_column(const struct view *v, struct libscols_table *out, unsigned int k)
{
	__cleanup(free_ptr) char *head = head_of(v, v->t->shown[k]);
	const bool right = is_right(v, v->t->shown[k]);
	const bool lines = v->t->spec->columns[v->t->shown[k]].lines;
	int flags = right ? SCOLS_FL_RIGHT : lines || (is_broken(v, v->t->shown[k]) && v->t->show.width) ? SCOLS_FL_WRAP : 0;
	struct libscols_column *cl;

	if (!head)
		return -ENOMEM;
	cl = scols_table_new_column(out, head, (double)v->widths[k], flags);
	if (!cl || (lines && (scols_column_set_safechars(cl, "\n") || scols_column_set_wrapfunc(cl, scols_wrapnl_chunksize, scols_wrapnl_nextchunk, NULL))))
		return -ENOMEM;
	if (right)
		scols_cell_set_flags(scols_column_get_header(cl), SCOLS_CELL_FL_RIGHT);
	return v->t->show.colour ? scols_cell_set_color(scols_column_get_header(cl), "\033[1m") : 0;
}

static struct libscols_table *new_table(const struct view *v, bool heads)
{
	struct libscols_table *out = scols_new_table();
	int err = out ? 0 : -ENOMEM;

	if (!out)
		return NULL;
	err = err ? err : scols_table_set_column_separator(out, "  ");
	err = err ? err : scols_table_enable_noheadings(out, !heads);
	err = err ? err : scols_table_enable_noencoding(out, 1);
	err = err ? err : scols_table_enable_colors(out, v->t->show.colour);
	err = err ? err : scols_table_set_termforce(out, v->t->show.width ? SCOLS_TERMFORCE_ALWAYS : SCOLS_TERMFORCE_NEVER);
	if (!err && v->t->show.width)
		err = scols_table_set_termwidth(out, v->t->show.width);
	for (unsigned int k = 0; !err && k < v->t->nshown; k++)
		err = add_column(v, out, k);
	if (err) {
		scols_unref_table(out);
		return NULL;
	}
	return out;
}

/* --- rows ----------------------------------------------------------------------------------------------------- */

/* Returns the colour of a value: the one that was given, or one that depends on its size, as with perf. */
static const char *colour_of(const struct view *v, uint32_t row, unsigned int column)
{
	static const char *const colours[] = {
		[TABLE_HOT] = "\033[31m", [TABLE_WARM] = "\033[33m", [TABLE_GOOD] = "\033[32m", [TABLE_FAINT] = "\033[2m", [TABLE_STRONG] = "\033[1m",
	};
	enum table_tint tint = table_tint_of(v->t, row, column);
	union table_value value;

	if (tint == TABLE_PLAIN && v->t->spec->columns[column].heat && table_value(v->t, row, column, &value))
		tint = value.real >= 5 ? TABLE_HOT : value.real >= 0.5 ? TABLE_GOOD : TABLE_PLAIN;
	return colours[tint];
}

static int add_line(const struct view *v, struct libscols_table *out, size_t i, struct str *text)
{
	struct libscols_line *line = scols_table_new_line(out, NULL);
	const struct table *t = v->t;
	int err = line ? 0 : -ENOMEM;

	for (unsigned int k = 0; !err && k < t->nshown; k++) {
		unsigned int column = t->shown[k];
		const char *colour = t->show.colour && i < t->n ? colour_of(v, t->order[i], column) : NULL;

		str_clear(text);
		add_text(v, i, column, text);
		err = str_ok(text);
		err = err ? err : scols_line_set_data(line, k, str_text(text));
		if (!err && colour)
			err = scols_cell_set_color(scols_line_get_cell(line, k), colour);
	}
	return err;
}

/* Prints the rows from the @i-th to before @end; the last one may be the row of sums. Returns 0, -EPIPE, or -errno after a message. */
static int print_some(const struct view *v, size_t i, size_t end, int fd)
{
	struct libscols_table *out = new_table(v, i == 0);
	__cleanup(free_ptr) char *printed = NULL;
	struct str text = { 0 };
	int err = out ? 0 : -ENOMEM;

	for (; !err && i < end; i++)
		err = add_line(v, out, i, &text);
	str_clear(&text);
	if (!err)
		err = scols_print_table_to_string(out, &printed);
	if (out)
		scols_unref_table(out);
	if (!err) {
		table_plain_lines(printed, &text);
		err = table_flush(fd, &text, 0);
	} else {
		fail(-err, "the table: %m");
	}
	str_fini(&text);
	return err;
}

/* Adds the header line. Returns 0 or -ENOMEM. */
static int plain_heads(const struct view *v, struct table_plain *plain)
{
	for (unsigned int k = 0; k < v->t->nshown; k++) {
		__cleanup(free_ptr) char *head = head_of(v, v->t->shown[k]);

		if (!head)
			return -ENOMEM;
		plain->widths[k] = v->widths[k];
		plain->right[k] = is_right(v, v->t->shown[k]);
		table_plain_cell(plain, k, head, strlen(head));
	}
	table_plain_end(plain);
	return str_ok(&plain->out);
}

/* Prints @n rows without libsmartcols. Returns the same as print_some(). */
static int print_plain(const struct view *v, size_t n, int fd)
{
	struct table_plain plain = { 0 };
	struct str text = { 0 };
	int err = n ? plain_heads(v, &plain) : 0;

	if (err)
		fail(-err, "the table: %m");
	for (size_t i = 0; !err && i < n; i++) {
		for (unsigned int k = 0; k < v->t->nshown; k++) {
			str_clear(&text);
			add_text(v, i, v->t->shown[k], &text);
			plain.out.oom |= text.oom;
			table_plain_cell(&plain, k, str_text(&text), text.len);
		}
		table_plain_end(&plain);
		err = table_flush(fd, &plain.out, i + 1 < n ? FLUSHED : 0);
		plain.line = plain.out.len;
	}
	str_fini(&plain.out);
	str_fini(&text);
	return err;
}

/* --- below ---------------------------------------------------------------------------------------------------- */

static int print_all(struct view *v, const struct table *whole, int fd)
{
	size_t n = v->t->n + v->sums;
	int err = v->meta->place ? table_place(v->meta, fd) : 0;

	if (err)
		return err;
	err = find_ends(v);
	choose_units(v);
	err = err ? err : measure(v, n);
	if (err)
		return fail(-err, "the table: %m");
	if (is_plain(v))
		err = print_plain(v, n, fd);
	for (size_t i = 0; !is_plain(v) && !err && i < n; i += ROWS_AT_ONCE)
		err = print_some(v, i, MIN(n, i + ROWS_AT_ONCE), fd);
	err = err || v->t->nshown == whole->nshown ? err : table_fit_tell(whole, v->t->nshown, fd);
	return err ? err : table_notes(v->t, v->meta, fd);
}

int table_for_people(const struct table *t, const struct table_meta *meta, int fd)
{
	struct table own = *t;
	struct view v = { .t = &own, .own = &own, .meta = meta, .sums = table_sums(t) };
	locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0), before;
	int err;

	if (t->show.fit) {
		own.show.width = 0;
		v.most = MAX(*t->show.fit / 2, (size_t)1);
	}
	/* Which characters can be printed depends on the user's locale. It is set only for this thread, and only while the table is printed. */
	before = locale ? uselocale(locale) : (locale_t)0;
	v.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	err = print_all(&v, t, fd);
	if (locale) {
		uselocale(before);
		freelocale(locale);
	}
	free(v.last);
	free(v.ends);
	return err;
}
