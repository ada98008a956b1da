/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the spec of a tool by the tool's name. The spec is a file that defines the tool (cmd/tool-spec.h). The specs that are built in are in
 * Documentation/examples.
 */
#ifndef RINGSIDE_TOOL_TABLE_H
#define RINGSIDE_TOOL_TABLE_H

#include "cmd/tool-spec.h"

/*
 * Reads the spec of a tool. A name that has a slash in it or ends in ".tool" is a path. For any other name, the function looks for NAME.tool in
 * these places, in this order:
 * - the user's folder ($XDG_CONFIG_HOME/ringside/tools or ~/.config/ringside/tools);
 * - the machine's folder (/etc/ringside/tools);
 * - the specs that are built in.
 * Returns 0, -ENOENT after a message when there is no such tool, or another -errno after a message. The caller calls tool_spec_fini() in any
 * case.
 */
int tool_find(struct tool_spec *spec, const char *name);

/* Appends the names of all tools, sorted, each once. Returns 0 or -ENOMEM. */
int tool_names(strv_t *out);

#endif
