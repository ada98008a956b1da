/* SPDX-License-Identifier: GPL-2.0 */
/* Declares the parts of `ringside stat`. */
#ifndef RINGSIDE_CMD_STAT_H
#define RINGSIDE_CMD_STAT_H

#include "lib/output/table.h"
#include "lib/tracefs/journal.h"
#include "lib/tracefs/tracedir.h"

/* This is an instance. If .dir is NULL, the struct is for settings that belong to no instance. */
struct place {
	const struct tracedir *dir;
	const struct tracedir *top;
	const journals_t *journals; /* what other processes of ringside have changed (lib/tracefs/journal.h) */
	char *prefix;		    /* in the journals, the paths of the instance's files begin with this text: "" for the top instance, or "instances/mine/" */
	const char *name;	    /* "" for the top instance */
	const char *last;	    /* the label of the last line, which the next line does not repeat if its label is the same; NULL: there is no line yet */
	struct table *table;	    /* everything becomes rows of this table; NULL: everything is printed as lines */
};

/* These are the columns of the table. */
enum stat_column { STAT_INSTANCE, STAT_SETTING, STAT_VALUE, STAT_PID, STAT_COMMAND, STAT_CPU, STAT_EVENTS, STAT_BYTES, STAT_SIZE, STAT_OVERWRITTEN, STAT_LOST };
extern const struct table_spec stat_table;

/* Begins a row of the table, about a setting or about a CPU's buffer. */
void stat_row(struct place *p, const char *setting);

/*
 * Prints a setting. @text is its value. @file is the setting's file below the instance. If a journal has an entry for this file, the process that has changed
 * the setting is printed as well.
 */
void stat_file_line(struct place *p, const char *label, const char *text, const char *file);

/*
 * stat_use() prints what is in the buffers and what has been lost. It returns 0, or -errno after a message. stat_size() prints how large the buffers
 * are.
 */
int stat_use(struct place *p);
void stat_size(struct place *p);

/*
 * Prints the settings of the instance @dir with the name @name ("": the top) as `trace-cmd stat` does: headings with entries below them. A setting is left out
 * if it has the value that it has after boot. The sizes of the buffer, and whether tracing is on, are always printed. @top is the top instance. When @dir is
 * the top instance, the names of all instances are listed as well.
 */
void stat_lines(const struct tracedir *dir, const struct tracedir *top, const char *name);

#endif
