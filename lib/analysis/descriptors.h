/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the file descriptors of tasks are, as far as it is known: a name for each. Tasks that share their descriptors share a table of them. A name
 * holds from a time on: earlier calls are told nothing by it, and a change that was made before that time changes nothing. No printing.
 *
 * The directory in which a task is has a table of its own, with the descriptors below 0, as tasks share that apart from the rest.
 */
#ifndef RINGSIDE_ANALYSIS_DESCRIPTORS_H
#define RINGSIDE_ANALYSIS_DESCRIPTORS_H

#include "lib/base/base.h"

enum {
	DESCRIPTOR_ALL = -1,
	DESCRIPTOR_CWD = -100,
	DESCRIPTOR_ROOT = -101,	/* the task's root, where it is not ours: the names that it uses say nothing to us then */
};

/* Takes the name of a descriptor, which is borrowed; @kept: a program that is executed keeps it. 0 or -ENOMEM. */
typedef int descriptor_take(void *to, int fd, const char *name, bool kept);

/* Who knows what descriptors are now, when calls are read while they happen. */
struct descriptor_source {
	/* Gives @fd of the task @pid to @take, or all and those below 0 for DESCRIPTOR_ALL; pid 0: those that a command inherits. 0, or what @take returned. */
	int (*look)(void *ctx, int pid, int fd, descriptor_take *take, void *to);
	/* The process that the task is of, and whether all its tasks are traced; 0: not known. */
	int (*process)(void *ctx, int pid, bool *whole);
	uint64_t (*now)(void *ctx);	/* as input_time() has it */
	void *ctx;
};

struct descriptors;

/*
 * Returns a table with one owner; what the table knows before @ns, in one with an owner of its own; or NULL when there is no memory. Sharing it adds
 * an owner. The last descriptors_drop() frees it; NULL is nothing.
 */
struct descriptors *descriptors_new(void);
struct descriptors *descriptors_copy(const struct descriptors *table, uint64_t ns);
struct descriptors *descriptors_share(struct descriptors *table);
void descriptors_drop(struct descriptors *table);

/* Has it one owner, and no task shares it that was not seen? */
bool descriptors_sole(const struct descriptors *table);

/* What @fd was at a time; NULL: not known. It holds until the next change. */
const char *descriptors_at(const struct descriptors *table, int fd, uint64_t ns);

/* The same of one that a call has made at that very time: whoever else shares the table, he has not closed it yet. */
const char *descriptors_made(const struct descriptors *table, int fd, uint64_t ns);

/* Is it worth a look what it is? */
bool descriptors_wanted(const struct descriptors *table, int fd);

/* From @ns on @fd is @name, which is copied; NULL: that is not known, or it is closed. 0 or -ENOMEM. */
int descriptors_set(struct descriptors *table, int fd, const char *name, bool kept, uint64_t ns);

/* Whether a program that is executed keeps it. */
void descriptors_keep(struct descriptors *table, int fd, bool kept, uint64_t ns);

/* A program is executed: those that it does not keep are closed. */
void descriptors_exec(struct descriptors *table, uint64_t ns);

/* Those from @first to @last are closed, both included. */
void descriptors_close(struct descriptors *table, int64_t first, int64_t last, uint64_t ns);

/* Nothing is known any more. */
void descriptors_forget(struct descriptors *table);

/* So many more tasks share the table and have not been seen: while there are any, nobody knows what they close. */
void descriptors_unseen(struct descriptors *table, int more);

#endif
