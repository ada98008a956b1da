/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/handlers.h"
#include "lib/base/map.h"

#include <stdio.h>

/* At most this many handlers are open on a CPU: a soft one, a hard one in it, and handlers that must not be interrupted. More are a sign of damage. */
enum { MOST_OPEN = 4, EVENTS = 4 };

static const struct {
	const char *event, *number, *name;
	bool soft, ends;
} kinds[EVENTS] = {
	{ "irq_handler_entry", "irq", "name", false, false },
	{ "irq_handler_exit", "irq", NULL, false, true },
	{ "softirq_entry", "vec", NULL, true, false },
	{ "softirq_exit", "vec", NULL, true, true },
};

/* The names are in the kernel's order (include/linux/interrupt.h). */
static const char *const softirqs[] = { "HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU" };

struct known {
	const struct event *event;
	struct field number, name;
};

struct source {
	const struct input *input;
	struct known events[EVENTS];
	uint32_t buffer; /* the number of the buffer that was the first to have such events, + 1; 0: none yet */
};

struct open {
	uint64_t since, inside; /* .inside is the time of the handlers that interrupted this one. Both are in ns. */
	uint64_t left, away;	/* .left: when .pid left the CPU; 0: it is there. .away: how long it was off the CPU before that. Both are in ns. */
	uint64_t number;
	uint32_t name;
	int pid; /* the task that runs the handler, or is interrupted by it */
	bool soft;
};

struct stream {
	struct open open[MOST_OPEN];
	unsigned int n;
};

struct handlers {
	VEC(struct source) inputs;
	struct streams streams; /* has a struct stream for each CPU of each buffer */
	strv_t names;
	MAP(struct text, uint32_t) ids; /* the index in .names of each name */
};

static bool get(const struct source *in, const struct field *field, const struct record *rec, uint64_t *out)
{
	return field_get(field, rec->data, rec->size, in->input->trace->swap, out);
}

static int64_t name_id(struct handlers *h, const char *name, size_t len)
{
	struct text key = { .size = len };
	uint32_t id;

	if (map_find_text(&h->ids, name, len))
		return map_find_text(&h->ids, name, len)->value;
	id = (uint32_t)h->names.n;
	key.at = strndup(name, len);
	if (strv_own(&h->names, key.at))
		return -ENOMEM;
	if (!map_add_text(&h->ids, h->names.at[id], len))
		return -ENOMEM;
	map_find_text(&h->ids, name, len)->value = id;
	return id;
}

/* Returns the index of the name that the entry of a hard interrupt handler has, or -ENOMEM. A handler without a name is called "irq 24". */
static int64_t hard_name(struct handlers *h, const struct source *in, const struct known *known, const struct record *rec, uint64_t number)
{
	char text[64];
	uint64_t where;

	if (known->name.found && get(in, &(struct field){ .offset = known->name.offset, .size = 4 }, rec, &where)) {
		size_t offset = where & 0xffff, size = where >> 16 & 0xffff;

		if (offset < rec->size && size) {
			const char *at = (const char *)rec->data + offset;

			return name_id(h, at, strnlen(at, MIN(size, rec->size - offset)));
		}
	}
	snprintf(text, sizeof(text), "irq %llu", (unsigned long long)number);
	return name_id(h, text, strlen(text));
}

static int64_t soft_name(struct handlers *h, uint64_t number)
{
	char text[64];

	if (number < ARRAY_LEN(softirqs))
		snprintf(text, sizeof(text), "softirq %s", softirqs[number]);
	else
		snprintf(text, sizeof(text), "softirq %llu", (unsigned long long)number);
	return name_id(h, text, strlen(text));
}

static int begins(struct handlers *h, struct stream *stream, const struct source *in, unsigned int kind, const struct record *rec, struct handler_run *run)
{
	struct open open = { .since = run->ns, .soft = run->soft, .pid = record_pid(in->input->trace, rec) };
	int64_t name;

	if (stream->n == MOST_OPEN || !get(in, &in->events[kind].number, rec, &open.number))
		return 0;
	name = run->soft ? soft_name(h, open.number) : hard_name(h, in, &in->events[kind], rec, open.number);
	if (name < 0)
		return (int)name;
	open.name = run->id = (uint32_t)name;
	run->name = h->names.at[name];
	run->depth = (uint8_t)stream->n;
	stream->open[stream->n++] = open;
	return 1;
}

static int ends(struct handlers *h, struct stream *stream, const struct source *in, unsigned int kind, const struct record *rec, struct handler_run *run)
{
	const struct open *open = stream->n ? &stream->open[stream->n - 1] : NULL;
	uint64_t number;

	if (!open || !get(in, &in->events[kind].number, rec, &number))
		return 0;
	if (open->soft != run->soft || open->number != number || open->left || run->ns < open->since) {
		stream->n = 0;
		return 0;
	}
	run->id = open->name;
	run->name = h->names.at[open->name];
	run->took = run->ns - open->since;
	run->took -= MIN(run->took, open->away);
	run->own = run->took - MIN(run->took, open->inside);
	run->depth = (uint8_t)--stream->n;
	if (stream->n && !stream->open[stream->n - 1].left)
		stream->open[stream->n - 1].inside += run->took;
	return 1;
}

int handlers_record(struct handlers *h, const struct event *event, const struct record *rec, struct handler_run *run)
{
	struct source *in = &h->inputs.at[rec->file];
	struct stream *stream;
	unsigned int kind = 0;

	while (kind < EVENTS && in->events[kind].event != event)
		kind++;
	if (kind == EVENTS)
		return 0;
	/* Two buffers may have the events of the same handlers, so only the first buffer counts. */
	if (!in->buffer)
		in->buffer = rec->buffer + 1u;
	if (in->buffer != rec->buffer + 1u)
		return 0;
	stream = stream_of(&h->streams, rec);
	if (!stream)
		return -ENOMEM;
	*run = (struct handler_run){ .ns = input_time(in->input, rec), .soft = kinds[kind].soft, .ends = kinds[kind].ends };
	return run->ends ? ends(h, stream, in, kind, rec, run) : begins(h, stream, in, kind, rec, run);
}

/* Returns the handlers on the CPU of @rec, or NULL if the file has shown none yet, or when memory runs out. */
static struct stream *stream_at(struct handlers *h, const struct record *rec)
{
	const struct source *in = &h->inputs.at[rec->file];
	const struct record there = { .file = rec->file, .buffer = (uint16_t)(in->buffer ? in->buffer - 1 : 0), .cpu = rec->cpu };

	return in->buffer ? stream_of(&h->streams, &there) : NULL;
}

int handlers_switched(struct handlers *h, const struct record *rec, uint64_t ns, int prev, int next)
{
	struct stream *stream = stream_at(h, rec);

	for (unsigned int i = 0; stream && i < stream->n; i++) {
		struct open *open = &stream->open[i];

		if (open->pid == prev && !open->left) {
			open->left = ns;
		} else if (open->pid == next && open->left) {
			open->away += ns - MIN(ns, open->left);
			open->left = 0;
		}
	}
	return stream || !h->inputs.at[rec->file].buffer ? 0 : -ENOMEM;
}

const char *handlers_open(struct handlers *h, const struct record *rec)
{
	const struct stream *stream = stream_at(h, rec);

	return stream && stream->n ? h->names.at[stream->open[stream->n - 1].name] : NULL;
}

int handlers_lost(struct handlers *h, const struct record *rec)
{
	struct stream *stream = stream_of(&h->streams, rec);

	if (!stream)
		return -ENOMEM;
	stream->n = 0;
	return 0;
}

const char *handlers_name(const struct handlers *h, uint32_t id)
{
	return h->names.at[id];
}

static void find_events(struct source *in)
{
	for (unsigned int i = 0; i < EVENTS; i++) {
		const struct event *event = trace_find(in->input->trace, "irq", kinds[i].event);
		struct known *known = &in->events[i];

		if (!event || !format_field(event->format, kinds[i].number, &known->number))
			continue;
		known->event = event;
		if (!kinds[i].name || !format_field(event->format, kinds[i].name, &known->name))
			known->name = (struct field){ 0 };
	}
}

int handlers_new(struct handlers **out, const inputs_t *inputs)
{
	struct handlers *h = calloc(1, sizeof(*h));
	int err = h ? 0 : -ENOMEM;

	if (err)
		return err;
	h->streams.size = sizeof(struct stream);
	vec_each (inputs, input) {
		struct source in = { .input = input };

		find_events(&in);
		err = err ? err : vec_push(&h->inputs, in);
	}
	if (err)
		handlers_free(h);
	else
		*out = h;
	return err;
}

void handlers_free(struct handlers *h)
{
	if (!h)
		return;
	vec_fini(&h->inputs);
	streams_fini(&h->streams, NULL);
	map_fini(&h->ids);
	strv_fini(&h->names);
	free(h);
}
