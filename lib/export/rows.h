/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes a line for each event, on all threads of the pool, for the formats csv and jsonl. If export_options.columns is false, each loss of events also has a
 * line. Each of the two formats fills in a struct rows_format. A line has seven pieces, in this order: .begin, the time, the text of .head(), the text of
 * .names(), the text of .tail(), the event's fields, and .end.
 */
#ifndef RINGSIDE_EXPORT_ROWS_H
#define RINGSIDE_EXPORT_ROWS_H

#include "lib/analysis/reading.h"
#include "lib/export/exporter.h"
#include "lib/export/plan.h"

/* This is what a record's line tells besides the event's fields. */
struct row_head {
	uint16_t cpu;
	int pid;		/* -1: the line is about a loss of events */
	uint8_t flags, preempt; /* common_flags and common_preempt_count of the record */
	/* The name of the task, in the format's style. It is empty if the name is not known. It must be padded like the texts of plan_pad(). */
	const char *comm;
	size_t comm_len;
};

/* This tells where a record comes from. */
struct row_source {
	const char *buffer; /* the name of its buffer; empty: the top buffer */
	const char *file;   /* NULL: there is only one file */
	const char *host;   /* used when there are several files; it is empty if the host is not known */
};

enum { ROW_ROOM = 256, ROW_BEGIN = 8 };

struct rows_format {
	enum plan_style style;
	/*
	 * Appends the first line. @columns is NULL if export_options.columns is false. @files is true if there are several files. The member .first is
	 * NULL if the format has no first line.
	 */
	void (*first)(const plan_columns_t *columns, bool files, struct str *out);
	char begin[ROW_BEGIN]; /* stands in front of the time */
	size_t begin_len;      /* how many bytes of .begin are written */
	/*
	 * head() writes the text behind the time. tail() writes the text between the names and the fields. Neither function writes a NUL. Both
	 * return where their text ends. @at has room for ROW_ROOM bytes and the comm. The texts must depend on @head alone.
	 */
	char *(*head)(char *at, const struct row_head *head);
	char *(*tail)(char *at, const struct row_head *head);
	/*
	 * Appends what stands between the texts of head() and tail(). This text must be the same for all records of an event in a buffer. The name of
	 * @event is empty when the event is not known, and "lost_events" for a loss.
	 */
	void (*names)(const struct event *event, const struct row_source *source, struct str *out);
	const char *end;  /* the text behind the fields; it closes what tail() has opened, and has the newline */
	size_t end_len;	  /* the length of .end: at most 4 bytes */
	const char *none; /* the text that stands in place of the fields when an event has no fields */
};

/* Does what analysis.make() (lib/analysis/analysis.h) does, for the format @format. */
int rows_make(struct handler **out, struct reading *reading, const struct rows_format *format, const struct export_options *opt);

#endif
