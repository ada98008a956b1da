/* SPDX-License-Identifier: GPL-2.0 */
/* lib/event/values and syscalls: what each kind of field is taken for, and what stands in one record; damaged ones. Who keeps such values. */
#include "lib/analysis/dist-worst.h"
#include "lib/event/syscalls.h"
#include "lib/event/values.h"
#include "tests/unit/unit.h"

static const char format[] =
	"name: test\nID: 7\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:short h;\toffset:8;\tsize:2;\tsigned:1;\n"
	"\tfield:bool yes;\toffset:10;\tsize:1;\tsigned:0;\n"
	"\tfield:u8 b;\toffset:11;\tsize:1;\tsigned:0;\n"
	"\tfield:long state;\toffset:16;\tsize:8;\tsigned:1;\n"
	"\tfield:int action;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:gfp_t gfp;\toffset:28;\tsize:4;\tsigned:0;\n"
	"\tfield:void * caller;\toffset:32;\tsize:8;\tsigned:0;\n"
	"\tfield:const void * ptr;\toffset:40;\tsize:8;\tsigned:0;\n"
	"\tfield:char comm[8];\toffset:48;\tsize:8;\tsigned:1;\n"
	"\tfield:s16 arr[3];\toffset:56;\tsize:6;\tsigned:1;\n"
	"\tfield:__data_loc char[] name;\toffset:64;\tsize:4;\tsigned:1;\n"
	"\tfield:__rel_loc char[] rel;\toffset:68;\tsize:4;\tsigned:1;\n"
	"\tfield:__data_loc cpumask_t mask;\toffset:72;\tsize:4;\tsigned:0;\n"
	"\tfield:__data_loc u32[] list;\toffset:76;\tsize:4;\tsigned:0;\n"
	"\tfield:unsigned char mac[4];\toffset:80;\tsize:4;\tsigned:0;\n"
	"\tfield:unsigned char netid[4];\toffset:84;\tsize:4;\tsigned:0;\n"
	"\tfield:__u8 saddr[4];\toffset:88;\tsize:4;\tsigned:0;\n"
	"\tfield:u8 ssid[4];\toffset:92;\tsize:4;\tsigned:0;\n"
	"\tfield:s8 levels[4];\toffset:96;\tsize:4;\tsigned:1;\n\n"
	"print fmt: \"h=%d state=%s%s action=%s gfp=%s caller=%pS ptr=%p comm=%s mac=%02x netid=%s saddr=%pI4 ssid=%s\", REC->h, "
	"(REC->state & 3) ? __print_flags(REC->state & 3, \"|\", { 1, \"S\" }, { 2, \"D\" }) : \"R\", REC->state & 4 ? \"+\" : \"\", "
	"__print_symbolic(REC->action, { 0, \"none\" }, { 1, \"go\" }), "
	"(REC->gfp) ? __print_flags(REC->gfp, \"|\", { 1, \"A\" }, { 16, \"B\" }) : \"none\", (void *)REC->caller, REC->ptr, REC->comm, REC->mac[1], REC->netid, "
	"REC->saddr, REC->ssid\n";

struct test_record {
	uint16_t type;
	uint8_t flags, preempt;
	int32_t pid;
	int16_t h;
	uint8_t yes, b;
	uint32_t pad;
	int64_t state;
	int32_t action;
	uint32_t gfp;
	uint64_t caller, ptr;
	char comm[8];
	int16_t arr[3], pad_arr;
	uint32_t name, rel, mask, list;
	uint8_t mac[4];
	char netid[4];
	uint8_t saddr[4];
	char ssid[4];
	int8_t levels[4];
	char name_text[8], rel_text[8];
	uint64_t mask_bits;
	uint32_t list_at[2];
} __attribute__((packed));

#define LOC(member, from) ((offsetof(struct test_record, member) - (from)) | sizeof(((struct test_record *)0)->member) << 16)

/* clang-format off */
static const struct test_record record = {
	.type = 7, .pid = -3, .h = -300, .yes = 1, .b = 250, .state = 2 | 4, .action = 1, .gfp = 17, .caller = 0x1010, .ptr = 0xdeadbeef,
	.comm = "sh", .arr = { 1, -2, 3 },
	.name = LOC(name_text, 0), .rel = LOC(rel_text, 72), .mask = LOC(mask_bits, 0), .list = LOC(list_at, 0),
	.mac = { 0, 0x16, 0xff, 0 }, .netid = "tcp", .saddr = { 127, 0, 0, 1 }, .ssid = "hal", .levels = { 0, -1, 1, 0 },
	.name_text = "file", .rel_text = "relativ", .mask_bits = 0x8f, .list_at = { 7, 4000000000u },
};
/* clang-format on */

static struct metadata meta;
static struct trace_options opt = { .no_plugins = true };
static struct trace *trace;
static const struct values *values;

static void setup(void)
{
	struct event_text text = { (char *)"test", { (char *)format, sizeof(format) - 1 } };

	meta = (struct metadata){ .user_long_size = 8, .kallsyms = { (char *)"0000000000001000 T called\n0000000000002000 T other\n", 51 } };
	meta.header_page = (struct text){ (char *)"", 0 };
	ck_assert_int_eq(vec_push(&meta.formats, text), 0);
	ck_assert_int_eq(trace_open(&trace, &meta, &opt, 0), 0);
	ck_assert_int_eq(values_of(&values, trace_event(trace, 7)), 0);
}

static void teardown(void)
{
	trace_close(trace);
	vec_fini(&meta.formats);
}

START_TEST(kinds_and_texts)
{
	static const struct {
		const char *name;
		enum value_kind kind;
		int64_t number;
		const char *text;
	} rows[] = {
		{ "common_pid", VALUE_SIGNED, -3, "-3" },
		{ "h", VALUE_SIGNED, -300, "-300" },
		{ "yes", VALUE_BOOL, 1, "yes" },
		{ "b", VALUE_UNSIGNED, 250, "250" },
		{ "state", VALUE_FLAGS, 6, "D+" },
		{ "action", VALUE_SYMBOL, 1, "go" },
		{ "gfp", VALUE_FLAGS, 17, "A|B" },
		{ "caller", VALUE_FUNCTION, 0x1010, "called" },
		{ "ptr", VALUE_POINTER, 0xdeadbeef, "0xdeadbeef" },
		{ "comm", VALUE_STRING, 2, "sh" },
		{ "arr", VALUE_ARRAY, 6, "{1,-2,3}" },
		{ "name", VALUE_STRING, 4, "file" },
		{ "rel", VALUE_STRING, 7, "relativ" },
		{ "mask", VALUE_BITMASK, 8, "0-3,7" },
		{ "list", VALUE_ARRAY, 8, "{7,4000000000}" },
		{ "mac", VALUE_ARRAY, 4, "{0,22,255,0}" },
		{ "netid", VALUE_STRING, 3, "tcp" },
		{ "saddr", VALUE_ARRAY, 4, "{127,0,0,1}" },
		{ "ssid", VALUE_STRING, 3, "hal" },
		{ "levels", VALUE_ARRAY, 4, "{0,-1,1,0}" },
	};

	ck_assert_ptr_null(values_field(values, "nope"));
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct value_field *f = values_field(values, rows[i].name);
		struct str text = { 0 };
		struct value value;

		ck_assert_msg(f && f->kind == rows[i].kind, "%s is of kind %d", rows[i].name, f ? f->kind : -1);
		ck_assert(value_get(f, &record, sizeof(record), &value));
		ck_assert_int_eq(value_is_number(f) ? (int64_t)value.number : (int64_t)value.size, rows[i].number);
		value_text(f, &record, sizeof(record), &text);
		ck_assert_str_eq(str_text(&text), rows[i].text);
		str_fini(&text);
	}
}
END_TEST

/* A record that ends anywhere, or whose offsets point anywhere, gives what is inside of it. */
START_TEST(damaged)
{
	vec_each (&values->fields, f) {
		for (size_t size = 0; size <= sizeof(record); size++) {
			uint8_t *copy = malloc(size + 1);
			struct str text = { 0 };
			struct value value;

			memcpy(copy, &record, size);
			if (size >= offsetof(struct test_record, list) + 4) {
				uint32_t wild = (uint32_t)(size * 7 % 256) | (uint32_t)(size * 131 % 4096) << 16;

				for (size_t at = offsetof(struct test_record, name); at <= offsetof(struct test_record, list); at += 4)
					memcpy(copy + at, &wild, 4);
			}
			if (value_get(f, copy, size, &value) && !value_is_number(f))
				ck_assert(value.at >= copy && value.at + value.size <= copy + size);
			value_text(f, copy, size, &text);
			str_fini(&text);
			free(copy);
		}
	}
}
END_TEST

START_TEST(system_calls)
{
	struct syscalls calls = syscalls_of(&(struct metadata){ .uname = { (char *)"Linux host 6.1.0 #1 x86_64", 26 } });
	struct syscalls others = syscalls_of(&(struct metadata){ .uname = { (char *)"Linux host 6.1.0 #1 aarch64", 27 } });
	const struct syscall *call = syscall_find(&calls, 257);

	ck_assert(call && call->known && strcmp(call->name, "openat") == 0 && strcmp(call->args[2].name, "flags") == 0);
	ck_assert_int_eq(syscall_number(&calls, "openat"), 257);
	ck_assert_int_eq(syscall_number(&calls, "nope"), -1);
	ck_assert_ptr_null(syscall_find(&calls, 100000));
	ck_assert_ptr_null(syscall_find(&others, 257));
	ck_assert_str_eq(syscall_event_name(syscall_find(&calls, 5)), "newfstat");
	ck_assert_str_eq(syscall_error(-2), "ENOENT");
	ck_assert_ptr_null(syscall_error(2));
}
END_TEST

/* An event without fields of its own is kept as well: a shorter duration that comes later does not take its place. */
START_TEST(longest_without_fields)
{
	static const char bare[] = "name: bare\nID: 8\nformat:\n"
				   "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
				   "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
				   "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
				   "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n";
	const struct test_record data = { .type = 8, .pid = 1 };
	const struct record rec = { .data = (const void *)&data, .size = 8 };
	struct event_text text = { (char *)"test", { (char *)bare, sizeof(bare) - 1 } };
	struct metadata own = { .user_long_size = 8, .header_page = { (char *)"", 0 } };
	struct dist_worst worst = { 0 };
	struct trace *there;

	ck_assert_int_eq(vec_push(&own.formats, text), 0);
	ck_assert_int_eq(trace_open(&there, &own, &opt, 0), 0);
	ck_assert(!worst.any);
	ck_assert_int_eq(dist_worst_take(&worst, there, &rec, 500), 0);
	ck_assert_int_eq(dist_worst_take(&worst, there, &rec, 70), 0);
	ck_assert(worst.any);
	ck_assert_uint_eq(worst.names.n, 0);
	ck_assert_uint_eq(worst.value, 500);
	ck_assert_int_eq(dist_worst_take(&worst, there, &rec, 501), 0);
	ck_assert_uint_eq(worst.value, 501);
	dist_worst_fini(&worst);
	trace_close(there);
	vec_fini(&own.formats);
}
END_TEST

Suite *values_suite(void)
{
	Suite *suite = suite_create("values");
	TCase *tc = tcase_create("values");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, kinds_and_texts);
	tcase_add_test(tc, damaged);
	tcase_add_test(tc, system_calls);
	tcase_add_test(tc, longest_without_fields);
	suite_add_tcase(suite, tc);
	return suite;
}
