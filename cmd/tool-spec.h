/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Specs of tools: a file of a dozen lines that says which command of ringside a one-liner stands for, with its events, keys, columns and filters.
 * A line is a keyword and what it says; ringside-tool(1) lists them. Nothing of a spec is ever given to a shell, and none can name a program to run.
 */
#ifndef RINGSIDE_TOOL_SPEC_H
#define RINGSIDE_TOOL_SPEC_H

#include "lib/base/str.h"
#include "lib/base/vec.h"

/* The words of struct tool_line.what; TOOL_HELP to TOOL_DEFAULT are about the spec itself, the others become options. */
enum tool_what {
	TOOL_HELP,
	TOOL_COMMAND,
	TOOL_NEED,
	TOOL_NOTE,
	TOOL_ARGUMENT,
	TOOL_DEFAULT,
	TOOL_EVENT,
	TOOL_FILTER,
	TOOL_PROBE,
	TOOL_LATENCY,
	TOOL_HOOK,
	TOOL_TRACER,
	TOOL_FUNCTION,
	TOOL_GRAPH,
	TOOL_CALL,
	TOOL_KIND,
	TOOL_KEY,
	TOOL_COLUMN,
	TOOL_SORT,
	TOOL_OPTION,
	TOOL_WORDS, /* so many there are */
};

struct tool_line {
	unsigned int number;
	enum tool_what what;
	char *text;
};

/* A word that the user gives. */
struct tool_argument {
	char *name;		      /* in capitals; "$NAME" stands for it */
	const char *text, *otherwise; /* what it is; what it is when it is not given, NULL: it must be. Of the lines */
};

struct tool_spec {
	char *name;	    /* "opensnoop" */
	char *path;	    /* of its file; "built in": in the program's table */
	struct text source; /* what stands in it */
	const char *help;   /* of the lines */
	const struct tool_command *command;
	VEC(struct tool_line) lines;
	VEC(struct tool_argument) arguments;
};

/* Reads and checks a spec, whose text it takes over. Returns 0; -EINVAL after a message with file and line; -ENOMEM after one. tool_spec_fini() in any case. */
int tool_spec_read(struct tool_spec *spec, const char *name, const char *path, struct text source);
void tool_spec_fini(struct tool_spec *spec);

/*
 * Makes the words of the command that the tool stands for, with the user's @words: first those that its arguments take, the others go behind its options.
 * What the running kernel lacks is told here. 0, -errno after a message; -E2BIG after a message: wrong use.
 */
int tool_spec_expand(const struct tool_spec *spec, char **words, strv_t *out);

#endif
