/* SPDX-License-Identifier: GPL-2.0 */
/* A tool (cmd/tool-spec.h) can make probes. Their names are made unique here, because the same tool may run twice at once. */
#ifndef RINGSIDE_TOOL_PROBES_H
#define RINGSIDE_TOOL_PROBES_H

#include "lib/base/vec.h"

/*
 * @words are the words of the tool's command line. The value of an option --probe can have name=GROUP/EVENT, which names the event of the probe. If the kernel
 * already has this event, the pid of this process is appended to EVENT in all words. If ringside does not run as root, it cannot read tracefs, and renames
 * nothing. Returns 0 or -errno after a message.
 */
int tool_probes_rename(strv_t *words);

#endif
