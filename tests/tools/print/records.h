/* SPDX-License-Identifier: GPL-2.0 */
/* Records of an event for tests of printing: plausible ones, odd ones and damaged ones, from a seed. */
#ifndef RINGSIDE_TEST_RECORDS_H
#define RINGSIDE_TEST_RECORDS_H

#include "lib/base/vec.h"

#define MOST_RECORD 8192

struct tep_event;
struct tep_format_field;

struct generator {
	uint64_t state;
	bool swap;		 /* write numbers in the other byte order */
	VEC(uint64_t) addresses; /* of symbols and strings; the caller fills it */
	/* Of the event: */
	const struct tep_event *event;
	VEC(uint64_t) values;			      /* that its format gives names to */
	VEC(const struct tep_format_field *) lengths; /* fields that say how many there are */
	uint32_t base;				      /* bytes before the dynamic arrays */
	uint32_t least;				      /* where a record may be cut off */
};

uint64_t generator_next(struct generator *g);

/* From now on records of @event. 0 or -ENOMEM. */
int generator_event(struct generator *g, const struct tep_event *event);

/* Fills @record, at most MOST_RECORD bytes; its size. */
size_t generator_record(struct generator *g, uint8_t *record);

void generator_fini(struct generator *g);

#endif
