/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Passes calls, other events and losses to the exporters whose formats are for viewers with a time axis. A call is passed on when it begins and when it ends.
 * Any other event is passed on with its fields. Calls, events and losses come in the order in which they become known. They are not sorted by time, because not
 * all formats need that order. The callbacks of a format (struct timeline_format) append to timeline.out, which is written to the output piece by piece.
 */
#ifndef RINGSIDE_TIMELINE_H
#define RINGSIDE_TIMELINE_H

#include "lib/analysis/keys.h"
#include "lib/analysis/lacking.h"
#include "lib/analysis/reading.h"
#include "lib/analysis/streams.h"
#include "lib/analysis/timed.h"
#include "lib/base/pool.h"
#include "lib/export/plan.h"

/* This is the name of something that is called: a function, a system call, a marker. */
struct timeline_name {
	char *text; /* made by timeline_format.name(), as the format writes it */
	size_t len;
};

/* This is a piece of the output. A thread of the reading's pool writes it while the next piece is made. */
struct timeline_writing {
	struct job job;
	struct reading *reading;
	struct str text;
	bool begun; /* the job has been submitted, and has not been waited for */
	int err;    /* the result of the job */
};

/* This is a copy of the record with which a call began. It is kept until the call is written. */
struct timeline_entry {
	const struct plan *plan; /* the plan of the record's event */
	struct record rec;	 /* its .data are .data below */
	uint64_t data[];
};

/* These are the data that the timeline keeps with each open call, as its payload (lib/analysis/calls.h). */
struct timeline_frame {
	uint32_t name;	/* index into timeline.names; 0: not known */
	uint32_t aside; /* a number that no other call has, if the call is beside its task's stack (call_task.aside in lib/analysis/calls.h); otherwise 0 */
	uint64_t id;	/* only the format uses this: the number that the format gives to the call */
	/* The members below are used only by formats with .rows. */
	uint32_t row;		      /* set when leave() is called: the call's row, or TIMELINE_NO_ROW */
	uint64_t unfit;		      /* only timeline-rows.c uses this: bit i is set if the call cannot be in row i */
	uint64_t limit;		      /* only timeline-rows.c uses this: when a function below the call on the stack first ended; 0: none has ended */
	struct timeline_entry *entry; /* of a call that is no function: the record with which the call began; NULL: there is no such record */
};

/*
 * This is one of the rows in which the calls of a task are drawn. In each row, any two calls are either one inside of the other, or one after the other. Row 0
 * has the functions that function_graph has recorded, and all other calls that fit into it. Most calls fit. An example of a call that does not fit is a section
 * that a program marks. The section begins in the middle of the write() of its mark, so it does not fit if this write() is recorded. A call that does not fit
 * into row 0 is in the first further row into which it fits. Whether a call fits is known only when it has ended. A task has at most TIMELINE_ROWS rows. A call
 * that fits into none of them has the row TIMELINE_NO_ROW. It is shown as an asynchronous call, which may overlap with others.
 */
enum { TIMELINE_ROWS = 1000, TIMELINE_NO_ROW = TIMELINE_ROWS };

struct timeline_row {
	uint64_t last; /* the latest end of a call in this row so far */
	uint64_t id;   /* only the format uses this: the number that the format gives to the row */
};

/*
 * These are the data that the timeline keeps with each task, as its payload (lib/analysis/calls.h). A call beside its task's stack has a struct call_task of
 * its own (call_task.aside). For that struct, only .id of this payload is used.
 *
 * A leaf is a call that calls nothing (call_end.leaf). The end of a leaf is computed from the duration that the tracer measured. Because clocks do not always
 * agree, this end can lie after the next event of the task. In this case, the time of that event is taken as the end. So the end of a leaf is passed on only
 * when the next event is known. Until then the leaf is held here.
 */
struct timeline_task {
	bool told;   /* the format's task() has been called for the task */
	uint64_t id; /* only the format uses this: the number that the format gives to the task */
	bool held;   /* a leaf of the task is held in .frame, .end, .mine and .name */
	bool whole;  /* used if .held is true; true: leaf() will be called for the held leaf; false: enter() was called, and leave() will be called */
	struct call_frame frame;
	struct call_end end;
	struct timeline_frame mine; /* a copy of the leaf's payload */
	uint32_t name;		    /* index into timeline.names */
	/* The members below are used only by formats with .rows. */
	bool mixed;			      /* the task has had a call with timeline_has_row() */
	uint64_t last;			      /* the latest end of a call in row 0 so far; while .mixed is false, row 0 has only functions */
	VEC(struct timeline_row) rows;	      /* the rows from row 1 on: rows.at[i - 1] is row i */
	VEC(struct timeline_entry *) waiting; /* for each call that waits to be entered, in the order of their beginnings: timeline_frame.entry */
};

struct timeline {
	struct handler handler;
	const struct timeline_format *format;
	struct reading *reading;
	struct calls_user user;
	struct calls *calls;
	struct timed *timed;
	struct keys keys;
	VEC(struct timeline_name) names; /* the first name stands for unknown calls */
	struct timeline_recent {
		uint64_t func;
		uint32_t where;	   /* made of two numbers, call_task.file and call_frame.source; 0: the entry is empty */
		uint32_t name;	   /* the index into .names */
	} * recent;		   /* a cache: the names of functions that were called recently */
	VEC(struct plan **) plans; /* plans.at[i][id]: how the fields of the event with this id in the input i are written (lib/export/plan.h) */
	struct streams streams;	   /* the format's state for each CPU */
	struct str out, scratch;
	struct timeline_writing writing;
	uint32_t aside;		   /* the largest timeline_frame.aside so far */
	struct record first, last; /* the first record and the last one so far, without their data */
	VEC(uint64_t) lasts;	   /* for each input, the time of its last record so far; 0: there was none */
	bool any;		   /* there was a record, so .first and .last are set */
	void *mine;		   /* only the format uses this memory; it is all zero at first, and is freed with the timeline */
};

struct timeline_format {
	enum plan_style style; /* how the events' fields are written */
	size_t mine;	       /* the size of timeline.mine, in bytes */
	size_t stream;	       /* the size of the format's state for each CPU (timeline.streams), in bytes */
	bool runs;	       /* the format calls timeline_switch() */
	bool table;	       /* true: no leaf is held (struct timeline_task), and leave() can use timed_call_of() (lib/analysis/timed.h) */
	/*
	 * True: the calls of a task are put into rows (struct timeline_row). Then enter() is not called for calls with timeline_has_row(), because their row is
	 * not known yet. leave() is called for these calls as for all others.
	 */
	bool rows;
	/*
	 * These are the callbacks. name(), enter(), leave() and event() must not be NULL. The others may be NULL. Callbacks that return an int return 0,
	 * -ENOMEM, or another -errno after a message. Instead of returning -ENOMEM, a callback may set timeline.out.oom.
	 */
	int (*begin)(struct timeline *t);
	/* Appends to *@out the name @text, with @module, in the format's style. @index will be the index of the name in timeline.names. */
	void (*name)(struct timeline *t, uint32_t index, const char *text, const char *module, struct str *out);
	void (*task)(struct timeline *t, struct call_task *task); /* the task is met for the first time */
	/* @rec is the record of the entry, or NULL when it is not available. @plan is the plan of the entry's event, or NULL when a function is entered. */
	int (*enter)(struct timeline *t, struct call_task *task, struct call_frame *frame, uint32_t name, const struct plan *plan, const struct record *rec);
	/*
	 * A call has begun, and enter() is called later, with @rec NULL (wait() of struct calls_ops). @rec is the record of the entry, @plan is the plan of
	 * this record's event, and @ns is the record's time. wait() is not called for functions. If .rows is true, wait() is not called at all.
	 */
	int (*wait)(struct timeline *t, struct call_task *task, const struct plan *plan, const struct record *rec, uint64_t ns);
	/*
	 * When leave() is called for a leaf, no later event of its task has been given to the format yet. @end->cut is not 0 when the call is not complete
	 * (timeline_cut()). When @end->cut is only CALL_LOSS, the entry and the exit are recorded, but events between them were lost.
	 */
	int (*leave)(struct timeline *t, struct call_task *task, const struct call_frame *frame, const struct timeline_frame *mine, const struct call_end *end,
		     uint32_t name);
	/*
	 * For a complete leaf, leaf() is called instead of enter() and leave(), when the time of the leaf's end is known. So a format with leaf() learns of a
	 * leaf only after the leaf has ended. It still learns of the leaf before it learns of anything that the leaf's task does later. If .leaf is NULL,
	 * enter() and leave() are called for leaves, too.
	 */
	int (*leaf)(struct timeline *t, struct call_task *task, const struct call_frame *frame, const struct call_end *end, uint32_t name);
	/*
	 * event() is called for each event that is neither the beginning nor the end of a call. If a system call began with two events, event() is also called
	 * for the second event.
	 */
	int (*event)(struct timeline *t, struct call_task *task, const struct plan *plan, const struct record *rec, uint64_t ns);
	int (*lost)(struct timeline *t, const struct record *rec, uint64_t ns);
	/*
	 * batch() is called when the format has been told of all records of @batch. A format that has this function writes by itself what it has gathered. For
	 * such a format, timeline.out is written only after end() has been called.
	 */
	int (*batch)(struct timeline *t, const struct batch *batch);
	int (*end)(struct timeline *t);
	void (*fini)(struct timeline *t);
};

/*
 * If timeline.out has more than @least bytes, begins to write them, and empties timeline.out. The writing can still be going on when this function returns, so
 * a failure to write the bytes is returned by the next call, or reported at the end. Returns 0, -ENOMEM, -EPIPE, or another -errno after a message.
 */
int timeline_flush(struct timeline *t, size_t least);

/* Does what analysis.make() does. */
int timeline_make(struct handler **out, struct reading *reading, const struct timeline_format *format);

static inline struct timeline_frame *timeline_frame_of(const struct timeline *t, struct call_frame *frame)
{
	return call_frame_of(&t->user, frame);
}

/*
 * Returns the id of the call that has called @frame. Returns 0 when no caller is known, and when the caller has no id. The outermost call of an interrupt has
 * no caller, because the call below it on the stack was interrupted and did not call it.
 */
static inline uint64_t timeline_caller_id(const struct timeline *t, const struct call_task *task, struct call_frame *frame)
{
	struct call_frame *caller = call_caller(task, frame);

	return caller && !timed_call_of(t->timed, frame)->irq ? timeline_frame_of(t, caller)->id : 0;
}

/* Returns true if it is not known how long calls of @task were off the CPU, because the task lacks switches (lib/analysis/lacking.h). */
static inline bool timeline_lacks(const struct timeline *t, const struct call_task *task)
{
	return lacking_some(t->reading) && timed_depends(task) && lacking_has(t->reading->lacking, task->file, task->pid, task->idle_cpu);
}

/*
 * Returns true if timeline-rows.c chooses the row of the call. Functions that function_graph has recorded are always in row 0. Calls beside the stack of their
 * task (call_task.aside) are in no row.
 */
static inline bool timeline_has_row(const struct call_task *task, const struct call_frame *frame)
{
	return frame->source != CALL_SOURCE_GRAPH && !task->aside;
}

/*
 * These functions are for timeline.c, and for formats with .rows. A result of the type int is 0 or -ENOMEM.
 * - timeline_rows_enter() is called when a call is entered. It finds out into which rows the beginning of the call fits. For a function, it need not be called
 *   while timeline_task.mixed is false and no call on the stack has ended.
 * - timeline_rows_over() is over() of struct calls_ops. @ctx is the timeline.
 * - timeline_rows_leave() is called when a call with timeline_has_row() is left, after all calls inside of it. @ns is the call's timeline_end_ns(). The
 *   function chooses timeline_frame.row.
 * - timeline_rows_end() is called when leave() is called for a function. @ns is the timeline_end_ns() of the call.
 * - timeline_rows_until() is called for a call whose exit is not recorded. It returns the time up to which the call is drawn. This time is never before the end
 *   of a call that was made inside of this call. If the call is still open at the end of the recording, the time is not before the last record of the call's
 *   file.
 * - timeline_rows_keep() is called when a call with timeline_has_row() is entered (@waits is false). If such a call is entered later than it began, the
 *   function is also called when the call begins (@waits is true). The function keeps a copy of @rec, the record of the entry, for timeline_frame.entry. @plan
 *   is the plan of the record's event, or NULL when there is no record.
 * - timeline_rows_gone() is gone() of struct calls_ops. It frees what the payload of a task owns.
 */
void timeline_rows_enter(struct timeline *t, struct call_task *task, struct call_frame *frame);
int timeline_rows_leave(struct timeline *t, struct call_task *task, struct call_frame *frame, uint64_t ns);
int timeline_rows_over(void *ctx, struct call_task *task, struct call_frame *frame, const struct call_end *end);
uint64_t timeline_rows_until(const struct timeline *t, struct call_task *task, const struct call_end *end);
int timeline_rows_keep(struct timeline *t, struct call_task *task, struct call_frame *frame, const struct plan *plan, const struct record *rec, bool waits);
void timeline_rows_gone(void *ctx, struct call_task *task);

static inline void timeline_rows_end(struct timeline_task *mine, uint64_t ns)
{
	mine->last = MAX(mine->last, ns);
}

/* Returns the task's name, or NULL when it is not known. If trace_options.visible is true, the name is already escaped for a terminal. */
const char *timeline_comm(const struct call_task *task);

/*
 * Returns the name of the buffer of a task or record. For the top buffer it returns input.name of the file (lib/analysis/input.h), which is NULL when
 * there is only one file.
 */
const char *timeline_buffer(const struct timeline *t, unsigned int file, unsigned int buffer);

/* Returns the time at which a call ends on a time axis: the time of its exit, or the time of its entry if that is later. */
static inline uint64_t timeline_end_ns(const struct call_frame *frame, const struct call_end *end)
{
	return MAX(end->ns, frame->ns);
}

/*
 * Returns the time of the record of a call's exit, or the time of its entry if that is later. For a leaf call, timeline_end_ns() returns another time: the
 * beginning of the call plus the duration that the kernel has measured.
 */
static inline uint64_t timeline_exit_ns(const struct call_task *task, const struct call_frame *frame, const struct call_end *end)
{
	return end->leaf ? MAX(clock_time(&task->input->clock, end->cpu, end->ts + end->later), frame->ns) : timeline_end_ns(frame, end);
}

/*
 * Returns in which way a call is incomplete, such as "no entry, lost", or "" when it is complete. "lost" means that events were lost between the entry
 * and the exit. So the entry and the exit may belong to different calls.
 */
const char *timeline_cut(unsigned int cut);

/* Reads the number in the field @field of a record. Returns false when the record has no such number. */
bool timeline_number(const struct plan *plan, const char *field, const struct record *rec, uint64_t *out);

/* This tells which task runs on a CPU, from one sched_switch to the next. */
struct timeline_run {
	bool known; /* .pid is a selected task that has run since .since; false at first and after losses */
	int pid;
	uint64_t since;
	char comm[20];
};

/*
 * Takes in a sched_switch at @ns. *@now becomes the task that runs from @ns on. Returns true and
 * sets *@ran when the switch ends a run that can be shown. Such a run has a known beginning, and
 * its task is selected and is no idle task. Returns false and leaves *@now as it is in these cases:
 * - The user has chosen only a part of the switches.
 * - The record lacks prev_pid or next_pid.
 * When the result is false, *@ran has no meaning.
 */
bool timeline_switch(const struct timeline *t, struct timeline_run *now, const struct plan *plan, const struct record *rec, uint64_t ns,
		     struct timeline_run *ran);

/* Reads "C|PID|NAME|VALUE", as programs write counters to trace_marker. Returns false when @rec has no such counter. */
bool timeline_counter(const struct plan *plan, const struct record *rec, struct text *name, int64_t *value);

#endif
