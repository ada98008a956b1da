/* SPDX-License-Identifier: GPL-2.0 */
/* Reads and writes integers in memory of any alignment and in either byte order. */
#ifndef RINGSIDE_BYTES_H
#define RINGSIDE_BYTES_H

#include "lib/base/base.h"

#define HOST_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

static inline uint16_t get16(const void *at, bool big_endian)
{
	uint16_t v;

	memcpy(&v, at, sizeof(v));
	return big_endian == HOST_BIG_ENDIAN ? v : __builtin_bswap16(v);
}

static inline uint32_t get32(const void *at, bool big_endian)
{
	uint32_t v;

	memcpy(&v, at, sizeof(v));
	return big_endian == HOST_BIG_ENDIAN ? v : __builtin_bswap32(v);
}

static inline uint64_t get64(const void *at, bool big_endian)
{
	uint64_t v;

	memcpy(&v, at, sizeof(v));
	return big_endian == HOST_BIG_ENDIAN ? v : __builtin_bswap64(v);
}

static inline void put32(void *at, uint32_t v, bool big_endian)
{
	v = big_endian == HOST_BIG_ENDIAN ? v : __builtin_bswap32(v);
	memcpy(at, &v, sizeof(v));
}

static inline void put64(void *at, uint64_t v, bool big_endian)
{
	v = big_endian == HOST_BIG_ENDIAN ? v : __builtin_bswap64(v);
	memcpy(at, &v, sizeof(v));
}

#endif
