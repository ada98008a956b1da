/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes the Common Trace Format: every event with its fields, with a stream for each CPU. Packets are put together in memory, and a packet ends where events
 * were lost. The gap becomes a packet without events, which says how many were lost.
 */
#include "lib/export/ctf.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/export/exporter.h"

#include <fcntl.h>
#include <stdio.h>

/* A packet is written when it has this many bytes. */
enum { PACKET = 1 << 16 };
#define MAGIC 0xc1fc1fc1u

struct ctf_stream {
	struct ctf_packets *packets; /* NULL: nothing has been written to it yet */
};

/* A file of packets, which has one stream. */
struct ctf_packets {
	char *name;
	const char *buffer;   /* name of the buffer; NULL: the trace has only one */
	struct str events;    /* of the packet that is being put together */
	uint64_t begin, last; /* the time of the packet's first event, and of the file's last event so far */
	uint64_t lost;	      /* how many events were lost so far */
	uint16_t cpu;
	uint32_t number;
	bool any; /* an event or a gap has been written */
};

struct ctf {
	struct handler handler;
	struct reading *reading;
	struct streams streams;
	VEC(struct ctf_packets *) packets;
	VEC(struct plan **) plans; /* by file and id */
	strv_t names;		   /* of the events that have a class, each after its file's number */
	struct str classes, scratch, head;
	uint32_t unknown; /* class of the events that have no format; 0: not needed yet */
	uint32_t nclasses;
	uint64_t back; /* events that are older than the event before them */
	uint64_t late; /* events with times that readers may refuse */
	bool buffers;  /* there are several buffers or files */
	bool failed;   /* a write failed, and nothing more is written */
};

/* --- files ------------------------------------------------------------------------------------------------------ */

static int append(struct ctf *ctf, const char *name, const struct str *text)
{
	const char *folder = ctf->reading->out_name ? ctf->reading->out_name : "the folder";
	__cleanup(close_fd) int fd = openat(ctf->reading->out, name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	int err = str_ok(text);

	if (fd < 0) {
		ctf->failed = true;
		return fail(errno, "%s/%s: %m", folder, name);
	}
	err = err ? err : io_write(fd, str_text(text), text->len);
	if (!err || err == -ENOMEM)
		return err;
	ctf->failed = true;
	errno = -err;
	return fail(-err, "writing %s/%s: %m", folder, name);
}

/* Writes a packet from @begin to @end with the events in .events. */
static int put_packet(struct ctf *ctf, struct ctf_packets *packets, uint64_t begin, uint64_t end)
{
	struct str *head = &ctf->head;
	size_t size;
	int err;

	str_clear(head);
	ctf_number(head, MAGIC, 4);
	ctf_number(head, 0, 4);
	ctf_number(head, packets->number, 8);
	ctf_number(head, begin, 8);
	ctf_number(head, end, 8);
	/* The packet's sizes in bits count all of it: this part of the head, what is still to be added to the head, and the events. */
	size = head->len + 8 + 8 + 8 + 4 + packets->events.len;
	if (ctf->buffers) {
		str_clear(&ctf->scratch);
		ctf_text(&ctf->scratch, packets->buffer, strlen(packets->buffer));
		size += ctf->scratch.len;
	}
	ctf_number(head, size * 8, 8);
	ctf_number(head, size * 8, 8);
	ctf_number(head, packets->lost, 8);
	ctf_number(head, packets->cpu, 4);
	if (ctf->buffers)
		str_addn(head, str_text(&ctf->scratch), ctf->scratch.len);
	str_addn(head, str_text(&packets->events), packets->events.len);
	head->oom |= packets->events.oom | ctf->scratch.oom;
	err = append(ctf, packets->name, head);
	str_clear(&packets->events);
	return err;
}

static int flush(struct ctf *ctf, struct ctf_packets *packets)
{
	return packets->events.len || packets->events.oom ? put_packet(ctf, packets, packets->begin, packets->last) : 0;
}

/* Returns the name of a stream's file, from characters that every file system takes. NULL means that there is no memory. */
static char *file_name(const struct ctf *ctf, const struct record *rec, const char *buffer)
{
	struct str name = { 0 };

	if (ctf->reading->inputs.n > 1)
		str_addf(&name, "file%u_", rec->file);
	if (rec->buffer)
		str_addf(&name, "buffer%u_", rec->buffer);
	for (const char *at = rec->buffer ? buffer : ""; *at; at++)
		str_addc(&name, (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9') ? *at : '-');
	if (name.len > 200)
		name.at[name.len = 200] = '\0';
	str_addf(&name, "%scpu%u", rec->buffer ? "_" : "", rec->cpu);
	return str_take(&name);
}

static struct ctf_packets *packets_of(struct ctf *ctf, const struct record *rec)
{
	struct ctf_stream *stream = stream_of(&ctf->streams, rec);
	const struct input *in = &ctf->reading->inputs.at[rec->file];
	struct ctf_packets *made;

	if (!stream || likely(stream->packets))
		return stream ? stream->packets : NULL;
	made = calloc(1, sizeof(*made));
	if (!made || vec_push(&ctf->packets, made)) {
		free(made);
		return NULL;
	}
	made->buffer = rec->buffer < in->file->buffers.n ? in->file->buffers.at[rec->buffer].name : "";
	if (!made->buffer[0] && in->name)
		made->buffer = in->name;
	made->cpu = rec->cpu;
	made->number = (uint32_t)ctf->packets.n - 1;
	made->name = file_name(ctf, rec, made->buffer);
	stream->packets = made;
	return made->name ? made : NULL;
}

/* --- events ----------------------------------------------------------------------------------------------------- */

/* Returns EVENT, or SYSTEM:EVENT if another event of the file has that name. The caller frees it; NULL means that there is no memory. */
static char *class_name(struct ctf *ctf, unsigned int file, const struct event *event)
{
	char *name = strdup(event->name), *key = str_printf("%u:%s", file, event->name);

	if (name && key && strv_has(&ctf->names, key)) {
		free(name);
		name = str_printf("%s:%s", event->system, event->name);
	}
	return strv_own(&ctf->names, key) ? (free(name), NULL) : name;
}

static struct plan *plan_of(struct ctf *ctf, const struct input *in, const struct record *rec, struct event *event)
{
	struct plan **plan = &ctf->plans.at[rec->file][event->id];
	__cleanup(free_ptr) char *name = NULL;
	struct ctf_event *mine;

	if (likely(*plan))
		return *plan;
	mine = calloc(1, sizeof(*mine));
	name = class_name(ctf, rec->file, event);
	if (!mine || !name || plan_new(plan, trace_event(in->trace, event->id), PLAN_JSON)) {
		free(mine);
		return NULL;
	}
	(*plan)->mine = mine;
	mine->id = ctf->nclasses++;
	ctf_declare(*plan, mine->id, name, &ctf->classes);
	return *plan;
}

static int begin_event(struct ctf *ctf, struct ctf_packets *packets, uint32_t id, uint64_t ns, const struct input *in, const struct common *common)
{
	/* A name that is not known must not become "", because babeltrace2 2.0 shows the text of an earlier event for an empty one. */
	const char *comm = comms_find(in->trace->comms, common->pid);
	struct str *out = &packets->events;

	ctf_number(out, id, 4);
	ctf_number(out, ns, 8);
	ctf_number(out, (uint32_t)common->pid, 4);
	ctf_text(out, comm, strlen(comm));
	ctf_number(out, common->flags, 1);
	ctf_number(out, common->preempt, 1);
	return str_ok(out) ? -ENOMEM : str_ok(&ctf->classes);
}

static int put_event(struct ctf *ctf, struct ctf_packets *packets, const struct record *rec, uint64_t ns)
{
	const struct input *in = &ctf->reading->inputs.at[rec->file];
	const struct common common = record_common(in->trace, rec);
	struct event *event = trace_event(in->trace, common.id);
	const struct plan *plan = event ? plan_of(ctf, in, rec, event) : NULL;
	int err;

	if (event && !plan)
		return -ENOMEM;
	if (!event && !ctf->unknown) {
		ctf->unknown = ctf->nclasses++;
		ctf_declare_unknown(ctf->unknown, &ctf->classes);
	}
	learn_until(ctf->reading->learn, rec);
	err = begin_event(ctf, packets, plan ? ((struct ctf_event *)plan->mine)->id : ctf->unknown, ns, in, &common);
	if (err)
		return err;
	if (plan) {
		ctf_fields(plan, rec, &ctf->scratch, &packets->events);
	} else {
		ctf_number(&packets->events, common.id, 2);
		ctf_number(&packets->events, rec->size, 4);
	}
	packets->events.oom |= ctf->scratch.oom;
	return 0;
}

/* Writes a gap that lasts until @ns. If the kernel does not know how many events were lost, it counts as one. */
static int put_lost(struct ctf *ctf, struct ctf_packets *packets, const struct record *rec, uint64_t ns)
{
	const uint64_t begin = packets->any ? packets->last : ns;
	int err = flush(ctf, packets);

	/* A reader compares the number of lost events with the packet before, so there must be one. */
	if (!err && !packets->any)
		err = put_packet(ctf, packets, begin, begin);
	packets->lost += rec->lost == LOST_UNKNOWN ? 1 : (uint64_t)rec->lost;
	packets->last = MAX(packets->last, ns);
	packets->any = true;
	return err ? err : put_packet(ctf, packets, begin, packets->last);
}

static int take_in(struct ctf *ctf, const struct record *rec)
{
	uint64_t ns = input_time(&ctf->reading->inputs.at[rec->file], rec);
	struct ctf_packets *packets = packets_of(ctf, rec);
	int err = packets ? 0 : -ENOMEM;

	if (err)
		return err;
	/* No reader accepts times that go back within a stream. */
	if (unlikely(packets->any && ns < packets->last)) {
		ctf->back += !(rec->flags & RECORD_NODATA);
		ns = packets->last;
	}
	if (unlikely(rec->flags & RECORD_LOST))
		err = put_lost(ctf, packets, rec, ns);
	if (err || rec->flags & RECORD_NODATA)
		return err;
	if (!packets->events.len)
		packets->begin = ns;
	packets->last = ns;
	packets->any = true;
	ctf->late += ns > INT64_MAX;
	err = put_event(ctf, packets, rec, ns);
	return err || packets->events.len < PACKET ? err : flush(ctf, packets);
}

static int on_records(struct handler *h, const struct batch *batch)
{
	struct ctf *ctf = (struct ctf *)h;
	int err = 0;

	for (size_t i = 0; !err && i < batch->n; i++)
		err = take_in(ctf, &batch->records[i]);
	return err;
}

/* --- its life --------------------------------------------------------------------------------------------------- */

static int on_end(struct handler *h)
{
	struct ctf *ctf = (struct ctf *)h;
	const struct input *in = &ctf->reading->inputs.at[0];
	int err = 0;

	if (ctf->failed)
		return 0;
	vec_each (&ctf->packets, packets)
		err = err ? err : flush(ctf, *packets);
	if (ctf->back)
		warn("the times of %llu events go back on their CPUs, which CTF does not allow; they have the times of those before them",
		     (unsigned long long)ctf->back);
	if (ctf->late)
		warn("the times of %llu events are 2^63 or more, which CTF allows, but babeltrace2 cannot read", (unsigned long long)ctf->late);
	str_clear(&ctf->head);
	ctf_preamble(in, input_in_ns(in, 0), ctf->buffers, &ctf->head);
	str_addn(&ctf->head, str_text(&ctf->classes), ctf->classes.len);
	ctf->head.oom |= ctf->classes.oom;
	return err ? err : append(ctf, "metadata", &ctf->head);
}

static void ctf_free(struct handler *h)
{
	struct ctf *ctf = (struct ctf *)h;

	for (size_t i = 0; i < ctf->plans.n; i++) {
		for (size_t id = 0; ctf->plans.at[i] && id < ctf->reading->inputs.at[i].trace->nids; id++)
			plan_free(ctf->plans.at[i][id]);
		free(ctf->plans.at[i]);
	}
	vec_fini(&ctf->plans);
	vec_each (&ctf->packets, packets) {
		free((*packets)->name);
		str_fini(&(*packets)->events);
		free(*packets);
	}
	vec_fini(&ctf->packets);
	streams_fini(&ctf->streams, NULL);
	strv_fini(&ctf->names);
	str_fini(&ctf->classes);
	str_fini(&ctf->scratch);
	str_fini(&ctf->head);
	free(ctf);
}

static int make(struct handler **out, struct reading *reading, __unused void *options)
{
	struct ctf *ctf = calloc(1, sizeof(*ctf));
	int err = 0;

	if (!ctf)
		return -ENOMEM;
	*ctf = (struct ctf){ .handler = { .records = on_records, .end = on_end, .free = ctf_free },
			     .reading = reading,
			     .streams.size = sizeof(struct ctf_stream),
			     .buffers = reading->inputs.n > 1 };
	vec_each (&reading->inputs, input) {
		ctf->buffers |= input->file->buffers.n > 1;
		err = err ? err : vec_push(&ctf->plans, calloc(input->trace->nids + 1, sizeof(struct plan *)));
		err = err || !ctf->plans.at[ctf->plans.n - 1] ? -ENOMEM : 0;
	}
	/* Class numbers begin at 1. */
	ctf->nclasses = 1;
	if (err)
		ctf_free(&ctf->handler);
	else
		*out = &ctf->handler;
	return err;
}

const struct analysis ctf_analysis = { .name = "ctf", .needs = ANALYSIS_SUMS | ANALYSIS_LEARN, .make = make };
