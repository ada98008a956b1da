/* SPDX-License-Identifier: GPL-2.0 */
/* Implements record --daemonize. A child process calls setsid() and records. The parent ends when the child reports that recording has begun. */
#ifndef RINGSIDE_CMD_DAEMON_H
#define RINGSIDE_CMD_DAEMON_H

#include "lib/base/base.h"

struct daemon {
	int ready;	  /* the end of a pipe into which the child writes a byte when tracing is set up; -1: the byte was written, or there is no parent */
	int fd;		  /* the pid file, which is locked as long as the child lives; -1: none */
	const char *path; /* the path of the pid file, borrowed */
};

/* clang-format off */
#define DAEMON_NONE { .ready = -1, .fd = -1 }
/* clang-format on */

/*
 * Forks. The process must not have threads yet.
 *
 * In the parent, waits until the child has called daemon_ready() or has ended. Meanwhile, signals that would end the parent are passed on to the child.
 * After the wait, daemon_begin() returns 1, and the parent exits with *@status. *@status is 0 after daemon_ready(). Otherwise it is the child's exit status, or
 * 128 plus the number of the signal that ended the child. Returns -errno after a message when it cannot fork.
 *
 * In the child, writes the child's process id to @pidfile, and returns 0. Returns -errno after a message when the pid file cannot be used. The error is -EBUSY
 * when a running daemon has locked the file. The error is -EEXIST when the file contains something other than a process id.
 */
int daemon_begin(struct daemon *d, const char *pidfile, int *status);

/*
 * Gives up the terminal, and tells the parent to end. Before this, prints how the user can end the recording, unless @quiet is true. After the call,
 * only what the child prints to a regular file is kept.
 */
void daemon_ready(struct daemon *d, bool quiet);

/* Removes the pid file. Does nothing in the parent. */
void daemon_end(struct daemon *d);

#endif
