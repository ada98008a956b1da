/* SPDX-License-Identifier: GPL-2.0 */
/* Serves the tests of filters. Loads the event formats of a kernel from a trace file, and makes random records of these events. */
#ifndef RINGSIDE_UNIT_FILTER_RECORDS_H
#define RINGSIDE_UNIT_FILTER_RECORDS_H

#include "lib/data/reader.h"
#include "lib/data/record.h"
#include "lib/event/comms.h"
#include "lib/event/symbols.h"
#include <check.h>
#include <traceevent/event-parse.h>

struct kernel {
	struct datfile *file;
	struct tep_handle *tep;
	struct comms *comms;
	struct symbols *symbols;
};

void kernel_init(struct kernel *kernel, const char *path);
void kernel_fini(struct kernel *kernel);

/* Returns a pseudo-random number below @n, and changes @state. */
uint64_t random_below(uint64_t *state, uint64_t n);

/* Random strings are taken from these words. */
extern const char *const words[];
enum { WORDS = 8 };

/* Random fields often have one of these numbers. */
extern const uint64_t numbers[];
enum { NUMBERS = 12 };

/*
 * Makes a random record of @event. The record lies in memory of exactly its size, so that a sanitizer reports a read beyond its end. The fields have likely
 * values: words, small numbers, and addresses of symbols. __data_loc and __rel_loc fields point into the record. The caller frees record->data.
 */
void record_make(const struct kernel *kernel, struct tep_event *event, uint64_t *state, struct record *record);

/* Returns the tests of filter-oracle.c. */
TCase *filter_oracle_case(void);

/* Does libtraceevent's filter match the record? */
bool oracle_match(struct tep_event_filter *filter, const struct record *record);

#endif
