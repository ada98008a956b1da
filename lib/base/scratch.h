/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes temporary files without a name, for data that does not fit into memory. They are in $TMPDIR, or, where that is not set, in /var/tmp
 * or else /tmp. The kernel removes such a file when its last descriptor is closed. Nothing in here prints a message.
 */
#ifndef RINGSIDE_SCRATCH_H
#define RINGSIDE_SCRATCH_H

#include "lib/base/base.h"

/*
 * Opens a new file for reading and writing. Returns its descriptor, which the caller closes, or -errno (of the last folder tried).
 * *@folder is set to the folder, for messages; it is not to be freed.
 */
int scratch_open(const char **folder);

#endif
