/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes a text that says where in the code a task left the CPU or woke another task. The text names up to three functions of the task's stack. The
 * first of them is the innermost function that belongs neither to the scheduler nor to tracing. Its callers follow.
 */
#ifndef RINGSIDE_STACKS_H
#define RINGSIDE_STACKS_H

#include "lib/base/base.h"

/* This is a text such as "io_schedule < folio_wait_bit_common < filemap_read". A struct that is all zero is an empty text. */
struct stack_text {
	char at[160];
	unsigned int n; /* how many functions are in the text */
};

/* Returns true when the text has three functions. It cannot have more. */
bool stack_full(const struct stack_text *text);

/*
 * Returns true if this is one of the functions that do the tracing. In the stack of an event, such functions are the innermost. The function in which
 * the event happened has called them.
 */
bool stack_is_tracing(const char *function);

/*
 * Adds the next function of a stack. The innermost function must be added first. As long as the text is empty, functions of the scheduler and of
 * tracing are left out. A function for which the text has no room is left out, too.
 */
void stack_add(struct stack_text *text, const char *function);

#endif
