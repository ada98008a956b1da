/* SPDX-License-Identifier: GPL-2.0 */
/* Compiles the arguments of a probe into what the kernel fetches. Only lib/probe/command*.c use this. */
#ifndef RINGSIDE_COMMAND_ARGS_H
#define RINGSIDE_COMMAND_ARGS_H

#include "lib/probe/command.h"

/* The place of a probe, which decides how its arguments are found. */
struct probe_target {
	const char *function; /* in the kernel; NULL: in a file */
	struct elf_file *elf;
	uint64_t offset;
	bool ret;
	const fetches_t *usdt; /* the arguments that a USDT probe has, called arg1, arg2 and so on; NULL: it is no USDT probe */
};

/* Appends @f under a name that no other argument has. @f is taken over, also when memory runs out. Returns 0 or -ENOMEM. */
int probe_args_add(fetches_t *args, struct fetch f);

/*
 * Appends to c->args the arguments that c->spec asks for, as they are fetched at @t. Returns 0, or -errno after a message.
 */
int probe_args_compile(struct probe_world *world, const struct probe_target *t, struct probe_command *c);

#endif
