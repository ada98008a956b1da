/* SPDX-License-Identifier: GPL-2.0 */
/* While an agent of ours records: tells who asked for it what time it is here (lib/net/tsync.h), in a thread. */
#ifndef RINGSIDE_ANSWERER_H
#define RINGSIDE_ANSWERER_H

#include "lib/base/base.h"
#include <sys/types.h>

struct answerer;

/*
 * Starts it: it waits at @waiting, a socket that is listened at, for who is at the other end of the connection @peer; both are borrowed. The clock is that of the file @stats
 * (per_cpu/cpuN/stats of an instance). *@tid is the id of the thread. Returns 0 or -errno after a message; answerer_free() after it in any case.
 */
int answerer_start(struct answerer **out, int waiting, int peer, const char *stats, const char *clock, pid_t *tid);

/*
 * Ends the thread, and lets go of the instance. With @told the other end has told the agent to end: trace-cmd asks for the last time after that, so it is answered as long as it
 * asks (but not for more than a minute), and some seconds longer unless it says that there will be no more. May be called again. Accepts NULL.
 */
void answerer_end(struct answerer *a, bool told);

/* Ends the thread, if it was not ended, and closes the connection. Accepts NULL. */
void answerer_free(struct answerer *a);

#endif
