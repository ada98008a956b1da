/* SPDX-License-Identifier: GPL-2.0 */
/* Files without a name for what has no room in memory: in $TMPDIR, else in /var/tmp or /tmp. They are gone with the process. Prints nothing. */
#ifndef RINGSIDE_SCRATCH_H
#define RINGSIDE_SCRATCH_H

#include "lib/base/base.h"

/* A new one, to read and write; *@folder is where it is, for messages. The descriptor, or -errno. */
int scratch_open(const char **folder);

#endif
