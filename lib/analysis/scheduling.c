/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/scheduling.h"

#include <stdio.h>

/*
 * These are the events of scheduling and their fields. The first field has the pid of the task that the event is about. The first .needed fields must be
 * there, and the others may be missing.
 */
static const struct {
	const char *name, *field[3];
	unsigned int needed;
} sched_rows[SCHED_KINDS] = {
	[SCHED_SWITCH] = { "sched_switch", { "prev_pid", "prev_state", "next_pid" }, 3 },
	[SCHED_WAKING] = { "sched_waking", { "pid", "success" }, 1 },
	[SCHED_WAKEUP] = { "sched_wakeup", { "pid", "success" }, 1 },
	[SCHED_WAKEUP_NEW] = { "sched_wakeup_new", { "pid", "success" }, 1 },
	[SCHED_MIGRATE] = { "sched_migrate_task", { "pid", "dest_cpu" }, 2 },
};

void sched_events_find(struct sched_events *events, const struct input *input)
{
	const struct trace *trace = input->trace;

	*events = (struct sched_events){ .input = input };
	for (unsigned int kind = 0; kind < SCHED_KINDS; kind++) {
		struct event *event = trace_find(trace, "sched", sched_rows[kind].name);
		bool all = event;

		for (unsigned int i = 0; all && i < ARRAY_LEN(sched_rows[kind].field) && sched_rows[kind].field[i]; i++) {
			struct field *field = &events->kinds[kind].field[i];

			field->found = format_field(event->format, sched_rows[kind].field[i], field);
			all = field->found || i >= sched_rows[kind].needed;
		}
		events->kinds[kind].event = all ? event : NULL;
	}
}

/* --- states ------------------------------------------------------------------------------------------------------- */

/*
 * Writes a state whose values have no names in the event's format. It uses the kernel's letters since 4.14 (include/trace/events/sched.h), which are for the
 * bits from the lowest one on.
 */
static void plain_state(uint64_t value, struct str *out)
{
	static const char letters[] = "SDTtXZPI";

	for (unsigned int i = 0; i < sizeof(letters) - 1; i++)
		if (value & 1ULL << i)
			str_addf(out, "%s%c", out->len ? "|" : "", letters[i]);
	if (!out->len)
		str_addc(out, 'R');
}

/* Does a task in the state @text not come back? Since 4.14, the state of such a task is X or Z. Before, it is x. */
static bool is_dead(const char *text)
{
	for (size_t len; *text; text += len + (text[len] == '|')) {
		len = strcspn(text, "|");
		if (len == 1 && strchr("XZx", *text))
			return true;
	}
	return false;
}

/* Makes the text of a state whose value was not seen before. If the value has only bits without a name in the format, the task was able to run. */
static void name_state(struct sched_events *events, const struct record *rec, struct sched_state *out)
{
	struct str text = { 0 };

	if (!events->asked) {
		const struct values *values;

		events->asked = true;
		if (!values_of(&values, events->kinds[SCHED_SWITCH].event))
			events->state = values_field(values, "prev_state");
	}
	if (events->state && events->state->kind == VALUE_FLAGS)
		value_text(events->state, rec->data, rec->size, &text);
	/* Formats of some kernels have a + for a task that was preempted. */
	if (text.len && text.at[text.len - 1] == '+')
		text.at[--text.len] = '\0';
	if (!text.len)
		plain_state(out->value, &text);
	out->runnable = str_text(&text)[0] == 'R';
	out->dead = is_dead(str_text(&text));
	snprintf(out->text, sizeof(out->text), "%s%s", str_text(&text), out->runnable && out->value ? "+" : "");
	str_fini(&text);
}

static void state_of(struct sched_events *events, const struct record *rec, uint64_t value, struct sched_state *out)
{
	for (unsigned int i = 0; i < events->nstates; i++) {
		if (events->states[i].value == value) {
			*out = events->states[i];
			return;
		}
	}
	*out = (struct sched_state){ .value = value };
	name_state(events, rec, out);
	if (events->nstates < SCHED_STATES)
		events->states[events->nstates++] = *out;
}

bool sched_read(struct sched_events *events, enum sched_kind kind, const struct record *rec, struct sched_fact *out)
{
	const struct field *fields = events->kinds[kind].field;
	uint64_t values[3] = { 0 };

	for (unsigned int i = 0; i < ARRAY_LEN(values); i++)
		if (fields[i].found && !field_get(&fields[i], rec->data, rec->size, events->input->trace->swap, &values[i]))
			return false;
	*out = (struct sched_fact){ .pid = (int)values[0] };
	if (kind == SCHED_SWITCH) {
		out->next = (int)values[2];
		state_of(events, rec, values[1], &out->state);
	} else if (kind == SCHED_MIGRATE) {
		out->to = (unsigned int)values[1];
	} else {
		return !fields[1].found || values[1];
	}
	return true;
}

/* --- off the CPU --------------------------------------------------------------------------------------------------- */

void sched_off_begin(struct sched_off *off, const struct sched_state *state, uint64_t now)
{
	*off = (struct sched_off){ .why = state->runnable ? SCHED_RUNNABLE : SCHED_ASLEEP, .since = now, .early = !off->why && off->early };
}

bool sched_off_wake(struct sched_off *off, enum sched_kind kind, uint64_t now)
{
	if (!off->why)
		off->early = kind == SCHED_WAKING;
	else
		off->told |= (uint8_t)(1u << kind);
	if (!off->why || off->is_woken)
		return false;
	off->is_woken = true;
	off->woken = off->early && kind != SCHED_WAKING ? off->since : now;
	return true;
}

uint64_t sched_off_woken(const struct sched_off *off)
{
	if (off->is_woken)
		return off->woken;
	return off->why == SCHED_ASLEEP && off->early ? off->since : 0;
}

bool sched_off_end(struct sched_off *off, uint64_t now, struct sched_took *out)
{
	const struct sched_off was = *off;
	const uint64_t woken = sched_off_woken(&was);

	*off = (struct sched_off){ 0 };
	*out = (struct sched_took){ 0 };
	if (!was.why || now < was.since)
		return false;
	out->off = now - was.since;
	if (was.why == SCHED_RUNNABLE) {
		out->preempted = out->off;
	} else if ((was.is_woken || was.early) && woken >= was.since && woken <= now) {
		out->woken = true;
		out->blocked = woken - was.since;
		out->queued = now - woken;
	}
	return true;
}
