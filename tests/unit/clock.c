/* SPDX-License-Identifier: GPL-2.0 */
/* lib/data/clock: from stored times to shown ones. */
#include "lib/data/clock.h"
#include "tests/unit/unit.h"

static const struct metadata dated = {
	.has_date = true,
	.date_us = 1000,
	.ts_offset = -7,
};
static const struct metadata tsc = {
	.ts_offset = 5,
	.tsc2nsec = { .present = true, .mult = 3, .shift = 1, .offset = 999 },
};
static const struct metadata plain;

START_TEST(offsets)
{
	static const struct {
		const struct metadata *meta;
		struct clock_options how;
		uint64_t raw, want;
	} rows[] = {
		{ &plain, { 0 }, 1234, 1234 },
		{ &plain, { .ts_offset = -34 }, 1234, 1200 },
		{ &dated, { 0 }, 100, 1000000 + 100 - 7 },
		{ &dated, { .no_date = true }, 100, 93 },
		{ &dated, { .ts_offset = 1 }, 100, 1000000 + 100 - 6 },
		{ &dated, { .raw = true, .ts_offset = 1 }, 100, 100 },
		{ &tsc, { 0 }, 100, 155 },
		{ &tsc, { .raw = true }, 100, 100 },
		/* No 64-bit product: (2^63 * 3) >> 1 needs 65 bits on the way. */
		{ &tsc, { .ts_offset = -5 }, 1ULL << 62, (1ULL << 62) + (1ULL << 61) },
		/* A given frequency goes before TSC2NSEC. */
		{ &tsc, { .hz = 500000000 }, 100, 205 },
		{ &plain, { .hz = 1000000 }, 3, 3000 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct clock clock;

		clock_init(&clock, rows[i].meta, &rows[i].how);
		ck_assert_msg(clock_time(&clock, 0, rows[i].raw) == rows[i].want, "row %zu: %llu", i, (unsigned long long)clock_time(&clock, 0, rows[i].raw));
	}
}
END_TEST

/* Samples at 1000, 2000 and 4000 with offsets 100, 200 and -200; CPU 1 has one only. */
START_TEST(guests)
{
	static const struct {
		unsigned int cpu;
		uint32_t flags;
		uint64_t raw, want;
	} rows[] = {
		{ 0, 0, 999, 999 + 100 },
		{ 0, 0, 1000, 1100 },
		{ 0, 0, 1999, 2099 },
		{ 0, 0, 2000, 2200 },
		{ 0, 0, 3999, 4199 },
		{ 0, 0, 9000, 9200 }, /* beyond: the last pair's first */
		{ 0, 1, 1500, 1500 + 150 },
		/* (rise + span / 2) / span, cut towards zero: falling lines are one off, as in trace-cmd. */
		{ 0, 1, 2500, 2500 + 101 },
		{ 0, 1, 3000, 3000 + 1 },
		{ 0, 1, 500, 500 + 51 },
		{ 0, 1, 5000, 5000 - 399 },
		{ 1, 1, 500, 503 }, /* one sample: its offset alone */
		{ 2, 1, 500, 500 }, /* no such CPU */
	};
	struct time_sample cpu0[] = { { 1000, 100, 4, 2 }, { 2000, 200, 4, 2 }, { 4000, -200, 4, 2 } };
	struct time_sample cpu1[] = { { 1000, 3, 7, 0 } };
	struct metadata meta = { .time_shift.present = true };
	__typeof__(*meta.time_shift.cpus.at) cpus[] = {
		{ .samples = { .at = cpu0, .n = 3 } },
		{ .samples = { .at = cpu1, .n = 1 } },
	};

	meta.time_shift.cpus.at = cpus;
	meta.time_shift.cpus.n = 2;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct clock clock;

		meta.time_shift.flags = rows[i].flags;
		clock_init(&clock, &meta, &(struct clock_options){ 0 });
		ck_assert_msg(clock_time(&clock, rows[i].cpu, rows[i].raw) == rows[i].want, "row %zu: %llu", i,
			      (unsigned long long)clock_time(&clock, rows[i].cpu, rows[i].raw));
	}
}
END_TEST

Suite *clock_suite(void)
{
	Suite *suite = suite_create("clock");
	TCase *tc = tcase_create("clock");

	tcase_add_test(tc, offsets);
	tcase_add_test(tc, guests);
	suite_add_tcase(suite, tc);
	return suite;
}
