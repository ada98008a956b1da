/* SPDX-License-Identifier: GPL-2.0 */
/* From when to when the files of a reading last, so that a long pass over them can tell how far it is. */
#ifndef RINGSIDE_EXTENT_H
#define RINGSIDE_EXTENT_H

#include "lib/analysis/input.h"

struct extent {
	uint64_t first, last;	/* of all records, as input_time() has them */
	uint64_t size;		/* of all files, in bytes */
};

/*
 * Finds the extent of files that are open. What is chosen of them is not known before it is read, so the ends are those of the files. Returns 0 or
 * -errno.
 */
int extent_find(struct extent *extent, const inputs_t *inputs);

/* How many of the bytes have been read when the record @rec is at hand, as far as times can tell. */
uint64_t extent_done(const struct extent *extent, const inputs_t *inputs, const struct record *rec);

#endif
