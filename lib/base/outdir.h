/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes the folder that the user has named for the output of a command. The folder gets its name only when it is complete. An empty folder of this name, or a
 * folder of the same kind (see @mark below), is replaced. Anything else of this name is not replaced. The incomplete folder is a hidden folder .NAME.PID in
 * the same parent folder. outdir_open() removes the hidden folders .NAME.PID of processes that have ended. It also removes a hidden folder with the PID of
 * this process. An earlier process with the same PID, for example in another container, has left that folder.
 */
#ifndef RINGSIDE_OUTDIR_H
#define RINGSIDE_OUTDIR_H

#include "lib/base/base.h"

struct outdir {
	int fd;	       /* the folder that is being filled, for openat(); only plain files may be put into it */
	char *path;    /* the path that the folder gets when it is complete; the outdir owns it */
	char *hidden;  /* the path of the hidden folder; the outdir owns it; NULL: there is no hidden folder */
	bool replaces; /* there is a folder of the same kind at .path, which outdir_publish() will replace */
};

/* clang-format off */
#define OUTDIR_NONE { .fd = -1 }
/* clang-format on */

/*
 * Makes the hidden folder. @mark is the name of a file that every folder of this kind contains. If something exists at @path, it must be a folder that is empty
 * or contains the file @mark. Anything else at @path is refused. Returns 0, or -errno after a message. The caller must call outdir_close() in both cases.
 */
int outdir_open(struct outdir *o, const char *path, const char *mark);

/* Must be called when the folder is complete. Gives the folder its name. Returns 0, or -errno after a message. */
int outdir_publish(struct outdir *o);

/* Closes the folder and frees what @o owns. Removes the folder if it has not been published. Removes the older folder that outdir_publish() has replaced. */
void outdir_close(struct outdir *o);

#endif
