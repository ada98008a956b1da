/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells which signals tasks take, and how tasks end. The sources are the events signal:signal_generate, signal:signal_deliver, task:task_newtask and
 * sched:sched_process_exit, and the system calls exit, exit_group and execve. What was not recorded is never guessed. Nothing in here prints.
 *
 * A process ends because of a call of exit_group, or because of a signal. In both cases, the kernel ends the threads of the process with SIGKILL. So the
 * reason is taken from the first of these records:
 * - a call of exit_group: this call is the reason;
 * - the delivery of a signal other than SIGKILL that ends a process: this signal is the reason;
 * - the delivery of SIGKILL: the reason is a signal that was generated for the process, and whose delivery was not recorded. Either this signal is a SIGKILL
 *   that somebody sent to the process, or it is another signal, in whose place the kernel delivers SIGKILL.
 * If several signals were generated and not delivered, the reason is the latest of those whose default action is to end the process.
 *
 * A task that calls execve ends all other tasks of its process. This, too, happens with SIGKILL, but the process goes on. The kernel gives the ended tasks
 * the exit status 0. The task that called execve gets the pid of the first task of the process (the thread group leader). The first task, which has lost
 * its pid in this way, is called superseded.
 */
#ifndef RINGSIDE_ANALYSIS_ENDINGS_H
#define RINGSIDE_ANALYSIS_ENDINGS_H

#include "lib/base/vec.h"

enum ending_how { ENDING_UNKNOWN, ENDING_EXITED, ENDING_KILLED, ENDING_SUPERSEDED };

/* This tells how a task or a process ended. */
struct ending {
	enum ending_how how;
	/* The exit status, the signal, or ENDING_NUMBER_UNKNOWN. For ENDING_SUPERSEDED, this is the earlier pid of the task that called execve. */
	int number;
};
enum { ENDING_NUMBER_UNKNOWN = -1 };

/* This is a signal that a task takes. */
struct signal_taken {
	int pid;		 /* the task that takes it */
	int number, error, code; /* the si_signo, si_errno and si_code of its siginfo */
	bool from;		 /* the sender is known */
	int sender;		 /* if .from is true: the pid of the sender's process */
	struct ending of_sender; /* if .from is true, for SIGCHLD: how the sender ended */
	bool chosen;		 /* only for a signal that came during a system call of the task: --cpu selects the CPU on which this system call began */
	/*
	 * The signal was still pending when a task of the process called execve. So the signal must be blocked or have a handler, because otherwise it
	 * would have ended the process.
	 */
	bool waits;
};

/*
 * This tells what is known of a task. It is all zero at first. What is known of a process is kept in the struct life of its first task. The functions below
 * get this struct as @group.
 */
struct life {
	int tgid;	     /* the pid of its process; 0: not known, and the task is taken for a process of its own */
	bool seen;	     /* the task has made a system call, or its birth is recorded */
	bool whole;	     /* in a first task: at some time the process had only this task, and no event was lost since then */
	struct ending own;   /* if the task has called exit: how the task ended by this call; if it has not, .how is ENDING_UNKNOWN */
	struct ending group; /* in a first task: how the process ended */
	int executing;	     /* in a first task: the pid of the process's task that is in a call of execve; 0: none */
	/* In a first task: the signals to the process that are not delivered yet. There is at most one for each signal number. The latest is last. */
	VEC(struct signal_taken) sent;
	/* Ignored signals that came during a system call. lib/analysis/syscalls.h reports them when the system call ends. */
	VEC(struct signal_taken) held;
};

void life_fini(struct life *life);

/*
 * Begins *@life for a new task of the process @tgid. Must be called for the record of the task's birth. If *@life was used for an earlier task, the
 * memory of that task is freed.
 */
void life_begin(struct life *life, int tgid);

/* Notes how a process ends. @group is the first task of the process. Only the first call for a process has an effect. */
void life_end_group(struct life *group, enum ending_how how, int number);

/*
 * Returns how a process has ended, as SIGCHLD tells it to the parent. @group is the first task of the process. If this task has called exit itself, its own
 * ending is returned, even if another task ended the process later.
 */
struct ending life_group_ending(const struct life *group);

/* Returns how the task @pid has ended. @life belongs to this task, and @group to the first task of its process. */
struct ending life_ending(const struct life *life, const struct life *group, int pid);

/* Notes that the task @pid of a process begins a call of execve. @group is the first task of the process. */
void life_executes(struct life *group, int pid);

/*
 * Notes that the task @executed has become the first task of the process @pid. @executed was in a call of execve. Until now, @first was the first
 * task.
 */
void life_execute(struct life *executed, struct life *first, int pid);

/* Notes that events of the task may have been lost. */
void life_lost(struct life *life);

/* Notes that a signal was sent to a process. @group is the first task of the process. Returns 0 or -ENOMEM. */
int life_sent(struct life *group, const struct signal_taken *signal);

/*
 * Notes that a signal is delivered to a task of a process. @group is the first task of the process. The caller sets the .pid, .number, .error and .code of
 * *@signal. This function sets what is known of the sender. @handled is true if the signal has a handler or is ignored. Returns true when *@signal is to be
 * reported. SIGKILL itself is never reported. But if the kernel has sent SIGKILL because another signal ends the process, *@signal becomes that other signal,
 * and the function returns true.
 */
bool life_delivered(struct life *group, struct signal_taken *signal, bool handled);

#endif
