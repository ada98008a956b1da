/* SPDX-License-Identifier: GPL-2.0 */
/*
 * FILE.cpu0, FILE.cpu1, FILE.INSTANCE.cpu0 and so on beside the file that is to be, where trace-cmd keeps what it records: scripts wait for them, and
 * take it that a recording has ended when they are gone. Ours are links to the spools, from when all is armed until the file is complete. The file
 * "links" of the spool folder lists them.
 */
#ifndef RINGSIDE_LINKS_H
#define RINGSIDE_LINKS_H

#include "lib/record/spool.h"

#define SPOOL_LINKS "links"

/*
 * Makes the link of the spool @file ("cpu0") for the recording that is to be @output. What a killed recording of ours has left in its place is
 * replaced. 0, or -errno after a message: -EEXIST, something else has that name.
 */
int links_make(const struct spool *spool, const char *output, const char *file);

/* Removes those that still lead into this folder. */
void links_remove(const struct spool *spool);

/*
 * The folder into which the link @path leads, in new memory; NULL: it is no such link. *@output (NULL: not wanted): the file that was to be made, in
 * new memory.
 */
char *links_folder(const char *path, char **output);

#endif
