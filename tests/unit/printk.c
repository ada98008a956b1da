/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lib/event/print-binary: what trace_printk() was given comes out as C's printf prints it. The values are packed here as the kernel's
 * vbin_printf() does it, written down a second time: from the arguments, not from what is read.
 */
#include "lib/event/print.h"
#include "tests/unit/unit.h"
#include <stdio.h>
#include <traceevent/event-parse.h>

static const char bprint[] = "name: bprint\nID: 6\nformat:\n"
			     "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			     "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
			     "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
			     "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
			     "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
			     "\tfield:const char * fmt;\toffset:16;\tsize:8;\tsigned:0;\n"
			     "\tfield:u32 buf[];\toffset:24;\tsize:0;\tsigned:0;\n\n"
			     "print fmt: \"%ps: %s\", (void *)REC->ip, REC->fmt\n";

static struct text kallsyms = { (char *)"ffffffff81000100 T start_here\nffffffff81000200 T _end\n", 54 };

#define FORMAT 0xffffffff82000010

/* A record with ip and fmt, and what has been packed behind them. */
struct packed {
	uint8_t data[256];
	size_t size;
};

static struct packed packed_new(void)
{
	uint64_t head[] = { 6, 0xffffffff81000110, FORMAT };
	struct packed r = { .size = sizeof(head) };

	memcpy(r.data, head, sizeof(head));
	return r;
}

static void pack(struct packed *r, const void *value, size_t size)
{
	while ((r->size - 24) % (size < 4 ? size : 4))
		r->data[r->size++] = 0xee;
	memcpy(r->data + r->size, value, size);
	r->size += size;
}

static void pack_string(struct packed *r, const char *text)
{
	memcpy(r->data + r->size, text, strlen(text) + 1);
	r->size += strlen(text) + 1;
}

#define PACK(r, type, value) \
	do { \
		type v_ = (value); \
		pack(r, &v_, sizeof(v_)); \
	} while (0)

static struct str print(const char *format, const struct packed *r, size_t size)
{
	char *line = str_printf("0x%lx : \"%s\\n\"\n", FORMAT, format);
	struct text formats = { line, strlen(line) };
	struct print_env env = { .long_size = 8 };
	struct tep_handle *tep = tep_alloc();
	struct print_program *program = NULL;
	struct str out = { 0 };
	struct symbols *symbols;
	struct printk *printk;

	tep_set_long_size(tep, 8);
	ck_assert_int_eq(symbols_new(&symbols, &kallsyms), 0);
	ck_assert_int_eq(printk_new(&printk, &formats), 0);
	env.symbols = symbols;
	env.printk = printk;
	ck_assert_int_eq(tep_parse_event(tep, bprint, strlen(bprint), "ftrace"), 0);
	ck_assert_int_eq(print_compile(&program, tep_find_event(tep, 6), &env, NULL), 0);
	print_run(program, r->data, size, &out);
	str_addc(&out, '\0');
	print_free(program);
	printk_free(printk);
	symbols_free(symbols);
	tep_free(tep);
	free(line);
	return out;
}

static void expect(const char *format, const struct packed *r, const char *want)
{
	struct str got = print(format, r, r->size);
	char *whole = str_printf("start_here: %s", want);

	ck_assert_str_eq(got.at, whole);
	free(whole);
	str_fini(&got);
}

START_TEST(numbers)
{
	struct packed r = packed_new();
	char want[200];

	PACK(&r, int32_t, -7);
	PACK(&r, uint32_t, 4000000000u);
	PACK(&r, int64_t, -5000000000);
	PACK(&r, uint64_t, 0xdeadbeefcafe);
	PACK(&r, char, 'x');
	PACK(&r, int16_t, -300);
	PACK(&r, uint8_t, 200);
	PACK(&r, int64_t, 77);
	PACK(&r, int32_t, 511);
	snprintf(want, sizeof(want), "%d %u|%ld %#llx|%c %hd %hhu|%-6zd|%05o%%", -7, 4000000000u, -5000000000L, 0xdeadbeefcafeULL, 'x', -300, 200, (ssize_t)77,
		 511);
	expect("%d %u|%ld %#llx|%c %hd %hhu|%-6zd|%05o%%", &r, want);
}
END_TEST

START_TEST(sizes_from_arguments)
{
	struct packed r = packed_new();

	PACK(&r, int32_t, 6);
	PACK(&r, int32_t, 42);
	PACK(&r, int32_t, -4);
	PACK(&r, int32_t, 7);
	PACK(&r, int32_t, 2);
	pack_string(&r, "abcdef");
	expect("[%*d] [%*d] [%.*s]", &r, "[    42] [7   ] [ab]");
}
END_TEST

START_TEST(strings)
{
	struct packed r = packed_new();

	pack_string(&r, "one");
	PACK(&r, int32_t, 2);
	pack_string(&r, "");
	pack_string(&r, "three");
	PACK(&r, char, '!');
	expect("%s=%d [%s] \\\"%8s\\\"%c\\ttab", &r, "one=2 [] \"   three\"!\ttab");
}
END_TEST

START_TEST(pointers)
{
	struct packed r = packed_new();

	PACK(&r, char, 'a');
	PACK(&r, uint64_t, 0xffffffff81000108);
	PACK(&r, uint64_t, 0xffffffff81000108);
	PACK(&r, uint64_t, 0xffff888000001234);
	PACK(&r, uint64_t, 0x1234);
	PACK(&r, uint64_t, 0);
	/* These the kernel has followed. */
	pack_string(&r, "192.168.0.1");
	pack_string(&r, "02:00:00:00:00:01");
	PACK(&r, int32_t, 5);
	expect("%c %ps %pS %px %p %p %pI4 %pM, %d", &r, "a start_here start_here+0x8 ffff888000001234 0x1234 (nil) 192.168.0.1 02:00:00:00:00:01, 5");
}
END_TEST

/* A record that ends early, a format that nobody has written, and widths of which no kernel dreams. */
START_TEST(damaged)
{
	struct packed r = packed_new();
	struct str got;

	PACK(&r, int32_t, 2000000000);
	PACK(&r, int32_t, 1);
	got = print("%*d", &r, r.size);
	ck_assert_uint_eq(strlen(got.at), strlen("start_here: ") + 4096);
	str_fini(&got);
	got = print("%2000000000d", &r, r.size);
	ck_assert_uint_eq(strlen(got.at), strlen("start_here: ") + 4096);
	str_fini(&got);
	for (size_t size = 0; size <= r.size; size++) {
		got = print("%s %s %ld %*s %pS %pI4 %d %", &r, size);
		str_fini(&got);
	}
	got = print("%y %", &r, r.size);
	ck_assert_str_eq(got.at, "start_here: %y %");
	str_fini(&got);
	r = packed_new();
	memset(r.data + 16, 0x11, 8);
	expect("%d", &r, "(NO FORMAT FOUND at 1111111111111111)\n");
}
END_TEST

Suite *printk_suite(void)
{
	Suite *suite = suite_create("printk");
	TCase *tc = tcase_create("trace_printk");

	tcase_add_test(tc, numbers);
	tcase_add_test(tc, sizes_from_arguments);
	tcase_add_test(tc, strings);
	tcase_add_test(tc, pointers);
	tcase_add_test(tc, damaged);
	suite_add_tcase(suite, tc);
	return suite;
}
