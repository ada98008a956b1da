/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs a BPF program at a tracepoint. The kernel removes the program when its descriptors are closed. So the kernel also removes the program when ringside
 * is killed. Tracefs is not changed. Other tracers may use the same tracepoint at the same time.
 */
#ifndef RINGSIDE_BPF_PROGRAM_H
#define RINGSIDE_BPF_PROGRAM_H

#include "lib/bpf/code.h"
#include "lib/bpf/field.h"

struct bpf_program {
	int prog, link; /* descriptors; -1: none */
	/*
	 * true: @types of bpf_program_load() was not NULL. In this case, the program can run only at the tracepoint for which it was loaded, and
	 * bpf_program_attach() ignores its argument @tracepoint.
	 */
	bool typed;
};

/* clang-format off */
#define BPF_PROGRAM_NONE { -1, -1, false }
/* clang-format on */

/*
 * Returns the name of the tracepoint at which the kernel makes the event @event. For "sched:sched_switch" this is "sched_switch". The name points into
 * @event. Returns NULL when the event has no tracepoint of its own. These events have no tracepoint: events of probes, synthetic events, events of one
 * system call (syscalls:*), and events of tracers (ftrace:*). @dynamic is the text of the tracefs file dynamic_events, or NULL when this kernel has no
 * such file.
 */
const char *bpf_tracepoint(const char *dynamic, const char *event);

/*
 * bpf_program_load() calls code_settle() (lib/bpf/code.h) and loads a program for @tracepoint. The caller still owns @code. @types are the kernel's types from
 * BTF (lib/bpf/field.h), or NULL. If @types is not NULL, the program may follow the pointers in the tracepoint's arguments. bpf_program_attach() lets the
 * program run at the tracepoint until bpf_program_detach() or bpf_program_close(). bpf_program_load() and bpf_program_attach() return 0, or -errno without a
 * message. After -errno, *@why says what the kernel refused and why. The caller frees *@why. *@why must be NULL before the call. *@why stays NULL when memory
 * runs out.
 */
int bpf_program_load(struct bpf_program *out, struct bpf_code *code, const char *tracepoint, struct bpf_types *types, char **why);
int bpf_program_attach(struct bpf_program *program, const char *tracepoint, char **why);
void bpf_program_detach(struct bpf_program *program);

/*
 * Returns how often the kernel skipped this program. The kernel skips a program that is already running on the same CPU. This happens when an interrupt
 * comes in the middle of the program. Returns 0 when the kernel does not count how often it skips programs.
 */
uint64_t bpf_program_missed(const struct bpf_program *program);

void bpf_program_close(struct bpf_program *program);

/*
 * Makes an array map with @n elements of @size bytes, all zero. Returns a descriptor, or -errno without a message. After -errno, *@why says what the
 * kernel refused and why (see bpf_program_attach() above). bpf_array_put() copies *@element to the element with the index @index. bpf_array_get()
 * copies this element to *@element. An element has as many bytes as @size of bpf_array() said. bpf_array_put() and bpf_array_get() return 0 or -errno, without
 * a message.
 */
int bpf_array(size_t size, size_t n, char **why);
int bpf_array_put(int fd, uint32_t index, const void *element);
int bpf_array_get(int fd, uint32_t index, void *element);

/*
 * bpf_array_mapped() makes an array map as bpf_array() does, and maps its elements into the process (mmap()). *@elements becomes the address of the first
 * element. @size must be a multiple of 8. bpf_array_mapped() returns what bpf_array() returns, and sets *@why in the same way. bpf_array_unmap() removes the
 * mapping, and leaves the map open. The @size of bpf_array_unmap() is the size of all elements together, in bytes. If its @elements is NULL, nothing happens.
 */
int bpf_array_mapped(size_t size, size_t n, void **elements, char **why);
void bpf_array_unmap(void *elements, size_t size);

/* Returns how many CPUs this machine can have: the number of possible CPUs. Returns 1 when this number cannot be found out. */
size_t bpf_cpus(void);

#endif
