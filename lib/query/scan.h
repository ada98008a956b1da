/* SPDX-License-Identifier: GPL-2.0 */
/* The records of one pass, one after the other, and what a table of events has of each. Inside lib/query only. */
#ifndef RINGSIDE_SCAN_H
#define RINGSIDE_SCAN_H

#include "lib/query/tables.h"

struct scan {
	struct relation *table;
	struct reading reading;
	struct batch *batch;
	size_t at;
	VEC(struct plan **) plans; /* by file and id; of an event's table only its own */
	VEC(uint8_t *) wanted;	   /* by file and id: is it an event of the table? */
	struct str room, scratch;
	const struct record *rec; /* the one at hand */
	const struct event *event;
	struct common common;
	uint64_t lost;
	bool lost_more, done;
};

/* Which records; others may come all the same. */
struct scan_want {
	uint64_t from, to;				     /* times, both included */
	int64_t cpu;					     /* -1: all */
	bool (*event)(void *ctx, const struct event *event); /* NULL: all of the table */
	void *ctx;
};

/* Returns 0, or -errno after a message. scan_close() in any case. */
int scan_open(struct scan *scan, struct relation *table, const struct scan_want *want);
void scan_close(struct scan *scan);

/* The next record: 1, 0 at the end, -errno after a message. */
int scan_next(struct scan *scan);

/* What the record at hand has in a column; a text holds until the next call. */
void scan_cell(struct scan *scan, unsigned int column, struct cell *out);

#endif
