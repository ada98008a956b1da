/* SPDX-License-Identifier: GPL-2.0 */
/* Names of a tool's probes: two of the same tool may run at once. */
#ifndef RINGSIDE_TOOL_PROBES_H
#define RINGSIDE_TOOL_PROBES_H

#include "lib/base/vec.h"

/*
 * Where the kernel has an event already that a --probe of @words is called by name=GROUP/EVENT, ours gets the number of this process behind its
 * name, in all words that speak of it. Returns 0 or -errno after a message.
 */
int tool_probes_rename(strv_t *words);

#endif
