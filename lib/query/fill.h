/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fills tables whose rows are made in one pass over the recording. Each kind of table has a structure of its own. The first member of the structure is a
 * struct fill. Only lib/query uses this header.
 */
#ifndef RINGSIDE_QUERY_FILL_H
#define RINGSIDE_QUERY_FILL_H

#include "lib/query/tables.h"

struct fill {
	struct handler handler; /* must be the first member; the end of the pass does not free the struct fill */
	struct reading *reading;
	struct relation *table;
	struct store *store;
	const struct record *rec; /* the current record */
	struct str room;	  /* memory for fill_text() */
};

/*
 * Each of these functions sets the value of one column in a row. fill_text() sets the value to @text, fill_comm() to the name of the task @pid, fill_buffer()
 * to the name of the current record's buffer (tracefs instance), and fill_pid() to the number @pid. When the task or the buffer has no known name, the value
 * stays unknown. The top buffer has no name.
 */
void fill_text(struct fill *fill, uint32_t row, unsigned int column, const char *text); /* NULL: not known */
void fill_comm(struct fill *fill, uint32_t row, unsigned int column, int pid);
void fill_buffer(struct fill *fill, uint32_t row, unsigned int column);
void fill_pid(struct fill *fill, uint32_t row, unsigned int column, int pid);

/* Sets *@out to the number in the field @name of the current record. Returns false when the record has no such number. */
bool fill_field(const struct fill *fill, const char *name, uint64_t *out);

/*
 * Returns the event of the current record. If the record tells names of tasks, these names are added to the names that the trace knows. In two cases, the
 * function adds no names and returns NULL: the trace does not describe the event, or the record has no data.
 */
const struct event *fill_event(const struct fill *fill);

/* Returns true if --cpu chooses the CPU of the current record. Only analyses with ANALYSIS_ALL_CPUS (lib/analysis/analysis.h) have to call this. */
bool fill_chosen(const struct fill *fill);

#endif
