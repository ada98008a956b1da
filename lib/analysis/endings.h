/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells which signals tasks take, and how tasks end, from the events signal:signal_generate, signal:signal_deliver, task:task_newtask and
 * sched:sched_process_exit and from the calls exit and exit_group. What was not recorded is not known, and is never guessed. Nothing in here prints.
 *
 * When a process ends, the kernel delivers SIGKILL to all its threads, whatever the reason is. So the reason is whichever comes first: a call of
 * exit_group; the delivery of a signal that ends a process; or the first SIGKILL, which stands for the last signal that was generated before it.
 *
 * A task that calls execve ends all other tasks of its process, also with SIGKILL, and the process goes on. The kernel gives the ended tasks the exit
 * status 0. The first task of the process is superseded, because the one that called execve gets its number.
 */
#ifndef RINGSIDE_ANALYSIS_ENDINGS_H
#define RINGSIDE_ANALYSIS_ENDINGS_H

#include "lib/base/vec.h"

enum ending_how { ENDING_UNKNOWN, ENDING_EXITED, ENDING_KILLED, ENDING_SUPERSEDED };

/* This tells how a task or a process ended. */
struct ending {
	enum ending_how how;
	int number; /* the exit status, or the signal; ENDING_NUMBER_UNKNOWN; of ENDING_SUPERSEDED: the task that called execve */
};
enum { ENDING_NUMBER_UNKNOWN = -1 };

/* This is a signal that a task takes. */
struct signal_taken {
	int pid;		 /* the task that takes it */
	int number, error, code; /* as siginfo has them */
	bool from;		 /* the sender is known */
	int sender;		 /* with .from: the sender's process */
	struct ending of_sender; /* with .from, of SIGCHLD: how the sender ended */
	bool waits;		 /* it was sent before a call of execve began, and had not ended the process until then: it is blocked or has a handler */
};

/* This tells what is known of a task. It is all zero at first. What is known of a process is kept with its first task, called @group below. */
struct life {
	int tgid;		       /* its process; 0: not known, so that the task counts as a process of its own */
	bool seen;		       /* it has made a call, or its birth is recorded */
	bool whole;		       /* no event of its process was lost since the time when the process had only one task */
	struct ending own;	       /* how the task itself ended, by a call of exit */
	struct ending group;	       /* how the process ended */
	int executing;		       /* of a process: its task that is in a call of execve; 0: none */
	VEC(struct signal_taken) sent; /* signals that were sent to the process and are not delivered yet: one of each number, the latest last */
	VEC(struct signal_taken) held; /* signals that were ignored and came in the middle of a call */
};

void life_fini(struct life *life);

/* Frees what is known, and begins a new task of the process @tgid, whose birth is recorded. */
void life_begin(struct life *life, int tgid);

/* Says how the process ends. The first call counts, and further ones change nothing. */
void life_end_group(struct life *group, enum ending_how how, int number);

/* Returns how the process has ended, as its first task, which is @group, knows it. */
struct ending life_group_ending(const struct life *group);

/* Returns how the task @pid has ended. @life is the task and @group its process. */
struct ending life_ending(const struct life *life, const struct life *group, int pid);

/* Notes that the task @pid of the process begins a call of execve. */
void life_executes(struct life *group, int pid);

/* Notes that the task of @executed, which was in a call of execve, has become the first task of the process @pid. Until now that was the task of @first. */
void life_execute(struct life *executed, struct life *first, int pid);

/* Notes that events of the task may have been lost. */
void life_lost(struct life *life);

/* Notes that a signal was sent to the process. Returns 0 or -ENOMEM. */
int life_sent(struct life *group, const struct signal_taken *signal);

/*
 * Notes that a signal is delivered to a task of the process. *@signal has its task, number, error and code, and gets what is known of its sender.
 * @handled: the signal does not have its default effect. Returns true when the signal is to be reported. SIGKILL is not reported itself:
 * when it stands for another signal, *@signal becomes that one, and true is returned.
 */
bool life_delivered(struct life *group, struct signal_taken *signal, bool handled);

#endif
