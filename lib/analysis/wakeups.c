/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/wakeups.h"
#include "lib/analysis/keys.h"
#include "lib/analysis/losses.h"

/* This is the kernel's constant. Lower priorities are real-time priorities. */
enum { MAX_RT_PRIO = 100 };

enum wakeup_kind { WAKEUP, WAKEUP_NEW, WAKING, SWITCH, KINDS };

/*
 * These are the events and their fields. .pid is the field of the task that the event is about. For a wakeup, .more tells on old kernels whether it
 * succeeded. For a switch, .more is the priority.
 */
static const struct {
	const char *event, *pid, *more;
} kinds[KINDS] = {
	[WAKEUP] = { "sched_wakeup", "pid", "success" },
	[WAKEUP_NEW] = { "sched_wakeup_new", "pid", "success" },
	[WAKING] = { "sched_waking", "pid", "success" },
	[SWITCH] = { "sched_switch", "next_pid", "next_prio" },
};

struct kind {
	const struct event *event; /* NULL: the file does not describe the event */
	struct field pid, more;
};

/* This is kept for each input. */
struct source {
	const struct input *input;
	struct trace *trace;
	struct kind kinds[KINDS];
	bool has_wakeup;	   /* a wakeup has been seen, so sched_waking is ignored */
	struct losses_mark losses; /* the mark of the record at hand */
};

/* This is a task that was woken and does not run yet. */
struct waiting {
	bool open;
	bool waking; /* only sched_waking has told that it was woken */
	uint64_t ts;
	struct losses_mark losses; /* the mark of the record that told that it was woken */
	uint16_t cpu;		   /* the CPU of that record */
};

struct wakeups {
	struct stage stage;
	struct handler handler;
	VEC(struct source) inputs;
	struct losses_both losses;
	struct keys keys; /* the keys have the file and the pid */
	VEC(struct waiting) waiting;
	struct wakeups_result result;
};

static struct waiting *waiting_of(struct wakeups *w, const struct record *rec, uint64_t pid)
{
	int64_t i = keys_index(&w->keys, (struct key){ rec->file, pid, 0 });

	if (i < 0 || (i == (int64_t)w->waiting.n && vec_push(&w->waiting, (struct waiting){ 0 })))
		return NULL;
	return &w->waiting.at[i];
}

static bool get(const struct source *in, const struct field *field, const struct record *rec, uint64_t *out)
{
	return field->found && field_get(field, rec->data, rec->size, in->trace->swap, out);
}

static int on_wakeup(struct wakeups *w, struct source *in, enum wakeup_kind kind, const struct record *rec)
{
	const struct kind *k = &in->kinds[kind];
	uint64_t pid, success;
	struct waiting *waiting;

	if (!get(in, &k->pid, rec, &pid) || (get(in, &k->more, rec, &success) && !success) || (kind == WAKING && in->has_wakeup))
		return 0;
	in->has_wakeup |= kind != WAKING;
	waiting = waiting_of(w, rec, pid);
	if (!waiting)
		return -ENOMEM;
	*waiting = (struct waiting){ .open = true, .waking = kind == WAKING, .ts = rec->ts, .cpu = rec->cpu, .losses = in->losses };
	return 0;
}

static int on_switch(struct wakeups *w, struct source *in, struct record *rec)
{
	uint64_t pid, now = input_time(in->input, rec), then;
	struct waiting *waiting;

	if (!get(in, &in->kinds[SWITCH].pid, rec, &pid))
		return 0;
	waiting = waiting_of(w, rec, pid);
	if (!waiting)
		return -ENOMEM;
	/* With --align-ts, times before the first shown record are negative. */
	then = clock_time(&in->input->clock, waiting->cpu, waiting->ts);
	if (waiting->open && !losses_between(&waiting->losses, &in->losses) && !(waiting->waking && in->has_wakeup) && (int64_t)(now - then) >= 0) {
		rec->flags |= RECORD_WOKEN;
		rec->took = now - then;
	}
	waiting->open = false;
	return 0;
}

int wakeups_batch(struct wakeups *w, struct batch *batch)
{
	int err = 0;

	for (size_t i = 0; !err && i < batch->n; i++) {
		struct record *rec = &batch->records[i];
		struct source *in = &w->inputs.at[rec->file];
		const struct event *event;

		err = losses_take_both(&w->losses, rec, &in->losses);
		if (err || rec->flags & RECORD_NODATA)
			continue;
		event = trace_event(in->trace, record_id(in->trace, rec));
		for (unsigned int kind = 0; event && !err && kind < KINDS; kind++) {
			if (event != in->kinds[kind].event)
				continue;
			err = kind == SWITCH ? on_switch(w, in, rec) : on_wakeup(w, in, kind, rec);
		}
	}
	return err;
}

void wakeups_count(struct wakeups *w, const struct batch *batch)
{
	for (size_t i = 0; i < batch->n; i++) {
		const struct record *rec = &batch->records[i];
		const struct source *in = &w->inputs.at[rec->file];
		uint64_t ts, prio;

		if (!(rec->flags & RECORD_WOKEN))
			continue;
		ts = input_time(in->input, rec);
		times_add(&w->result.all, rec->took, ts);
		if (get(in, &in->kinds[SWITCH].more, rec, &prio) && (int64_t)prio < MAX_RT_PRIO)
			times_add(&w->result.rt, rec->took, ts);
	}
}

const struct wakeups_result *wakeups_result(const struct wakeups *w)
{
	return &w->result;
}

static int on_batch(struct stage *stage, struct batch *batch)
{
	return wakeups_batch(container_of(stage, struct wakeups, stage), batch);
}

static void on_free(struct stage *stage)
{
	wakeups_free(container_of(stage, struct wakeups, stage));
}

struct stage *wakeups_stage(struct wakeups *w)
{
	w->stage = (struct stage){ .batch = on_batch, .free = on_free };
	return &w->stage;
}

static int take_records(struct handler *h, const struct batch *batch)
{
	wakeups_count(container_of(h, struct wakeups, handler), batch);
	return 0;
}

struct handler *wakeups_handler(struct wakeups *w)
{
	w->handler = (struct handler){ .records = take_records };
	return &w->handler;
}

/* Finds the events in the file. Returns true if the file describes a wakeup and a switch. */
static bool fill(struct source *in)
{
	bool any = false;

	for (unsigned int kind = 0; kind < KINDS; kind++) {
		const struct event *event = trace_find(in->trace, "sched", kinds[kind].event);
		struct kind *k = &in->kinds[kind];

		if (!event || !format_field(event->format, kinds[kind].pid, &k->pid))
			continue;
		k->event = event;
		if (!format_field(event->format, kinds[kind].more, &k->more))
			k->more.found = false;
		any |= kind != SWITCH;
	}
	return any && in->kinds[SWITCH].event;
}

int wakeups_new(struct wakeups **out, const inputs_t *inputs)
{
	struct wakeups *w = calloc(1, sizeof(*w));
	bool any = false;
	int err = w ? 0 : -ENOMEM;

	*out = NULL;
	if (w)
		losses_init_both(&w->losses);
	for (size_t i = 0; !err && i < inputs->n; i++) {
		struct source in = { .input = &inputs->at[i], .trace = inputs->at[i].trace };

		any |= fill(&in);
		err = vec_push(&w->inputs, in);
	}
	if (err || !any)
		wakeups_free(w);
	else
		*out = w;
	return err;
}

void wakeups_free(struct wakeups *w)
{
	if (!w)
		return;
	vec_fini(&w->inputs);
	losses_fini_both(&w->losses);
	vec_fini(&w->waiting);
	keys_fini(&w->keys);
	free(w);
}
