/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where calls come from: a row of call_sources for each kind of thing that has a beginning and an end. A source says which
 * events of a trace are its own, and what a record of them means; lib/analysis/calls.c keeps the stacks.
 * Inside lib/analysis only: a new source is a file of its own and a row in calls.c.
 */
#ifndef RINGSIDE_CALL_SOURCE_H
#define RINGSIDE_CALL_SOURCE_H

#include "lib/analysis/calls.h"
#include "lib/analysis/keys.h"
#include "lib/analysis/streams.h"

/*
 * What lies outside of what. A call is entered when nothing of a higher level is open, which can be a little later than its
 * record comes: a program's marker is written by a system call that has its own functions, and those are not inside of what
 * the marker begins.
 */
enum call_level { CALL_LEVEL_USER, CALL_LEVEL_SYSCALL, CALL_LEVEL_KERNEL };

/* What a call that stands beside the stack of a task has to do with it. */
enum call_part {
	CALL_BESIDE,	/* nothing: the task goes on meanwhile */
	CALL_OF_TASK,	/* the task does this: while it is off its CPU or interrupted, so is the call */
	CALL_FOR_TASK,	/* the same, and others begin it while the task is somewhere: it may be off its CPU already */
};

/* What an event of a trace is to a source. */
struct call_event {
	const struct call_source *source;	/* NULL: no source's */
	bool leave;				/* it ends calls; else it begins them */
	uint64_t func;				/* the source's own: whose calls these are, when the event alone tells; 0: it does not */
	struct field key;			/* the source's own */
	bool more;				/* the source's own */
	enum call_part part;			/* of what it begins aside */
};

/* So many gaps of a CPU are remembered: a call seldom outlives more. */
enum { CALL_GAPS = 8 };

/* One CPU of one buffer. */
struct call_stream {
	struct call_task *last;		/* who ran there last */
	const void *told;		/* the exit that came with its leaf's entry */
	uint64_t ts;			/* of the record before this one */
	uint64_t gaps[CALL_GAPS];	/* of the records before the last gaps: gap i is at i % CALL_GAPS */
	size_t ngaps;
	bool gap;			/* events are being lost there: what comes next is behind the gap */
};

/* The record at hand. */
struct call_at {
	struct calls *calls;
	struct call_task *task;
	const struct call_stream *stream;
	uint64_t losses;		/* it differs from that of a record before it when events were lost between in their buffer, on any CPU */
	const struct event *event;
	const struct call_event *what;
	const struct record *rec;
	uint64_t ns;			/* input_time() of it */
	uint8_t flags;			/* its common_context() */
};

struct call_source {
	const char *name;
	bool functions;			/* what is called are functions: see calls_functions_only() */
	bool addresses;			/* call_frame.func is an address in the kernel */
	/* Is @event one of its own? Then *@out (all zero but .source) says what it is. */
	bool (*find)(const struct trace *trace, const struct event *event, struct call_event *out);
	/* A record of such an event: calls what is below. 0; 1: it is of no call, an event as any other; a negative errno. */
	int (*record)(const struct call_at *at);
	/* As call_name(). */
	const char *(*name_of)(const struct trace *trace, uint64_t func, char buf[CALL_NAME], const char **module);
};

extern const struct call_source call_source_graph, call_source_latency, call_source_syscalls, call_source_markers, call_source_pairs;

/* The index of @source in the table. */
unsigned int call_source_index(const struct call_source *source);

/* A frame of a call that begins with the record at hand. */
struct call_frame call_begin(const struct call_at *at);

/*
 * How long the call took that ends with the record at hand, as call_end.duration: CALL_UNKNOWN when the clock's ticks are of unknown
 * length, or go back.
 */
uint64_t call_duration(const struct call_at *at, const struct call_frame *frame);

/* Enters @frame, perhaps later. @rec: its entry; NULL: not recorded. 0 or a negative errno. */
int call_enter(const struct call_at *at, enum call_level level, const struct call_frame *frame, const struct record *rec);

/*
 * The same of a function that is called by the innermost one, from the record at hand, while nothing has ended that is still open: for
 * what is done for nearly every record.
 */
int call_enter_at_once(const struct call_at *at, uint8_t source, uint64_t func, uint64_t retaddr, uint32_t depth);

/*
 * The @i-th open call has ended. What stands above it ends when its own end comes; the callbacks hear of both then, in the
 * order of the stack. 0 or a negative errno.
 */
int call_leave(const struct call_at *at, size_t i, const struct call_end *end);

/* Ends the @i-th open call, whose exit is not recorded, likewise. */
int call_cut(const struct call_at *at, size_t i);

/* The @i-th call that is open; behind all open ones, of which there are task->depth, those that wait to be entered: task->nwaiting. */
static inline struct call_frame *call_or_waiting(const struct call_task *task, size_t i)
{
	return i < task->depth ? call_at(task, i) : &task->waiting[i - task->depth];
}

/* call_leave() of the @i-th call of call_or_waiting(); one that waits is left as soon as it is entered. */
int call_leave_or_waiting(const struct call_at *at, size_t i, const struct call_end *end);

/*
 * The innermost call of this source that has not ended, whether it is entered or still waits for that; NULL: none. Holds until
 * the next call of the task is entered or left.
 */
struct call_frame *call_innermost(const struct call_at *at);

/* The record at hand ends @frame, which call_innermost() found: it took the time between both. 0 or a negative errno. */
int call_finish(const struct call_at *at, struct call_frame *frame);

/* @frame, which call_innermost() found, has ended some time ago, which is not recorded. 0 or a negative errno. */
int call_abandon(const struct call_at *at, struct call_frame *frame);

/* The record at hand ends a call whose entry is not recorded: enters and leaves @frame. 0 or a negative errno. */
int call_unseen(const struct call_at *at, enum call_level level, struct call_frame frame);

/*
 * A call that does not belong to the stack of what its task does: it can overlap with others, and end in another task. It begins
 * with the record at hand, in its task, and is told by .source, .func and @key; what is open with the same has ended unseen.
 * 0 or a negative errno.
 */
int call_begin_aside(const struct call_at *at, struct key key, struct call_frame frame);

/* The record at hand ends it, in whatever task of the buffer it began. 1: no such call is open; 0, or a negative errno. */
int call_end_aside(const struct call_at *at, struct key key);

/* The record at hand ends one whose entry is not recorded. 0 or a negative errno. */
int call_unseen_aside(const struct call_at *at, struct call_frame frame);

/* Is one open? */
bool call_is_aside(const struct call_at *at, struct key key);

/* The same text at the same place in memory for as long as the calls live: names for .func. NULL: out of memory. */
const char *call_text(const struct call_at *at, const char *text, size_t n);

/* Was anything lost on this CPU since the frame was entered? Then *@gap (may be NULL) is the time of the record before that, the first time. */
bool call_lost_since(const struct call_at *at, const struct call_frame *frame, uint64_t *gap);

#endif
