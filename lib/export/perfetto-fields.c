/* SPDX-License-Identifier: GPL-2.0 */
/* Writes the fields of events for Perfetto: fields that it knows by their numbers, and all others as annotations with names and types. */
#include "lib/export/perfetto.h"
#include "lib/event/text.h"

/* clang-format off */
#define COMM_PID_PRIO { "comm", 1 }, { "pid", 2 }, { "prio", 3 }, { "success", 4 }, { "target_cpu", 5 }
/* clang-format on */

const struct perfetto_known perfetto_known[] = {
	{ "sched",
	  "sched_switch",
	  4,
	  { { "prev_comm", 1 }, { "prev_pid", 2 }, { "prev_prio", 3 }, { "prev_state", 4 }, { "next_comm", 5 }, { "next_pid", 6 }, { "next_prio", 7 } } },
	{ "power", "cpu_frequency", 11, { { "state", 1 }, { "cpu_id", 2 } } },
	{ "power", "cpu_idle", 13, { { "state", 1 }, { "cpu_id", 2 } } },
	{ "sched", "sched_wakeup", 17, { COMM_PID_PRIO } },
	{ "sched", "sched_waking", 20, { COMM_PID_PRIO } },
	{ "irq", "softirq_entry", 24, { { "vec", 1 } } },
	{ "irq", "softirq_exit", 25, { { "vec", 1 } } },
	{ "irq", "softirq_raise", 26, { { "vec", 1 } } },
	{ "irq", "irq_handler_entry", 36, { { "irq", 1 }, { "name", 2 } } },
	{ "irq", "irq_handler_exit", 37, { { "irq", 1 }, { "ret", 2 } } },
	{ "sched", "sched_wakeup_new", 114, { COMM_PID_PRIO } },
	{ .name = NULL },
};

/* The type of annotation for a number, by enum plan_how. */
static const uint8_t numbers[] = {
	[PLAN_UNSIGNED] = ANNOTATION_UINT,
	[PLAN_SIGNED] = ANNOTATION_INT,
	[PLAN_BOOL] = ANNOTATION_BOOL,
	[PLAN_ADDRESS] = ANNOTATION_POINTER,
};

static void add_array(const struct value_field *field, const struct value *value, struct str *out)
{
	size_t n = value_elements(field, value);

	for (size_t i = 0; i < n; i++) {
		size_t at = pb_begin(out, ANNOTATION_ARRAY);

		pb_uint(out, field->at.is_signed ? ANNOTATION_INT : ANNOTATION_UINT, value_element(field, value, i));
		pb_end(out, at);
	}
}

static uint32_t add_text(struct perfetto_lane *lane, const char *text, size_t n, struct str *out)
{
	uint32_t iid = perfetto_string(lane, text, n);

	if (iid)
		pb_uint(out, ANNOTATION_STRING_IID, iid);
	else
		pb_text(out, ANNOTATION_STRING, text, n);
	return iid;
}

/* Returns the interned number of a symbol's name, or 0. Symbols are remembered by address, so that few names are looked up as texts. */
static uint32_t function_iid(struct perfetto_lane *lane, const struct symbol *sym)
{
	map_entry(&lane->functions) entry = map_find(&lane->functions, (uint64_t)(uintptr_t)sym);

	if (entry)
		return entry->value;
	entry = map_add(&lane->functions, (uint64_t)(uintptr_t)sym);
	if (!entry) {
		lane->front.oom = true;
		return 0;
	}
	return entry->value = perfetto_string(lane, sym->name, sym->name_len);
}

static uint32_t add_function(struct perfetto_lane *lane, const struct symbols *symbols, uint64_t addr, struct str *out)
{
	const struct symbol *sym = symbols_find(symbols, addr);
	const uint32_t iid = sym ? function_iid(lane, sym) : 0;

	if (!sym)
		pb_uint(out, ANNOTATION_POINTER, addr);
	else if (iid)
		pb_uint(out, ANNOTATION_STRING_IID, iid);
	else
		pb_text(out, ANNOTATION_STRING, sym->name, sym->name_len);
	return iid;
}

static void add_stack(struct perfetto_lane *lane, const struct event *event, const struct record *rec, struct str *out)
{
	struct str *scratch = &lane->scratch;
	const struct trace *trace = event->trace;
	const bool user = stack_is_user(event);
	addresses_t stack = { 0 };

	out->oom |= stack_get(event, rec, &stack) != 0;
	for (size_t i = 0; i < stack.n; i++) {
		size_t at = pb_begin(out, ANNOTATION_ARRAY);

		if (user && trace->usermaps) {
			str_clear(scratch);
			usermaps_text(trace->usermaps, stack_tgid(event, rec), rec->ts, stack.at[i], i > 0, scratch);
			add_text(lane, str_text(scratch), scratch->len, out);
		} else {
			add_function(lane, user ? NULL : trace->symbols, stack.at[i], out);
		}
		pb_end(out, at);
	}
	vec_fini(&stack);
}

static inline struct perfetto_recent *recent_of(struct perfetto_lane *lane, uint32_t field, uint64_t number)
{
	return &lane->recent[((number ^ number >> 12) + field * 31) % PERFETTO_RECENT];
}

/* Adds a text that depends only on the field's number. */
static void add_named(struct perfetto_lane *lane, const struct plan_field *f, uint32_t name, uint64_t number, const struct record *rec, struct str *out)
{
	struct perfetto_recent *recent = recent_of(lane, name, number);

	if (recent->iid && recent->field == name && recent->number == number) {
		pb_uint(out, ANNOTATION_STRING_IID, recent->iid);
		return;
	}
	*recent = (struct perfetto_recent){ .field = name, .number = number };
	if (f->how == PLAN_FUNCTION) {
		recent->iid = add_function(lane, f->field->symbols, number, out);
	} else {
		str_clear(&lane->scratch);
		value_text(f->field, rec->data, rec->size, &lane->scratch);
		recent->iid = add_text(lane, str_text(&lane->scratch), lane->scratch.len, out);
	}
}

static void add_value(struct perfetto_lane *lane, const struct plan *plan, const struct plan_field *f, uint32_t name, const struct record *rec, struct str *out)
{
	struct value value;

	if (f->how == PLAN_TOOK) {
		if (rec->flags & RECORD_TIMED)
			pb_uint(out, ANNOTATION_UINT, rec->took);
		return;
	}
	/* A stack can be shorter than the size of its field. */
	if (f->how == PLAN_STACK) {
		add_stack(lane, plan->event, rec, out);
		return;
	}
	if (!value_get(f->field, rec->data, rec->size, &value))
		return;
	if (f->how < ARRAY_LEN(numbers) && numbers[f->how]) {
		pb_uint(out, numbers[f->how], f->how == PLAN_BOOL ? !!value.number : value.number);
	} else if (f->how == PLAN_STRING) {
		add_text(lane, (const char *)value.at, value.size, out);
	} else if (f->how == PLAN_ARRAY) {
		add_array(f->field, &value, out);
	} else if (value_is_number(f->field)) {
		add_named(lane, f, name, value.number, rec, out);
	} else {
		str_clear(&lane->scratch);
		value_text(f->field, rec->data, rec->size, &lane->scratch);
		add_text(lane, str_text(&lane->scratch), lane->scratch.len, out);
	}
}

/* Adds a whole annotation with a name and a number. It is so short that its length takes one byte. */
static void add_number(struct str *out, uint32_t iid, uint32_t field, uint64_t v)
{
	char *begin, *to;

	if (!str_room(out, 5 * VARINT_MOST))
		return;
	begin = pb_put_key(out->at + out->len, EVENT_ANNOTATION, PB_BYTES);
	to = pb_put_uint(pb_put_uint(begin + 1, ANNOTATION_NAME_IID, iid), field, v);
	*begin = (char)(to - begin - 1);
	out->len = (size_t)(to - out->at);
}

/* Adds the most common fields: numbers, and texts that are interned already. Returns false if the field is of another kind. */
static bool add_quickly(struct perfetto_lane *lane, const struct plan_field *f, uint32_t iid, const struct record *rec, struct str *out)
{
	const struct perfetto_recent *recent;
	struct value value;
	uint32_t text;

	if (f->how == PLAN_STRING && value_get(f->field, rec->data, rec->size, &value)) {
		text = perfetto_string(lane, (const char *)value.at, value.size);
		if (text)
			add_number(out, iid, ANNOTATION_STRING_IID, text);
		return text;
	}
	if (f->how < PLAN_UNSIGNED || f->how == PLAN_TOOK || f->how == PLAN_STACK || !value_is_number(f->field) ||
	    !value_get(f->field, rec->data, rec->size, &value))
		return false;
	if (f->how < ARRAY_LEN(numbers) && numbers[f->how]) {
		add_number(out, iid, numbers[f->how], f->how == PLAN_BOOL ? !!value.number : value.number);
		return true;
	}
	recent = recent_of(lane, iid, value.number);
	if (!recent->iid || recent->field != iid || recent->number != value.number)
		return false;
	add_number(out, iid, ANNOTATION_STRING_IID, recent->iid);
	return true;
}

void perfetto_annotations(struct perfetto_lane *lane, const struct plan *plan, const struct record *rec, struct str *out)
{
	const struct perfetto_interned *event = perfetto_interned(lane, plan);

	for (size_t i = 0; event && i < plan->fields.n; i++) {
		const uint32_t iid = event->fields[i];
		size_t at;

		if (likely(add_quickly(lane, &plan->fields.at[i], iid, rec, out)))
			continue;
		at = pb_begin(out, EVENT_ANNOTATION);
		pb_uint(out, ANNOTATION_NAME_IID, iid);
		add_value(lane, plan, &plan->fields.at[i], iid, rec, out);
		pb_end(out, at);
	}
}

void perfetto_fields(const struct plan *plan, const struct record *rec, struct str *out)
{
	const struct perfetto_event *event = plan->mine;

	for (size_t i = 0; i < plan->fields.n; i++) {
		const struct plan_field *f = &plan->fields.at[i];
		struct value value;

		if (!event->numbers[i] || f->how == PLAN_TEXT || !value_get(f->field, rec->data, rec->size, &value))
			continue;
		if (f->how == PLAN_STRING)
			pb_text(out, event->numbers[i], (const char *)value.at, value.size);
		else if (value_is_number(f->field))
			pb_uint(out, event->numbers[i], value.number);
	}
}
