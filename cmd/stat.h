/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of `ringside stat`. */
#ifndef RINGSIDE_CMD_STAT_H
#define RINGSIDE_CMD_STAT_H

#include "lib/output/table.h"
#include "lib/tracefs/journal.h"
#include "lib/tracefs/tracedir.h"

/* One instance, or with @dir NULL what belongs to none. */
struct place {
	const struct tracedir *dir;
	const struct tracedir *top;
	const journals_t *journals;
	char *prefix;		/* before its files in journals: "", "instances/mine/" */
	const char *name;	/* "" is the top */
	const char *last;	/* the label of the line before */
	struct table *table;	/* where all goes that is told; NULL: it is printed as lines */
};

/* The columns of the table. */
enum stat_column { STAT_INSTANCE, STAT_SETTING, STAT_VALUE, STAT_PID, STAT_COMMAND, STAT_CPU, STAT_EVENTS, STAT_BYTES, STAT_SIZE, STAT_OVERWRITTEN, STAT_LOST };
extern const struct table_spec stat_table;

/* Begins a row about a setting, or about a CPU's buffer. */
void stat_row(struct place *p, const char *setting);

/* Tells that a setting of that file, below the instance, is @text. */
void stat_file_line(struct place *p, const char *label, const char *text, const char *file);

/* What is in the buffers, and what has been lost. 0 or -errno after a message. */
int stat_use(struct place *p);
void stat_size(struct place *p);

/*
 * Prints the settings of the instance @dir, called @name ("": the top), as `trace-cmd stat` does: headings with entries below them, what is as after
 * boot left out. @top is the top instance, whose instances are listed with it.
 */
void stat_lines(const struct tracedir *dir, const struct tracedir *top, const char *name);

#endif
