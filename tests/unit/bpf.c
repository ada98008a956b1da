/* SPDX-License-Identifier: GPL-2.0 */
/* BPF programs as they are put together, and where they can be; what they count and measure is tested in tests/live and tests/vm. */
#include "lib/bpf/condition.h"
#include "lib/bpf/program.h"
#include "lib/base/str.h"
#include "tests/unit/unit.h"

static const char event[] = "raw_syscalls:sys_enter";

/* A jump skips the instructions between it and its label: forwards, backwards, and over one that takes the room of two. */
START_TEST(jumps)
{
	struct bpf_code c = { 0 };

	code_label(&c, 1);
	code_jump_imm(&c, BPF_JEQ, BPF_REG_1, 7, 0);
	code_set64(&c, BPF_REG_2, 0x123456789abcdef0ULL);
	code_go(&c, 1);
	code_end(&c, 0);
	ck_assert_int_eq(code_settle(&c), 0);
	ck_assert_uint_eq(c.insns.n, 6);
	ck_assert_int_eq(c.insns.at[0].off, 3);
	ck_assert_int_eq(c.insns.at[0].imm, 7);
	ck_assert_uint_eq((uint32_t)c.insns.at[1].imm, 0x9abcdef0);
	ck_assert_uint_eq((uint32_t)c.insns.at[2].imm, 0x12345678);
	ck_assert_int_eq(c.insns.at[3].off, -4);
	ck_assert_uint_eq(c.insns.at[5].code, BPF_JMP | BPF_EXIT);
	code_fini(&c);
}
END_TEST

/* Events of probes have names that a tracepoint can have, too. */
START_TEST(knows_tracepoints)
{
	static const char dynamic[] = "p:probes/sched_switch do_sys_open\nr8:mine/done do_exit\ns:synthetic/lat\tu64 lat\ne:eprobes/e a.b\n";

	ck_assert_str_eq(bpf_tracepoint(dynamic, "sched:sched_switch"), "sched_switch");
	ck_assert_str_eq(bpf_tracepoint(NULL, "mine:done"), "done");
	ck_assert_str_eq(bpf_tracepoint(dynamic, "mine:do"), "do");
	ck_assert_ptr_null(bpf_tracepoint(dynamic, "mine:done"));
	ck_assert_ptr_null(bpf_tracepoint(dynamic, "probes:sched_switch"));
	ck_assert_ptr_null(bpf_tracepoint(NULL, "syscalls:sys_enter_open"));
	ck_assert_ptr_null(bpf_tracepoint(NULL, "ftrace:function"));
	ck_assert_ptr_null(bpf_tracepoint(NULL, "synthetic:lat"));
	ck_assert_ptr_null(bpf_tracepoint(NULL, "nothing"));
}
END_TEST

static const struct {
	const char *text;
	size_t parts, numbers; /* how many numbers the last part has; no parts: it is not a condition for programs */
} conditions[] = {
	{ "id == 5", 1, 1 },
	{ " id==0 ", 1, 1 },
	{ "id == 1 || id == 2 || id == 18446744073709551615", 1, 3 },
	{ "(id == 1)", 1, 1 },
	{ "(id == 7 || id == 8) && (common_pid == 3)", 2, 1 },
	{ "(common_cpu == 7) && (common_pid == 3 || common_pid == 4)", 2, 2 },
	{ "", 0, 0 },
	{ "id", 0, 0 },
	{ "id ==", 0, 0 },
	{ "id > 1", 0, 0 },
	{ "id != 1", 0, 0 },
	{ "id == -1", 0, 0 },
	{ "id == x", 0, 0 },
	{ "id == 1 &&", 0, 0 },
	{ "id == 1 && id == 2", 0, 0 },
	{ "id == 1 || common_pid == 2", 0, 0 },
	{ "id == 1 ||", 0, 0 },
	{ "(id == 1", 0, 0 },
	{ "(id == 1) || (id == 2)", 0, 0 },
	{ "(id == 1) && id == 2", 0, 0 },
	{ "(id == 1) && (id == 2) && (id == 3)", 0, 0 },
	{ "nothing == 1", 0, 0 },
	{ "cpu == 1", 0, 0 }, /* some events have a field of this name, which is another CPU */
	{ "5 == 5", 0, 0 },
	{ "id == 18446744073709551616", 0, 0 },
	{ "id == 99999999999999999999999999999", 0, 0 },
};

START_TEST(parses_conditions)
{
	struct bpf_types types = { 0 };
	struct bpf_condition condition;

	ck_assert_int_eq(bpf_condition_parse(&condition, &types, event, conditions[_i].text), conditions[_i].parts != 0);
	if (!conditions[_i].parts)
		return;
	ck_assert_uint_eq(condition.n, conditions[_i].parts);
	ck_assert_uint_eq(condition.parts[condition.n - 1].n, conditions[_i].numbers);
	/* None of these fields needs the kernel's types, which need not be there. */
	ck_assert(!types.tried && !bpf_condition_typed(&condition));
}
END_TEST

/* There is room for so many numbers, and not for one more. */
START_TEST(parses_many_numbers)
{
	struct bpf_types types = { 0 };
	struct bpf_condition condition;
	struct str text = { 0 };

	for (int i = 0; i < CONDITION_NUMBERS; i++)
		str_addf(&text, "%sid == %d", i ? " || " : "", i * 3);
	ck_assert(bpf_condition_parse(&condition, &types, event, str_text(&text)));
	ck_assert_uint_eq(condition.parts[0].n, CONDITION_NUMBERS);
	ck_assert_uint_eq(condition.parts[0].numbers[CONDITION_NUMBERS - 1], 3 * (CONDITION_NUMBERS - 1));
	str_add(&text, " || id == 1000");
	ck_assert(!bpf_condition_parse(&condition, &types, event, str_text(&text)));
	str_fini(&text);
}
END_TEST

Suite *bpf_suite(void)
{
	TCase *t = tcase_create("bpf");
	Suite *s = suite_create("bpf");

	tcase_add_test(t, jumps);
	tcase_add_test(t, knows_tracepoints);
	tcase_add_loop_test(t, parses_conditions, 0, ARRAY_LEN(conditions));
	tcase_add_test(t, parses_many_numbers);
	suite_add_tcase(s, t);
	return s;
}
