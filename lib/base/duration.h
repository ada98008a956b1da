/* SPDX-License-Identifier: GPL-2.0 */
/* Writes durations as people read them: in ns, us, ms or s. */
#ifndef RINGSIDE_DURATION_H
#define RINGSIDE_DURATION_H

#include "lib/base/str.h"

struct duration_unit {
	uint64_t ns;	  /* the length of the unit in ns */
	const char *name; /* "ns", "us", "ms" or "s" */
};

/*
 * Returns the unit in which duration_add() writes @ns. This is the largest unit that is not longer than @ns. If @ns is 0, the unit is ns. If @ns would be
 * written as 1000.000 of this unit after rounding, the result is the next larger unit.
 */
const struct duration_unit *duration_unit(uint64_t ns);

/* Appends "812 ns", "12.345 us", "8.120 ms" or "1.250 s". The last digit is rounded. */
void duration_add(struct str *out, uint64_t ns);

#endif
