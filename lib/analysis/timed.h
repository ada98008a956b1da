/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Divides the time of each call into parts, as Documentation/analysis.md defines them:
 * - the time of the callees
 * - the time of interrupts on top of the call
 * - the time during which the call's task was off the CPU
 * - the self time, which is the rest
 *
 * A struct timed is a consumer of a struct calls (lib/analysis/calls.h). The struct calls tells its consumers when a call is entered and when a call is left.
 * The struct timed keeps a struct timed_call with each open call (struct call_frame). When a call is left, the call's struct timed_call has the call's times.
 * Consumers that were added to the same struct calls after the struct timed can read these times in their leave().
 *
 * The time off the CPU is known from sched_switch. Any buffer of the file may have the records of sched_switch, and several buffers may have the same switch.
 * Without sched_switch, the time in schedule() and similar functions is taken as the time off the CPU, and is marked as guessed. A call that is not complete is
 * called a cut call. The times of a cut call are not counted. A loss on a CPU cuts the open calls of all tasks that may have run on this CPU during the loss.
 * Documentation/analysis.md tells which tasks these are.
 */
#ifndef RINGSIDE_TIMED_H
#define RINGSIDE_TIMED_H

#include "lib/analysis/call-source.h"
#include "lib/analysis/callgraph.h"
#include "lib/analysis/calls.h"
#include "lib/analysis/handlers.h"
#include "lib/analysis/scheduling.h"

/*
 * These are times of an interrupt's functions, in ns. The functions were recorded before the entry of a call (call_frame.early), so their times are first added
 * to the times of the caller. But when a call begins, function_graph first takes the time, and records the entry later. So the interrupt may have come during
 * the call. The duration in the call's exit tells whether it did. If the interrupt came during the call, its times are moved from the caller to the call.
 * Losses of events clear all members.
 */
struct timed_early {
	uint64_t callees, irq; /* how much of these times is in the caller's .callees, and how much is in the caller's .irq */
	uint64_t since;	       /* when the first of these functions began */
};

/* This is the data that lib/analysis/calls.h keeps for a struct timed with each struct call_frame. */
struct timed_call {
	struct timed_early early; /* what came before the entry of the innermost call that this call has made */
	/*
	 * The times of the call. While the call is open, .self is 0, and .off, .callees and the other parts are the sums so far. While the call is open, .total
	 * is a sum over all calls below this call: the sum of the times off the CPU that the durations in the exits of those calls do not include
	 * (timed_facts.unmeasured).
	 */
	struct call_times times;
	/*
	 * In ns. When a call is left and .cut is true, this is a lower bound of the call's duration. While the call is open, this is a lower bound of the
	 * time of its incomplete callees; the parts of their time that are in .times already are left out.
	 */
	uint64_t at_least;
	bool cut;      /* the call is not complete, or .timeless is true; while the call is open, .cut may still become true */
	bool timeless; /* the call is complete, but its total is not known: see units_why_timeless() in lib/analysis/units.h */
	/* This is the outermost call of an interrupt. The call below it on the stack was interrupted, and is not its caller. */
	bool irq;
	bool told; /* used if .irq is true: events of the interrupt's handler tell how long the handler ran */
	/*
	 * Used if .irq is true: how long the task was off the CPU in the interrupt, ns. With PREEMPT_RT, a task that runs a soft interrupt can leave its CPU.
	 * This time is time off the CPU of the interrupted call.
	 */
	uint64_t away;
};

/*
 * Returns true if @task stands for an asynchronous section, and not for a task (CALL_ASYNC in lib/analysis/call-source.h). For an asynchronous section, the
 * time off the CPU and the time in interrupts are not known. Both times are 0 in the struct call_times of such a section.
 */
static inline bool timed_is_async(const struct call_task *task)
{
	return task->aside && task->part == CALL_ASYNC;
}

/*
 * Returns true if the calls of @task are off the CPU when the task is. Returns false only for a place (call_task.aside) whose calls are CALL_BESIDE or
 * CALL_ASYNC.
 */
static inline bool timed_depends(const struct call_task *task)
{
	return !task->aside || task->part >= CALL_OF_TASK;
}

/*
 * Returns true if the time off the CPU of @call can be used. @call is a call of @task. The time cannot be used in each of these cases:
 * - timed_is_async() returns true for @task.
 * - The time is not guessed, and a filter, --func or --min-duration leaves out some records of sched_switch.
 * The result does not tell whether the input has any records of sched_switch. timed_facts_of() tells this.
 */
static inline bool timed_call_off_known(const struct timed_call *call, const struct call_task *task)
{
	return !timed_is_async(task) && (call->times.guessed || !task->input->some_switches);
}

struct timed;

/* Makes *@out, a consumer of @calls. @calls must live as long as *@out. Borrows @inputs. Returns 0 or -ENOMEM. */
int timed_new(struct timed **out, struct calls *calls, const inputs_t *inputs);
void timed_free(struct timed *timed);

/*
 * Returns the mark of @task at a record on @cpu. A mark tells whether events of a task can have been lost between two records. If both records have the same
 * mark, and this mark is not TIMED_DOUBTFUL, no events of the task can have been lost between them. The marks are for analyses that put calls together
 * themselves, without the struct calls. Before each call of timed_doubts(), the caller must pass a copy of the record to calls_record(). The copy must not have
 * RECORD_GAP. lib/analysis/doubts.h does all of this.
 */
uint64_t timed_doubts(struct timed *timed, struct call_task *task, uint16_t cpu);
#define TIMED_DOUBTFUL UINT64_MAX

/* Returns the struct timed_call that is kept with @frame. */
struct timed_call *timed_call_of(const struct timed *timed, struct call_frame *frame);

/*
 * Returns the struct calls_user of @timed. If the result is passed to call_frame_of(), call_frame_of() returns what timed_call_of() returns, but faster. The
 * result is valid as long as @timed.
 */
const struct calls_user *timed_user(const struct timed *timed);

/*
 * Returns true if @frame is a call of schedule() or of a similar function, in which a task leaves the CPU. Returns false for all calls that
 * function_graph has not recorded.
 */
bool timed_schedules(const struct timed *timed, const struct call_task *task, const struct call_frame *frame);

/*
 * Returns true if @frame is a call of __cond_resched() in which the task has left the CPU. It does so only sometimes, and only the end of the call tells. So
 * timed_schedules() returns false for such a call, and this function must be called from the member .leave of a struct calls_ops.
 */
bool timed_rescheduled(const struct timed *timed, const struct call_task *task, struct call_frame *frame);

/* This tells which times of calls are known from the records that have been seen so far. */
struct timed_facts {
	bool switches; /* there were records of sched_switch, so the time off the CPU is known */
	bool wakeups;  /* there were records of wakeups; if .switches is true, too, the blocked time and the queued time are known */
	bool guessed;  /* the time in schedule() and similar functions is taken as time off the CPU */
	bool some;     /* Some records of sched_switch are left out (input.some_switches). The remaining records do not make .switches true. */
	bool ticks;    /* There were records of sched_switch, but their times are ticks of unknown length. Such records do not make .switches true. */
	bool handlers; /* there were records of interrupt handlers */
	bool irq;      /* The time of interrupts on top of calls is known, from handlers' records or from functions. If not, this time is in the self time. */
	/* The durations of function_graph do not include the time off the CPU (the kernel's option nosleep-time). But the totals of calls include it. */
	bool unmeasured;
	bool hidden; /* Records of interrupts are left out (input.no_interrupts). The remaining records do not make .irq true. */
};

/* This is a format for the message that timed_facts.unmeasured is true. Its argument is the name of the file. */
#define TIMED_UNMEASURED_TEXT \
	"%s was recorded with the option nosleep-time: the kernel left the time off the CPU out of the durations of functions, and ringside has added it"

/*
 * Returns true if it is known or guessed how long calls were off the CPU. If the result is false, the time off the CPU is part of the self time of the calls.
 */
static inline bool timed_off_known(const struct timed_facts *facts)
{
	return facts->switches || facts->guessed;
}

/* Returns true if it is known which part of the time off the CPU is blocked, and which part is queued. */
static inline bool timed_waits_known(const struct timed_facts *facts)
{
	return facts->switches && facts->wakeups;
}

/*
 * timed_facts_of() returns the facts of the file with the index @file. timed_facts() returns the facts of all files together: a member is true if it is
 * true in the facts of at least one file.
 */
struct timed_facts timed_facts(const struct timed *timed);
struct timed_facts timed_facts_of(const struct timed *timed, unsigned int file);

/* Returns what is known in every file. The facts of all files (timed_facts_of()) are combined as timed_facts_both() combines them. */
struct timed_facts timed_facts_least(const struct timed *timed);

/*
 * Finds out from the records that have been seen so far which tasks of the file with the index @file lack switches (lib/analysis/whole.h). The time that such a
 * task was off the CPU is not known, because the task may have been on or off the CPU unseen. Returns how many of these tasks have calls and are wanted. For a
 * task that lacks switches, @wanted is called with each struct call_task that has calls, until the result is true. @wanted may be NULL: all tasks are wanted.
 * @wanted gets @ctx. A struct call_task for which timed_depends() returns false is left out.
 */
uint64_t timed_find_lacking(struct timed *timed, unsigned int file, bool (*wanted)(void *ctx, struct call_task *task), void *ctx);

/* Returns true if the person with the number @i lacks switches, as timed_find_lacking() has last found out for the file of the person. */
bool timed_lacks(const struct timed *timed, uint32_t i);

/*
 * Combines the facts of two sets of calls. @a has the facts of the first set, and @b has the facts of the second set. The result has these members:
 * - .switches, .handlers and .irq are true if they are true in both @a and @b.
 * - .wakeups is true if timed_waits_known() is true for both @a and @b.
 * - .guessed is true if timed_off_known() is true for both @a and @b, and .guessed is true in @a or in @b.
 * - .some is true if it is true in @a or in @b. The same holds for .ticks, .unmeasured and .hidden.
 */
struct timed_facts timed_facts_both(const struct timed_facts *a, const struct timed_facts *b);

/* In a mask of buffers, bit i stands for the buffer with the index i. Bit 63 stands for the buffer 63 and all later buffers. Returns the bit of @buffer. */
static inline uint64_t timed_buffer_bit(unsigned int buffer)
{
	return 1ULL << MIN(buffer, 63u);
}

/* --- why a task was off the CPU ---------------------------------------------------------------------------------------------------- */

/*
 * A person is a task of a file. A task with records in several buffers has a struct call_task for each of these buffers. Such a task is still one person. Each
 * CPU's idle task is a separate person.
 */
struct timed_person {
	int pid;
	uint8_t file;
	struct sched_off off;
	VEC(struct call_task *) tasks;	/* an element for each buffer that has records of the task */
	VEC(struct call_task *) asides; /* each has room for one call of a task in .tasks; this call is not on the task's stack (call_task.aside) */
	uint64_t woken;			/* the time of the first wakeup since the task last came to a CPU, ns; 0: there was no wakeup */
};

/*
 * @place does not stand for a task. It has room for one call that is not on the stack of its task (call_task.aside). Returns true if @place has a call that is
 * off the CPU or interrupted whenever its task is. Returns false in each of these cases:
 * - @place has no call;
 * - call_task.part is CALL_BESIDE or CALL_ASYNC (lib/analysis/call-source.h);
 * - times are not in ns.
 */
bool timed_shares(struct call_task *place);

/*
 * Persons are numbered from 0, and a person's number never changes. timed_persons() returns how many persons there are. timed_person() returns the person with
 * the number @i. The result is valid until a person is added. timed_person_of() returns the number of the person of @task. timed_person_at() returns the number
 * of the person with the pid @pid in the file of @rec. If @pid is 0, this person is the idle task of the CPU of @rec. If the person is new, timed_person_at()
 * adds it. timed_person_at() returns UINT32_MAX when memory runs out.
 */
uint32_t timed_persons(const struct timed *timed);
const struct timed_person *timed_person(const struct timed *timed, uint32_t i);
uint32_t timed_person_of(const struct timed *timed, struct call_task *task);
uint32_t timed_person_at(struct timed *timed, const struct record *rec, int pid);

/* Returns true if any CPU is losing events of the buffer of @rec at this moment, or if memory runs out. */
bool timed_losing(struct timed *timed, const struct record *rec);

/* This is a switch of a CPU from one task to another. */
struct timed_switch {
	const struct record *rec;
	uint64_t ns;
	uint32_t prev;	    /* the number of the person that leaves the CPU */
	uint32_t next;	    /* the number of the person that comes to the CPU */
	enum sched_why why; /* why .prev leaves the CPU */
	bool dead;	    /* .prev does not come back */
	bool again;	    /* the same switch has already come from another buffer of the file; the persons are not updated a second time */
};

/* This is an event that tells that a task is woken. One wakeup may have several events. */
struct timed_wakeup {
	const struct record *rec;
	uint64_t ns;
	uint32_t who; /* the number of the person that is woken */
	/* True: the event is sched_waking, which is recorded on the waker's CPU. False: the event may be recorded on another CPU. */
	bool waking;
	bool is_new; /* the event is sched_wakeup_new: the task is new, and another task may have had its pid before */
	bool first;  /* this is the first event of the wakeup that comes while the task is off its CPU; the time of the wakeup is taken from this event */
};

/* These are callbacks. Each of them may be NULL. Each callback returns 0 or -errno. */
struct timed_watch {
	int (*switched)(void *ctx, const struct timed_switch *what); /* called before the persons are updated */
	int (*woken)(void *ctx, const struct timed_wakeup *what);
	int (*handler)(void *ctx, struct call_task *task, const struct handler_run *run); /* an interrupt handler has begun or ended on top of the task */
	/*
	 * If @over is false, the CPU of @there begins to lose events at @ns. If @over is true, the loss ends at @ns. Only .file, .buffer and .cpu of @there
	 * may be used.
	 */
	int (*lost)(void *ctx, const struct record *there, uint64_t ns, bool over);
	void *ctx;
};

/* Sets the callbacks. @watch is borrowed. It replaces the struct timed_watch that was set before. */
void timed_watch(struct timed *timed, const struct timed_watch *watch);

/* Returns the struct handlers of @timed, in which the names of interrupt handlers can be looked up. */
struct handlers *timed_handlers(const struct timed *timed);

#endif
