/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where a call puts its parameters and its result, by the calling convention of the processor: the System V ABI for x86-64
 * and AAPCS64 for arm64. Nothing here knows where a program keeps them later.
 */
#ifndef RINGSIDE_ABI_H
#define RINGSIDE_ABI_H

#include "lib/probe/ctype.h"

enum { ABI_PARTS = 4 };

enum abi_class {
	ABI_PADDING,		/* these bytes are not passed */
	ABI_INTEGER,		/* in a general register */
	ABI_VECTOR,		/* in a vector or floating-point register */
};

/* Some bytes of a value and the register that they are passed in. */
struct abi_part {
	enum abi_class class;
	unsigned int number;	/* the n-th register for arguments of its class, from 1; of a result: the n-th for results */
	unsigned int at, size;	/* bytes from the value's beginning */
};

enum abi_kind {
	ABI_UNSURE,
	ABI_NOTHING,		/* an empty structure is not passed at all */
	ABI_REGISTERS,
	ABI_STACK,
};

struct abi_place {
	enum abi_kind kind;
	bool reference;		/* not the value is passed but its address */
	struct abi_part parts[ABI_PARTS];
	unsigned int n;
	uint64_t stack;		/* ABI_STACK: bytes from the first argument on the stack */
	const char *why;	/* ABI_UNSURE: the reason, which ends "it is not certain where it is passed: " */
};

/* A call, parameter by parameter. */
struct abi_call {
	unsigned int machine;	/* EM_X86_64, EM_AARCH64; of others only what fits into a register each is known */
	unsigned int integers, vectors;	/* registers that are taken */
	uint64_t stack;		/* bytes that are taken */
	const char *unsure;	/* why nothing more is certain; NULL: it is */
	const char *stack_unsure;	/* the same of what is passed on the stack */
};

/* How a class is passed, where more is known of it than its type tells. */
enum abi_how { ABI_BY_TYPE, ABI_BY_VALUE, ABI_BY_REFERENCE };

/* Begins the call of a function that returns @result: a large one takes the register for its address. */
void abi_begin(struct abi_call *c, unsigned int machine, const struct ctype *result);

/* The place of the next parameter. */
void abi_next(struct abi_call *c, const struct ctype *type, enum abi_how how, struct abi_place *out);

/* Where a function's result is when it returns. A void function's is ABI_NOTHING. */
void abi_result(unsigned int machine, const struct ctype *type, struct abi_place *out);

#endif
