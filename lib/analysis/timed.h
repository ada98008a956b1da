/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Divides the time of each call into parts, as Documentation/analysis.md defines them. The first part is the time of the callees. The second is the time of
 * interrupts on top of the call. The third is the time during which the call's task was off the CPU. The rest is the self time. This is a consumer of
 * lib/analysis/calls.h. It keeps a struct timed_call with each open call (struct call_frame). When a call is left, its struct timed_call has its times. A
 * consumer that was added to the same struct calls later than this one can read these times in its leave().
 *
 * The time off the CPU is known from sched_switch. Any buffer of the file may have the records of this event. Without this event, the time in schedule()
 * and similar functions counts as the time off the CPU, and is marked as guessed. A cut call is a call that is not complete. Its times are not counted. A
 * loss on a CPU cuts every open call of two tasks. These are the last task that ran there before the loss, and the first task that runs there after it. If
 * the buffer that lost events has records of sched_switch, the loss also cuts the open calls of other tasks. These are the tasks that were off their CPU
 * during a part of the loss. There is one exception (Documentation/analysis.md has the rule). If such a task only waited in one call of schedule() or of a
 * similar function, its calls are not cut.
 */
#ifndef RINGSIDE_TIMED_H
#define RINGSIDE_TIMED_H

#include "lib/analysis/call-source.h"
#include "lib/analysis/callgraph.h"
#include "lib/analysis/calls.h"
#include "lib/analysis/handlers.h"
#include "lib/analysis/scheduling.h"

/* This is the payload of each frame (lib/analysis/calls.h). */
struct timed_call {
	struct call_times times; /* the times of the call; while the call is open, .total and .self are 0, and the other times are the sums so far */
	/*
	 * In ns. While the call is open: a lower bound of the time of its incomplete callees, minus the parts of this time that .times has counted already.
	 * When a call is left with .cut: a lower bound of its duration.
	 */
	uint64_t at_least;
	bool cut;      /* the call is not complete, or .timeless is true; while the call is open, .cut may still become true */
	bool timeless; /* the call is complete, but its total is not known: see units_why_timeless() in lib/analysis/units.h */
	/* It is the outermost call of an interrupt. The call below it on the stack was interrupted, and is not its caller. */
	bool irq;
	bool told; /* used if .irq is true: events of the interrupt's handler tell how long the handler ran */
};

/*
 * Returns true if @task is the place of an asynchronous section (CALL_ASYNC in lib/analysis/call-source.h). The time off the CPU of such a call and
 * its time in interrupts are not known: its struct call_times has 0 for both.
 */
static inline bool timed_is_async(const struct call_task *task)
{
	return task->aside && task->part == CALL_ASYNC;
}

/*
 * Returns true if the time off the CPU of @call can be used. @call is a call of @task. This time cannot be used if timed_is_async() returns true. A guessed
 * time can be used. Any other time can be used only if no records of sched_switch are left out. A filter, --func and --min-duration can leave them out.
 * The result does not tell whether the input has any records of sched_switch. timed_facts_of() tells that.
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
 * Returns the mark of @task at a record on @cpu. The marks of two records are the same only if no events of the task can have been lost between them. The
 * marks are for calls that the caller itself puts together, without the struct calls. Such a call is complete only if the task's mark at its end is the
 * same as the mark at its beginning, and is not TIMED_DOUBTFUL. Before each call of timed_doubts(), a copy of the record must be passed to calls_record().
 * The copy must not have RECORD_GAP, because a loss after the record does not matter for the mark. lib/analysis/doubts.h does all of this.
 */
uint64_t timed_doubts(struct timed *timed, struct call_task *task, uint16_t cpu);
#define TIMED_DOUBTFUL UINT64_MAX

struct timed_call *timed_call_of(const struct timed *timed, struct call_frame *frame);

/*
 * Returns the struct calls_user of @timed. Code that looks at every call can pass the result to call_frame_of(). This gives the same as
 * timed_call_of(), but is faster. The result is valid as long as @timed.
 */
const struct calls_user *timed_user(const struct timed *timed);

/*
 * Returns true if @frame is a call of schedule() or of a similar function, in which a task leaves the CPU. Returns false for all calls that
 * function_graph has not recorded.
 */
bool timed_schedules(const struct timed *timed, const struct call_task *task, const struct call_frame *frame);

/* This tells what is known of the times of calls, from the records that have been seen so far. */
struct timed_facts {
	bool switches; /* there were records of sched_switch, so the time off the CPU is known */
	bool wakeups;  /* there were records of wakeups; together with .switches, they tell the blocked time and the queued time */
	bool guessed;  /* the time in schedule() and similar functions counts as time off the CPU */
	bool some;     /* Some records of sched_switch are left out (.some_switches of struct input). The remaining ones do not make .switches true. */
	bool handlers; /* There were records of interrupt handlers. So the time of interrupts is known, even if no functions are recorded. */
	bool graphed;  /* There were functions of function_graph, which tell the time of interrupts, too. */
};

/*
 * Returns true if it is known, or at least guessed, how long calls were off the CPU. If it returns false, that time is part of the self time of these
 * calls.
 */
static inline bool timed_off_known(const struct timed_facts *facts)
{
	return facts->switches || facts->guessed;
}

/* Returns true if the time of interrupts on top of calls is known. If it returns false, that time is part of the self time of these calls. */
static inline bool timed_irq_known(const struct timed_facts *facts)
{
	return facts->handlers || facts->graphed;
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

/* Returns what is known in every file. For this, the facts of all files (timed_facts_of()) are combined by the rules of timed_facts_both(). */
struct timed_facts timed_facts_least(const struct timed *timed);

/*
 * Combines the facts of two sets of calls. @a is what is known of one set, and @b is what is known of the other. A member of the result is true if it is
 * true in both @a and @b. Two members follow other rules:
 * - .some is true if it is true in @a or in @b.
 * - .guessed is true if timed_off_known() is true for both @a and @b, and .guessed is true in at least one of them.
 */
struct timed_facts timed_facts_both(const struct timed_facts *a, const struct timed_facts *b);

/* Returns the bit of this buffer in a mask of buffers. All buffers from the 64th on share the last bit. */
static inline uint64_t timed_buffer_bit(unsigned int buffer)
{
	return 1ULL << MIN(buffer, 63u);
}

/* --- why a task was off the CPU, for those who want to know ------------------------------------------------------------------------ */

/*
 * A person is a task of a file. The task may have records in several buffers. It has a struct call_task for each of these buffers, but it is only one
 * person. Each CPU's idle task is a separate person.
 */
struct timed_person {
	int pid;
	uint8_t file;
	struct sched_off off;
	VEC(struct call_task *) tasks;	/* one for each buffer that has records of the task */
	VEC(struct call_task *) asides; /* the places for calls beside the stacks of these tasks (call_task.aside) */
	uint64_t woken;			/* the time of the first wakeup since the task last came to a CPU, ns; 0: there was none */
};

/*
 * @place is a place for a call beside the stack of a task (call_task.aside). Returns true if the place has a call, and this call is off the CPU or
 * interrupted whenever its task is. Returns false in each of these cases:
 * - there is no call at @place;
 * - call_task.part is CALL_BESIDE or CALL_ASYNC (lib/analysis/call-source.h);
 * - times are not in ns.
 */
bool timed_shares(struct call_task *place);

/*
 * Persons are numbered from 0, and a person's number never changes. timed_person() returns the person with the number @i. The result is valid until a
 * person is added. timed_person_of() and timed_person_at() return the number of a task's person.
 */
const struct timed_person *timed_person(const struct timed *timed, uint32_t i);
uint32_t timed_person_of(const struct timed *timed, struct call_task *task);
uint32_t timed_person_at(struct timed *timed, const struct record *rec, int pid); /* adds a new person; returns UINT32_MAX when memory runs out */

/* Returns true if any CPU is losing events of the buffer of @rec at this moment, or if memory runs out. */
bool timed_losing(struct timed *timed, const struct record *rec);

/* This is a switch of a CPU from one task to another. */
struct timed_switch {
	const struct record *rec;
	uint64_t ns;
	uint32_t prev;	    /* the number of the person that leaves the CPU */
	uint32_t next;	    /* the number of the person that comes to the CPU */
	enum sched_why why; /* why .prev leaves */
};

/* This is an event that tells that a task is woken. Several events may tell of one wakeup. Only the first of them counts. */
struct timed_wakeup {
	const struct record *rec;
	uint64_t ns;
	uint32_t who; /* the number of the person that is woken */
	/* True: it is sched_waking, which is recorded where the waker runs. False: it is sched_wakeup, which may be recorded on any CPU. */
	bool waking;
	bool first; /* it is the first event that tells of this wakeup */
};

/* These are callbacks. Each of them may be NULL. Each returns 0 or -errno. */
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

/* Sets the callbacks, which are borrowed. They replace those that were set before. */
void timed_watch(struct timed *timed, const struct timed_watch *watch);

/* Returns the struct handlers of @timed, in which the names of interrupt handlers can be looked up. */
struct handlers *timed_handlers(const struct timed *timed);

#endif
