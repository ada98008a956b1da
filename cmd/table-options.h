/* SPDX-License-Identifier: GPL-2.0 */
/* Provides the options that all commands that print a table (lib/output/table.h) have. */
#ifndef RINGSIDE_CMD_TABLE_OPTIONS_H
#define RINGSIDE_CMD_TABLE_OPTIONS_H

#include "cmd/opt.h"
#include "lib/output/table.h"

struct table_opts {
	bool json, csv;
	const char *columns, *sort, *color;
	uint64_t top;
};

/*
 * These are rows of options for OPT_ROWS (cmd/opt.h). Their context structure is struct table_opts. table_form_options has --json, --csv and --columns, for a
 * table whose rows have a fixed order. table_options has these three, and also --sort, -n and --color. If -n means something else in a command, the command
 * sets .letterless in its OPT_ROWS. Then the options of the table have no letters in that command.
 */
extern const struct opt table_options[], table_form_options[];

/* Returns true if --json, --csv or --columns was given. In this case, a table is printed even by a command that usually prints none. */
static inline bool table_asked(const struct table_opts *opts)
{
	return opts->json || opts->csv || opts->columns;
}

/* Returns the width of the terminal at @fd in characters, or 0 if it is not a terminal. */
size_t terminal_width(int fd);

/*
 * Decides, after opt_parse(), how a table is shown on @fd. table_settle() has to be called before a pager takes the place of the terminal. Returns 0, or
 * -EINVAL after a message; -EINVAL means the exit status 2.
 */
int table_settle(const struct cmd *cmd, const struct table_opts *opts, int fd, struct table_show *show);

/* Prints the table on standard output. Returns the exit status. */
int table_print(struct table *table, const struct table_meta *meta);

#endif
