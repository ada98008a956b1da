/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Puts the calls of tasks together from the records of their entries and exits. Each task has one stack of calls, whichever CPUs it runs on. Every
 * call that is entered is also left, and the innermost call, which is at the top of the stack, is left first. A call comes from a source
 * (lib/analysis/call-source.h): it is a function that function_graph recorded, a system call, a section that a program has marked, or the time
 * between two events. A call that may overlap with others (an asynchronous one) is not on the stack. It is beside the stack: it has a struct
 * call_task for itself, which is called a place. The entry or the exit of a call may not be in the recording, because it happened before or after the
 * recording, or because its record was lost. Such a call is entered and left all the same, and is marked (enum call_cut).
 *
 * Several consumers can use the same calls. Each consumer has callbacks. In each frame (struct call_frame) and in each task (struct call_task) it also has
 * a payload: memory of its own, of a size that it chooses:
 *	struct calls_user user = { .ops = &ops, .ctx = me, .frame_size = sizeof(struct my_frame), .task_size = sizeof(struct my_task) };
 *	calls_add(calls, &user);
 *	... in a callback: struct my_frame *mine = call_frame_of(&user, frame);
 * Nothing in here prints.
 */
#ifndef RINGSIDE_CALLS_H
#define RINGSIDE_CALLS_H

#include "lib/analysis/handler.h"
#include "lib/analysis/input.h"
#include "lib/analysis/pair-spec.h"
#include "lib/analysis/syscall-match.h"
#include "lib/base/parse.h"

/* These bits tell which record of a call is missing, and why. */
enum call_cut {
	CALL_NO_ENTRY = 1, /* its entry is not in the recording */
	CALL_NO_EXIT = 2,  /* its exit is not in the recording */
	CALL_LOSS = 4,	   /* the reason: events were lost */
	CALL_EDGE = 8,	   /* the reason: the recording had not begun yet, or had ended */
	CALL_CUTS = 16,	   /* every combination of the bits is less than this */
};

/* This is the context in which a call runs. A context that can interrupt another one has a higher number. */
enum call_irq { CALL_IN_TASK, CALL_IN_SOFTIRQ, CALL_IN_HARDIRQ, CALL_IN_NMI };

/* This tells how a call ended. */
struct call_end {
	uint64_t ts;	   /* the time of the record that shows the end, in raw units; for a leaf this record is its entry */
	uint64_t ns;	   /* when the call ended, as input_time() converts times; for a leaf, its beginning plus its duration */
	uint64_t duration; /* see struct call_frame; CALL_UNKNOWN when the entry or the exit is not known */
	uint64_t retval;
	bool has_retval;
	bool leaf;		  /* its exit directly followed its entry on the same CPU */
	uint16_t cpu;		  /* where it ended */
	uint8_t cut;		  /* bits of enum call_cut */
	const struct record *rec; /* the record of the exit; NULL: it is not recorded, is folded into the record of the entry, or is no longer at hand */
};
#define CALL_UNKNOWN UINT64_MAX

/*
 * This is a call that has been entered and not yet left. The payloads of the consumers follow it in memory. The duration of a call is in ns.
 * function_graph records it, whatever the trace's clock is. For all other calls it is the time of the exit minus the time of the entry, if these
 * times are in ns (task->in_ns). If they are in ticks of unknown length, the duration is CALL_UNKNOWN.
 */
struct call_frame {
	/*
	 * What is called, as a number that the call's source understands (call_name()). For function_graph it is an address. 0: it is not known, or
	 * not known yet; only calls with CALL_NO_ENTRY can have this.
	 */
	uint64_t func;
	uint64_t ts;	  /* the time of its entry, or of the record that shows that it was entered; raw units */
	uint64_t ns;	  /* .ts as input_time() converts it */
	uint64_t key;	  /* only its source uses this, to tell calls of the same function apart */
	uint64_t retaddr; /* the return address, which is in the caller; 0: not recorded */
	uint64_t gap;	  /* the first time since its entry at which events of its task may have been lost, ns; call_gap() sets it; 0: none */
	uint32_t depth;	  /* only its source uses this; for function_graph it is the recorded depth */
	uint16_t cpu;	  /* where it was entered */
	uint8_t source;	  /* index into call_sources */
	uint8_t cut;	  /* CALL_NO_ENTRY and why; 0: its entry is recorded */
	uint8_t irq;	  /* enum call_irq; may grow at the exit of a function whose entry is not recorded */
	uint8_t level;	  /* enum call_level */
	bool waited;	  /* it had to wait before it was entered: see wait() of struct calls_ops */
	bool over;	  /* it has ended, as .end says, and is left after the calls above it on the stack */
	bool stacked;	  /* it runs on the kernel's stack: if an outer call that runs on that stack has ended, this one has ended as well */
	struct call_end end;
};

/*
 * This is a task in one buffer. Each CPU's idle task is a separate task. The payloads of the consumers follow the structure in memory. The structure
 * is never moved.
 */
struct call_task {
	const struct input *input;
	struct trace *trace;
	int pid;
	uint16_t idle_cpu; /* for pid 0: the CPU whose idle task this is */
	uint16_t buffer;
	uint16_t cpu; /* where it was seen last */
	uint8_t file;
	bool in_ns;	 /* its clock's times are ns, or can be converted to ns */
	bool apart;	 /* a leaf's entry and exit are taken in separately, because a consumer uses records of other buffers that may come between them */
	bool alone;	 /* its file has no other buffers */
	bool aside;	 /* this is no task, but a place for a call beside the stack of the task .beside */
	bool inside;	 /* in a place: the task .beside makes both records of the call, so they can be lost only on CPUs where that task was */
	uint32_t lowest; /* the lowest depth of function_graph seen so far; UINT32_MAX: no call yet */
	/* These are the calls on the stack, which are the open calls: see call_at(). */
	size_t depth;	   /* how many calls there are */
	uint32_t gaps;	   /* how often call_gap() was called */
	uint8_t least_irq; /* the lowest enum call_irq that function_graph has shown since the last call_gap() */
	size_t over;	   /* how many of the calls on the stack have ended and are not left yet */
	size_t room;	   /* how many frames fit into the memory .frames */
	size_t stride;	   /* bytes from one frame in .frames to the next */
	char *frames;
	struct call_frame *waiting; /* only sources use this: calls that are entered after calls of higher levels have ended */
	size_t nwaiting;
	struct syscall_told syscall; /* only the source of system calls uses this: the system call that ended last */
	/*
	 * Only the source of system calls uses these two: the thread that has called execve and so got this task's pid (its call ends with a record of this
	 * task), or NULL, and what call_at.losses was then.
	 */
	struct call_task *exec;
	uint64_t exec_losses;
	struct call_task *free_aside; /* the head of the list of the task's free places; in a free place, the next one */
	struct call_task *beside;     /* in a place: the task that it belongs to */
	uint8_t part;		      /* in a place: the enum call_part (lib/analysis/call-source.h) of its call */
};

/* Returns the @i-th open call; 0 is the outermost. The frame and its payloads are valid until the next call of the task is entered. */
static inline struct call_frame *call_at(const struct call_task *task, size_t i)
{
	return (struct call_frame *)(task->frames + i * task->stride);
}

/* Returns the innermost open call; task->depth must not be 0. */
static inline struct call_frame *call_top(const struct call_task *task)
{
	return call_at(task, task->depth - 1);
}

/* Returns the call that has called @frame, or NULL when none is known. @frame is on the stack of @task. */
static inline struct call_frame *call_caller(const struct call_task *task, const struct call_frame *frame)
{
	return (const char *)frame == task->frames ? NULL : (struct call_frame *)((char *)frame - task->stride);
}

/* This is a call that was entered and left with no record in between, and has no frame. The members are those of struct call_frame and struct call_end. */
struct call_brief {
	uint64_t func;	   /* never 0 */
	uint64_t duration; /* never CALL_UNKNOWN */
	uint16_t cpu;
};

/*
 * These are the callbacks of a consumer. Each but gone() returns 0, or -errno, which ends the pass. Each may be NULL. For a call beside a stack,
 * @task is the place of the call (call_task.aside).
 */
struct calls_ops {
	/* A task is seen for the first time, or a place is made. Its payload is all zero. */
	int (*task)(void *ctx, struct call_task *task);
	/*
	 * A call was entered: it is call_top(task), and its payload is zero. @rec is the record of its entry, or NULL when that is not recorded or no
	 * longer at hand.
	 */
	int (*enter)(void *ctx, struct call_task *task, struct call_frame *frame, const struct record *rec);
	/*
	 * A call has begun, but calls of higher levels (enum call_level in lib/analysis/call-source.h) are still open. For example, a program's
	 * function begins inside of the kernel's function that handles its probe. enter() is called after those calls have been left, with
	 * frame->waited true and with NULL for @rec. If several calls of a task wait, they are entered in the order in which they began to wait. Here
	 * @frame has no payload yet. @rec is the record of the call's entry, or NULL when that is not recorded.
	 */
	int (*wait)(void *ctx, struct call_task *task, const struct call_frame *frame, const struct record *rec);
	/*
	 * A call was entered and left with no record in between: @rec is its entry, and its exit is folded into @rec. leaf() replaces enter() and
	 * leave() for such a call, which saves time, because most calls of functions are leaves. This is only done if each consumer that has enter()
	 * also has leaf(). A consumer that has neither of the two is told of the call by leave() alone. @frame is as in enter(). The call is complete
	 * (frame->cut, end->cut and frame->gap are 0, end->leaf is true), and at the time of @rec no buffer of the file has a gap on this CPU.
	 */
	int (*leaf)(void *ctx, struct call_task *task, struct call_frame *frame, const struct record *rec, const struct call_end *end);
	/*
	 * This replaces leaf() for the most usual calls: function_graph has recorded the call, the call runs in the same context as its caller @caller, and
	 * no event of the call or of its caller has been lost. This is only done if each consumer that has leaf() or leave() also has brief(). Such a call
	 * is not put on the stack and has no frame. The consumer whose brief() is called first can return 1, if it has changed nothing. Then leaf() is
	 * called instead, for all consumers.
	 */
	int (*brief)(void *ctx, struct call_task *task, struct call_frame *caller, const struct call_brief *call);
	/* A call is left; it still is call_top(task). If frame->func is not known now, it never will be. */
	int (*leave)(void *ctx, struct call_task *task, struct call_frame *frame, const struct call_end *end);
	/*
	 * A call has ended, but calls above it on the stack are still open. leave() is called after those have been left, with an @end whose .rec is
	 * NULL.
	 */
	int (*over)(void *ctx, struct call_task *task, struct call_frame *frame, const struct call_end *end);
	/*
	 * Events were lost on @cpu. This is called when the gap is over: for the task that ran there last before the gap, and for the task that ran there
	 * first after it, if they are known. If both are the same task, it is called once. @lost is the kernel's count of the lost events, or LOST_UNKNOWN.
	 */
	int (*lost)(void *ctx, struct call_task *task, uint16_t cpu, int64_t lost);
	/*
	 * Events were lost in a stream, which is one CPU of one buffer. If @over is false, the gap begins after the stream's record at
	 * @ns. If @over is true, the gap ends at the stream's record at @ns. @there names the stream by its .file, .buffer and .cpu; if @over is true,
	 * its .lost is set as well. @last is the task that ran there last (NULL: it is not known). The call for the beginning of a gap comes before all
	 * records with later times, so that consumers know already at these records that some may be missing. In a live merge, this call may come only
	 * when the gap is over.
	 */
	int (*gap)(void *ctx, const struct record *there, struct call_task *last, uint64_t ns, bool over);
	/* A record of the task on @cpu is about to be taken in. This is called only when there have been gaps, and may be called twice for a record. */
	int (*seen)(void *ctx, struct call_task *task, uint16_t cpu);
	/* A record has come that belongs to no call. */
	int (*other)(void *ctx, struct call_task *task, const struct event *event, const struct record *rec);
	/*
	 * @task is not used any more. If the pass has failed, calls may still be on its stack. The consumer frees what its payload owns. calls_free() calls
	 * this for each task and place.
	 */
	void (*gone)(void *ctx, struct call_task *task);
};

/*
 * A consumer calls this when it knows that events of the task may have been lost from @ns on. It is not known what the open calls have done since
 * @ns, nor whether the next exit belongs to one of them or to another call of the same function.
 */
void call_gap(struct call_task *task, uint64_t ns);

struct calls_user {
	const struct calls_ops *ops;
	void *ctx;		      /* given to each callback */
	size_t frame_size, task_size; /* bytes of its payloads; 0: none */
	bool all_cpus;		      /* it is told of the calls and records of all CPUs, even after calls_choose() */
	size_t frame_at, task_at;     /* set by calls_add(): where the payloads are, in bytes from the start of a frame or a task */
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

/* Makes a struct calls, which has no consumers yet. Borrows @inputs. Returns 0 or -ENOMEM. */
int calls_new(struct calls **out, const inputs_t *inputs);
void calls_free(struct calls *calls);

/*
 * Limits the calls to those of functions, which function_graph or `record --latency` has recorded. Consumers then get the records of all other
 * calls by other(). @meanwhile says that the consumers use records of a file's other buffers that come while a leaf call is open. This has to be called
 * before the first record.
 */
void calls_functions_only(struct calls *calls, bool meanwhile);

/*
 * Says that the records are only those of chosen functions and of what is inside of their calls (--func). Then a function whose caller is not among the
 * records has no caller, instead of one that is not known. This has to be called before the first record.
 */
void calls_without_callers(struct calls *calls);

/*
 * Says that only calls that begin on these CPUs are wanted. calls_record() still has to get the records of all CPUs, because a call can end on another CPU.
 * Consumers without .all_cpus are then told only of the wanted calls and of the records of these CPUs. Their payload of any other call stays zero.
 * @cpus is borrowed. This has to be called before the first record.
 */
void calls_choose(struct calls *calls, const struct cpuset *cpus);

/* Is a call that began on @cpu wanted? */
bool calls_chosen(const struct calls *calls, unsigned int cpu);

/*
 * Adds calls of another kind: the time between the two events of a pair is a call. It has the name of the pair and stands beside the stack of its task.
 * Borrows @pairs. This has to be called before the first record. Returns 0, -ENOENT after a message (no file has both events of a pair), -EINVAL after a
 * message (an event has no such field, or a filter is wrong), or -ENOMEM.
 */
int calls_pairs(struct calls *calls, const pairs_t *pairs);

/* Adds a consumer, which is borrowed. This has to be called before the first record. Returns 0 or -ENOMEM. */
int calls_add(struct calls *calls, struct calls_user *user);

/*
 * Returns a handler for a pass. It calls calls_record() for each record and calls_end() at the end. Its free() frees @calls. It must be added to the
 * pass before the handlers of the consumers, because the calls must be freed before their consumers.
 */
struct handler *calls_handler(struct calls *calls);

/*
 * This is the callback folds() (lib/analysis/analysis.h) for an analysis whose only handler is that of a struct calls. It returns true, because the entry of
 * a leaf call, into which the exit is folded, tells struct calls all that it needs.
 */
bool calls_fold(const struct trace *trace);

/* Takes in the next record in the order of time. Returns 0 or -errno. */
int calls_record(struct calls *calls, const struct record *rec);

/* Must be called after the last record. It leaves all calls that are still open. Returns 0 or -errno. */
int calls_end(struct calls *calls);

/*
 * calls_ntasks() returns the number of all tasks and places (call_task.aside). calls_task() returns the @i-th of them in the order in which they were
 * first seen or made.
 */
size_t calls_ntasks(const struct calls *calls);
struct call_task *calls_task(const struct calls *calls, size_t i);

/*
 * Returns the task with this pid in the file and buffer of @rec; for pid 0 it is the idle task of the record's CPU. @pid need not be the pid of the
 * record, because a sched_switch is about two tasks. A task that has not been seen before is added. Returns NULL when memory runs out.
 */
struct call_task *calls_find(struct calls *calls, const struct record *rec, int pid);

/* This tells what was lost so far. */
struct calls_lost {
	uint64_t events; /* how many events the kernel counted as lost */
	uint64_t places; /* how many gaps there were */
	bool more;	 /* there were also losses that the kernel did not count */
};
const struct calls_lost *calls_lost(const struct calls *calls);

/*
 * Returns how many calls of functions were left out so far, because their records have a depth that no kernel has (CALL_MOST_DEPTH in
 * lib/analysis/call-source.h). If only the entry or the exit of some of them is recorded, there may have been more.
 */
uint64_t calls_deep(const struct calls *calls);

/*
 * Passes to @each the names of all calls that can begin with an event of the @file-th input. Functions are not among them, because they have the names
 * of symbols. Returns true when there may also be calls whose names are known only after their records have come.
 */
bool calls_names(const struct calls *calls, size_t file, void (*each)(void *ctx, const char *name), void *ctx);

/* Is .func of frames with this .source an address in the kernel? */
bool call_has_address(unsigned int source);

/*
 * Returns the name of what is called in a frame with this .source and .func. The name may be in @buf. *@module becomes the module of a symbol, or
 * NULL when it has none; @module may be NULL. CALL_SOURCE_GRAPH is the source of function_graph's functions.
 */
enum { CALL_NAME = 32, CALL_SOURCE_GRAPH = 0 };
const char *call_name(const struct trace *trace, unsigned int source, uint64_t func, char buf[CALL_NAME], const char **module);

#endif
