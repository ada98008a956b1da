/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/export/rows.h"
#include "lib/analysis/streams.h"
#include "lib/analysis/texts.h"
#include "lib/base/digits.h"
#include "lib/base/err.h"
#include "lib/base/map.h"
#include "lib/base/visible.h"

#include <stdio.h>

/* The text between the time and the fields is kept for 1 << FRONT_BITS kinds of rows, if it has at most FRONT_TEXTS bytes. */
enum { FRONT_BITS = 6, FRONT_TEXTS = 192 };

/* A task's name in the style of the format; empty if the name is not known. */
struct row_name {
	char *text; /* padded */
	size_t n;
};

/* One record, with what was found out about it while records passed in order of time. */
struct row {
	const struct plan *plan; /* NULL: the record has no line, except for events that were lost before it */
	const struct row_name *comm;
	uint32_t rec; /* index in the batch */
};

/* The text between the time and the fields, which is the same for all rows that agree in the members before .n. */
struct row_front {
	struct common common;
	const struct plan *plan; /* NULL: nothing is kept here */
	const struct row_name *comm;
	uint16_t cpu;
	uint16_t n;
	char text[FRONT_TEXTS + ROW_ROOM];
};

struct rows_slot {
	struct texts_slot slot; /* first */
	const struct rows *rows;
	VEC(struct row) lines;
	struct str scratch;
	struct row_front fronts[1 << FRONT_BITS];
};

/* What is known of one CPU of one buffer while its records pass in order. */
struct rows_stream {
	const struct row_name *comm; /* the name of @pid; NULL: it has to be looked up */
	int pid;
};

/* The plans of a buffer's events, by event id. The last plan is for events that the file does not describe. */
struct rows_buffer {
	struct row_source source;
	struct plan **plans;
	struct plan *lost; /* for lost events */
};

struct rows_input {
	const struct input *in;
	char *host; /* NULL: not known, or not asked for */
	size_t nids;
	VEC(struct rows_buffer) buffers;
};

struct rows {
	struct handler handler;
	const struct rows_format *format;
	struct reading *reading;
	struct export_options opt;
	struct texts texts;	/* of struct rows_slot */
	struct streams streams; /* of struct rows_stream */
	size_t ninputs;
	struct rows_input *inputs;
	MAP(const char *, struct row_name *) comms;
	struct row_name nobody;
	plan_columns_t columns;
	uint64_t lost; /* gaps with lost events that have no line of their own */
};

/* --- what is made once ------------------------------------------------------------------------------------------ */

/* Makes the plan of an event without a format, or of lost events; it has no fields. */
static int bare_plan(struct plan **out)
{
	*out = calloc(1, sizeof(**out));
	return *out ? 0 : -ENOMEM;
}

static int finish_plan(const struct rows *rows, const struct rows_buffer *buffer, const struct event *event, const char *name, struct plan *plan)
{
	const struct event nameless = { .name = (char *)name, .system = (char *)"" };
	struct str mid = { 0 };

	rows->format->names(event ? event : &nameless, &buffer->source, &mid);
	plan->mid_len = mid.len;
	plan->mid = plan_pad(str_take(&mid));
	return plan->mid ? 0 : -ENOMEM;
}

static int make_plan(struct rows *rows, const struct rows_buffer *buffer, struct event *event, struct plan **out)
{
	int err;

	if (!event)
		err = bare_plan(out);
	else if (rows->opt.columns)
		err = plan_new_columns(out, event, &rows->columns);
	else
		err = plan_new(out, event, rows->format->style);
	return err ? err : finish_plan(rows, buffer, event, "", *out);
}

static struct plan *plan_of(struct rows *rows, const struct record *rec)
{
	struct rows_input *input = &rows->inputs[rec->file];
	struct rows_buffer *buffer = &input->buffers.at[rec->buffer];
	const uint16_t id = record_id(input->in->trace, rec);
	const size_t i = id < input->nids ? id : input->nids;

	if (unlikely(!buffer->plans[i]) && make_plan(rows, buffer, trace_event(input->in->trace, id), &buffer->plans[i]))
		return NULL;
	return buffer->plans[i];
}

static struct row_name *make_name(const struct rows *rows, const char *comm)
{
	struct row_name *name = calloc(1, sizeof(*name));
	struct str text = { 0 };

	plan_text(comm, strlen(comm), rows->format->style == PLAN_JSON ? PLAN_JSON : PLAN_CSV, &text);
	if (name) {
		name->n = text.len;
		name->text = plan_pad(str_take(&text));
	}
	str_fini(&text);
	return name;
}

static const struct row_name *comm_of(struct rows *rows, const struct trace *trace, struct rows_stream *stream, const struct record *rec)
{
	const int pid = record_pid(trace, rec);
	map_entry(&rows->comms) entry;
	const char *comm;

	if (likely(stream->comm && stream->pid == pid))
		return stream->comm;
	learn_until(rows->reading->learn, rec);
	comm = comms_known(trace->comms, pid);
	/* Not kept, because a later event may tell the name. */
	if (!comm)
		return &rows->nobody;
	entry = map_add(&rows->comms, comm);
	if (entry && !entry->value)
		entry->value = make_name(rows, comm);
	if (!entry || !entry->value || !entry->value->text)
		return NULL;
	stream->pid = pid;
	return stream->comm = entry->value;
}

/* --- in order --------------------------------------------------------------------------------------------------- */

static int decide(struct rows *rows, const struct record *rec, struct row *row)
{
	struct rows_input *input = &rows->inputs[rec->file];
	struct trace *trace = input->in->trace;
	struct rows_stream *stream;
	const struct event *event;

	if (unlikely(rec->flags & RECORD_NODATA)) {
		*row = (struct row){ .rec = row->rec };
		return 0;
	}
	stream = stream_of(&rows->streams, rec);
	if (!stream)
		return -ENOMEM;
	row->plan = plan_of(rows, rec);
	row->comm = comm_of(rows, trace, stream, rec);
	if (!row->plan || !row->comm)
		return -ENOMEM;
	event = row->plan->event;
	/* A stack that was recorded with the event has other fields. */
	if (rows->opt.columns && (!event || !select_event(rows->reading->selected, event)))
		row->plan = NULL;
	return 0;
}

static int rows_records(struct handler *h, const struct batch *batch)
{
	struct rows *rows = (struct rows *)h;
	int err;
	struct rows_slot *slot = texts_next(&rows->texts, &err);
	uint64_t lost = 0;

	if (err)
		return err;
	slot->lines.n = 0;
	if (vec_reserve(&slot->lines, batch->n))
		return -ENOMEM;
	for (size_t i = 0; !err && i < batch->n; i++) {
		const struct record *rec = &batch->records[i];

		slot->lines.at[i].rec = (uint32_t)i;
		err = decide(rows, rec, &slot->lines.at[i]);
		lost += rec->flags & RECORD_LOST ? 1 : 0;
	}
	slot->lines.n = batch->n;
	/* Counted once for the batch: other threads read what lies beside it in its cache line. */
	if (lost && rows->opt.columns)
		rows->lost += lost;
	if (!err && slot->lines.n)
		texts_start(&rows->texts, &slot->slot, batch);
	return err;
}

/* --- text, on any thread ---------------------------------------------------------------------------------------- */

/* @at must have room for the time. */
static inline char *put_time(const struct rows_format *format, char *at, uint64_t ts)
{
	memcpy(at, format->begin, sizeof(format->begin));
	return put_loose(at + format->begin_len, ts);
}

/* Puts the text between the time and the fields. @at must have room for it. */
static char *put_front(const struct rows_format *format, char *at, const struct row_head *head, const struct plan *plan)
{
	at = format->head(at, head);
	return format->tail(put_short(at, plan->mid, plan->mid_len), head);
}

static void add_long_front(const struct rows_format *format, const struct row_head *head, uint64_t ts, const struct plan *plan, struct str *out)
{
	char *at;

	if (!str_room(out, ROW_ROOM + head->comm_len + plan->mid_len))
		return;
	at = put_front(format, put_time(format, out->at + out->len, ts), head, plan);
	out->len = (size_t)(at - out->at);
}

static inline struct row_head head_of(const struct row *row, const struct common *common, uint16_t cpu)
{
	return (struct row_head){ cpu, common->pid, common->flags, common->preempt, row->comm->text, row->comm->n };
}

/* Returns the text in front of the fields for this kind of row. The caller has checked that it is short enough to be kept. */
static inline const struct row_front *front_of(struct rows_slot *slot, const struct row *row, const struct common *common, uint16_t cpu)
{
	struct row_front *front;
	uint64_t mixed;

	memcpy(&mixed, common, sizeof(mixed));
	mixed = (mixed ^ (uintptr_t)row->plan ^ ((uint64_t)cpu << 20)) * 0x9e3779b97f4a7c15u;
	front = &slot->fronts[mixed >> (64 - FRONT_BITS)];
	if (unlikely(front->plan != row->plan || front->comm != row->comm || front->cpu != cpu || memcmp(&front->common, common, sizeof(*common)))) {
		const struct row_head head = head_of(row, common, cpu);

		front->common = *common;
		front->plan = row->plan;
		front->comm = row->comm;
		front->cpu = cpu;
		front->n = (uint16_t)(put_front(slot->rows->format, front->text, &head, row->plan) - front->text);
	}
	return front;
}

static inline void add_front(struct rows_slot *slot, const struct row *row, const struct common *common, uint16_t cpu, uint64_t ts)
{
	const struct rows_format *format = slot->rows->format;
	struct str *out = &slot->slot.out;

	if (unlikely(row->comm->n + row->plan->mid_len > FRONT_TEXTS)) {
		const struct row_head head = head_of(row, common, cpu);

		add_long_front(format, &head, ts, row->plan, out);
	} else if (str_room(out, FRONT_TEXTS + 2 * ROW_ROOM)) {
		const struct row_front *front = front_of(slot, row, common, cpu);
		char *at = put_time(format, out->at + out->len, ts);

		/* memcpy() is faster with a fixed size. */
		memcpy(at, front->text, 64);
		if (front->n > 64)
			memcpy(at + 64, front->text + 64, 64);
		if (unlikely(front->n > 128))
			memcpy(at + 128, front->text + 128, sizeof(front->text) - 128);
		out->len = (size_t)(at + front->n - out->at);
	}
}

/* Lost events get a line of their own, before the record that follows them. */
static void add_lost(const struct rows *rows, const struct record *rec, uint64_t ts, struct str *out)
{
	const struct row_head head = { .cpu = rec->cpu, .pid = -1, .comm = rows->nobody.text };
	const struct plan *plan = rows->inputs[rec->file].buffers.at[rec->buffer].lost;
	char text[64] = "{\"count\":null}";

	if (rows->opt.columns)
		return;
	if (rec->lost != LOST_UNKNOWN)
		snprintf(text, sizeof(text), "{\"count\":%lld}", (long long)rec->lost);
	add_long_front(rows->format, &head, ts, plan, out);
	if (rows->format->style == PLAN_JSON)
		str_add(out, text);
	else
		str_addf(out, "{\"\"count\"\"%s", text + strlen("{\"count\""));
	str_add(out, rows->format->end);
}

static void add_unknown(const struct rows *rows, const struct trace *trace, const struct record *rec, struct str *out)
{
	const char *mark = rows->format->style == PLAN_JSON ? "\"" : "\"\"";

	if (!rows->opt.columns)
		str_addf(out, "{%sid%s:%u,%ssize%s:%u}", mark, mark, record_id(trace, rec), mark, mark, rec->size);
}

static void add_row(struct rows_slot *slot, const struct row *row, const struct record *rec)
{
	const struct rows *rows = slot->rows;
	const struct input *in = rows->inputs[rec->file].in;
	const uint64_t ts = input_time(in, rec);
	const struct plan *plan = row->plan;
	struct str *out = &slot->slot.out;
	const size_t begin = out->len;
	struct common common;

	if (unlikely(rec->flags & RECORD_LOST))
		add_lost(rows, rec, ts, out);
	if (unlikely(!plan))
		return;
	common = record_common(in->trace, rec);
	add_front(slot, row, &common, rec->cpu, ts);
	if (unlikely(!plan->event))
		add_unknown(rows, in->trace, rec, out);
	else if (likely(plan->fields.n))
		plan_write(plan, rec, rows->format->style, &slot->scratch, out);
	else
		str_add(out, rows->format->none);
	if (str_room(out, 4))
		out->len = (size_t)(put_bytes(out->at + out->len, rows->format->end, rows->format->end_len) - out->at);
	if (unlikely(in->trace->opt->visible))
		visible_str(out, begin, true);
}

static void run_slot(struct job *job)
{
	struct rows_slot *slot = container_of(job, struct rows_slot, slot.job);

	vec_each (&slot->lines, row)
		add_row(slot, row, &slot->slot.batch->records[row->rec]);
	slot->slot.out.oom |= slot->scratch.oom;
}

/* --- its life --------------------------------------------------------------------------------------------------- */

static int rows_begin(struct handler *h)
{
	struct rows *rows = (struct rows *)h;
	struct str first = { 0 };
	int err = 0;

	if (rows->format->first) {
		rows->format->first(rows->opt.columns ? &rows->columns : NULL, rows->ninputs > 1, &first);
		err = reading_write(rows->reading, &first);
	}
	str_fini(&first);
	return err;
}

static int rows_end(struct handler *h)
{
	struct rows *rows = (struct rows *)h;

	if (rows->lost)
		warn("events were lost in %llu places, which have no line here; without --events each has one", (unsigned long long)rows->lost);
	return texts_flush(&rows->texts);
}

static void fini_slot(void *at)
{
	struct rows_slot *slot = at;

	vec_fini(&slot->lines);
	str_fini(&slot->scratch);
}

static void rows_free(struct handler *h)
{
	struct rows *rows = (struct rows *)h;

	texts_fini(&rows->texts, fini_slot);
	streams_fini(&rows->streams, NULL);
	for (size_t i = 0; rows->inputs && i < rows->ninputs; i++) {
		struct rows_input *input = &rows->inputs[i];

		vec_each (&input->buffers, buffer) {
			for (size_t id = 0; buffer->plans && id <= input->nids; id++)
				plan_free(buffer->plans[id]);
			free(buffer->plans);
			plan_free(buffer->lost);
		}
		vec_fini(&input->buffers);
		free(input->host);
	}
	map_each (&rows->comms, entry) {
		if (entry->value)
			free(entry->value->text);
		free(entry->value);
	}
	map_fini(&rows->comms);
	plan_columns_fini(&rows->columns);
	free(rows->nobody.text);
	free(rows->inputs);
	free(rows);
}

static int fill_input(struct rows *rows, struct rows_input *input, const struct input *in)
{
	const bool files = rows->ninputs > 1;
	int err = 0;

	input->in = in;
	input->host = files ? input_host(in) : NULL;
	input->nids = in->trace->nids;
	vec_each (&in->file->buffers, buffer) {
		struct rows_buffer made = { .source = { buffer->name, files ? in->path : NULL, input->host ? input->host : "" },
					    .plans = calloc(input->nids + 1, sizeof(struct plan *)) };

		if (vec_push(&input->buffers, made)) {
			free(made.plans);
			return -ENOMEM;
		}
		err = err || !made.plans ? -ENOMEM : bare_plan(&input->buffers.at[input->buffers.n - 1].lost);
		err = err ? err : finish_plan(rows, &made, NULL, "lost_events", input->buffers.at[input->buffers.n - 1].lost);
	}
	return err;
}

static int fill_columns(struct rows *rows)
{
	/* The last two columns exist only if there are several files. */
	const char *const taken[] = { "ts",   "cpu", "pid", "comm", "event", "system", "buffer", "flags", "preempt", rows->ninputs > 1 ? "file" : NULL,
				      "host", NULL };
	const struct event *first = NULL;
	int err = 0;

	for (size_t i = 0; i < rows->ninputs; i++) {
		vec_each (&rows->inputs[i].in->trace->events, event) {
			if (err || !select_event(rows->reading->selected, *event))
				continue;
			first = first ? first : *event;
			if (strcmp(first->name, (*event)->name) || strcmp(first->system, (*event)->system))
				return fail(EINVAL, "--events: columns are those of one event, and both %s:%s and %s:%s are chosen; name one of them",
					    first->system, first->name, (*event)->system, (*event)->name);
			err = plan_columns_add(&rows->columns, *event, taken);
		}
	}
	return err;
}

static int fill(struct rows *rows)
{
	int err = 0;

	rows->inputs = calloc(rows->ninputs, sizeof(rows->inputs[0]));
	rows->nobody.text = plan_pad(strdup(""));
	if (!rows->inputs || !rows->nobody.text)
		return -ENOMEM;
	for (size_t i = 0; i < rows->ninputs; i++)
		err = err ? err : fill_input(rows, &rows->inputs[i], &rows->reading->inputs.at[i]);
	for (size_t i = 0; i < rows->texts.n; i++)
		((struct rows_slot *)texts_slot(&rows->texts, i))->rows = rows;
	return err || !rows->opt.columns ? err : fill_columns(rows);
}

int rows_make(struct handler **out, struct reading *reading, const struct rows_format *format, const struct export_options *opt)
{
	struct rows *rows = calloc(1, sizeof(*rows));
	int err;

	if (!rows)
		return -ENOMEM;
	rows->handler = (struct handler){ .begin = rows_begin, .records = rows_records, .end = rows_end, .free = rows_free };
	rows->format = format;
	rows->reading = reading;
	rows->opt = *opt;
	rows->ninputs = reading->inputs.n;
	rows->streams.size = sizeof(struct rows_stream);
	err = texts_init(&rows->texts, reading->pool, reading->out, sizeof(struct rows_slot), 0, run_slot);
	rows->texts.what = reading->out_name ? reading->out_name : rows->texts.what;
	err = err ? err : fill(rows);
	if (err)
		rows_free(&rows->handler);
	else
		*out = &rows->handler;
	return err;
}
