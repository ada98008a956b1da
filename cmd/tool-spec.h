/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads specs of tools. A spec is a file of about a dozen lines, and defines one tool. The tool stands for one command of ringside, with the events,
 * keys, columns and filters that the spec names. Each line is a keyword and its value. ringside-tool(1) lists the keywords. Nothing of a spec is ever given to
 * a shell, and a spec cannot name a program to run.
 */
#ifndef RINGSIDE_TOOL_SPEC_H
#define RINGSIDE_TOOL_SPEC_H

#include "lib/base/str.h"
#include "lib/base/vec.h"

/*
 * These are the keywords, for struct tool_line.what. The keywords from TOOL_HELP to TOOL_DEFAULT are about the spec itself. The lines of the other keywords
 * become options of the command.
 */
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
	TOOL_WORDS, /* how many keywords there are */
};

struct tool_line {
	unsigned int number; /* the number of the line in the file */
	enum tool_what what;
	char *text; /* what follows the keyword */
};

/* This is a word that the user may give after the tool's name. */
struct tool_argument {
	char *name;	       /* the argument's name, in capitals; "$NAME" stands for the argument's value in the other lines */
	const char *text;      /* what the argument means; points into .lines */
	const char *otherwise; /* the value if the user gives no word; points into .lines; NULL: the user must give a word */
};

struct tool_spec {
	char *name;			    /* "opensnoop" */
	char *path;			    /* the path of its file, or "built in" */
	struct text source;		    /* the text of the file */
	const char *help;		    /* the text of the line "help"; points into .lines */
	const struct tool_command *command; /* the command that the tool runs */
	VEC(struct tool_line) lines;
	VEC(struct tool_argument) arguments;
};

/*
 * Reads and checks a spec, and takes over its text @source. Returns 0, or -EINVAL or -ENOMEM after a message. The message of -EINVAL names the file. If a line
 * is wrong, the message also names the line. The caller calls tool_spec_fini() in any case.
 */
int tool_spec_read(struct tool_spec *spec, const char *name, const char *path, struct text source);
void tool_spec_fini(struct tool_spec *spec);

/*
 * Makes the words of the command that the tool stands for. @words are the user's words and end with NULL. The first of these words are the values of the tool's
 * arguments. The values end at the first word that begins with a dash, or when each argument has a value. The user's other words are put after the tool's
 * options, by tool_words_end() (cmd/tool-words.h). Returns 0, or -errno after a message. -E2BIG means that the value of an argument is missing. There are also
 * other errors, for example when the kernel lacks something that the tool needs.
 */
int tool_spec_expand(const struct tool_spec *spec, char **words, strv_t *out);

#endif
