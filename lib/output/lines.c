/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/lines.h"
#include "lib/analysis/parents.h"
#include "lib/analysis/reading.h"
#include "lib/analysis/streams.h"
#include "lib/analysis/texts.h"
#include "lib/base/visible.h"
#include "lib/event/text.h"
#include "lib/output/lines-text.h"

/* What is known of one CPU of one buffer while its records pass in order. */
struct stream_state {
	struct parents parents;
	const char *comm; /* the name of @pid as of @flushes; NULL: it has to be looked up */
	int pid;
	uint32_t flushes;
	const void *told; /* the exit that was printed with its entry, if the last record was a leaf; otherwise NULL */
};

/* A batch that is being turned into text. */
struct slot {
	struct texts_slot slot; /* first */
	struct text_job text;
	VEC(struct line) lines;
};

struct lines {
	struct handler handler;
	struct lines_options opt;
	size_t ninputs;
	struct line_input *inputs;
	struct streams streams; /* of struct stream_state */
	uint32_t flushes;	/* how often everything was flushed; live, names of tasks change in between */
	uint64_t last_ts;	/* the time of the previous line, for ts-diff */
	struct texts texts;	/* of struct slot */
};

static const char *comm_of(const struct lines *lines, struct trace *trace, struct stream_state *stream, int pid)
{
	if (unlikely(!stream->comm || stream->pid != pid || stream->flushes != lines->flushes)) {
		stream->pid = pid;
		stream->flushes = lines->flushes;
		/* Not kept, because a later event may tell the name. */
		stream->comm = comms_known(trace->comms, pid);
		return comms_find(trace->comms, pid);
	}
	return stream->comm;
}

/* Sets how deep a function is shown, and its symbol, which is found on the way. */
static void set_depth(struct trace *trace, struct stream_state *stream, const struct event *event, const struct record *rec, struct line *line)
{
	const struct symbol *parent;
	uint64_t ip, parent_ip;

	if (trace->opt->func_no_indent || !function_get(event, rec, &ip, &parent_ip))
		return;
	parent = symbols_find(trace->symbols, parent_ip);
	line->function = symbols_find(trace->symbols, ip);
	line->depth = (uint16_t)parents_depth(&stream->parents, symbols_name_id(trace->symbols, parent), symbols_name_id(trace->symbols, line->function));
}

/* Decides what depends on the order of records. Returns 1 if the record is shown, 0 if not, or -ENOMEM. */
static inline int decide(struct lines *lines, const struct record *rec, struct line *line)
{
	struct trace *trace = lines->inputs[rec->file].in->trace;
	struct stream_state *stream;
	struct common common;
	struct event *event;
	uintptr_t leaf;

	if (unlikely(rec->flags & RECORD_NODATA))
		return !!(rec->flags & RECORD_LOST);
	stream = stream_of(&lines->streams, rec);
	if (!stream)
		return -ENOMEM;
	if (unlikely(rec->flags & RECORD_FOLDED) && stream->told == rec->data) {
		stream->told = NULL;
		return 0;
	}
	common = record_common(trace, rec);
	event = trace_event(trace, common.id);
	/* The exit of a leaf is shown by the line of its entry. */
	if (unlikely(rec->flags & RECORD_TAIL) && event && event->printer)
		return 0;
	/* Whether a call is a leaf is predicted badly, so there is no branch here. */
	leaf = !!(rec->flags & RECORD_LEAF) & (event && event->printer);
	stream->told = (const void *)((uintptr_t)rec->exit & -leaf);
	line->event = event;
	line->comm = comm_of(lines, trace, stream, common.pid);
	line->function = NULL;
	line->depth = 0;
	if (likely(event)) {
		if (unlikely(!event->prepared))
			event_prepare(event);
		if (event->kind == EVENT_FUNCTION)
			set_depth(trace, stream, event, rec, line);
		else if (event->kind == EVENT_SCHED_SWITCH || event->kind == EVENT_SCHED_WAKEUP)
			trace_learn(trace, event, rec);
	}
	return 1;
}

static int decide_all(struct lines *lines, struct slot *slot, const struct batch *batch)
{
	const struct record *last = NULL;

	slot->lines.n = 0;
	if (vec_reserve(&slot->lines, batch->n))
		return -ENOMEM;
	for (size_t i = 0; i < batch->n; i++) {
		const struct record *rec = &batch->records[i];
		struct line *line = &slot->lines.at[slot->lines.n];
		int shown;

		shown = decide(lines, rec, line);
		if (shown < 0)
			return shown;
		if (!shown)
			continue;
		line->rec = (uint32_t)i;
		slot->lines.n++;
		if (!(rec->flags & RECORD_NODATA))
			last = rec;
	}
	slot->text.last_ts = lines->last_ts;
	if (last) {
		const struct line_input *input = &lines->inputs[last->file];

		lines->last_ts = lines_diff_time(&lines->opt, input->buffers.at[last->buffer].ns, input_time(input->in, last));
	}
	return 0;
}

static void run_slot(struct job *job)
{
	struct slot *slot = container_of(job, struct slot, slot.job);

	lines_text(&slot->text, &slot->slot.out);
}

static int lines_records(struct handler *h, const struct batch *batch)
{
	struct lines *lines = (struct lines *)h;
	int err;
	struct slot *slot = texts_next(&lines->texts, &err);

	if (!err)
		err = decide_all(lines, slot, batch);
	if (err || !slot->lines.n)
		return err;
	slot->text.batch = batch;
	slot->text.lines = slot->lines.at;
	slot->text.n = slot->lines.n;
	texts_start(&lines->texts, &slot->slot, batch);
	return 0;
}

static int lines_flush(struct handler *h)
{
	struct lines *lines = (struct lines *)h;

	lines->flushes++;
	return texts_flush(&lines->texts);
}

static void fini_stream(void *state)
{
	parents_fini(&((struct stream_state *)state)->parents);
}

static void fini_slot(void *slot)
{
	vec_fini(&((struct slot *)slot)->lines);
}

static void lines_free(struct handler *h)
{
	struct lines *lines = (struct lines *)h;

	texts_fini(&lines->texts, fini_slot);
	streams_fini(&lines->streams, fini_stream);
	for (size_t i = 0; lines->inputs && i < lines->ninputs; i++) {
		vec_each (&lines->inputs[i].buffers, buffer)
			free(buffer->prefix);
		vec_fini(&lines->inputs[i].buffers);
	}
	free(lines->inputs);
	free(lines);
}

/* Returns the name in front of a buffer's lines. NULL means that blanks stand in its place. */
static const char *name_of(const struct input *in, const struct datbuf *buffer)
{
	return buffer->name[0] ? buffer->name : in->name;
}

/* Makes the text fit for a terminal. Takes over @text. Returns NULL for lack of memory. */
static char *shown(char *text)
{
	struct str s = { 0 };

	str_add(&s, text);
	visible_str(&s, 0, false);
	free(text);
	return str_take(&s);
}

static int fill_input(struct line_input *input, const struct input *in, size_t width)
{
	input->in = in;
	vec_each (&in->file->buffers, buffer) {
		const char *name = name_of(in, buffer);
		struct line_buffer made = {
			.prefix = !width ? strdup("")
				  : name ? str_printf("%*s: ", (int)width, name)
					 : str_printf("%*s  ", (int)width, ""),
			.ns = input_in_seconds(in, (unsigned int)(buffer - in->file->buffers.at)),
		};

		if (made.prefix && in->trace->opt->visible)
			made.prefix = shown(made.prefix);
		if (!made.prefix || vec_push(&input->buffers, made)) {
			free(made.prefix);
			return -ENOMEM;
		}
	}
	return 0;
}

static int fill(struct lines *lines, const inputs_t *inputs)
{
	size_t width = 0;

	lines->inputs = calloc(lines->ninputs, sizeof(lines->inputs[0]));
	if (!lines->inputs)
		return -ENOMEM;
	for (size_t i = 0; i < lines->ninputs; i++)
		vec_each (&inputs->at[i].file->buffers, buffer)
			if (name_of(&inputs->at[i], buffer))
				width = MAX(width, strlen(name_of(&inputs->at[i], buffer)));
	/*
	 * In libtraceevent's lists of fields, a string that once had other bytes is shown as bytes from then on. So such output depends on the order of
	 * records.
	 */
	for (size_t i = 0; i < lines->ninputs; i++)
		lines->texts.in_order |= inputs->at[i].trace->opt->raw || inputs->at[i].trace->opt->raw_events.n;
	for (size_t i = 0; i < lines->ninputs; i++)
		if (fill_input(&lines->inputs[i], &inputs->at[i], MIN(width, (size_t)1000)))
			return -ENOMEM;
	for (size_t i = 0; i < lines->texts.n; i++) {
		struct slot *slot = texts_slot(&lines->texts, i);

		slot->text.opt = &lines->opt;
		slot->text.inputs = lines->inputs;
	}
	return 0;
}

int lines_new(struct handler **out, const inputs_t *inputs, const struct lines_options *opt, struct pool *pool, int fd)
{
	struct lines *lines = calloc(1, sizeof(*lines));

	if (!lines)
		return -ENOMEM;
	lines->handler = (struct handler){ .records = lines_records, .flush = lines_flush, .end = lines_flush, .free = lines_free };
	lines->opt = *opt;
	lines->ninputs = inputs->n;
	lines->streams.size = sizeof(struct stream_state);
	if (texts_init(&lines->texts, pool, fd, sizeof(struct slot), 0, run_slot) || fill(lines, inputs)) {
		lines_free(&lines->handler);
		return -ENOMEM;
	}
	*out = &lines->handler;
	return 0;
}

/* Does the line of a leaf's entry also tell its exit? */
static bool folds(const struct trace *trace)
{
	const struct event *entry = trace_event(trace, trace->graph.entry.id);

	return entry && entry->printer;
}

static int make(struct handler **out, struct reading *reading, void *options)
{
	struct lines_options opt = *(const struct lines_options *)options;

	opt.exact = reading->exact;
	return lines_new(out, &reading->inputs, &opt, reading->pool, reading->out);
}

const struct analysis lines_analysis = {
	.name = "lines",
	.needs = ANALYSIS_TEXTS,
	.folds = folds,
	.make = make,
};
