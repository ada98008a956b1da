/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file that the user has named for what a command prints, known to be writable before the work begins. A plain file appears, or is replaced,
 * when it is complete, and a link in its place goes with what it replaces only where nobody else could have put it there: in a folder in which
 * others can write, a link that is not ours is refused. Devices, pipes and the targets of links are written to as they are. The name - is
 * standard output.
 */
#ifndef RINGSIDE_OUTFILE_H
#define RINGSIDE_OUTFILE_H

#include "lib/base/draft.h"

struct outfile {
	int fd;			/* to write */
	struct draft draft;	/* of a plain file; else its fd is -1 */
	const char *path;	/* borrowed */
};

#define OUTFILE_NONE { .fd = -1, .draft = DRAFT_NONE }

/* 0, or -errno after a message. outfile_close() after it in any case. */
int outfile_open(struct outfile *o, const char *path);

/* What was written is all. 0, or -errno after a message. */
int outfile_publish(struct outfile *o);

/* What has not been published is gone, as far as it was a plain file. */
void outfile_close(struct outfile *o);

#endif
