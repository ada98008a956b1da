/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The guard: a small process that saves what its recording has left in the kernel, and undoes a journal, when the session's process dies without having done so. It has a
 * session of its own, takes no signal but SIGKILL, holds nothing of the caller's (no descriptor, no directory) and
 * begins only when the dead process's descriptors are closed.
 */
#ifndef RINGSIDE_GUARD_H
#define RINGSIDE_GUARD_H

#include "lib/tracefs/journal.h"

struct guard {
	pid_t pid;	/* 0: there is none */
	int fd;		/* our end of a socket: a byte says that all is undone */
};

/* Forks the guard of @journal, over the tracing directory @top. 0, or -errno after a message. */
int guard_start(struct guard *g, struct journal *journal, const struct tracedir *top);

/* Tells it that nothing is left to undo, and waits for its end. Accepts one that was never started. */
void guard_end(struct guard *g);

#endif
