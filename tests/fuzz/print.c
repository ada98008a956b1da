/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Print programs. libtraceevent's parser is not what is tried here and does not survive every text, so the events
 * are those below, as it parses them; the input changes what a damaged file could change in them:
 *
 *	byte 0		which of the print formats; beyond them: the rest is a kallsyms, or printk_formats; or which of the
 *			events that are printed as libtraceevent's plug-ins do it
 *	byte 1		bit 0: big endian, bit 1: longs of 4 bytes
 *	byte 2		how many changes of fields follow, of 4 bytes each: the field, what of it, a number
 *	byte n		how many bytes of text follow that take the place of the print format's (0: none)
 *	the rest	the record
 */
#include "lib/base/str.h"
#include "lib/event/print.h"
#include "tests/fuzz/fuzz.h"
#include <traceevent/event-parse.h>

static const char fields[] = "name: test\nID: 7\nformat:\n"
			     "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			     "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
			     "\tfield:u8 b;\toffset:8;\tsize:1;\tsigned:0;\n"
			     "\tfield:short h;\toffset:10;\tsize:2;\tsigned:1;\n"
			     "\tfield:int i;\toffset:12;\tsize:4;\tsigned:1;\n"
			     "\tfield:u64 q;\toffset:16;\tsize:8;\tsigned:0;\n"
			     "\tfield:char name[8];\toffset:24;\tsize:8;\tsigned:1;\n"
			     "\tfield:u16 arr[3];\toffset:32;\tsize:6;\tsigned:0;\n"
			     "\tfield:u8 mac[6];\toffset:38;\tsize:6;\tsigned:0;\n"
			     "\tfield:u8 ip[16];\toffset:44;\tsize:16;\tsigned:0;\n"
			     "\tfield:__data_loc char[] s;\toffset:60;\tsize:4;\tsigned:1;\n"
			     "\tfield:__data_loc u32[] d;\toffset:64;\tsize:4;\tsigned:0;\n"
			     "\tfield:__rel_loc char[] r;\toffset:68;\tsize:4;\tsigned:1;\n"
			     "\tfield:const char * k;\toffset:72;\tsize:8;\tsigned:0;\n"
			     "\tfield:char rest[];\toffset:80;\tsize:0;\tsigned:1;\n\n";

static const char *const formats[] = {
	"\"%d %u %x %#o %c\", REC->i, REC->b, REC->h, REC->q, REC->b",
	"\"%*d %-*.3s %.*x\", REC->i, REC->h, REC->h, REC->name, REC->i, REC->q",
	"\"%llx %lu %hhd %5d\", REC->q << REC->b, REC->q / REC->i, REC->q % REC->h, ~REC->i",
	"\"%s %s %s %s\", REC->name, __get_str(s), __get_rel_str(r), REC->rest",
	"\"%d\", REC->arr[REC->i] + ((u8 *)REC->arr)[REC->h] + ((u64 *)__get_dynamic_array(d))[REC->i]",
	"\"%s %s\", __print_hex(REC->mac, REC->i), __print_hex_str(__get_dynamic_array(d), REC->q)",
	"\"%s %s\", __print_array(REC->arr, REC->i, 2), "
	"__print_array(__get_dynamic_array(d), __get_dynamic_array_len(d), REC->b)",
	"\"%s %s\", __get_bitmask(d), __get_cpumask(s)",
	"\"%s\", __print_flags(REC->i, \"|\", {1, \"a\"}, {6, \"b\"}, {0x80, \"c\"}, {-1, \"none\"})",
	"\"%-9s|%3s\", __print_symbolic(REC->b, {1, \"one\"}, {2, \"two\"}, {200, \"many\"}), "
	"REC->b ? REC->h > 3 ? \"x\" : __get_str(s) : REC->name",
	"\"%pS %ps %p %s\", REC->k, REC->q, REC->q, REC->k",
	"\"%pM %pmR %pI4 %pI6 %pI6c %pUL\", REC->mac, REC->mac, REC->i, REC->ip, REC->ip, REC->ip",
	"\"%pISpc %pIS %*phC\", __get_sockaddr(d), REC->ip, REC->i, __get_dynamic_array(d)",
	"\"%d\", unknown(REC->i)",
};

/* All fields that the plug-ins' texts want. */
static const char plugin_fields[] = "\nID: 7\nformat:\n"
				    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
				    "\tfield:u64 call_site;\toffset:8;\tsize:8;\tsigned:0;\n"
				    "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
				    "\tfield:char next_comm[16];\toffset:24;\tsize:16;\tsigned:0;\n"
				    "\tfield:char comm[16];\toffset:16;\tsize:16;\tsigned:0;\n"
				    "\tfield:int prev_pid;\toffset:40;\tsize:4;\tsigned:1;\n"
				    "\tfield:int prev_prio;\toffset:44;\tsize:4;\tsigned:1;\n"
				    "\tfield:long prev_state;\toffset:48;\tsize:8;\tsigned:1;\n"
				    "\tfield:int next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
				    "\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n"
				    "\tfield:int pid;\toffset:40;\tsize:4;\tsigned:1;\n"
				    "\tfield:int prio;\toffset:44;\tsize:4;\tsigned:1;\n"
				    "\tfield:int target_cpu;\toffset:48;\tsize:4;\tsigned:1;\n"
				    "\tfield:void * hrtimer;\toffset:8;\tsize:8;\tsigned:0;\n"
				    "\tfield:s64 now;\toffset:16;\tsize:8;\tsigned:1;\n"
				    "\tfield:s64 expires;\toffset:24;\tsize:8;\tsigned:1;\n"
				    "\tfield:s64 softexpires;\toffset:32;\tsize:8;\tsigned:1;\n"
				    "\tfield:void * function;\toffset:40;\tsize:8;\tsigned:0;\n"
				    "\tfield:u32 * uaddr;\toffset:8;\tsize:8;\tsigned:0;\n"
				    "\tfield:int op;\toffset:16;\tsize:8;\tsigned:0;\n"
				    "\tfield:u32 val;\toffset:24;\tsize:8;\tsigned:0;\n"
				    "\tfield:void * utime;\toffset:32;\tsize:8;\tsigned:0;\n"
				    "\tfield:u32 * uaddr2;\toffset:40;\tsize:8;\tsigned:0;\n"
				    "\tfield:u32 val3;\toffset:48;\tsize:8;\tsigned:0;\n"
				    "\tfield:int reason;\toffset:8;\tsize:4;\tsigned:1;\n"
				    "\tfield:unsigned long pages;\toffset:16;\tsize:8;\tsigned:0;\n\n";

static const struct plugin_event {
	const char *system, *name;
} plugin_events[] = {
	{ "kmem", "kfree" },	      { "sched", "sched_switch" },	   { "sched", "sched_wakeup" },	      { "tlb", "tlb_flush" },
	{ "timer", "hrtimer_start" }, { "timer", "hrtimer_expire_entry" }, { "syscalls", "sys_enter_futex" },
};

static struct text kallsyms = { (char *)"10 t low\nffff10 T sym\nffff20 t other\t[mod]\n", 45 };
static struct text strings = { (char *)"0x20 : \"two\\n\"\n", 15 };

struct input {
	const uint8_t *at;
	size_t left;
};

static uint8_t take_byte(struct input *in)
{
	if (!in->left)
		return 0;
	in->left--;
	return *in->at++;
}

/* A number of the field as a format file could have it. */
static void change_field(struct tep_event *event, struct input *in)
{
	unsigned int which = take_byte(in) % 32, what = take_byte(in);
	int number = (int16_t)(take_byte(in) | take_byte(in) << 8);
	struct tep_format_field *f = event->format.fields;

	while (which-- && f->next)
		f = f->next;
	number = what & 8 ? number * 65536 : number;
	switch (what % 4) {
	case 0:
		f->offset = number;
		break;
	case 1:
		f->size = number;
		break;
	case 2:
		f->elementsize = number;
		break;
	default:
		f->flags ^= 1u << (number & 15);
	}
}

static void run_event(struct tep_event *event, const struct print_env *env, struct input *in)
{
	struct print_program *program;
	struct str out = { 0 };
	const char *why;
	uint8_t *record;

	if (print_compile(&program, event, env, &why))
		return;
	/* Memory of exactly its size, so that a byte read behind it is noticed. */
	record = malloc(in->left ? in->left : 1);
	if (record && in->left)
		memcpy(record, in->at, in->left);
	if (record)
		print_run(program, record, in->left, &out);
	free(record);
	str_fini(&out);
	print_free(program);
}

/* @plugin: print the event as that one of the plug-ins; NULL: by @format. */
static void print(const char *format, const struct plugin_event *plugin, struct input *in)
{
	uint8_t machine = take_byte(in), changes = take_byte(in) % 8, n;
	struct tep_handle *tep = tep_alloc();
	char *text = plugin ? str_printf("name: %s%sprint fmt: %s\n", plugin->name, plugin_fields, "\"%d\", REC->op")
			    : str_printf("%sprint fmt: %s\n", fields, format);
	struct print_env env = { .big_endian = machine & 1, .long_size = machine & 2 ? 4 : 8, .as = plugin ? PRINT_PLUGIN : PRINT_KERNEL };
	char *parsed, changed[256];
	struct symbols *symbols;
	struct printk *printk;
	struct tep_event *event;

	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(tep, env.long_size);
	tep_set_file_bigendian(tep, machine & 1 ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_parse_event(tep, text, strlen(text), plugin ? plugin->system : "test");
	event = tep_find_event(tep, 7);
	if (!event || symbols_new(&symbols, &kallsyms) || printk_new(&printk, &strings))
		abort();
	env.symbols = symbols;
	env.printk = printk;
	for (; changes; changes--)
		change_field(event, in);
	n = take_byte(in);
	n = MIN(n, in->left);
	memcpy(changed, in->at, n);
	changed[n] = '\0';
	in->at += n;
	in->left -= n;
	parsed = event->print_fmt.format;
	if (n)
		event->print_fmt.format = changed;
	run_event(event, &env, in);
	event->print_fmt.format = parsed;
	symbols_free(symbols);
	printk_free(printk);
	tep_free(tep);
	free(text);
}

static void look_up(struct input *in, bool in_printk)
{
	struct text text = { (char *)in->at, in->left };
	struct symbols *symbols;
	struct printk *printk;

	if (in_printk && !printk_new(&printk, &text)) {
		printk_find(printk, 0x20);
		printk_free(printk);
	} else if (!in_printk && !symbols_new(&symbols, &text)) {
		for (uint64_t addr = 1; addr; addr <<= 1)
			symbols_find(symbols, addr);
		symbols_address(symbols, "sym");
		symbols_free(symbols);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	uint8_t which;

	if (!size)
		return 0;
	which = take_byte(&in) % (ARRAY_LEN(formats) + 2 + ARRAY_LEN(plugin_events));
	if (which < ARRAY_LEN(formats))
		print(formats[which], NULL, &in);
	else if (which < ARRAY_LEN(formats) + 2)
		look_up(&in, which & 1);
	else
		print(NULL, &plugin_events[which - ARRAY_LEN(formats) - 2], &in);
	return 0;
}
