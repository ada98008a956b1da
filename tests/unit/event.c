/* SPDX-License-Identifier: GPL-2.0 */
/* lib/event: fields, task names, texts of the built-in printers; numbers as text. */
#include "lib/base/digits.h"
#include "lib/event/graph.h"
#include "lib/event/text.h"
#include "tests/unit/graph.h"
#include "tests/unit/unit.h"

#include <stdio.h>

/* Around each power of ten, where a digit more is written. */
START_TEST(numbers_in_threes)
{
	char got[32], want[32];

	for (size_t i = 0; i < ARRAY_LEN(powers_of_10); i++) {
		for (uint64_t v = powers_of_10[i] - 2; v != powers_of_10[i] + 3; v++) {
			memset(got, 'x', sizeof(got));
			*put_loose(got, v) = '\0';
			snprintf(want, sizeof(want), "%llu", (unsigned long long)v);
			ck_assert_str_eq(got, want);
			/* It writes no further than it says. */
			ck_assert_int_eq(got[24], 'x');
		}
	}
}
END_TEST

START_TEST(numbers)
{
	static const uint64_t values[] = { 0, 9, 10, 99, 100, 12345, 999999, 4294967295ULL, UINT64_MAX };
	char got[32], want[32];

	for (size_t i = 0; i < ARRAY_LEN(values); i++) {
		*put_u64(got, values[i]) = '\0';
		snprintf(want, sizeof(want), "%llu", (unsigned long long)values[i]);
		ck_assert_str_eq(got, want);
		*put_u64_wide(got, values[i], 7, ' ') = '\0';
		snprintf(want, sizeof(want), "%7llu", (unsigned long long)values[i]);
		ck_assert_str_eq(got, want);
		*put_hex(got, values[i]) = '\0';
		snprintf(want, sizeof(want), "%llx", (unsigned long long)values[i]);
		ck_assert_str_eq(got, want);
		*put_s64(got, -(int64_t)(values[i] >> 1)) = '\0';
		snprintf(want, sizeof(want), "%lld", -(long long)(values[i] >> 1));
		ck_assert_str_eq(got, want);
	}
	*put_s64(got, INT64_MIN) = '\0';
	ck_assert_str_eq(got, "-9223372036854775808");
	*put_9(got, 7000123) = '\0';
	ck_assert_str_eq(got, "007000123");
	*put_6(got, 40) = '\0';
	ck_assert_str_eq(got, "000040");
	*put_3(got, 5) = '\0';
	ck_assert_str_eq(got, "005");
}
END_TEST

START_TEST(fields)
{
	static const char text[] = "name: odd\nID: 77\nformat:\n"
				   "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
				   "\tfield:__data_loc char[] name;\toffset:8;\tsize:4;\tsigned:0;\n"
				   "\tfield:char comm[16];\toffset:12;\tsize:16;\tsigned:1;\n"
				   "\tfield:const char * ptr;\toffset:28;\tsize:8;\tsigned:0;\n"
				   "\tfield:s32 value;\toffset:36;\tsize:4;\tsigned:1;\n"
				   "\nprint fmt: \"field:int late;\toffset:1;\tsize:1;\tsigned:0;\"\n";
	struct text format = { (char *)text, sizeof(text) - 1 };
	struct field f;
	char *name, data[40] = { 0 };
	uint16_t id;
	uint64_t v;

	ck_assert_int_eq(format_head(&format, &name, &id), 0);
	ck_assert_str_eq(name, "odd");
	ck_assert_uint_eq(id, 77);
	free(name);
	ck_assert(format_field(&format, "name", &f) && f.offset == 8 && f.dynamic);
	ck_assert(format_field(&format, "comm", &f) && f.offset == 12 && f.size == 16 && !f.dynamic);
	ck_assert(format_field(&format, "ptr", &f) && f.offset == 28);
	ck_assert(!format_field(&format, "late", &f));
	ck_assert(!format_field(&format, "om", &f));
	ck_assert(format_field(&format, "value", &f) && f.is_signed);
	memset(data + 36, 0xff, 3);
	data[39] = (char)0xff;
	ck_assert(field_get(&f, data, 40, false, &v));
	ck_assert_int_eq((int64_t)v, -1);
	data[36] = 0x12;
	ck_assert(field_get(&f, data, 40, true, &v));
	ck_assert_int_eq((int64_t)v, 0x12ffffff);
	ck_assert(!field_get(&f, data, 39, false, &v));
	format.size = 10;
	ck_assert_int_eq(format_head(&format, &name, &id), -EINVAL);
}
END_TEST

START_TEST(comms_on_top)
{
	struct text lines = { (char *)"12 bash", 7 };
	struct comms *below, *c;

	ck_assert_int_eq(comms_new(&below, &lines, false), 0);
	ck_assert_int_eq(comms_over(&c, below), 0);
	comms_learn(c, 12, "other", 5);
	ck_assert_str_eq(comms_find(c, 12), "bash");
	ck_assert_ptr_null(comms_known(c, 13));
	comms_learn(c, 13, "first", 5);
	comms_learn(below, 13, "second", 6);
	comms_learn(below, 14, "third", 5);
	ck_assert_str_eq(comms_find(c, 13), "first");
	ck_assert_str_eq(comms_find(below, 13), "second");
	ck_assert(comms_has(c, 14));
	comms_rename(c, 12, "vi", 2);
	ck_assert_str_eq(comms_find(c, 12), "vi");
	ck_assert_str_eq(comms_find(below, 12), "bash");
	comms_free(c);
	comms_free(below);
}
END_TEST

START_TEST(comms)
{
	struct text lines = { (char *)"0 swapper\n12 bash\n12 late\nnone\n 5 x y \n70000 big", 49 };
	struct text newer = { (char *)"12 vi\n3000 worker\n0 swapper\n", 28 };
	const char *before;
	struct comms *c;

	ck_assert_int_eq(comms_new(&c, &lines, false), 0);
	ck_assert_str_eq(comms_find(c, 0), "<idle>");
	ck_assert_str_eq(comms_find(c, 12), "bash");
	ck_assert_str_eq(comms_find(c, 5), "x y ");
	ck_assert_str_eq(comms_find(c, 70000), "big");
	ck_assert_str_eq(comms_find(c, -3), "<...>");
	for (int pid = 1000; pid < 3000; pid++)
		comms_learn(c, pid, "worker\0rest", 11);
	comms_learn(c, 12, "other", 5);
	ck_assert_str_eq(comms_find(c, 12), "bash");
	ck_assert_str_eq(comms_find(c, 2999), "worker");
	ck_assert_str_eq(comms_find(c, 3000), "<...>");
	ck_assert_ptr_null(comms_known(c, 3000));
	comms_learn(c, 3001, "<script>", 8);
	ck_assert_str_eq(comms_known(c, 3001), "<script>");
	before = comms_find(c, 12);
	ck_assert_int_eq(comms_update(c, &newer), 0);
	ck_assert_str_eq(comms_find(c, 12), "vi");
	ck_assert_str_eq(comms_find(c, 3000), "worker");
	ck_assert_ptr_eq(comms_find(c, 3000), comms_find(c, 2999));
	ck_assert_str_eq(comms_find(c, 0), "<idle>");
	/* A name that was handed out holds. */
	ck_assert_str_eq(before, "bash");
	comms_free(c);
}
END_TEST

START_TEST(durations)
{
	static const struct {
		uint64_t ns;
		const char *seven, *eight;
	} rows[] = {
		{ 0, "  0.000 us  ", "  0.000 us    " },	   { 999, "  0.999 us  ", "  0.999 us    " },
		{ 1000, "  1.000 us  ", "  1.000 us    " },	   { 9999, "  9.999 us  ", "  9.999 us    " },
		{ 10000, "  10.000 us ", "  10.000 us   " },	   { 10001, "+ 10.001 us ", "+ 10.001 us   " },
		{ 99999, "+ 99.999 us ", "+ 99.999 us   " },	   { 100000, "+ 100.000 us ", "+ 100.000 us  " },
		{ 100001, "! 100.001 us ", "! 100.001 us  " },	   { 350433, "! 350.433 us ", "! 350.433 us  " },
		{ 999999, "! 999.999 us ", "! 999.999 us  " },	   { 1000000, "! 1000.000 us ", "! 1000.000 us " },
		{ 1000001, "# 1000.001 us ", "# 1000.001 us " },   { 1110478, "# 1110.478 us ", "# 1110.478 us " },
		{ 12345678, "* 12345.67 us ", "* 12345.67 us " },  { 123456789, "@ 123456.7 us ", "@ 123456.7 us " },
		{ 1234567890, "$ 1234567 us ", "$ 1234567 us  " }, { 12345678901234, "$ 12345678901 us ", "$ 12345678901 us " },
	};
	char got[64];

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		*graph_duration(got, rows[i].ns, GRAPH_REPORT_WIDTH) = '\0';
		ck_assert_int_eq(strncmp(got, rows[i].seven, strlen(rows[i].seven)), 0);
		ck_assert_uint_ge(strlen(got), 13);
		*graph_duration(got, rows[i].ns, GRAPH_KERNEL_WIDTH) = '\0';
		ck_assert_int_eq(strncmp(got, rows[i].eight, strlen(rows[i].eight)), 0);
		ck_assert_uint_ge(strlen(got), 14);
	}
	*graph_duration(got, GRAPH_NO_DURATION, GRAPH_KERNEL_WIDTH) = '\0';
	ck_assert_str_eq(got, "              ");
}
END_TEST

static const char *text_of(struct hand_trace *hand, const struct record *rec, unsigned int depth, struct str *out)
{
	struct event *event = trace_event(hand->trace, record_id(hand->trace, rec));
	struct text_call call = { .event = event, .rec = rec, .depth = depth, .ns = true };

	ck_assert_ptr_nonnull(event);
	event_prepare(event);
	str_clear(out);
	event_text(&call, out);
	return str_text(out);
}

START_TEST(texts)
{
	struct hand_trace hand;
	struct str out = { 0 };
	struct record rec, leaf;

	hand_trace_open(&hand);
	rec = hand_function(0, 1, 0, 7, 0xffff000000002010, 0xffff000000001000);
	ck_assert_str_eq(text_of(&hand, &rec, 0, &out), "beta");
	ck_assert_str_eq(text_of(&hand, &rec, 2, &out), "      beta");
	hand.opt.func_parent = hand.opt.func_offset = true;
	ck_assert_str_eq(text_of(&hand, &rec, 0, &out), "beta+0x10  <-- alpha+0x0 ");
	rec = hand_function(0, 1, 0, 7, 0x77, 0xffff000000001000);
	ck_assert_str_eq(text_of(&hand, &rec, 1, &out), "   0x77 <-- alpha+0x0 ");
	rec = hand_entry(0, 1, 0, 7, 0xffff000000003000, 2);
	ck_assert_str_eq(text_of(&hand, &rec, 0, &out), "             |      gamma() {");
	leaf = hand_exit(1, 12345, 0, 7, 0xffff000000003000, 2, 1500);
	rec.exit = leaf.data;
	rec.exit_size = (uint16_t)leaf.size;
	rec.flags = RECORD_LEAF;
	ck_assert_str_eq(text_of(&hand, &rec, 0, &out), "  1.500 us   |      gamma();");
	ck_assert_str_eq(text_of(&hand, &leaf, 0, &out), "  1.500 us   |      }");
	hand.opt.graph_tail = hand.opt.graph_depth = true;
	ck_assert_str_eq(text_of(&hand, &leaf, 0, &out), "  1.500 us   |      } /* gamma */ (2)");
	rec = hand_entry(0, 1, 0, 7, 0x10, 0);
	ck_assert_str_eq(text_of(&hand, &rec, 0, &out), "             |  10() { (0)");
	rec.size = 12;
	ck_assert_str_eq(text_of(&hand, &rec, 0, &out), "!");
	rec = hand_switch(0, 1, 0, 7, "seven", 9, "nine");
	hand.opt.no_plugins = true;
	ck_assert_str_eq(text_of(&hand, &rec, 0, &out), "7 ==> 9");
	str_fini(&out);
	hand_trace_close(&hand);
}
END_TEST

START_TEST(learned)
{
	struct hand_trace hand;
	struct record rec;

	hand_trace_open(&hand);
	ck_assert_str_eq(comms_find(hand.trace->comms, 9), "<...>");
	rec = hand_switch(0, 1, 0, 7, "other", 9, "sixteen letters!");
	trace_learn(hand.trace, trace_event(hand.trace, ID_SWITCH), &rec);
	ck_assert_str_eq(comms_find(hand.trace->comms, 9), "sixteen letters!");
	ck_assert_str_eq(comms_find(hand.trace->comms, 7), "seven");
	rec.size = 30;
	trace_learn(hand.trace, trace_event(hand.trace, ID_SWITCH), &rec);
	ck_assert_ptr_null(trace_event(hand.trace, 299));
	ck_assert_ptr_null(trace_event(hand.trace, 65535));
	hand_trace_close(&hand);
}
END_TEST

Suite *event_suite(void)
{
	Suite *suite = suite_create("event");
	TCase *tc = tcase_create("event");

	tcase_add_test(tc, numbers);
	tcase_add_test(tc, numbers_in_threes);
	tcase_add_test(tc, fields);
	tcase_add_test(tc, comms);
	tcase_add_test(tc, comms_on_top);
	tcase_add_test(tc, durations);
	tcase_add_test(tc, texts);
	tcase_add_test(tc, learned);
	suite_add_tcase(suite, tc);
	return suite;
}
