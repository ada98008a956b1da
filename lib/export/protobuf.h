/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Protocol buffers, written field by field (protobuf.dev, encoding): a field is its number and its type as one varint, and its value.
 * A message inside of another has its length in front:
 *	size_t at = pb_begin(out, 11);
 *	pb_uint(out, 9, 1);
 *	pb_end(out, at);
 */
#ifndef RINGSIDE_PROTOBUF_H
#define RINGSIDE_PROTOBUF_H

#include "lib/base/digits.h"
#include "lib/base/str.h"

enum pb_type { PB_NUMBER = 0, PB_BYTES = 2 };

static inline char *pb_put_key(char *at, uint32_t field, enum pb_type type)
{
	return put_varint(at, (uint64_t)field << 3 | type);
}

/* Of types uint32, uint64, bool and enum; of int32 and int64 the number as 64 bits with its sign. */
static inline char *pb_put_uint(char *at, uint32_t field, uint64_t v)
{
	return put_varint(pb_put_key(at, field, PB_NUMBER), v);
}

/* The same, appended; memory that runs out sets out->oom. */
void pb_uint(struct str *out, uint32_t field, uint64_t v);
void pb_bytes(struct str *out, uint32_t field, const void *bytes, size_t n);

/* A string: what is not UTF-8 in it is escaped (lib/base/quote.h). */
void pb_text(struct str *out, uint32_t field, const char *text, size_t n);

/* Where the message began, for pb_end(). */
size_t pb_begin(struct str *out, uint32_t field);
void pb_end(struct str *out, size_t at);

#endif
