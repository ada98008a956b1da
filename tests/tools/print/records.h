/* SPDX-License-Identifier: GPL-2.0 */
/* Makes pseudo-random records of an event for the tests of printing. Some records are plausible, some are odd, and some are damaged. */
#ifndef RINGSIDE_TEST_RECORDS_H
#define RINGSIDE_TEST_RECORDS_H

#include "lib/base/vec.h"

#define MOST_RECORD 8192

struct tep_event;
struct tep_format_field;

struct generator {
	uint64_t state;
	bool swap;		 /* true: write numbers in the byte order that this machine does not have */
	VEC(uint64_t) addresses; /* addresses of symbols and strings; the caller fills it */
	/* generator_event() sets the rest: */
	const struct tep_event *event;
	VEC(uint64_t) values;			      /* the values to which the event's format gives names */
	VEC(const struct tep_format_field *) lengths; /* the fields whose value is the length of an array */
	uint32_t base;				      /* bytes before the dynamic arrays */
	uint32_t least;				      /* if a record is cut off, at least this many bytes of it stay */
};

/* Returns the next pseudo-random number. */
uint64_t generator_next(struct generator *g);

/* Makes generator_record() make records of @event. Returns 0 or -ENOMEM. */
int generator_event(struct generator *g, const struct tep_event *event);

/* Writes a record to @record, which has MOST_RECORD bytes. Returns the record's size. */
size_t generator_record(struct generator *g, uint8_t *record);

void generator_fini(struct generator *g);

#endif
