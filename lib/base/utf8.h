/* SPDX-License-Identifier: GPL-2.0 */
#ifndef RINGSIDE_UTF8_H
#define RINGSIDE_UTF8_H

#include <stdbool.h>
#include <stdint.h>

/* Returns true if a character of UTF-8 begins with @byte. Returns false if @byte continues a character. */
static inline bool utf8_begins(char byte)
{
	return ((uint8_t)byte & 0xc0) != 0x80;
}

#endif
