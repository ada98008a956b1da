/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs a thread that answers questions about the time on this machine (lib/net/tsync.h). The questions come from the machine for which this machine records as
 * an agent.
 */
#ifndef RINGSIDE_ANSWERER_H
#define RINGSIDE_ANSWERER_H

#include "lib/base/base.h"
#include <sys/types.h>

struct answerer;

/*
 * Starts the thread. The thread waits for a connection to the listening socket @waiting. It takes a connection only from the machine at the other end of the
 * connection @peer. Both descriptors are borrowed until answerer_end(). The thread answers with the time of an instance's trace clock. @clock is the name of
 * this clock. @stats is the path of the instance's file per_cpu/cpuN/stats. If a program can read the clock with clock_gettime() (aligner_clock() in
 * lib/record/aligner.h), the thread does so. Otherwise it reads the time from the file @stats. *@tid becomes the id of the thread. Returns 0 or -errno after a
 * message. The caller calls answerer_free() in any case.
 */
int answerer_start(struct answerer **out, int waiting, int peer, const char *stats, const char *clock, pid_t *tid);

/*
 * Waits until the thread has ended, and closes the file @stats of answerer_start(). @told is true if the other end has told the agent to end. trace-cmd sends
 * its last questions only after it has told the agent to end. So if @told is true and the other end has connected, the thread goes on answering until one of
 * these happens:
 *  - The other end says that no more questions will come, or the connection ends.
 *  - No question has come for 20 seconds. A warning says so.
 *  - About a minute has passed. A warning says so.
 * If @told is false, or if the other end has not connected, the function makes the thread end at once. A further call does nothing. Accepts NULL.
 */
void answerer_end(struct answerer *a, bool told);

/* Ends the thread if it still runs, closes the connection, and frees @a. Accepts NULL. */
void answerer_free(struct answerer *a);

#endif
