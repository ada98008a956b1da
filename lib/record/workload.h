/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Starts the command that is traced. A child process will execute the command. The child is forked early, so that its pid is known while tracing is set up. The
 * child waits at a socket until tracing is set up. Then the child itself turns tracing on, and executes the command right after that. If the process that has
 * forked the child dies while the child waits, the child ends without executing anything.
 */
#ifndef RINGSIDE_WORKLOAD_H
#define RINGSIDE_WORKLOAD_H

#include "lib/tracefs/process.h"
#include <sys/types.h>

struct workload;

/* Exit statuses as shells have them. */
enum { STATUS_NOT_EXECUTABLE = 126, STATUS_NOT_FOUND = 127, STATUS_SIGNAL = 128 };

/*
 * Finds the file that @command names, in $PATH as a shell does. The caller frees *@path. Returns 0, or -errno after a message. -EACCES means that the
 * file exists but cannot be executed.
 */
int workload_find(const char *command, char **path);

/* Checks that the user @user exists. Returns 0, or -ENOENT after a message. */
int workload_user_check(const char *user);

/* Makes this process run as @user, with the groups of @user, and sets $HOME, $USER and $LOGNAME. Returns 0, or -errno without a message. */
int workload_become(const char *user);

/*
 * Forks the child that will execute the file @path with the arguments @argv as @user (NULL: as the present user). The process
 * must not have threads yet. Returns 0, or -errno after a message.
 */
int workload_hold(struct workload **out, const char *path, char *const *argv, const char *user);

pid_t workload_pid(const struct workload *w);

/*
 * Makes workload_ended() call @exiting when the command is about to end and still has its memory. For this, the command is traced by ptrace(2). So no debugger
 * can be attached to the command. At each signal and at its end, the command is stopped until workload_ended() is called. So the caller must call
 * workload_ended() at each SIGCHLD. workload_seize() must be called before workload_release(). Returns 0, or -errno after a message.
 */
int workload_seize(struct workload *w, void (*exiting)(void *ctx, pid_t pid), void *ctx);

/*
 * Gives the child @n descriptors of tracing_on files, at most WORKLOAD_GATES. The last thing that the child does before its exec is to write "1" to these
 * files. Returns 0 when the exec has been done, or -errno after a message when the command does not run.
 */
enum { WORKLOAD_GATES = 128 };
int workload_release(struct workload *w, const int *gates, size_t n);

/* Has the command ended? The function does not wait. Once the answer is true, it stays true. */
bool workload_ended(struct workload *w);

/* Copies the name (comm) that the command has now, or that it had at its end. Copies "" when the name is not known. */
void workload_name(struct workload *w, char name[static PROCESS_NAME]);

/*
 * Copies the name that the command had at its end. Returns false as long as this name is not known. Any thread may call this function, even while another
 * thread calls workload_ended().
 */
bool workload_last_name(const struct workload *w, char name[static PROCESS_NAME]);

/* Returns the exit status of the command, or 128 + N when signal N has ended it. The command must have ended. */
int workload_status(const struct workload *w);

/* Does the command ignore this signal now? */
bool workload_ignores(const struct workload *w, int signal);

/* Sends the command a signal, if it was released and has not ended. */
void workload_signal(const struct workload *w, int signal);

/* Frees @w. If the child is still waiting to execute the command, the child ends. If the command runs, it goes on. Accepts NULL. */
void workload_free(struct workload *w);

#endif
