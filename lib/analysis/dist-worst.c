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
	w->level = stack_level(trace, rec);
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
	struct stack_owners owners = { 0 };
	const struct event *event;
	int at;

	if (!w->waits || rec->file != w->rec.file || rec->buffer != w->rec.buffer || rec->cpu != w->rec.cpu)
		return 0;
	w->waits = false;
	if (rec->flags & RECORD_NODATA)
		return 0;
	event = trace_event(trace, record_id(trace, rec));
	stack_owner_begin(&owners, w->level);
	at = stack_owner(&owners, trace, event, rec);
	/* A record of an interrupt does not end the waiting. */
	w->waits = at != (int)w->level && owners.waiting >> w->level & 1;
	if (!event || event->kind != EVENT_STACK || at != (int)w->level)
		return 0;
	w->waits = stack_is_user(event);
	return w->waits ? 0 : count_stack_of(event, rec, &w->addresses, &w->stack);
}

void dist_worst_fini(struct dist_worst *w)
{
	dist_worst_clear(w);
	str_fini(&w->stack);
	vec_fini(&w->addresses);
}
