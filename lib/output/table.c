/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/table-rows.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/parse.h"
#include "lib/output/table-order.h"

#include <math.h>

/* --- what the user typed -------------------------------------------------------------------------------------- */

static int no_column(const struct table *t, const char *option, const char *word)
{
	__cleanup(free_ptr) char *near = NULL;
	strv_t names = { 0 }, best = { 0 };
	struct str all = { 0 };

	for (unsigned int i = 0; i < t->ncolumns; i++) {
		strv_add(&names, t->spec->columns[i].name);
		str_addf(&all, "%s %s", i ? "," : "", t->spec->columns[i].name);
	}
	nearest_names(word, &names, 2, &best);
	near = join_names(&best, " (did you mean ", "?)");
	fail(EINVAL, "%s: there is no column '%s'%s; the columns are%s", option, word, near ? near : "", str_text(&all));
	strv_fini(&names);
	strv_fini(&best);
	str_fini(&all);
	return -EINVAL;
}

static int find_column(const struct table *t, const char *option, const char *word)
{
	for (unsigned int i = 0; i < t->ncolumns; i++)
		if (strcmp(t->spec->columns[i].name, word) == 0)
			return (int)i;
	for (unsigned int i = 0; i < t->ncolumns; i++)
		if (t->spec->columns[i].once && strcmp(t->spec->columns[i].once, word) == 0)
			return (int)i;
	return no_column(t, option, word);
}

static void show_column(struct table *t, unsigned int column)
{
	for (unsigned int i = 0; i < t->nshown; i++)
		if (t->shown[i] == column)
			return;
	t->shown[t->nshown++] = (uint8_t)column;
}

static bool is_usual(const struct table *t, const struct table_column *column)
{
	return t->show.form == TABLE_FOR_PEOPLE ? !column->more : !column->people;
}

static int choose_columns(struct table *t)
{
	const char *list = t->show.columns;
	strv_t names = { 0 };
	int err = 0;

	for (unsigned int i = 0; (!list || *list == '+') && i < t->ncolumns; i++)
		if (is_usual(t, &t->spec->columns[i]))
			show_column(t, i);
	if (list)
		err = strv_split(&names, list + (*list == '+'), ",");
	for (size_t i = 0; !err && i < names.n; i++) {
		int column = find_column(t, "--columns", names.at[i]);

		if (column < 0)
			err = column;
		else
			show_column(t, (unsigned int)column);
	}
	strv_fini(&names);
	if (!err && !t->nshown)
		err = fail(EINVAL, "--columns '%s' names no column", list);
	return err;
}

static bool largest_first(enum table_type type)
{
	return type != TABLE_TEXT && type != TABLE_ANY && type != TABLE_PATH && type != TABLE_ID && type != TABLE_NUMBER && type != TABLE_DEPTH &&
	       type != TABLE_TS;
}

static int add_key(struct table *t, const char *name)
{
	bool sign = *name == '-' || *name == '+', down = *name == '-';
	int column = find_column(t, "--sort", name + sign);

	if (column < 0)
		return column;
	if (t->spec->columns[column].drawn)
		return fail(EINVAL, "--sort %s: this column is a drawing, which has no order", name);
	if (t->nkeys == TABLE_KEYS)
		return fail(EINVAL, "--sort '%s': more than %d columns", t->show.sort, TABLE_KEYS);
	t->keys[t->nkeys++] = (struct table_key){
		(unsigned int)column,
		sign ? down : largest_first(t->spec->columns[column].type),
	};
	return 0;
}

static int choose_order(struct table *t)
{
	const char *list = t->show.sort ? t->show.sort : t->spec->sort ? t->spec->sort : TABLE_UNSORTED;
	strv_t names = { 0 };
	int err;

	if (strcmp(list, TABLE_UNSORTED) == 0)
		return 0;
	err = strv_split(&names, list, ",");

	for (size_t i = 0; !err && i < names.n; i++)
		err = add_key(t, names.at[i]);
	strv_fini(&names);
	if (!err && t->show.sort && !t->nkeys)
		err = fail(EINVAL, "--sort '%s' names no column", list);
	return err;
}

/* Returns the column of which this column shows percentages, or TABLE_COLUMNS if there is none. */
static uint8_t whole_of(const struct table *t, unsigned int column)
{
	const char *of = t->spec->columns[column].of;

	for (unsigned int i = 0; of && i < t->ncolumns; i++)
		if (strcmp(t->spec->columns[i].name, of) == 0)
			return (uint8_t)i;
	return TABLE_COLUMNS;
}

int table_new(struct table **out, const struct table_spec *spec, const struct table_show *show)
{
	struct table *t = calloc(1, sizeof(*t));
	int err;

	if (!t)
		return fail(ENOMEM, "%m");
	t->spec = spec;
	t->show = *show;
	t->tree = -1;
	for (; spec->columns[t->ncolumns].name; t->ncolumns++)
		if (spec->columns[t->ncolumns].tree)
			t->tree = (int)t->ncolumns;
	for (unsigned int i = 0; i < t->ncolumns; i++)
		t->wholes[i] = whole_of(t, i);
	err = choose_columns(t);
	err = err ? err : choose_order(t);
	if (err == -ENOMEM)
		fail(ENOMEM, "%m");
	if (err)
		table_free(take(t));
	*out = t;
	return err;
}

void table_clear(struct table *t)
{
	t->values.n = t->known.n = t->numbers.n = t->parents.n = t->spots.n = t->facts.n = t->others.n = 0;
	strv_fini(&t->notes);
	strv_fini(&t->copies);
	t->oom = false;
	t->cut = 0;
}

void table_free(struct table *t)
{
	if (!t)
		return;
	table_clear(t);
	vec_fini(&t->values);
	vec_fini(&t->known);
	vec_fini(&t->numbers);
	vec_fini(&t->parents);
	vec_fini(&t->spots);
	vec_fini(&t->facts);
	vec_fini(&t->others);
	free(t);
}

/* --- rows ----------------------------------------------------------------------------------------------------- */

uint32_t table_row(struct table *t, uint32_t parent)
{
	uint32_t row = (uint32_t)t->known.n;

	if (vec_reserve(&t->values, t->ncolumns) || vec_reserve(&t->known, 1) || vec_reserve(&t->parents, 1) || vec_reserve(&t->numbers, 1)) {
		t->oom = true;
		return TABLE_ROOT;
	}
	t->values.n += t->ncolumns;
	t->known.at[t->known.n++] = 0;
	t->numbers.at[t->numbers.n++] = 0;
	t->parents.at[t->parents.n++] = parent < row ? parent : TABLE_ROOT;
	return row;
}

static void set(struct table *t, unsigned int column, union table_value value)
{
	if (t->oom)
		return;
	t->values.at[t->values.n - t->ncolumns + column] = value;
	t->known.at[t->known.n - 1] |= 1ULL << column;
}

void table_text(struct table *t, unsigned int column, const char *text)
{
	if (text)
		set(t, column, (union table_value){ .text = text });
}

void table_copy(struct table *t, unsigned int column, const char *text)
{
	if (text && strv_add(&t->copies, text))
		t->oom = true;
	else if (text)
		table_text(t, column, t->copies.at[t->copies.n - 1]);
}

void table_count(struct table *t, unsigned int column, uint64_t value)
{
	set(t, column, (union table_value){ .n = value });
}

void table_id(struct table *t, unsigned int column, int64_t value)
{
	set(t, column, (union table_value){ .id = value });
}

void table_real(struct table *t, unsigned int column, double value)
{
	if (isfinite(value))
		set(t, column, (union table_value){ .real = value });
}

void table_bool(struct table *t, unsigned int column, bool value)
{
	set(t, column, (union table_value){ .is = value });
}

void table_any(struct table *t, unsigned int column, const char *text, bool number)
{
	table_copy(t, column, text);
	if (text && !t->oom)
		t->numbers.at[t->numbers.n - 1] |= (uint64_t)number << column;
}

void table_tint(struct table *t, unsigned int column, enum table_tint tint)
{
	struct table_spot spot = { (uint32_t)t->known.n - 1, (uint8_t)column, (uint8_t)tint };

	if (t->show.colour && tint != TABLE_PLAIN && vec_push(&t->spots, spot))
		t->oom = true;
}

void table_note(struct table *t, const char *fmt, ...)
{
	struct str text = { 0 };
	va_list ap;

	va_start(ap, fmt);
	str_vaddf(&text, fmt, ap);
	va_end(ap);
	if (strv_own(&t->notes, str_take(&text)))
		t->oom = true;
}

void table_fact(struct table *t, const char *name, uint64_t value)
{
	if (vec_push(&t->facts, (struct table_fact){ name, value }))
		t->oom = true;
}

void table_also(struct table *t, const char *name, struct table *other)
{
	if (vec_push(&t->others, (struct table_other){ name, other }))
		t->oom = true;
}

size_t table_rows(const struct table *t)
{
	return t->known.n;
}

bool table_wants(const struct table *t, unsigned int column)
{
	for (unsigned int i = 0; i < t->nkeys; i++)
		if (t->keys[i].column == column)
			return true;
	for (unsigned int i = 0; i < t->nshown; i++)
		if (t->shown[i] == column || t->wholes[t->shown[i]] == column)
			return true;
	return false;
}

/* --- what the writers ask ------------------------------------------------------------------------------------- */

static double as_real(const struct table_column *column, const union table_value *value)
{
	return table_is_real(column) ? value->real : (double)value->n;
}

/* Computes the row's share in the sum of the column @of. Returns false if it is not known. */
static bool share(const struct table *t, uint32_t row, unsigned int of, union table_value *value)
{
	const struct table_column *columns = t->spec->columns;
	union table_value part;

	if (of == TABLE_COLUMNS || !table_value(t, row, of, &part) || !(as_real(&columns[of], &t->sums[of]) > 0))
		return false;
	value->real = as_real(&columns[of], &part) * 100 / as_real(&columns[of], &t->sums[of]);
	return true;
}

bool table_value(const struct table *t, uint32_t row, unsigned int column, union table_value *value)
{
	const struct table_column *c = &t->spec->columns[column];

	if (t->known.at[row] & 1ULL << column) {
		*value = t->values.at[(size_t)row * t->ncolumns + column];
		return true;
	}
	if (c->type == TABLE_DEPTH) {
		value->id = t->depths ? t->depths[row] : 0;
		return true;
	}
	return share(t, row, t->wholes[column], value);
}

void table_path(const struct table *t, uint32_t row, struct str *out)
{
	union table_value name;

	if (t->parents.at[row] != TABLE_ROOT) {
		table_path(t, t->parents.at[row], out);
		str_addc(out, ';');
	}
	if (t->tree >= 0 && table_value(t, row, (unsigned int)t->tree, &name))
		str_add(out, name.text);
}

enum table_tint table_tint_of(const struct table *t, uint32_t row, unsigned int column)
{
	size_t low = 0, high = t->spots.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->spots.at[middle].row < row)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < t->spots.n && t->spots.at[low].row == row; low++)
		if (t->spots.at[low].column == column)
			return t->spots.at[low].tint;
	return TABLE_PLAIN;
}

bool table_sums(const struct table *t)
{
	for (unsigned int i = 0; i < t->nshown; i++)
		if (t->spec->columns[t->shown[i]].sum)
			return t->known.n > 1;
	return false;
}

int table_flush(int fd, struct str *out, size_t much)
{
	int err = str_ok(out);

	if (err)
		return fail(-err, "the table: %m");
	if (out->len > much) {
		err = io_write(fd, str_text(out), out->len);
		str_clear(out);
		if (err && err != -EPIPE)
			return fail(-err, "writing the table: %m");
	}
	return err;
}

/* --- showing -------------------------------------------------------------------------------------------------- */

static void add_up(struct table *t)
{
	memset(t->sums, 0, sizeof(t->sums));
	for (size_t row = 0; row < t->known.n; row++) {
		const union table_value *values = &t->values.at[row * t->ncolumns];

		if (t->parents.at[row] != TABLE_ROOT)
			continue;
		for (unsigned int i = 0; i < t->ncolumns; i++) {
			const struct table_column *column = &t->spec->columns[i];

			if (!(t->known.at[row] & 1ULL << i))
				continue;
			if (table_is_real(column))
				t->sums[i].real += values[i].real;
			else if (column->type != TABLE_TEXT && column->type != TABLE_ANY && column->type != TABLE_BOOL)
				t->sums[i].n += values[i].n;
		}
	}
}

int table_order_rows(struct table *t)
{
	int err = t->oom ? -ENOMEM : 0;

	add_up(t);
	err = err ? err : table_order(t);
	vec_each (&t->others, other)
		err = err ? err : table_order_rows(other->table);
	return err;
}

void table_order_done(struct table *t)
{
	free(take(t->order));
	free(take(t->depths));
	vec_each (&t->others, other)
		table_order_done(other->table);
}

int table_show(struct table *t, const struct table_meta *meta, int fd)
{
	static int (*const writers[])(const struct table *, const struct table_meta *, int) = {
		[TABLE_FOR_PEOPLE] = table_for_people,
		[TABLE_JSON] = table_json,
		[TABLE_CSV] = table_csv,
	};
	static const struct table_meta nothing = { 0 };
	int err = table_order_rows(t);

	if (err)
		fail(-err, "%m");
	else
		err = writers[t->show.form](t, meta ? meta : &nothing, fd);
	table_order_done(t);
	return err;
}
