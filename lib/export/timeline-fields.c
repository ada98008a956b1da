/* SPDX-License-Identifier: GPL-2.0 */
/* Takes from records what several formats on a time axis draw: numbers, which task ran on a CPU, and the counters of programs. */
#include "lib/export/timeline.h"
#include "lib/analysis/lacking.h"

bool timeline_number(const struct plan *plan, const char *field, const struct record *rec, uint64_t *out)
{
	const struct value_field *found = plan->event->values ? values_field(plan->event->values, field) : NULL;
	struct value value;

	if (!found || !value_is_number(found) || !value_get(found, rec->data, rec->size, &value))
		return false;
	*out = value.number;
	return true;
}

bool timeline_switch(const struct timeline *t, struct timeline_run *now, const struct plan *plan, const struct record *rec, uint64_t ns,
		     struct timeline_run *ran)
{
	const struct value_field *comm = plan->event->values ? values_field(plan->event->values, "next_comm") : NULL;
	uint64_t prev, next;
	struct value value;
	bool ends;

	if (sched_is_hidden(&t->reading->inputs.at[rec->file], plan->event))
		return false;
	if (!timeline_number(plan, "prev_pid", rec, &prev) || !timeline_number(plan, "next_pid", rec, &next))
		return false;
	/* After records that were lost or not chosen, another switch may lie in between. */
	ends = now->known && now->pid == (int)prev && ns >= now->since && prev && !lacking_has(t->reading->lacking, rec->file, (int)prev, rec->cpu);
	*ran = *now;
	*now = (struct timeline_run){ .pid = (int)next, .since = ns };
	if (comm && comm->kind == VALUE_STRING && value_get(comm, rec->data, rec->size, &value))
		memcpy(now->comm, value.at, MIN(value.size, sizeof(now->comm) - 1));
	/* A task that was not asked for is not shown on its CPU. */
	now->known = select_task(&t->reading->select, now->comm, (int)next);
	return ends;
}

bool timeline_counter(const struct plan *plan, const struct record *rec, struct text *name, int64_t *value)
{
	const struct value_field *buf;
	const char *at, *end, *bar;
	struct value text;
	char number[24] = "";

	if (strcmp(plan->event->name, "print") || !plan->event->values)
		return false;
	buf = values_field(plan->event->values, "buf");
	if (!buf || buf->kind != VALUE_STRING || !value_get(buf, rec->data, rec->size, &text) || text.size < 4 || memcmp(text.at, "C|", 2))
		return false;
	at = (const char *)text.at + 2;
	end = (const char *)text.at + text.size;
	bar = memchr(at, '|', (size_t)(end - at));
	if (!bar)
		return false;
	name->at = (char *)bar + 1;
	bar = memchr(name->at, '|', (size_t)(end - name->at));
	if (!bar || bar == name->at || end - bar > (int)sizeof(number))
		return false;
	name->size = (size_t)(bar - name->at);
	memcpy(number, bar + 1, (size_t)(end - bar - 1));
	number[strcspn(number, "\n")] = '\0';
	return !parse_s64(number, value);
}
