/* SPDX-License-Identifier: GPL-2.0 */
/* From the arguments of a probe to what the kernel fetches. Inside lib/probe/command*.c only. */
#ifndef RINGSIDE_COMMAND_ARGS_H
#define RINGSIDE_COMMAND_ARGS_H

#include "lib/probe/command.h"

/* Where a probe goes, and so how its arguments are found. */
struct probe_target {
	const char *function;	/* in the kernel; NULL: in a file */
	struct elf_file *elf;
	uint64_t offset;
	bool ret;
	const fetches_t *usdt;	/* a USDT probe's own arguments, of which arg1 … choose; NULL: none */
};

/* Appends it under a name that no other has. It is @args' own then, or gone: 0 or -ENOMEM. */
int probe_args_add(fetches_t *args, struct fetch f);

/* Appends to c->args what c->spec asks for at @t. 0, or -errno after a message. */
int probe_args_compile(struct probe_world *world, const struct probe_target *t, struct probe_command *c);

#endif
