/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which signals tasks take, and how they end: put together from signal:signal_generate and signal_deliver, task:task_newtask,
 * sched:sched_process_exit and the calls exit and exit_group. What of them was not recorded is not known, and is never guessed. No printing.
 *
 * The kernel delivers SIGKILL to all threads of a process that ends, whatever it ends of. So what ended it is the first of: a call of exit_group,
 * a signal that was delivered and ends a process, and the signal that was generated last before the first SIGKILL.
 */
#ifndef RINGSIDE_ANALYSIS_ENDINGS_H
#define RINGSIDE_ANALYSIS_ENDINGS_H

#include "lib/base/vec.h"

enum ending_how { ENDING_UNKNOWN, ENDING_EXITED, ENDING_KILLED };

/* How a task or a process ended. */
struct ending {
	enum ending_how how;
	int number;		/* the exit status, or the signal; ENDING_NUMBER_UNKNOWN */
};
enum { ENDING_NUMBER_UNKNOWN = -1 };

/* A signal that a task takes. */
struct signal_taken {
	int pid;		/* who takes it */
	int number, error, code;	/* as siginfo has them */
	bool from;		/* who sent it is known: */
	int sender;		/* his process */
	struct ending of_sender;	/* of SIGCHLD: how he ended */
};

/* What is known of a task; all zero at first. That of a process is kept with its first task. */
struct life {
	int tgid;		/* its process; 0: not known, then it is taken for one of its own */
	bool seen;		/* it has made a call, or its birth is recorded */
	bool whole;		/* nothing is lost of its process since that had one task */
	struct ending own;	/* by a call of exit */
	struct ending group;	/* of the process */
	VEC(struct signal_taken) sent;	/* to the process, and not yet delivered: one of each number, the latest last */
	VEC(struct signal_taken) held;	/* ignored ones that came in the middle of a call */
};

void life_fini(struct life *life);

/* A new task takes over this number. */
void life_begin(struct life *life, int tgid);

/* The process ends so; what came first holds. */
void life_end_group(struct life *group, enum ending_how how, int number);

/* How the task, of the process @group, has ended. */
struct ending life_ending(const struct life *life, const struct life *group);

/* Events of it may have been lost. */
void life_lost(struct life *life);

/* A signal was sent to the process. 0 or -ENOMEM. */
int life_sent(struct life *group, const struct signal_taken *signal);

/*
 * A signal is delivered to a task of the process: @signal has its number, error and code, and gets what is known of the sender. @handled: it does not do
 * what it does by default. Returns whether it is to be told: SIGKILL is not, but the signal that it stands for may be, which @signal is then.
 */
bool life_delivered(struct life *group, struct signal_taken *signal, bool handled);

#endif
