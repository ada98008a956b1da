/* SPDX-License-Identifier: GPL-2.0 */
/* The formats of a recorded kernel, and made-up records of its events, for the tests of filters. */
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

/* Deterministic random numbers; below @n. */
uint64_t random_below(uint64_t *state, uint64_t n);

/* The words that made-up strings are taken from. */
extern const char *const words[];
enum { WORDS = 8 };

/* The numbers that made-up fields are taken from, besides random ones. */
extern const uint64_t numbers[];
enum { NUMBERS = 12 };

/*
 * A record of @event in memory of exactly its size (so that a sanitizer sees a read beyond it), with likely values in
 * its fields: words, small numbers, addresses of symbols; __data_loc and __rel_loc fields lead into the record. The
 * caller frees record->data.
 */
void record_make(const struct kernel *kernel, struct tep_event *event, uint64_t *state, struct record *record);

/* The tests of filter-oracle.c. */
TCase *filter_oracle_case(void);

/* What libtraceevent says of the record. */
bool oracle_match(struct tep_event_filter *filter, const struct record *record);

#endif
