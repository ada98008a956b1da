/* clang-format off */
// SPDX-License-Identifier: GPL-2.0
/*
 * plugins/: made-up records of the kernel's events through libtraceevent with our plug-ins. The expected texts come from
 * the kernel's headers (what a number means), T10's and IETF's (what bytes mean), not from the plug-ins.
 */
#include "lib/base/str.h"
#include "tests/unit/unit.h"
#include <check.h>
#include <stdio.h>
#include <traceevent/event-parse.h>

/* A field with its value: a number of @size bytes; "char x[N]" and "__data_loc …[] x" take @bytes of @size. */
struct value {
	const char *declaration;
	int size;
	uint64_t number;
	const char *bytes;
	bool is_signed;
};

#define U8(name, n) { "u8 " name, 1, n, NULL, false }
#define U16(name, n) { "u16 " name, 2, n, NULL, false }
#define U32(name, n) { "u32 " name, 4, n, NULL, false }
#define U64(name, n) { "u64 " name, 8, n, NULL, false }
#define S32(name, n) { "int " name, 4, (uint32_t)(n), NULL, true }
#define S64(name, n) { "long " name, 8, (uint64_t)(n), NULL, true }
#define CHARS(name, n, text) { "char " name "[" #n "]", n, 0, text, true }
#define BYTES(name, n, text) { "__u8 " name "[" #n "]", n, 0, text, false }
#define DATA(type, name, text) { "__data_loc " type "[] " name, sizeof(text) - 1, 0, text, false }
#define TEXT(name, text) { "__data_loc char[] " name, sizeof(text), 0, text, false }

enum { VALUES = 14 };

static const struct row {
	const char *system, *event;
	const char *expected;
	struct value values[VALUES];
	const char *print;
	size_t cut; /* the record ends before this byte; 0: it is whole */
} rows[] = {
	{ "exceptions", "page_fault_user", "address=0x1000 ip=0xabc error_code=0x7 (protection|write|user)",
	  { U64("address", 0x1000), U64("ip", 0xabc), U64("error_code", 7) } },
	{ "exceptions", "page_fault_kernel", "address=0x0 ip=0x1 error_code=0x0 (read|not-present)",
	  { U64("address", 0), U64("ip", 1), U64("error_code", 0) } },
	{ "exceptions", "page_fault_user", "address=0x2 ip=0x1 error_code=0x14 (not-present|user|fetch)",
	  { U64("address", 2), U64("ip", 1), U64("error_code", 0x14) } },
	{ "power", "cpu_idle", "state=awake cpu_id=3", { U32("state", 0xffffffff), U32("cpu_id", 3) } },
	{ "power", "cpu_idle", "state=2 cpu_id=0", { U32("state", 2), U32("cpu_id", 0) } },
	{ "power", "cpu_frequency", "2400 MHz cpu_id=1", { U32("state", 2400000), U32("cpu_id", 1) } },
	{ "signal", "signal_generate", "SIGCHLD code=CLD_EXITED to bash:12 (process) delivered",
	  { S32("sig", 17), S32("errno", 0), S32("code", 1), CHARS("comm", 16, "bash"), S32("pid", 12), S32("group", 1),
	    S32("result", 0) } },
	{ "signal", "signal_generate", "SIGKILL code=SI_KERNEL errno=ENOMEM to a:1 (thread) already-pending",
	  { S32("sig", 9), S32("errno", 12), S32("code", 0x80), CHARS("comm", 16, "a"), S32("pid", 1), S32("group", 0),
	    S32("result", 2) } },
	{ "signal", "signal_deliver", "SIGSEGV code=SEGV_MAPERR handler=SIG_DFL flags=0",
	  { S32("sig", 11), S32("errno", 0), S32("code", 1), U64("sa_handler", 0), U64("sa_flags", 0) } },
	{ "signal", "signal_deliver", "SIGTERM code=SI_TKILL handler=0x4005 flags=SA_RESTART|SA_SIGINFO",
	  { S32("sig", 15), S32("errno", 0), S32("code", -6), U64("sa_handler", 0x4005), U64("sa_flags", 0x10000004) } },
	{ "irq", "softirq_entry", "NET_RX", { U32("vec", 3) } },
	{ "irq", "irq_handler_exit", "irq=5 ret=handled", { S32("irq", 5), S32("ret", 1) } },
	{ "irq_vectors", "local_timer_entry", "vector=236 LOCAL_TIMER", { S32("vector", 236) } },
	{ "irq_vectors", "reschedule_exit", "vector=253 RESCHEDULE", { S32("vector", 253) } },
	{ "irq_vectors", "call_function_entry", "vector=7", { S32("vector", 7) } },
	{ "block", "block_rq_issue", "8,16 flush|write|fua|sync|meta 4 KiB at 2048 [jbd2]",
	  { U32("dev", 8 << 20 | 16), U64("sector", 2048), U32("nr_sector", 8), U32("bytes", 4096),
	    CHARS("rwbs", 8, "FWFSM"), CHARS("comm", 16, "jbd2"), TEXT("cmd", "") } },
	{ "block", "block_rq_complete", "8,0 read|ahead 512 B at 7 ok",
	  { U32("dev", 8 << 20), U64("sector", 7), U32("nr_sector", 1), S32("error", 0), CHARS("rwbs", 8, "RA") } },
	{ "block", "block_rq_complete", "8,0 discard 1024 KiB at 7 error -5",
	  { U32("dev", 8 << 20), U64("sector", 7), U32("nr_sector", 2048), S32("error", -5), CHARS("rwbs", 8, "D") } },
	{ "block", "block_bio_remap", "253,0 write 4 KiB at 100 was 8,1 at 60",
	  { U32("dev", 253 << 20), U64("sector", 100), U32("nr_sector", 8), U32("old_dev", 8 << 20 | 1),
	    U64("old_sector", 60), CHARS("rwbs", 8, "W") } },
	{ "sched", "sched_switch", "ls:7 [nice 0] R+ ==> rt:8 [rt 50]",
	  { CHARS("prev_comm", 16, "ls"), S32("prev_pid", 7), S32("prev_prio", 120), S64("prev_state", 0x100),
	    CHARS("next_comm", 16, "rt"), S32("next_pid", 8), S32("next_prio", 49) } },
	{ "sched", "sched_switch", "ls:7 [nice -20] D|Z ==> dl:8 [deadline]",
	  { CHARS("prev_comm", 16, "ls"), S32("prev_pid", 7), S32("prev_prio", 100), S64("prev_state", 0x22),
	    CHARS("next_comm", 16, "dl"), S32("next_pid", 8), S32("next_prio", -1) } },
	/* A kernel whose states end earlier: the bit above them is 8. */
	{ "sched", "sched_switch", "ls:7 [nice 19] S+ ==> x:8 [nice 0]",
	  { CHARS("prev_comm", 16, "ls"), S32("prev_pid", 7), S32("prev_prio", 139), S64("prev_state", 0x9),
	    CHARS("next_comm", 16, "x"), S32("next_pid", 8), S32("next_prio", 120) },
	  "\"%s\", (REC->prev_state & 0x7) ? __print_flags(REC->prev_state & 0x7, \"|\", { 0x1, \"S\" }, "
	  "{ 0x2, \"D\" }, { 0x4, \"T\" }) : \"R\"" },
	{ "sched", "sched_wakeup", "ls:7 [nice 5] on CPU 2",
	  { CHARS("comm", 16, "ls"), S32("pid", 7), S32("prio", 125), S32("target_cpu", 2) } },
	{ "timer", "hrtimer_start", "hrtimer=0x10 function=0x20 expires=1.000000500s slack=500ns mode=REL|PINNED|HARD",
	  { U64("hrtimer", 16), U64("function", 32), S64("expires", 1000000500), S64("softexpires", 1000000000),
	    U32("mode", 11) } },
	{ "timer", "itimer_expire", "ITIMER_VIRTUAL pid=5 now=9", { S32("which", 1), S32("pid", 5), U64("now", 9) } },
	{ "net", "net_dev_start_xmit", "dev=eth0 protocol=IPv6 len=1514 checksum=partial",
	  { TEXT("name", "eth0"), U16("protocol", 0x86dd), U8("ip_summed", 3), U32("len", 1514) } },
	{ "net", "netif_receive_skb_entry", "dev=lo protocol=0x1234 len=60",
	  { TEXT("name", "lo"), U16("protocol", 0x1234), U32("len", 60) } },
	{ "sock", "inet_sock_set_state", "TCP 127.0.0.1:80 - 10.1.2.255:65535 SYN_SENT ==> ESTABLISHED",
	  { S32("oldstate", 2), S32("newstate", 1), U16("sport", 80), U16("dport", 65535), U16("family", 2),
	    U16("protocol", 6), BYTES("saddr", 4, "\x7f\0\0\1"), BYTES("daddr", 4, "\x0a\1\2\xff") } },
	{ "sock", "inet_sock_set_state", "TCP [::1]:1 - [2001:db8::1:0:0:1]:2 LISTEN ==> CLOSE",
	  { S32("oldstate", 10), S32("newstate", 7), U16("sport", 1), U16("dport", 2), U16("family", 10),
	    U16("protocol", 6), BYTES("saddr_v6", 16, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1"),
	    BYTES("daddr_v6", 16, "\x20\x01\x0d\xb8\0\0\0\0\0\1\0\0\0\0\0\1") } },
	{ "sock", "inet_sock_set_state", "MPTCP [fe80:0:1::]:1 - [::]:2 0 ==> 13",
	  { S32("oldstate", 0), S32("newstate", 13), U16("sport", 1), U16("dport", 2), U16("family", 10),
	    U16("protocol", 262), BYTES("saddr_v6", 16, "\xfe\x80\0\0\0\1\0\0\0\0\0\0\0\0\0\0"),
	    BYTES("daddr_v6", 16, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0") } },
	{ "kvm", "kvm_exit", "vcpu=1 reason=EPT_VIOLATION rip=0x99 info1=0x5",
	  { U32("exit_reason", 48), U64("guest_rip", 0x99), U32("isa", 1), U64("info1", 5), U64("info2", 0),
	    U32("vcpu_id", 1) } },
	{ "kvm", "kvm_exit", "reason=INVALID_STATE FAILED_VMENTRY rip=0x0",
	  { U32("exit_reason", 0x80000021), U64("guest_rip", 0), U32("isa", 1) } },
	{ "kvm", "kvm_exit", "reason=EXCP_14 rip=0x1", { U32("exit_reason", 0x4e), U64("guest_rip", 1), U32("isa", 2) } },
	{ "kvm", "kvm_exit", "reason=VMMCALL rip=0x1", { U32("exit_reason", 0x81), U64("guest_rip", 1), U32("isa", 2) } },
	{ "scsi", "scsi_dispatch_cmd_start", "2:0:1:0 READ_10 lba=16909060 blocks=8",
	  { U32("host_no", 2), U32("channel", 0), U32("id", 1), U32("lun", 0), U32("opcode", 0x28),
	    DATA("unsigned char", "cmnd", "\x28\0\1\2\3\4\0\0\x08\0") } },
	{ "scsi", "scsi_dispatch_cmd_done", "0:0:0:0 WRITE_16 lba=4294967296 blocks=65536 host=ok status=check-condition",
	  { U32("host_no", 0), U32("channel", 0), U32("id", 0), U32("lun", 0), S32("result", 2), U32("opcode", 0x8a),
	    DATA("unsigned char", "cmnd", "\x8a\0\0\0\0\1\0\0\0\0\0\1\0\0\0\0") } },
	{ "scsi", "scsi_dispatch_cmd_error", "0:0:0:0 READ_6 lba=65793 blocks=256 rtn=-5",
	  { U32("host_no", 0), U32("channel", 0), U32("id", 0), U32("lun", 0), S32("rtn", -5), U32("opcode", 8),
	    DATA("unsigned char", "cmnd", "\x08\xe1\1\1\0\0") } },
	{ "scsi", "scsi_dispatch_cmd_start", "0:0:0:0 READ_10",	/* cut */
	  { U32("host_no", 0), U32("channel", 0), U32("id", 0), U32("lun", 0), U32("opcode", 0x28),
	    DATA("unsigned char", "cmnd", "\x28\0\1") } },
	{ "raw_syscalls", "sys_exit", "mmap = 0x7f0000000000", { S64("id", 9), S64("ret", 0x7f0000000000) } },
	{ "raw_syscalls", "sys_exit", "mmap = -12 ENOMEM", { S64("id", 9), S64("ret", -12) } },
	{ "raw_syscalls", "sys_exit", "read = -512 ERESTARTSYS", { S64("id", 0), S64("ret", -512) } },
	{ "raw_syscalls", "sys_exit", "syscall 9999 = 0", { S64("id", 9999), S64("ret", 0) } },
	{ "syscalls", "sys_enter_socket", "family=AF_INET6, type=SOCK_STREAM|SOCK_NONBLOCK|SOCK_CLOEXEC, protocol=IPPROTO_TCP",
	  { S64("__syscall_nr", 41), U64("family", 10), U64("type", 0x80801), U64("protocol", 6) } },
	{ "syscalls", "sys_enter_futex", "uaddr=0x10, op=FUTEX_WAIT_BITSET|PRIVATE|CLOCK_REALTIME, val=2, utime=NULL, "
	  "uaddr2=NULL, val3=0xffffffff",
	  { S64("__syscall_nr", 202), U64("uaddr", 16), U64("op", 393), U64("val", 2), U64("utime", 0),
	    U64("uaddr2", 0), U64("val3", 0xffffffff) } },
	{ "syscalls", "sys_enter_clone", "clone_flags=CLONE_CHILD_CLEARTID|CLONE_CHILD_SETTID|SIGCHLD, newsp=NULL, "
	  "parent_tidptr=0x1, child_tidptr=NULL, tls=0x0",
	  { S64("__syscall_nr", 56), U64("clone_flags", 0x1200011), U64("newsp", 0),
	    U64("parent_tidptr", 1), U64("child_tidptr", 0), U64("tls", 0) } },
	{ "syscalls", "sys_enter_kill", "pid=-1, sig=SIGTERM", { S64("__syscall_nr", 62), U64("pid", -1), U64("sig", 15) } },
	{ "syscalls", "sys_exit_openat", "-13 EACCES", { S64("__syscall_nr", 257), S64("ret", -13) } },
	/* Records that end within a string, right before it, and before the text of a string: what is not there has no label. */
	{ "block", "block_rq_issue", "8,16 write 4 KiB at 2048 [jb]",
	  { U32("dev", 8 << 20 | 16), U64("sector", 2048), U32("nr_sector", 8), CHARS("rwbs", 8, "W"), CHARS("comm", 16, "jbd2") }, .cut = 38 },
	{ "block", "block_rq_issue", "8,16 write 4 KiB at 2048",
	  { U32("dev", 8 << 20 | 16), U64("sector", 2048), U32("nr_sector", 8), CHARS("rwbs", 8, "W"), CHARS("comm", 16, "jbd2") }, .cut = 36 },
	{ "net", "net_dev_start_xmit", " len=60", { U32("len", 60), TEXT("name", "lo"), U16("protocol", 8) }, .cut = 16 },
};

/* Where the values lie: each aligned to its size, what is dynamic behind them all. */
struct layout {
	struct str format;
	uint8_t data[256];
	size_t size;
};

static size_t put_field(struct layout *l, const struct value *v, size_t at)
{
	bool located = str_starts(v->declaration, "__data_loc"), array = v->bytes && !located;
	size_t size = located ? 4 : v->size, align = array ? 1 : size;

	at = (at + align - 1) / align * align;
	str_addf(&l->format, "\tfield:%s;\toffset:%zu;\tsize:%zu;\tsigned:%d;\n", v->declaration, at, size, v->is_signed);
	if (located) {
		uint32_t where = (uint32_t)v->size << 16 | l->size;

		memcpy(l->data + at, &where, 4);
		memcpy(l->data + l->size, v->bytes, v->size);
		l->size += v->size;
	} else if (v->bytes && str_starts(v->declaration, "char")) {
		strncpy((char *)l->data + at, v->bytes, size);
	} else if (v->bytes) {
		memcpy(l->data + at, v->bytes, size);
	} else {
		memcpy(l->data + at, &v->number, size);
	}
	return at + size;
}

static void lay_out(struct layout *l, const struct row *row, int id)
{
	uint16_t type = id;
	size_t at = 8;

	memcpy(l->data, &type, 2);
	str_addf(&l->format,
		 "name: %s\nID: %d\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		 "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n", row->event, id);
	l->size = 128;
	for (int i = 0; i < VALUES && row->values[i].declaration; i++)
		at = put_field(l, &row->values[i], at);
	ck_assert_uint_le(at, 128);
	if (row->cut)
		l->size = row->cut;
	str_addf(&l->format, "\nprint fmt: %s\n", row->print ? row->print : "\"plain\"");
}

static struct tep_handle *tep_with_plugins(struct tep_plugin_list **plugins)
{
	const char *o = getenv("O");
	__cleanup(free_ptr) char *dir = str_printf("%s/plugins", o ? o : "build");
	struct tep_handle *tep = tep_alloc();

	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_flag(tep, TEP_DISABLE_SYS_PLUGINS);
	tep_set_long_size(tep, 8);
	tep_add_plugin_path(tep, dir, TEP_PLUGIN_FIRST);
	*plugins = tep_load_plugins(tep);
	return tep;
}

/* The event's text, with a record that is cut to @size. */
static void print_row(struct tep_handle *tep, struct tep_event *event, const void *data, size_t size,
		      struct trace_seq *s)
{
	void *copy = malloc(size);
	struct tep_record record = { .data = copy, .size = (int)size };

	memcpy(copy, data, size);
	trace_seq_reset(s);
	tep_print_event(tep, s, &record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(s);
	(void)event;
	free(copy);
}

static void print_all(bool decode)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct tep_plugin_list *plugins;
		struct tep_handle *tep = tep_with_plugins(&plugins);
		struct layout l = { 0 };
		struct tep_event *event;
		struct trace_seq s;

		trace_seq_init(&s);
		lay_out(&l, &rows[i], 100 + (int)i);
		ck_assert_int_eq(tep_parse_event(tep, str_text(&l.format), l.format.len, rows[i].system), 0);
		event = tep_find_event(tep, 100 + (int)i);
		print_row(tep, event, l.data, l.size, &s);
		if (decode)
			ck_assert_str_eq(s.buffer, rows[i].expected);
		else
			ck_assert(strcmp(s.buffer, rows[i].expected) != 0);
		for (size_t size = 8; decode && size < l.size; size++)
			print_row(tep, event, l.data, size, &s);
		trace_seq_destroy(&s);
		str_fini(&l.format);
		tep_unload_plugins(plugins, tep);
		tep_free(tep);
	}
}

START_TEST(silent)
{
	print_all(false);
}
END_TEST

START_TEST(decoded)
{
	ck_assert_int_eq(tep_plugin_add_option("decode", NULL), 0);
	print_all(true);
}
END_TEST

Suite *plugins_suite(void)
{
	Suite *suite = suite_create("plugins");
	TCase *tc = tcase_create("texts");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, silent);
	tcase_add_test(tc, decoded);
	suite_add_tcase(suite, tc);
	return suite;
}
