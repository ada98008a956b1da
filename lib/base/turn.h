/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Gives a thread a real-time priority (SCHED_FIFO of sched(7)) for a short time. With this priority, the thread acts in time even on a busy machine. `record
 * --hosts` uses this to begin and end the recording on all machines at the same moment. Several threads may call these functions for one struct turn.
 */
#ifndef RINGSIDE_TURN_H
#define RINGSIDE_TURN_H

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/types.h>

/* A thread, and how it was scheduled before turn_first() gave it the real-time priority. */
struct turn {
	pthread_mutex_t mutex;
	pid_t tid;
	bool first; /* true while the thread has the priority of turn_first(); stays false if the user has no permission to set real-time priorities */
	bool over;  /* turn_end() was called, so turn_first() does nothing any more */
	int policy;
	struct sched_param param;
};

/* A struct turn for the thread with the id @thread, as gettid(2) returns it. */
#define TURN_OF(thread) ((struct turn){ .mutex = PTHREAD_MUTEX_INITIALIZER, .tid = (thread) })

/*
 * Gives the thread the lowest real-time priority. Processes and threads that the thread starts do not inherit this priority. Does nothing if the thread
 * already has a real-time priority or a deadline. If the user has no permission to set real-time priorities, nothing changes, and no message is printed.
 */
void turn_first(struct turn *turn);

/* Gives the thread back the scheduling policy and the priority that it had before turn_first(). Does nothing if the thread already has them. */
void turn_back(struct turn *turn);

/* Does what turn_back() does. After turn_end(), turn_first() does nothing. */
void turn_end(struct turn *turn);

#endif
