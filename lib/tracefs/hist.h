/* SPDX-License-Identifier: GPL-2.0 */
/* Stops, continues and reads the kernel's histograms of events (triggers "hist:keys=…"). session_trigger() in lib/tracefs/session.h makes a histogram. */
#ifndef RINGSIDE_HIST_TRIGGER_H
#define RINGSIDE_HIST_TRIGGER_H

#include "lib/tracefs/session.h"

/* The kernel's limits: the greatest number of keys, and the least and the greatest number of entries in a table. */
enum { HIST_MOST_KEYS = 3, HIST_LEAST_SIZE = 128, HIST_MOST_SIZE = 131072 };

/* Does this kernel have histograms of events? The function checks whether @event has a file "hist". */
bool hist_is_there(const struct tracedir *top, const char *event);

/*
 * Returns @trigger with ":@attribute" added, such as ":pause". The attribute stands in front of the " if …" of @trigger. If @trigger has no condition, the
 * attribute stands at the end. The caller frees the text. Returns NULL when memory runs out.
 */
char *hist_with(const char *trigger, const char *attribute);

/*
 * Continues the histogram that @trigger made if @run is true, and stops this histogram if @run is false. @trigger must be the text with which the histogram
 * was made. Returns 0, or -errno after a message.
 */
int hist_run(struct instance *inst, const char *event, const char *trigger, bool run);

/*
 * Reads the histogram of @event that has the keys @keys. The kernel prints a histogram together with its trigger. @keys is the text between "hist:keys="
 * and the next colon of this trigger. The caller frees out->at. Returns 0, or -errno after a message. -ENOENT means that the event has no histogram with
 * these keys.
 */
int hist_read(const struct instance *inst, const char *event, const char *keys, struct text *out);

/* An entry of a histogram. Its texts point into the text of the histogram, from which hist_next() takes the entry. */
struct hist_entry {
	struct text keys[HIST_MOST_KEYS]; /* keys[i] is the value of the histogram's i-th key (from 0), as it is printed, without blanks around it */
	uint64_t hits;
	struct text rest; /* the text behind "hitcount: ": the number of hits, the values, and the fields that the action save() has saved */
};

/*
 * Takes the next entry from the front of *@rest. Before the first call, *@rest is the text that hist_read() gave. The histogram has @n keys. @names[i] is
 * the name of the i-th key, as the kernel prints it. Returns false when there is no further entry.
 */
bool hist_next(struct text *rest, const char *const *names, size_t n, struct hist_entry *out);

/*
 * hist_number() finds the value called @name ("bytes_alloc", "max") in an entry. hist_kept() finds the text of the field @name that the action save() has
 * saved, without blanks around the text. Both return false when the entry has no such name.
 */
bool hist_number(const struct hist_entry *entry, const char *name, uint64_t *out);
bool hist_kept(const struct hist_entry *entry, const char *name, struct text *out);

/*
 * Returns the name that this kernel has for a stack as a key: "common_stacktrace" or "stacktrace". The kernel uses this name both in triggers
 * and in the histograms that it prints. The stack must be the last key.
 */
const char *hist_stack_key(const struct tracedir *top);

/*
 * Takes the next function from the front of *@stack. Before the first call, *@stack is the value of the key that is a stack. The innermost function comes
 * first. Returns false at the end.
 */
bool hist_stack_next(struct text *stack, struct text *function);

/* Splits the value of a key with .execname, "comm            [       123]", into its parts. Returns false when it has another form. */
bool hist_task(const struct text *key, struct text *comm, uint64_t *pid);

/* Returns how many events the kernel dropped because the histogram's table was full. @text is what hist_read() gave. */
uint64_t hist_dropped(const struct text *text);

#endif
