/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells what a system call does to the file descriptors, the working directory and the root directory of its task. What the call does to them is called the
 * deed of the call. The rules come from the manual pages of the calls (section 2).
 */
#ifndef RINGSIDE_SYSCALLS_DEEDS_H
#define RINGSIDE_SYSCALLS_DEEDS_H

#include "lib/event/syscalls.h"

/* This is what a call does if it succeeds. */
enum deed {
	OPENS = 1,    /* it opens the file deed_row.name; a relative path is relative to deed_row.dir, or to the working directory if deed_row.dir is -1 */
	MAKES,	      /* it makes a descriptor; deed_row.is has the name, if the name is known */
	COPIES,	      /* it makes a copy of a descriptor, and the kernel chooses the number of the copy */
	DUPLICATES,   /* it makes a copy of a descriptor, and an argument has the number of the copy */
	CONTROLS,     /* it is fcntl() */
	CLOSES,	      /* it closes a descriptor */
	CLOSES_RANGE, /* it closes descriptors with successive numbers */
	EXECUTES,     /* it runs a new program */
	GOES,	      /* it sets the working directory to the path deed_row.name */
	GOES_TO,      /* it sets the working directory to the directory of the descriptor deed_row.dir */
	CHANGES_ROOT, /* it may set another root directory */
	UNSHARES,     /* it is unshare() */
	IS_BORN,      /* it makes a task */
	HIDES,	      /* it may open and close any descriptor */
};

/* This tells what one system call does. The arguments of a call are numbered from 0. */
struct deed_row {
	const char *call; /* the name of the call */
	enum deed deed;
	int dir;  /* the number of the argument with a descriptor; -1: no argument is used as a descriptor */
	int name; /* the number of the argument with a path; -1: no argument is used as a path */
	/* The number of the argument with the call's flags, such as O_CLOEXEC or, for IS_BORN, CLONE_FILES. A negative number: FLAGS_KEPT or FLAGS_UNKNOWN. */
	int flags;
	const char *is; /* for MAKES: the name of the new descriptor, such as "anon_inode:[eventfd]"; NULL: the name is not known */
};
enum {
	/* The call has no flags. The new descriptor is kept when a program is executed. For IS_BORN: the new task shares nothing with its parent. */
	FLAGS_KEPT = -1,
	/* It is not known whether the new descriptor is kept. For IS_BORN: it is not known what the new task shares with its parent. */
	FLAGS_UNKNOWN = -2,
};

struct deeds;

/* Makes a table that tells what the calls of @calls do. The caller frees the table by free(). Returns NULL when memory runs out. */
struct deeds *deeds_of(const struct syscalls *calls);

/*
 * Returns what the call with this number does. Returns NULL if the call changes no descriptor and no directory, or if nothing is known of it. The caller must
 * not free the row.
 */
const struct deed_row *deeds_row(const struct deeds *deeds, uint64_t number);

#endif
