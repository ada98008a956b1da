/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/net/frame.h"

/* How many numbers a frame of each kind has, and whether bytes follow them. */
static const struct {
	uint8_t known, numbers, bytes;
} rows[] = {
	[FRAME_HELLO] = { 1, 1, 1 },   [FRAME_META] = { 1, 0, 1 }, [FRAME_META_END] = { 1, 0, 0 },	[FRAME_ARMED] = { 1, 1, 0 }, [FRAME_TIME] = { 1, 6, 0 },
	[FRAME_STARTED] = { 1, 1, 0 }, [FRAME_DATA] = { 1, 2, 1 }, [FRAME_COMMAND_ENDED] = { 1, 0, 0 }, [FRAME_DONE] = { 1, 2, 0 },  [FRAME_ASK] = { 1, 1, 0 },
	[FRAME_GO] = { 1, 1, 0 },      [FRAME_STOP] = { 1, 1, 0 }, [FRAME_GOT] = { 1, 0, 0 },
};

static uint64_t get(const char *at, unsigned int bytes)
{
	uint64_t value = 0;

	for (unsigned int i = 0; i < bytes; i++)
		value = value << 8 | (unsigned char)at[i];
	return value;
}

static void put(char *at, uint64_t value, unsigned int bytes)
{
	for (unsigned int i = 0; i < bytes; i++)
		at[i] = (char)(value >> 8 * (bytes - 1 - i));
}

static ssize_t bad(const char **wrong, const char *why)
{
	*wrong = why;
	return -EPROTO;
}

ssize_t frame_take(const char *bytes, size_t n, struct frame *out, const char **wrong)
{
	uint64_t length, fixed;

	if (n < FRAME_HEAD)
		return 0;
	*out = (struct frame){ .kind = (uint32_t)get(bytes, 4) };
	length = get(bytes + 4, 4);
	if (out->kind >= ARRAY_LEN(rows) || !rows[out->kind].known)
		return bad(wrong, "it sent something of an unknown kind");
	fixed = 8 * rows[out->kind].numbers;
	if (length < fixed || length > fixed + (rows[out->kind].bytes ? FRAME_BYTES : 0))
		return bad(wrong, "it sent something of an impossible length");
	if (n < FRAME_HEAD + length)
		return 0;
	for (size_t i = 0; i < rows[out->kind].numbers; i++)
		out->numbers[i] = get(bytes + FRAME_HEAD + 8 * i, 8);
	out->rest = bytes + FRAME_HEAD + fixed;
	out->n = length - fixed;
	return (ssize_t)(FRAME_HEAD + length);
}

size_t frame_begin(char to[static FRAME_HEAD + 8 * FRAME_NUMBERS], enum frame_kind kind, const uint64_t *numbers, size_t n)
{
	size_t fixed = 8 * (size_t)rows[kind].numbers;

	put(to, kind, 4);
	put(to + 4, fixed + n, 4);
	for (size_t i = 0; i < rows[kind].numbers; i++)
		put(to + FRAME_HEAD + 8 * i, numbers[i], 8);
	return FRAME_HEAD + fixed;
}
