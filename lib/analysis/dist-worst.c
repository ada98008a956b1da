/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/dist-worst.h"
#include "lib/event/values.h"

void dist_worst_clear(struct dist_worst *w)
{
	strv_fini(&w->names);
	strv_fini(&w->values);
	str_clear(&w->stack);
	w->any = w->waits = false;
}

int dist_worst_field(struct dist_worst *w, const char *name, const char *text, size_t size)
{
	int err = strv_add(&w->names, name);

	return err ? err : strv_own(&w->values, strndup(text, size));
}

int dist_worst_take(struct dist_worst *w, const struct trace *trace, const struct record *rec, uint64_t value)
{
	struct event *event = trace_event(trace, record_id(trace, rec));
	const struct values *values;
	struct str text = { 0 };
	int err;

	if (!event || (w->any && value <= w->value))
		return 0;
	dist_worst_clear(w);
	w->any = true;
	w->value = value;
	w->rec = *rec;
	w->rec.data = NULL;
	w->waits = true;
	err = values_of(&values, event);
	if (err)
		return err;
	vec_each (&values->fields, field) {
		if (err || field->common)
			continue;
		str_clear(&text);
		value_text(field, rec->data, rec->size, &text);
		err = text.oom ? -ENOMEM : dist_worst_field(w, field->name, str_text(&text), text.len);
	}
	str_fini(&text);
	return err;
}

int dist_worst_stack(struct dist_worst *w, const struct trace *trace, const struct record *rec)
{
	const struct event *event;

	if (!w->waits || rec->file != w->rec.file || rec->buffer != w->rec.buffer || rec->cpu != w->rec.cpu)
		return 0;
	event = rec->flags & RECORD_NODATA ? NULL : trace_event(trace, record_id(trace, rec));
	if (event && event->kind == EVENT_STACK && stack_is_user(event) && !(rec->flags & RECORD_LOST))
		return 0;
	w->waits = false;
	return event && event->kind == EVENT_STACK && !(rec->flags & RECORD_LOST) ? count_stack_of(event, rec, &w->addresses, &w->stack) : 0;
}

void dist_worst_fini(struct dist_worst *w)
{
	dist_worst_clear(w);
	str_fini(&w->stack);
	vec_fini(&w->addresses);
}
