/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/table-numbers.h"
#include "lib/base/digits.h"

const struct table_unit *table_unit_for(enum table_type type, bool ticks, uint64_t largest)
{
	static const struct table_unit times[] = {
		{ "us", 10 * NSEC_PER_MSEC - 1, NSEC_PER_USEC, 3 },
		{ "ms", 10 * NSEC_PER_SEC - 1, NSEC_PER_MSEC, 3 },
		{ "s", UINT64_MAX, NSEC_PER_SEC, 6 },
	};
	static const struct table_unit sizes[] = {
		{ "B", 99999, 1, 0 },
		{ "kB", 99999999, 1000, 1 },
		{ "MB", UINT64_MAX, 1000000, 1 },
	};
	const struct table_unit *unit = type == TABLE_BYTES ? sizes : times;

	if (type == TABLE_TS)
		return ticks ? NULL : &times[2];
	if (type != TABLE_BYTES && (type != TABLE_NS || ticks))
		return NULL;
	while (largest > unit->most)
		unit++;
	return unit;
}

/* Adds the number of whole @units, a point and the rest. printf() takes ten times as long, which is noticeable in large tables. */
static void add_parts(uint64_t value, unsigned int units, char *(*put_rest)(char *at, unsigned int v), struct str *out)
{
	char room[24], *end = put_u64(room, value / units);

	if (put_rest) {
		*end++ = '.';
		end = put_rest(end, (unsigned int)(value % units));
	}
	str_addn(out, room, (size_t)(end - room));
}

void table_add_scaled(uint64_t value, const struct table_unit *unit, struct str *out)
{
	if (!unit)
		add_parts(value, 1, NULL, out);
	else if (unit->digits == 6)
		add_parts(value / NSEC_PER_USEC + (value % NSEC_PER_USEC >= NSEC_PER_USEC / 2), 1000000, put_6, out);
	else if (unit->digits == 3 && unit->of == NSEC_PER_USEC)
		add_parts(value, 1000, put_3, out);
	else if (unit->digits == 3 && value % NSEC_PER_USEC != NSEC_PER_USEC / 2)
		add_parts((value + NSEC_PER_USEC / 2) / NSEC_PER_USEC, 1000, put_3, out);
	else
		str_addf(out, "%.*f", unit->digits, (double)value / (double)unit->of);
}

/* A number near the middle between two results, or a very large one, is left to printf(). */
void table_add_real(double value, struct str *out)
{
	double hundredths = value * 100 + 0.5;

	if (value > 0 && value < 1e9 && hundredths - (double)(uint64_t)hundredths > 1e-3 && hundredths - (double)(uint64_t)hundredths < 1 - 1e-3)
		add_parts((uint64_t)hundredths, 100, put_2, out);
	else
		str_addf(out, "%.2f", value);
}
