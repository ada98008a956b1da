/* SPDX-License-Identifier: GPL-2.0 */
#ifdef RINGSIDE_SQLITE
#include "lib/query/scan.h"
#include "lib/base/err.h"
#include "lib/event/text.h"

#include <stdio.h>

/* Makes no handler. A pass without any analysis would leave out the exits of leaves, so there is this one. */
static int make_nothing(__unused struct handler **out, __unused struct reading *reading, __unused void *options)
{
	return 0;
}

static const struct analysis scan_analysis = { .name = "sql", .needs = ANALYSIS_LEARN, .make = make_nothing };

static int choose_events(struct scan *scan, const struct scan_want *want)
{
	const bool all = scan->table->kind != &kind_event;

	vec_each (&scan->reading.inputs, input) {
		const size_t file = (size_t)(input - scan->reading.inputs.at);
		struct plan **plans = calloc(input->trace->nids + 1, sizeof(struct plan *));
		uint8_t *wanted = calloc(input->trace->nids + 1, 1);

		if (vec_push(&scan->plans, plans) || vec_push(&scan->wanted, wanted) || !plans || !wanted)
			return fail(ENOMEM, "out of memory");
		vec_each (&input->trace->events, event)
			if ((*event)->id < input->trace->nids && trace_event(input->trace, (*event)->id) == *event)
				wanted[(*event)->id] = (all ||
							(scan->table->events.at[file].event && scan->table->events.at[file].event->id == (*event)->id)) &&
						       (!want->event || want->event(want->ctx, *event));
	}
	return 0;
}

int scan_open(struct scan *scan, struct relation *table, const struct scan_want *want)
{
	struct reading *reading = &scan->reading;
	char cpu[24];
	int err;

	*scan = (struct scan){ .table = table };
	err = reading_share(reading, table->query->reading);
	reading->from = want->from;
	reading->to = want->to;
	scan->done = want->from > want->to;
	if (!err && want->cpu >= 0 && cpuset_wants(reading_cpus(reading), (unsigned int)want->cpu)) {
		snprintf(cpu, sizeof(cpu), "%lld", (long long)want->cpu);
		reading->cpus = (struct cpuset){ 0 };
		reading->has_cpus = true;
		err = parse_cpus(cpu, &reading->cpus) ? fail(ENOMEM, "out of memory") : 0;
	}
	err = err ? err : reading_add(reading, &scan_analysis, NULL);
	err = err ? err : reading_select(reading);
	return err ? err : choose_events(scan, want);
}

void scan_close(struct scan *scan)
{
	struct query *query = scan->table ? scan->table->query : NULL;

	if (!query)
		return;
	query->lost = MAX(query->lost, scan->lost);
	query->lost_more |= scan->lost_more;
	batch_put(scan->batch);
	for (size_t i = 0; i < scan->plans.n; i++) {
		for (size_t id = 0; scan->plans.at[i] && id < scan->reading.inputs.at[i].trace->nids; id++)
			plan_free(scan->plans.at[i][id]);
		free(scan->plans.at[i]);
	}
	vec_fini(&scan->plans);
	vec_each (&scan->wanted, wanted)
		free(*wanted);
	vec_fini(&scan->wanted);
	str_fini(&scan->room);
	str_fini(&scan->scratch);
	query->damaged |= reading_damaged(&scan->reading);
	if (scan->reading.cpus.words.at != query->reading->cpus.words.at)
		cpuset_fini(&scan->reading.cpus);
	reading_again(&scan->reading);
	scan->table = NULL;
}

static int next_batch(struct scan *scan)
{
	int err;

	batch_put(take(scan->batch));
	scan->at = 0;
	if (scan->done)
		return 0;
	err = pass_next(&scan->reading.pass, &scan->batch);
	scan->done = err <= 0;
	if (err <= 0)
		scan->batch = NULL;
	else if (scan->batch->n && query_tick(scan->table->query, &scan->batch->records[scan->batch->n - 1]))
		return -EINTR;
	return err;
}

static void count_lost(struct scan *scan, const struct record *rec)
{
	if (rec->lost == LOST_UNKNOWN)
		scan->lost_more = true;
	else
		scan->lost += (uint64_t)rec->lost;
}

int scan_next(struct scan *scan)
{
	for (;;) {
		const struct record *rec;
		struct trace *trace;
		uint16_t id;

		if (!scan->batch || scan->at == scan->batch->n) {
			int err = next_batch(scan);

			if (err <= 0)
				return err;
			continue;
		}
		rec = &scan->batch->records[scan->at++];
		if (unlikely(rec->flags & RECORD_LOST))
			count_lost(scan, rec);
		if (unlikely(rec->flags & RECORD_NODATA))
			continue;
		trace = scan->reading.inputs.at[rec->file].trace;
		scan->common = record_common(trace, rec);
		id = scan->common.id;
		scan->event = trace_event(trace, id);
		if (unlikely(!scan->event))
			continue;
		learn_until(scan->reading.learn, rec);
		if (!scan->wanted.at[rec->file][id])
			continue;
		scan->rec = rec;
		return 1;
	}
}

/* --- what a record has ------------------------------------------------------------------------------------------ */

static const char *buffer_of(const struct scan *scan)
{
	const struct input *in = &scan->reading.inputs.at[scan->rec->file];
	const char *name = scan->rec->buffer < in->file->buffers.n ? in->file->buffers.at[scan->rec->buffer].name : "";

	return name[0] ? name : NULL;
}

static void put_name(struct scan *scan, const char *name, struct cell *out)
{
	if (name)
		cell_text(out, name, strlen(name), &scan->room);
}

static void put_comm(struct scan *scan, struct cell *out)
{
	const struct trace *trace = scan->reading.inputs.at[scan->rec->file].trace;

	put_name(scan, comms_known(trace->comms, scan->common.pid), out);
}

static void put_text(struct scan *scan, struct cell *out)
{
	const struct input *in = &scan->reading.inputs.at[scan->rec->file];
	const struct text_call call = {
		.event = scan->event,
		.rec = scan->rec,
		.ts = input_time(in, scan->rec),
		.ns = input_in_seconds(in, scan->rec->buffer),
	};

	event_prepare((struct event *)scan->event);
	str_clear(&scan->scratch);
	event_text(&call, &scan->scratch);
	cell_text(out, str_text(&scan->scratch), scan->scratch.len, &scan->room);
}

static void put_field(struct scan *scan, unsigned int column, struct cell *out)
{
	const struct relation_event *mine = &scan->table->events.at[scan->rec->file];
	struct plan **plan = &scan->plans.at[scan->rec->file][scan->event->id];
	const int field = column - EVENT_MORE < mine->fields.n ? mine->fields.at[column - EVENT_MORE] : -1;

	if (field < 0 || (unlikely(!*plan) && plan_new(plan, (struct event *)scan->event, PLAN_JSON)))
		return;
	if ((size_t)field < (*plan)->fields.n)
		cell_field(out, *plan, &(*plan)->fields.at[field], scan->rec, &scan->room, &scan->scratch);
}

static void put_more(struct scan *scan, unsigned int column, struct cell *out)
{
	const struct relation *table = scan->table;

	if (column == table->file)
		put_name(scan, scan->reading.inputs.at[scan->rec->file].path, out);
	else if (column == table->file + 1)
		put_name(scan, table->query->hosts.at[scan->rec->file], out);
	else if (table->kind == &kind_event)
		put_field(scan, column, out);
	else if (column == EVENTS_NAME)
		put_name(scan, scan->event->name, out);
	else if (column == EVENTS_SYSTEM)
		put_name(scan, scan->event->system, out);
	else if (column == EVENTS_TEXT)
		put_text(scan, out);
}

void scan_cell(struct scan *scan, unsigned int column, struct cell *out)
{
	*out = (struct cell){ 0 };
	switch (column) {
	case EVENT_TS:
		cell_unsigned(out, input_time(&scan->reading.inputs.at[scan->rec->file], scan->rec), &scan->room);
		break;
	case EVENT_CPU:
		*out = (struct cell){ .kind = CELL_INTEGER, .number = scan->rec->cpu };
		break;
	case EVENT_PID:
		*out = (struct cell){ .kind = CELL_INTEGER, .number = scan->common.pid };
		break;
	case EVENT_COMM:
		put_comm(scan, out);
		break;
	case EVENT_BUFFER:
		put_name(scan, buffer_of(scan), out);
		break;
	case EVENT_FLAGS:
		*out = (struct cell){ .kind = CELL_INTEGER, .number = scan->common.flags };
		break;
	case EVENT_PREEMPT:
		*out = (struct cell){ .kind = CELL_INTEGER, .number = scan->common.preempt };
		break;
	default:
		put_more(scan, column, out);
	}
}
#endif
