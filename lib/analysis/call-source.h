/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells where calls come from. Each kind of call (functions, system calls, markers …) has a source, which is a row of the table call_sources in calls.c. A
 * source says which events of a trace are its own. For each record of these events, the source also says which call the record begins or ends.
 * lib/analysis/calls.c keeps the stacks of calls. Of this header, only enum call_level is used outside lib/analysis. A new source needs a file of its own and a
 * row in call_sources. If the comment of a function with an int result does not mention the result, the function returns 0 or -errno.
 */
#ifndef RINGSIDE_CALL_SOURCE_H
#define RINGSIDE_CALL_SOURCE_H

#include "lib/analysis/calls.h"
#include "lib/analysis/keys.h"
#include "lib/analysis/streams.h"
#include "lib/event/graph.h"

/*
 * The levels of calls, the lowest first: a program (CALL_LEVEL_USER) makes system calls, and for each system call, functions of the kernel run. A call is
 * entered (put on the stack) only when no call of a higher level is open. So a call may be entered a little after the record of its beginning. For example, a
 * program writes a marker by a system call, and the marker begins a call. This call is entered after the system call has ended. So the functions of the system
 * call are not inside of the marker's call.
 */
enum call_level { CALL_LEVEL_USER, CALL_LEVEL_SYSCALL, CALL_LEVEL_KERNEL };

/* This tells how a call that stands beside the stack of a task (lib/analysis/calls.h) depends on the task. */
enum call_part {
	CALL_BESIDE,   /* the task does not do the work of the call itself, and all of the call's time is self time */
	CALL_ASYNC,    /* unknown tasks make the call at unknown times; so its times off the CPU and in interrupts are not known */
	CALL_OF_TASK,  /* the task makes the call; so the call is off the CPU or interrupted whenever the task is */
	CALL_FOR_TASK, /* Like CALL_OF_TASK, but another task begins the call. So the call's own task may be off the CPU when the call begins. */
};

/* This tells what an event of a trace is to a source. */
struct call_event {
	const struct call_source *source; /* NULL: the event belongs to no source */
	bool leave;			  /* true: the event ends calls; false: it begins calls */
	uint64_t func;			  /* what is called; 0: the event alone does not tell what is called; only the source uses .func */
	/* the field that tells calls apart, such as a stack pointer, a number or a text; only the source uses .key */
	struct field key;
	/* Only the source uses .more. For calls of `record --latency`, .more is latency_side.popped. For system calls, .more is true for SYSCALL_BY_NAME. */
	bool more;
	enum call_part part; /* for calls that the event begins beside the stack: how they depend on the task */
	bool inside;	     /* for calls that the event begins beside the stack: see call_task.inside */
	bool at_end;	     /* for calls that the event begins beside the stack: see call_task.at_end */
};

/* A gap is a time in which events of a CPU were lost. For each CPU, this many of its last gaps are remembered. */
enum { CALL_GAPS = 8 };

/* This is one CPU of one buffer. */
struct call_stream {
	struct call_task *last; /* the task that ran on this CPU last */
	/*
	 * A leaf call is a call inside which no other call was recorded. Its exit may be taken in together with the record of its entry. If the last record was
	 * taken in together with an exit, this member points to the data of that exit. In all other cases it is NULL.
	 */
	const void *told;
	uint64_t ts;		  /* the raw time (.ts of struct record) of the record that was taken in last */
	uint64_t gaps[CALL_GAPS]; /* Element i % CALL_GAPS is the raw time of the record before gap i. Only the last CALL_GAPS gaps are here. */
	size_t ngaps;		  /* how many gaps there were in all; the first is gap 0 */
	bool gap;		  /* events were lost after the last record */
	/*
	 * Only calls_quick() uses .round and .round_task. Both are about the last time when calls_quick() called the consumers' seen() for this CPU.
	 * .round_task is the task that seen() got. .round is the value that calls.round (calls-inside.h) had at that time.
	 */
	uint64_t round;
	struct call_task *round_task;
};

/*
 * The kernel keeps the open calls of a task in an array. Before Linux 6.11, the array has 50 entries. Since Linux 6.11, it has 512 words
 * (kernel/trace/fgraph.c). So a record with a depth of 512 or more is damaged.
 */
enum { CALL_MOST_DEPTH = 512 };

/* This is the record at hand, which is being taken in. */
struct call_at {
	struct calls *calls;
	struct call_task *task;
	const struct call_stream *stream;
	/*
	 * A number that grows when events of the record's buffer are lost. If the number is the same at two records of a buffer, no events of the buffer
	 * were lost between the two records, on any CPU. The number is not set for the records of function_graph.
	 */
	uint64_t losses;
	const struct event *event;
	const struct call_event *what;
	const struct record *rec;
	uint64_t ns;   /* input_time() of .rec */
	uint8_t flags; /* common_context() of .rec */
	bool leaves;   /* call_leaf_at_once() may be used */
};

struct call_source {
	const char *name;
	const char *calls; /* what its calls are, in the plural, for messages: see call_source_calls() */
	bool functions;	   /* its calls are calls of functions: see calls_functions_only() */
	bool addresses;	   /* call_frame.func is an address in the kernel */
	/*
	 * If @event is one of the source's own events, fills in *@out and returns true. Before the call of find(), the caller has set out->source, and has set
	 * all other members of *@out to zero.
	 */
	bool (*find)(const struct trace *trace, const struct event *event, struct call_event *out);
	/*
	 * Takes in a record of one of the source's events. For this it calls the functions below. Returns one of these:
	 * - 0;
	 * - 1 when the record belongs to no call, and is to be treated like a record of any other event;
	 * - -errno.
	 */
	int (*record)(const struct call_at *at);
	/* Does what call_name() does. */
	const char *(*name_of)(const struct trace *trace, uint64_t func, char buf[CALL_NAME], const char **module);
};

extern const struct call_source call_source_graph, call_source_latency, call_source_syscalls, call_source_markers, call_source_pairs;

/* Returns the index of @source in call_sources. */
unsigned int call_source_index(const struct call_source *source);

/* Returns the context in which a record with this common_context() was made. */
static inline enum call_irq call_context_of(uint8_t flags)
{
	return likely(!(flags & (FLAG_NMI | FLAG_HARDIRQ | FLAG_SOFTIRQ))) ? CALL_IN_TASK
	       : flags & FLAG_NMI					   ? CALL_IN_NMI
	       : flags & FLAG_HARDIRQ					   ? CALL_IN_HARDIRQ
									   : CALL_IN_SOFTIRQ;
}

static inline enum call_irq call_context(const struct call_at *at)
{
	return call_context_of(at->flags);
}

/* Returns a frame for a call that begins with the record at hand. */
struct call_frame call_begin(const struct call_at *at);

/*
 * Returns the duration of a call that ends with the record at hand, for call_end.duration. It is CALL_UNKNOWN if the length of the clock's ticks is
 * not known, or if time has gone back.
 */
uint64_t call_duration(const struct call_at *at, const struct call_frame *frame);

/*
 * Enters @frame now, or as soon as no call of a higher level is open. If the call has to wait, and many calls of the task wait already (CALL_MOST_WAITING in
 * lib/analysis/calls-inside.h), the call is dropped. @rec is the record of the frame's entry, or NULL when the entry is not recorded.
 */
int call_enter(const struct call_at *at, enum call_level level, const struct call_frame *frame, const struct record *rec);

/*
 * Enters a function that the innermost call has called. The call of this function begins at the time of the record at hand. @source, @func, @retaddr and @depth
 * become the members with the same names of the frame of this call. The source must make sure that no call on the stack has ended already (call_frame.over).
 * call_enter_at_once() is faster than call_enter(), and is for the usual entries of functions.
 */
int call_enter_at_once(const struct call_at *at, uint8_t source, uint64_t func, uint64_t retaddr, uint32_t depth);

/*
 * Enters a function that the innermost call has called, and leaves this function at once. The arguments up to @depth have the same meaning as for
 * call_enter_at_once(). @end tells how the call ended. The source must make sure of three things:
 * - no call waits to be entered;
 * - no call on the stack has ended already;
 * - at->leaves is true.
 */
int call_leaf_at_once(const struct call_at *at, uint8_t source, uint64_t func, uint64_t retaddr, uint32_t depth, const struct call_end *end);

/*
 * Notes that the @i-th open call (from 0) has ended. If this call is the innermost one, the consumers' leave() is called now. Otherwise, calls above this call
 * on the stack are still open. In this case, the consumers' over() is called now. Their leave() is called for this call when the calls above it have ended.
 */
int call_leave(const struct call_at *at, size_t i, const struct call_end *end);

/* Does what call_leave() does, but for an open call whose exit is not recorded. */
int call_cut(const struct call_at *at, size_t i);

/* Returns the @i-th (from 0) of all calls of a task. The first task->depth calls are open. The next task->nwaiting calls wait to be entered. */
static inline struct call_frame *call_or_waiting(const struct call_task *task, size_t i)
{
	return i < task->depth ? call_at(task, i) : &task->waiting[i - task->depth];
}

/*
 * Does what call_leave() does for the @i-th call of call_or_waiting(). For a call that waits, the consumers' leave() is called as soon as the call has been
 * entered.
 */
int call_leave_or_waiting(const struct call_at *at, size_t i, const struct call_end *end);

/*
 * Looks for calls of the task that come from the source of the record at hand and have not ended. Returns the innermost of these calls, or NULL if there is
 * none. The call may still wait to be entered. @level must be the lowest level that calls of this source have. The frame is valid until a call of the task is
 * put on the stack or taken off.
 */
struct call_frame *call_innermost(const struct call_at *at, enum call_level level);

/*
 * Notes that the record at hand ends @frame, which call_innermost() has returned. The duration of the call becomes what call_duration() returns, or
 * CALL_UNKNOWN if the entry of the call is not recorded.
 */
int call_finish(const struct call_at *at, struct call_frame *frame);

/* Notes that the call of @frame ended some time before the record at hand. Its end is not recorded. call_innermost() has returned @frame. */
int call_abandon(const struct call_at *at, struct call_frame *frame);

/* Notes that the record at hand ends a call whose entry is not recorded. @frame is the frame of this call. The function enters and ends this call. */
int call_unseen(const struct call_at *at, enum call_level level, struct call_frame frame);

/*
 * Begins a call beside the stack of its task. Such a call can overlap with other calls, and can end in another task. The call begins with the record at hand,
 * in the task at->task. Three things identify the call: its source, the buffer of the record, and @key. If an earlier call with the same source, buffer and key
 * is still open, the end of the earlier call was not recorded, and the function first ends that call.
 */
int call_begin_aside(const struct call_at *at, struct key key, struct call_frame frame);

/*
 * Notes that the record at hand ends the call that call_begin_aside() has begun with this @key. The call may have begun in any task of the buffer. Returns 1
 * when no such call is open.
 */
int call_end_aside(const struct call_at *at, struct key key);

/* Notes that the record at hand ends a call beside the stack of at->task. The entry of this call is not recorded. */
int call_unseen_aside(const struct call_at *at, struct call_frame frame);

/* Does what call_end_aside() does, for a call that ended some time before the record at hand. The end of the call is not recorded. */
int call_abandon_aside(const struct call_at *at, struct key key);

/* Returns the open call that call_begin_aside() has begun with this @key, for the same source and buffer. Returns NULL when there is no such call. */
const struct call_frame *call_aside(const struct call_at *at, struct key key);

/*
 * Returns a copy of @text, which has @n bytes. The copy's address can be used as call_frame.func. Equal texts have the same address. The copy is valid
 * as long as the struct calls exists. Returns NULL when memory runs out.
 */
const char *call_text(const struct call_at *at, const char *text, size_t n);

/* Returns true if events were lost on the CPU of @stream at @ts or later. @ts is a raw time of that CPU. */
static inline bool call_lost_after(const struct call_stream *stream, uint64_t ts)
{
	return stream->ngaps && stream->gaps[(stream->ngaps - 1) % CALL_GAPS] >= ts;
}

/* Returns true if @ret is certainly the exit of the innermost call. */
static inline bool call_is_of_top(const struct call_task *task, const struct call_stream *stream, const struct graph_exit *ret)
{
	const struct call_frame *top = task->depth ? call_top(task) : NULL;

	return likely(top && !task->over && top->source == CALL_SOURCE_GRAPH && top->depth == ret->depth && top->func == ret->func && !top->gap &&
		      !call_lost_after(stream, top->ts));
}

/*
 * Returns true if it is certain that the innermost call has called the function whose entry has this @depth. If no call is open, returns true if @depth is 0.
 */
static inline bool call_is_in_step(const struct call_task *task, uint64_t depth)
{
	if (unlikely(task->over))
		return false;
	return likely(task->depth) ? call_top(task)->source == CALL_SOURCE_GRAPH && call_top(task)->depth + 1 == depth && !call_top(task)->gap : !depth;
}

/*
 * Returns how long a call took. @ret is the exit of the call. Returns CALL_UNKNOWN when the exit says that the call ended before it began. In this case, the
 * unsigned difference of the two times is 2^63 or more. No real call takes 2^63 ns, which are 292 years.
 */
static inline uint64_t call_took(const struct graph_exit *ret)
{
	const uint64_t took = ret->rettime - ret->calltime;

	return likely(took <= INT64_MAX) ? took : CALL_UNKNOWN;
}

/*
 * Fills in *@end from @ret, the exit of a call of a function. If @leaf is false, @rec is the record of the exit. If @leaf is true, @rec is the record of
 * the entry, into which the exit was folded. @ns is the input_time() of @rec. end->cut becomes 0.
 *
 * The members are set one by one. If a whole structure were copied, a compiler would use loads that are wider than the stores before them. Such loads stall
 * the CPU.
 */
static inline void call_end_of_function(struct call_end *end, const struct call_task *task, const struct record *rec, uint64_t ns, const struct graph_exit *ret,
					bool leaf)
{
	const uint64_t duration = call_took(ret);

	end->ts = rec->ts;
	end->ns = ns + (leaf && task->in_ns && duration != CALL_UNKNOWN ? duration : 0);
	end->duration = duration;
	end->retval = ret->retval;
	end->has_retval = ret->has_retval;
	end->leaf = leaf;
	end->later = rec->later;
	end->cpu = rec->cpu;
	end->cut = 0;
	end->rec = leaf ? NULL : rec;
}

/*
 * Returns true if events were lost on the CPU of the record at hand since the frame was entered. In this case, *@gap becomes the raw time of the record before
 * the loss. If there were several losses, *@gap is for the first loss that is still remembered (CALL_GAPS). If nothing was lost, *@gap does not change. @gap
 * may be NULL.
 */
bool call_lost_since(const struct call_at *at, const struct call_frame *frame, uint64_t *gap);

#endif
