/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Puts the instructions of a BPF program together. The kernel's Documentation/bpf/standardization/instruction-set.rst describes the instructions. Registers are
 * BPF_REG_0 to BPF_REG_10 (linux/bpf.h). A helper is a function of the kernel that a program may call. A call of a helper leaves its result in register 0 and
 * changes registers 1 to 5. Register 10 is the frame pointer, which points behind the last byte of the stack. Each function whose name begins with code_,
 * except code_label(), code_settle() and code_fini(), appends instructions to the program @c. Below, "dst = …" tells what the appended instructions do.
 */
#ifndef RINGSIDE_BPF_CODE_H
#define RINGSIDE_BPF_CODE_H

#include "lib/base/vec.h"

#include <linux/bpf.h>

/* A program has at most this many labels. A label is a number that the caller chooses, from 0 to CODE_LABELS - 1. */
enum { CODE_LABELS = 20 };

struct bpf_jump {
	size_t at;	    /* the index of the jump in bpf_code.insns */
	unsigned int label; /* the label to which the instruction jumps */
};

/* A struct that is all zero is an empty program. When memory runs out, .oom becomes true, and no more instructions are added. */
struct bpf_code {
	VEC(struct bpf_insn) insns;
	VEC(struct bpf_jump) jumps;
	size_t labels[CODE_LABELS]; /* element i is the index of the instruction at which the label i stands */
	bool oom;
};

/* code_move() is dst = src. code_move32() is dst = the lower 32 bits of src. code_set() is dst = imm, where imm is sign-extended. */
void code_move(struct bpf_code *c, int dst, int src);
void code_move32(struct bpf_code *c, int dst, int src);
void code_set(struct bpf_code *c, int dst, int32_t imm);

/*
 * code_alu() is dst = dst OP src, and code_alu_imm() is dst = dst OP imm, both in 64 bits. @op is BPF_ADD, BPF_SUB, BPF_AND, BPF_LSH or another operation of
 * linux/bpf.h.
 */
void code_alu(struct bpf_code *c, int op, int dst, int src);
void code_alu_imm(struct bpf_code *c, int op, int dst, int32_t imm);

/*
 * These functions append an instruction that accesses memory:
 * - code_load() is dst = *(src + off).
 * - code_store() is *(dst + off) = src.
 * - code_clear() is *(dst + off) = 0.
 * - code_put32() is *(dst + off) = imm in 4 bytes.
 * @size is BPF_B, BPF_H, BPF_W or BPF_DW: 1, 2, 4 or 8 bytes.
 */
void code_load(struct bpf_code *c, int size, int dst, int src, int16_t off);
void code_store(struct bpf_code *c, int size, int dst, int16_t off, int src);
void code_clear(struct bpf_code *c, int size, int dst, int16_t off);
void code_put32(struct bpf_code *c, int dst, int16_t off, int32_t imm);

/* Changes the 8 bytes at dst + off atomically: *(dst + off) OP= src. @op is BPF_ADD, BPF_OR or BPF_AND. */
void code_atomic(struct bpf_code *c, int op, int dst, int16_t off, int src);

/* dst = the 64-bit number @imm. */
void code_set64(struct bpf_code *c, int dst, uint64_t imm);

/*
 * code_map() is dst = the map with the descriptor @fd. code_value() is for a map that is an array with one element: dst = the address of byte @off of this
 * element.
 */
void code_map(struct bpf_code *c, int dst, int fd);
void code_value(struct bpf_code *c, int dst, int fd, int32_t off);

/* Calls a helper of the kernel (BPF_FUNC_…). */
void code_call(struct bpf_code *c, int helper);

/*
 * code_jump() jumps to @label if "dst OP src" is true. code_jump_imm() jumps to @label if "dst OP imm" is true. @op is BPF_JEQ, BPF_JNE, BPF_JGT or another
 * comparison of linux/bpf.h. code_go() always jumps to @label.
 */
void code_jump(struct bpf_code *c, int op, int dst, int src, unsigned int label);
void code_jump_imm(struct bpf_code *c, int op, int dst, int32_t imm, unsigned int label);
void code_go(struct bpf_code *c, unsigned int label);

/* Puts @label in front of the next instruction that is appended. */
void code_label(struct bpf_code *c, unsigned int label);

/*
 * Looks up an element of the array map with the descriptor @fd. @index is the register that has the element's index. Register 0 becomes the element's
 * address. If the map has no element with this index, the program jumps to @none. The instructions call a helper, and change the last 4 bytes of the stack.
 */
void code_element(struct bpf_code *c, int fd, int index, unsigned int none);

/*
 * Puts @label in front of the next instruction, and appends instructions that end the program with the result 0. A program can have several ends. The end that
 * was appended first is the fastest, so it should be the end that runs most often.
 */
void code_end(struct bpf_code *c, unsigned int label);

/*
 * Fills in the offsets of all jumps. bpf_program_load() (lib/bpf/program.h) calls this function. After this call, nothing may be appended. Returns 0, or
 * -ENOMEM if memory has run out in any of the functions above.
 */
int code_settle(struct bpf_code *c);

void code_fini(struct bpf_code *c);

#endif
