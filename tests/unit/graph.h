/* SPDX-License-Identifier: GPL-2.0 */
/* Makes a small trace in memory, for the tests of the code that uses lib/event. The trace has formats, symbols, task names and records. */
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
	ID_WAKEUP_NEW,
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
	struct datfile file; /* it has one buffer, to which the records belong */
	inputs_t inputs;     /* one input, which is this trace; its clock counts ns */
};

void hand_trace_open(struct hand_trace *hand);
void hand_trace_close(struct hand_trace *hand);

/* These return a record. The bytes of the record (.data) are valid until the next call with the same @slot, which is below 64. */
struct record hand_entry(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, uint64_t func, uint32_t depth);
struct record hand_exit(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, uint64_t func, uint32_t depth, uint64_t duration);
struct record hand_function(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, uint64_t ip, uint64_t parent);
/* A kernel_stack. It has the addresses in @callers that come before the first 0, at most five. */
struct record hand_stack(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, const uint64_t callers[5]);
struct record hand_switch(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, const char *comm, int next, const char *next_comm);
/* A sched_switch with @state as prev_state: 0 is runnable, 1 is asleep. */
struct record hand_sleep(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, uint64_t state, int next);
/* Returns @rec with @flags as common_flags. */
struct record hand_flags(struct record rec, uint8_t flags);
/* A sched_wakeup or sched_waking of the task @whom. */
struct record hand_wakeup(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, uint16_t id, int whom);
/* The records of the two probes of --latency: at the entry and at the exit of a call. @sp is the stack pointer. */
struct record hand_call(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, uint16_t id, uint64_t sp);
struct record hand_return(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, uint16_t id, uint64_t sp);
/* The entry or the exit of a system call. @id is the id of the record's event. */
struct record hand_syscall(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, uint16_t id, int64_t number);
/* What a program wrote to trace_marker. @text has at most 47 bytes. */
struct record hand_print(unsigned int slot, uint64_t ts, uint16_t cpu, int pid, const char *text);

#endif
