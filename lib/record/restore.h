/* SPDX-License-Identifier: GPL-2.0 */
/* Makes a file of what a killed recording left in its spool folder (lib/record/spool.h). */
#ifndef RINGSIDE_RESTORE_H
#define RINGSIDE_RESTORE_H

#include "lib/base/base.h"

struct restored {
	uint64_t size;		/* of the file */
	uint64_t bytes;		/* of sub-buffers in it */
	uint64_t cut;		/* bytes of sub-buffers that were written in part, left out */
	size_t cpus;		/* that had any */
};

/*
 * Writes @output (NULL: the name that the recording was to have) in @version with the codec @compression, whatever
 * the folder's meta was written with, and removes the folder. *@name: the file's name, new memory.
 * 0, or -errno after a message: the folder is as it was then.
 */
int restore(const char *folder, const char *output, unsigned int version, const char *compression, char **name,
	    struct restored *out);

#endif
