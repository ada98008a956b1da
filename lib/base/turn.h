/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A thread that comes before the others for a moment, because machines or CPUs that are to act together do not wait for it (SCHED_FIFO of sched(7)).
 * Several threads may use one turn.
 */
#ifndef RINGSIDE_TURN_H
#define RINGSIDE_TURN_H

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/types.h>

/* One thread, and how it was scheduled before. */
struct turn {
	pthread_mutex_t mutex;
	pid_t tid;
	bool first; /* it comes first now; false where that is not allowed */
	bool over;  /* it will not come first again */
	int policy;
	struct sched_param param;
};

#define TURN_OF(thread) ((struct turn){ .mutex = PTHREAD_MUTEX_INITIALIZER, .tid = (thread) })

/* Lets the thread come before all that have no real-time priority. The children and threads that it makes meanwhile do not. */
void turn_first(struct turn *turn);

/* Schedules the thread as before. Nothing happens when it is scheduled so already. */
void turn_back(struct turn *turn);

/* Does what turn_back() does. After that, turn_first() does nothing. */
void turn_end(struct turn *turn);

#endif
