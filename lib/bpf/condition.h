/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parses conditions of events, and makes the instructions by which BPF programs check them. Only a small part of the language of the kernel's event filters
 * is understood: "FIELD == NUMBER" with a decimal number; several of these for the same field, with || between them; and two such conditions, written as
 * "(…) && (…)".
 */
#ifndef RINGSIDE_BPF_CONDITION_H
#define RINGSIDE_BPF_CONDITION_H

#include "lib/bpf/field.h"

enum { CONDITION_PARTS = 2, CONDITION_NUMBERS = 1024 };

struct bpf_condition {
	struct {
		struct bpf_field field;
		uint64_t numbers[CONDITION_NUMBERS]; /* the field must have one of these */
		size_t n;
	} parts[CONDITION_PARTS]; /* all must be true */
	size_t n;
};

/*
 * Parses @text, a filter of @event. Returns false when @text is not such a condition, when it has more than CONDITION_NUMBERS numbers for one field, or
 * when a program cannot read one of the fields as a number.
 */
bool bpf_condition_parse(struct bpf_condition *out, struct bpf_types *types, const char *event, const char *text);

/* Does checking the condition need a program that is attached by bpf_types_tracepoint()? */
bool bpf_condition_typed(const struct bpf_condition *condition);

/*
 * Appends instructions that go to the label @otherwise unless the condition is true. Registers 0 to 5 and 7 are changed. The register @context has what
 * the kernel gave to the program in register 1. If one of the fields is a BPF_FIELD_TASK, bpf_task_ask() must have been called before. The instructions
 * have labels from @label on, at most CONDITION_PARTS of them, which the caller must not use for anything else.
 */
void bpf_condition_check(struct bpf_code *c, const struct bpf_condition *condition, int context, unsigned int label, unsigned int otherwise);

#endif
