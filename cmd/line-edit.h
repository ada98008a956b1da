/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lines that somebody types at a terminal, with editing and a history by libedit, which is loaded when the first line is wanted. Where it is not
 * there, lines are what the terminal itself makes of keys.
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
	const char *name; /* the part of a file's name: its history is "NAME-history" */
	/*
	 * Appends the words that may stand where the byte *@from of the line begins, of which the bytes up to @at have been typed; moves *@from, which
	 * is @at, to there. NULL: nothing is completed.
	 */
	void (*complete)(void *ctx, const char *line, size_t at, size_t *from, strv_t *words);
	void *ctx;
	const volatile int *interrupted; /* is set by SIGINT, whose handler must not restart calls */
};

struct line;

/* Returns 0, or -errno after a message. @options is borrowed. line_close() in any case. */
int line_open(struct line **out, const struct line_options *options);
void line_close(struct line *line); /* accepts NULL */

/* Can lines be edited? */
bool line_is_edited(const struct line *line);

/* 1 with a line, without its newline, which holds until the next one; 0 at the end (Ctrl-D); -EINTR after Ctrl-C; another -errno after a message. */
int line_read(struct line *line, const char *prompt, const char **text);

/*
 * Adds a text of one line to the history, which is kept in $XDG_STATE_HOME/ringside, else in ~/.local/state/ringside. That it cannot be written is no
 * failure.
 */
void line_remember(struct line *line, const char *text);

#endif
