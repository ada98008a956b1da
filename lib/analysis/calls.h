/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Puts the calls of tasks together from the records of their entries and exits. Each task has one stack of its open calls, even if it moves from CPU to CPU.
 * A call is entered when it is put on the stack, and is left when it is taken off. The innermost call is at the top of the stack, and is left first. Every call
 * that is entered is also left. There are several kinds of calls. For each kind there is a source, which is the code that finds calls of this kind in the
 * records (lib/analysis/call-source.h). A call can be a function that function_graph has recorded, a system call, or a section that a program has marked. The
 * time between two events can also be a call. An asynchronous call may overlap with other calls of the task, so it is not on the stack. Such a call stands
 * beside the stack. It has a struct call_task of its own, which is called a place. After the call has ended, its place is free, and can be used for another
 * call. An entry or an exit is missing if it happened before or after the recording, or if its record was lost. A call with a missing entry or exit is put on
 * the stack and taken off like any other. Bits of enum call_cut mark such a call.
 *
 * Several consumers can use the same calls. Each consumer has callbacks. A consumer can also keep data of its own with each frame (struct call_frame) and with
 * each task (struct call_task). These data are the consumer's payloads, whose sizes the consumer chooses:
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
	uint64_t ts;	   /* the raw time (record.ts) of the record that shows the end; if .leaf is true, this is the record of the entry */
	uint64_t ns;	   /* when the call ended, as input_time() converts times; if .leaf is true, the call's beginning plus its duration */
	uint64_t duration; /* see struct call_frame; CALL_UNKNOWN when the entry or the exit is not known */
	uint64_t retval;
	uint16_t later; /* used if .leaf is true: how much later than .ts the exit was recorded, in the units of .ts */
	uint16_t cpu;	/* the CPU on which the call ended */
	bool has_retval;
	bool open;   /* the call was still open when the recording ended; .ts and .ns are the times of its entry */
	bool leaf;   /* the exit directly followed the entry on the same CPU */
	uint8_t cut; /* bits of enum call_cut */
	/*
	 * The record of the exit. It is NULL in each of these cases:
	 * - the exit is not recorded;
	 * - the exit is folded into the record of the entry;
	 * - the record of the exit is no longer at hand.
	 */
	const struct record *rec;
};
#define CALL_UNKNOWN UINT64_MAX

/*
 * This is a call that has been entered and not yet left. The payloads of the consumers follow the structure in memory. The duration of a call is in
 * ns. For calls of functions, function_graph records the duration, whatever the trace's clock is. With the kernel's option nosleep-time, this duration does not
 * include the time off the CPU (timed_facts.unmeasured in lib/analysis/timed.h). For all other calls:
 * - If the trace's times are ns (task->in_ns), the duration is the time of the exit minus the time of the entry.
 * - If the trace's times are ticks of unknown length, the duration is CALL_UNKNOWN.
 */
struct call_frame {
	/*
	 * A number that stands for what is called. call_name() gives its name. For function_graph, the number is the address of the function. 0: what is
	 * called is not known, or not known yet. Only calls with CALL_NO_ENTRY can have 0 here.
	 */
	uint64_t func;
	uint64_t ts;	  /* the raw time (record.ts) of its entry; if the entry is not recorded, of the record that shows that the call was entered */
	uint64_t ns;	  /* .ts as input_time() converts it */
	uint64_t key;	  /* only its source uses this, to tell calls of the same function apart */
	uint64_t retaddr; /* the return address, which is in the caller; 0: not recorded */
	uint64_t gap;	  /* the first time since its entry at which events of its task may have been lost, ns; call_gap() sets it; 0: there was no such time */
	uint32_t depth;	  /* only its source uses this; for function_graph it is the recorded depth */
	uint16_t cpu;	  /* the CPU to which the call belongs: where it was entered; see also call_task.at_end */
	uint8_t source;	  /* index into call_sources */
	uint8_t cut;	  /* CALL_NO_ENTRY and the bit of the reason; 0: its entry is recorded */
	uint8_t irq;	  /* enum call_irq; if the call's entry is not recorded, its exit may set a higher value */
	uint8_t level;	  /* enum call_level */
	bool waited;	  /* it had to wait before it was entered: see wait() of struct calls_ops */
	bool over;	  /* it has ended (.end says how); it is still on the stack, because calls above it are still open */
	bool stacked;	  /* It runs on the kernel's stack. When an outer call on the kernel's stack has ended, this call has ended as well. */
	/*
	 * It is the outermost function of an interrupt. When the interrupt came, the interrupted code had already begun its next call, but the entry of that
	 * call was not recorded yet.
	 */
	bool early;
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
	bool in_ns; /* the times of the task's records are ns, or can be converted to ns */
	/*
	 * A leaf call is a call inside which no other call was recorded. True: the entry and the exit of a leaf call are taken in separately. The reason is
	 * that a consumer uses records of other buffers, which may come between the entry and the exit.
	 */
	bool apart;
	bool alone; /* its file has no other buffers */
	bool aside; /* this is no task, but a place for a call beside the stack of the task .beside */
	/* In a place: both ends of the call are recorded in the task .beside. So these records can be lost only on CPUs where .beside was. */
	bool inside;
	/*
	 * In a place: the call belongs to the CPU on which it ends, not to the CPU on which it begins. An example is the wait of a task for a CPU, which ends
	 * when the task gets a CPU. For such a call, call_frame.cpu changes before leave(), if the end of the call is recorded.
	 */
	bool at_end;
	uint32_t lowest; /* the lowest depth that function_graph has shown so far; UINT32_MAX: no call yet */
	/* The members from here to .frames are about the calls on the stack. These calls are the open calls: see call_at(). */
	size_t depth;	   /* how many calls are on the stack */
	uint32_t gaps;	   /* how often call_gap() was called */
	uint8_t least_irq; /* the lowest enum call_irq that function_graph has shown since the last call_gap() */
	size_t over;	   /* how many of the calls on the stack have ended and are not left yet */
	size_t room;	   /* how many frames fit into the memory .frames */
	size_t stride;	   /* bytes from one frame in .frames to the next */
	char *frames;
	struct call_frame *waiting; /* only sources use this: calls that have begun, and will be entered when calls of higher levels have ended */
	size_t nwaiting;
	struct syscall_told syscall; /* only the source of system calls uses this: the system call that ended last */
	/*
	 * The first thread of a process has the pid of the process. If another thread of the process calls execve, that thread gets the pid of the process.
	 * The call of execve was entered in the struct call_task with the thread's earlier pid. But the record of the call's end has the new pid. So .exec of
	 * the struct call_task with the new pid points to the struct call_task with the earlier pid. From the next system call on, .exec is NULL again. In all
	 * other cases, .exec is NULL, too. .exec_losses is .losses of struct call_at (lib/analysis/call-source.h) at the moment when the thread got the pid.
	 * Only the source of system calls uses .exec_losses.
	 *
	 * If this task itself has got another pid by execve, .heir is the struct call_task with the new pid. Otherwise .heir is NULL. At first,
	 * heir->exec is this task. heir->exec may change later.
	 */
	struct call_task *exec, *heir;
	uint64_t exec_losses;
	struct call_task *free_aside; /* In a task: the first of its free places. In a free place: the next free place. NULL: there is none. */
	struct call_task *beside;     /* in a place: the task that it belongs to */
	uint8_t part;		      /* in a place: how its call depends on the task .beside (enum call_part in lib/analysis/call-source.h) */
};

/* Returns the @i-th open call; 0 is the outermost. The result and its payloads are valid until another call of the task is entered. */
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

/* This is a call that was entered and left with no record in between, and has no frame. Struct call_frame and struct call_end explain its members. */
struct call_brief {
	uint64_t func;	   /* never 0 */
	uint64_t duration; /* never CALL_UNKNOWN */
	uint16_t cpu;
};

/*
 * These are the callbacks of a consumer. Each of them may be NULL. All but gone() return 0 or -errno, and brief() may also return 1. A -errno ends the pass
 * over the records. For a call beside a stack, @task is the place of the call (call_task.aside).
 */
struct calls_ops {
	/* A task is seen for the first time, or a place is made. The payload of @task is all zero. */
	int (*task)(void *ctx, struct call_task *task);
	/*
	 * A call was entered. The call is call_top(task), and its payload is zero. @rec is the record of its entry. @rec is NULL when there is no
	 * such record, or when the record is no longer at hand. If call_task.at_end is true, enter() may come only right before leave(), and @rec is then NULL.
	 * This is so for a consumer with calls_user.late. After calls_choose(), it is so for all consumers without calls_user.all_cpus.
	 */
	int (*enter)(void *ctx, struct call_task *task, struct call_frame *frame, const struct record *rec);
	/*
	 * A call has begun, but calls of higher levels (enum call_level in lib/analysis/call-source.h) are still open. For example, a program's function
	 * begins inside of the kernel's function that handles its probe. enter() is called after the calls of higher levels have been left. In that enter(),
	 * frame->waited is true and @rec is NULL. If several calls of a task wait, they are entered in the order in which they began to wait. The @frame of
	 * wait() has no payload yet. The @rec of wait() is the record of the call's entry, or NULL when the entry is not recorded.
	 */
	int (*wait)(void *ctx, struct call_task *task, const struct call_frame *frame, const struct record *rec);
	/*
	 * A call was entered and left with no record in between. @rec is its entry, and its exit is folded into @rec. leaf() replaces enter() and leave()
	 * for such a call. This saves time, because most calls of functions are leaf calls. leaf() is used only if each consumer that has enter() also has
	 * leaf(). For a consumer that has leave(), and has neither enter() nor leaf(), leave() is called. In leaf(), too, the call is
	 * call_top(task), and its payload is zero. The call is complete: frame->cut, end->cut and frame->gap are 0, and end->leaf is true. At the time of
	 * @rec, no buffer of the file is losing events on the CPU of @rec.
	 */
	int (*leaf)(void *ctx, struct call_task *task, struct call_frame *frame, const struct record *rec, const struct call_end *end);
	/*
	 * This replaces leaf() for the most usual calls. Such a call is not put on the stack and has no frame. brief() is used if all of these are true:
	 * - function_graph has recorded the call;
	 * - the call runs in the same context as its caller @caller;
	 * - no event of the call or of its caller was lost;
	 * - each consumer that has leaf() or leave() also has brief().
	 * The first consumer whose brief() is called can refuse the call by returning 1. If it does so, it must not have changed anything, and leaf() is called
	 * for all consumers instead of brief().
	 */
	int (*brief)(void *ctx, struct call_task *task, struct call_frame *caller, const struct call_brief *call);
	/* A call is left. It is still call_top(task). If frame->func is still 0, what was called will never be known. */
	int (*leave)(void *ctx, struct call_task *task, struct call_frame *frame, const struct call_end *end);
	/*
	 * A call has ended, but calls above it on the stack are still open. leave() is called for the ended call after the calls above it have been left.
	 * In that leave(), end->rec is NULL.
	 */
	int (*over)(void *ctx, struct call_task *task, struct call_frame *frame, const struct call_end *end);
	/*
	 * The task has ended, and its pid belongs to another task from the record at @ns on. If @ns is UINT64_MAX, the recording has ended instead. After
	 * ended(), leave() is called for the calls that are still open.
	 */
	int (*ended)(void *ctx, struct call_task *task, uint64_t ns);
	/*
	 * Events were lost on @cpu. The time in which they were lost is called a gap. This callback comes when the gap is over. It is called for the last task
	 * that ran on @cpu before the gap, if this task is known. It is also called for the first task that runs on @cpu after the gap, if this task is known.
	 * If these two tasks are the same task, the callback is called once. @lost is the kernel's count of the lost events, or LOST_UNKNOWN.
	 */
	int (*lost)(void *ctx, struct call_task *task, uint16_t cpu, int64_t lost);
	/*
	 * Events were lost in a stream, which is one CPU of one buffer. If @over is false, the gap begins after the stream's record at @ns. If @over is
	 * true, the gap ends at the stream's record at @ns. The .file, .buffer and .cpu of @there name the stream. If @over is true, the .lost of @there is
	 * set as well. @last is the last task that ran on this CPU, or NULL when that is not known. For the beginning of a gap, the callback comes before
	 * all records with later times. So when consumers get such a record, they know already that other records may be missing. While live records are
	 * merged, the callback for the beginning may come late, when the gap is already over.
	 */
	int (*gap)(void *ctx, const struct record *there, struct call_task *last, uint64_t ns, bool over);
	/*
	 * A thread has called execve on @cpu and has got the pid of its process. From now on, the records of the thread have this pid. @task is the
	 * thread under this pid, and @old is the thread under its earlier pid. The thread's open calls stay in @old. The calls that were open in
	 * @task belonged to another thread, and have been left.
	 */
	int (*execs)(void *ctx, struct call_task *task, struct call_task *old, uint16_t cpu);
	/*
	 * The task's next record, which was made on @cpu, is about to be taken in. This is called only if there have been gaps. It may be called twice for
	 * the same record.
	 */
	int (*seen)(void *ctx, struct call_task *task, uint16_t cpu);
	/*
	 * A record has come that tells once more that a call has begun: a system call may be recorded by two events (lib/analysis/syscall-match.h). For the
	 * first of the two records, enter() or wait() is called, and for the second, again() is called.
	 */
	int (*again)(void *ctx, struct call_task *task, const struct event *event, const struct record *rec);
	/* A record has come that belongs to no call. */
	int (*other)(void *ctx, struct call_task *task, const struct event *event, const struct record *rec);
	/*
	 * @task is not used any more. If the pass has failed, calls may still be on its stack. The consumer frees what its payload owns. calls_free() calls
	 * this for each task and place.
	 */
	void (*gone)(void *ctx, struct call_task *task);
};

/*
 * A consumer calls call_gap() when it finds out that events of the task may have been lost from @ns on. Any open call may have ended since @ns without a record
 * of its exit. So the next exit may belong to an open call. It may also belong to a later call of the same function, if the entry of that call was not
 * recorded.
 */
void call_gap(struct call_task *task, uint64_t ns);

struct calls_user {
	const struct calls_ops *ops;
	void *ctx;		      /* given to each callback */
	size_t frame_size, task_size; /* bytes of its payloads; 0: none */
	bool all_cpus;		      /* the consumer is told of the calls and records of all CPUs, even after calls_choose() */
	bool late;		      /* enter() needs to know the CPU to which a call belongs, even if call_task.at_end is true: see enter() */
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
 * Limits the calls to calls of functions, as function_graph or `record --latency` has recorded them. other() then gets the records of all other calls.
 * The records of other buffers may come between the entry and the exit of a leaf call. @meanwhile is true if consumers use such records. The function has
 * to be called before the first record.
 */
void calls_functions_only(struct calls *calls, bool meanwhile);

/*
 * Says that only chosen functions, and what is inside of their calls, were recorded (--func). After calls_without_callers(), a function whose caller is not
 * recorded is taken for a function without a caller. Otherwise, such a function is taken for a function with an unknown caller. calls_without_callers() has to
 * be called before the first record.
 */
void calls_without_callers(struct calls *calls);

/*
 * Says that only the calls that belong to the CPUs of @cpus (call_frame.cpu) are wanted. calls_record() still has to get the records of all CPUs, because a
 * call can end on another CPU. Consumers without .all_cpus are then told only of the wanted calls, and of the records of the CPUs in @cpus. For any other call,
 * the payload of such a consumer stays zero. @cpus is borrowed. This has to be called before the first record.
 */
void calls_choose(struct calls *calls, const struct cpuset *cpus);

/* Returns true if a call that belongs to @cpu is wanted. */
bool calls_chosen(const struct calls *calls, unsigned int cpu);

/*
 * Adds calls of another kind: the time between the two events of a pair is a call. This call has the name of the pair and stands beside the stack of its task.
 * If no file has both events of a pair that has .or_function, the pair is left out. Borrows @pairs. This has to be called before the first record. Returns one
 * of these:
 * - 0;
 * - -ENOENT after a message, if no file has both events of a pair that has no .or_function;
 * - -EINVAL after a message, if an event lacks a field that is a key, or if a filter is wrong;
 * - -ENOMEM.
 */
int calls_pairs(struct calls *calls, const pairs_t *pairs);

/* Adds a consumer, which is borrowed. This has to be called before the first record. Returns 0 or -ENOMEM. */
int calls_add(struct calls *calls, struct calls_user *user);

/*
 * Returns a handler for a pass (lib/analysis/pass.h). The handler calls calls_record() for each record and calls_end() at the end. @calls is freed together
 * with the handler. @calls must be freed before its consumers. So the handler must be added to the pass before the handlers of the consumers.
 */
struct handler *calls_handler(struct calls *calls);

/*
 * An analysis can use this as its callback folds() (lib/analysis/analysis.h), if its only handler is that of a struct calls. calls_fold() always returns true,
 * because that handler finds the exit of a leaf call in the record of the entry.
 */
bool calls_fold(const struct trace *trace);

/* Takes in the next record in the order of time. Returns 0 or -errno. */
int calls_record(struct calls *calls, const struct record *rec);

/* Must be called after the last record. Calls leave() of the consumers for all calls that are still open. Returns 0 or -errno. */
int calls_end(struct calls *calls);

/*
 * calls_ntasks() returns how many tasks and places (call_task.aside) there are together. calls_task() returns the @i-th task or place, in the order in
 * which tasks were first seen and places were made.
 */
size_t calls_ntasks(const struct calls *calls);
struct call_task *calls_task(const struct calls *calls, size_t i);

/*
 * Returns the task with this pid in the file and buffer of @rec. For pid 0, this is the idle task of the record's CPU. @pid may differ from the pid
 * of the record, because a sched_switch is about two tasks. A task that is seen for the first time is added. Returns NULL when memory runs out.
 */
struct call_task *calls_find(struct calls *calls, const struct record *rec, int pid);

/* This tells what was lost so far. */
struct calls_lost {
	uint64_t events; /* how many events the kernel counted as lost */
	uint64_t places; /* how many gaps there were */
	bool more;	 /* for at least one loss, the kernel did not count how many events were lost */
};
const struct calls_lost *calls_lost(const struct calls *calls);

/*
 * A call of a function is left out if its records have a depth that no kernel has (CALL_MOST_DEPTH in lib/analysis/call-source.h). Returns how
 * many calls were left out so far. The recorded entries of these calls and the recorded exits are counted separately, and the result is the larger count. If
 * only the entry of some of these calls is recorded, and only the exit of others, the result is too low.
 */
uint64_t calls_deep(const struct calls *calls);

/*
 * Passes these names to @each:
 * - the names of all pairs;
 * - the names of all calls that can begin with an event of the input with the index @file.
 * The functions of function_graph are left out, because their names are symbols. Returns true when there may be further calls, whose names are known only
 * after their records have come.
 */
bool calls_names(const struct calls *calls, size_t file, void (*each)(void *ctx, const char *name), void *ctx);

/*
 * call_sources_count() returns how many sources of calls there are (call_frame.source). call_source_calls() returns what the calls of a source are, in the
 * plural, for messages: "system calls".
 */
unsigned int call_sources_count(void);
const char *call_source_calls(unsigned int source);

/* Returns true if the .func of a frame with this .source is an address in the kernel. */
bool call_has_address(unsigned int source);

/*
 * Returns the name of what is called in a frame with this .source and .func. The name may be in @buf. If the name is a symbol of a module, *@module
 * becomes the name of the module, and otherwise NULL. @module itself may be NULL. CALL_SOURCE_GRAPH is the source of function_graph's functions.
 */
enum { CALL_NAME = 32, CALL_SOURCE_GRAPH = 0 };
const char *call_name(const struct trace *trace, unsigned int source, uint64_t func, char buf[CALL_NAME], const char **module);

#endif
