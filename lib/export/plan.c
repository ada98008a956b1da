/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/export/plan.h"
#include "lib/base/digits.h"
#include "lib/base/latency-events.h"
#include "lib/event/text.h"

/* --- values ----------------------------------------------------------------------------------------------------- */

static void add_nothing(enum plan_style style, struct str *out)
{
	if (style != PLAN_CSV)
		str_addn(out, "null", 4);
}

/* @out must have room for the number. */
static inline void add_number(uint64_t number, bool is_signed, struct str *out)
{
	char *at = out->at + out->len;

	if (is_signed && (int64_t)number < 0) {
		*at++ = '-';
		number = -number;
	}
	out->len = (size_t)(put_u64(at, number) - out->at);
}

/* At most this many bytes are written for a number, an address or a name without plan_text(), including the bytes written behind its end. */
enum { QUICK_ROOM = 2 * SHORT_ROOM };

/* Returns how many quotation marks stand on each side of a text. */
static inline size_t mark_of(enum plan_style style)
{
	return style == PLAN_CSV ? 0 : style + 1u;
}

/* Puts a name with its quotation marks and returns its end, or returns NULL if plan_text() has to write it. */
static inline char *put_symbol(char *at, const struct symbol *sym, size_t mark)
{
	if (unlikely(!sym->plain || sym->name_len > SHORT_ROOM))
		return NULL;
	at[0] = at[1] = '"';
	at = put_short(at + mark, sym->name, sym->name_len);
	at[0] = at[1] = '"';
	return at + mark;
}

static inline char *put_address(char *at, uint64_t addr, size_t mark)
{
	at[0] = at[1] = '"';
	at = put_hex(put_bytes(at + mark, "0x", 2), addr);
	at[0] = at[1] = '"';
	return at + mark;
}

static void add_address(uint64_t addr, enum plan_style style, struct str *out)
{
	if (str_room(out, QUICK_ROOM))
		out->len = (size_t)(put_address(out->at + out->len, addr, mark_of(style)) - out->at);
}

static void add_function(const struct symbols *symbols, uint64_t addr, enum plan_style style, struct str *out)
{
	const struct symbol *sym = symbols_find(symbols, addr);
	char *end = sym && str_room(out, QUICK_ROOM) ? put_symbol(out->at + out->len, sym, mark_of(style)) : NULL;

	if (end)
		out->len = (size_t)(end - out->at);
	else if (sym)
		plan_text(sym->name, sym->name_len, style, out);
	else
		add_address(addr, style, out);
}

static void add_array(const struct value_field *field, const struct value *value, enum plan_style style, struct str *out)
{
	size_t n = value_elements(field, value);

	if (style == PLAN_CSV)
		str_addc(out, '"');
	str_addc(out, '[');
	for (size_t i = 0; i < n && str_room(out, 32); i++) {
		if (i)
			out->at[out->len++] = ',';
		add_number(value_element(field, value, i), field->at.is_signed, out);
	}
	str_addc(out, ']');
	if (style == PLAN_CSV)
		str_addc(out, '"');
}

/* Adds the functions of a stack: for the kernel its symbols, for a program what the recording knows. */
static void add_stack(const struct plan *plan, const struct record *rec, enum plan_style style, struct str *scratch, struct str *out)
{
	const struct trace *trace = plan->event->trace;
	const enum plan_style inside = style == PLAN_CSV ? PLAN_JSON_IN_CSV : style;
	const bool user = stack_is_user(plan->event);
	addresses_t stack = { 0 };

	out->oom |= stack_get(plan->event, rec, &stack) != 0;
	str_add(out, style == PLAN_CSV ? "\"[" : "[");
	for (size_t i = 0; i < stack.n; i++) {
		if (i)
			str_addc(out, ',');
		if (user && trace->usermaps) {
			str_clear(scratch);
			usermaps_text(trace->usermaps, stack_tgid(plan->event, rec), rec->ts, stack.at[i], i > 0, scratch);
			plan_text(str_text(scratch), scratch->len, inside, out);
		} else {
			add_function(user ? NULL : trace->symbols, stack.at[i], inside, out);
		}
	}
	str_add(out, style == PLAN_CSV ? "]\"" : "]");
	vec_fini(&stack);
}

static void add_number_as(const struct plan_field *f, uint64_t number, enum plan_style style, struct str *out)
{
	switch (f->how) {
	case PLAN_BOOL:
		str_add(out, number ? "true" : "false");
		break;
	case PLAN_ADDRESS:
		add_address(number, style, out);
		break;
	case PLAN_FUNCTION:
		add_function(f->field->symbols, number, style, out);
		break;
	default:
		add_number(number, f->how == PLAN_SIGNED, out);
	}
}

static void add_other(const struct plan *plan, const struct plan_field *f, const struct record *rec, enum plan_style style, struct str *scratch,
		      struct str *out)
{
	struct value value;

	/* A stack can be shorter than the size of its field, so value_get() does not read it. */
	if (f->how == PLAN_STACK) {
		add_stack(plan, rec, style, scratch, out);
	} else if (f->how == PLAN_ABSENT || !value_get(f->field, rec->data, rec->size, &value)) {
		add_nothing(style, out);
	} else if (f->how == PLAN_STRING) {
		plan_text((const char *)value.at, value.size, style, out);
	} else if (f->how == PLAN_ARRAY) {
		add_array(f->field, &value, style, out);
	} else {
		str_clear(scratch);
		value_text(f->field, rec->data, rec->size, scratch);
		plan_text(str_text(scratch), scratch->len, style, out);
	}
}

static void add_took(const struct record *rec, enum plan_style style, struct str *out)
{
	if (rec->flags & RECORD_TIMED)
		add_number(rec->took, false, out);
	else
		add_nothing(style, out);
}

/* How the number of a field is read. QUICK_FUNCTION and QUICK_ADDRESS have 8 bytes; the others are PLAN_UNSIGNED or PLAN_SIGNED of 4 or 8 bytes. */
enum quick {
	QUICK_NOT,
	QUICK_U4,
	QUICK_S4,
	QUICK_U8,
	QUICK_S8,
	QUICK_FUNCTION,
	QUICK_ADDRESS,
};

static enum quick quick_of(const struct plan_field *f)
{
	const bool is_signed = f->how == PLAN_SIGNED;

	if (!f->field || f->field->swap)
		return QUICK_NOT;
	if (f->how == PLAN_FUNCTION || f->how == PLAN_ADDRESS)
		return f->field->at.size != 8 ? QUICK_NOT : f->how == PLAN_FUNCTION ? QUICK_FUNCTION : QUICK_ADDRESS;
	if (f->how != PLAN_UNSIGNED && !is_signed)
		return QUICK_NOT;
	if (f->field->at.size == 8)
		return is_signed ? QUICK_S8 : QUICK_U8;
	if (f->field->at.size != 4)
		return QUICK_NOT;
	/* A field with a sign is sign-extended even if it is written as unsigned, so it is not quick. */
	return !f->field->at.is_signed ? QUICK_U4 : is_signed ? QUICK_S4 : QUICK_NOT;
}

static inline char *put_signed(char *at, int64_t v)
{
	if (unlikely(v < 0)) {
		*at++ = '-';
		return put_loose(at, -(uint64_t)v);
	}
	return put_loose(at, (uint64_t)v);
}

/* Puts the value and returns its end, or returns NULL if the value is not a quick one. */
static inline char *put_quick(char *at, const struct plan_field *f, const struct record *rec, size_t mark)
{
	const uint8_t *from = (const uint8_t *)rec->data + f->offset;
	const struct symbol *sym;

	if (unlikely(f->end > rec->size))
		return NULL;
	switch (f->quick) {
	case QUICK_U4:
		return put_loose(at, load(from, 4, false));
	case QUICK_S4:
		return put_signed(at, (int32_t)load(from, 4, false));
	case QUICK_U8:
		return put_loose(at, load(from, 8, false));
	case QUICK_S8:
		return put_signed(at, (int64_t)load(from, 8, false));
	case QUICK_FUNCTION:
		sym = symbols_find(f->field->symbols, load(from, 8, false));
		return likely(sym) ? put_symbol(at, sym, mark) : put_address(at, load(from, 8, false), mark);
	case QUICK_ADDRESS:
		return put_address(at, load(from, 8, false), mark);
	default:
		return NULL;
	}
}

static void add_slowly(const struct plan *plan, const struct plan_field *f, const struct record *rec, enum plan_style style, struct str *scratch,
		       struct str *out)
{
	struct value value;

	if (f->how >= PLAN_UNSIGNED && f->how <= PLAN_FUNCTION && value_get(f->field, rec->data, rec->size, &value))
		add_number_as(f, value.number, style, out);
	else if (f->how == PLAN_TOOK)
		add_took(rec, style, out);
	else
		add_other(plan, f, rec, style, scratch, out);
}

static inline char *put_key(char *at, const struct plan_field *f)
{
	memcpy(at, f->key, 16);
	if (unlikely(f->key_len > 16))
		put_short(at, f->key, f->key_len);
	return at + f->key_len;
}

void plan_write(const struct plan *plan, const struct record *rec, enum plan_style style, struct str *scratch, struct str *out)
{
	const size_t mark = mark_of(style);
	char *at;

	/* .room suffices for all quick fields; other fields make more room for themselves. */
	if (!str_room(out, plan->room))
		return;
	at = out->at + out->len;
	vec_each (&plan->fields, f) {
		char *end;

		at = put_key(at, f);
		end = put_quick(at, f, rec, mark);
		if (likely(end)) {
			at = end;
			continue;
		}
		out->len = (size_t)(at - out->at);
		add_slowly(plan, f, rec, style, scratch, out);
		if (!str_room(out, plan->room))
			return;
		at = out->at + out->len;
	}
	if (style != PLAN_CSV)
		*at++ = '}';
	out->len = (size_t)(at - out->at);
}

/* --- making plans ----------------------------------------------------------------------------------------------- */

static bool is_code(const struct event *event, const struct value_field *field)
{
	if (event->kind == EVENT_FUNCTION)
		return strcmp(field->name, "ip") == 0 || strcmp(field->name, "parent_ip") == 0;
	return (event->kind == EVENT_GRAPH_ENTRY || event->kind == EVENT_GRAPH_EXIT) && strcmp(field->name, "func") == 0;
}

static enum plan_how how_of(const struct event *event, const struct value_field *field)
{
	static const uint8_t hows[] = {
		[VALUE_UNSIGNED] = PLAN_UNSIGNED, [VALUE_SIGNED] = PLAN_SIGNED, [VALUE_BOOL] = PLAN_BOOL,   [VALUE_POINTER] = PLAN_ADDRESS,
		[VALUE_FUNCTION] = PLAN_FUNCTION, [VALUE_STRING] = PLAN_STRING, [VALUE_ARRAY] = PLAN_ARRAY, [VALUE_BITMASK] = PLAN_TEXT,
	};

	if (event->kind == EVENT_STACK && strcmp(field->name, "caller") == 0)
		return PLAN_STACK;
	if (is_code(event, field) && value_is_number(field))
		return PLAN_FUNCTION;
	if (field->kind == VALUE_SYMBOL || field->kind == VALUE_FLAGS)
		return value_is_signed(field) ? PLAN_SIGNED : PLAN_UNSIGNED;
	return hows[field->kind];
}

/* Returns "FIELD_name", with more underscores if the event has a field of that name. NULL means that there is no memory. */
static char *name_of_text(const struct values *values, const char *field)
{
	char *name = str_printf("%s_name", field);

	while (name && values_field(values, name)) {
		char *longer = str_printf("%s_", name);

		free(name);
		name = longer;
	}
	return name;
}

/* Adds a field after the text @key, which is taken over. Returns 0 or -ENOMEM. */
static int push_field(struct plan *plan, struct plan_field made, struct str key, const char *name)
{
	made.key_len = key.len;
	made.quick = (uint8_t)quick_of(&made);
	if (made.quick != QUICK_NOT) {
		made.offset = made.field->at.offset;
		made.end = (uint32_t)made.offset + made.field->at.size;
	}
	plan->room += key.len + QUICK_ROOM;
	made.key = plan_pad(str_take(&key));
	made.name = name ? strdup(name) : NULL;
	if (!made.key || (name && !made.name) || vec_push(&plan->fields, made)) {
		free(made.key);
		free(made.name);
		return -ENOMEM;
	}
	return 0;
}

static int add_key(struct plan *plan, const struct value_field *field, enum plan_how how, const char *name, enum plan_style style)
{
	struct str key = { 0 };

	str_addc(&key, plan->fields.n ? ',' : '{');
	plan_text(name, strlen(name), style, &key);
	str_addc(&key, ':');
	return push_field(plan, (struct plan_field){ .field = field, .how = (uint8_t)how }, key, name);
}

static int add_field(struct plan *plan, const struct values *values, const struct value_field *field, enum plan_style style)
{
	__cleanup(free_ptr) char *name = field->text ? name_of_text(values, field->name) : NULL;
	int err = add_key(plan, field, how_of(plan->event, field), field->name, style);

	if (err || !field->text)
		return err;
	return name ? add_key(plan, field, PLAN_TEXT, name, style) : -ENOMEM;
}

/* Is the event a return probe of --latency, which has the time that the call took? */
static bool is_return(const struct event *event)
{
	return strcmp(event->system, LATENCY_GROUP) == 0 && str_ends(event->name, LATENCY_RETURN);
}

int plan_new(struct plan **out, struct event *event, enum plan_style style)
{
	struct plan *plan = calloc(1, sizeof(*plan));
	const struct values *values;
	int err = plan ? values_of(&values, event) : -ENOMEM;

	if (!err) {
		plan->event = event;
		vec_each (&values->fields, field)
			if (!err && !field->common)
				err = add_field(plan, values, field, style);
		if (!err && is_return(event))
			err = add_key(plan, NULL, PLAN_TOOK, "took", style);
	}
	if (err)
		plan_free(plan);
	else
		*out = plan;
	return err;
}

int plan_new_columns(struct plan **out, struct event *event, const plan_columns_t *columns)
{
	struct plan *plan = calloc(1, sizeof(*plan));
	const struct values *values;
	struct str commas = { 0 };
	int err = plan ? values_of(&values, event) : -ENOMEM;

	if (!err)
		plan->event = event;
	vec_each (columns, column) {
		const struct value_field *field = err ? NULL : values_field(values, column->field);
		enum plan_how how = field && column->text && field->text ? PLAN_TEXT : field && !column->text ? how_of(event, field) : PLAN_ABSENT;

		if (!err && !field && is_return(event) && strcmp(column->field, "took") == 0)
			how = PLAN_TOOK;
		/* An empty column is a comma in front of the next field; empty columns at the end become one field. */
		str_addc(&commas, ',');
		if (err || (how == PLAN_ABSENT && column + 1 < columns->at + columns->n))
			continue;
		err = push_field(plan, (struct plan_field){ .field = field, .how = (uint8_t)how }, commas, NULL);
		commas = (struct str){ 0 };
	}
	str_fini(&commas);
	if (err)
		plan_free(plan);
	else
		*out = plan;
	return err;
}

void plan_free(struct plan *plan)
{
	if (!plan)
		return;
	vec_each (&plan->fields, f) {
		free(f->key);
		free(f->name);
	}
	vec_fini(&plan->fields);
	free(plan->mid);
	free(plan->mine);
	free(plan);
}

/* --- columns ---------------------------------------------------------------------------------------------------- */

static bool is_taken(const plan_columns_t *columns, const char *const taken[], const char *name)
{
	for (size_t i = 0; taken[i]; i++)
		if (strcmp(taken[i], name) == 0)
			return true;
	vec_each (columns, column)
		if (strcmp(column->name, name) == 0)
			return true;
	return false;
}

static int add_column(plan_columns_t *columns, const char *field, char *name, bool text, const char *const taken[])
{
	struct plan_column column = { .name = name, .text = text };

	vec_each (columns, there) {
		if (strcmp(there->field, field) == 0 && there->text == text) {
			free(name);
			return 0;
		}
	}
	while (column.name && is_taken(columns, taken, column.name)) {
		char *longer = str_printf("field_%s", column.name);

		free(column.name);
		column.name = longer;
	}
	column.field = strdup(field);
	if (!column.name || !column.field || vec_push(columns, column)) {
		free(column.name);
		free(column.field);
		return -ENOMEM;
	}
	return 0;
}

int plan_columns_add(plan_columns_t *columns, struct event *event, const char *const taken[])
{
	const struct values *values;
	int err = values_of(&values, event);

	if (err)
		return err;
	vec_each (&values->fields, field) {
		if (err || field->common)
			continue;
		err = add_column(columns, field->name, strdup(field->name), false, taken);
		if (!err && field->text)
			err = add_column(columns, field->name, name_of_text(values, field->name), true, taken);
	}
	if (!err && is_return(event))
		err = add_column(columns, "took", strdup("took"), false, taken);
	return err;
}

void plan_columns_fini(plan_columns_t *columns)
{
	vec_each (columns, column) {
		free(column->name);
		free(column->field);
	}
	vec_fini(columns);
}
