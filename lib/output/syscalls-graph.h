/* SPDX-License-Identifier: GPL-2.0 */
/* Makes the lines that stand below a chosen system call. They show what the kernel did during the call, as function_graph recorded it. */
#ifndef RINGSIDE_SYSCALLS_GRAPH_H
#define RINGSIDE_SYSCALLS_GRAPH_H

#include "lib/analysis/syscalls.h"
#include "lib/base/str.h"
#include "lib/event/syscall-set.h"

struct syscalls_graph;

/*
 * @names says which system calls are chosen, in the form that syscall_set_init() (lib/event/syscall-set.h) takes. All other arguments are borrowed. Returns 0,
 * -EINVAL after a message, or -ENOMEM.
 */
int syscalls_graph_new(struct syscalls_graph **out, const inputs_t *inputs, const struct syscalls *calls, const strv_t *names);
void syscalls_graph_free(struct syscalls_graph *graph); /* accepts NULL */

/*
 * If @rec is a record of function_graph, and its task is in a chosen call, keeps the text of @rec. Ignores all other records. @reader finds the call of
 * the task. Returns 0 or -ENOMEM.
 */
int syscalls_graph_record(struct syscalls_graph *graph, struct syscall_reader *reader, const struct record *rec);

/* Notes that a system call begins, and forgets the lines of the earlier system calls of its task. */
void syscalls_graph_begin(struct syscalls_graph *graph, const struct syscall_open *call);

/* Returns the lines of the call, or "" when there are none. The lines are valid until the task of @call makes its next system call. */
const char *syscalls_graph_lines(const struct syscalls_graph *graph, const struct syscall_open *call);

/* Returns true when a record of function_graph has been seen. */
bool syscalls_graph_seen(const struct syscalls_graph *graph);

#endif
