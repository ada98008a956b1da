/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an event costs the task in which it happens, measured here and now: system calls of our own are timed with and without it, some ms, in an
 * instance of its own that goes with the session.
 */
#ifndef RINGSIDE_CMD_COST_H
#define RINGSIDE_CMD_COST_H

#include "lib/tracefs/session.h"

/* What is done with an event. */
enum cost_of {
	COST_RECORDED, /* it goes into the ring buffer */
	COST_COUNTED,  /* a histogram counts it */
	COST_PAIRED,   /* of two events a synthetic one is made, whose histogram has the time between them */
};

struct cost {
	bool measured;
	double ns;	    /* of one event, or of one pair; less than 0: too little to tell */
	uint64_t took_ns;   /* so long measuring took */
	unsigned int calls; /* so often at each state */
};

/*
 * Measures it: @nkeys are those of the histogram. out->measured stays false where the kernel has no event raw_syscalls:sys_enter. Returns 0 or -errno after a
 * message.
 */
int cost_measure(struct cost *out, struct session *s, enum cost_of what, size_t nkeys);

#endif
