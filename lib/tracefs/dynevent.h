/* SPDX-License-Identifier: GPL-2.0 */
/* The dynamic events that there are, whoever has made them: probes, synthetic events. */
#ifndef RINGSIDE_DYNEVENT_H
#define RINGSIDE_DYNEVENT_H

#include "lib/tracefs/tracedir.h"

/* A line of dynamic_events: "p:group/event ...", "r16:group/event …". */
struct dynevent {
	char *line;
	char *name;	/* "group/event" */
};

typedef VEC(struct dynevent) dynevents_t;

/*
 * What kind it is, in the words that trace-cmd uses: "kprobe", "kretprobe", "uprobe", "uretprobe", "eprobe", "synth"; and "fprobe"
 * and "tprobe" of newer kernels. NULL: another one.
 */
const char *dynevent_kind(const struct dynevent *d);

/* All these kinds, ends with NULL. */
extern const char *const dynevent_kinds[];

/* Appends all there are; none in a kernel without such. 0, or -errno after a message. */
int dynevents_read(const struct tracedir *top, dynevents_t *out);
void dynevents_fini(dynevents_t *v);

/*
 * Adds one by its command @text, or when the kernel refuses that by @plain (NULL: there is no other). When it refuses the last and says
 * why, *@what is its words in new memory, *@at the column, and no message was printed; else *@what is NULL. 0 or -errno.
 */
int dynevent_add(const struct tracedir *top, const char *text, const char *plain, char **what, size_t *at);

/*
 * Removes them by their names ("group/event"), the last first since they may stand on each other, and many in a hurry: see
 * journal_hurry(). Those that cannot be removed do not stop the others. 0, or the first -errno after a message for each: -EBUSY when it is enabled somewhere.
 */
int dynevents_remove(const struct tracedir *top, const strv_t *names);

#endif
