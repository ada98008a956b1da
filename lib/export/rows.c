/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/export/rows.h"
#include "lib/analysis/streams.h"
#include "lib/analysis/texts.h"
#include "lib/base/digits.h"
#include "lib/base/err.h"
#include "lib/base/map.h"
#include "lib/base/visible.h"

#include <stdio.h>

/* A task's name in the style of the format; empty: not known. */
struct row_name {
	char *text; /* padded */
	size_t n;
};

/* One record, with what depends on the order of records. */
struct row {
	const struct plan *plan; /* NULL: only a loss is told, if there was one */
	const struct row_name *comm;
	uint32_t rec; /* index in the batch */
};

struct rows_slot {
	struct texts_slot slot; /* first */
	const struct rows *rows;
	VEC(struct row) lines;
	struct str scratch;
};

/* What is known of one CPU of one buffer while its records pass by. */
struct rows_stream {
	const struct row_name *comm; /* of @pid; NULL: look it up */
	int pid;
};

/* The plans of the events of a buffer, by id; the last is of an event that the file does not describe. */
struct rows_buffer {
	struct row_source source;
	struct plan **plans;
	struct plan *lost; /* of losses */
};

struct rows_input {
	const struct input *in;
	char *host; /* NULL: not known, or nobody asks */
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
	uint64_t lost; /* places of losses that have no line */
};

/* --- what is made once ------------------------------------------------------------------------------------------ */

/* What an event without a format, or a loss, has instead of fields. */
static int bare_plan(const struct rows *rows, struct plan **out)
{
	*out = calloc(1, sizeof(**out));
	return *out && rows ? 0 : -ENOMEM;
}

static int finish_plan(const struct rows *rows, const struct rows_buffer *buffer, const struct event *event, const char *name, struct plan *plan)
{
	struct event nameless = { .name = (char *)name, .system = (char *)"" };
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
		err = bare_plan(rows, out);
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

static const struct row_name *comm_of(struct rows *rows, const struct trace *trace, struct rows_stream *stream, int pid)
{
	map_entry(&rows->comms) entry;
	const char *comm;

	if (likely(stream->comm && stream->pid == pid))
		return stream->comm;
	comm = comms_known(trace->comms, pid);
	/* An unknown name may become known. */
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
	row->comm = comm_of(rows, trace, stream, record_pid(trace, rec));
	if (!row->plan || !row->comm)
		return -ENOMEM;
	event = row->plan->event;
	/* A stack that goes with the event has other fields. */
	if (rows->opt.columns && (!event || !select_event(rows->reading->selected, event)))
		row->plan = NULL;
	if (event && event->kind >= EVENT_SCHED_SWITCH)
		trace_learn(trace, event, rec);
	return 0;
}

static int rows_records(struct handler *h, const struct batch *batch)
{
	struct rows *rows = (struct rows *)h;
	int err;
	struct rows_slot *slot = texts_next(&rows->texts, &err);

	if (err)
		return err;
	slot->lines.n = 0;
	if (vec_reserve(&slot->lines, batch->n))
		return -ENOMEM;
	for (size_t i = 0; !err && i < batch->n; i++) {
		const struct record *rec = &batch->records[i];
		struct row *row = &slot->lines.at[slot->lines.n++];

		row->rec = (uint32_t)i;
		err = decide(rows, rec, row);
		rows->lost += rows->opt.columns && rec->flags & RECORD_LOST;
	}
	if (!err && slot->lines.n)
		texts_start(&rows->texts, &slot->slot, batch);
	return err;
}

/* --- text, on any thread ---------------------------------------------------------------------------------------- */

static void add_front(const struct rows *rows, const struct row_head *head, const struct plan *plan, struct str *out)
{
	char *at;

	if (!str_room(out, ROW_ROOM + head->comm_len + plan->mid_len))
		return;
	at = rows->format->head(out->at + out->len, head);
	at = rows->format->tail(put_short(at, plan->mid, plan->mid_len), head);
	out->len = (size_t)(at - out->at);
}

/* A loss has a line of its own, in front of the record behind it. */
static void add_lost(const struct rows *rows, const struct record *rec, uint64_t ts, struct str *out)
{
	const struct row_head head = { .ts = ts, .cpu = rec->cpu, .pid = -1, .comm = rows->nobody.text };
	const struct plan *plan = rows->inputs[rec->file].buffers.at[rec->buffer].lost;
	char text[64] = "{\"count\":null}";

	if (rows->opt.columns)
		return;
	if (rec->lost != LOST_UNKNOWN)
		snprintf(text, sizeof(text), "{\"count\":%lld}", (long long)rec->lost);
	add_front(rows, &head, plan, out);
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

static void add_row(const struct rows *rows, const struct row *row, const struct record *rec, struct str *scratch, struct str *out)
{
	const struct input *in = rows->inputs[rec->file].in;
	struct row_head head = { .ts = input_time(in, rec), .cpu = rec->cpu };
	const struct plan *plan = row->plan;
	const size_t begin = out->len;
	struct common common;

	if (unlikely(rec->flags & RECORD_LOST))
		add_lost(rows, rec, head.ts, out);
	if (unlikely(!plan))
		return;
	head.comm = row->comm->text;
	head.comm_len = row->comm->n;
	common = record_common(in->trace, rec);
	head.pid = common.pid;
	head.flags = common.flags;
	head.preempt = common.preempt;
	add_front(rows, &head, plan, out);
	if (unlikely(!plan->event))
		add_unknown(rows, in->trace, rec, out);
	else if (likely(plan->fields.n))
		plan_write(plan, rec, rows->format->style, scratch, out);
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
		add_row(slot->rows, row, &slot->slot.batch->records[row->rec], &slot->scratch, &slot->slot.out);
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
		err = err || !made.plans ? -ENOMEM : bare_plan(rows, &input->buffers.at[input->buffers.n - 1].lost);
		err = err ? err : finish_plan(rows, &made, NULL, "lost_events", input->buffers.at[input->buffers.n - 1].lost);
	}
	return err;
}

static int fill_columns(struct rows *rows)
{
	/* The last two are there where there are several files. */
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
