/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes temporary files without a name, for data that does not fit into memory. The files are in $TMPDIR. When that is not set, they are in /var/tmp
 * or, if that fails, in /tmp. The kernel removes such a file when its last descriptor is closed. scratch_open() prints no message.
 */
#ifndef RINGSIDE_SCRATCH_H
#define RINGSIDE_SCRATCH_H

#include "lib/base/base.h"

/*
 * Opens a new file for reading and writing. Returns its descriptor, which the caller closes, or -errno (of the last folder tried). *@folder becomes the
 * folder, for messages; the caller does not free it.
 */
int scratch_open(const char **folder);

#endif
