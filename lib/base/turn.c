/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/base/turn.h"

void turn_first(struct turn *turn)
{
	static const struct sched_param lowest = { .sched_priority = 1 };

	if (turn->first)
		return;
	turn->policy = sched_getscheduler(turn->tid);
	/* Who has a real-time priority, or a deadline, keeps it. */
	if (turn->policy != SCHED_OTHER && turn->policy != SCHED_BATCH && turn->policy != SCHED_IDLE)
		return;
	turn->first = !sched_getparam(turn->tid, &turn->param) && !sched_setscheduler(turn->tid, SCHED_FIFO | SCHED_RESET_ON_FORK, &lowest);
}

void turn_back(struct turn *turn)
{
	if (turn->first)
		sched_setscheduler(turn->tid, turn->policy, &turn->param);
	turn->first = false;
}
