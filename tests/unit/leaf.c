/* SPDX-License-Identifier: GPL-2.0 */
/* lib/data/leaf: which neighbours of a CPU are the entry and the exit of one call, by the times that the exit holds. */
#include "lib/data/leaf.h"
#include "lib/data/bytes.h"
#include "tests/unit/unit.h"

enum { ENTRY = 11, EXIT = 10, PAYLOAD = 40 + LEAF_SLACK, AHEAD = 5000000 };

/* type at 0, pid at 4, func at 8, calltime at 24, rettime at 32 */
static const struct graph_ids ids = {
	.entry = { ENTRY, 8, 8 },
	.exit = { EXIT, 8, 8 },
	.type_offset = 0,
	.pid_offset = 4,
	.calltime_offset = 24,
	.rettime_offset = 32,
};

/* A call: when its entry was recorded, when the call and the return were by the kernel's own times, and when its exit was recorded. */
struct times {
	uint64_t entry, calltime, rettime, exit;
};

struct test {
	struct leaf_how how;
	struct graph_ids ids;
	recordvec_t records;
	VEC(char *) payloads;
};

static void add(struct test *t, uint16_t type, uint64_t ts, const struct times *call)
{
	char *data = calloc(1, PAYLOAD);

	ck_assert_ptr_nonnull(data);
	data[t->how.big_endian ? 1 : 0] = (char)type;
	put64(data + 8, 0xffffffff81000000ULL, t->how.big_endian);
	if (call) {
		put64(data + 24, call->calltime, t->how.big_endian);
		put64(data + 32, call->rettime, t->how.big_endian);
	}
	ck_assert_int_eq(vec_push(&t->payloads, data), 0);
	ck_assert_int_eq(vec_push(&t->records, (struct record){ .ts = ts, .data = data, .size = 40 }), 0);
}

static void begin(struct test *t, enum leaf_clock clock, int variant)
{
	*t = (struct test){ .ids = ids };
	t->how = (struct leaf_how){ .clock = clock, .big_endian = variant & 1 };
	/* Where addresses have 4 bytes, each pair is looked at by itself. */
	if (variant & 2)
		t->ids.entry.func_size = t->ids.exit.func_size = 4;
	t->how.ids = &t->ids;
}

static void end(struct test *t)
{
	vec_each (&t->payloads, at)
		free(*at);
	vec_fini(&t->payloads);
	vec_fini(&t->records);
}

static void call(struct test *t, struct times times)
{
	add(t, ENTRY, times.entry, NULL);
	add(t, EXIT, times.exit, &times);
}

/* Are the records at @i and behind it one call? */
static bool is_call(const struct test *t, size_t i)
{
	const struct record *entry = &t->records.at[i], *exit = entry + 1;
	const bool leaf = entry->flags & RECORD_LEAF;

	ck_assert_int_eq(leaf, !!(exit->flags & RECORD_FOLDED));
	ck_assert_int_eq(!!(entry->flags & RECORD_LONG), leaf && exit->ts - entry->ts >= LEAF_LONG);
	if (leaf) {
		ck_assert_ptr_eq(entry->exit, exit->data);
		ck_assert_uint_eq(entry->exit_size, exit->size);
	}
	return leaf;
}

/* The call of the exit began 12 us after the entry, or the task slept in it while nosleep-time was set. */
static const struct times later = { 1000, 13000, 20000, 20100 };
/* One call, whose exit was recorded late, as an interrupt came between. */
static const struct times late = { 30000, 29700, 36000, 90000 };
static const struct times usual = { 100000, 99800, 101000, 101100 };
static const struct times slow = { 200000, 199700, 900000, 900200 };

static struct times ahead(struct times times, uint64_t ns)
{
	return (struct times){ times.entry + ns, times.calltime, times.rettime, times.exit + ns };
}

START_TEST(by_local_clock)
{
	struct test t;

	begin(&t, LEAF_CLOCK_LOCAL, _i);
	call(&t, later);
	call(&t, late);
	call(&t, usual);
	call(&t, slow);
	leaf_mark(&t.how, &t.records, 0);
	ck_assert(!is_call(&t, 0));
	ck_assert(is_call(&t, 2));
	ck_assert(is_call(&t, 4));
	ck_assert(is_call(&t, 6));
	end(&t);
}
END_TEST

/* How much another clock is ahead, the exits near the call tell: those in front of it and those behind it, if it is one page in many. */
START_TEST(by_clock_with_another_beginning)
{
	struct test t;

	begin(&t, LEAF_CLOCK_NS, _i);
	call(&t, ahead(later, AHEAD));
	call(&t, ahead(late, AHEAD));
	call(&t, ahead(usual, AHEAD));
	leaf_mark(&t.how, &t.records, 0);
	call(&t, ahead(slow, AHEAD));
	call(&t, ahead((struct times){ 1000000, 999800, 1050000, 1090000 }, AHEAD));
	call(&t, ahead((struct times){ 2000000, 2012000, 2050000, 2050100 }, AHEAD));
	leaf_mark(&t.how, &t.records, 6);
	ck_assert(!is_call(&t, 0));
	ck_assert(is_call(&t, 2));
	ck_assert(is_call(&t, 4));
	ck_assert(is_call(&t, 6));
	ck_assert(is_call(&t, 8));
	ck_assert(!is_call(&t, 10));
	end(&t);
}
END_TEST

/* Only other exits of the same sub-buffer count. */
START_TEST(by_few_exits)
{
	struct test t;

	begin(&t, LEAF_CLOCK_NS, _i);
	call(&t, ahead(late, AHEAD));
	leaf_mark(&t.how, &t.records, 0);
	ck_assert(is_call(&t, 0));
	end(&t);

	begin(&t, LEAF_CLOCK_NS, _i);
	call(&t, ahead(usual, AHEAD));
	call(&t, ahead((struct times){ 200000, 212000, 220000, 220100 }, AHEAD));
	call(&t, ahead(slow, AHEAD));
	t.records.at[2].flags = t.records.at[4].flags = RECORD_PAGE;
	leaf_mark(&t.how, &t.records, 0);
	ck_assert(is_call(&t, 0));
	ck_assert(is_call(&t, 2));
	end(&t);
}
END_TEST

/* Are a lone entry and the exit of a later call taken for one call? @size is that of the exit. */
static bool takes_later(struct test *t, uint32_t size)
{
	bool taken;

	call(t, later);
	t->records.at[1].size = size;
	leaf_mark(&t->how, &t->records, 0);
	taken = is_call(t, 0);
	end(t);
	return taken;
}

START_TEST(by_other_clock)
{
	struct test t;

	begin(&t, LEAF_CLOCK_LOCAL, _i);
	ck_assert(!takes_later(&t, 40));
	begin(&t, LEAF_CLOCK_OTHER, _i);
	ck_assert(takes_later(&t, 40));

	/* Nor can the local clock tell if the exit does not say when its call was. */
	begin(&t, LEAF_CLOCK_LOCAL, _i);
	t.ids.calltime_offset = t.ids.rettime_offset = 0;
	ck_assert(takes_later(&t, 40));

	/* An exit that is cut off before these times */
	begin(&t, LEAF_CLOCK_LOCAL, _i);
	ck_assert(takes_later(&t, 36));
}
END_TEST

/* Entry and exit that are the end of a chunk and the beginning of the next one. */
START_TEST(of_two_chunks)
{
	for (int i = 0; i < 3; i++) {
		const struct times *times = (const struct times *const[]){ &later, &late, &slow }[i];
		enum leaf_clock clocks[] = { LEAF_CLOCK_LOCAL, LEAF_CLOCK_NS };

		for (size_t c = 0; c < ARRAY_LEN(clocks); c++) {
			const uint64_t by = clocks[c] == LEAF_CLOCK_NS ? AHEAD : 0;
			recordvec_t first, second;
			struct test t;

			begin(&t, clocks[c], _i);
			call(&t, ahead((struct times){ 300, 200, 400, 450 }, by));
			call(&t, ahead(*times, by));
			first = (recordvec_t){ .at = t.records.at, .n = 3 };
			second = (recordvec_t){ .at = t.records.at + 3, .n = 1 };
			leaf_pair(&t.how, &first, &second);
			ck_assert_int_eq(is_call(&t, 2), times != &later);
			end(&t);
		}
	}
}
END_TEST

START_TEST(clocks)
{
	static const struct {
		const char *top, *buffer;
		enum leaf_clock clock;
	} rows[] = {
		{ "[local] global\n", NULL, LEAF_CLOCK_LOCAL },
		{ "", NULL, LEAF_CLOCK_LOCAL },
		{ "local [global]\n", NULL, LEAF_CLOCK_NS },
		{ "mono", NULL, LEAF_CLOCK_NS },
		{ "[boot]", NULL, LEAF_CLOCK_NS },
		{ "[x86-tsc]", NULL, LEAF_CLOCK_OTHER },
		{ "[counter]", NULL, LEAF_CLOCK_OTHER },
		{ "[uptime]", NULL, LEAF_CLOCK_OTHER },
		{ "[local]", "mono", LEAF_CLOCK_NS },
		{ "[counter]", "local", LEAF_CLOCK_LOCAL },
		{ "[local]", "counter", LEAF_CLOCK_OTHER },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct datfile file = { .meta = { .trace_clock = { (char *)rows[i].top, strlen(rows[i].top) } } };
		struct datbuf buffer = { .clock = (char *)rows[i].buffer };

		ck_assert_msg(leaf_clock_of(&file, &buffer) == rows[i].clock, "row %zu", i);
		file.meta.tsc2nsec.present = true;
		ck_assert_msg(leaf_clock_of(&file, &buffer) == LEAF_CLOCK_OTHER, "row %zu", i);
	}
}
END_TEST

Suite *leaf_suite(void)
{
	Suite *suite = suite_create("leaf");
	TCase *tc = tcase_create("leaf");

	tcase_add_loop_test(tc, by_local_clock, 0, 4);
	tcase_add_loop_test(tc, by_clock_with_another_beginning, 0, 4);
	tcase_add_loop_test(tc, by_few_exits, 0, 4);
	tcase_add_loop_test(tc, by_other_clock, 0, 4);
	tcase_add_loop_test(tc, of_two_chunks, 0, 4);
	tcase_add_test(tc, clocks);
	suite_add_tcase(suite, tc);
	return suite;
}
