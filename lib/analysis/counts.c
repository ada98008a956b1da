/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/counts.h"
#include "lib/base/err.h"
#include "lib/base/parse.h"

#include <inttypes.h>

/* This is kept for each event of an input. */
struct count_event {
	bool wanted;
	const struct value_field *fields[COUNT_MOST_KEYS], *sum; /* NULL: the event has no field with this name */
};

/* --- which events and fields ------------------------------------------------------------------------------ */

/* Is the key a number? Otherwise its text is a name or a string. */
static bool is_number(const struct count_key *key, const struct value_field *field)
{
	if (key->as == COUNT_LOG2 || key->as == COUNT_BUCKETS)
		return true;
	return key->as == COUNT_PLAIN && (field->kind == VALUE_UNSIGNED || field->kind == VALUE_SIGNED) && !field->text;
}

static const struct value_field *field_of(const struct values *values, const char *name, bool *found)
{
	const struct value_field *field = values_field(values, name);

	*found |= field != NULL;
	return field;
}

static int fill(struct counts *c, struct count_event *to, struct event *event, bool found[COUNT_MOST_KEYS + 1])
{
	const struct count_spec *spec = c->spec;
	const struct values *values;
	int err = values_of(&values, event);

	for (size_t i = 0; !err && i < spec->keys.n; i++) {
		const struct count_key *key = &spec->keys.at[i];

		if (key->of != COUNT_FIELD)
			continue;
		to->fields[i] = field_of(values, key->field, &found[i]);
		if (to->fields[i] && key->as != COUNT_PLAIN && !value_is_number(to->fields[i]))
			return fail(EINVAL, "--by %s: the field %s of %s:%s is no number", key->text, key->field, event->system, event->name);
		if (to->fields[i])
			c->numeric[i] &= is_number(key, to->fields[i]);
		c->is_signed[i] |= to->fields[i] && value_is_signed(to->fields[i]);
	}
	if (err || !spec->sum)
		return err;
	to->sum = field_of(values, spec->sum, &found[COUNT_MOST_KEYS]);
	if (to->sum && !value_is_number(to->sum))
		return fail(EINVAL, "--sum %s: the field of %s:%s is no number", spec->sum, event->system, event->name);
	c->sum_is_signed |= to->sum && value_is_signed(to->sum);
	return 0;
}

static bool needs_fields(const struct count_spec *spec)
{
	vec_each (&spec->keys, key)
		if (key->of == COUNT_FIELD)
			return true;
	return spec->sum;
}

static int open_source(struct counts *c, const struct input *input, bool found[COUNT_MOST_KEYS + 1])
{
	struct count_source source = { .input = input };
	int err;

	source.events = calloc(MAX(input->trace->nids, (size_t)1), sizeof(*source.events));
	err = source.events ? vec_push(&c->sources, source) : -ENOMEM;
	if (err) {
		free(source.events);
		return err;
	}
	vec_each (&input->trace->events, event) {
		struct count_event *to = &source.events[(*event)->id];

		to->wanted = select_event(c->reading->selected, *event) && !(c->stacks.streams.size && (*event)->kind == EVENT_STACK);
		if (!err && to->wanted && needs_fields(c->spec))
			err = fill(c, to, *event, found);
	}
	return err;
}

/* Returns a hint for a field that no counted event has. The caller frees it. @number: only numbers are possible. @key: other words are possible, too. */
static char *field_cure(const struct counts *c, const char *name, bool number, bool key)
{
	strv_t names = { 0 };
	int err = key ? count_key_words(&names) : 0;

	vec_each (&c->sources, source)
		vec_each (&source->input->trace->events, event)
			if (!err && source->events[(*event)->id].wanted)
				err = values_names(*event, number, &names);
	return did_you_mean(name, &names, "; `ringside report --events` shows which there are");
}

/* Refuses a field that no event has, because it is a typing error. Returns 0 or a negative errno, with a message. */
static int check_fields(const struct counts *c, const bool found[COUNT_MOST_KEYS + 1])
{
	__cleanup(free_ptr) char *cure = NULL;

	vec_each (&c->spec->keys, key) {
		if (key->of != COUNT_FIELD || found[key - c->spec->keys.at])
			continue;
		cure = field_cure(c, key->field, key->as != COUNT_PLAIN, key->as == COUNT_PLAIN && strcmp(key->text, key->field) == 0);
		return fail(EINVAL, "--by %s: none of the events has a field %s%s", key->text, key->field, cure ? cure : "");
	}
	if (!c->spec->sum || found[COUNT_MOST_KEYS])
		return 0;
	cure = field_cure(c, c->spec->sum, true, false);
	return fail(EINVAL, "--sum %s: none of the events has such a field%s", c->spec->sum, cure ? cure : "");
}

int counts_new(struct counts **out, struct reading *reading, const struct count_spec *spec)
{
	bool found[COUNT_MOST_KEYS + 1] = { false };
	struct counts *c = calloc(1, sizeof(*c));
	int err = c ? 0 : -ENOMEM;

	*out = NULL;
	for (size_t i = 0; c && i < spec->keys.n; i++) {
		c->is_signed[i] = spec->keys.at[i].of != COUNT_FIELD;
		c->numeric[i] = spec->keys.at[i].of != COUNT_EVENT && spec->keys.at[i].of != COUNT_COMM && spec->keys.at[i].of != COUNT_STACK;
	}
	if (c) {
		c->stacks.streams.size = count_by_stack(spec) ? sizeof(struct count_waits) : 0;
		c->reading = reading;
		c->spec = spec;
	}
	for (size_t i = 0; !err && i < reading->inputs.n; i++)
		err = open_source(c, &reading->inputs.at[i], found);
	err = err ? err : check_fields(c, found);
	if (err)
		counts_free(c);
	else
		*out = c;
	return err;
}

void counts_free(struct counts *c)
{
	if (!c)
		return;
	vec_each (&c->sources, source)
		free(source->events);
	vec_each (&c->rows, row) {
		for (size_t i = 0; i < MAX(c->spec->keys.n, (size_t)1); i++)
			free(row->values[i].text);
		free(row->values);
	}
	vec_fini(&c->sources);
	vec_fini(&c->rows);
	map_fini(&c->index);
	strv_fini(&c->bytes);
	count_stacks_fini(&c->stacks);
	free(c);
}

/* --- records ---------------------------------------------------------------------------------------------- */

/* This is the record that is being counted, and what its keys are made of. */
struct at {
	struct counts *c;
	const struct count_source *source;
	const struct count_event *how;
	const struct event *event;
	const struct record *rec;
	const char *stack; /* NULL: not known */
	int pid;
};

static uint64_t lower_bound(const struct count_key *key, uint64_t number)
{
	if (key->as == COUNT_BUCKETS)
		return number - number % key->width;
	return number ? 1ULL << (63 - __builtin_clzll(number)) : 0;
}

/*
 * Returns the lower bound of the number's bucket. A negative number has no logarithm. With COUNT_LOG2, the result for it is minus the lower bound of the
 * bucket of its absolute value.
 */
static int64_t bucket_of(const struct count_key *key, const struct value_field *field, uint64_t number)
{
	if (!value_is_signed(field) || (int64_t)number >= 0)
		return (int64_t)lower_bound(key, number);
	if (key->as == COUNT_LOG2)
		return -(int64_t)lower_bound(key, -number);
	return -(int64_t)((-number + key->width - 1) / key->width * key->width);
}

static void add_symbol(const struct at *at, bool offset, uint64_t address, struct str *out)
{
	const struct symbol *symbol = symbols_find(at->source->input->trace->symbols, address);

	if (!symbol)
		str_addf(out, "0x%" PRIx64, address);
	else if (offset)
		str_addf(out, "%s+0x%" PRIx64, symbol->name, address - symbol->addr);
	else
		str_add(out, symbol->name);
}

static void add_as(const struct at *at, enum count_as as, uint64_t number, struct str *out)
{
	const struct syscall *call;

	switch (as) {
	case COUNT_SYM:
	case COUNT_SYM_OFFSET:
		add_symbol(at, as == COUNT_SYM_OFFSET, number, out);
		return;
	case COUNT_SYSCALL:
		call = syscall_find(&at->source->input->trace->calls, number);
		str_addf(out, call ? "%s" : "", call ? call->name : "");
		if (!call)
			str_addf(out, "syscall %" PRId64, (int64_t)number);
		return;
	case COUNT_EXECNAME:
		str_add(out, comms_find(at->source->input->trace->comms, (int)number));
		return;
	default:
		str_addf(out, "0x%" PRIx64, number);
	}
}

/* Adds the text of a key of this record. *@number becomes its number if it has one. Returns false if the event has no such field. */
static bool value_of_key(const struct at *at, size_t i, struct str *text, int64_t *number)
{
	const struct count_key *key = &at->c->spec->keys.at[i];
	const struct value_field *field = at->how->fields[i];
	struct value value;

	*number = key->of == COUNT_PID ? at->pid : key->of == COUNT_CPU ? at->rec->cpu : 0;
	if (key->of == COUNT_EVENT)
		str_addf(text, "%s:%s", at->event->system, at->event->name);
	else if (key->of == COUNT_STACK && !at->stack)
		return false;
	else if (key->of == COUNT_STACK)
		str_add(text, at->stack);
	else if (key->of == COUNT_COMM)
		str_add(text, comms_find(at->source->input->trace->comms, at->pid));
	else if (key->of != COUNT_FIELD)
		str_addf(text, "%" PRId64, *number);
	else if (!field || !value_get(field, at->rec->data, at->rec->size, &value))
		return false;
	else if (key->as == COUNT_PLAIN)
		value_text(field, at->rec->data, at->rec->size, text);
	else if (key->as < COUNT_LOG2)
		add_as(at, key->as, value.number, text);
	if (key->of == COUNT_FIELD)
		*number = key->as < COUNT_LOG2 ? (int64_t)(value_is_number(field) ? value.number : 0) : bucket_of(key, field, value.number);
	if (key->as >= COUNT_LOG2)
		str_addf(text, value_is_signed(field) ? "%" PRId64 : "%" PRIu64, *number);
	return true;
}

/* Makes the bytes that tell rows apart: the text of each key and a NUL. A missing key is written as a byte with which no text begins. */
static void key_bytes(const struct at *at, struct str *bytes)
{
	struct str text = { 0 };
	int64_t number;

	if (!at->c->spec->keys.n)
		str_addf(bytes, "%s:%s", at->event->system, at->event->name);
	for (size_t i = 0; i < at->c->spec->keys.n; i++) {
		str_clear(&text);
		if (value_of_key(at, i, &text, &number))
			str_addn(bytes, str_text(&text), text.len);
		else
			str_addc(bytes, '\x7f');
		str_addc(bytes, '\0');
	}
	bytes->oom |= text.oom;
	str_fini(&text);
}

static int add_row(const struct at *at, struct str *bytes)
{
	struct counts *c = at->c;
	const size_t nkeys = c->spec->keys.n;
	struct count_row row = { .values = calloc(MAX(nkeys, (size_t)1), sizeof(*row.values)) };
	map_entry(&c->index) entry;
	size_t n = bytes->len;

	if (!row.values || vec_push(&c->rows, row)) {
		free(row.values);
		return -ENOMEM;
	}
	if (!nkeys)
		row.values[0].text = str_printf("%s:%s", at->event->system, at->event->name);
	for (size_t i = 0; i < nkeys; i++) {
		struct str text = { 0 };

		if (value_of_key(at, i, &text, &row.values[i].number))
			row.values[i].text = str_take(&text);
		str_fini(&text);
	}
	if (strv_own(&c->bytes, str_take(bytes)))
		return -ENOMEM;
	entry = map_add_text(&c->index, c->bytes.at[c->bytes.n - 1], n);
	if (!entry)
		return -ENOMEM;
	entry->value = (uint32_t)c->rows.n - 1;
	return 0;
}

static struct count_row *find_row(const struct at *at, int *err)
{
	struct counts *c = at->c;
	struct str bytes = { 0 };
	map_entry(&c->index) entry;
	struct count_row *row = NULL;

	key_bytes(at, &bytes);
	*err = str_ok(&bytes);
	entry = *err ? NULL : map_find_text(&c->index, str_text(&bytes), bytes.len);
	if (entry) {
		row = &c->rows.at[entry->value];
	} else if (!*err && c->rows.n < COUNT_MOST_ROWS) {
		*err = add_row(at, &bytes);
		row = *err ? NULL : &c->rows.at[c->rows.n - 1];
	}
	str_fini(&bytes);
	return row;
}

/* Is this a record of an event that is counted? Fills in *@at if it is. */
static bool is_counted(struct counts *c, const struct record *rec, struct at *at)
{
	struct trace *trace = c->sources.at[rec->file].input->trace;

	*at = (struct at){ .c = c, .source = &c->sources.at[rec->file], .rec = rec };
	at->event = trace_event(trace, record_id(trace, rec));
	if (!at->event)
		return false;
	at->how = &at->source->events[at->event->id];
	at->pid = record_pid(trace, rec);
	return at->how->wanted;
}

static void add_sum(const struct at *at, struct count_row *row, uint64_t n, uint64_t sum)
{
	row->sum += value_is_signed(at->how->sum) ? (__int128)(int64_t)sum : (__int128)sum;
	row->summed += n;
}

/* Finds the row of @n events that are like @rec, and counts them there. *@row becomes NULL if they are in no row. Returns 0 or -errno. */
static int count_alike(struct at *at, const char *stack, uint64_t n, struct count_row **row)
{
	struct counts *c = at->c;
	int err;

	at->stack = stack;
	c->without_stack += stack ? 0 : n;
	c->n += n;
	*row = find_row(at, &err);
	if (*row)
		(*row)->n += n;
	else if (!err)
		c->beyond += n;
	return err;
}

static int count_one(void *ctx, const struct record *rec, const char *stack)
{
	struct count_row *row = NULL;
	struct value value;
	struct at at;
	struct counts *c = ctx;
	int err;

	learn_until(c->reading->learn, rec);
	err = is_counted(c, rec, &at) ? count_alike(&at, stack, 1, &row) : 0;

	if (row && at.how->sum && value_get(at.how->sum, rec->data, rec->size, &value))
		add_sum(&at, row, 1, value.number);
	return err;
}

int counts_record(struct counts *c, const struct record *rec)
{
	if (rec->flags & RECORD_LOST) {
		c->lost += rec->lost > 0 ? (uint64_t)rec->lost : 0;
		c->lost_more |= rec->lost <= 0;
	}
	if (c->stacks.streams.size)
		return count_stacks_take(&c->stacks, c->sources.at[rec->file].input->trace, rec, count_one, c);
	return rec->flags & RECORD_NODATA ? 0 : count_one(c, rec, NULL);
}

int counts_flush(struct counts *c)
{
	return count_stacks_flush(&c->stacks, count_one, c);
}

int counts_add(struct counts *c, const struct record *rec, const char *stack, uint64_t n, uint64_t sum)
{
	struct count_row *row = NULL;
	struct at at;
	int err = is_counted(c, rec, &at) ? count_alike(&at, stack, n, &row) : 0;

	if (row && at.how->sum)
		add_sum(&at, row, n, sum);
	return err;
}

void counts_restart(struct counts *c)
{
	c->n = 0;
	vec_each (&c->rows, row) {
		row->n = row->summed = 0;
		row->sum = 0;
	}
}

int counts_add_absent(struct counts *c)
{
	int err = 0;

	if (c->spec->keys.n)
		return 0;
	vec_each (&c->sources, source)
		vec_each (&source->input->trace->events, event) {
			struct record none = { .file = (uint8_t)(source - c->sources.at) };
			struct at at = { .c = c, .source = source, .event = *event, .how = &source->events[(*event)->id], .rec = &none };

			if (!err && at.how->wanted)
				find_row(&at, &err);
		}
	return err;
}
