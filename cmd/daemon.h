/* SPDX-License-Identifier: GPL-2.0 */
/* Implements record --daemonize: a child that has called setsid() records. Its parent ends when the child tells it that recording has begun. */
#ifndef RINGSIDE_CMD_DAEMON_H
#define RINGSIDE_CMD_DAEMON_H

#include "lib/base/base.h"

struct daemon {
	int ready;	  /* a pipe, through which the child sends a byte when tracing is set up; -1: the byte was sent, or there is no parent */
	int fd;		  /* the pid file, which is locked as long as the child lives; -1: none */
	const char *path; /* the path of the pid file, borrowed */
};

/* clang-format off */
#define DAEMON_NONE { .ready = -1, .fd = -1 }
/* clang-format on */

/*
 * Forks; the process must not have threads yet. In the child it returns 0, and @pidfile has the child's process id. In the parent it returns 1 when the
 * child has called daemon_ready() or has ended; the parent then ends with *@status, which is 0 or the child's status. Until then signals that end a process
 * are passed on to the child. It returns -errno after a message when it could not fork. In the child it also returns -errno after a message when the pid
 * file cannot be used: a running daemon holds it (-EBUSY), the file contains something other than a process id, or it cannot be opened or written.
 */
int daemon_begin(struct daemon *d, const char *pidfile, int *status);

/*
 * Lets the parent end, and lets go of the terminal: what the child prints from now on is lost, unless it goes to a regular file. Unless @quiet is true,
 * the function first prints how the user ends the recording.
 */
void daemon_ready(struct daemon *d, bool quiet);

/* Removes the pid file. Does nothing in the parent. */
void daemon_end(struct daemon *d);

#endif
