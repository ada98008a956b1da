/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/export/protobuf.h"
#include "lib/base/quote.h"

void pb_uint(struct str *out, uint32_t field, uint64_t v)
{
	if (str_room(out, 2 * VARINT_MOST))
		out->len = (size_t)(pb_put_uint(out->at + out->len, field, v) - out->at);
}

void pb_bytes(struct str *out, uint32_t field, const void *bytes, size_t n)
{
	char *at;

	if (!str_room(out, 2 * VARINT_MOST + n))
		return;
	at = put_varint(pb_put_key(out->at + out->len, field, PB_BYTES), n);
	out->len = (size_t)(put_bytes(at, bytes, n) - out->at);
}

void pb_text(struct str *out, uint32_t field, const char *text, size_t n)
{
	size_t at = pb_begin(out, field);

	quote_utf8(text, n, out);
	pb_end(out, at);
}

static inline size_t begin(struct str *out, uint32_t field, size_t room)
{
	if (!str_room(out, 2 * VARINT_MOST))
		return 0;
	out->len = (size_t)(pb_put_key(out->at + out->len, field, PB_BYTES) - out->at) + room;
	return out->len;
}

static inline void end(struct str *out, size_t at, size_t room)
{
	const size_t n = out->len - at;
	char length[VARINT_MOST];
	size_t more;

	if (out->oom || !at)
		return;
	if (likely(!(n >> 7 * room))) {
		/* The highest bit of each byte but the last says that another byte follows. */
		for (size_t i = 0; i < room; i++)
			out->at[at - room + i] = (char)((n >> 7 * i & 127) | (i + 1 < room ? 128 : 0));
		return;
	}
	more = (size_t)(put_varint(length, n) - length) - room;
	if (!str_room(out, more))
		return;
	memmove(out->at + at + more, out->at + at, n);
	out->len += more;
	memcpy(out->at + at - room, length, room + more);
}

/* Leaves one byte for the length, which is nearly always enough. */
size_t pb_begin(struct str *out, uint32_t field)
{
	return begin(out, field, 1);
}

void pb_end(struct str *out, size_t at)
{
	end(out, at, 1);
}

size_t pb_begin_wide(struct str *out, uint32_t field, size_t room)
{
	return begin(out, field, room);
}

void pb_end_wide(struct str *out, size_t at, size_t room)
{
	end(out, at, room);
}
