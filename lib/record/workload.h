/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The command that is traced: forked early, so that its pid is known while tracing is set up, held at a pipe until
 * all is armed, and exec'ed right after it has switched tracing on itself. When the recorder dies while it is held, it
 * ends without exec.
 */
#ifndef RINGSIDE_WORKLOAD_H
#define RINGSIDE_WORKLOAD_H

#include "lib/base/base.h"
#include <sys/types.h>

struct workload;

/* Exit statuses as shells have them. */
enum { STATUS_NOT_EXECUTABLE = 126, STATUS_NOT_FOUND = 127, STATUS_SIGNAL = 128 };

/*
 * The file that @command names, looked for in $PATH as a shell would; new memory in *@path.
 * -ENOENT, -EACCES (there is one, but it cannot be executed), -ENOMEM: after a message.
 */
int workload_find(const char *command, char **path);

/* Is there such a user? 0, or -ENOENT after a message. */
int workload_user_check(const char *user);

/* From now on this process is that user's. 0 or -errno, without a message. */
int workload_become(const char *user);

/*
 * Forks the child that is to become @argv (path: @path) as @user (NULL: as we are). To be called before there
 * are threads. 0 or -errno after a message.
 */
int workload_hold(struct workload **out, const char *path, char *const *argv, const char *user);

pid_t workload_pid(const struct workload *w);

/*
 * Has @exiting called when the command is about to end, while its memory is still there (it is traced for that, and
 * a debugger cannot be attached to it). Before workload_release(). 0 or -errno after a message.
 */
int workload_seize(struct workload *w, void (*exiting)(void *ctx, pid_t pid), void *ctx);

/*
 * Gives the child @n descriptors of tracing_on files, to which it writes "1" as its last act before its exec.
 * At most WORKLOAD_GATES. Returns when the exec has been done: 0, or -errno after a message (nothing runs then).
 */
enum { WORKLOAD_GATES = 128 };
int workload_release(struct workload *w, const int *gates, size_t n);

/* Has the command ended? It looks without waiting. Once the answer is true, it stays true. */
bool workload_ended(struct workload *w);

/* The kernel's name of it, that which it has now or had at its end; "" when that is not known. */
enum { WORKLOAD_NAME = 16 };
void workload_name(struct workload *w, char name[static WORKLOAD_NAME]);

/* Its exit status, 128 + N for signal N; it must have ended. */
int workload_status(const struct workload *w);

/* Does it ignore this signal now? */
bool workload_ignores(const struct workload *w, int signal);

/* Sends it a signal, if it was released and has not ended. */
void workload_signal(const struct workload *w, int signal);

/* A child that is still held ends; one that runs is left alone. Accepts NULL. */
void workload_free(struct workload *w);

#endif
