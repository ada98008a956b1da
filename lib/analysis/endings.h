/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells which signals tasks take, and how tasks end, from the events signal:signal_generate, signal:signal_deliver, task:task_newtask and
 * sched:sched_process_exit, and from the system calls exit, exit_group and execve. What was not recorded is not known, and is never guessed. Nothing in here
 * prints.
 *
 * The kernel ends the threads of a process with SIGKILL, whether a call of exit_group or a signal is the reason. So the reason is the first of these to
 * come: a call of exit_group; the delivery of a signal that ends a process; or the delivery of SIGKILL. When SIGKILL comes first, the reason is a signal
 * that was generated for the process and is not delivered yet. If there are several such signals, it is the latest one that ends a process which has no
 * handler for it.
 *
 * A task that calls execve ends all other tasks of its process, also with SIGKILL, but the process goes on. The kernel gives the ended tasks the exit
 * status 0. The first task of the process (its thread group leader) is superseded, because the task that called execve gets the first task's pid.
 */
#ifndef RINGSIDE_ANALYSIS_ENDINGS_H
#define RINGSIDE_ANALYSIS_ENDINGS_H

#include "lib/base/vec.h"

enum ending_how { ENDING_UNKNOWN, ENDING_EXITED, ENDING_KILLED, ENDING_SUPERSEDED };

/* This tells how a task or a process ended. */
struct ending {
	enum ending_how how;
	int number; /* the exit status, or the signal, or ENDING_NUMBER_UNKNOWN; for ENDING_SUPERSEDED: the pid that the task which called execve had before */
};
enum { ENDING_NUMBER_UNKNOWN = -1 };

/* This is a signal that a task takes. */
struct signal_taken {
	int pid;		 /* the task that takes it */
	int number, error, code; /* as siginfo has them */
	bool from;		 /* the sender is known */
	int sender;		 /* if .from is true: the pid of the sender's process */
	struct ending of_sender; /* if .from is true, for SIGCHLD: how the sender ended */
	bool chosen;		 /* for a signal in life.held: the task's system call began on a CPU that --cpu selects */
	bool waits; /* it was still pending when a task of the process called execve. So it is blocked or has a handler: else it would have ended the process */
};

/*
 * This tells what is known of a task. It is all zero at first. What is known of a process is kept with the first task of the process, which is called
 * @group below.
 */
struct life {
	int tgid;		       /* the pid of its process; 0: not known, so that the task counts as a process of its own */
	bool seen;		       /* the task has made a system call, or its birth is recorded */
	bool whole;		       /* of a first task: the process once had only this task, and no event has been lost since then */
	struct ending own;	       /* how the task itself ended, by a call of exit */
	struct ending group;	       /* of a first task: how the process ended */
	int executing;		       /* of a first task: the task of the process that is in a call of execve; 0: none */
	VEC(struct signal_taken) sent; /* of a first task: signals to the process that are not delivered yet, one for each number, the latest last */
	VEC(struct signal_taken) held; /* ignored signals that came during a system call: lib/analysis/syscalls.h reports them when that call ends */
};

void life_fini(struct life *life);

/* Begins *@life for a new task of the process @tgid. Must be called for the record of the task's birth. What *@life has of an earlier task is freed. */
void life_begin(struct life *life, int tgid);

/* Notes how the process ends. @group is its first task. If this is called more than once for a process, only the first call counts. */
void life_end_group(struct life *group, enum ending_how how, int number);

/*
 * Returns how the process has ended, as SIGCHLD tells it to the parent. @group is its first task. If this task has called exit itself, its own
 * ending is returned, even if another task ended the process later.
 */
struct ending life_group_ending(const struct life *group);

/* Returns how the task @pid has ended. @life is the task, and @group is the first task of its process. */
struct ending life_ending(const struct life *life, const struct life *group, int pid);

/* Notes that the task @pid of a process begins a call of execve. @group is the first task of the process. */
void life_executes(struct life *group, int pid);

/* Notes that the task @executed, which was in a call of execve, has become the first task of the process @pid. Until now the first task was @first. */
void life_execute(struct life *executed, struct life *first, int pid);

/* Notes that events of the task may have been lost. */
void life_lost(struct life *life);

/* Notes that a signal was sent to a process. @group is the first task of the process. Returns 0 or -ENOMEM. */
int life_sent(struct life *group, const struct signal_taken *signal);

/*
 * Notes that a signal is delivered to a task of a process. @group is the first task of the process. The .pid, .number, .error and .code of *@signal are
 * set by the caller, and this function sets what is known of the sender. @handled is true if the signal has a handler or is ignored. Returns true when
 * *@signal is to be reported. SIGKILL itself is not reported. But if another signal ended the process, and SIGKILL only carries that out, *@signal
 * becomes the other signal, and true is returned.
 */
bool life_delivered(struct life *group, struct signal_taken *signal, bool handled);

#endif
