/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/bpf/field.h"
#include "lib/base/str.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>

/* The arguments are those of TP_PROTO in include/trace/events/sched.h, irq.h, lock.h and syscalls.h. */
static const struct known {
	const char *event, *field;
	unsigned int argument;
	const char *type, *member; /* if .member is NULL, the argument itself is the field */
} known[] = {
	{ "sched:sched_switch", "prev_comm", 1, "task_struct", "comm" },
	{ "sched:sched_switch", "prev_pid", 1, "task_struct", "pid" },
	{ "sched:sched_switch", "prev_prio", 1, "task_struct", "prio" },
	{ "sched:sched_switch", "next_comm", 2, "task_struct", "comm" },
	{ "sched:sched_switch", "next_pid", 2, "task_struct", "pid" },
	{ "sched:sched_switch", "next_prio", 2, "task_struct", "prio" },
	{ "sched:sched_waking", "comm", 0, "task_struct", "comm" },
	{ "sched:sched_waking", "pid", 0, "task_struct", "pid" },
	{ "sched:sched_waking", "prio", 0, "task_struct", "prio" },
	{ "sched:sched_wakeup", "comm", 0, "task_struct", "comm" },
	{ "sched:sched_wakeup", "pid", 0, "task_struct", "pid" },
	{ "sched:sched_wakeup", "prio", 0, "task_struct", "prio" },
	{ "sched:sched_wakeup_new", "comm", 0, "task_struct", "comm" },
	{ "sched:sched_wakeup_new", "pid", 0, "task_struct", "pid" },
	{ "sched:sched_wakeup_new", "prio", 0, "task_struct", "prio" },
	{ "sched:sched_migrate_task", "comm", 0, "task_struct", "comm" },
	{ "sched:sched_migrate_task", "pid", 0, "task_struct", "pid" },
	{ "sched:sched_migrate_task", "dest_cpu", 1, NULL, NULL },
	{ "sched:sched_process_fork", "parent_pid", 0, "task_struct", "pid" },
	{ "sched:sched_process_fork", "child_pid", 1, "task_struct", "pid" },
	{ "sched:sched_process_free", "pid", 0, "task_struct", "pid" },
	{ "raw_syscalls:sys_enter", "id", 1, NULL, NULL },
#ifdef __x86_64__
	{ "raw_syscalls:sys_exit", "id", 0, "pt_regs", "orig_ax" },
#endif
	{ "raw_syscalls:sys_exit", "ret", 1, NULL, NULL },
	{ "irq:irq_handler_entry", "irq", 0, NULL, NULL },
	{ "irq:irq_handler_exit", "irq", 0, NULL, NULL },
	{ "irq:irq_handler_exit", "ret", 2, NULL, NULL },
	{ "irq:softirq_raise", "vec", 0, NULL, NULL },
	{ "irq:softirq_entry", "vec", 0, NULL, NULL },
	{ "irq:softirq_exit", "vec", 0, NULL, NULL },
	{ "lock:contention_begin", "lock_addr", 0, NULL, NULL },
	{ "lock:contention_begin", "flags", 1, NULL, NULL },
	{ "lock:contention_end", "lock_addr", 0, NULL, NULL },
	{ "lock:contention_end", "ret", 1, NULL, NULL },
};

/* --- the kernel's types -------------------------------------------------------------------------------------------- */

static struct btf *types_of(struct bpf_types *types)
{
	if (!types->tried) {
		types->tried = true;
		libbpf_set_print(NULL);
		types->btf = btf__parse("/sys/kernel/btf/vmlinux", NULL);
	}
	return types->btf;
}

void bpf_types_fini(struct bpf_types *types)
{
	btf__free(types->btf);
	types->btf = NULL;
}

uint32_t bpf_types_tracepoint(struct bpf_types *types, const char *tracepoint)
{
	__cleanup(free_ptr) char *name = str_printf("btf_trace_%s", tracepoint);
	const struct btf *btf = types_of(types);
	int32_t id = btf && name ? btf__find_by_name_kind(btf, name, BTF_KIND_TYPEDEF) : 0;

	return id > 0 ? (uint32_t)id : 0;
}

/* Finds a member of a structure. Members of anonymous structures are members, too (randomize_layout puts fields into such structures). */
static bool find_member(const struct btf *btf, uint32_t id, const char *member, uint32_t base, struct bpf_field *out)
{
	const struct btf_type *type = btf__type_by_id(btf, id);
	const struct btf_member *members = type && (btf_is_struct(type) || btf_is_union(type)) ? btf_members(type) : NULL;

	for (unsigned int i = 0; members && i < btf_vlen(type); i++) {
		const char *name = btf__name_by_offset(btf, members[i].name_off);
		const uint32_t bits = btf_member_bit_offset(type, i);

		if (name && *name && strcmp(name, member) == 0) {
			const int64_t size = btf__resolve_size(btf, members[i].type);

			out->offset = base + bits / 8;
			out->size = (uint32_t)MAX(size, (int64_t)0);
			return bits % 8 == 0 && !btf_member_bitfield_size(type, i);
		}
		if (name && !*name && find_member(btf, members[i].type, member, base + bits / 8, out))
			return true;
	}
	return false;
}

static bool resolve(struct bpf_types *types, const struct known *k, struct bpf_field *out)
{
	const struct btf *btf = types_of(types);
	int32_t id = btf ? btf__find_by_name_kind(btf, k->type, BTF_KIND_STRUCT) : 0;

	if (id <= 0 || !find_member(btf, (uint32_t)id, k->member, 0, out))
		return false;
	out->kind = strcmp(k->member, "comm") == 0 ? BPF_FIELD_TEXT : BPF_FIELD_MEMBER;
	return out->kind == BPF_FIELD_TEXT ? out->size == BPF_TEXT_SIZE : out->size == 4 || out->size == 8;
}

/* --- fields -------------------------------------------------------------------------------------------------------- */

bool bpf_field_find(struct bpf_types *types, const char *event, const char *name, struct bpf_field *out)
{
	*out = (struct bpf_field){ .kind = BPF_FIELD_NONE };
	for (const struct known *k = known; k < known + ARRAY_LEN(known); k++) {
		if (strcmp(k->event, event) || strcmp(k->field, name))
			continue;
		out->argument = k->argument;
		out->kind = BPF_FIELD_ARGUMENT;
		return !k->type || resolve(types, k, out);
	}
	if (strcmp(name, "common_pid") == 0)
		out->kind = BPF_FIELD_TASK;
	else if (strcmp(name, "common_cpu") == 0)
		out->kind = BPF_FIELD_CPU;
	return out->kind != BPF_FIELD_NONE;
}

const char *bpf_field_name(const char *event, size_t i)
{
	for (const struct known *k = known; k < known + ARRAY_LEN(known); k++)
		if (strcmp(k->event, event) == 0 && !i--)
			return k->field;
	return NULL;
}

void bpf_task_ask(struct bpf_code *c)
{
	code_call(c, BPF_FUNC_get_current_pid_tgid);
	code_move(c, BPF_REG_9, BPF_REG_0);
}

void bpf_task_process(struct bpf_code *c, int dst)
{
	code_move(c, dst, BPF_REG_9);
	code_alu_imm(c, BPF_RSH, dst, 32);
}

void bpf_task_thread(struct bpf_code *c, int dst)
{
	code_move32(c, dst, BPF_REG_9);
}

void bpf_field_read(struct bpf_code *c, const struct bpf_field *field, int context, int dst)
{
	switch (field->kind) {
	case BPF_FIELD_TASK:
		bpf_task_thread(c, dst);
		break;
	case BPF_FIELD_CPU:
		code_call(c, BPF_FUNC_get_smp_processor_id);
		code_move(c, dst, BPF_REG_0);
		break;
	case BPF_FIELD_ARGUMENT:
	case BPF_FIELD_MEMBER:
		code_load(c, BPF_DW, dst, context, (int16_t)(field->argument * 8));
		if (field->kind == BPF_FIELD_MEMBER)
			code_load(c, field->size == 8 ? BPF_DW : BPF_W, dst, dst, (int16_t)field->offset);
		break;
	default:
		code_set(c, dst, 0);
	}
}

void bpf_field_text(struct bpf_code *c, const struct bpf_field *field, int context, int to, int32_t off)
{
	code_load(c, BPF_DW, BPF_REG_3, context, (int16_t)(field->argument * 8));
	code_alu_imm(c, BPF_ADD, BPF_REG_3, (int32_t)field->offset);
	code_set(c, BPF_REG_2, BPF_TEXT_SIZE);
	code_move(c, BPF_REG_1, to);
	code_alu_imm(c, BPF_ADD, BPF_REG_1, off);
	code_call(c, BPF_FUNC_probe_read_kernel_str);
}
