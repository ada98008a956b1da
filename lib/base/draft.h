/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes drafts. A draft is a file that gets its name only when it is complete. The incomplete file has no name (O_TMPFILE). On a file system that cannot make
 * files without a name, the incomplete file has the hidden name .NAME.PID. NAME is the name that the complete file gets in the same folder. These functions
 * print no message.
 */
#ifndef RINGSIDE_DRAFT_H
#define RINGSIDE_DRAFT_H

#include "lib/base/base.h"

struct draft {
	int fd;	      /* open for reading and writing; the draft owns it */
	char *folder; /* the path of the folder in which the file gets its name */
	char *hidden; /* the path of the file .NAME.PID in this folder */
	bool named;   /* true while the file has the path .hidden */
};

/* clang-format off */
#define DRAFT_NONE { .fd = -1 }
/* clang-format on */

/* Opens a draft in the folder in which @output is. Returns 0 or -errno. The caller calls draft_close() in either case. */
int draft_open(struct draft *d, const char *output);

/* Gives the file the name @output, which must be the path that draft_open() got. A file that had this name is replaced. Returns 0 or -errno. */
int draft_publish(struct draft *d, const char *output);

/* Closes the file and frees the draft. A file that has not been published is removed. */
void draft_close(struct draft *d);

#endif
