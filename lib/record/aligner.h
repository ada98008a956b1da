/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs a thread that asks an agent for its time again and again while the agent records (lib/net/tsync.h). The agent is a program that records on another
 * machine for us. The answers are used to convert times of the agent's clock to times of our clock.
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

/* Returns true if a program can read the trace clock @name with clock_gettime(). Then *@id becomes the id of this clock for clock_gettime(). */
bool aligner_clock(const char *name, clockid_t *id);

/*
 * Starts the aligner, which owns the connection @fd from now on. Returns 0 or -errno after a message. The caller calls aligner_free() in any
 * case.
 */
int aligner_start(struct aligner **out, int fd, const struct aligner_spec *spec);

/*
 * Makes the thread ask a last round of questions and end the exchange. When this round has taken three seconds, no further CPU is asked. Waits until the
 * thread has ended. If the thread has not ended after ten seconds, the function shuts the connection down, and then the thread ends. A further call does
 * nothing. Accepts NULL.
 */
void aligner_end(struct aligner *a);

/*
 * Writes what is known of the agent's clocks to a file in the folder with the agent's data (lib/record/kept-clocks.h). Must be called after aligner_end(). The
 * thread itself writes this file after each round except the last one. So the file exists even if this process is killed. Returns 1 when the file was written.
 * Returns 0 when nothing is known of the clocks. In this case *@why is the reason. Returns -errno after a message when the file cannot be written.
 */
int aligner_keep(const struct aligner *a, const char **why);

void aligner_free(struct aligner *a);

#endif
