/* SPDX-License-Identifier: GPL-2.0 */
/* Identifies processes, even when a later process has the pid of an earlier one. Also tells facts about our own process and about the boot. */
#ifndef RINGSIDE_PROCESS_H
#define RINGSIDE_PROCESS_H

#include "lib/base/str.h"
#include <sys/types.h>

/*
 * Returns "PID START-TIME" in new memory, which the caller frees. A later process with the same pid has another start time. Returns NULL when no process
 * with this pid runs. A zombie does not count as running. Also returns NULL when memory runs out.
 */
char *process_id(pid_t pid);

/*
 * Tells when the task @pid began, in ticks since boot. A later task with the same pid has another time. A zombie has a time, too. Returns false when there is
 * no such task, or when memory runs out.
 */
bool process_start(pid_t pid, uint64_t *ticks);

/* @id is a text that process_id() returned. Does the process of this text still run? */
bool process_runs(const char *id);

/* Returns the pid of the process to which the thread @tid belongs. Returns 0 when there is no such thread, or when memory runs out. */
pid_t process_of_thread(pid_t tid);

/*
 * Returns true if a SIGKILL is pending for the process @pid, or if the process has begun to exit. Such a process may still hold its files for a while.
 */
bool process_is_ending(pid_t pid);

/*
 * Copies the name (comm) that the task @pid has now, and fills the rest of @name with zeros. A zombie has a name, too. Returns false, and leaves @name alone,
 * in these three cases:
 *  - There is no such task.
 *  - Memory runs out.
 *  - process_in_container() is true. Then @pid, which comes from ftrace, is not the pid of the task in our /proc.
 */
enum { PROCESS_NAME = 16 }; /* the kernel's TASK_COMM_LEN, with the ending NUL */
bool process_name(pid_t pid, char name[static PROCESS_NAME]);

/* Does what process_name() does, but for a pid of our own PID namespace, and so also in a container. */
bool process_own_name(pid_t pid, char name[static PROCESS_NAME]);

/* Tells the parent of the process @pid, and its session. Returns false when no process with this pid runs. A zombie does not count as running. */
bool process_relation(pid_t pid, pid_t *parent, pid_t *session);

/*
 * In ftrace, a task has the pid that it has in the initial PID namespace. process_in_container() returns true if our own process is in another namespace.
 * In that case the pids that we see are not the pids in ftrace. The initial namespace has the inode number PROC_PID_INIT_INO (include/linux/proc_ns.h). If
 * our namespace cannot be read, the result is false. process_numbers_shared() returns 0 if process_in_container() is false, or -EOPNOTSUPP after a message.
 */
bool process_in_container(void);
int process_numbers_shared(void);

/* Returns the id of this boot of the kernel, or "?" when it cannot be read. The caller frees the text. Returns NULL when memory runs out. */
char *boot_id(void);

/*
 * Returns the command line of our own process with blanks between its words, or "?" when it cannot be read. The caller frees the text. Returns NULL
 * when memory runs out.
 */
char *command_line(void);

#endif
