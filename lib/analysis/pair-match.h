/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pairs of events in recordings: which record begins what, which one ends it, and what has begun. The last beginning with the same keys counts, and an end
 * takes it away, as the kernel does it for a synthetic event of onmatch(). Nothing is put together across a loss. No printing.
 */
#ifndef RINGSIDE_PAIR_MATCH_H
#define RINGSIDE_PAIR_MATCH_H

#include "lib/analysis/input.h"
#include "lib/analysis/keys.h"
#include "lib/analysis/pair-spec.h"
#include "lib/event/values.h"

/* --- which records ------------------------------------------------------------------------------------------------ */

struct pair_events;

/*
 * Where the events and keys of @pair are in all of @inputs; all is borrowed. 0; -EINVAL after a message: an event has no such field, or a filter cannot be
 * read; -ENOMEM.
 */
int pair_events_new(struct pair_events **out, const inputs_t *inputs, const struct pair *pair);
void pair_events_free(struct pair_events *events);

/* Does one of the inputs have both events? */
bool pair_events_found(const struct pair_events *events);

/* Is it an event of the pair, in this file? */
bool pair_events_has(const struct pair_events *events, uint8_t file, uint16_t id);

/*
 * Does the record begin a pair, or with @ends, does it end one? Then true, and *@key is the same for those that belong together: .a and .b are made of the
 * keys, .c is the file. @common: of the record.
 */
bool pair_events_key(const struct pair_events *events, const struct record *rec, const struct common *common, bool ends, struct key *key);

/* The key of the record's beginning that is a field with the number of a task: whose time it is. False: there is none. */
bool pair_events_pid(const struct pair_events *events, const struct record *rec, int *pid);

/* --- what has begun ----------------------------------------------------------------------------------------------- */

/* So many can be open at once; what begins beyond is not told. */
enum { MATCH_MOST = 1000000 };

/* What a record has ended. */
struct match {
	const struct pair *pair;	/* NULL: it has ended nothing */
	uint64_t ns, took;	/* when that began, as input_time() has it, and how long it was */
	int pid;		/* the task in which it began */
	struct text data;	/* a copy of the record in which it began, where copies are kept; holds until the next record */
};

struct matcher;

/* Of @n pairs, borrowed as @inputs. @copies: the records in which they begin are kept until they end. As pair_events_new(). */
int matcher_new(struct matcher **out, const inputs_t *inputs, const struct pair *pairs, size_t n, bool copies);
/* Of the hooks of -H, which trace-cmd-profile(1) describes; events of different buffers do not belong together. */
int matcher_new_hooks(struct matcher **out, const inputs_t *inputs, const strv_t *hooks);
void matcher_free(struct matcher *matcher);

/* Has one of the inputs both events of all pairs? */
bool matcher_found(const struct matcher *matcher);

/* All records in the order of time. Of several pairs that it ends the first is told. 0 or -ENOMEM. */
int matcher_record(struct matcher *matcher, const struct record *rec, struct match *out);

/* How many have ended before they began, as clocks of CPUs may disagree. They are not told. */
uint64_t matcher_backwards(const struct matcher *matcher);

#endif
