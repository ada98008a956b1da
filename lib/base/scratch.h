/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes temporary files without a name, for data that does not fit into memory. If $TMPDIR is set and not empty, the files are in $TMPDIR. Otherwise the files
 * are in /var/tmp, or in /tmp if no file can be made in /var/tmp. The kernel removes a file without a name when its last descriptor is closed. scratch_open()
 * prints no message.
 */
#ifndef RINGSIDE_SCRATCH_H
#define RINGSIDE_SCRATCH_H

#include "lib/base/base.h"

/*
 * Opens a new file for reading and writing. Returns the file's descriptor, which the caller closes, or -errno. *@folder becomes the path of the last folder
 * that was tried, for messages. The caller must not free *@folder.
 */
int scratch_open(const char **folder);

#endif
