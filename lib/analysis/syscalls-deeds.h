/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells what system calls do to the descriptors of their task, and to its working and root directory. The rules are those of the manual pages of the
 * calls (section 2).
 */
#ifndef RINGSIDE_SYSCALLS_DEEDS_H
#define RINGSIDE_SYSCALLS_DEEDS_H

#include "lib/event/syscalls.h"

/* This is what a call does if it succeeds. */
enum deed {
	OPENS = 1,    /* it opens the file @name below the directory @dir */
	MAKES,	      /* it makes a descriptor; deed_row.is has the name, if it is known */
	COPIES,	      /* it makes a copy of a descriptor, and the kernel chooses the number of the copy */
	DUPLICATES,   /* it makes a copy of a descriptor, and an argument has the number of the copy */
	CONTROLS,     /* it is fcntl() */
	CLOSES,	      /* it closes a descriptor */
	CLOSES_RANGE, /* it closes descriptors with successive numbers */
	EXECUTES,     /* it runs a new program */
	GOES,	      /* it sets the working directory to the path @name */
	GOES_TO,      /* it sets the working directory to the descriptor @dir */
	CHANGES_ROOT, /* it may set another root directory */
	UNSHARES,     /* it is unshare() */
	IS_BORN,      /* it makes a task */
	HIDES,	      /* it may open and close any descriptor */
};

/* Arguments are counted from 0. The number -1 says that the call has no such argument. */
struct deed_row {
	const char *call; /* the name of the call */
	enum deed deed;
	int dir;  /* the argument with the descriptor that is used */
	int name; /* the argument with a path */
	/* The argument with the call's flags, such as O_CLOEXEC. For IS_BORN, these are the flags of clone(). A negative number is one of those below. */
	int flags;
	const char *is; /* for MAKES: the name of the new descriptor; NULL: the name is not known */
};
enum {
	/* The call has no flags. The new descriptor is kept when a program is executed. For IS_BORN: the new task shares nothing with its parent. */
	FLAGS_KEPT = -1,
	/* It is not known whether the new descriptor is kept. For IS_BORN: it is not known what the new task shares with its parent. */
	FLAGS_UNKNOWN = -2,
};

struct deeds;

/* Makes the table of what the calls of @calls do. Returns NULL when memory runs out. free() frees it. */
struct deeds *deeds_of(const struct syscalls *calls);

/* Returns what the call with this number does, or NULL if the call does nothing to descriptors and directories. The row is never freed. */
const struct deed_row *deeds_row(const struct deeds *deeds, uint64_t number);

#endif
