/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/bpf/code.h"

static void add(struct bpf_code *c, int code, int dst, int src, int16_t off, int32_t imm)
{
	const struct bpf_insn insn = { .code = (uint8_t)code, .dst_reg = (uint8_t)(dst & 15), .src_reg = (uint8_t)(src & 15), .off = off, .imm = imm };

	if (!c->oom && vec_push(&c->insns, insn))
		c->oom = true;
}

void code_move(struct bpf_code *c, int dst, int src)
{
	add(c, BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0);
}

void code_move32(struct bpf_code *c, int dst, int src)
{
	add(c, BPF_ALU | BPF_MOV | BPF_X, dst, src, 0, 0);
}

void code_set(struct bpf_code *c, int dst, int32_t imm)
{
	add(c, BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, imm);
}

void code_alu(struct bpf_code *c, int op, int dst, int src)
{
	add(c, BPF_ALU64 | op | BPF_X, dst, src, 0, 0);
}

void code_alu_imm(struct bpf_code *c, int op, int dst, int32_t imm)
{
	add(c, BPF_ALU64 | op | BPF_K, dst, 0, 0, imm);
}

void code_load(struct bpf_code *c, int size, int dst, int src, int16_t off)
{
	add(c, BPF_LDX | BPF_MEM | size, dst, src, off, 0);
}

void code_store(struct bpf_code *c, int size, int dst, int16_t off, int src)
{
	add(c, BPF_STX | BPF_MEM | size, dst, src, off, 0);
}

void code_clear(struct bpf_code *c, int size, int dst, int16_t off)
{
	add(c, BPF_ST | BPF_MEM | size, dst, 0, off, 0);
}

void code_put32(struct bpf_code *c, int dst, int16_t off, int32_t imm)
{
	add(c, BPF_ST | BPF_MEM | BPF_W, dst, 0, off, imm);
}

void code_atomic(struct bpf_code *c, int op, int dst, int16_t off, int src)
{
	add(c, BPF_STX | BPF_ATOMIC | BPF_DW, dst, src, off, op);
}

/* Adds an instruction with a number of 64 bits. It takes the room of two instructions. */
static void add_wide(struct bpf_code *c, int dst, int kind, int32_t low, int32_t high)
{
	add(c, BPF_LD | BPF_IMM | BPF_DW, dst, kind, 0, low);
	add(c, 0, 0, 0, 0, high);
}

void code_set64(struct bpf_code *c, int dst, uint64_t imm)
{
	add_wide(c, dst, 0, (int32_t)(uint32_t)imm, (int32_t)(uint32_t)(imm >> 32));
}

void code_map(struct bpf_code *c, int dst, int fd)
{
	add_wide(c, dst, BPF_PSEUDO_MAP_FD, fd, 0);
}

void code_value(struct bpf_code *c, int dst, int fd, int32_t off)
{
	add_wide(c, dst, BPF_PSEUDO_MAP_VALUE, fd, off);
}

void code_call(struct bpf_code *c, int helper)
{
	add(c, BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

/* Notes that the next instruction jumps to @label. */
static void note_jump(struct bpf_code *c, unsigned int label)
{
	if (vec_push(&c->jumps, (struct bpf_jump){ c->insns.n, label }))
		c->oom = true;
}

void code_jump(struct bpf_code *c, int op, int dst, int src, unsigned int label)
{
	note_jump(c, label);
	add(c, BPF_JMP | op | BPF_X, dst, src, 0, 0);
}

void code_jump_imm(struct bpf_code *c, int op, int dst, int32_t imm, unsigned int label)
{
	note_jump(c, label);
	add(c, BPF_JMP | op | BPF_K, dst, 0, 0, imm);
}

void code_go(struct bpf_code *c, unsigned int label)
{
	note_jump(c, label);
	add(c, BPF_JMP | BPF_JA, 0, 0, 0, 0);
}

void code_label(struct bpf_code *c, unsigned int label)
{
	c->labels[label] = c->insns.n;
}

void code_element(struct bpf_code *c, int fd, int index, unsigned int none)
{
	code_store(c, BPF_W, BPF_REG_10, -4, index);
	code_move(c, BPF_REG_2, BPF_REG_10);
	code_alu_imm(c, BPF_ADD, BPF_REG_2, -4);
	code_map(c, BPF_REG_1, fd);
	code_call(c, BPF_FUNC_map_lookup_elem);
	code_jump_imm(c, BPF_JEQ, BPF_REG_0, 0, none);
}

void code_end(struct bpf_code *c, unsigned int label)
{
	code_label(c, label);
	code_set(c, BPF_REG_0, 0);
	add(c, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

int code_settle(struct bpf_code *c)
{
	if (c->oom)
		return -ENOMEM;
	vec_each (&c->jumps, jump)
		c->insns.at[jump->at].off = (int16_t)(c->labels[jump->label] - jump->at - 1);
	return 0;
}

void code_fini(struct bpf_code *c)
{
	vec_fini(&c->insns);
	vec_fini(&c->jumps);
}
