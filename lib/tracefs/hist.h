/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Histograms of events that the kernel keeps (triggers "hist:keys=…"): stopped and let go on, and what they read. They are made by
 * session_trigger(), which see.
 */
#ifndef RINGSIDE_HIST_TRIGGER_H
#define RINGSIDE_HIST_TRIGGER_H

#include "lib/tracefs/session.h"

/* The kernel takes no more keys, and tables of so many entries. */
enum { HIST_MOST_KEYS = 3, HIST_LEAST_SIZE = 128, HIST_MOST_SIZE = 131072 };

/* Does this kernel have histograms of events? */
bool hist_is_there(const struct tracedir *top, const char *event);

/* The trigger with @attribute ("pause") at the end of what stands before its " if …", in new memory; NULL: out of memory. */
char *hist_with(const char *trigger, const char *attribute);

/* Lets the histogram go on that @trigger made, the same text, or stops it. 0 or -errno after a message. */
int hist_run(struct instance *inst, const char *event, const char *trigger, bool run);

/*
 * What the histogram with these @keys, as they were typed, reads now: one of those of @event. The caller frees *@out. 0, or -errno after
 * a message; -ENOENT: there is none.
 */
int hist_read(const struct instance *inst, const char *event, const char *keys, struct text *out);

/* An entry of it. */
struct hist_entry {
	struct text keys[HIST_MOST_KEYS];	/* their values as they are printed, without blanks around them */
	uint64_t hits;
	struct text rest;			/* what stands behind the hits: values, and below it what was kept */
};

/* The next one, @names being those of the keys as they are printed. False: there is no other. *@rest is taken from. */
bool hist_next(struct text *rest, const char *const *names, size_t n, struct hist_entry *out);

/* A number of an entry by its name ("bytes_alloc", "max"); false: it has none. And a text that was kept, without blanks around it. */
bool hist_number(const struct hist_entry *entry, const char *name, uint64_t *out);
bool hist_kept(const struct hist_entry *entry, const char *name, struct text *out);

/* "comm            [       123]" of a key with .execname: its parts. False: it is not like that. */
bool hist_task(const struct text *key, struct text *comm, uint64_t *pid);

/* How many events had no room in the table any more. */
uint64_t hist_dropped(const struct text *text);

#endif
