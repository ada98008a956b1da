/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/base/turn.h"

static void go_first(struct turn *turn)
{
	static const struct sched_param lowest = { .sched_priority = 1 };

	turn->policy = sched_getscheduler(turn->tid);
	/* A thread that has a real-time priority or a deadline keeps it. */
	if (turn->policy != SCHED_OTHER && turn->policy != SCHED_BATCH && turn->policy != SCHED_IDLE)
		return;
	turn->first = !sched_getparam(turn->tid, &turn->param) && !sched_setscheduler(turn->tid, SCHED_FIFO | SCHED_RESET_ON_FORK, &lowest);
}

void turn_first(struct turn *turn)
{
	pthread_mutex_lock(&turn->mutex);
	if (!turn->first && !turn->over)
		go_first(turn);
	pthread_mutex_unlock(&turn->mutex);
}

static void go_back(struct turn *turn, bool over)
{
	pthread_mutex_lock(&turn->mutex);
	if (turn->first)
		sched_setscheduler(turn->tid, turn->policy, &turn->param);
	turn->first = false;
	turn->over |= over;
	pthread_mutex_unlock(&turn->mutex);
}

void turn_back(struct turn *turn)
{
	go_back(turn, false);
}

void turn_end(struct turn *turn)
{
	go_back(turn, true);
}
