/* SPDX-License-Identifier: GPL-2.0 */
/*
 * `record -A`: agents on other machines are asked for recordings, each by a process of its own (lib/record/receive.h), so that one that goes away costs only
 * its own file.
 */
#ifndef RINGSIDE_GUESTS_H
#define RINGSIDE_GUESTS_H

#include "lib/base/vec.h"
#include "lib/record/spec.h"
#include "lib/record/watch.h"
#include <time.h>

struct guest_spec {
	const char *where;  /* "HOST:PORT", or "CID:PORT" of a virtual machine */
	const char *output; /* the file's name */
	bool proxy;	    /* it is the agent of the host that this virtual machine runs on */
	strv_t words;	    /* options of record, for the agent */
	bool sync;	    /* its clock is compared with that one here, so often (0: at the beginning and at the end) */
	clockid_t clock;
	uint64_t interval_ns;
};

struct guests;

/*
 * Asks @n agents, and waits until all of them record; when one cannot, none does. @said is told what is worth saying, in the process of each. To be called while
 * there are no threads. Returns 0 or -errno after a message; guests_free() after it in any case.
 */
int guests_begin(struct guests **out, const struct guest_spec *specs, size_t n, void (*said)(void *ctx, const char *sentence), void *ctx);

/* Tells all of them to end, which guests_join() waits for: 0, or -EIO when a message has said that one has failed. */
void guests_end(struct guests *g);
int guests_join(struct guests *g);
void guests_free(struct guests *g);

/*
 * Instead of a recording here: runs the command of @spec, or waits for a signal, the end of the time that it has or of all agents. Returns 0, or -errno after a
 * message; *@status is the command's or what a shell would say of it, *@end what it was.
 */
int guests_attend(const struct guests *g, const struct record_spec *spec, int *status, enum watch_end *end);

#endif
