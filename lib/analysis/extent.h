/* SPDX-License-Identifier: GPL-2.0 */
/* Finds which span of time the records of files cover. A long pass over the files uses this span to show its progress. */
#ifndef RINGSIDE_EXTENT_H
#define RINGSIDE_EXTENT_H

#include "lib/analysis/input.h"

struct extent {
	uint64_t first, last; /* the times of the first and the last record of all files, as input_time() returns them */
	/*
	 * The latest time that the first record or the last record of any CPU has. This time can be later than .last if times go back or wrap, because the last
	 * record of a CPU can then have an earlier time than the first record of the same CPU.
	 */
	uint64_t latest;
	uint64_t size; /* the sizes of all files together, in bytes */
};

/*
 * Finds the extent of files that are open. The extent covers all records of the files, including records that are not selected. If there are no records, .first
 * is UINT64_MAX, and .last and .latest are 0. Returns 0, -ENOMEM, or another -errno after a message.
 */
int extent_find(struct extent *extent, const inputs_t *inputs);

/* Estimates how many bytes of the files have been read up to the record @rec. The estimate is made from the time of @rec. */
uint64_t extent_done(const struct extent *extent, const inputs_t *inputs, const struct record *rec);

#endif
