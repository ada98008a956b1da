/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes symbolic links FILE.cpu0, FILE.cpu1, FILE.INSTANCE.cpu0 and so on beside the output FILE. The links point to the spools, which are the files with the
 * recorded data of the CPUs (lib/record/spool.h). The links have the names of the files in which trace-cmd keeps what it records. Some scripts wait until
 * files with these names exist. For such scripts, the recording has ended when these files are removed. The links exist from the moment when tracing is set up
 * until FILE is complete. The file "links" in the spool folder lists the paths of the links, each with a NUL at its end.
 */
#ifndef RINGSIDE_LINKS_H
#define RINGSIDE_LINKS_H

#include "lib/record/spool.h"

#define SPOOL_LINKS "links"

/*
 * Makes the link to the spool @file ("cpu0") for a recording whose output file is @output. Replaces a link that a killed ringside has left, or an
 * empty file of this user. Returns 0, or -errno after a message. -EEXIST means that something else has the name of the link.
 */
int links_make(const struct spool *spool, const char *output, const char *file);

/* Removes the links that still point into the folder @spool. */
void links_remove(const struct spool *spool);

/*
 * Returns the spool folder into which the link @path points. Returns NULL when @path is not a link into a spool folder. If @output is not NULL, *@output
 * becomes the name of the file that the recording was to make. The caller frees both texts.
 */
char *links_folder(const char *path, char **output);

#endif
