/* SPDX-License-Identifier: GPL-2.0 */
/* The commands that a tool can stand for, and how each spells what a spec says. */
#ifndef RINGSIDE_TOOL_WORDS_H
#define RINGSIDE_TOOL_WORDS_H

#include "cmd/tool-spec.h"

/* For messages: "stream, count …". */
extern const char tool_command_names[];

/* NULL: a tool cannot stand for it. */
const struct tool_command *tool_command_find(const char *name);
const char *tool_command_name(const struct tool_command *command);

/* Does a line of this kind mean something to it? */
bool tool_command_takes(const struct tool_command *command, enum tool_what what);

/* Its name, and what always stands behind it. Returns 0 or -ENOMEM after a message. */
int tool_words_begin(const struct tool_command *command, strv_t *out);

struct tool_place {
	const struct tool_command *command;
	const char *path;
	unsigned int number;
};

/*
 * The words of a line. Of several events or functions with " or " between them it takes the first that this kernel has. 0; -errno after a message: it has
 * none, or there is no memory.
 */
int tool_words_add(const struct tool_place *place, enum tool_what what, const char *text, strv_t *out);

/* Is there such a feature? */
bool tool_need_known(const char *feature);

/* Refuses the tool @name when this kernel lacks the feature, which is called as doctor calls it, or "function NAME". */
int tool_need(const char *name, const char *feature);

#endif
