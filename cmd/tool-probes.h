/* SPDX-License-Identifier: GPL-2.0 */
/* Makes the names of the probes of a tool (cmd/tool-spec.h) unique, because the same tool may run twice at once. */
#ifndef RINGSIDE_TOOL_PROBES_H
#define RINGSIDE_TOOL_PROBES_H

#include "lib/base/vec.h"

/*
 * A --probe among @words can name its event by name=GROUP/EVENT. When the kernel has that event already, the pid of this process is appended to the name, in
 * all words in which the name occurs. If ringside does not run as root, it cannot read tracefs, and renames nothing. Returns 0 or -errno after a message.
 */
int tool_probes_rename(strv_t *words);

#endif
