/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A tool (`ringside tool`) runs another command of ringside with options. A tool is defined by a file, which is called its spec (cmd/tool-spec.h). Most lines
 * of a spec become options of the command. The functions of this header make the words of these options.
 */
#ifndef RINGSIDE_TOOL_WORDS_H
#define RINGSIDE_TOOL_WORDS_H

#include "cmd/tool-spec.h"

/* This is the list of the commands that a tool can run, for messages: "stream, count …". */
extern const char tool_command_names[];

/* tool_command_find() returns the command of this name, or NULL when there is no command of this name that a tool can run. */
const struct tool_command *tool_command_find(const char *name);
const char *tool_command_name(const struct tool_command *command);

/* Returns true if a line with this keyword has a meaning for the command. */
bool tool_command_takes(const struct tool_command *command, enum tool_what what);

/* Appends the command's name and the words that always follow it. Returns 0 or -ENOMEM after a message. */
int tool_words_begin(const struct tool_command *command, strv_t *out);

/* This tells which command a line of a spec is for. It also tells where the line is, for messages. */
struct tool_place {
	const struct tool_command *command;
	const char *path;    /* the path of the spec's file */
	unsigned int number; /* the number of the line */
};

/*
 * Appends the words for a line of a spec. If the line has several events or functions with " or " between them, the words are for the first of these events or
 * functions that this kernel has. If it cannot be found out whether the kernel has a function, the function is taken for one that the kernel has. Returns 0.
 * When the kernel has none of several events or functions, or when memory runs out, returns -errno after a message.
 */
int tool_words_add(const struct tool_place *place, enum tool_what what, const char *text, strv_t *out);

/*
 * Appends the user's words that follow the values of the tool's arguments. @words ends with NULL. Some commands accept options behind an operand. For such a
 * command, "--" is put in front of the first operand that begins a program to run, so that options behind this operand are options of the program. An operand
 * that is a recording does not begin a program. If the command is "latency" and the spec names no kind, no operand is taken for a program, because the user
 * then has to name the kind. Returns 0 or -ENOMEM after a message.
 */
int tool_words_end(const struct tool_spec *spec, char *const *words, strv_t *out);

/* Returns true if @feature is the name of a feature that tool_need() knows. */
bool tool_need_known(const char *feature);

/*
 * Refuses the tool @name when this kernel lacks the feature. @feature is a name that `ringside doctor` prints, or "function NAME". If @feature has several
 * names of functions with " or " between them, the kernel needs only one of these functions. If it cannot be found out whether the kernel has a function, the
 * function is taken for one that the kernel has. Returns 0, or -errno after a message: -ENOTSUP or -ENOENT when the kernel lacks the feature.
 */
int tool_need(const char *name, const char *feature);

#endif
