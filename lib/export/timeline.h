/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What viewers with a time axis are given: calls as they begin and end, all other events with their fields, and losses, in the order in which
 * they are known; not all formats need them sorted. A format has callbacks, and appends to timeline.out, which is written when it has grown.
 */
#ifndef RINGSIDE_TIMELINE_H
#define RINGSIDE_TIMELINE_H

#include "lib/analysis/keys.h"
#include "lib/analysis/reading.h"
#include "lib/analysis/streams.h"
#include "lib/analysis/timed.h"
#include "lib/export/plan.h"

/* What calls are of: a function, a system call, a marker. */
struct timeline_name {
	char *text; /* as the format writes it, by timeline_format.name() */
	size_t len;
};

/* On each open call. */
struct timeline_frame {
	uint32_t name;	/* index into timeline.names; 0: not known */
	uint32_t aside; /* of a call beside its task: a number that no other has; else 0 */
	bool begun;	/* the format's own */
	uint64_t id;	/* and this */
};

/*
 * On each task, but for those beside one. A leaf ends its duration after its entry, as the tracer measured it, but not behind what its
 * task does next: clocks are not always quite the same. So it is held until that is known.
 */
struct timeline_task {
	bool told;   /* the format has named it */
	uint64_t id; /* the format's own */
	bool held;
	struct call_frame frame;
	struct call_end end;
	struct timeline_frame mine;
	uint32_t name;
};

struct timeline {
	struct handler handler;
	const struct timeline_format *format;
	struct reading *reading;
	struct calls_user user;
	struct calls *calls;
	struct timed *timed; /* when the format wants it */
	struct keys keys;
	VEC(struct timeline_name) names; /* the first is of what is not known */
	struct timeline_recent {
		uint64_t func;
		uint32_t where, name;
	} * recent;
	VEC(struct plan **) plans; /* by file and id */
	struct streams streams;	   /* of the format's states, of each CPU */
	struct str out, scratch;
	uint32_t aside;		   /* calls beside tasks so far */
	struct record first, last; /* the last one so far, without data */
	bool any;
	void *mine; /* the format's, from calloc(); freed with the timeline */
};

struct timeline_format {
	enum plan_style style; /* of the events' fields */
	size_t mine, stream;   /* bytes of timeline.mine; of the state of a CPU */
	bool timed;	       /* it is a table, no picture: leave() finds timed_call_of() each call, and no leaf is held */
	/* Each may be NULL. Returns 0, or -errno after a message; out of memory is told by out.oom. */
	int (*begin)(struct timeline *t);
	/* Appends the name in the format's style; @index will be its place in timeline.names. */
	void (*name)(struct timeline *t, uint32_t index, const char *text, const char *module, struct str *out);
	void (*task)(struct timeline *t, struct call_task *task); /* something of it is told for the first time */
	/* @rec: its entry, with the @plan of that when it is no function; NULL: not at hand. */
	int (*enter)(struct timeline *t, struct call_task *task, struct call_frame *frame, uint32_t name, const struct plan *plan, const struct record *rec);
	/* Where a leaf is left, what its task does next is not told yet. */
	int (*leave)(struct timeline *t, struct call_task *task, const struct call_frame *frame, const struct timeline_frame *mine, const struct call_end *end,
		     uint32_t name);
	int (*event)(struct timeline *t, struct call_task *task, const struct plan *plan, const struct record *rec, uint64_t ns);
	int (*lost)(struct timeline *t, const struct record *rec, uint64_t ns);
	int (*end)(struct timeline *t);
	int (*write)(struct timeline *t); /* timeline.out, of which nothing is half; NULL: as it is */
	void (*fini)(struct timeline *t);
};

/* Does what analysis.make() does. */
int timeline_make(struct handler **out, struct reading *reading, const struct timeline_format *format);

static inline struct timeline_frame *timeline_frame_of(const struct timeline *t, struct call_frame *frame)
{
	return call_frame_of(&t->user, frame);
}

/* The task's name, visible as it is; NULL: not known. */
const char *timeline_comm(const struct call_task *task);

/* The name of the buffer of a task or record, NULL: the top one, of the only file. */
const char *timeline_buffer(const struct timeline *t, unsigned int file, unsigned int buffer);

/* When a call ended: at its exit. */
static inline uint64_t timeline_end_ns(const struct call_frame *frame, const struct call_end *end)
{
	return MAX(end->ns, frame->ns);
}

/* How a call is incomplete: "no entry, lost"; "" when it is complete. */
const char *timeline_cut(unsigned int cut);

/* A number of a record by the name of its field. False: there is none. */
bool timeline_number(const struct plan *plan, const char *field, const struct record *rec, uint64_t *out);

/* Who runs on a CPU, from one sched_switch to the next. */
struct timeline_run {
	bool known; /* since .since .pid has run; false at first and behind losses */
	int pid;
	uint64_t since;
	char comm[20];
};

/* A switch at @ns: true when it ends what *@ran tells, and not of an idle task. *@now is who runs from here on. */
bool timeline_switch(struct timeline_run *now, const struct plan *plan, const struct record *rec, uint64_t ns, struct timeline_run *ran);

/* "C|PID|NAME|VALUE", as programs write counters to trace_marker: false: @rec is none. */
bool timeline_counter(const struct plan *plan, const struct record *rec, struct text *name, int64_t *value);

#endif
