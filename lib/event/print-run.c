/* SPDX-License-Identifier: GPL-2.0 */
/* Running print programs. */
#include "lib/event/print-program.h"

static void printer_start(struct printer *p)
{
	p->at = p->out->at + p->out->len;
	p->end = p->out->at + p->out->cap - 1;
}

static void printer_stop(struct printer *p)
{
	p->out->len = p->at - p->out->at;
	*p->at = '\0';
}

bool printer_grow(struct printer *p, size_t n)
{
	bool ok;

	printer_stop(p);
	ok = str_room(p->out, n + p->program->room);
	printer_start(p);
	return ok;
}

static uint64_t narrow(uint64_t value, int width)
{
	int unused = 64 - width * 8;

	return value << unused >> unused;
}

static void print_decimal(struct printer *p, uint64_t value, int width)
{
	int unused = 64 - width * 8;
	int64_t number = (int64_t)(value << unused) >> unused;

	if (number < 0)
		*p->at++ = '-';
	p->at = put_decimal(p->at, number < 0 ? -(uint64_t)number : (uint64_t)number);
}

static void print_pointer(struct printer *p, uint64_t value)
{
	if (!value) {
		memcpy(p->at, "(nil)", 5);
		p->at += 5;
		return;
	}
	*p->at++ = '0';
	*p->at++ = 'x';
	p->at = put_hex(p->at, value);
}

static void print_symbol(struct printer *p, uint64_t addr, bool with_offset)
{
	const struct symbol *sym = symbols_find(p->program->env.symbols, addr);
	size_t len = sym ? sym->name_len : 0;

	if (!printer_room(p, len + 20))
		return;
	if (sym) {
		memcpy(p->at, sym->name, len);
		p->at += len;
		if (!with_offset)
			return;
		*p->at++ = '+';
		addr -= sym->addr;
	}
	*p->at++ = '0';
	*p->at++ = 'x';
	p->at = put_hex(p->at, addr);
}

/* The bytes from @offset to a NUL, but not beyond the record or @most bytes. */
static void print_text_at(struct printer *p, const struct step *step, size_t offset, size_t most)
{
	const char *text = (const char *)p->data + offset;
	size_t n = offset < p->size ? MIN(most, p->size - offset) : 0;

	print_padded(p, step->spec, text, n ? strnlen(text, n) : 0);
}

static void print_dynamic_string(struct printer *p, const struct step *step)
{
	bool relative = step->place == PLACE_RELATIVE;
	struct extent e = dynamic_extent(p, step->offset, step->size, relative);

	if (e.len)
		print_text_at(p, step, e.offset, SIZE_MAX);
}

static void print_kernel_string(struct printer *p, const struct step *step)
{
	uint8_t bytes[8];
	const char *string;
	uint64_t addr;

	record_copy(p, step->offset, bytes, step->size);
	addr = number_at(p->program, bytes, step->size);
	string = printk_find(p->program->env.printk, addr);
	if (string)
		print_bytes(p, string, strlen(string));
	else if (printer_room(p, 16))
		p->at = put_hex(p->at, addr);
}

static void print_text(struct printer *p, const struct step *step)
{
	const char *text = p->program->pool.at + step->table;

	if (step->spec) {
		print_padded(p, step->spec, text, step->count);
		return;
	}
	memcpy(p->at, text, step->count);
	p->at += step->count;
}

/* The steps that are seldom in hot events. */
static void run_other(struct printer *p, const struct step *step)
{
	static void (*const printers[])(struct printer *p, const struct step *step) = {
		[STEP_DYN_STRING] = print_dynamic_string,
		[STEP_KERNEL_STRING] = print_kernel_string,
		[STEP_FLAGS] = print_flags,
		[STEP_SYMBOLIC] = print_symbolic,
		[STEP_BYTES] = print_hex_bytes,
		[STEP_ARRAY] = print_array,
		[STEP_BITMASK] = print_bitmask,
		[STEP_CPULIST] = print_cpulist,
		[STEP_MAC] = print_mac,
		[STEP_IP4] = print_ip4,
		[STEP_IP6] = print_ip6,
		[STEP_SOCKADDR] = print_sockaddr,
		[STEP_UUID] = print_uuid,
		[STEP_BUFFER] = print_buffer,
		[STEP_RAW_STRING] = print_raw_string,
		[STEP_RAW_BYTES] = print_raw_bytes,
	};

	printers[step->code](p, step);
}

static const struct step *run_step(struct printer *p, const struct step *step)
{
	const struct print_program *program = p->program;

	switch (step->code) {
	case STEP_TEXT:
		print_text(p, step);
		break;
	case STEP_DECIMAL:
		print_decimal(p, step_number(p, step), step->width);
		break;
	case STEP_UNSIGNED:
		p->at = put_decimal(p->at, narrow(step_number(p, step), step->width));
		break;
	case STEP_HEX:
		p->at = put_hex(p->at, narrow(step_number(p, step), step->width));
		break;
	case STEP_NUMBER:
		print_number(p, &program->specs.at[step->spec], step_number(p, step), step->width);
		break;
	case STEP_POINTER:
		print_pointer(p, step_number(p, step));
		break;
	case STEP_SYMBOL:
		print_symbol(p, step_number(p, step), step->flag);
		break;
	case STEP_STRING:
		print_text_at(p, step, step->offset, step->count ? step->count : SIZE_MAX);
		break;
	case STEP_JUMP_ZERO:
		if (step_number(p, step))
			break;
		return program->steps.at + step->table;
	case STEP_JUMP:
		return program->steps.at + step->table;
	default:
		run_other(p, step);
	}
	return step + 1;
}

void print_run(const struct print_program *program, const void *data, size_t size, struct str *out)
{
	struct printer p = { .program = program, .data = data, .size = size, .out = out };
	const struct step *step = program->steps.at;

	if (!str_room(out, program->room))
		return;
	printer_start(&p);
	while (step->code != STEP_END)
		step = run_step(&p, step);
	printer_stop(&p);
}
