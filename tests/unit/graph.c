/* SPDX-License-Identifier: GPL-2.0 */
#include "tests/unit/graph.h"
#include "tests/unit/unit.h"

#define COMMON \
	"format:\n" \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

#define WAKEUP \
	"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:1;\n" \
	"\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n\nprint fmt: \"%d\", REC->pid\n"
/* Of one system call; what else it has is of no matter here. */
#define NAMED "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n\nprint fmt: \"%d\", REC->__syscall_nr\n"
/* As the kernel describes probes. */
#define CALL \
	"\tfield:unsigned long __probe_ip;\toffset:8;\tsize:8;\tsigned:0;\n" \
	"\tfield:u64 __sp;\toffset:16;\tsize:8;\tsigned:0;\n\n" \
	"print fmt: \"(%lx) __sp=0x%Lx\", REC->__probe_ip, REC->__sp\n"
#define RETURN \
	"\tfield:unsigned long __probe_func;\toffset:8;\tsize:8;\tsigned:0;\n" \
	"\tfield:unsigned long __probe_ret_ip;\toffset:16;\tsize:8;\tsigned:0;\n" \
	"\tfield:u64 __sp_popped;\toffset:24;\tsize:8;\tsigned:0;\n\n" \
	"print fmt: \"(%lx <- %lx) __sp_popped=0x%Lx\", REC->__probe_func, REC->__probe_ret_ip, REC->__sp_popped\n"

static const struct {
	const char *system, *text;
} formats[] = {
	{ "ftrace", "name: function\nID: 1\n" COMMON "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
		    "\tfield:unsigned long parent_ip;\toffset:16;\tsize:8;\tsigned:0;\n\n"
		    "print fmt: \" %ps <-- %ps\", (void *)REC->ip, (void *)REC->parent_ip\n" },
	{ "ftrace", "name: kernel_stack\nID: 4\n" COMMON "\tfield:int size;\toffset:8;\tsize:4;\tsigned:1;\n"
		    "\tfield:unsigned long caller[8];\toffset:16;\tsize:64;\tsigned:0;\n\nprint fmt: \"\"\n" },
	{ "ftrace", "name: funcgraph_exit\nID: 10\n" COMMON "\tfield:unsigned long func;\toffset:8;\tsize:8;\tsigned:0;\n"
		    "\tfield:unsigned int depth;\toffset:16;\tsize:4;\tsigned:0;\n"
		    "\tfield:unsigned int overrun;\toffset:20;\tsize:4;\tsigned:0;\n"
		    "\tfield:unsigned long long calltime;\toffset:24;\tsize:8;\tsigned:0;\n"
		    "\tfield:unsigned long long rettime;\toffset:32;\tsize:8;\tsigned:0;\n\nprint fmt: \"\"\n" },
	{ "ftrace", "name: funcgraph_entry\nID: 11\n" COMMON "\tfield:unsigned long func;\toffset:8;\tsize:8;\tsigned:0;\n"
		    "\tfield:unsigned int depth;\toffset:16;\tsize:4;\tsigned:0;\n\nprint fmt: \"\"\n" },
	{ "sched", "name: sched_switch\nID: 300\n" COMMON "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:1;\n"
		   "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
		   "\tfield:char next_comm[16];\toffset:28;\tsize:16;\tsigned:1;\n"
		   "\tfield:pid_t next_pid;\toffset:44;\tsize:4;\tsigned:1;\n"
		   "\tfield:long prev_state;\toffset:48;\tsize:8;\tsigned:1;\n\n"
		   "print fmt: \"%d ==> %d\", REC->prev_pid, REC->next_pid\n" },
	{ "sched", "name: sched_wakeup\nID: 301\n" COMMON WAKEUP },
	{ "sched", "name: sched_waking\nID: 302\n" COMMON WAKEUP },
	{ "sched", "name: sched_wakeup_new\nID: 303\n" COMMON WAKEUP },
	{ "raw_syscalls", "name: sys_enter\nID: 310\n" COMMON "\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n"
			  "\tfield:unsigned long args[6];\toffset:16;\tsize:48;\tsigned:0;\n\nprint fmt: \"%ld\", REC->id\n" },
	{ "raw_syscalls", "name: sys_exit\nID: 311\n" COMMON "\tfield:long id;\toffset:8;\tsize:8;\tsigned:1;\n"
			  "\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n\nprint fmt: \"%ld\", REC->id\n" },
	{ "syscalls", "name: sys_enter_openat\nID: 312\n" COMMON NAMED },
	{ "syscalls", "name: sys_exit_openat\nID: 313\n" COMMON NAMED },
	{ "syscalls", "name: sys_enter_futile\nID: 314\n" COMMON NAMED },
	{ "syscalls", "name: sys_exit_futile\nID: 315\n" COMMON NAMED },
	{ "ftrace", "name: print\nID: 5\n" COMMON "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
		    "\tfield:char buf[];\toffset:16;\tsize:0;\tsigned:0;\n\nprint fmt: \"%ps: %s\", (void *)REC->ip, REC->buf\n" },
	{ "ringside_latency", "name: f\nID: 400\n" COMMON CALL },
	{ "ringside_latency", "name: f_return\nID: 401\n" COMMON RETURN },
	{ "ringside_latency", "name: g\nID: 402\n" COMMON CALL },
	{ "ringside_latency", "name: g_return\nID: 403\n" COMMON RETURN },
};

static struct text copy(const char *text)
{
	return (struct text){ strdup(text), strlen(text) };
}

void hand_trace_open(struct hand_trace *hand)
{
	*hand = (struct hand_trace){ .meta = { .user_long_size = 8, .page_size = 4096, .ncpus = 2 } };
	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		struct event_text text = { strdup(formats[i].system), copy(formats[i].text) };

		ck_assert_int_eq(vec_push(&hand->meta.formats, text), 0);
	}
	hand->meta.kallsyms = copy("ffff000000001000 T alpha\nffff000000002000 T beta\n"
				   "ffff000000003000 t gamma\t[mod]\nffff000000004000 T delta\n"
				   "ffff000000005000 T schedule\n"
				   "ffff000000008000 T __irqentry_text_start\nffff000000008000 T do_irq\n"
				   "ffff000000009000 T __irqentry_text_end\n");
	hand->meta.cmdlines = copy("7 seven\n8 a name with spaces\n7 again\n");
	ck_assert_int_eq(trace_open(&hand->trace, &hand->meta, &hand->opt, 0), 0);
	ck_assert_int_eq(vec_push(&hand->file.buffers, (struct datbuf){ .name = (char *)"", .clock = (char *)"local" }), 0);
	ck_assert_int_eq(vec_push(&hand->inputs, (struct input){ .trace = hand->trace, .file = &hand->file, .clock.plain = true }), 0);
}

void hand_trace_close(struct hand_trace *hand)
{
	trace_close(hand->trace);
	vec_fini(&hand->inputs);
	vec_fini(&hand->file.buffers);
	trace_options_fini(&hand->opt);
	metadata_fini(&hand->meta);
}

/* The memory of a payload; tests run in one process each, one after the other. */
static char *payload(unsigned int slot, uint16_t id, int pid)
{
	static char memory[64][64] __attribute__((aligned(8)));
	char *at = memory[slot % 64];

	memset(at, 0, 64);
	memcpy(at, &id, 2);
	memcpy(at + 4, &pid, 4);
	return at;
}

struct record hand_entry(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, uint64_t func, uint32_t depth)
{
	char *at = payload(slot, ID_ENTRY, pid);

	memcpy(at + 8, &func, 8);
	memcpy(at + 16, &depth, 4);
	return (struct record){ .ts = ts, .cpu = cpu, .data = at, .size = 24 };
}

struct record hand_exit(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, uint64_t func, uint32_t depth, uint64_t duration)
{
	char *at = payload(slot, ID_EXIT, pid);
	uint64_t calltime = ts - duration;

	memcpy(at + 8, &func, 8);
	memcpy(at + 16, &depth, 4);
	memcpy(at + 24, &calltime, 8);
	memcpy(at + 32, &ts, 8);
	return (struct record){ .ts = ts, .cpu = cpu, .data = at, .size = 40 };
}

struct record hand_function(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, uint64_t ip, uint64_t parent)
{
	char *at = payload(slot, ID_FUNCTION, pid);

	memcpy(at + 8, &ip, 8);
	memcpy(at + 16, &parent, 8);
	return (struct record){ .ts = ts, .cpu = cpu, .data = at, .size = 24 };
}

struct record hand_stack(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, const uint64_t callers[5])
{
	char *at = payload(slot, ID_STACK, pid);

	memcpy(at + 16, callers, 40);
	return (struct record){ .ts = ts, .cpu = cpu, .data = at, .size = 56 };
}

struct record hand_switch(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, const char *comm, int next, const char *next_comm)
{
	char *at = payload(slot, ID_SWITCH, pid);

	memcpy(at + 8, comm, MIN(strlen(comm), (size_t)16));
	memcpy(at + 24, &pid, 4);
	memcpy(at + 28, next_comm, MIN(strlen(next_comm), (size_t)16));
	memcpy(at + 44, &next, 4);
	return (struct record){ .ts = ts, .cpu = cpu, .data = at, .size = 56 };
}

struct record hand_sleep(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, uint64_t state, int next)
{
	struct record rec = hand_switch(slot, ts, cpu, pid, "x", next, "y");

	memcpy((char *)rec.data + 48, &state, 8);
	return rec;
}

struct record hand_flags(struct record rec, uint8_t flags)
{
	((uint8_t *)rec.data)[2] = flags;
	return rec;
}

struct record hand_wakeup(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, uint16_t id, int whom)
{
	char *at = payload(slot, id, pid);

	memcpy(at + 24, &whom, 4);
	return (struct record){ .ts = ts, .cpu = cpu, .data = at, .size = 32 };
}

struct record hand_call(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, uint16_t id, uint64_t sp)
{
	char *at = payload(slot, id, pid);

	memcpy(at + 16, &sp, 8);
	return (struct record){ .ts = ts, .cpu = cpu, .data = at, .size = 24 };
}

struct record hand_return(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, uint16_t id, uint64_t sp)
{
	char *at = payload(slot, id, pid);

	memcpy(at + 24, &sp, 8);
	return (struct record){ .ts = ts, .cpu = cpu, .data = at, .size = 32 };
}

struct record hand_syscall(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, uint16_t id, int64_t number)
{
	char *at = payload(slot, id, pid);

	memcpy(at + 8, &number, 8);
	return (struct record){ .ts = ts, .cpu = cpu, .data = at, .size = 24 };
}

struct record hand_print(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, const char *text)
{
	char *at = payload(slot, ID_PRINT, pid);

	memcpy(at + 16, text, MIN(strlen(text) + 1, (size_t)48));
	return (struct record){ .ts = ts, .cpu = cpu, .data = at, .size = 16 + (uint32_t)MIN(strlen(text) + 1, (size_t)48) };
}
