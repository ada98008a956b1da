/* SPDX-License-Identifier: GPL-2.0 */
/* Makes the names of the probes of a tool (cmd/tool-spec.h) unique, because the same tool may run twice at once. */
#ifndef RINGSIDE_TOOL_PROBES_H
#define RINGSIDE_TOOL_PROBES_H

#include "lib/base/vec.h"

/*
 * @words are the words of the tool's command line. The value of an option --probe can have name=GROUP/EVENT, which names the event of the probe. If the kernel
 * already has this event, the function appends "_PID" to EVENT in all words. PID is the pid of this process. If ringside does not run as root, the function
 * cannot read tracefs, and renames nothing. Returns 0 or -errno after a message.
 */
int tool_probes_rename(strv_t *words);

#endif
