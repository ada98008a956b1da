/* SPDX-License-Identifier: GPL-2.0 */
/* Compiles the arguments of a probe into the kernel's fetch arguments (FETCHARGS). Only lib/probe/command*.c use this. */
#ifndef RINGSIDE_COMMAND_ARGS_H
#define RINGSIDE_COMMAND_ARGS_H

#include "lib/probe/command.h"

/* The place of a probe, which decides how its arguments are found. */
struct probe_target {
	const char *function; /* a kernel function; NULL: the probe is in the file .elf, at .offset */
	struct elf_file *elf;
	uint64_t offset;
	bool ret;	       /* the probe is at the return of the function */
	const fetches_t *usdt; /* the arguments of a USDT probe, which are called arg1, arg2 and so on; NULL: it is not a USDT probe */
};

/*
 * Gives @f a name that no other argument has, and appends @f to *@args. *@args then owns the texts of @f. Returns 0 or -ENOMEM. On failure, the texts of @f
 * are freed.
 */
int probe_args_add(fetches_t *args, struct fetch f);

/*
 * Appends to c->args the arguments that c->spec asks for, in the form in which the kernel can fetch them at @t. Returns 0, or -errno after a message.
 */
int probe_args_compile(struct probe_world *world, const struct probe_target *t, struct probe_command *c);

#endif
