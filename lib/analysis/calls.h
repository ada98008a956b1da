/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls, put together per task: a stack for each task, wherever it runs, on which every call that is entered is also left,
 * the last one first. What a call is, its source says (lib/analysis/call-source.h): a function of the function_graph tracer,
 * a system call, what a program has marked, the time between two events. Calls that are no part of what one task does at a time (asynchronous ones) are told
 * as tasks of their own beside it, with one call each. What the recording does not hold (calls that began before it or did not end in it, or whose entry or exit
 * was lost) is completed and marked.
 *
 * Several consumers can use the same calls. Each has callbacks, and a payload of its own size on each frame and each task:
 *	struct calls_user user = { .ops = &ops, .ctx = me, .frame_size = sizeof(struct my_frame), .task_size = sizeof(struct my_task) };
 *	calls_add(calls, &user);
 *	... in a callback: struct my_frame *mine = call_frame_of(&user, frame);
 * No printing.
 */
#ifndef RINGSIDE_CALLS_H
#define RINGSIDE_CALLS_H

#include "lib/analysis/handler.h"
#include "lib/analysis/input.h"
#include "lib/analysis/pair-spec.h"

/* How a call is incomplete. */
enum call_cut {
	CALL_NO_ENTRY = 1,	/* its entry is not in the recording */
	CALL_NO_EXIT = 2,	/* its exit is not */
	CALL_LOSS = 4,		/* because events were lost there */
	CALL_EDGE = 8,		/* because the recording began or ended */
};

/* What a call runs in; one that interrupts another has a higher number. */
enum call_irq { CALL_IN_TASK, CALL_IN_SOFTIRQ, CALL_IN_HARDIRQ, CALL_IN_NMI };

/* How a call ended. */
struct call_end {
	uint64_t ts;		/* raw units, of the record that tells it; of a leaf that is its entry */
	uint64_t ns;		/* when it ended, as input_time() has it; of a leaf its beginning and its duration */
	uint64_t duration;	/* see calls.h, struct call_frame; CALL_UNKNOWN when the entry or the exit is not known */
	uint64_t retval;
	bool has_retval;
	bool leaf;		/* its exit directly followed its entry on the same CPU */
	uint16_t cpu;		/* where it ended */
	uint8_t cut;		/* all of enum call_cut */
	const struct record *rec;	/* the record of its exit; NULL: that is not recorded, or was told with the entry, or is not at hand */
};
#define CALL_UNKNOWN UINT64_MAX

/*
 * A call that has been entered and not yet left. The payloads of the consumers follow it in memory.
 * Times: function_graph says in ns how long a call took, whatever the trace's clock is. All others take the difference of the
 * times of entry and exit, when those are ns (task->in_ns). Nobody can say how long a clock's ticks are: then it is CALL_UNKNOWN.
 */
struct call_frame {
	uint64_t func;		/* what is called, a number that its source understands: call_name(). Of function_graph an
				 * address; 0: not known (yet), with CALL_NO_ENTRY */
	uint64_t ts;		/* of its entry, or of the record that shows it was entered; raw units */
	uint64_t ns;		/* the same as input_time() has it */
	uint64_t key;		/* its source's own: what tells calls of the same function apart */
	uint64_t retaddr;	/* the caller's address; 0: not recorded */
	uint64_t gap;		/* when events of its task may have been lost first since it was entered, ns: call_gap(); 0: never */
	uint32_t depth;		/* its source's own: of function_graph as recorded */
	uint16_t cpu;		/* where it was entered */
	uint8_t source;		/* index into call_sources */
	uint8_t cut;		/* CALL_NO_ENTRY and why; 0: its entry is recorded */
	uint8_t irq;		/* enum call_irq: in what it runs */
	uint8_t level;		/* enum call_level, of its source */
	bool over;		/* it has ended as .end says, and is left when those above it are */
	bool stacked;		/* it runs on the kernel's stack: one that stands above another such has ended when that one has */
	struct call_end end;
};

/* A task; each CPU's idle task is one of its own. The payloads of the consumers follow it in memory; it does not move. */
struct call_task {
	const struct input *input;
	struct trace *trace;
	int pid;
	uint16_t idle_cpu;	/* of pid 0 */
	uint16_t buffer;
	uint16_t cpu;		/* where it was seen last */
	uint8_t file;
	bool in_ns;		/* its clock's times are ns, or can be converted */
	bool apart;		/* other buffers tell what happens between records of this one, also between a leaf's entry and exit */
	bool aside;		/* no task, but a place for a call beside the stack of one: .beside */
	uint32_t lowest;	/* the lowest depth of function_graph seen so far; UINT32_MAX: no call yet */
	/* The calls that are open: see call_at(). */
	size_t depth;		/* how many */
	uint32_t gaps;		/* how often call_gap() was called */
	uint8_t least_irq;	/* of what function_graph has told since then, the least enum call_irq */
	size_t over;		/* how many of them have ended */
	size_t room, stride;	/* stride: bytes from one frame to the next */
	char *frames;
	struct call_frame *waiting;	/* the sources': calls to be entered when what is open above their level has ended */
	size_t nwaiting;
	uint64_t syscall;		/* of system calls: the one that ended last, and what told so; 0: none */
	struct call_task *free_aside;	/* a list of places beside it that are free; of such a place, the next one */
	struct call_task *beside;	/* of a place: which task it is beside */
	uint8_t part;			/* of a place: enum call_part of the call that is there */
};

/* The @i-th open call, 0 is the outermost. Holds until the next call of the task is entered, and so do the payloads. */
static inline struct call_frame *call_at(const struct call_task *task, size_t i)
{
	return (struct call_frame *)(task->frames + i * task->stride);
}

/* The innermost open call, when task->depth is not 0. */
static inline struct call_frame *call_top(const struct call_task *task)
{
	return call_at(task, task->depth - 1);
}

/* The call from which the task's frame @frame was called; NULL: none is known. */
static inline struct call_frame *call_caller(const struct call_task *task, const struct call_frame *frame)
{
	return (const char *)frame == task->frames ? NULL : (struct call_frame *)((char *)frame - task->stride);
}

/* Each returns 0 or a negative errno that ends the pass; each may be NULL. */
struct calls_ops {
	/* A task is seen for the first time; its payload is all zero. */
	int (*task)(void *ctx, struct call_task *task);
	/* A call was entered: it is call_top(task), its payload all zero. @rec: its entry; NULL when that is not recorded, or not at hand. */
	int (*enter)(void *ctx, struct call_task *task, struct call_frame *frame, const struct record *rec);
	/* It is left: still call_top(task). frame->func is known now if it ever will be. */
	int (*leave)(void *ctx, struct call_task *task, struct call_frame *frame, const struct call_end *end);
	/* It has ended, but others still stand above it: leave() comes when they are left, then with an @end without its .rec. */
	int (*over)(void *ctx, struct call_task *task, struct call_frame *frame, const struct call_end *end);
	/* Events were lost on @cpu, where this task ran last before the gap or first after it. */
	int (*lost)(void *ctx, struct call_task *task, uint16_t cpu, int64_t lost);
	/*
	 * From behind the record at @ns of the stream of @there (only .file, .buffer and .cpu are set), where @last ran (NULL: nobody is
	 * known), events are lost; or, @over, up to its record at @ns. It begins in the order of time, so that nothing is taken for
	 * certain that the gap makes uncertain; live it may come only when it is over.
	 */
	int (*gap)(void *ctx, const struct record *there, struct call_task *last, uint64_t ns, bool over);
	/* A record of the task on @cpu is about to be taken in; only when there have been gaps. */
	int (*seen)(void *ctx, struct call_task *task, uint16_t cpu);
	/* A record of any other event. */
	int (*other)(void *ctx, struct call_task *task, const struct event *event, const struct record *rec);
	/* The task is gone: all its calls were left. For freeing what its payload holds. Also called by calls_free(). */
	void (*gone)(void *ctx, struct call_task *task);
};

/*
 * A consumer knows that from @ns on events of the task may have been lost: what its open calls did since is not known, nor whether the
 * next exit is of one of them or of another call of the same function.
 */
void call_gap(struct call_task *task, uint64_t ns);

struct calls_user {
	const struct calls_ops *ops;
	void *ctx;			/* given to each of them */
	size_t frame_size, task_size;	/* bytes of its payloads; 0: none */
	size_t frame_at, task_at;	/* set by calls_add(): where they are */
};

static inline void *call_frame_of(const struct calls_user *user, struct call_frame *frame)
{
	return (char *)frame + user->frame_at;
}

static inline void *call_task_of(const struct calls_user *user, struct call_task *task)
{
	return (char *)task + user->task_at;
}

struct calls;

/* Borrows @inputs. 0 or -ENOMEM. */
int calls_new(struct calls **out, const inputs_t *inputs);
void calls_free(struct calls *calls);

/* Before the first record: of calls only functions, those of function_graph and of --latency; to the consumers all else is events. */
void calls_functions_only(struct calls *calls);

/*
 * Before the first record: pairs of events are calls, too, each of the pair's name. They stand beside the stacks of tasks. Borrows @pairs. 0; -EINVAL or
 * -ENOENT after a message (an event that is not there, or has no such field); -ENOMEM.
 */
int calls_pairs(struct calls *calls, const pairs_t *pairs);

/* One more consumer, before the first record; it is borrowed. 0 or -ENOMEM. */
int calls_add(struct calls *calls, struct calls_user *user);

/* The handler of a pass that does calls_record() for each, and calls_end(); it frees the calls, before what their consumers have. */
struct handler *calls_handler(struct calls *calls);

/* For analyses that live on calls: what analysis.folds can be. A leaf's entry tells them all. */
bool calls_fold(const struct trace *trace);

/* The next record in the order of time. 0 or a negative errno. */
int calls_record(struct calls *calls, const struct record *rec);

/* No more records: leaves all calls that are still open. 0 or a negative errno. */
int calls_end(struct calls *calls);

/* All tasks in the order in which they were first seen. */
size_t calls_ntasks(const struct calls *calls);
struct call_task *calls_task(const struct calls *calls, size_t i);

/*
 * The task with this pid in the file and buffer of @rec (of pid 0 the idle task of its CPU), which need not be the one that
 * the record is of: a sched_switch tells of two. It is new when it has not been seen before. NULL: out of memory.
 */
struct call_task *calls_find(struct calls *calls, const struct record *rec, int pid);

/* What was lost so far: events that the kernel counted, whether there were others, and in how many places. */
struct calls_lost {
	uint64_t events, places;
	bool more;
};
const struct calls_lost *calls_lost(const struct calls *calls);

/*
 * Calls @each for the names of what the events of the @file-th input call, functions of function_graph left out: those have the
 * names of symbols. Some sources know their names only when the records come: true.
 */
bool calls_names(const struct calls *calls, size_t file, void (*each)(void *ctx, const char *name), void *ctx);

/* Is the .func of a frame with this .source an address in the kernel? */
bool call_has_address(unsigned int source);

/*
 * The name of what a frame with this .source and .func calls in a trace. @buf may be used for it. Symbols come with their module
 * only in *@module (NULL: not asked for), which is NULL when there is none. CALL_SOURCE_GRAPH: the functions of function_graph.
 */
enum { CALL_NAME = 32, CALL_SOURCE_GRAPH = 0 };
const char *call_name(const struct trace *trace, unsigned int source, uint64_t func, char buf[CALL_NAME], const char **module);

#endif
