/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeps the names of the files that the descriptors of tasks refer to, as far as these names are known. Tasks that share their descriptors share a
 * table. Each name is valid from some time on (in ns, as input_time() converts times). The table keeps two names of each descriptor: the latest name
 * and the previous name. A closed descriptor has no name. Changes may be noted in any order of time. If a change is older than the latest name, the
 * change replaces the previous name. No function of this header prints anything.
 *
 * Tasks can share their working directory and their root directory without sharing their descriptors. So these directories are in another table, as
 * descriptors below 0 (DESCRIPTOR_CWD and DESCRIPTOR_ROOT).
 */
#ifndef RINGSIDE_ANALYSIS_DESCRIPTORS_H
#define RINGSIDE_ANALYSIS_DESCRIPTORS_H

#include "lib/base/base.h"

enum {
	DESCRIPTOR_ALL = -1,   /* all descriptors of a task; only descriptor_source.look() takes this */
	DESCRIPTOR_CWD = -100, /* the task's working directory */
	/* The task's root directory, if it differs from ringside's. In this case, a path can name one file for the task and another file for ringside. */
	DESCRIPTOR_ROOT = -101,
};

/*
 * A function of this type takes in the name of a descriptor. The name is borrowed. If @kept is true, the descriptor stays open when a program is
 * executed. Returns 0 or -ENOMEM.
 */
typedef int descriptor_take(void *to, int fd, const char *name, bool kept);

/* This looks up what descriptors refer to now. It is used when system calls are traced and shown while they happen. */
struct descriptor_source {
	/*
	 * Calls @take with the descriptor @fd of the task @pid. If @fd is DESCRIPTOR_ALL, calls @take with each descriptor of the task, including
	 * those below 0. If @pid is 0, the descriptors are those that the traced command will inherit from ringside. Returns 0 or what @take
	 * returned.
	 */
	int (*look)(void *ctx, int pid, int fd, descriptor_take *take, void *to);
	/*
	 * Returns the pid of the process to which the task @pid belongs. *@whole becomes true if all tasks of this process are traced, and false if some are
	 * not. When the process is not known, the callback returns 0 and does not change *@whole.
	 */
	int (*process)(void *ctx, int pid, bool *whole);
	uint64_t (*now)(void *ctx); /* the time now, as input_time() converts it */
	void *ctx;
};

struct descriptors;

/*
 * descriptors_new() returns an empty table. descriptors_copy() returns a new table with the latest name of each descriptor of @table. Names that became
 * valid at @ns or later are not copied. If unseen tasks share @table (descriptors_unseen()), no names are copied. A new table has one owner. descriptors_new()
 * and descriptors_copy() return NULL when memory runs out. descriptors_share() adds an owner to @table and returns @table. descriptors_drop() takes an owner
 * away, and frees the table when no owner is left. It accepts NULL.
 */
struct descriptors *descriptors_new(void);
struct descriptors *descriptors_copy(const struct descriptors *table, uint64_t ns);
struct descriptors *descriptors_share(struct descriptors *table);
void descriptors_drop(struct descriptors *table);

/* Returns true if the table has only one owner, and no unseen task (descriptors_unseen()) shares the table. Then only one task uses the table. */
bool descriptors_sole(const struct descriptors *table);

/* Returns the name of @fd at the time @ns, or NULL when the name is not known. The result is valid until the table changes. */
const char *descriptors_at(const struct descriptors *table, int fd, uint64_t ns);

/*
 * Does what descriptors_at() does, for a descriptor that a system call has made at @ns. The name of this descriptor is known even when unseen tasks share the
 * table (descriptors_unseen()), because no unseen task can have closed the descriptor yet.
 */
const char *descriptors_made(const struct descriptors *table, int fd, uint64_t ns);

/* Returns true if the name of @fd is not known, and no unseen task shares the table. Then a struct descriptor_source should be asked what @fd refers to. */
bool descriptors_wanted(const struct descriptors *table, int fd);

/*
 * Notes that @fd refers to @name from @ns on. The name is copied. If @name is NULL, @fd is closed, or the name of @fd is not known. If @kept is true, @fd
 * stays open when a program is executed. Returns 0 or -ENOMEM.
 */
int descriptors_set(struct descriptors *table, int fd, const char *name, bool kept, uint64_t ns);

/* Notes whether @fd stays open when a program is executed. The note has no effect if @ns is before the time from which on the latest name of @fd is valid. */
void descriptors_keep(struct descriptors *table, int fd, bool kept, uint64_t ns);

/* Notes that a program is executed at @ns. This closes all descriptors except those that stay open according to descriptors_set() or descriptors_keep(). */
void descriptors_exec(struct descriptors *table, uint64_t ns);

/* Notes that the descriptors from @first to @last, both included, are closed at @ns. */
void descriptors_close(struct descriptors *table, int64_t first, int64_t last, uint64_t ns);

/* Forgets all names. */
void descriptors_forget(struct descriptors *table);

/*
 * An unseen task is a task that may share the table, but has had no record so far. This function adds @more to the number of unseen tasks. @more may be
 * negative. While there are unseen tasks, no name is known, because these tasks may close any descriptor.
 */
void descriptors_unseen(struct descriptors *table, int more);

#endif
