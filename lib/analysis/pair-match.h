/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds pairs of events in recordings. It tells which records begin a pair, which records end a pair, and which pairs are open. Below, "the same keys"
 * means that the keys have equal values. A pair that begins replaces an open pair with the same keys. An end event ends the open pair with the same keys,
 * if there is such a pair. The kernel makes the synthetic events of a hist trigger with onmatch() by almost the same rules. Here, three things are not as in
 * the kernel:
 * - If a key is a task, an end event of a later task with the same pid ends no pair (lib/analysis/reuse.h).
 * - If the only key is the task in which both events happen, the pair stays open when a thread gets another pid by execve.
 * - If the pair is a system call (pair_is_syscall()), the exit of a different system call does not end the pair (lib/analysis/syscall-match.h).
 *
 * Some pairs have both events in the same task. Such a pair is dropped if events of this task may have been lost between them (lib/analysis/doubts.h). For
 * all other pairs, losses on all CPUs of the file matter. When a loss begins, all open pairs are dropped whose events may be in different
 * tasks. Until the loss is over, no such pair begins. Nothing in here prints.
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
 * Finds the events and the keys of @pair in all @inputs. Borrows @inputs and @pair. Returns 0, -ENOMEM, or -EINVAL after a message. -EINVAL has one
 * of these reasons:
 * - an event does not have a field that is a key;
 * - a filter cannot be parsed;
 * - the pair is a system call, and the numbers of an input's system calls are not known.
 */
int pair_events_new(struct pair_events **out, const inputs_t *inputs, const struct pair *pair);
void pair_events_free(struct pair_events *events);

/* Returns the pair that was given to pair_events_new(). */
const struct pair *pair_events_pair(const struct pair_events *events);

/* Returns true when one of the inputs has both events. */
bool pair_events_found(const struct pair_events *events);

/* Says that no file of @inputs has both events of @pair. Returns -ENOENT. */
int pair_not_found(const struct pair *pair, const inputs_t *inputs);

/* Returns true when the event with this id in this file begins or ends the pair. */
bool pair_events_has(const struct pair_events *events, uint8_t file, uint16_t id);

/*
 * If @ends is false, returns true if the record begins the pair. If @ends is true, returns true if the record ends the pair. *@key becomes a key that
 * is the same for both records of a pair. Its .a and .b are made from the values of the pair's keys, and its .c is the file. @common has the record's
 * common fields.
 */
bool pair_events_key(const struct pair_events *events, const struct record *rec, const struct common *common, bool ends, struct key *key);

/*
 * If the only key of the pair is the task in which both events happen, fills in *@key with the key of the task @pid, and returns true. Otherwise returns
 * false. @pid must not be 0.
 */
bool pair_events_task_key(const struct pair_events *events, uint8_t file, int pid, struct key *key);

/* Returns true when one key is the task in which both events happen. Events of such a pair can be lost only on CPUs on which this task was. */
bool pair_events_inside(const struct pair_events *events, uint8_t file);

/*
 * pair_events_mark() returns a mark of a record for which pair_events_key() has returned true. The mark tells what the key cannot tell:
 * - Several tasks may have had the same pid, one after the other. If a key is a pid, the mark tells to which of these tasks the record belongs.
 * - If the pair is a system call, the mark tells which system call the record is about.
 * reuse_take() must have been called for the record. pair_marks_fit() returns true if two records with the same key are the two ends of one pair. @begin is
 * the mark of the first record, and @end is the mark of the second.
 */
uint64_t pair_events_mark(const struct pair_events *events, const struct reuse *reuse, const struct record *rec, const struct common *common, bool ends);
/*
 * This is for an open pair whose task has called execve and has got the pid @pid in this way. pair_events_task_key() must have returned true for the pair.
 * @mark is the mark of the record that began the pair. Returns the mark that this record would have if it had the pid @pid.
 */
uint64_t pair_mark_under(uint64_t mark, const struct reuse *reuse, uint8_t file, int pid);
bool pair_marks_fit(uint64_t begin, uint64_t end);

/*
 * Finds the task to which the pair belongs, if a key is a field with the pid of a task. @rec is the record that begins the pair. Returns false if no
 * key is such a field, or if the record is too short for it.
 */
bool pair_events_pid(const struct pair_events *events, const struct record *rec, int *pid);

/* --- what has begun ----------------------------------------------------------------------------------------------- */

/*
 * At most this many pairs are remembered: the open pairs, and the ended pairs whose memory has not been freed yet. At the limit, a pair can only begin if a
 * remembered pair has the same keys.
 */
enum { MATCH_MOST = 1000000 };

/* This tells what a record has ended. */
struct match {
	const struct pair *pair; /* NULL: the record has ended no pair */
	uint64_t ns;		 /* when the pair began, as input_time() converts times */
	uint64_t took;		 /* how long the pair lasted, in the units of .ns */
	int pid;		 /* the task in which the pair began */
	/* A copy of the data of the record that began the pair, if matcher_new() was called with @copies true. It is valid until the next record. */
	struct text data;
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

/* Returns true when each pair has an input with both of its events. */
bool matcher_found(const struct matcher *matcher);

/*
 * Takes in the next record in the order of time. *@out tells which pair the record has ended. If the record has ended several pairs, *@out tells about the
 * one that comes first in @pairs or @hooks. Returns 0 or -ENOMEM.
 */
int matcher_record(struct matcher *matcher, const struct record *rec, struct match *out);

/* Returns how many pairs were dropped because their end was earlier than their beginning. This happens when the clocks of two CPUs disagree. */
uint64_t matcher_backwards(const struct matcher *matcher);

#endif
