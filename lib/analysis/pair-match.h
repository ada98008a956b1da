/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds pairs of events in recordings. lib/analysis/pair-spec.h describes pairs and their keys. Both events of a pair are in the same buffer. Below, "the same
 * keys" means that the keys have equal values. A pair is open when it has begun and has not ended. A pair that begins replaces an open pair with the same keys.
 * An end event ends the open pair with the same keys, if there is one. The kernel makes the synthetic events of a hist trigger with onmatch() by almost the
 * same rules. There are four differences:
 * - The idle tasks of two CPUs are two tasks, also if a key is next_pid or prev_pid of sched_switch (pair_key_is_switched()).
 * - If a key is a task, an open pair is dropped at an end event of a later task with the same pid (lib/analysis/reuse.h).
 * - If the only key is the task in which both events happen, the pair stays open when a thread gets another pid by execve.
 * - If the pair is a system call (pair_is_syscall()), an open pair is dropped at the exit of a different system call (lib/analysis/syscall-match.h).
 *
 * Two more rules hold for a pair if pair_switch_key() of the pair is not negative, and if lacking_find_for() was called for the reading of @inputs:
 * - Events about tasks that lack switches (lib/analysis/lacking.h) are not events of the pair, because it is not known when such a task first ran after the
 *   event that begins the pair.
 * - Only the events of one buffer of a file (lacking_file.buffer) are events of the pair, because other buffers can have records of the same switches.
 *
 * Lost events have these effects:
 * - If one key is the task in which both events happen, the pair is dropped when events of this task may have been lost between the two events
 *   (lib/analysis/doubts.h).
 * - If no key is the task in which both events happen, the open pair is dropped when a loss begins or ends on any CPU of the file, and no pair begins during
 *   the loss.
 *
 * Nothing in here prints.
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

/* Returns true when at least one input has both events of the pair. */
bool pair_events_found(const struct pair_events *events);

/* Gives the message that no file of @inputs has both events of @pair. Returns -ENOENT. */
int pair_not_found(const struct pair *pair, const inputs_t *inputs);

/* Returns true when the event with this id in this file begins or ends the pair. */
bool pair_events_has(const struct pair_events *events, uint8_t file, uint16_t id);

/*
 * If @ends is false, returns true if the record can begin a pair. If @ends is true, returns true if the record can end a pair. For this, the record must be of
 * the right event, pass the event's filter, and have all fields that are keys. *@key then becomes a value that is the same for all records with the same keys.
 * The members .a and .b of *@key are made from the values of the keys, and .c is the file. @common has the record's common fields.
 */
bool pair_events_key(const struct pair_events *events, const struct record *rec, const struct common *common, bool ends, struct key *key);

/*
 * Returns true if @rec is of a kind of end events that often come without a begin event. So if @rec has no begin event, nothing is missing from the recording.
 * pair_events_key() must have returned true for @rec when @ends was true. There are two such kinds of end events:
 * - A sched_switch comes each time that a task gets a CPU, whether or not the beginning of a wait was recorded.
 * - The first exit of a new task is the exit of the system call by which its parent has made it (syscall_is_birth() in lib/analysis/syscall-match.h).
 */
bool pair_events_ends_alone(const struct pair_events *events, const struct record *rec);

/*
 * Returns true if the only key of the pair is the task in which both events happen. *@key then becomes what pair_events_key() makes for events of the task
 * @pid. @pid must not be 0.
 */
bool pair_events_task_key(const struct pair_events *events, uint8_t file, int pid, struct key *key);

/* Returns true when one key of the pair is the task in which both events happen. Events of this pair can be lost only on CPUs on which the task was. */
bool pair_events_inside(const struct pair_events *events, uint8_t file);

/*
 * Returns a mark of a record for which pair_events_key() has returned true. reuse_take() must have been called for the record. The mark tells what the keys
 * cannot tell:
 * - Several tasks may have had the same pid, one after the other. If a key is a pid, the mark tells to which of these tasks the record belongs.
 * - If the pair is a system call, the mark tells which system call the record is about.
 */
uint64_t pair_events_mark(const struct pair_events *events, const struct reuse *reuse, const struct record *rec, const struct common *common, bool ends);
/*
 * This is for an open pair whose task has got the pid @pid by execve. pair_events_task_key() must have returned true for the pair. @mark is the mark of the
 * record that began the pair. Returns the mark that this record would have if it had the pid @pid.
 */
uint64_t pair_mark_under(uint64_t mark, const struct reuse *reuse, uint8_t file, int pid);
/*
 * Returns true if two records with the same keys are the two ends of one pair. @begin is the mark of the record that begins the pair. @end is the mark of the
 * record that may end it.
 */
bool pair_marks_fit(uint64_t begin, uint64_t end);

/*
 * Some pairs have a key that is a field, and this field holds the pid of a task. For such a pair, *@pid becomes the value of this field in @rec, the record
 * that begins the pair. Returns false if the pair has no such key, or if the record is too short for the field.
 */
bool pair_events_pid(const struct pair_events *events, const struct record *rec, int *pid);

/*
 * Returns the pid of the task which a pair is about. @rec is the record that ends the pair. If a key of the pair is a field that names a task
 * (pair_key_names_task()), the pair is about the task that the field names. Otherwise the pair is about the task in which the record happens.
 */
int pair_events_task(const struct pair_events *events, const struct record *rec, const struct common *common);

/* --- what has begun ----------------------------------------------------------------------------------------------- */

/*
 * At most this many pairs are remembered: the open pairs, and the ended pairs whose memory has not been freed yet. When this number is reached, and more than
 * an eighth of the remembered pairs have ended, the memory of the ended pairs is freed. If fewer pairs have ended, a pair begins only if a remembered pair has
 * the same keys.
 */
enum { MATCH_MOST = 1000000 };

/* This tells which pair a record has ended. */
struct match {
	const struct pair *pair; /* NULL: the record has ended no pair */
	uint64_t ns;		 /* when the pair began, as input_time() converts times */
	uint64_t took;		 /* how long the pair lasted, in the units of .ns */
	int pid;		 /* the task in which the pair began */
	int task;		 /* the task which the pair is about, as pair_events_task() tells it */
	/* If matcher_new() was called with @copies true: a copy of the data of the record that began the pair, valid until the next matcher_record(). */
	struct text data;
};

struct matcher;

/*
 * Makes a matcher for @n pairs. Borrows @inputs and @pairs. If @copies is true, a copy of each record that begins a pair is kept until the pair
 * ends. Returns what pair_events_new() returns.
 */
int matcher_new(struct matcher **out, const inputs_t *inputs, const struct pair *pairs, size_t n, bool copies);
/*
 * Makes a matcher for the pairs of @hooks, which are texts of -H as ringside-report(1) describes them. Returns what matcher_new() returns. -EINVAL can also
 * mean that a text of @hooks is wrong.
 */
int matcher_new_hooks(struct matcher **out, const inputs_t *inputs, const strv_t *hooks);
void matcher_free(struct matcher *matcher);

/* Returns true when each pair has an input with both of its events. */
bool matcher_found(const struct matcher *matcher);

/*
 * Takes in the next record in the order of time. *@out tells which pair the record has ended. If the record has ended several pairs, *@out tells about the
 * pair that comes first in @pairs or @hooks. Returns 0 or -ENOMEM.
 */
int matcher_record(struct matcher *matcher, const struct record *rec, struct match *out);

/* Returns how many pairs were dropped because the end event had an earlier time than the begin event. This happens when the clocks of two CPUs disagree. */
uint64_t matcher_backwards(const struct matcher *matcher);

#endif
