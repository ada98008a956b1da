/* SPDX-License-Identifier: GPL-2.0 */
/* A small trace made by hand, for tests of what stands on lib/event: formats, symbols, task names, records. */
#ifndef RINGSIDE_UNIT_GRAPH_H
#define RINGSIDE_UNIT_GRAPH_H

#include "lib/analysis/input.h"

enum {
	ID_FUNCTION = 1,
	ID_STACK = 4,
	ID_PRINT,
	ID_EXIT = 10,
	ID_ENTRY = 11,
	ID_SWITCH = 300,
	ID_WAKEUP,
	ID_WAKING,
	ID_SYS_ENTER = 310,
	ID_SYS_EXIT,
	ID_ENTER_OPENAT,
	ID_EXIT_OPENAT,
	ID_ENTER_FUTILE,
	ID_EXIT_FUTILE,
	ID_F = 400,
	ID_F_RETURN,
	ID_G,
	ID_G_RETURN
};

struct hand_trace {
	struct metadata meta;
	struct trace_options opt;
	struct trace *trace;
	struct datfile file; /* with the buffer of the records */
	inputs_t inputs;     /* one: this trace, with a clock of ns that needs nothing */
};

void hand_trace_open(struct hand_trace *hand);
void hand_trace_close(struct hand_trace *hand);

/* Payloads; each points to memory that holds until the next call with the same @slot (below 64). */
struct record hand_entry(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, uint64_t func, uint32_t depth);
struct record hand_exit(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, uint64_t func, uint32_t depth, uint64_t duration);
struct record hand_function(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, uint64_t ip, uint64_t parent);
/* The kernel's stack, as many addresses of @callers as are not 0, five at most. */
struct record hand_stack(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, const uint64_t callers[5]);
struct record hand_switch(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, const char *comm, int next, const char *next_comm);
/* The same with the state in which the task is left: 0 runnable, 1 asleep. */
struct record hand_sleep(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, uint64_t state, int next);
/* The record with these common_flags. */
struct record hand_flags(struct record rec, uint8_t flags);
/* sched_wakeup or sched_waking of @whom. */
struct record hand_wakeup(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, uint16_t id, int whom);
/* Of --latency, with the stack pointer. */
struct record hand_call(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, uint16_t id, uint64_t sp);
struct record hand_return(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, uint16_t id, uint64_t sp);
/* A system call's entry or exit, by whichever event. */
struct record hand_syscall(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, uint16_t id, int64_t number);
/* What a program wrote to trace_marker, of 47 bytes at the most. */
struct record hand_print(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, const char *text);

#endif
