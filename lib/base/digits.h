/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes numbers as text without printf, for code that writes millions of lines. Each function writes at @at, without a NUL, and returns where the text
 * ends. The caller must have made enough room at @at. A number needs 20 bytes, unless the comment of the function tells another size.
 */
#ifndef RINGSIDE_DIGITS_H
#define RINGSIDE_DIGITS_H

#include "lib/base/base.h"

extern const char digit_pairs[201];	/* "000102…99" */
extern const char digit_triples[3001];	/* "000001002…999" */
extern const char hex_pairs[513];	/* "000102…ff" */
extern const uint64_t powers_of_10[20]; /* element i is 10^i if i > 0; element 0 is 0, which makes count_digits(0) return 1 */

static inline char *put_bytes(char *at, const void *bytes, size_t n)
{
	memcpy(at, bytes, n);
	return at + n;
}

/*
 * put_short() does what put_bytes() does, but faster for short texts. It copies at least SHORT_ROOM bytes from @text to @at, even if @n is smaller. So at least
 * SHORT_ROOM bytes at @text must be readable, and at least SHORT_ROOM bytes at @at must be writable.
 */
enum { SHORT_ROOM = 48 };

static inline char *put_short(char *at, const char *text, size_t n)
{
	memcpy(at, text, SHORT_ROOM);
	if (unlikely(n > SHORT_ROOM))
		memcpy(at + SHORT_ROOM, text + SHORT_ROOM, n - SHORT_ROOM);
	return at + n;
}

static inline char *put_fill(char *at, char c, size_t n)
{
	memset(at, c, n);
	return at + n;
}

/* Writes @n blanks. There must be room for at least 32 bytes, even if @n is less. */
static inline char *put_blanks(char *at, size_t n)
{
	memset(at, ' ', 32);
	if (unlikely(n > 32))
		memset(at + 32, ' ', n - 32);
	return at + n;
}

/* put_2(), put_3(), put_6() and put_9() write exactly two, three, six or nine digits with leading zeros. @v must not have more digits. */
static inline char *put_2(char *at, unsigned int v)
{
	memcpy(at, digit_pairs + 2 * v, 2);
	return at + 2;
}

static inline char *put_3(char *at, unsigned int v)
{
	memcpy(at, digit_triples + 3 * v, 3);
	return at + 3;
}

static inline char *put_6(char *at, unsigned int v)
{
	return put_3(put_3(at, v / 1000), v % 1000);
}

static inline char *put_9(char *at, unsigned int v)
{
	return put_6(put_3(at, v / 1000000), v % 1000000);
}

/* Returns the number of decimal digits of @v. */
static inline unsigned int count_digits(uint64_t v)
{
	/* The guess is the number of digits or one less, because log10(2) is about 1233 / 4096. */
	unsigned int guess = (64 - (unsigned int)__builtin_clzll(v | 1)) * 1233 >> 12;

	return guess + (v >= powers_of_10[guess]);
}

/* Writes a number of 32 bits. */
static inline char *put_half(char *at, uint32_t v)
{
	char *end, *p;

	if (v < 10) {
		*at = (char)('0' + v);
		return at + 1;
	}
	end = p = at + count_digits(v);
	while (v >= 100) {
		p -= 2;
		memcpy(p, digit_pairs + 2 * (v % 100), 2);
		v /= 100;
	}
	if (v >= 10)
		memcpy(p - 2, digit_pairs + 2 * v, 2);
	else
		p[-1] = (char)('0' + v);
	return end;
}

/* Writes a number of 64 bits. */
static inline char *put_u64(char *at, uint64_t v)
{
	const uint64_t billion = 1000000000;

	if (likely(v <= UINT32_MAX))
		return put_half(at, (uint32_t)v);
	if (unlikely(v / billion >= billion)) {
		at = put_half(at, (uint32_t)(v / billion / billion));
		v %= billion * billion;
		return put_9(put_9(at, (unsigned int)(v / billion)), (unsigned int)(v % billion));
	}
	return put_9(put_half(at, (uint32_t)(v / billion)), (unsigned int)(v % billion));
}

/* Writes a number below 1000. put_lead() always changes four bytes, even if the number has fewer digits. */
static inline char *put_lead(char *at, unsigned int v)
{
	const unsigned int n = 1u + (v >= 10) + (v >= 100);

	memcpy(at, digit_triples + 3 * v + 3 - n, 4);
	return at + n;
}

/* Does the work of put_loose() for numbers from 1000 on. */
static __attribute__((noinline, unused)) char *put_large(char *at, uint64_t v)
{
	const uint64_t billion = 1000000000;
	const unsigned int high = (unsigned int)(v / billion), low = (unsigned int)(v % billion);

	if (v < 1000000)
		return put_3(put_lead(at, low / 1000), low % 1000);
	if (v < billion)
		return put_6(put_lead(at, low / 1000000), low % 1000000);
	if (v < 1000 * billion)
		return put_9(put_lead(at, high), low);
	if (v < 1000000 * billion)
		return put_9(put_3(put_lead(at, high / 1000), high % 1000), low);
	return put_u64(at, v);
}

/* Does what put_u64() does, but faster. put_loose() also changes bytes behind the number, so there must be room for 24 bytes, even if @v is small. */
static inline __attribute__((always_inline)) char *put_loose(char *at, uint64_t v)
{
	return v < 1000 ? put_lead(at, (unsigned int)v) : put_large(at, v);
}

static inline char *put_s64(char *at, int64_t v)
{
	if (v < 0) {
		*at++ = '-';
		return put_u64(at, -(uint64_t)v);
	}
	return put_u64(at, (uint64_t)v);
}

/*
 * Writes the number right-aligned in at least @width columns. The columns before the number are filled with @fill, as printf() does for "%*u" and "%0*u". There
 * must be room for 20 bytes, or for @width bytes if @width is larger than 20.
 */
static inline char *put_u64_wide(char *at, uint64_t v, unsigned int width, char fill)
{
	unsigned int n = count_digits(v);

	if (n < width)
		at = put_fill(at, fill, width - n);
	return put_u64(at, v);
}

static inline char *put_hex_byte(char *at, uint8_t byte)
{
	memcpy(at, hex_pairs + 2 * byte, 2);
	return at + 2;
}

/* Writes the number in lower-case hexadecimal without a prefix, with at most 16 digits. */
static inline char *put_hex(char *at, uint64_t v)
{
	unsigned int n = (64 - (unsigned int)__builtin_clzll(v | 1) + 3) / 4;
	char *end = at + n, *p = end;

	for (; n >= 2; n -= 2, v >>= 8) {
		p -= 2;
		put_hex_byte(p, (uint8_t)v);
	}
	if (n)
		p[-1] = hex_pairs[2 * (v & 15) + 1];
	return end;
}

/*
 * Writes seven bits of the number into each byte, the lowest bits first. All bytes except the last byte have the highest bit set. A number takes at most
 * VARINT_MOST bytes.
 */
enum { VARINT_MOST = 10 };

static inline char *put_varint(char *at, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		*at++ = (char)(v | 0x80);
	*at++ = (char)v;
	return at;
}

#endif
