/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes protocol buffers field by field (protobuf.dev, encoding). A field begins with a varint that has the number and the type of the field. Then comes the
 * value of the field. A message inside of another message has its length in front. This writes such a message:
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

/*
 * Writes a field of the type uint32, uint64, bool or enum at @at, and returns where the field ends. If the field has the type int32 or int64, the function can
 * be used, too, but the caller must have sign-extended the number to 64 bits.
 */
static inline char *pb_put_uint(char *at, uint32_t field, uint64_t v)
{
	return put_varint(pb_put_key(at, field, PB_NUMBER), v);
}

/* These functions append a field. When memory runs out, out->oom is set. */
void pb_uint(struct str *out, uint32_t field, uint64_t v);
void pb_bytes(struct str *out, uint32_t field, const void *bytes, size_t n);

/* Appends a string. Bytes that are not UTF-8 are escaped (lib/base/quote.h). */
void pb_text(struct str *out, uint32_t field, const char *text, size_t n);

/* pb_begin() begins a message inside of another message, and returns an offset. The caller passes this offset to pb_end(). */
size_t pb_begin(struct str *out, uint32_t field);
void pb_end(struct str *out, size_t at);

/*
 * These functions do what pb_begin() and pb_end() do, and reserve @room bytes (1 to 4) for the length. When the length needs more than @room bytes,
 * pb_end_wide() moves the message, which takes time. When the length needs fewer bytes, it is padded, which the encoding allows. A length
 * from 128 to 16383 needs 2 bytes. So 2 is a good @room for messages that mostly have 128 bytes or more.
 */
size_t pb_begin_wide(struct str *out, uint32_t field, size_t room);
void pb_end_wide(struct str *out, size_t at, size_t room);

#endif
