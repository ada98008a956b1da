/* SPDX-License-Identifier: GPL-2.0 */
/* Writes numbers as people read them in a table. Only lib/output/table*.c uses this. */
#ifndef RINGSIDE_TABLE_NUMBERS_H
#define RINGSIDE_TABLE_NUMBERS_H

#include "lib/output/table-rows.h"

/* This is a unit for the values of a column. It suits a column whose largest value is not above .most. */
struct table_unit {
	const char *name; /* such as "ms" */
	uint64_t most;
	uint64_t of; /* how many ns or bytes one unit has */
	int digits;  /* how many digits stand behind the decimal point */
};

/*
 * Returns the unit for a column of this type whose largest value is @largest. Returns NULL when the column needs no unit. @ticks is true if the times of
 * the column are in ticks of unknown length.
 */
const struct table_unit *table_unit_for(enum table_type type, bool ticks, uint64_t largest);

/* Appends @value as a number in the unit @unit, rounded to the unit's digits. If @unit is NULL, appends @value itself. */
void table_add_scaled(uint64_t value, const struct table_unit *unit, struct str *out);

/* Appends @value with two digits behind the decimal point. */
void table_add_real(double value, struct str *out);

#endif
