/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads lines that somebody types at a terminal. line_open() loads libedit, which provides editing and a history. Without libedit, the lines come from the
 * terminal's own line discipline, and there is no history.
 *
 *	err = line_open(&line, &options);
 *	while ((err = line_read(line, "sql> ", &text)) > 0 || err == -EINTR)
 *		…
 *	line_close(line);
 */
#ifndef RINGSIDE_CMD_LINE_EDIT_H
#define RINGSIDE_CMD_LINE_EDIT_H

#include "lib/base/vec.h"

struct line_options {
	const char *name; /* names the file of the history, which is "NAME-history" */
	/*
	 * Completes the word that ends at the cursor, which is at byte @at of @line. On entry, *@from equals @at. The callback sets *@from to the byte where
	 * this word begins, and appends to @words the words that may stand at this place. If this member is NULL, nothing is completed.
	 */
	void (*complete)(void *ctx, const char *line, size_t at, size_t *from, strv_t *words);
	void *ctx;
	/*
	 * The handler of SIGINT sets this variable to a value other than 0. The handler must be installed without SA_RESTART. After -EINTR of line_read(), the
	 * caller sets this variable to 0 again.
	 */
	const volatile int *interrupted;
};

struct line;

/* Prepares for reading lines. Returns 0, or -errno after a message. @options is borrowed. The caller calls line_close() in any case. */
int line_open(struct line **out, const struct line_options *options);
void line_close(struct line *line); /* accepts NULL */

/* Returns true when libedit was loaded, so that lines can be edited. */
bool line_is_edited(const struct line *line);

/*
 * Reads a line. When a line was read, returns 1, and *@text is the line without its newline, valid until the next call. Returns 0 at the end of input (Ctrl-D),
 * -EINTR without a message after Ctrl-C, or another -errno after a message.
 */
int line_read(struct line *line, const char *prompt, const char **text);

/*
 * Adds a text of one line to the history. The history is kept in the file that history_path() (cmd/line-history.h) returns. If the file cannot be written, the
 * line is only in the history of this process. A blank line is not added. Does nothing without libedit.
 */
void line_remember(struct line *line, const char *text);

#endif
