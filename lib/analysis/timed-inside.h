/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines what lib/analysis/timed*.c share. Only these files use this header. A person is a task of a trace file, and has records in one or more
 * buffers of this file (lib/analysis/timed.h). A call that may overlap with other calls of its task stands beside the stack of the task. Such a call has a
 * struct call_task of its own (lib/analysis/calls.h).
 */
#ifndef RINGSIDE_TIMED_INSIDE_H
#define RINGSIDE_TIMED_INSIDE_H

#include "lib/analysis/keys.h"
#include "lib/analysis/streams.h"
#include "lib/analysis/timed.h"
#include "lib/analysis/whole.h"

enum { TIMED_LEAVING = 12 }; /* the number of functions that are known to leave the CPU, such as schedule() */

struct timed_input {
	const struct input *input;
	struct sched_events events;
	/* Element i is the address of the function i in the array "leaving" of timed.c. 0: the kernel has no such function. */
	uint64_t leaving[TIMED_LEAVING];
	uint64_t leaving_first, leaving_last; /* the lowest and the highest address in .leaving; both are 0 if there are no addresses */
	bool has_switch;		      /* a record of a switch with a time in ns has been seen */
	bool ticks;			      /* a record of a switch with a time in ticks of unknown length has been seen */
	bool has_wakeup;		      /* a record of a wakeup has been seen */
	bool irq;			      /* a call of function_graph, or a call that was made in an interrupt, has been seen */
	bool guessed;			      /* the time in schedule() and similar functions has been taken as time off the CPU */
	/* The buffers that had records of switches or wakeups. Bit i is for buffer i. Bit 63 is for buffer 63 and all later buffers. */
	uint64_t telling;
	uint64_t waking;   /* the buffers that had records of wakeups; the bits are as in .telling */
	uint64_t handling; /* the buffers that had records of interrupt handlers; the bits are as in .telling */
	/* Times off the CPU that timed_unmeasured() has looked at, in ns: all of them, and those that the durations of the calls do not include. */
	uint64_t looked_at, unmeasured;
};

/*
 * This tells whether one of the buffers that tell of a task is losing events on a CPU (.losing).
 * The value of .losing is valid until one of these happens:
 * - A loss begins or ends.
 * - One more buffer of the file turns out to have events of scheduling or of interrupt handlers.
 */
struct timed_asked {
	uint64_t losses;  /* timed.losses when .losing was found out; 0: it was never found out */
	uint64_t tellers; /* timed_tellers() at that time */
	uint16_t cpu;
	bool losing;
};

/* This is the data that lib/analysis/calls.h keeps for timed.c with each struct call_task. */
struct timed_task {
	uint32_t person; /* the number of the task's struct timed_person */
	/*
	 * Element CALL_IN_TASK is for the task's calls. Element CALL_IN_SOFTIRQ is for the calls of soft interrupts on top of the task. Each element is
	 * handler_run.depth + 1 of the interrupt handler that runs on top of these calls. 0: no handler runs on top of these calls. Only handlers that have
	 * events of their own are known (lib/analysis/handlers.h).
	 */
	uint8_t handlers[CALL_IN_HARDIRQ];
	uint64_t losses;	  /* timed.losses at the task's last record */
	struct timed_asked asked; /* what timed_begins_in_gap() has found out last */
	uint64_t doubts;	  /* how often timed_cut() was called for the task: see timed_doubts() */
	struct timed_early early; /* what came before the entry of the outermost call */
};

/* This is the state of each CPU of each buffer. */
struct timed_stream {
	/*
	 * The value that timed.losses got when the latest loss on this CPU ended. If this loss is not over yet, .loss is the value that timed.losses got when
	 * the loss began.
	 */
	uint64_t loss;
	uint64_t until; /* the end of the last loss that is over, in ns */
	bool open;	/* the last loss is not over yet */
};

/* This is the state of each buffer. */
struct timed_buffer {
	unsigned int open; /* how many CPUs are losing events of this buffer */
	uint64_t until;	   /* the end of the last loss of this buffer's events that is over, in ns */
};

/* This is the last switch of a CPU of a file. */
struct timed_cpu {
	uint32_t prev, next; /* the numbers of the persons */
	uint64_t tellers;    /* the buffers that have a record of the switch; the bits are as in timed_input.telling; 0: no switch is known */
};

struct timed {
	struct calls_user user;
	struct calls *calls;
	VEC(struct timed_input) inputs;
	struct keys keys; /* the keys of persons: the file, the pid, and for an idle task its CPU */
	VEC(struct timed_person) persons;
	struct streams streams; /* a struct timed_stream for each CPU of each buffer */
	struct streams buffers; /* a struct timed_buffer for each buffer, kept at CPU 0 of the buffer */
	struct streams cpus;	/* a struct timed_cpu for each CPU of a file, kept at buffer 0 of the file */
	struct whole whole;	/* tells which persons lack switches */
	struct handlers *handlers;
	const struct timed_watch *watch; /* callbacks; NULL: there are none */
	uint64_t losses;		 /* how often a loss has begun or ended on any CPU */
	unsigned int open;		 /* how many CPUs are losing events */
};

/* Returns what is kept for the buffer of @rec, or NULL when memory runs out. */
struct timed_buffer *timed_buffer_of(struct timed *timed, const struct record *rec);

/*
 * Notes that it is not known what the task did from @ns on. So the calls on the task's stack are not complete. If the task itself makes the records of a call
 * beside its stack (call_task.inside), this call is not complete either.
 */
void timed_cut(struct timed *timed, struct call_task *task, uint64_t ns);

/* Returns .telling | .handling of the task's struct timed_input. */
static inline uint64_t timed_tellers(const struct timed *timed, const struct call_task *task)
{
	const struct timed_input *in = &timed->inputs.at[task->file];

	return in->telling | in->handling;
}

/* Finds out the task's .asked for @cpu. Only timed_begins_in_gap() calls this. */
void timed_find_losing(struct timed *timed, struct call_task *task, uint16_t cpu);

/*
 * Must be called only while events are being lost on at least one CPU. Returns true if a call that begins now in @task on @cpu may lack events because of these
 * losses. Such a call is not complete. The result is true in each of these cases:
 * - Events are being lost on @cpu in the task's buffer.
 * - Events are being lost on @cpu in one of the buffers in .telling or .handling of the task's input.
 * - The call stands beside the stack of a task (call_task.aside), and may end on any CPU (call_task.inside is false).
 */
static inline bool timed_begins_in_gap(struct timed *timed, struct call_task *task, uint16_t cpu)
{
	const struct timed_asked *asked = &((struct timed_task *)call_task_of(&timed->user, task))->asked;

	if (unlikely(asked->losses != timed->losses || asked->tellers != timed_tellers(timed, task) || asked->cpu != cpu))
		timed_find_losing(timed, task, cpu);
	return asked->losing || (task->aside && !task->inside);
}

/*
 * If @frame is a call of a function in the array "leaving" of timed.c, returns the index of the function in this array. Otherwise returns TIMED_LEAVING. @in is
 * the input of the call's task.
 */
size_t timed_leaving(const struct timed_input *in, const struct call_frame *frame);

/* Adds @took, a time off the CPU, to the times of the innermost call of @task. */
void timed_add_off(struct timed *timed, struct call_task *task, const struct sched_took *took);

/*
 * Adds @took, a time off the CPU, to the times of the innermost call of each of the person's tasks.
 * A task is skipped if it has no open call, or if its times are not in ns. If timed_exec_of() returns another task for one of the person's tasks, @took is also
 * added to the innermost call of the returned task.
 */
void timed_charge(struct timed *timed, const struct timed_person *person, const struct sched_took *took);

/*
 * Notes that the person comes to a CPU at the time @now. @was tells since when the person was off the CPU. The function goes through the calls beside the
 * person's stacks. It adds to the times of each call the part of the time off the CPU in which the call was open. If @was does not tell since when the person
 * was off the CPU (SCHED_NOT_OFF), the call is not complete. The exception is a call that others began for the task (CALL_FOR_TASK): the person is taken to
 * have been off the CPU since this call began.
 */
void timed_charge_beside(struct timed *timed, const struct timed_person *person, const struct sched_off *was, uint64_t now);

/*
 * Notes that an interrupt handler begins or ends while @task has the CPU. @outside is true if the handler interrupts the innermost call of the task.
 * @outside is false in each of these cases:
 * - there is no call;
 * - the handler itself has made the call;
 * - the handler does not interrupt the call although it interrupts the task (timed_shares()).
 * Returns true if the handler's time is part of call_times.irq of the task's calls.
 */
bool timed_handler_on(struct timed *timed, struct call_task *task, const struct handler_run *run, bool outside);

/*
 * Returns true if an interrupt handler runs on top of @call. If @call is NULL, returns true if a handler runs on top of @task itself. Only handlers
 * that have events of their own are known (timed_task.handlers).
 */
static inline bool timed_handled(const struct timed *timed, struct call_task *task, const struct call_frame *call)
{
	const unsigned int irq = call ? call->irq : CALL_IN_TASK;

	return irq < CALL_IN_HARDIRQ && ((struct timed_task *)call_task_of(&timed->user, task))->handlers[irq];
}

/* Does what timed_handler_on() does for each call beside the person's stacks. Returns 0 or -errno. */
int timed_handler_beside(struct timed *timed, const struct timed_person *person, const struct handler_run *run);

/*
 * If a thread has got the pid of @task by a call of execve (call_task.exec), and this call is still open, returns the struct call_task that the thread had
 * under its earlier pid. Times that are added to the innermost call of @task must then also be added to the innermost call of the returned task. Returns NULL
 * in each of these cases:
 * - No thread has got the pid in this way.
 * - The call of execve is not open any more.
 * - Times are not in ns.
 */
struct call_task *timed_exec_of(const struct call_task *task);

/*
 * With the option nosleep-time, function_graph does not count the time off the CPU in the durations of calls. Then the entry and the exit of a call are further
 * apart than its duration, by the time that the task was off the CPU. Returns true if the calls of @in that were off the CPU show that the option was set.
 */
static inline bool timed_has_unmeasured(const struct timed_input *in)
{
	return in->unmeasured > in->looked_at / 2;
}

/*
 * @call is the struct timed_call of @frame, a call that is being left. @call->times.off is not yet limited. @guess is true if the call's function leaves the
 * CPU (timed_schedules()) and no records of sched_switch tell for how long. Returns how much of the time off the CPU, in the call and in all calls below it,
 * is not in the durations of the calls. The total of a call of function_graph is its duration plus the result. The caller of the function adds the result to
 * the .times.total of the call's caller. If @call->cut is true, the result leaves out @call->times.off, which becomes part of the .off of the call's caller.
 */
uint64_t timed_unmeasured(struct timed_input *in, const struct call_task *task, const struct call_frame *frame, const struct timed_call *call,
			  const struct call_end *end, bool guess);

/*
 * Adds the times of a call that is cut to @outer, the times of its caller. Time that is known to have been spent below the call is not its caller's own time.
 * The time off the CPU in an interrupt is in @outer already (timed_call.away).
 */
void timed_add_cut(struct call_times *outer, const struct timed_call *call);

/* These take in a record of a switch or of a wakeup. @fact is what the record tells. They return 0 or -errno. */
int timed_on_switch(struct timed *timed, struct timed_input *in, const struct sched_fact *fact, const struct record *rec);
int timed_on_wakeup(struct timed *timed, struct timed_input *in, enum sched_kind kind, const struct sched_fact *fact, const struct record *rec);

/* These are callbacks of struct calls_ops. @ctx is the struct timed. */
int timed_execs(void *ctx, struct call_task *task, struct call_task *old, uint16_t cpu);
int timed_gap(void *ctx, const struct record *there, struct call_task *last, uint64_t ns, bool over);
int timed_seen(void *ctx, struct call_task *task, uint16_t cpu);

#endif
