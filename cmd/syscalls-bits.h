/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Warns of 32-bit programs. In these programs, system calls have other numbers than in 64-bit programs. The kernel's events have the number of a call, but do
 * not tell whether the program is a 32-bit program. So the calls of a 32-bit program are shown under the names that these numbers have in 64-bit programs.
 */
#ifndef RINGSIDE_SYSCALLS_BITS_H
#define RINGSIDE_SYSCALLS_BITS_H

#include "lib/record/spec.h"

/* Warns of each process of @spec->pids that runs a 32-bit program now. */
void syscalls_bits_of_processes(const struct record_spec *spec);

/*
 * Warns if the command of @spec is a 32-bit program. Does nothing if @spec has no command. If the command cannot be found or executed, the message of
 * workload_find() (lib/record/workload.h) is printed.
 */
void syscalls_bits_of_command(const struct record_spec *spec);

#endif
