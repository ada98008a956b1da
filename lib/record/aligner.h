/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs a thread that asks an agent for its time again and again while the agent records (lib/net/tsync.h), so that the agent's times can be converted
 * to ours. The recording of the agent is received by lib/record/receive.h.
 */
#ifndef RINGSIDE_ALIGNER_H
#define RINGSIDE_ALIGNER_H

#include "lib/record/spool.h"
#include <time.h>

struct aligner;

struct aligner_spec {
	clockid_t clock;	   /* the clock of the recording on this machine */
	uint64_t interval_ns;	   /* the time between two rounds of questions; a round asks once for each CPU; 0: only at the beginning and at the end */
	uint32_t cpus;		   /* how many CPUs the agent has */
	const struct spool *spool; /* the folder with the agent's data; borrowed, and must stay open until aligner_free() */
};

/* Can a program read the trace clock of this name? If it can, *@id becomes the number of that clock. */
bool aligner_clock(const char *name, clockid_t *id);

/*
 * Starts the aligner, which owns the connection @fd from now on. Returns 0 or -errno after a message. The caller calls aligner_free() in any
 * case.
 */
int aligner_start(struct aligner **out, int fd, const struct aligner_spec *spec);

/*
 * Makes the thread ask a last round of questions and end the exchange, and waits until the thread has ended. When this takes ten seconds, the function
 * shuts the connection down, so that the thread ends. A further call does nothing. Accepts NULL.
 */
void aligner_end(struct aligner *a);

/*
 * Writes to the folder with the agent's data what is known of the agent's clocks (lib/record/kept-clocks.h). The caller has called aligner_end(). The
 * thread writes the same from time to time while it runs, so that little is missing when we are killed. Returns 1 when it was written; 0 when nothing is
 * known of the clocks, and then *@why is the reason; or -errno after a message when it cannot be written.
 */
int aligner_keep(const struct aligner *a, const char **why);

void aligner_free(struct aligner *a);

#endif
