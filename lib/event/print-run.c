/* SPDX-License-Identifier: GPL-2.0 */
/* Runs print programs. */
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

/* Puts the low @width bytes of @value as a signed number. */
static inline char *put_signed(char *at, uint64_t value, int width)
{
	int unused = 64 - width * 8;

	return put_s64(at, (int64_t)(value << unused) >> unused);
}

static inline uint64_t narrow(uint64_t value, int width)
{
	int unused = 64 - width * 8;

	return value << unused >> unused;
}

static char *put_pointer(char *at, uint64_t value)
{
	if (value)
		return put_0x(at, value);
	memcpy(at, "(nil)", 5);
	return at + 5;
}

/* Room for what symbol styles add to the name. */
#define SYMBOL_ROOM 48

/* Puts an address that belongs to no symbol. */
static char *put_unknown(char *at, enum symbol_style style, uint64_t addr)
{
	unsigned int zeros;

	if (style == SYMBOL_CALL_SITE)
		return at;
	if (style != SYMBOL_SLASH)
		return put_0x(at, addr);
	at = put_bytes(at, " function=0x", 12);
	zeros = addr >> 28 ? 0 : 7 - (unsigned int)(63 - __builtin_clzll(addr | 1)) / 4;
	return put_hex(put_fill(at, '0', zeros), addr);
}

void print_symbol(struct printer *p, uint64_t addr, enum symbol_style style)
{
	const struct symbol *sym = symbols_find(p->program->env.symbols, addr);
	uint64_t offset;
	char *at;

	if (!printer_room(p, (sym ? sym->name_len : 0) + SYMBOL_ROOM))
		return;
	at = p->at;
	if (!sym) {
		p->at = put_unknown(at, style, addr);
		return;
	}
	offset = addr - sym->addr;
	if (style == SYMBOL_CALL_SITE)
		*at++ = '(';
	else if (style == SYMBOL_SLASH)
		at = put_bytes(at, " function=", 10);
	at = put_bytes(at, sym->name, sym->name_len);
	if (style == SYMBOL_OFFSET) {
		*at++ = '+';
		at = put_0x(at, offset);
	} else if (style == SYMBOL_CALL_SITE) {
		*at++ = '+';
		at = put_bytes(put_0x(at, (uint32_t)offset), ") ", 2);
	} else if (style == SYMBOL_SLASH) {
		*at++ = '/';
		at = put_0x(at, -offset);
	}
	p->at = at;
}

static void print_symbol_step(struct printer *p, const struct step *step)
{
	print_symbol(p, step_number(p, step), step->flag);
}

void print_pointer(struct printer *p, uint64_t value)
{
	if (printer_room(p, 18))
		p->at = put_pointer(p->at, value);
}

/* Prints the bytes from @offset up to a NUL, at most @most and not beyond the record. */
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

static void print_field_string(struct printer *p, const struct step *step)
{
	print_text_at(p, step, step->offset, step->count ? step->count : SIZE_MAX);
}

static void print_padded_text(struct printer *p, const struct step *step)
{
	print_padded(p, step->spec, p->program->pool.at + step->table, step->count);
}

static void print_other_number(struct printer *p, const struct step *step)
{
	print_number(p, &p->program->specs.at[step->spec], step_number(p, step), step->width);
}

/* Returns how many of the 8 bytes at @bytes come before a NUL. */
static unsigned int length_8(const void *bytes)
{
	const uint64_t ones = 0x0101010101010101, highs = 0x8080808080808080;
	uint64_t word, zeros;

	memcpy(&word, bytes, sizeof(word));
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		word = __builtin_bswap64(word);
	zeros = (word - ones) & ~word & highs; /* exact up to the first one */
	return zeros ? __builtin_ctzll(zeros) / 8 : 8;
}

static char *put_string_16(const struct printer *p, const struct step *step, char *at)
{
	char bytes[16];
	unsigned int n;

	if (likely(record_has(p, step->offset, 16)))
		memcpy(bytes, p->data + step->offset, 16);
	else
		record_copy(p, step->offset, bytes, 16);
	memcpy(at, bytes, 16);
	n = length_8(bytes);
	return at + (n < 8 ? n : 8 + length_8(bytes + 8));
}

/* Runs a step that makes room for its text itself. */
static void run_other(struct printer *p, const struct step *step)
{
	static void (*const printers[])(struct printer * p, const struct step *step) = {
		[STEP_PADDED_TEXT] = print_padded_text,
		[STEP_NUMBER] = print_other_number,
		[STEP_SYMBOL] = print_symbol_step,
		[STEP_STRING] = print_field_string,
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
		[STEP_BINARY] = print_binary,
	};

	printers[step->code](p, step);
}

/* Runs the steps. There must be room for those of known length. @at is where the text goes on, and is returned; as a local it stays in a register. */
static char *run(struct printer *p, char *at)
{
	const struct print_program *program = p->program;
	const struct step *step = program->steps.at;

	for (;; step++) {
		switch (step->code) {
		case STEP_END:
			return at;
		case STEP_TEXT:
			at = put_short(at, program->pool.at + step->table, step->count);
			break;
		case STEP_DECIMAL:
			at = put_signed(at, step_number(p, step), step->width);
			break;
		case STEP_UNSIGNED:
			at = put_u64(at, narrow(step_number(p, step), step->width));
			break;
		case STEP_HEX:
			at = put_hex(at, narrow(step_number(p, step), step->width));
			break;
		case STEP_POINTER:
			at = put_pointer(at, step_number(p, step));
			break;
		case STEP_STRING_16:
			at = put_string_16(p, step, at);
			break;
		case STEP_JUMP_ZERO:
			if (!step_number(p, step))
				step = program->steps.at + step->table - 1;
			break;
		case STEP_JUMP:
			step = program->steps.at + step->table - 1;
			break;
		default:
			p->at = at;
			run_other(p, step);
			at = p->at;
		}
	}
}

void print_run(const struct print_program *program, const void *data, size_t size, struct str *out)
{
	struct printer p = { .program = program, .data = data, .size = size, .out = out };

	if (size >= 8 && !program->swap && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
		p.plain_end = size - 7;
	if (unlikely(out->cap - out->len <= program->room) && !str_room(out, program->room))
		return;
	printer_start(&p);
	p.at = run(&p, p.at);
	printer_stop(&p);
}
