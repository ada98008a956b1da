/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds where the parameters of a function are at its entry, and where its result is at its return. Each of them is in registers or on the stack. The calling
 * convention tells where: the System V ABI on x86-64, and AAPCS64 on arm64. The calling convention does not tell where the function keeps its parameters after
 * its entry.
 */
#ifndef RINGSIDE_ABI_H
#define RINGSIDE_ABI_H

#include "lib/probe/ctype.h"

enum { ABI_PARTS = 4 };

enum abi_class {
	ABI_PADDING, /* the bytes are padding, which is not passed */
	ABI_INTEGER, /* the part is passed in a general register */
	ABI_VECTOR,  /* the part is passed in a vector or floating-point register */
};

/* A part of a value, and the register in which this part is passed. */
struct abi_part {
	enum abi_class class;
	unsigned int number; /* the position of the register among those that pass arguments (or results) of this class, from 1 on */
	unsigned int at;     /* how many bytes of the value are in front of the part */
	unsigned int size;   /* how many bytes the part has */
};

enum abi_kind {
	ABI_UNSURE,  /* it is not certain in which place the value is passed */
	ABI_NOTHING, /* the value is not passed at all, because it is an empty structure or the result of a void function */
	ABI_REGISTERS,
	ABI_STACK,
};

struct abi_place {
	enum abi_kind kind;
	bool reference; /* the address of the value is passed instead of the value */
	struct abi_part parts[ABI_PARTS];
	unsigned int n;	 /* how many of .parts there are */
	uint64_t stack;	 /* ABI_STACK: the offset of the value from the first argument on the stack, in bytes */
	const char *why; /* ABI_UNSURE: the reason, for the end of the message "it is not certain where it is passed: …" */
};

/* The parameters of a function are placed one by one. This struct tells what the parameters so far have taken up. */
struct abi_call {
	unsigned int machine;	  /* EM_X86_64 or EM_AARCH64; on other machines only places of values that fit into one register are known */
	unsigned int integers;	  /* how many general registers are taken so far */
	unsigned int vectors;	  /* how many vector registers are taken so far */
	uint64_t stack;		  /* how many bytes of the stack are taken so far */
	const char *unsure;	  /* why no further place is certain; NULL: further places are certain */
	const char *stack_unsure; /* why no further place on the stack is certain; NULL: these places are certain */
};

/*
 * This tells how a value is passed. ABI_BY_TYPE: the calling convention decides by the type of the value. ABI_BY_VALUE: the debug information says that the
 * value itself is passed. ABI_BY_REFERENCE: the debug information says that the address of the value is passed.
 */
enum abi_how { ABI_BY_TYPE, ABI_BY_VALUE, ABI_BY_REFERENCE };

/*
 * Prepares *@c for the parameters of a function whose result has the type @result. If the result is returned in memory, the caller passes the address of
 * this memory. On x86-64 this address takes the first general register for arguments, and on arm64 it has a register of its own.
 */
void abi_begin(struct abi_call *c, unsigned int machine, const struct ctype *result);

/* Finds the place of the next parameter. */
void abi_next(struct abi_call *c, const struct ctype *type, enum abi_how how, struct abi_place *out);

/* Finds the place of a function's result at its return. For a void function out->kind becomes ABI_NOTHING. */
void abi_result(unsigned int machine, const struct ctype *type, struct abi_place *out);

#endif
