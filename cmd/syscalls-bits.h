/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Warns of programs of 32 bits. The kernel's events of system calls have the numbers of the calls, which are other ones for these programs, and do not tell
 * of which kind a program is.
 */
#ifndef RINGSIDE_SYSCALLS_BITS_H
#define RINGSIDE_SYSCALLS_BITS_H

#include "lib/record/spec.h"

/* Warns of each process of @spec->pids that runs such a program now. */
void syscalls_bits_of_processes(const struct record_spec *spec);

/* Warns if the command of @spec is such a program. It does nothing if there is no command, or if its program is not found. */
void syscalls_bits_of_command(const struct record_spec *spec);

#endif
