/* SPDX-License-Identifier: GPL-2.0 */
/* Where a task was when it left the CPU or woke another: the innermost functions, but for those of the scheduler and of tracing itself. */
#ifndef RINGSIDE_STACKS_H
#define RINGSIDE_STACKS_H

#include "lib/base/base.h"

/* "io_schedule < folio_wait_bit_common < filemap_read". All zero is an empty one. */
struct stack_text {
	char at[160];
	unsigned int n;		/* how many functions it names */
};

/* Has it as many as are told? */
bool stack_full(const struct stack_text *text);

/* The next function outwards; the first ones are left out as long as they say nothing. */
void stack_add(struct stack_text *text, const char *function);

#endif
