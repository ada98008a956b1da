/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names the place in the code where a task left the CPU or woke another task. The name consists of the innermost functions of the task's stack at that
 * place, without functions of the scheduler and of tracing.
 */
#ifndef RINGSIDE_STACKS_H
#define RINGSIDE_STACKS_H

#include "lib/base/base.h"

/* This is a text such as "io_schedule < folio_wait_bit_common < filemap_read". A struct that is all zero is an empty text. */
struct stack_text {
	char at[160];
	unsigned int n; /* how many functions it names */
};

/* Returns true when the text names three functions, which is the most that a text has. */
bool stack_full(const struct stack_text *text);

/*
 * Is this one of tracing's own functions? In the stack of an event, these are the innermost functions. The function in which the event happened called
 * them.
 */
bool stack_is_tracing(const char *function);

/*
 * Adds the next function outwards. As long as the text is empty, functions of the scheduler and of tracing are left out. A function for
 * which the text has no room is left out as well.
 */
void stack_add(struct stack_text *text, const char *function);

#endif
