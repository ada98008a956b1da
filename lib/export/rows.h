/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A line for each event, on all threads: what csv and jsonl have in common. Each gives what stands at the beginning of a line, and
 * between that and the event's fields.
 */
#ifndef RINGSIDE_EXPORT_ROWS_H
#define RINGSIDE_EXPORT_ROWS_H

#include "lib/analysis/reading.h"
#include "lib/export/exporter.h"
#include "lib/export/plan.h"

/* A record's line but for its fields. */
struct row_head {
	uint64_t ts; /* ns, or ticks of a clock that counts those */
	uint16_t cpu;
	int pid;
	uint8_t flags, preempt;
	const char *comm; /* in the format's style, put_short() can read it; empty: not known */
	size_t comm_len;
};

/* Where it comes from. */
struct row_source {
	const char *buffer; /* empty: the top one */
	const char *file;   /* NULL: there is one */
	const char *host;   /* of several files; empty: not known */
};

struct rows_format {
	enum plan_style style;
	/* Appends the first line; @files: there are several. NULL: there is none. */
	void (*first)(const plan_columns_t *columns, bool files, struct str *out);
	/* Put the beginning of a line, and what stands between the names and the fields, without a NUL; ROW_ROOM and the comm have room. */
	char *(*head)(char *at, const struct row_head *head);
	char *(*tail)(char *at, const struct row_head *head);
	/* Appends what stands between these two, the same for all records of an event in a buffer; its name may be empty: not known. */
	void (*names)(const struct event *event, const struct row_source *source, struct str *out);
	const char *end; /* behind the fields: closes what @tail has opened, with the newline; of end_len bytes, 4 at most */
	size_t end_len;
	const char *none; /* in the place of the fields of an event that has none */
};
enum { ROW_ROOM = 256 };

/* Does what analysis.make() does. */
int rows_make(struct handler **out, struct reading *reading, const struct rows_format *format, const struct export_options *opt);

#endif
