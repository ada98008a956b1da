/* SPDX-License-Identifier: GPL-2.0 */
/* Answers questions for the time here (lib/net/tsync.h), in a thread, while an agent of ours records. */
#ifndef RINGSIDE_ANSWERER_H
#define RINGSIDE_ANSWERER_H

#include "lib/base/base.h"
#include <sys/types.h>

struct answerer;

/*
 * Starts the thread. It waits on @waiting, a listening socket, for a connection from the machine at the other end of the connection @peer; both are
 * borrowed. It reads the clock of the instance whose file per_cpu/cpuN/stats is @stats. *@tid is the id of the thread. Returns 0 or -errno after a
 * message. The caller calls answerer_free() in any case.
 */
int answerer_start(struct answerer **out, int waiting, int peer, const char *stats, const char *clock, pid_t *tid);

/*
 * Ends the thread, and closes its file of the instance. @told says that the other end has told the agent to end. trace-cmd sends its last questions
 * only after that. So the thread goes on answering while questions come, for a minute at most. It waits some seconds for each further question,
 * unless the other end says that there will be none. A further call does nothing. Accepts NULL.
 */
void answerer_end(struct answerer *a, bool told);

/* Ends the thread if it still runs, and closes the connection. Accepts NULL. */
void answerer_free(struct answerer *a);

#endif
