/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/heat-text.h"
#include "lib/base/duration.h"

#include <langinfo.h>
#include <string.h>

enum { TS, FROM, TO, COUNT };

int heat_table(struct table **out, const struct heat *heat, const struct table_show *show)
{
	static const struct table_column columns[] = {
		[TS] = { "ts", TABLE_TS }, [FROM] = { "from", TABLE_NS }, [TO] = { "to", TABLE_NS }, [COUNT] = { "count", TABLE_COUNT }, { NULL },
	};
	static const struct table_spec spec = { .columns = columns };
	const struct table_show plain = { .form = show->form };
	int err = table_new(out, &spec, &plain);

	for (size_t part = 0; !err && part < heat->parts; part++)
		for (size_t bar = 0; bar < HEAT_BARS; bar++) {
			if (!heat->counts[part][bar])
				continue;
			table_row(*out, TABLE_ROOT);
			table_count(*out, TS, heat->first + part * heat->width);
			table_count(*out, FROM, heat_from(bar));
			table_count(*out, TO, heat_to(bar));
			table_count(*out, COUNT, heat->counts[part][bar]);
		}
	return err;
}

/* --- for people --------------------------------------------------------------------------------------------------- */

/* The shades from few to many. Each stands for two to four times as many as the one before, so that small numbers are visible beside large ones. */
static const char *const blocks[] = { " ", "·", "░", "▒", "▓", "█" };
static const char *const plain[] = { " ", ".", "-", "+", "#", "@" };

static size_t shade_of(uint64_t n, uint64_t most)
{
	const size_t steps = ARRAY_LEN(plain) - 1;
	const unsigned int of = most > 1 ? 64u - (unsigned int)__builtin_clzll(most) : 1, is = n ? 64u - (unsigned int)__builtin_clzll(n) : 0;

	return n ? MAX((is * steps + of - 1) / of, (size_t)1) : 0;
}

static void add_duration(uint64_t ns, bool ticks, struct str *out)
{
	const struct duration_unit *unit = duration_unit(ns);

	if (ticks)
		str_addf(out, "%12llu", (unsigned long long)ns);
	else
		str_addf(out, "%9.3f %-2s", (double)ns / (double)unit->ns, unit->name);
}

static uint64_t sum_of(const struct heat *heat, size_t bar)
{
	uint64_t sum = 0;

	for (size_t part = 0; part < heat->parts; part++)
		sum += heat->counts[part][bar];
	return sum;
}

static void add_line(const struct heat *heat, size_t bar, uint64_t most, bool ticks, struct str *out)
{
	const char *const *shades = strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? blocks : plain;

	add_duration(heat_from(bar), ticks, out);
	str_add(out, " |");
	for (size_t part = 0; part < heat->parts; part++)
		str_add(out, shades[shade_of(heat->counts[part][bar], most)]);
	str_addf(out, "| %llu\n", (unsigned long long)sum_of(heat, bar));
}

void heat_text(const struct heat *heat, bool ticks, bool ts_ticks, struct str *out)
{
	size_t low = HEAT_BARS, high = 0;
	uint64_t most = 0;

	for (size_t bar = 0; bar < HEAT_BARS; bar++) {
		for (size_t part = 0; part < heat->parts; part++)
			most = MAX(most, heat->counts[part][bar]);
		if (sum_of(heat, bar)) {
			low = MIN(low, bar);
			high = bar;
		}
	}
	if (!most)
		return;
	for (size_t bar = high + 1; bar-- > low;)
		add_line(heat, bar, most, ticks, out);
	if (ts_ticks)
		str_addf(out, "%14sfrom %llu on, %llu ticks a column", "", (unsigned long long)heat->first, (unsigned long long)heat->width);
	else
		str_addf(out, "%14sfrom %.6f s on, %.3f ms a column", "", (double)heat->first / (double)NSEC_PER_SEC, (double)heat->width / 1e6);
	str_addf(out, "; at the darkest %llu\n", (unsigned long long)most);
}
