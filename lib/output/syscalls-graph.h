/* SPDX-License-Identifier: GPL-2.0 */
/* What the kernel did in chosen system calls, as function_graph recorded it: lines that stand below the call's. */
#ifndef RINGSIDE_SYSCALLS_GRAPH_H
#define RINGSIDE_SYSCALLS_GRAPH_H

#include "lib/analysis/syscalls.h"
#include "lib/base/str.h"
#include "lib/event/syscall-set.h"

struct syscalls_graph;

/* @names: as syscall_set_init() takes them; the rest is borrowed. Returns 0; -EINVAL after a message; -ENOMEM. */
int syscalls_graph_new(struct syscalls_graph **out, const inputs_t *inputs, const struct syscalls *calls, const strv_t *names);
void syscalls_graph_free(struct syscalls_graph *graph); /* accepts NULL */

/* A record of the function graph in the course of a call, which is remembered; any other record is nothing. Returns 0 or -ENOMEM. */
int syscalls_graph_record(struct syscalls_graph *graph, struct syscall_reader *reader, const struct record *rec);

/* A call begins: what its task did before is forgotten. */
void syscalls_graph_begin(struct syscalls_graph *graph, const struct syscall_open *call);

/* The lines of the call; "": there are none. They hold until its task's next call. */
const char *syscalls_graph_lines(const struct syscalls_graph *graph, const struct syscall_open *call);

/* Has any record of a function graph been seen? */
bool syscalls_graph_seen(const struct syscalls_graph *graph);

#endif
