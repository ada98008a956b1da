/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes temporary files without a name, for data that does not fit into memory. The files are in $TMPDIR. When $TMPDIR is not set, they are in /var/tmp.
 * If no file can be made there, they are in /tmp. The kernel removes a file without a name when its last descriptor is closed. scratch_open() prints no
 * message.
 */
#ifndef RINGSIDE_SCRATCH_H
#define RINGSIDE_SCRATCH_H

#include "lib/base/base.h"

/*
 * Opens a new file for reading and writing. Returns its descriptor, which the caller closes, or the -errno of the last folder that was tried. *@folder
 * becomes the path of the folder, for messages. The caller does not free it.
 */
int scratch_open(const char **folder);

#endif
