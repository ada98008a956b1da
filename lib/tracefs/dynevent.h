/* SPDX-License-Identifier: GPL-2.0 */
/* Adds, lists and removes dynamic events of the kernel (probes and synthetic events). Events that other programs have added are listed and removed, too. */
#ifndef RINGSIDE_DYNEVENT_H
#define RINGSIDE_DYNEVENT_H

#include "lib/tracefs/tracedir.h"

/* A line of dynamic_events: "p:group/event ...", "r16:group/event …". */
struct dynevent {
	char *line;
	char *name; /* "group/event" */
};

typedef VEC(struct dynevent) dynevents_t;

/*
 * Names the kind of a dynamic event. The names are those of trace-cmd: "kprobe", "kretprobe", "uprobe", "uretprobe", "eprobe" and "synth". Newer kernels
 * also have "fprobe" and "tprobe". Returns NULL when the kind is not known.
 */
const char *dynevent_kind(const struct dynevent *d);

/* The names of all kinds, as dynevent_kind() gives them. The array ends with NULL. */
extern const char *const dynevent_kinds[];

/* Appends all dynamic events to *@out. A kernel that does not support dynamic events has none. Returns 0, or -errno after a message. */
int dynevents_read(const struct tracedir *top, dynevents_t *out);
void dynevents_fini(dynevents_t *v);

/*
 * Adds a dynamic event by its command @text. If the kernel refuses @text, the command @plain is tried instead. @plain may be NULL: then no second command
 * is tried. Returns 0 or -errno. There are two kinds of failure:
 *  - The kernel refuses and says why. Then *@what is the kernel's explanation in new memory, and no message was printed. *@at is the column to which the
 *    kernel's caret points, in the command that was tried last.
 *  - For any other failure, a message was printed, and *@what is NULL.
 * When the function returns 0, *@what is NULL.
 */
int dynevent_add(const struct tracedir *top, const char *text, const char *plain, char **what, size_t *at);

/*
 * Removes the dynamic events @names ("group/event"). The events are removed in reverse order, because an event may be attached to an earlier event of @names.
 * If @names has MANY_PROBES (lib/tracefs/journal.h) elements or more, the function makes the removal faster (journal_hurry()). For this it calls session_open()
 * (lib/tracefs/session.h), so this process must have no other threads. When session_open() fails, no event is removed. An event that cannot be removed does not
 * stop the removal of the others. Prints a message for each failure. Returns 0 or the first -errno. -EBUSY means that an event is enabled in an instance or by
 * a trigger.
 */
int dynevents_remove(const struct tracedir *top, const strv_t *names);

#endif
