/* SPDX-License-Identifier: GPL-2.0 */
/* Finds what a recording that was killed has left beside its output file. */
#ifndef RINGSIDE_LEFTOVER_H
#define RINGSIDE_LEFTOVER_H

/*
 * While a recording runs, its data are in a folder (lib/record/spool.h). The folder has the name of the output file with the ending SPOOL_SUFFIX. A folder
 * that holds a recording has a file SPOOL_META.
 */
#define SPOOL_SUFFIX ".spool"
#define SPOOL_META "meta"

/*
 * Returns the folder that a user means who wants to read @path, in new memory: @path itself, the folder in which @path is, or the folder of the recording
 * whose output file is @path. Returns NULL if none of them is a folder that holds a recording, or when memory runs out. Such a folder belongs to a recording
 * that still runs or was killed.
 */
char *leftover_of(const char *path);

#endif
