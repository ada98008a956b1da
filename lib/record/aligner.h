/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs a thread that asks an agent for its time again and again while the agent records (lib/net/tsync.h). With the answers, the agent's times can be
 * converted to ours. The recording of the agent is received by lib/record/receive.h.
 */
#ifndef RINGSIDE_ALIGNER_H
#define RINGSIDE_ALIGNER_H

#include "lib/record/spool.h"
#include <time.h>

struct aligner;

struct aligner_spec {
	clockid_t clock; /* the clock of the recording on this machine */
	/* The time between two rounds of questions. A round asks once for each CPU. 0: there are rounds only at the beginning and at the end. */
	uint64_t interval_ns;
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
 * Makes the thread ask a last round of questions and end the exchange. Waits until the thread has ended. After ten seconds the function shuts the
 * connection down, so that the thread ends. A further call does nothing. Accepts NULL.
 */
void aligner_end(struct aligner *a);

/*
 * Writes what is known of the agent's clocks to a file in the folder with the agent's data (lib/record/kept-clocks.h). The caller has called aligner_end().
 * While the thread runs, it also writes this file from time to time, so that little is missing when we are killed. Returns 1 when the file was written.
 * Returns 0 when nothing is known of the clocks. After 0, *@why is the reason. Returns -errno after a message when the file cannot be written.
 */
int aligner_keep(const struct aligner *a, const char **why);

void aligner_free(struct aligner *a);

#endif
