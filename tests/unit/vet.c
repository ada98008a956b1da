/* SPDX-License-Identifier: GPL-2.0 */
/* lib/event/vet: formats that kernels write pass as they are; of others nothing passes that libtraceevent does not survive. */
#include "lib/event/vet.h"
#include "tests/unit/unit.h"
#include <stdio.h>
#include <traceevent/event-parse.h>

#define HEAD \
	"name: test\nID: 7\nformat:\n" \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define FIELDS \
	"\tfield:unsigned long __probe_ip;\toffset:8;\tsize:8;\tsigned:0;\n" \
	"\tfield:__data_loc char[] s;\toffset:16;\tsize:4;\tsigned:1;\n" \
	"\tfield:__rel_loc u32[] d;\toffset:20;\tsize:4;\tsigned:0;\n" \
	"\tfield:u8 a[16];\toffset:24;\tsize:16;\tsigned:0;\n" \
	"\tfield:const char __attribute__((user)) * p;\toffset:40;\tsize:8;\tsigned:0;\n" \
	"\tfield:char rest[];\toffset:48;\tsize:0;\tsigned:1;\n\n"
#define FORMAT(print) HEAD FIELDS "print fmt: " print "\n"

static void vet(const char *text, size_t size, struct str *out, struct vetted *vetted)
{
	struct text format = { (char *)text, size };

	ck_assert_int_eq(vet_format(&format, out, vetted), 0);
}

/* What passes is given to libtraceevent, whose memory is looked after by AddressSanitizer where there is one. */
static void survive(const char *text, size_t size)
{
	struct tep_handle *tep = tep_alloc();
	struct str out = { 0 };
	struct vetted vetted;

	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(tep, 8);
	vet(text, size, &out, &vetted);
	if (out.len)
		tep_parse_event(tep, out.at, out.len, "test");
	tep_free(tep);
	str_fini(&out);
}

/* As kprobes, uprobes, eprobes, synthetic events, system calls and tracepoints have them. */
START_TEST(pass)
{
	static const char *const formats[] = {
		FORMAT("\"\""),
		FORMAT("\"(%lx) dfd=%d\", REC->__probe_ip, REC->common_pid"),
		FORMAT("\"(%lx <- %lx) name=\\\"%s\\\" %%\", REC->__probe_ip, REC->__probe_ip, __get_str(s)"),
		FORMAT("\"lat=%llu%s\", REC->__probe_ip, \" \""),
		FORMAT("\"a: 0x%08lx, b: %#x\", ((unsigned long)(REC->a)), (u32) REC->common_pid"),
		FORMAT("\"%s%c%-16s\\t\\n\" \"joined\", REC->common_pid ? \"yes\" : \"no\", 'x', (char *)REC->a"),
		FORMAT("\"%s\", __print_flags(REC->common_pid & (0x0001 | 0x0002 | (((0x0000 + 1) << 1) - 1)), \"|\", "
		       "{ 1UL << 3, \"A\" }, { (1 | 2), \"B\" }, { (unsigned long)((0)), \"C\" })"),
		FORMAT("\"%s\", __print_symbolic(REC->common_pid, { 0, \"a\" }, { HI_SOFTIRQ, \"b\" }, { -1, \"c\" },)"),
		FORMAT("\"%s\", REC->a[0] ? __print_symbolic(REC->a[1], { 1, \"x\" }) : REC->common_pid > 3 ? \"y\" : \"z\""),
		FORMAT("\"%s %s\", __print_hex(REC->a, 16), __print_hex_str(__get_dynamic_array(d), "
		       "__get_dynamic_array_len(d) / sizeof(u32))"),
		FORMAT("\"%s %s\", __print_array(__get_dynamic_array(d), __get_dynamic_array_len(d) / 4, 4), __get_bitmask(d)"),
		FORMAT("\"%pS %*phN %pI6c %pISpc\", (void *)REC->__probe_ip, __get_dynamic_array_len(d), "
		       "__get_dynamic_array(d), REC->a, __get_sockaddr(d)"),
		FORMAT("\"%llu %u\", (unsigned long long)REC->__probe_ip / 1000, ((REC->common_pid) % 64)"),
		FORMAT("\"%d\", ((u64 *)__get_dynamic_array(d))[REC->common_pid] + sizeof(REC->__probe_ip) + !!(REC)->common_pid"),
		FORMAT("\"%s\", jbd2_dev_to_name(REC->common_pid)"),
		FORMAT("LOCAL_PR_FMT \" %d\", REC->common_pid"),
		/* Old kernels do not tell signs; some texts hold newlines. */
		"name: old\nID: 65535\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\n\n"
		"\tfield special:char buf;\toffset:8;\tsize:8;\n\nprint fmt: \"a\nb\"\n",
	};

	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		struct str out = { 0 };
		struct vetted vetted;

		vet(formats[i], strlen(formats[i]), &out, &vetted);
		ck_assert_msg(!vetted.why, "%s: %s", formats[i], vetted.why);
		ck_assert_str_eq(str_text(&out), formats[i]);
		survive(formats[i], strlen(formats[i]));
		str_fini(&out);
	}
}
END_TEST

/* What harms libtraceevent, and what else no kernel writes. */
START_TEST(refuse)
{
	static const struct {
		const char *print;
		bool damaged;
	} prints[] = {
		{ "", true },
		{ "print fmt: \"%d", true },
		{ "print fmt: \"%d\", REC->", true },
		{ "print fmt: \"%d\", REC->common_pid +\n", true },
		{ "print fmt: \"%d\", (REC->common_pid\n", true },
		{ "print fmt: \"%d\", REC->common_pid\nmore\n", true },
		{ "print fmt: \"\001\"\n", true },
		{ "print fmt: \"\xc3\xa4\"\n", true },
		{ "print fmt: \"%99999d\", REC->common_pid\n", true },
		{ "print fmt: \"%s\", __print_flags(REC->nosuch, \"|\", { 1, \"a\" })\n", false },
		{ "print fmt: \"%d\", 6 / 0\n", false },
		{ "print fmt: \"%d\", 6 % (2 - 2)\n", false },
		{ "print fmt: \"%d\", 6 / 2 * 0\n", false },
		{ "print fmt: \"%d\", 6 / (0 - REC->common_pid)\n", false },
		{ "print fmt: \"%d\", 6 / (u32)0\n", false },
		{ "print fmt: \"%d\", 6 / sizeof(REC->rest)\n", false },
		{ "print fmt: \"%d\", 6 / sizeof(u8) * 0\n", false },
		{ "print fmt: \"%d\", 6 / NOTHING\n", false },
		{ "print fmt: \"%d\", REC->a[1}\n", false },
		{ "print fmt: \"%d\", REC->a[1][2]\n", false },
		{ "print fmt: \"%d\", 1 ? 2 : REC->a[1]\n", false },
		{ "print fmt: \"%d\", REC->a[1 ? 2 : 3]\n", false },
		{ "print fmt: \"%s\", __print_symbolic(REC->common_pid, { 1, 1 ? \"a\" : \"b\" })\n", false },
		{ "print fmt: \"%d\", *REC->a\n", false },
		{ "print fmt: \"%s\", __get_str()\n", false },
		{ "print fmt: \"\\\\\", \"\n", false },
		{ "print fmt: 7\n", false },
	};

	for (size_t i = 0; i < ARRAY_LEN(prints); i++) {
		__cleanup(free_ptr) char *format = str_printf("%s%s", HEAD FIELDS, prints[i].print);
		struct str out = { 0 };
		struct vetted vetted;

		vet(format, strlen(format), &out, &vetted);
		ck_assert_msg(vetted.why && vetted.no_print && !vetted.no_fields, "%s", prints[i].print);
		ck_assert_msg(vetted.damaged == prints[i].damaged, "%s: %s", prints[i].print, vetted.why);
		ck_assert_str_eq(str_text(&out), HEAD FIELDS "print fmt: \"\"\n");
		survive(format, strlen(format));
		str_fini(&out);
	}
}
END_TEST

START_TEST(lines)
{
	static const char *const fields[] = {
		"\tfield:u8 a[16;\toffset:8;\tsize:16;\tsigned:0;\n",
		"\tfield:u8 a[",
		"\tfield:__attribute__((user)) a;\toffset:8;\tsize:16;\tsigned:0;\n",
		"\tfield:u8 __attribute__((user) a;\toffset:8;\tsize:16;\tsigned:0;\n",
		"\tfield:u8;\toffset:8;\tsize:1;\tsigned:0;\n",
		"\tfield:u8 *;\toffset:8;\tsize:1;\tsigned:0;\n",
		"\tfield:u8 b;\toffset:-8;\tsize:1;\tsigned:0;\n",
		"\tfield:u8 b;\toffset:65536;\tsize:1;\tsigned:0;\n",
		"\tfield:u8 b;\toffset:8;\tsize:99999;\tsigned:0;\n",
		"\tfield:u8 b;\toffset:8;\tsize:1\tsigned:0;\n",
		"\tfield:u8 b;\toffset:8;\tsize:1;\tsigned:0; more\n",
		"\tfeld:u8 b;\toffset:8;\tsize:1;\tsigned:0;\n",
	};

	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		__cleanup(free_ptr) char *format = str_printf("%s\tfield:u8 c;\toffset:8;\tsize:1;\tsigned:0;\n%s\nprint fmt: \"\"\n", HEAD, fields[i]);
		struct str out = { 0 };
		struct vetted vetted;

		vet(format, strlen(format), &out, &vetted);
		ck_assert_msg(vetted.damaged && vetted.no_fields, "%s", fields[i]);
		ck_assert_msg(strstr(str_text(&out), "u8 c;") && !strstr(str_text(&out), fields[i]), "%s", fields[i]);
		survive(format, strlen(format));
		str_fini(&out);
	}
}
END_TEST

/* Depth and length have an end. */
START_TEST(nested)
{
	static const char *const pieces[] = { "(", "-", "1 + ", "__print_hex(", "a ", "REC->a[", "1 ? " };

	for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
		struct str format = { 0 };
		struct str out = { 0 };
		struct vetted vetted;

		str_add(&format, HEAD FIELDS "print fmt: \"%d\", ");
		for (int n = 0; n < 20000; n++)
			str_add(&format, pieces[i]);
		vet(format.at, format.len, &out, &vetted);
		ck_assert(vetted.no_print);
		str_fini(&format);
		str_fini(&out);
	}
}
END_TEST

/* Cut off after each byte, and with each byte another. */
START_TEST(mutations)
{
	static const char format[] = FORMAT("\"%s %d\", __print_flags(REC->a[0], \"|\", { 1 << 2, \"A\" }), "
					    "((u64 *)__get_dynamic_array(d))[REC->common_pid] / (u32)4");
	static const char others[] = "\"\\'([{}]),;:>-/%?*R0a_ \n";
	char copy[sizeof(format)];

	for (size_t n = 0; n < sizeof(format); n++)
		survive(format, n);
	for (size_t at = 0; at < sizeof(format) - 1; at++) {
		for (const char *other = others; *other; other++) {
			memcpy(copy, format, sizeof(copy));
			copy[at] = *other;
			survive(copy, sizeof(copy) - 1);
		}
	}
}
END_TEST

Suite *vet_suite(void)
{
	Suite *suite = suite_create("vet");
	TCase *tc = tcase_create("vet");

	tcase_add_test(tc, pass);
	tcase_add_test(tc, refuse);
	tcase_add_test(tc, lines);
	tcase_add_test(tc, nested);
	tcase_add_test(tc, mutations);
	suite_add_tcase(suite, tc);
	return suite;
}
