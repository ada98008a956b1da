/* SPDX-License-Identifier: GPL-2.0 */
/* Runs the prompt of `ringside sql`. */
#ifndef RINGSIDE_CMD_SQL_PROMPT_H
#define RINGSIDE_CMD_SQL_PROMPT_H

#include "cmd/sql.h"
#include "cmd/table-options.h"

/*
 * Asks for queries at the terminal and answers them, until the user ends the prompt. @opts says how answers are shown, until the command .mode changes this.
 * Returns 0, -EPIPE, or another -errno after a message.
 */
int sql_prompt(struct sql_show *show, struct table_opts *opts);

/* These are the prompt's own commands, which begin with a dot, such as .mode. enum sql_takes says what a command takes, for completion. */
enum sql_takes { SQL_TAKES_NOTHING, SQL_TAKES_TABLE, SQL_TAKES_MODE, SQL_TAKES_EXAMPLE, SQL_TAKES_ADDRESS };
struct sql_dot {
	const char *name; /* the command's name with its dot */
	const char *arg;  /* the name of the command's argument, as the help shows it; NULL: the command takes no argument */
	const char *help;
	enum sql_takes takes;
};
extern const struct sql_dot sql_dots[]; /* ends with a NULL name */
extern const char *const sql_modes[];	/* the words that .mode takes; ends with NULL */

/* This is the context of sql_complete(). .before is the part of the query that was typed in earlier lines. */
struct sql_typed {
	struct sql_show *show;
	const struct str *before;
};

/* This function can be the callback .complete of struct line_options (cmd/line-edit.h). @ctx is a struct sql_typed. */
void sql_complete(void *ctx, const char *line, size_t at, size_t *from, strv_t *words);

#endif
