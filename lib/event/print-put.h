/* SPDX-License-Identifier: GPL-2.0 */
/* Digits, inline since most of a report consists of them. Each returns where the text goes on. */
#ifndef RINGSIDE_PRINT_PUT_H
#define RINGSIDE_PRINT_PUT_H

#include "lib/base/base.h"

extern const char decimal_pairs[]; /* "000102…99" */
extern const char hex_pairs[];	   /* "000102…ff" */
extern const uint64_t powers_of_10[];

/* log10(2) is about 1233 / 4096: from the number of bits follow the digits, or one too few. */
static inline unsigned int decimal_digits(uint64_t value)
{
	unsigned int guess = (64 - __builtin_clzll(value | 1)) * 1233 >> 12;

	return guess + (value >= powers_of_10[guess]);
}

/* At most 20 bytes. */
static inline char *put_decimal(char *at, uint64_t value)
{
	char *end, *to;

	if (value < 10) {
		*at = '0' + value;
		return at + 1;
	}
	end = to = at + decimal_digits(value);
	while (value >= 100) {
		to -= 2;
		memcpy(to, decimal_pairs + value % 100 * 2, 2);
		value /= 100;
	}
	if (value >= 10)
		memcpy(to - 2, decimal_pairs + value * 2, 2);
	else
		to[-1] = '0' + value;
	return end;
}

static inline char *put_hex_byte(char *at, uint8_t byte)
{
	memcpy(at, hex_pairs + byte * 2, 2);
	return at + 2;
}

/* At most 16 bytes. */
static inline char *put_hex(char *at, uint64_t value)
{
	unsigned int n = (64 - __builtin_clzll(value | 1) + 3) / 4;
	char *end = at + n, *to = end;

	for (; n >= 2; n -= 2, value >>= 8) {
		to -= 2;
		memcpy(to, hex_pairs + (value & 0xff) * 2, 2);
	}
	if (n)
		to[-1] = hex_pairs[(value & 0xf) * 2 + 1];
	return end;
}

/* "0x" and the digits: at most 18 bytes. */
static inline char *put_0x(char *at, uint64_t value)
{
	memcpy(at, "0x", 2);
	return put_hex(at + 2, value);
}

/* The low @width bytes of @value as a signed number: at most 20 bytes. */
static inline char *put_signed(char *at, uint64_t value, int width)
{
	int unused = 64 - width * 8;
	int64_t number = (int64_t)(value << unused) >> unused;

	if (number >= 0)
		return put_decimal(at, number);
	*at = '-';
	return put_decimal(at + 1, -(uint64_t)number);
}

static inline uint64_t narrow(uint64_t value, int width)
{
	int unused = 64 - width * 8;

	return value << unused >> unused;
}

#endif
