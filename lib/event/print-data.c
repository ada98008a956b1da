/* SPDX-License-Identifier: GPL-2.0 */
/* Prints names of values, and arrays of bytes, numbers and bits. */
#include "lib/event/print-program.h"

/* Prints "0x..." for a value without a name. */
static void print_value(struct printer *p, uint64_t value)
{
	if (printer_room(p, 18))
		p->at = put_0x(p->at, value);
}

static const char *text_of(const struct printer *p, const struct entry *entry)
{
	return p->program->pool.at + entry->text;
}

/*
 * Prints the names of flags. The entry before the flags is the delimiter. A flag with a negative value, which is not known, names the value 0. Bits that no
 * flag names are printed last, as a number.
 */
void print_flags(struct printer *p, const struct step *step)
{
	const struct entry *entry = p->program->entries.at + step->table, *end, *delim = entry++;
	int64_t value = step_number(p, step);
	bool more = false;

	if (!value && !step->flag)
		return;
	for (end = entry + step->count; entry < end; entry++) {
		if (!value && entry->value < 0) {
			print_padded(p, step->spec, text_of(p, entry), entry->len);
			break;
		}
		if (entry->value <= 0 || (value & entry->value) != entry->value)
			continue;
		if (more)
			print_bytes(p, text_of(p, delim), delim->len);
		print_padded(p, step->spec, text_of(p, entry), entry->len);
		more = true;
		value &= ~entry->value;
		if (!value && !step->flag)
			return;
	}
	if (!value)
		return;
	if (more)
		print_bytes(p, text_of(p, delim), delim->len);
	print_value(p, value);
}

/* Finds the entry of a value. Entries are sorted by value, and each value occurs once. */
static const struct entry *find_entry(const struct entry *entries, uint32_t n, int64_t value)
{
	uint64_t direct;

	if (!n || value < entries[0].value)
		return NULL;
	direct = (uint64_t)value - (uint64_t)entries[0].value;
	if (direct < n && entries[direct].value == value)
		return &entries[direct];
	while (n > 1) {
		uint32_t half = n / 2;

		if (entries[half].value <= value)
			entries += half;
		n -= half;
	}
	return entries->value == value ? entries : NULL;
}

void print_symbolic(struct printer *p, const struct step *step)
{
	uint64_t value = step_number(p, step);
	const struct entry *entry = find_entry(p->program->entries.at + step->table, step->count, value);

	if (entry)
		print_padded(p, step->spec, text_of(p, entry), entry->len);
	else if (!step->flag)
		print_value(p, value);
}

void print_hex_bytes(struct printer *p, const struct step *step)
{
	uint32_t n = eval(p, step->count);
	struct extent e = step_extent(p, step, UINT32_MAX);

	/* The count may exceed the array's own length, but not the record. */
	e.len = MIN(n, e.offset < p->size ? p->size - e.offset : 0);
	if (!printer_room(p, (size_t)e.len * 3))
		return;
	for (uint32_t i = 0; i < e.len; i++) {
		if (i && step->flag)
			*p->at++ = ' ';
		p->at = put_hex_byte(p->at, p->data[e.offset + i]);
	}
}

/* Prints "BAD SIZE:n 0x..." for an element whose size is none of 1, 2, 4 and 8. The elements after it are read as bytes. */
static void print_bad_element(struct printer *p, int size, uint8_t byte)
{
	uint64_t magnitude = size < 0 ? -(int64_t)size : size;

	print_bytes(p, "BAD SIZE:-", 10 - (size >= 0));
	if (!printer_room(p, 32))
		return;
	p->at = put_u64(p->at, magnitude);
	*p->at++ = ' ';
	print_value(p, byte);
}

void print_array(struct printer *p, const struct step *step)
{
	uint32_t n = eval(p, step->count);
	int size = eval(p, step->table);
	struct extent e = step_extent(p, step, UINT32_MAX);

	print_bytes(p, "{", 1);
	for (uint32_t i = 0; i < n; i++) {
		bool good = size == 1 || size == 2 || size == 4 || size == 8;

		if (!record_has(p, e.offset, good ? size : 1))
			break;
		if (i)
			print_bytes(p, ",", 1);
		if (good) {
			print_value(p, record_number(p, e.offset, size));
		} else {
			print_bad_element(p, size, p->data[e.offset]);
			size = 1;
		}
		e.offset += size;
	}
	print_bytes(p, "}", 1);
}

/* Returns byte @i of a mask, counted from the byte with the lowest bits. */
static uint8_t mask_byte(const struct printer *p, struct extent mask, uint32_t i)
{
	bool big_endian = p->program->env.big_endian;

	return p->data[mask.offset + (big_endian ? mask.len - 1 - i : i)];
}

/* Prints the mask in hexadecimal, the highest byte first, with a comma after every 32 bits. */
void print_bitmask(struct printer *p, const struct step *step)
{
	struct extent mask = step_extent(p, step, 0);

	if (!printer_room(p, (size_t)mask.len * 2 + mask.len / 4))
		return;
	for (uint32_t i = mask.len; i-- > 0;) {
		p->at = put_hex_byte(p->at, mask_byte(p, mask, i));
		if (i && !(i & 3))
			*p->at++ = ',';
	}
}

static bool mask_bit(const struct printer *p, struct extent mask, uint32_t bit)
{
	return mask_byte(p, mask, bit / 8) >> (bit % 8) & 1;
}

/* Prints the mask as the kernel writes lists of CPUs: "0-3,8". */
void print_cpulist(struct printer *p, const struct step *step)
{
	struct extent mask = step_extent(p, step, 0);
	uint32_t n = mask.len * 8, first, end;
	bool more = false;

	/* The list is longest if every second bit is set: up to 6 digits and a comma for two bits. */
	if (!printer_room(p, (size_t)n / 2 * 7 + 7))
		return;
	for (first = 0; first < n; first = end + 1) {
		end = first;
		if (!mask_bit(p, mask, first))
			continue;
		while (end < n && mask_bit(p, mask, end))
			end++;
		if (more)
			*p->at++ = ',';
		more = true;
		p->at = put_u64(p->at, first);
		if (end > first + 1) {
			*p->at++ = '-';
			p->at = put_u64(p->at, end - 1);
		}
	}
}

/* Puts bytes as "ARRAY[0a, 0b]". */
static void put_raw_bytes(struct printer *p, struct extent bytes)
{
	if (!printer_room(p, (size_t)bytes.len * 4 + 7))
		return;
	memcpy(p->at, "ARRAY[", 6);
	p->at += 6;
	for (uint32_t i = 0; i < bytes.len; i++) {
		if (i) {
			*p->at++ = ',';
			*p->at++ = ' ';
		}
		p->at = put_hex_byte(p->at, p->data[bytes.offset + i]);
	}
	*p->at++ = ']';
}

void print_raw_bytes(struct printer *p, const struct step *step)
{
	put_raw_bytes(p, step_extent(p, step, step->count));
}

static bool is_text(uint8_t c)
{
	return (c >= ' ' && c <= '~') || (c >= '\t' && c <= '\r');
}

/* Prints the field as a string if all its characters are text, and as bytes otherwise. The string may continue behind the field up to the end of the record. */
void print_raw_string(struct printer *p, const struct step *step)
{
	struct extent e = step_extent(p, step, step->count);
	const char *text = (const char *)p->data + e.offset;

	for (uint32_t i = 0; i < e.len && text[i]; i++) {
		if (!is_text(text[i])) {
			put_raw_bytes(p, e);
			return;
		}
	}
	if (e.offset < p->size)
		print_bytes(p, text, strnlen(text, p->size - e.offset));
}
