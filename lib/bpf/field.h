/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the values that a BPF program at a tracepoint can read: the event's task and CPU, and some of the event's fields. A program sees
 * only the arguments that the kernel passes to the tracepoint. For frequent events, a table in field.c tells from which argument each field of the event's
 * format is made. Some fields are members of a structure to which an argument points, such as task_struct.pid. The kernel's BTF
 * (/sys/kernel/btf/vmlinux) tells where these members are.
 */
#ifndef RINGSIDE_BPF_FIELD_H
#define RINGSIDE_BPF_FIELD_H

#include "lib/bpf/code.h"

/* The kernel's types. A struct bpf_types must be all zero at first. The functions below read the types when they need them. */
struct bpf_types {
	struct btf *btf; /* NULL: the types have not been read yet, or this kernel has no BTF */
	bool tried;	 /* reading the types has been tried */
};

void bpf_types_fini(struct bpf_types *types);

/*
 * Returns the BTF id of @tracepoint. A program that is attached with this id may follow the pointers in the tracepoint's arguments. Returns 0 when this
 * kernel has no such id.
 */
uint32_t bpf_types_tracepoint(struct bpf_types *types, const char *tracepoint);

struct bpf_field {
	enum {
		BPF_FIELD_NONE,	    /* no field has been found */
		BPF_FIELD_TASK,	    /* the thread in which the event happens */
		BPF_FIELD_CPU,	    /* the CPU on which the event happens */
		BPF_FIELD_ARGUMENT, /* an argument of the tracepoint, 8 bytes */
		BPF_FIELD_MEMBER,   /* an integer that is .size bytes long and lies .offset bytes behind the address in an argument */
		BPF_FIELD_TEXT	    /* a text that is .size bytes long with its NUL and lies .offset bytes behind the address in an argument */
	} kind;
	unsigned int argument; /* the argument's number; the first argument has the number 0 */
	uint32_t offset;       /* only for BPF_FIELD_MEMBER and BPF_FIELD_TEXT, in bytes */
	uint32_t size;	       /* only for BPF_FIELD_MEMBER and BPF_FIELD_TEXT, in bytes */
};

/* How many bytes a text has. All texts are names of tasks, which have TASK_COMM_LEN bytes (linux/sched.h). */
enum { BPF_TEXT_SIZE = 16 };

/*
 * Finds the field @name of @event. @event has the form "sched:sched_switch". The name "common_pid" gives a BPF_FIELD_TASK, and the name "common_cpu" gives a
 * BPF_FIELD_CPU. Returns false when a program cannot read the field.
 */
bool bpf_field_find(struct bpf_types *types, const char *event, const char *name, struct bpf_field *out);

/*
 * The first argument of raw_syscalls:sys_enter and raw_syscalls:sys_exit. This argument is the address at which the kernel keeps the registers of the thread.
 * The address lies on the thread's kernel stack, so no two threads have the same address at the same time. A new thread can get the stack, and so the address,
 * of a thread that has ended.
 */
#define BPF_FIELD_REGISTERS ((struct bpf_field){ .kind = BPF_FIELD_ARGUMENT })

/*
 * The table in field.c lists fields of @event. Returns the name of field @i of this list, or NULL when the list has no field @i. The first field has the
 * number 0. Some of these fields are members of a structure. On a kernel without BTF, bpf_field_find() does not find these members.
 */
const char *bpf_field_name(const char *event, size_t i);

/* Returns true if only a program that is attached with the id of bpf_types_tracepoint() can read this field. */
static inline bool bpf_field_typed(const struct bpf_field *field)
{
	return field->kind == BPF_FIELD_MEMBER || field->kind == BPF_FIELD_TEXT;
}

/*
 * These functions append instructions:
 *  - bpf_task_ask(): the instructions get the process id and the thread id of the task in which the event happens. The instructions keep both ids in
 *    register 9, and change registers 0 to 5.
 *  - bpf_task_process(): the instructions put the process id from register 9 into the register @dst.
 *  - bpf_task_thread(): the instructions put the thread id from register 9 into the register @dst.
 * The instructions of bpf_task_ask() must run before the instructions of the other two functions. Register 9 must not be changed in between.
 */
void bpf_task_ask(struct bpf_code *c);
void bpf_task_process(struct bpf_code *c, int dst);
void bpf_task_thread(struct bpf_code *c, int dst);

/*
 * These functions append instructions:
 *  - bpf_field_read(): the instructions read a field into the register @dst. The field is a number, and @dst is one of the registers 0 to 9. A number of 4
 *    bytes is not sign-extended. For a BPF_FIELD_CPU, registers 0 to 5 are changed, too. For all other kinds, only @dst is changed. For a BPF_FIELD_TASK,
 *    bpf_task_ask() must have been called before.
 *  - bpf_field_text(): the instructions copy a BPF_FIELD_TEXT to the address that is the sum of the register @to and @off. They write at most BPF_TEXT_SIZE
 *    bytes, and change registers 0 to 5.
 * The register @context must hold the value that register 1 had when the program began.
 */
void bpf_field_read(struct bpf_code *c, const struct bpf_field *field, int context, int dst);
void bpf_field_text(struct bpf_code *c, const struct bpf_field *field, int context, int to, int32_t off);

#endif
