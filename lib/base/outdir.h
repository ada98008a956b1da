/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A folder that the user has named for what a command writes: it appears, or replaces an empty one or one of the same kind, when it is complete.
 * Until then it is a hidden folder beside that, .NAME.PID; what processes that were killed left of such is removed.
 */
#ifndef RINGSIDE_OUTDIR_H
#define RINGSIDE_OUTDIR_H

#include "lib/base/base.h"

struct outdir {
	int fd;			/* of the folder that is being filled, for openat(); only plain files */
	char *path, *hidden;
	bool replaces;		/* there is one of that name */
};

#define OUTDIR_NONE { .fd = -1 }

/* @mark: a file that all such folders have. 0, or -errno after a message. outdir_close() after it in any case. */
int outdir_open(struct outdir *o, const char *path, const char *mark);

/* What was written is all. 0, or -errno after a message. */
int outdir_publish(struct outdir *o);

/* What has not been published is gone. */
void outdir_close(struct outdir *o);

#endif
