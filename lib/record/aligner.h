/* SPDX-License-Identifier: GPL-2.0 */
/*
 * While an agent records (lib/record/receive.h): asks it for the time again and again (lib/net/tsync.h), in a thread, so that its times become ours.
 */
#ifndef RINGSIDE_ALIGNER_H
#define RINGSIDE_ALIGNER_H

#include "lib/record/spool.h"
#include <time.h>

struct aligner;

struct aligner_spec {
	clockid_t clock;	   /* of this machine's recording */
	uint64_t interval_ns;	   /* of all CPUs that often; 0: at the beginning and at the end */
	uint32_t cpus;		   /* of the agent */
	const struct spool *spool; /* what comes from it; it stays open until aligner_end() */
};

/* Is that trace clock one that a program can read? Its number: *@id. */
bool aligner_clock(const char *name, clockid_t *id);

/* Starts it with the connection @fd, which is the aligner's from now on. Returns 0 or -errno after a message; aligner_free() after it in any case. */
int aligner_start(struct aligner **out, int fd, const struct aligner_spec *spec);

/* Asks for the last time, says that there will be no more, and waits for the thread: some seconds at the most. May be called again. Accepts NULL. */
void aligner_end(struct aligner *a);

/*
 * After aligner_end(): keeps what was found beside the data (lib/record/kept-clocks.h), as was done now and then before. Returns 1; 0 when nothing was found,
 * which *@why says; or -errno after a message.
 */
int aligner_keep(const struct aligner *a, const char **why);

void aligner_free(struct aligner *a);

#endif
