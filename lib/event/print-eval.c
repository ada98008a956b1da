/* SPDX-License-Identifier: GPL-2.0 */
/* Evaluates the expressions of print programs on a stack, and finds dynamic arrays. */
#include "lib/event/print-program.h"

/*
 * Returns where a dynamic array is. Its field has the offset in the low 16 bits and the length in the high ones; a field of 2 bytes has only the offset. As in
 * libtraceevent, an offset or an end beyond the record counts as 0.
 */
struct extent dynamic_extent(const struct printer *p, uint32_t offset, int size, bool relative)
{
	struct extent e = { 0 };
	uint64_t where, at, len;

	if (!record_has(p, offset, size))
		return e;
	where = record_number(p, offset, size);
	at = where & 0xffff;
	if (size == 2)
		len = at < p->size ? p->size - at : 0;
	else
		len = where >> 16 & 0xffff;
	e.offset = at > p->size ? 0 : at;
	e.len = at + len > p->size ? 0 : len;
	if (relative)
		e.offset += offset + size;
	return e;
}

struct extent step_extent(const struct printer *p, const struct step *step, uint32_t field_len)
{
	struct extent e = { step->offset, field_len };
	size_t left;

	if (step->place != PLACE_FIELD)
		e = dynamic_extent(p, step->offset, step->size, step->place == PLACE_RELATIVE);
	left = e.offset < p->size ? p->size - e.offset : 0;
	if (e.len > left)
		e.len = left;
	return e;
}

uint64_t eval_binary(enum insn_code code, uint64_t left, uint64_t right)
{
	switch (code) {
	case INSN_ADD:
		return left + right;
	case INSN_SUB:
		return left - right;
	case INSN_MUL:
		return left * right;
	case INSN_DIV:
		return right ? left / right : 0;
	case INSN_MOD:
		return right ? left % right : 0;
	case INSN_AND:
		return left & right;
	case INSN_OR:
		return left | right;
	case INSN_XOR:
		return left ^ right;
	case INSN_SHL:
		return left << (right & 63);
	case INSN_SHR:
		return left >> (right & 63);
	case INSN_EQ:
		return left == right;
	case INSN_NE:
		return left != right;
	case INSN_LT:
		return left < right;
	case INSN_LE:
		return left <= right;
	case INSN_GT:
		return left > right;
	case INSN_GE:
		return left >= right;
	case INSN_BOTH:
		return left && right;
	case INSN_EITHER:
		return left || right;
	default:
		return 0;
	}
}

/* Returns an element of an array. The offset may overflow as in libtraceevent, but nothing outside the record is read. */
static uint64_t element(const struct printer *p, uint32_t base, uint64_t index, uint32_t scale, int size)
{
	uint32_t offset = base + index * scale;

	return record_number(p, offset, size);
}

/* Evaluates an expression. The compiler has made sure that the stack is large enough and that jumps lead forward. */
uint64_t eval(const struct printer *p, uint32_t expr)
{
	const struct insn *insns = p->program->insns.at, *i = insns + expr;
	uint64_t stack[EVAL_DEPTH + 1], *top = stack;
	uint8_t bytes[8];
	struct extent e;

	for (;; i++) {
		switch (i->code) {
		case INSN_END:
			return *top;
		case INSN_NUMBER:
			*++top = i->imm;
			break;
		case INSN_FIELD:
			*++top = record_field(p, i->offset, i->size);
			break;
		case INSN_CUT_FIELD:
			record_copy(p, i->offset, bytes, i->size);
			*++top = number_at(p->program, bytes, i->size);
			break;
		case INSN_DYN_LEN:
			*++top = dynamic_extent(p, i->offset, i->size, i->relative).len;
			break;
		case INSN_INDEX:
			*top = element(p, i->offset, *top, i->size, i->size);
			break;
		case INSN_DYN_INDEX:
			e = dynamic_extent(p, i->offset, i->size, i->relative);
			*top = element(p, e.offset, *top, 1, i->imm);
			break;
		case INSN_JUMP_ZERO:
			if (!*top--)
				i = insns + i->imm - 1;
			break;
		case INSN_JUMP:
			i = insns + i->imm - 1;
			break;
		case INSN_NOT:
			*top = !*top;
			break;
		case INSN_COMPLEMENT:
			*top = ~*top;
			break;
		case INSN_EXTEND:
			*top = (uint64_t)((int64_t)(*top << (64 - i->size * 8)) >> (64 - i->size * 8));
			break;
		default:
			if (i->has_imm) {
				*top = eval_binary(i->code, *top, i->imm);
			} else {
				top--;
				*top = eval_binary(i->code, *top, top[1]);
			}
		}
	}
}
