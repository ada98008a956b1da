/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/base/duration.h"

const struct duration_unit *duration_unit(uint64_t ns)
{
	static const struct duration_unit units[] = { { 1, "ns" }, { NSEC_PER_USEC, "us" }, { NSEC_PER_MSEC, "ms" }, { NSEC_PER_SEC, "s" } };
	size_t i = ARRAY_LEN(units) - 1;

	/* A value that would be rounded to 1000.000 of the smaller unit is shown as 1.000 of this one. */
	while (i && ns < units[i].ns - units[i].ns / 2000000)
		i--;
	return &units[i];
}

void duration_add(struct str *out, uint64_t ns)
{
	const struct duration_unit *unit = duration_unit(ns);

	if (unit->ns == 1)
		str_addf(out, "%llu %s", (unsigned long long)ns, unit->name);
	else
		str_addf(out, "%.3f %s", (double)ns / (double)unit->ns, unit->name);
}
