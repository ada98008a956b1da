/* SPDX-License-Identifier: GPL-2.0 */
/* Makes the rows of top from records and calls. */
#include "lib/analysis/pair-match.h"
#include "lib/analysis/scheduling.h"
#include "lib/analysis/top.h"
#include "lib/base/err.h"

#include <stdio.h>

/* This tells which task runs on a CPU, and since when. */
struct running {
	uint64_t since;
	int pid;
	bool known;
};

struct taker {
	struct handler handler;
	struct top *top;
	struct reading *reading;
	struct calls_user user;
	struct sched_events sched;
	VEC(struct running) cpus;
	struct matcher *matcher; /* for TOP_LATENCY */
};

/* --- functions and system calls --------------------------------------------------------------------------- */

static int on_leave(void *ctx, struct call_task *task, struct call_frame *frame, const struct call_end *end)
{
	struct taker *t = ctx;
	const struct key key = { frame->func, frame->source, task->file };
	const char *module, *name = NULL;
	char buf[CALL_NAME];

	if (!frame->func || frame->cut || end->cut || end->duration == CALL_UNKNOWN ||
	    !select_task(&t->reading->select, comms_find(task->trace->comms, task->pid), task->pid))
		return 0;
	if (!top_find(t->top, key))
		name = call_name(task->trace, frame->source, frame->func, buf, &module);
	return top_add(t->top, key, name, (int64_t)frame->func, end->duration, comms_find(task->trace->comms, task->pid), task->pid);
}

static const struct calls_ops ops = { .leave = on_leave };

/* --- events and tasks ------------------------------------------------------------------------------------- */

static int take_event(struct taker *t, const struct input *input, const struct record *rec, const struct event *event)
{
	const int pid = record_pid(input->trace, rec);
	const struct key key = { event->id, rec->file, 0 };
	char name[256] = "";

	if (!top_find(t->top, key))
		snprintf(name, sizeof(name), "%s:%s", event->system, event->name);
	return top_add(t->top, key, name, event->id, TOP_NO_TIME, comms_find(input->trace->comms, pid), pid);
}

/* Adds a time to the row of a task. @by is the pid of the task that caused it. Returns 0 or -ENOMEM. */
static int add_task(struct taker *t, const struct input *input, int pid, uint64_t ns, int by)
{
	const struct key key = { (uint64_t)pid, 0, 0 };
	const char *comm = comms_find(input->trace->comms, pid);
	struct top_row *row = top_find(t->top, key);
	char name[64] = "";

	/* The time of the idle tasks is left out, because it is only the time that no task needed. */
	if (!pid)
		return 0;
	snprintf(name, sizeof(name), "%s-%d", comm, pid);
	/* A task can take another name, and another task can get the same pid. */
	if (row && strcmp(row->name, name)) {
		char *copy = strdup(name);

		if (!copy)
			return -ENOMEM;
		free(row->name);
		row->name = copy;
	}
	return top_add(t->top, key, name, pid, ns, comms_find(input->trace->comms, by), by);
}

static int take_switch(struct taker *t, const struct input *input, const struct record *rec, const struct event *event)
{
	const uint64_t now = input_time(input, rec);
	struct sched_fact fact;
	struct running *cpu;
	int err = 0;

	if (sched_kind(&t->sched, event) != SCHED_SWITCH || !sched_read(&t->sched, SCHED_SWITCH, rec, &fact))
		return 0;
	while (!err && t->cpus.n <= rec->cpu)
		err = vec_push(&t->cpus, (struct running){ 0 });
	if (err)
		return err;
	cpu = &t->cpus.at[rec->cpu];
	if (rec->flags & RECORD_LOST)
		cpu->known = false;
	if (cpu->known && cpu->pid == fact.pid && now >= cpu->since)
		err = add_task(t, input, fact.pid, now - cpu->since, fact.pid);
	*cpu = (struct running){ now, fact.next, true };
	return err;
}

/* --- latencies -------------------------------------------------------------------------------------------- */

/*
 * Reads a field of the event that ends a pair: *@number becomes its number, and @text gets its name and its text, as in "irq 24". Returns false if there is
 * no such field.
 */
static bool end_field(const struct record *rec, struct event *event, const char *name, int64_t *number, struct str *text)
{
	const struct values *values;
	const struct value_field *field = name && !values_of(&values, event) ? values_field(values, name) : NULL;
	struct value value;

	if (!field || !value_get(field, rec->data, rec->size, &value))
		return false;
	*number = value_is_number(field) ? (int64_t)value.number : 0;
	if (text) {
		str_addf(text, "%s ", name);
		value_text(field, rec->data, rec->size, text);
	}
	return true;
}

/*
 * Adds the time of a pair that ends to a row. The preset names the row's owner. Otherwise it is the task in which the pair began. The task that caused the
 * time is always the one in which the pair began. Returns 0 or -errno.
 */
static int take_latency(struct taker *t, const struct input *input, const struct record *rec, struct event *event)
{
	const struct pair_preset *preset = t->top->pair->preset;
	struct str text = { 0 };
	struct match match;
	int64_t number;
	int err = matcher_record(t->matcher, rec, &match);

	if (err || !match.pair)
		return err;
	if (preset && end_field(rec, event, preset->pid, &number, NULL))
		return add_task(t, input, (int)number, match.took, match.pid);
	if (!preset || !end_field(rec, event, preset->thing, &number, &text)) {
		str_fini(&text);
		return add_task(t, input, match.pid, match.took, match.pid);
	}
	err = str_ok(&text);
	if (!err)
		err = top_add(t->top, (struct key){ (uint64_t)number, 0, 0 }, str_text(&text), number, match.took, comms_find(input->trace->comms, match.pid),
			      match.pid);
	str_fini(&text);
	return err;
}

static int take_records(struct handler *h, const struct batch *batch)
{
	struct taker *t = container_of(h, struct taker, handler);
	int err = 0;

	for (size_t i = 0; !err && i < batch->n; i++) {
		const struct record *rec = &batch->records[i];
		const struct input *input = &t->reading->inputs.at[rec->file];
		struct event *event;

		if (rec->flags & RECORD_LOST) {
			t->top->lost += rec->lost > 0 ? (uint64_t)rec->lost : 0;
			t->top->lost_more |= rec->lost <= 0;
			if (rec->cpu < t->cpus.n)
				t->cpus.at[rec->cpu].known = false;
		}
		/* A record without data may tell the matcher of a loss. */
		if (t->matcher && rec->flags & RECORD_NODATA)
			err = matcher_record(t->matcher, rec, &(struct match){ 0 });
		event = rec->flags & RECORD_NODATA ? NULL : trace_event(input->trace, record_id(input->trace, rec));
		if (!event)
			continue;
		if (t->top->kind == TOP_EVENTS)
			err = take_event(t, input, rec, event);
		else if (t->top->kind == TOP_TASKS)
			err = take_switch(t, input, rec, event);
		else if (t->top->kind == TOP_LATENCY)
			err = take_latency(t, input, rec, event);
	}
	return err;
}

static void taker_free(struct handler *h)
{
	struct taker *t = container_of(h, struct taker, handler);

	vec_fini(&t->cpus);
	matcher_free(t->matcher);
	free(t);
}

static int make(struct handler **out, struct reading *reading, void *options)
{
	struct top *top = options;
	struct taker *t = calloc(1, sizeof(*t));
	struct calls *calls;
	int err = 0;

	if (!t)
		return -ENOMEM;
	*t = (struct taker){ .handler = { .records = take_records, .free = taker_free }, .top = top, .reading = reading };
	if (top->kind == TOP_TASKS) {
		sched_events_find(&t->sched, &reading->inputs.at[0]);
	} else if (top->kind == TOP_LATENCY) {
		err = matcher_new(&t->matcher, &reading->inputs, top->pair, 1, false);
	} else if (top->kind != TOP_EVENTS) {
		calls = reading_calls(reading);
		t->user = (struct calls_user){ .ops = &ops, .ctx = t };
		err = calls ? calls_add(calls, &t->user) : -ENOMEM;
	}
	if (err)
		taker_free(&t->handler);
	else
		*out = &t->handler;
	return err;
}

const struct analysis top_analysis = {
	.name = "top",
	.make = make,
};
