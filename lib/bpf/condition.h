/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parses conditions of events, and makes the instructions by which BPF programs check the conditions. A condition is an event filter of the kernel in one of
 * these forms:
 *  - "FIELD == NUMBER" with a decimal number;
 *  - several comparisons of the first form for the same field, with || between them;
 *  - "(…)" or "(…) && (…)", with a condition of the first or the second form in each pair of parentheses.
 */
#ifndef RINGSIDE_BPF_CONDITION_H
#define RINGSIDE_BPF_CONDITION_H

#include "lib/bpf/field.h"

enum { CONDITION_PARTS = 2, CONDITION_NUMBERS = 1024 };

struct bpf_condition {
	struct {
		struct bpf_field field;
		uint64_t numbers[CONDITION_NUMBERS]; /* the part is true when the field has one of these numbers */
		size_t n;
	} parts[CONDITION_PARTS]; /* the condition is true when all of its parts are true */
	size_t n;
};

/*
 * Parses @text, a filter of @event. Returns false in each of these cases:
 *  - @text has none of the forms above;
 *  - @text has more than CONDITION_NUMBERS numbers for one field;
 *  - a BPF program cannot read one of the fields as a number.
 */
bool bpf_condition_parse(struct bpf_condition *out, struct bpf_types *types, const char *event, const char *text);

/* Returns true if only a BPF program that is attached with the id of bpf_types_tracepoint() can check the condition. */
bool bpf_condition_typed(const struct bpf_condition *condition);

/*
 * Appends instructions that jump to the label @otherwise if the condition is false. The instructions change registers 0 to 5 and 7. The register @context must
 * be none of these registers. @context must hold the value that the kernel gave to the program in register 1. If one of the fields is a BPF_FIELD_TASK,
 * bpf_task_ask() must have been called before. The instructions have at most CONDITION_PARTS labels, with the numbers from @label on. The caller must not use
 * these labels for anything else.
 */
void bpf_condition_check(struct bpf_code *c, const struct bpf_condition *condition, int context, unsigned int label, unsigned int otherwise);

#endif
