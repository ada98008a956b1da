/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Divides the time of each call into parts, as Documentation/analysis.md defines them: the time of its callees, the time of interrupts on top of it, and
 * the time that its task was off the CPU. The rest is its self time. This is a consumer of lib/analysis/calls.h and keeps a struct timed_call with each
 * open call (struct call_frame). When a call is left, consumers that were added to the same struct calls after this one find its times in that struct
 * timed_call.
 *
 * The time off the CPU is known from sched_switch, whichever buffer of the file has this event. Without this event, the time in schedule() and similar
 * functions counts as the time off the CPU, and is marked as guessed. A loss on a CPU cuts every open call of the task that ran there last before the loss,
 * and of the task that runs there first after it. If the buffer that lost events has records of sched_switch, the loss also cuts the open calls of each
 * task that was off its CPU during a part of the loss. A task is an exception if it only waited in one call of schedule() or of a similar function
 * (Documentation/analysis.md has the rule). A cut call is not complete, and its times are not counted.
 */
#ifndef RINGSIDE_TIMED_H
#define RINGSIDE_TIMED_H

#include "lib/analysis/callgraph.h"
#include "lib/analysis/calls.h"
#include "lib/analysis/handlers.h"
#include "lib/analysis/scheduling.h"

/* This is the payload of each frame (lib/analysis/calls.h). */
struct timed_call {
	struct call_times times; /* while the call is open: what has been added up so far; total and self are still 0 */
	uint64_t at_least;	 /* if the call is not complete: a lower bound of its duration, ns; while it is open: what has been added up so far */
	bool cut;		 /* the call is not complete, or .timeless is true; while it is open, false may still become true */
	bool timeless;		 /* the call is complete, but its total is not known: see units_why_timeless() in lib/analysis/units.h */
	bool irq;		 /* it is the outermost call of an interrupt: the call below it on the stack was interrupted, and did not call it */
	bool told;		 /* if .irq is true: events of the interrupt's handler tell how long the handler ran */
};

/*
 * Can the time off the CPU of @call, a call in @input, be used? The answer is no if a filter, --func or --min-duration leaves out records of
 * sched_switch, unless the time was guessed. Whether @input has any records of sched_switch does not matter here: timed_facts_of() tells that.
 */
static inline bool timed_call_off_known(const struct timed_call *call, const struct input *input)
{
	return call->times.guessed || !input->some_switches;
}

struct timed;

/* Makes *@out, a consumer of @calls. @calls must live as long as *@out. Borrows @inputs. Returns 0 or -ENOMEM. */
int timed_new(struct timed **out, struct calls *calls, const inputs_t *inputs);
void timed_free(struct timed *timed);

/*
 * Returns the mark of @task at a record on @cpu. The marks of two records are the same only if no events of the task can have been lost between them. The
 * marks are for calls of the task that are not in the struct calls. Such a call is complete only if the mark at its beginning is not TIMED_DOUBTFUL, and
 * the mark at its end is the same. Before timed_doubts(), the caller passes a copy of the record to calls_record(). The copy must not have RECORD_GAP,
 * because a loss after the record does not matter for the mark. lib/analysis/doubts.h does all of this.
 */
uint64_t timed_doubts(struct timed *timed, struct call_task *task, uint16_t cpu);
#define TIMED_DOUBTFUL UINT64_MAX

struct timed_call *timed_call_of(const struct timed *timed, struct call_frame *frame);

/*
 * Returns the struct calls_user of @timed. Code that looks at every call can pass it to call_frame_of() instead of calling timed_call_of(), which is
 * slower and returns the same. The struct is valid as long as @timed.
 */
const struct calls_user *timed_user(const struct timed *timed);

/*
 * Is @frame a call of schedule() or of a similar function, in which a task leaves the CPU? The answer is no for calls that the tracer function_graph
 * has not recorded.
 */
bool timed_schedules(const struct timed *timed, const struct call_task *task, const struct call_frame *frame);

/* This tells what is known of the times of calls, from the records that have been seen so far. */
struct timed_facts {
	bool switches; /* there were records of sched_switch, so that the time off the CPU is known */
	bool wakeups;  /* there were records of wakeups; if .switches is true, too, the blocked time and the queued time are known */
	bool guessed;  /* the time in schedule() and similar functions counts as time off the CPU */
	bool some;     /* a filter leaves out some records of sched_switch, so the remaining ones are of no use and do not make .switches true */
	bool handlers; /* there were records of interrupt handlers, so that the time of interrupts is known even if no functions are recorded */
};

/* Is it known, or at least guessed, how long calls were off the CPU? If not, that time is part of the self time of these calls. */
static inline bool timed_off_known(const struct timed_facts *facts)
{
	return facts->switches || facts->guessed;
}

/* Is it known which part of the time off the CPU is blocked, and which part is queued? */
static inline bool timed_waits_known(const struct timed_facts *facts)
{
	return facts->switches && facts->wakeups;
}

/* timed_facts_of() returns the facts of the file with index @file. In what timed_facts() returns, a member is true if it is true for any of the files. */
struct timed_facts timed_facts(const struct timed *timed);
struct timed_facts timed_facts_of(const struct timed *timed, unsigned int file);

/* Returns only what is known in each of the files: the facts of all files, combined as by timed_facts_both(). */
struct timed_facts timed_facts_least(const struct timed *timed);

/*
 * @a is what is known of one set of calls, and @b is what is known of another set. Returns what is known of both sets. Two members follow other rules:
 * .some is true if it is true for one of the sets. .guessed is true if timed_off_known() is true for both sets and .guessed is true for one of them.
 */
struct timed_facts timed_facts_both(const struct timed_facts *a, const struct timed_facts *b);

/* Returns the bit of this buffer in a mask of buffers. All buffers from the 64th on share the last bit. */
static inline uint64_t timed_buffer_bit(unsigned int buffer)
{
	return 1ULL << MIN(buffer, 63u);
}

/* --- why a task was off the CPU, for those who want to know ------------------------------------------------------------------------ */

/*
 * A person is a task of a file. The task may have records in several buffers, and has a struct call_task in each of them, but it is one person. Each
 * CPU's idle task is a separate person.
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
 * @place is a place for a call beside the stack of a task (call_task.aside). Returns true if there is a call at @place, and the time in which its task is
 * off the CPU or interrupted counts as such for this call, too. Returns false if there is no call, if call_task.part is CALL_BESIDE
 * (lib/analysis/call-source.h), or if times are not in ns.
 */
bool timed_shares(struct call_task *place);

/*
 * Persons are numbered from 0, and a person's number never changes. timed_person() returns the person with number @i, valid until a person is added.
 * The others return the number of a task's person.
 */
const struct timed_person *timed_person(const struct timed *timed, uint32_t i);
uint32_t timed_person_of(const struct timed *timed, struct call_task *task);
uint32_t timed_person_at(struct timed *timed, const struct record *rec, int pid); /* adds the person when it is new; UINT32_MAX: memory ran out */

/* Is any CPU losing events of the buffer of @rec at this moment? Returns true also when memory runs out. */
bool timed_losing(struct timed *timed, const struct record *rec);

/* This is a switch of a CPU from one task to another. */
struct timed_switch {
	const struct record *rec;
	uint64_t ns;
	uint32_t prev;	    /* the number of the person that leaves the CPU */
	uint32_t next;	    /* the number of the person that comes to the CPU */
	enum sched_why why; /* why .prev leaves */
};

/* This is an event that tells that a task is woken. Several such events may tell of one wakeup, and the first of them counts. */
struct timed_wakeup {
	const struct record *rec;
	uint64_t ns;
	uint32_t who; /* the number of the person that is woken */
	bool waking;  /* it is sched_waking, which the waker records; otherwise sched_wakeup, which any CPU may record */
	bool first;   /* it is the first event that tells of this wakeup */
};

/* These are callbacks. Each may be NULL, and returns 0 or -errno. */
struct timed_watch {
	int (*switched)(void *ctx, const struct timed_switch *what); /* called before the persons are updated */
	int (*woken)(void *ctx, const struct timed_wakeup *what);
	int (*handler)(void *ctx, struct call_task *task, const struct handler_run *run); /* an interrupt handler has begun or ended on top of the task */
	/*
	 * If @over is false, the CPU of @there loses events from @ns on. If @over is true, it lost events until @ns. Only .file, .buffer and .cpu of @there
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
