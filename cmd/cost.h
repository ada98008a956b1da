/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Measures how much time an event costs the task in which it happens. For a few milliseconds, ringside itself makes system calls. It measures how long these
 * calls take while the event is traced, and how long they take while it is not. The event is recorded in a separate instance, or a histogram in this instance
 * counts the event. The session (lib/tracefs/session.h) removes the instance. BPF programs need no instance.
 */
#ifndef RINGSIDE_CMD_COST_H
#define RINGSIDE_CMD_COST_H

#include "lib/tracefs/session.h"

/* This tells what the kernel does with an event. */
enum cost_of {
	COST_RECORDED, /* the event goes into the ring buffer */
	COST_COUNTED,  /* a histogram counts the event */
	COST_TALLIED,  /* a BPF program counts the event */
	COST_PAIRED,   /* two events make a synthetic event, and a histogram counts the time between the two events */
	COST_LAPPED,   /* two BPF programs measure the time between two events */
};

struct cost {
	bool measured;
	double ns;	    /* what one event, or one pair, costs; 0 or less when the cost is too small to be measured */
	uint64_t took_ns;   /* how long measuring took */
	unsigned int calls; /* how many system calls were timed with the event; the same number of calls was timed without the event */
};

/*
 * Measures the cost of @what. @nkeys is the number of keys of the histogram, and is used only for COST_COUNTED. out->measured stays false when the kernel
 * has no event raw_syscalls:sys_enter. Returns 0 or -errno after a message.
 */
int cost_measure(struct cost *out, struct session *s, enum cost_of what, size_t nkeys);

#endif
