/* clang-format off */
/* SPDX-License-Identifier: GPL-2.0 */
/* lib/event/print: what C's printf and the kernel's %p would print of one record, and of damaged ones. */
#include "lib/event/print.h"
#include "tests/unit/unit.h"
#include <stdio.h>
#include <traceevent/event-parse.h>

static const char fields[] =
	"name: test\nID: 7\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:int i;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:unsigned int u;\toffset:12;\tsize:4;\tsigned:0;\n"
	"\tfield:s64 l;\toffset:16;\tsize:8;\tsigned:1;\n"
	"\tfield:u64 q;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:short h;\toffset:32;\tsize:2;\tsigned:1;\n"
	"\tfield:u8 b;\toffset:34;\tsize:1;\tsigned:0;\n"
	"\tfield:char c;\toffset:35;\tsize:1;\tsigned:1;\n"
	"\tfield:char name[8];\toffset:36;\tsize:8;\tsigned:1;\n"
	"\tfield:char full[4];\toffset:44;\tsize:4;\tsigned:1;\n"
	"\tfield:u16 arr[3];\toffset:48;\tsize:6;\tsigned:0;\n"
	"\tfield:u8 mac[6];\toffset:54;\tsize:6;\tsigned:0;\n"
	"\tfield:u8 ip4[4];\toffset:60;\tsize:4;\tsigned:0;\n"
	"\tfield:u8 ip6[16];\toffset:64;\tsize:16;\tsigned:0;\n"
	"\tfield:u8 uuid[16];\toffset:80;\tsize:16;\tsigned:0;\n"
	"\tfield:__data_loc char[] s;\toffset:96;\tsize:4;\tsigned:1;\n"
	"\tfield:__data_loc u8[] bytes;\toffset:100;\tsize:4;\tsigned:0;\n"
	"\tfield:__data_loc unsigned long[] mask;\toffset:104;\tsize:4;\tsigned:0;\n"
	"\tfield:__rel_loc char[] r;\toffset:108;\tsize:4;\tsigned:1;\n"
	"\tfield:const char * k;\toffset:112;\tsize:8;\tsigned:0;\n"
	"\tfield:void * f;\toffset:120;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc __u8[] sa;\toffset:128;\tsize:4;\tsigned:0;\n"
	"\tfield:s8 s1;\toffset:132;\tsize:1;\tsigned:1;\n"
	"\tfield:s16 sarr[2];\toffset:133;\tsize:4;\tsigned:1;\n\n";

struct test_record {
	uint16_t type;
	uint8_t flags, preempt;
	int32_t pid, i;
	uint32_t u;
	int64_t l;
	uint64_t q;
	int16_t h;
	uint8_t b;
	char c, name[8], full[4];
	uint16_t arr[3];
	uint8_t mac[6], ip4[4], ip6[16], uuid[16];
	uint32_t s, bytes, mask, r;
	uint64_t k, f;
	uint32_t sa;
	int8_t s1;
	int16_t sarr[2];
	char s_text[8];
	uint8_t bytes_at[4], sa_at[16], mask_at[8];
} __attribute__((packed));

#define LOC(member) (offsetof(struct test_record, member) | sizeof(((struct test_record *)0)->member) << 16)

static const struct test_record record = {
	.type = 7,
	.i = -5,
	.u = 0xdeadbeef,
	.l = -2,
	.q = 0x123456789abcdef0,
	.h = -3,
	.b = 200,
	.c = 'x',
	.name = "abc",
	.full = { 'w', 'x', 'y', 'z' },
	.arr = { 1, 2, 0xffff },
	.mac = { 0, 0x1b, 0x21, 0xa0, 0xff, 5 },
	.ip4 = { 10, 1, 0, 255 },
	.ip6 = { 0x20, 1, 0xd, 0xb8, [15] = 1 },
	.uuid = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 },
	.s = LOC(s_text),
	.bytes = LOC(bytes_at),
	.mask = LOC(mask_at),
	.r = (offsetof(struct test_record, s_text) - 112) | 8 << 16,
	.k = 0xffffffff82000010,
	.f = 0xffffffff81000123,
	.sa = LOC(sa_at),
	.s1 = -100,
	.sarr = { -1, 300 },
	.s_text = "hello",
	.bytes_at = { 0xde, 0xad, 0, 1 },
	.sa_at = { 2, 0, 0x1f, 0x90, 127, 0, 0, 1 },
	.mask_at = { 0x0f, 0x81, 0, 0, 1 },
};

static struct text kallsyms = { (char *)"ffffffff81000100 T start_here\nffffffff81000200 T _end\n", 54 };
static struct text printk_formats = { (char *)"0xffffffff82000010 : \"rcu_%s\\n\"\n", 33 };

struct printing {
	struct tep_handle *tep;
	struct symbols *symbols;
	struct printk *printk;
	struct print_program *program;
	const char *why;
	int err;
	struct str out;
};

static void printing_init(struct printing *t, const char *format)
{
	struct print_env env = { .long_size = 8 };
	char *text = str_printf("%sprint fmt: %s\n", fields, format);
	struct tep_event *event = NULL;

	*t = (struct printing){ .tep = tep_alloc() };
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(t->tep, 8);
	ck_assert_int_eq(symbols_new(&t->symbols, &kallsyms), 0);
	ck_assert_int_eq(printk_new(&t->printk, &printk_formats), 0);
	env.symbols = t->symbols;
	env.printk = t->printk;
	tep_parse_event(t->tep, text, strlen(text), "test");
	event = tep_find_event(t->tep, 7);
	ck_assert_ptr_nonnull(event);
	t->err = print_compile(&t->program, event, &env, &t->why);
	free(text);
}

static void printing_fini(struct printing *t)
{
	print_free(t->program);
	symbols_free(t->symbols);
	printk_free(t->printk);
	tep_free(t->tep);
	str_fini(&t->out);
}

struct row {
	const char *format, *want;
};

static void check_rows(const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct printing t;

		printing_init(&t, rows[i].format);
		ck_assert_msg(!t.err, "%s: %s", rows[i].format, t.why);
		str_add(&t.out, ">");
		print_run(t.program, &record, sizeof(record), &t.out);
		ck_assert_msg(!strcmp(t.out.at + 1, rows[i].want), "%s: '%s', not '%s'",
			      rows[i].format, t.out.at + 1, rows[i].want);
		ck_assert_uint_eq(t.out.len, strlen(rows[i].want) + 1);
		printing_fini(&t);
	}
}

START_TEST(numbers)
{
	static const struct row rows[] = {
		{ "\"plain %% text\\n\\\\\\t.\"", "plain % text\n\\\t." },
		{ "\"%d %u %x %llx\", REC->i, REC->u, REC->u, REC->q",
		  "-5 3735928559 deadbeef 123456789abcdef0" },
		{ "\"%u|%lld|%lx|%d\", REC->i, REC->l, REC->l, REC->l",
		  "4294967291|-2|fffffffffffffffe|-2" },
		{ "\"%hd %hu %hhd %hhu %c\", REC->h, REC->h, REC->b, REC->b, REC->c",
		  "-3 65533 -56 200 x" },
		{ "\"[%5d][%-5d][%05d][%+d][%.3d]\", REC->i, REC->i, REC->i, REC->b, REC->i",
		  "[   -5][-5   ][-0005][+200][-005]" },
		{ "\"%#x %#X %#o %o %X %08lx %#010x\", REC->b, REC->u, REC->b, REC->b, REC->u, "
		  "REC->b, REC->b",
		  "0xc8 0XDEADBEEF 0310 310 DEADBEEF 000000c8 0x000000c8" },
		{ "\"%#x %d %.0d|%8.4x\", 0, 0, 0, REC->b", "0 0 |    00c8" },
		{ "\"%*d|%-*d|%.*d\", 4, REC->i, 4, REC->i, 3, REC->i", "  -5|-5  |-005" },
		{ "\"%*d|\", REC->i, REC->b", "200  |" },
		{ "\"%zu %Lx %li\", REC->b, REC->q, REC->l", "200 123456789abcdef0 -2" },
		{ "\"%lld %lld\", (1ULL << 63), 9999999999999999999", "-9223372036854775808 "
								     "-8446744073709551617" },
		{ "\"%llu %llu %llu\", 18446744073709551615, 10000000000000000000, 9",
		  "18446744073709551615 10000000000000000000 9" },
		{ "\"%c%c\", REC->b ? 'Y' : 'n', REC->b == 1 ? 'Y' : 'n'", "Yn" },
	};

	check_rows(rows, ARRAY_LEN(rows));
}
END_TEST

START_TEST(expressions)
{
	static const struct row rows[] = {
		{ "\"%d %d\", ((unsigned int) ((REC->u) >> 20)), (REC->u & ((1U << 20) - 1))",
		  "3562 900847" },
		{ "\"%d %d %d\", REC->b * 2 + 1, REC->b / 3, REC->b % 7", "401 66 4" },
		{ "\"%d %d\", REC->b / REC->common_flags, REC->b % REC->common_flags", "0 0" },
		{ "\"%d%d%d%d%d%d\", REC->b < 200, REC->b <= 200, REC->b == 200, REC->b != 200, "
		  "REC->b > 199, REC->b >= 201",
		  "011010" },
		{ "\"%d%d%d%d\", REC->b && 0, REC->b || 0, !REC->b, !!REC->b", "0101" },
		{ "\"%x %d %d\", ~REC->b, -REC->b, (REC->b | 7)", "ffffff37 -200 207" },
		{ "\"%d %d\", REC->b > 100 ? REC->h : REC->i, REC->b > 250 ? 1 : REC->b > 150 ? 2 : 3",
		  "-3 2" },
		{ "\"%d %u %x %ld %hu %lx %5d|%d\", REC->h, REC->h, REC->h, REC->h, REC->h, REC->h, REC->h, REC->h + 1",
		  "-3 4294967293 fffffffd -3 65533 fffffffffffffffd    -3|-2" },
		{ "\"%d {%d,%d} %d %d\", REC->s1, REC->sarr[0], REC->sarr[1], REC->h == -3, REC->b", "-100 {-1,300} 1 200" },
		{ "\"%x %x %llx\", (u8)REC->u, (unsigned short)REC->u, (u64)REC->l",
		  "ef beef fffffffffffffffe" },
		{ "\"%d %d %x\", REC->arr[1], REC->arr[2], ((u8 *)REC->arr)[2]", "2 65535 ff" },
		{ "\"%d %x\", __get_dynamic_array_len(bytes), ((u8 *)__get_dynamic_array(bytes))[1]",
		  "4 ad" },
		{ "\"%llx\", start_here", "ffffffff81000100" },
	};

	check_rows(rows, ARRAY_LEN(rows));
}
END_TEST

START_TEST(strings)
{
	static const struct row rows[] = {
		{ "\"%s %s %s %s\", REC->name, REC->full, __get_str(s), __get_rel_str(r)",
		  "abc wxyz hello hello" },
		{ "\"[%5s][%-5s][%.2s][%5.1s][%.*s]\", REC->name, REC->name, REC->name, REC->name, "
		  "2, __get_str(s)",
		  "[  abc][abc  ][ab][    a][he]" },
		{ "\"%s %s\", REC->k, REC->f", "rcu_%s ffffffff81000123" },
		{ "\"%s\", REC->b > 1 ? \"many\" : \"one\"", "many" },
		{ "\"<%s>%s<%s>\", REC->b > 250 ? \"x\" : \"\", \"mid\", REC->b ? \"y\" : \"\"",
		  "<>mid<y>" },
		{ "\"%s\", __print_symbolic(REC->h, {1, \"one\"}, {2, \"two\"})",
		  "0xfffffffffffffffd" },
		{ "\"%s %s\", __print_symbolic(REC->b, {199, \"a\"}, {200, \"b\"}, {200, \"c\"}), "
		  "__print_symbolic(REC->b, {1, \"a\"}, {1000, \"b\"}, {200, \"d\"}, {7, \"e\"})",
		  "b d" },
		{ "\"%s\", __print_flags(REC->b, \"|\", {8, \"E\"}, {64, \"S\"}, {4, \"no\"})",
		  "E|S|0x80" },
		{ "\"%s %s\", __print_flags(0, \"|\", {1, \"a\"}, {-1, \"none\"}), "
		  "__print_flags(REC->b, \"\", {200, \"all\"})",
		  "none all" },
		{ "\"%s|%s\", __print_hex(REC->mac, 3), __print_hex_str(__get_dynamic_array(bytes), "
		  "__get_dynamic_array_len(bytes))",
		  "00 1b 21|dead0001" },
		{ "\"%s %s\", __print_array(REC->arr, 3, 2), "
		  "__print_array(__get_dynamic_array(bytes), 2, 1)",
		  "{0x1,0x2,0xffff} {0xde,0xad}" },
		{ "\"%s\", __print_array(REC->mac, 2, 3)", "{BAD SIZE:3 0x0,0x1b}" },
		{ "\"%s %s\", __get_bitmask(mask), __get_cpumask(mask)",
		  "00000001,0000810f 0-3,8,15,32" },
	};

	check_rows(rows, ARRAY_LEN(rows));
}
END_TEST

START_TEST(pointers)
{
	static const struct row rows[] = {
		{ "\"%p %p %px\", REC->f, (void *)0, REC->f",
		  "0xffffffff81000123 (nil) 0xffffffff81000123x" },
		{ "\"%pS %ps %pF %pf\", REC->f, REC->f, REC->f, REC->f",
		  "start_here+0x23 start_here start_here+0x23 start_here" },
		{ "\"%ps %pS\", REC->b, 0", "0xc8 0x0" },
		{ "\"%pM %pm %pMF %pMR\", REC->mac, REC->mac, REC->mac, REC->mac",
		  "00:1b:21:a0:ff:05 001b21a0ff05 00-1b-21-a0-ff-05 05:ff:a0:21:1b:00" },
		{ "\"%pI4 %pi4 %pI4h %pI4l\", REC->ip4, REC->ip4, REC->ip4, REC->ip4",
		  "10.1.0.255 010.001.000.255 255.0.1.10 255.0.1.10" },
		{ "\"%pI6 %pi6 %pI6c\", REC->ip6, REC->ip6, REC->ip6",
		  "2001:0db8:0000:0000:0000:0000:0000:0001 20010db8000000000000000000000001 "
		  "2001:db8::1" },
		{ "\"%pU %pUb %pUB %pUl %pUL\", REC->uuid, REC->uuid, REC->uuid, REC->uuid, REC->uuid",
		  "00010203-0405-0607-0809-0a0b0c0d0e0f 00010203-0405-0607-0809-0a0b0c0d0e0f "
		  "00010203-0405-0607-0809-0A0B0C0D0E0F 03020100-0504-0706-0809-0a0b0c0d0e0f "
		  "03020100-0504-0706-0809-0A0B0C0D0E0F" },
		{ "\"%pISpc %pIS\", __get_sockaddr(sa), __get_dynamic_array(sa)",
		  "127.0.0.1:8080 127.0.0.1" },
		{ "\"%*ph %*phC\", 3, __get_dynamic_array(bytes), 9, __get_dynamic_array(bytes)",
		  "de ad 00 de:ad:00:01" },
		{ "\"%pM %pI4 %pI6\", REC->b, REC->mac, REC->b + 1",
		  "INVALIDMAC INVALIDIPv4 ARG TYPE NOT FIELD BUT 11" },
	};

	check_rows(rows, ARRAY_LEN(rows));
}
END_TEST

START_TEST(ip6_short)
{
	static const struct {
		uint8_t ip[16];
		const char *want;
	} rows[] = {
		{ { 0 }, "::" },
		{ { [15] = 1 }, "::1" },
		{ { 1, 2, [2] = 3, [15] = 9 }, "102:300::9" },
		{ { 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0 }, "100:0:100::100:100:100" },
		{ { 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0 }, "100:100:100:100:100:100:100:0" },
		{ { 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0 }, "100:100:100:100:100:100::" },
		{ { [10] = 0xff, [11] = 0xff, 192, 0, 2, 1 }, "::ffff:192.0.2.1" },
		{ { 0xfe, 0x80, [10] = 0x5e, [11] = 0xfe, 192, 0, 2, 1 }, "fe80::5efe:192.0.2.1" },
	};
	struct printing t;

	printing_init(&t, "\"%pI6c\", REC->ip6");
	ck_assert_int_eq(t.err, 0);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct test_record r = record;

		memcpy(r.ip6, rows[i].ip, 16);
		str_clear(&t.out);
		print_run(t.program, &r, sizeof(r), &t.out);
		ck_assert_str_eq(str_text(&t.out), rows[i].want);
	}
	printing_fini(&t);
}
END_TEST

START_TEST(not_compiled)
{
	struct printing t;

	printing_init(&t, "\"%p\", __get_dynamic_array(bytes)");
	ck_assert_int_eq(t.err, -ENOTSUP);
	ck_assert_str_eq(t.why, "the address of a dynamic array as a number");
	printing_fini(&t);
	printing_init(&t, "\"%lc\", REC->b");
	ck_assert_int_eq(t.err, -ENOTSUP);
	printing_fini(&t);
}
END_TEST

/* Arrays of bytes count as strings if all before their first NUL is text. */
START_TEST(fields_of_unparsable)
{
	static const struct row rows[] = {
		{ "\"%d\", unknown_function(REC->i)",
		  "[FAILED TO PARSE] i=-5 u=3735928559 l=-2 q=1311768467463790320 h=-3 b=200 c=120 "
		  "name=abc full=wxyz\x01 arr=ARRAY[01, 00, 02, 00, ff, ff] "
		  "mac= ip4=ARRAY[0a, 01, 00, ff] "
		  "ip6=ARRAY[20, 01, 0d, b8, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 00, 01] "
		  "uuid= s=hello bytes=ARRAY[de, ad, 00, 01] mask=ARRAY[0f, 81, 00, 00, 01, 00, 00, 00] "
		  "r=hello k=0xffffffff82000010 f=0xffffffff81000123 "
		  "sa=ARRAY[02, 00, 1f, 90, 7f, 00, 00, 01, 00, 00, 00, 00, 00, 00, 00, 00] s1=-100 sarr=ARRAY[ff, ff, 2c, 01]" },
	};

	check_rows(rows, ARRAY_LEN(rows));
}
END_TEST

/* Every prefix of the record, and wild offsets and counts, in memory of exactly that size. */
START_TEST(damaged)
{
	static const char *const formats[] = {
		"\"%d %lld %s %s %s %s %s\", REC->i, REC->q, REC->name, REC->full, __get_str(s), "
		"__get_rel_str(r), REC->k",
		"\"%s %s %s\", __print_hex(REC->mac, REC->u), __print_array(REC->arr, REC->u, 8), "
		"__print_hex(__get_dynamic_array(bytes), 70000)",
		"\"%s %s %d %x\", __get_bitmask(mask), __get_cpumask(mask), REC->arr[REC->u], "
		"((u64 *)__get_dynamic_array(bytes))[REC->l]",
		"\"%pM %pI4 %pI6c %pU %pISpc %*ph\", REC->mac, REC->ip4, REC->ip6, REC->uuid, "
		"__get_sockaddr(sa), REC->l, __get_dynamic_array(bytes)",
		"\"%*d %-*s %.*d\", REC->u, REC->i, REC->u, REC->name, REC->q, REC->i",
		"\"%d\", unknown_function(REC->i)",
	};

	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		struct printing t;

		printing_init(&t, formats[i]);
		ck_assert_msg(!t.err, "%s: %s", formats[i], t.why);
		for (size_t size = 0; size <= sizeof(record); size++) {
			for (uint32_t loc = 0; loc < 5; loc++) {
				struct test_record r = record;
				void *exact = malloc(size);

				if (loc)
					r.s = r.bytes = r.mask = r.r = r.sa =
						loc * 0x3333cccc + size * loc;
				memcpy(exact, &r, size);
				str_clear(&t.out);
				print_run(t.program, exact, size, &t.out);
				ck_assert_int_eq(str_ok(&t.out), 0);
				ck_assert_uint_lt(t.out.len, 20000);
				free(exact);
			}
		}
		printing_fini(&t);
	}
}
END_TEST

/* Around every power of 2 and of 10. */
START_TEST(digits)
{
	struct printing t;

	printing_init(&t, "\"%llu %lld %llx\", REC->q, REC->q, REC->q");
	for (int i = 0; i < 64 + 20; i++) {
		uint64_t power = i < 64 ? 1ULL << i : 1;

		for (int k = 64; k < i; k++)
			power *= 10;
		for (int off = -1; off <= 1; off++) {
			struct test_record r = record;
			char want[80];

			r.q = power + off;
			snprintf(want, sizeof(want), "%llu %lld %llx", (unsigned long long)r.q,
				 (long long)r.q, (unsigned long long)r.q);
			str_clear(&t.out);
			print_run(t.program, &r, sizeof(r), &t.out);
			ck_assert_str_eq(str_text(&t.out), want);
		}
	}
	printing_fini(&t);
}
END_TEST

START_TEST(kernel_strings)
{
	struct text text = { (char *)"0x20 : \"two\\n\"\n0x10 : \"one\"\nnonsense\n0x30 : bare\n0x40 : \"\"\n", 60 };
	struct printk *printk;

	ck_assert_int_eq(printk_new(&printk, &text), 0);
	ck_assert_str_eq(printk_find(printk, 0x10), "one");
	ck_assert_str_eq(printk_find(printk, 0x20), "two");
	ck_assert_str_eq(printk_find(printk, 0x30), "bare");
	ck_assert_str_eq(printk_find(printk, 0x40), "");
	ck_assert_ptr_null(printk_find(printk, 0x11));
	ck_assert_ptr_null(printk_find(NULL, 0x10));
	printk_free(printk);
	printk_free(NULL);
}
END_TEST

Suite *print_suite(void)
{
	Suite *suite = suite_create("print");
	TCase *tc = tcase_create("print");

	tcase_add_test(tc, numbers);
	tcase_add_test(tc, expressions);
	tcase_add_test(tc, strings);
	tcase_add_test(tc, pointers);
	tcase_add_test(tc, ip6_short);
	tcase_add_test(tc, not_compiled);
	tcase_add_test(tc, fields_of_unparsable);
	tcase_add_test(tc, damaged);
	tcase_add_test(tc, digits);
	tcase_add_test(tc, kernel_strings);
	suite_add_tcase(suite, tc);
	return suite;
}
