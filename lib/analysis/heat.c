/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/heat.h"

#include <string.h>

/* Makes one part of each two, so that there is room for as many parts again. */
static void fold(struct heat *heat)
{
	for (size_t i = 0; i < HEAT_PARTS; i++)
		for (size_t bar = 0; bar < HEAT_BARS; bar++)
			heat->counts[i][bar] = i < HEAT_PARTS / 2 ? heat->counts[2 * i][bar] + heat->counts[2 * i + 1][bar] : 0;
	heat->width *= 2;
	heat->parts = (heat->parts + 1) / 2;
}

/* Makes room for a time before the first part: moves all parts. */
static void make_room(struct heat *heat, uint64_t ns)
{
	uint64_t n;

	while ((n = (heat->first - ns - 1) / heat->width + 1) + heat->parts > HEAT_PARTS && heat->width < 1ULL << 62)
		fold(heat);
	n = MIN(n, (uint64_t)HEAT_PARTS - 1);
	memmove(heat->counts[n], heat->counts[0], (HEAT_PARTS - n) * sizeof(heat->counts[0]));
	memset(heat->counts[0], 0, n * sizeof(heat->counts[0]));
	heat->first = heat->first > n * heat->width ? heat->first - n * heat->width : 0;
	heat->parts += n;
}

void heat_add(struct heat *heat, uint64_t ns, uint64_t value)
{
	size_t part;

	if (!heat->begun) {
		heat->begun = true;
		heat->first = ns;
		heat->width = HEAT_LEAST_NS;
	}
	if (ns < heat->first)
		make_room(heat, ns);
	while ((ns - heat->first) / heat->width >= HEAT_PARTS && heat->width < 1ULL << 62)
		fold(heat);
	part = (size_t)MIN((ns - heat->first) / heat->width, (uint64_t)HEAT_PARTS - 1);
	heat->parts = MAX(heat->parts, part + 1);
	heat->counts[part][value ? 64 - (size_t)__builtin_clzll(value) : 0]++;
}
