/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Goes once through the records of a table of events. Each record is a row of the table. scan_cell() reads the columns of this row. Only lib/query uses this.
 */
#ifndef RINGSIDE_SCAN_H
#define RINGSIDE_SCAN_H

#include "lib/query/tables.h"

struct scan {
	struct relation *table;
	struct reading reading;
	struct batch *batch;	   /* records that were read together (lib/data/record.h); NULL: none */
	size_t at;		   /* the index in .batch of the record after the current one */
	VEC(struct plan **) plans; /* plans.at[i][id]: how the fields of the event with this id in the file i are written (lib/export/plan.h); NULL: not made */
	VEC(uint8_t *) wanted;	   /* wanted.at[i][id] tells whether the event with this id in the file i is wanted */
	struct str room, scratch;  /* working memory; a text that scan_cell() returns may be in .room */
	const struct record *rec;  /* the current record */
	const struct event *event;
	struct common common;
	uint64_t lost;	/* how many lost events the kernel has counted */
	bool lost_more; /* for at least one loss, the kernel did not count how many events were lost */
	bool done;	/* no more batches come */
};

/*
 * This tells which records are wanted. scan_next() may also give records whose time or CPU is not wanted. So the caller checks the time and the CPU of each
 * record.
 */
struct scan_want {
	uint64_t from, to;				     /* times, both included */
	int64_t cpu;					     /* -1: all */
	bool (*event)(void *ctx, const struct event *event); /* NULL: all events of the table */
	void *ctx;
};

/* Begins a pass over the records of @table. Returns 0, or -errno after a message. The caller calls scan_close() in any case. */
int scan_open(struct scan *scan, struct relation *table, const struct scan_want *want);
void scan_close(struct scan *scan);

/* Goes to the next record. Returns 1 when there is a record, 0 at the end, or -errno after a message. */
int scan_next(struct scan *scan);

/* Sets *@out to the value that the current record has in the column @column. A text is valid until the next call of scan_cell() or scan_close(). */
void scan_cell(struct scan *scan, unsigned int column, struct cell *out);

#endif
