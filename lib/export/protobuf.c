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

/* One byte for the length, which is nearly always enough. */
size_t pb_begin(struct str *out, uint32_t field)
{
	if (!str_room(out, 2 * VARINT_MOST))
		return 0;
	out->len = (size_t)(pb_put_key(out->at + out->len, field, PB_BYTES) - out->at) + 1;
	return out->len;
}

void pb_end(struct str *out, size_t at)
{
	const size_t n = out->len - at;
	char length[VARINT_MOST];
	size_t more;

	if (out->oom || !at)
		return;
	more = (size_t)(put_varint(length, n) - length) - 1;
	if (unlikely(more)) {
		if (!str_room(out, more))
			return;
		memmove(out->at + at + more, out->at + at, n);
		out->len += more;
	}
	memcpy(out->at + at - 1, length, more + 1);
}

size_t pb_begin_long(struct str *out, uint32_t field)
{
	if (!str_room(out, 2 * VARINT_MOST))
		return 0;
	out->len = (size_t)(pb_put_key(out->at + out->len, field, PB_BYTES) - out->at) + 2;
	return out->len;
}

void pb_end_long(struct str *out, size_t at)
{
	const size_t n = out->len - at;
	char length[VARINT_MOST];
	size_t more;

	if (out->oom || !at)
		return;
	if (likely(n < 1 << 14)) {
		out->at[at - 2] = (char)((n & 127) | 128);
		out->at[at - 1] = (char)(n >> 7);
		return;
	}
	more = (size_t)(put_varint(length, n) - length) - 2;
	if (!str_room(out, more))
		return;
	memmove(out->at + at + more, out->at + at, n);
	out->len += more;
	memcpy(out->at + at - 2, length, more + 2);
}
