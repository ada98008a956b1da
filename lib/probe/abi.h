/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds where a call puts its parameters and its result. The calling convention says so: the System V ABI for x86-64 and AAPCS64 for arm64.
 * Where a function keeps its parameters later is not known here.
 */
#ifndef RINGSIDE_ABI_H
#define RINGSIDE_ABI_H

#include "lib/probe/ctype.h"

enum { ABI_PARTS = 4 };

enum abi_class {
	ABI_PADDING, /* these bytes are not passed */
	ABI_INTEGER, /* in a general register */
	ABI_VECTOR,  /* in a vector or floating-point register */
};

/* Some bytes of a value and the register that they are passed in. */
struct abi_part {
	enum abi_class class;
	unsigned int number;   /* among the class's registers for arguments, or for results; the first is 1 */
	unsigned int at, size; /* bytes from the value's beginning */
};

enum abi_kind {
	ABI_UNSURE,  /* it is not certain where the value is passed */
	ABI_NOTHING, /* an empty structure is not passed at all */
	ABI_REGISTERS,
	ABI_STACK,
};

struct abi_place {
	enum abi_kind kind;
	bool reference; /* the address of the value is passed instead of the value */
	struct abi_part parts[ABI_PARTS];
	unsigned int n;
	uint64_t stack;	 /* ABI_STACK: bytes from the first argument on the stack */
	const char *why; /* ABI_UNSURE: the reason, with which the sentence "it is not certain where it is passed: …" ends */
};

/* A call whose parameters are placed one by one, and what those placed so far have taken. */
struct abi_call {
	unsigned int machine;		/* EM_X86_64 or EM_AARCH64; for others only values that fit into one register are known */
	unsigned int integers, vectors; /* registers that are taken */
	uint64_t stack;			/* bytes that are taken */
	const char *unsure;		/* why the places of all further parameters are not certain; NULL: they are */
	const char *stack_unsure;	/* why those of parameters on the stack are not certain; NULL: they are */
};

/* How a value is passed, when more is known of it than its type tells. */
enum abi_how { ABI_BY_TYPE, ABI_BY_VALUE, ABI_BY_REFERENCE };

/* Begins the call of a function that returns @result. A large result takes a register for its address. */
void abi_begin(struct abi_call *c, unsigned int machine, const struct ctype *result);

/* Finds the place of the next parameter. */
void abi_next(struct abi_call *c, const struct ctype *type, enum abi_how how, struct abi_place *out);

/* Finds the place of a function's result at its return. For a void function it is ABI_NOTHING. */
void abi_result(unsigned int machine, const struct ctype *type, struct abi_place *out);

#endif
