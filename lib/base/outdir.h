/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes a folder that the user has named and that a command fills. The folder gets its name only when it is complete. It may then replace an empty
 * folder, or a folder of the same kind (see @mark below), but nothing else. Until it is complete, it is a hidden folder .NAME.PID in the same parent
 * folder. outdir_open() also removes the hidden folders .NAME.PID of processes that have ended. In containers, a process that has ended may have had the
 * same PID as this process. The hidden folder of such a process is removed, too.
 */
#ifndef RINGSIDE_OUTDIR_H
#define RINGSIDE_OUTDIR_H

#include "lib/base/base.h"

struct outdir {
	int fd;	       /* the folder that is being filled, for openat(); only plain files may be put into it */
	char *path;    /* the path that the folder gets when it is complete; the outdir owns it */
	char *hidden;  /* the path of the hidden folder (NULL: there is none); the outdir owns it */
	bool replaces; /* the path .path belongs to an older folder of the same kind, which outdir_publish() will replace */
};

/* clang-format off */
#define OUTDIR_NONE { .fd = -1 }
/* clang-format on */

/*
 * Makes the hidden folder. @mark is the name of a file that every folder of this kind contains. If there is a folder at @path that is not empty and does
 * not contain this file, @path is refused. Returns 0, or -errno after a message. The caller calls outdir_close() in either case.
 */
int outdir_open(struct outdir *o, const char *path, const char *mark);

/* Gives the folder, which is complete, its name. Returns 0, or -errno after a message. */
int outdir_publish(struct outdir *o);

/* Closes the folder and frees what @o owns. A folder that has not been published is removed, and so is a folder that outdir_publish() has replaced. */
void outdir_close(struct outdir *o);

#endif
