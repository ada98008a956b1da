/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A session (lib/tracefs/session.h) changes the kernel's tracing settings and writes the old values to a file, the journal. session_open() also starts the
 * guard, which is a small process. The process of the session may die before all settings have been put back. The guard then saves the data that a recording
 * has left in its pipes and in the kernel's buffers. After that, it puts the settings back (journal_undo() in lib/tracefs/journal.h). The guard has called
 * setsid(), so a signal to the terminal's foreground group does not reach it. Of all signals only SIGKILL ends it. The guard changes its working directory to
 * "/", so that it does not keep the caller's directory busy. It closes all descriptors of the caller except those of the journal and of the tracefs directory.
 * On kernels that have pidfd_open(2), the guard begins its work only after the kernel has closed the descriptors of the dead process.
 */
#ifndef RINGSIDE_GUARD_H
#define RINGSIDE_GUARD_H

#include "lib/tracefs/journal.h"

struct guard {
	pid_t pid; /* 0: there is none */
	int fd;	   /* our end of a socket to the guard */
};

/* Forks the guard, which can undo the changes in @journal. @top is the tracefs directory. Returns 0, or -errno after a message. */
int guard_start(struct guard *g, struct journal *journal, const struct tracedir *top);

/*
 * Gives the guard a copy of @pipe, the reading end of a pipe. When our process dies, the guard appends the contents of the pipe to the file @to. After that,
 * the guard saves the contents of the kernel's buffers. @to is the absolute path of a file that exists and is ours. Returns 0, or -errno without a message.
 * The function fails when there is no guard, and when the guard was killed.
 */
int guard_keep(struct guard *g, int pipe, const char *to);

/* Tells the guard that nothing is left to undo, and waits until it has ended. Does nothing for a guard that was never started. */
void guard_end(struct guard *g);

#endif
