/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes a text that says where in the code a task left the CPU or woke another task. The text names up to three functions of the task's stack. The
 * first function is the innermost function of the stack that does not belong to the scheduler or to tracing. The callers of this function follow.
 */
#ifndef RINGSIDE_STACKS_H
#define RINGSIDE_STACKS_H

#include "lib/base/base.h"

/* This is a text such as "io_schedule < folio_wait_bit_common < filemap_read". A struct that is all zero is an empty text. */
struct stack_text {
	char at[160];
	unsigned int n; /* how many functions are in the text */
};

/* Returns true when the text has three functions. A text cannot have more functions. */
bool stack_full(const struct stack_text *text);

/* Returns true if @function is one of the kernel's functions that record events. In the stack of an event, these functions are the innermost. */
bool stack_is_tracing(const char *function);

/*
 * Adds the next function of a stack. The innermost function must be added first. As long as the text is empty, functions of the scheduler and of
 * tracing are not added. A function for which the text has no room is not added either.
 */
void stack_add(struct stack_text *text, const char *function);

#endif
