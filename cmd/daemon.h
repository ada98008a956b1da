/* SPDX-License-Identifier: GPL-2.0 */
/* record --daemonize: the recording is a child in a session of its own, and we end when it says that it records. */
#ifndef RINGSIDE_CMD_DAEMON_H
#define RINGSIDE_CMD_DAEMON_H

#include "lib/base/base.h"

struct daemon {
	int ready;		/* a byte tells the parent that all is armed; -1: told, or there is no parent */
	int fd;			/* the pid file, locked while we live; -1: none */
	const char *path;	/* of it, borrowed */
};

#define DAEMON_NONE { .ready = -1, .fd = -1 }

/*
 * Forks, before there are threads. In the child 0: it goes on, its process id stands in the file @pidfile. In the parent 1, when the child
 * has said daemon_ready() or has ended: *@status is the status to end with, 0 or the child's; signals that end were passed on
 * to it meanwhile. -errno after a message: nothing was forked, or (in the child) the file cannot be had: a living one holds it
 * (-EBUSY), or it holds something else.
 */
int daemon_begin(struct daemon *d, const char *pidfile, int *status);

/* In the child: the parent may go. Lets go of the terminal; what is printed from now on is lost, unless that is a file. */
void daemon_ready(struct daemon *d, bool quiet);

/* Removes the pid file. Nothing in the parent. */
void daemon_end(struct daemon *d);

#endif
