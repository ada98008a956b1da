/* SPDX-License-Identifier: GPL-2.0 */
/* lib/net/frame and lib/net/clocks: frames against what was put into them, clocks against those that were planned. */
#include "lib/net/clocks.h"
#include "lib/net/frame.h"
#include "tests/unit/unit.h"

static uint64_t draw(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15ULL);

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

START_TEST(frames_come_back)
{
	char bytes[FRAME_MOST];
	static const uint64_t numbers[] = { 3, UINT64_MAX };
	size_t n = frame_begin(bytes, FRAME_DATA, numbers, 5);
	const char *wrong;
	struct frame frame;

	memcpy(bytes + n, "pages", 5);
	for (size_t i = 0; i < n + 5; i++)
		ck_assert_int_eq(frame_take(bytes, i, &frame, &wrong), 0);
	ck_assert_int_eq(frame_take(bytes, n + 5, &frame, &wrong), (ssize_t)n + 5);
	ck_assert_uint_eq(frame.kind, FRAME_DATA);
	ck_assert_uint_eq(frame.numbers[0], 3);
	ck_assert_uint_eq(frame.numbers[1], UINT64_MAX);
	ck_assert_uint_eq(frame.n, 5);
	ck_assert_mem_eq(frame.rest, "pages", 5);
}
END_TEST

/* A kind that there is not, too many bytes, too few for its numbers, and bytes where there are none. */
START_TEST(frames_are_refused)
{
	static const struct {
		char bytes[FRAME_HEAD];
	} rows[] = {
		{ { 0, 0, 0, 0, 0, 0, 0, 0 } },
		{ { 0, 0, 0, 99, 0, 0, 0, 0 } },
		{ { 1, 0, 0, 7, 0, 0, 0, 16 } },
		{ { 0, 0, 0, FRAME_DATA, 0, 1, 0, 17 } },
		{ { 0, 0, 0, FRAME_DATA, 0, 0, 0, 15 } },
		{ { 0, 0, 0, FRAME_GO, 0, 0, 0, 1 } },
		{ { 0, 0, 0, FRAME_META, (char)0xff, (char)0xff, (char)0xff, (char)0xff } },
	};
	struct frame frame;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *wrong = NULL;

		ck_assert_int_eq(frame_take(rows[i].bytes, FRAME_HEAD, &frame, &wrong), -EPROTO);
		ck_assert_ptr_nonnull(wrong);
	}
}
END_TEST

/* Whatever comes, what is taken lies in it. */
START_TEST(frames_of_noise)
{
	uint64_t state = 13;

	for (unsigned int round = 0; round < 20000; round++) {
		char bytes[64];
		const char *wrong;
		struct frame frame;
		ssize_t n;

		for (size_t i = 0; i < sizeof(bytes); i++)
			bytes[i] = (char)(i < 3 || (i > 3 && i < 7) ? 0 : draw(&state) % (i == 3 ? 16 : i == 7 ? 64 : 256));
		n = frame_take(bytes, sizeof(bytes), &frame, &wrong);
		ck_assert_int_le(n, (ssize_t)sizeof(bytes));
		if (n > 0)
			ck_assert(frame.rest >= bytes + FRAME_HEAD && frame.rest + frame.n == bytes + n);
	}
}
END_TEST

/* A clock there that reads START + (1 + RATE) * (the time here): what it reads at @here. */
struct planned {
	int64_t start;
	double rate; /* gains, in millionths */
	double bend; /* and how much more of them each second */
};

static int64_t reads(const struct planned *p, int64_t here)
{
	double s = (double)here / 1e9;

	return here + p->start + (int64_t)((p->rate * s + p->bend * s * s / 2) * 1e3);
}

/* Asks @n times, each @every ns: the ways there and back take from @least on, each as it likes. */
static void ask(struct clocks *c, const struct planned *p, size_t n, int64_t every, int64_t least, uint64_t *state)
{
	for (size_t i = 0; i < n; i++) {
		int64_t first = (int64_t)i * every, there = first + least + (int64_t)(draw(state) % (uint64_t)(least * 9));
		int64_t last = there + least + (int64_t)(draw(state) % (uint64_t)(least * 30));

		clocks_add(c, reads(p, there), first, last, (uint64_t)(last - first));
	}
}

/* At all times from the first question to the last answer the line is no more than its error away from the truth. */
static void compare_with(const struct clocks_line *line, const struct planned *p, int64_t until)
{
	for (int64_t here = 0; here <= until; here += MAX(until / 1000, 1)) {
		int64_t off = clocks_here(line, reads(p, here)) - here;

		ck_assert_msg(off >= -line->error - 2 && off <= line->error + 2, "at %lld: %lld, error %lld", (long long)here, (long long)off,
			      (long long)line->error);
	}
}

START_TEST(clocks_keep_their_error)
{
	static const struct planned plans[] = {
		{ 0, 0, 0 }, { 5000000000000, 40, 0 }, { -3000000000, -80, 0 }, { 1700000000000000000, 12.5, 0 }, { 77, 499, 0 },
	};
	static const size_t counts[] = { 2, 3, 12, 64, 65, 1000, 5000 };
	uint64_t state = 13;

	for (size_t i = 0; i < ARRAY_LEN(plans); i++)
		for (size_t k = 0; k < ARRAY_LEN(counts); k++) {
			struct clocks c = { 0 };
			struct clocks_line line;
			int64_t every = 100000000;

			ask(&c, &plans[i], counts[k], every, 20000, &state);
			ck_assert_uint_le(c.n, CLOCKS_KEPT);
			clocks_fit(&c, INT64_MIN, &line);
			ck_assert_uint_gt(line.n, 0);
			ck_assert(line.straight);
			compare_with(&line, &plans[i], (int64_t)(counts[k] - 1) * every);
			if (line.has_drift)
				ck_assert_double_le(line.drift_ppm > plans[i].rate ? line.drift_ppm - plans[i].rate : plans[i].rate - line.drift_ppm,
						    line.drift_error_ppm + 0.01);
			/* Half the way there and back at best, and no more than the worst that was kept. */
			ck_assert_int_le(line.error, 20000 * 40 / 2 + 10);
		}
}
END_TEST

/* After many hours the samples still come from all of that time: none is much farther from its neighbour than another. */
START_TEST(clocks_keep_of_all_times)
{
	static const struct planned plan = { 99, 20, 0 };
	const size_t n = 10 * 3600 * 10;
	struct clocks c = { 0 };
	uint64_t state = 5;

	ask(&c, &plan, n, 100000000, 20000, &state);
	ck_assert_uint_ge(c.n, CLOCKS_KEPT / 2);
	ck_assert_int_le(c.at[0].time, (int64_t)n * 100000000 / (int64_t)c.n * 2);
	for (size_t i = 1; i < c.n; i++)
		ck_assert_int_le(c.at[i].time - c.at[i - 1].time, (int64_t)n * 100000000 / (int64_t)c.n * 2 + NSEC_PER_SEC);
}
END_TEST

/* With many answers all bounds together are much narrower than one. */
START_TEST(clocks_narrow_their_error)
{
	static const struct planned plan = { 123456789, 33, 0 };
	struct clocks few = { 0 }, many = { 0 };
	struct clocks_line line;
	uint64_t state = 13;
	int64_t error;

	ask(&few, &plan, 2, 100000000, 20000, &state);
	clocks_fit(&few, INT64_MIN, &line);
	error = line.error;
	ask(&many, &plan, 2000, 100000000, 20000, &state);
	clocks_fit(&many, INT64_MIN, &line);
	ck_assert_int_lt(line.error, error / 3);
	ck_assert_uint_lt(many.round_ns, 2 * 40000);
	compare_with(&line, &plan, 1999 * 100000000LL);
}
END_TEST

/* No line goes through a clock whose rate changes: then it goes from answer to answer, and the error is that of an answer. */
START_TEST(clocks_bend)
{
	static const struct planned plan = { 42, 10, 5 };
	struct clocks c = { 0 };
	struct clocks_line line;
	uint64_t state = 13;

	ask(&c, &plan, 64, 1000000000, 1000, &state);
	clocks_fit(&c, INT64_MIN, &line);
	ck_assert(!line.straight);
	ck_assert_uint_gt(line.n, 60);
	/* Between two answers a second apart the bend is worth 0.625 us. */
	line.error += 700;
	compare_with(&line, &plan, 63 * 1000000000LL);
}
END_TEST

/* The error covers what comes behind the last answer as well. */
START_TEST(clocks_go_on)
{
	static const struct planned plan = { 5, -90, 0 };
	uint64_t state = 21;

	for (size_t n = 1; n < 20; n++) {
		struct clocks c = { 0 };
		struct clocks_line line;

		ask(&c, &plan, n, 10000000, 20000, &state);
		clocks_fit(&c, reads(&plan, 1000000000), &line);
		ck_assert(line.straight);
		compare_with(&line, &plan, 1000000000);
	}
}
END_TEST

START_TEST(clocks_of_little)
{
	struct clocks c = { 0 };
	struct clocks_line line;

	clocks_fit(&c, INT64_MIN, &line);
	ck_assert_uint_eq(line.n, 0);
	ck_assert_int_eq(clocks_here(&line, 7), 7);
	clocks_add(&c, 1000, 5000, 5100, 100);
	/* Not later, and bounds the wrong way round. */
	clocks_add(&c, 1000, 9000, 9100, 50);
	clocks_add(&c, 2000, 9000, 8000, 50);
	clocks_fit(&c, INT64_MIN, &line);
	ck_assert_uint_eq(c.n, 1);
	ck_assert_uint_eq(c.round_ns, 100);
	ck_assert_int_eq(clocks_here(&line, 1000), 5050);
	ck_assert_int_ge(line.error, 50);
	ck_assert_int_le(line.error, 53);
	ck_assert(!line.has_drift);
}
END_TEST

/* A clock that says anything: what is made of it are numbers, and its points ascend. */
START_TEST(clocks_that_lie)
{
	static const int64_t odd[] = { 0, 1, -1, INT64_MAX, INT64_MIN, CLOCKS_FAR, CLOCKS_FAR - 1, 1000000000, INT64_C(1) << 60, -CLOCKS_FAR };
	uint64_t state = 77;

	for (int round = 0; round < 2000; round++) {
		struct clocks c = { 0 };
		struct clocks_line line;

		for (int i = 0; i < 6; i++) {
			int64_t n[3];

			for (int k = 0; k < 3; k++)
				n[k] = odd[draw(&state) % ARRAY_LEN(odd)] / (int64_t)(1 + draw(&state) % 3);
			clocks_add(&c, n[0], n[1], n[2], draw(&state));
		}
		clocks_fit(&c, c.n ? c.at[c.n - 1].time : 0, &line);
		ck_assert_int_eq(line.n != 0, c.n != 0);
		if (line.n)
			for (size_t i = 0; i < ARRAY_LEN(odd); i++)
				clocks_here(&line, odd[i]);
		for (size_t i = 1; i < line.n; i++)
			ck_assert_int_lt(line.points[i - 1].time, line.points[i].time);
		ck_assert_int_ge(line.error, 0);
	}
}
END_TEST

Suite *hosts_suite(void)
{
	Suite *suite = suite_create("hosts");
	TCase *c = tcase_create("hosts");

	tcase_add_test(c, frames_come_back);
	tcase_add_test(c, frames_are_refused);
	tcase_add_test(c, frames_of_noise);
	tcase_add_test(c, clocks_keep_their_error);
	tcase_add_test(c, clocks_keep_of_all_times);
	tcase_add_test(c, clocks_narrow_their_error);
	tcase_add_test(c, clocks_bend);
	tcase_add_test(c, clocks_go_on);
	tcase_add_test(c, clocks_of_little);
	tcase_add_test(c, clocks_that_lie);
	tcase_set_timeout(c, 60);
	suite_add_tcase(suite, c);
	return suite;
}
