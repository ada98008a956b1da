/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds pairs of events in recordings: which records begin a pair, which end one, and which pairs are open. If a pair begins with the keys of an open pair,
 * it replaces the open pair. An end event ends the open pair with its keys, if there is one. The kernel does the same for the synthetic events of a hist
 * trigger with onmatch(). But if a key is a task, an end event of a later task that has the same pid ends no pair (lib/analysis/reuse.h). And a pair that
 * is a system call (pair_is_syscall()) is not ended by the exit of another system call (lib/analysis/syscall-match.h).
 *
 * If both events of a pair happen in the same task, the pair is dropped when events of this task may have been lost between them (lib/analysis/doubts.h).
 * For any other pair, losses on all CPUs of its file matter: the open pairs are dropped then, and no pair begins until the loss is over. Nothing in here
 * prints.
 */
#ifndef RINGSIDE_PAIR_MATCH_H
#define RINGSIDE_PAIR_MATCH_H

#include "lib/analysis/input.h"
#include "lib/analysis/keys.h"
#include "lib/analysis/pair-spec.h"
#include "lib/analysis/reuse.h"
#include "lib/event/values.h"

/* --- which records ------------------------------------------------------------------------------------------------ */

struct pair_events;

/*
 * Finds the events and the keys of @pair in all @inputs. Borrows @inputs and @pair. Returns 0, -EINVAL after a message (an event has no such field,
 * a filter cannot be parsed, or the pair is of a system call and the numbers of an input's system calls are not known), or -ENOMEM.
 */
int pair_events_new(struct pair_events **out, const inputs_t *inputs, const struct pair *pair);
void pair_events_free(struct pair_events *events);

/* Returns the pair that was given to pair_events_new(). */
const struct pair *pair_events_pair(const struct pair_events *events);

/* Returns true when one of the inputs has both events. */
bool pair_events_found(const struct pair_events *events);

/* Returns true when the event with this id in this file begins or ends the pair. */
bool pair_events_has(const struct pair_events *events, uint8_t file, uint16_t id);

/*
 * Tells whether the record begins the pair, or if @ends is true, whether it ends the pair. *@key becomes a key that is the same for both records of a
 * pair: its .a and .b are made from the values of the pair's keys, and its .c is the file. @common has the record's common fields.
 */
bool pair_events_key(const struct pair_events *events, const struct record *rec, const struct common *common, bool ends, struct key *key);

/* Returns true when one key is the task in which both events happen, so that an event can be lost only on a CPU on which this task was. */
bool pair_events_inside(const struct pair_events *events, uint8_t file);

/*
 * Returns a mark of a record for which pair_events_key() has returned true. The mark tells two more things about the record: to which of the tasks that
 * have had the same pid it belongs, if a key is a pid, and which system call it is about. reuse_take() must have been called for the record.
 * pair_marks_fit() tells whether two records with the same key are the two ends of one pair: @begin is the mark of the first record and @end that of the
 * second.
 */
uint64_t pair_events_mark(const struct pair_events *events, const struct reuse *reuse, const struct record *rec, const struct common *common, bool ends);
bool pair_marks_fit(uint64_t begin, uint64_t end);

/*
 * Finds the task to which the pair belongs, if a key is a field with the pid of a task. @rec is the record that begins the pair. Returns false if no
 * key is such a field, or if the record is too short for it.
 */
bool pair_events_pid(const struct pair_events *events, const struct record *rec, int *pid);

/* --- what has begun ----------------------------------------------------------------------------------------------- */

/*
 * At most this many pairs are remembered: the open ones, and some that have ended and whose memory has not been freed yet. While there are this many, a
 * pair begins only if its keys are those of a remembered pair.
 */
enum { MATCH_MOST = 1000000 };

/* This tells what a record has ended. */
struct match {
	const struct pair *pair; /* NULL: the record has ended no pair */
	uint64_t ns;		 /* when the pair began, as input_time() converts times */
	uint64_t took;		 /* how long the pair lasted, in the units of .ns */
	int pid;		 /* the task in which the pair began */
	struct text data;	 /* if @copies of matcher_new() was true: a copy of the data of the record that began the pair, valid until the next record */
};

struct matcher;

/*
 * Makes a matcher for @n pairs. Borrows @inputs and @pairs. If @copies is true, a copy of each record that begins a pair is kept until the pair
 * ends. Returns what pair_events_new() returns.
 */
int matcher_new(struct matcher **out, const inputs_t *inputs, const struct pair *pairs, size_t n, bool copies);
/*
 * Makes a matcher for the pairs of @hooks, which are texts of -H as ringside-report(1) describes them. In this matcher, events of different buffers
 * never make a pair. Returns what matcher_new() returns.
 */
int matcher_new_hooks(struct matcher **out, const inputs_t *inputs, const strv_t *hooks);
void matcher_free(struct matcher *matcher);

/* Returns true when for each pair there is an input that has both of its events. */
bool matcher_found(const struct matcher *matcher);

/*
 * Takes in the next record in the order of time. *@out tells which pair the record has ended. If it has ended several, *@out tells the one
 * that comes first in @pairs or @hooks. Returns 0 or -ENOMEM.
 */
int matcher_record(struct matcher *matcher, const struct record *rec, struct match *out);

/* Returns how many pairs were dropped because their end was earlier than their beginning. This happens when the clocks of two CPUs disagree. */
uint64_t matcher_backwards(const struct matcher *matcher);

#endif
