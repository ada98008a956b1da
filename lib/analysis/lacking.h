/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells which tasks lack switches. A task lacks switches if some of its records of sched_switch are missing although no events were lost. Between two records
 * of such a task, the task may have run unseen. lib/analysis/whole.h says how such tasks are found.
 */
#ifndef RINGSIDE_LACKING_H
#define RINGSIDE_LACKING_H

#include "lib/analysis/keys.h"
#include "lib/analysis/pair-spec.h"
#include "lib/analysis/reading.h"

/* This is what is known of a file. */
struct lacking_file {
	uint64_t n; /* how many of its tasks lack switches */
	/*
	 * Only events of this buffer make pairs. .buffer is the buffer with the earliest sched_switch, with one exception: if this buffer has no wakeups, and
	 * other buffers have both switches and wakeups, .buffer is the first of these other buffers. In both cases, the buffer with the earliest sched_switch
	 * tells which tasks lack switches. -1: there is no sched_switch.
	 */
	int buffer;
	bool several; /* sched_input.several */
};

struct lacking {
	struct keys tasks; /* the tasks that lack switches; a key has the file, the pid, and for an idle task the CPU */
	VEC(struct lacking_file) files;
};

/*
 * lacking_find() reads all records of the files of @reading once more to find out which tasks lack switches. It reads only the buffers that @reading reads. The
 * result is kept in reading->lacking. If @reading shares the files of another reading, the result is kept in the other reading, too. lacking_find() reads
 * nothing if the result exists already, and does nothing if the records are live. lacking_leave_out() calls lacking_find(), and sets the .lacking of all
 * inputs, so that reading_warn() tells how many tasks lack switches. lacking_find_for() calls lacking_leave_out() if pair_switch_key() of @pair is not
 * negative. Pairs then leave out tasks that lack switches (lib/analysis/pair-match.h). Only reading_select() and an analysis's make() may call the three
 * functions. They return 0 or a negative errno.
 */
int lacking_find(struct reading *reading);
int lacking_leave_out(struct reading *reading);
int lacking_find_for(struct reading *reading, const struct pair *pair);

/* Accepts NULL. */
void lacking_free(struct lacking *lacking);

/* Returns true if the task with this pid lacks switches. If @pid is 0, the task is the idle task of the CPU @cpu. If @lacking is NULL, returns false. */
bool lacking_has(const struct lacking *lacking, uint8_t file, int pid, uint16_t cpu);

/* Returns true if lacking_find() has found a task that lacks switches. */
bool lacking_some(const struct reading *reading);

/* This is a format for the message that @n tasks of a file lack switches. LACKING_ARGS() gives its arguments. @path is the name of the file. */
#define LACKING_TEXT "%llu %s of %s %s unknown times, because " LACKING_WHY
#define LACKING_WHY \
	"switches are missing even where no events were lost: " \
	"`record -F`, -P and a filter (-f) leave out those of other tasks, and without --self, ringside leaves out switches of its own threads"
#define LACKING_ARGS(n, path) (unsigned long long)(n), (n) == 1 ? "task" : "tasks", path, (n) == 1 ? "has" : "have"

/*
 * This is a format for the message that it is not known how long the calls of @n tasks of a file were off the CPU. LACKING_CALLS_ARGS() gives its arguments.
 * @path is the name of the file.
 */
#define LACKING_CALLS "off is not known for the calls of %llu %s of %s, and is part of self, because " LACKING_WHY
#define LACKING_CALLS_ARGS(n, path) (unsigned long long)(n), (n) == 1 ? "task" : "tasks", path

/* This is a format for the message that sched_input.several is true. Its argument is the name of the file. */
#define LACKING_SEVERAL "several buffers of %s have the scheduler's events; those of one buffer are counted, and -B chooses another buffer"

#endif
