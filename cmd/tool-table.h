/* SPDX-License-Identifier: GPL-2.0 */
/* Which tools there are: the user's own, this machine's, and those that are built in (Documentation/examples). */
#ifndef RINGSIDE_TOOL_TABLE_H
#define RINGSIDE_TOOL_TABLE_H

#include "cmd/tool-spec.h"

/*
 * Reads the spec of a tool: a path when there is a slash in it or it ends in ".tool"; else a file NAME.tool in the user's folder or in that of the machine, else
 * one that is built in. Returns 0, or -errno after a message: -ENOENT for a name that nobody knows. tool_spec_fini() in any case.
 */
int tool_find(struct tool_spec *spec, const char *name);

/* Appends the names of all, sorted, each once. Returns 0 or -ENOMEM. */
int tool_names(strv_t *out);

#endif
