/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/base/visible.h"

/* Returns the character of UTF-8 at @at, which has *@len bytes. Returns -1 when it is not valid, and -2 when the text ends in the middle of it. */
static long decode(const unsigned char *at, size_t n, size_t *len)
{
	static const unsigned int least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t want = at[0] < 0x80 ? 1 : at[0] < 0xc2 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : at[0] < 0xf5 ? 4 : 0;
	long c;

	*len = 1;
	if (want < 2)
		return want ? at[0] : -1;
	c = at[0] & (0x7f >> want);
	for (size_t i = 1; i < want; i++) {
		if (i == n)
			return -2;
		if ((at[i] & 0xc0) != 0x80)
			return -1;
		c = c << 6 | (at[i] & 0x3f);
	}
	if ((unsigned long)c < least[want] || (c >= 0xd800 && c < 0xe000) || c > 0x10ffff)
		return -1;
	*len = want;
	return c;
}

/* Returns true for characters that change how others are shown: C1, marks, embeddings, overrides and isolates of direction, and separators of lines. */
static bool commands(long c)
{
	static const struct {
		long first, last;
	} ranges[] = {
		{ 0x80, 0x9f },	    { 0x61c, 0x61c },	{ 0x200b, 0x200f }, { 0x2028, 0x202e },
		{ 0x2060, 0x206f }, { 0xfeff, 0xfeff }, { 0xfff9, 0xfffb }, { 0xe0000, 0xe007f },
	};

	for (size_t i = 0; i < ARRAY_LEN(ranges); i++)
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	return false;
}

static char *put_hex_digits(char *to, unsigned long v, int digits)
{
	while (digits--)
		*to++ = "0123456789abcdef"[v >> (4 * digits) & 15];
	return to;
}

static char *put_escape(char *to, char letter)
{
	*to++ = '\\';
	*to++ = letter;
	return to;
}

static bool is_plain(unsigned char c, bool lines)
{
	return (c >= 0x20 && c < 0x7f) || c == '\t' || (lines && c == '\n');
}

char *visible_put(char *to, const char *text, size_t n, bool lines, size_t *left)
{
	const unsigned char *at = (const unsigned char *)text, *end = at + n;
	size_t len;

	if (left)
		*left = 0;
	for (; at < end; at += len) {
		long c = decode(at, (size_t)(end - at), &len);

		if (c == -2 && left) {
			*left = (size_t)(end - at);
			break;
		}
		if (c >= 0 && c < 0x80 && is_plain((unsigned char)c, lines)) {
			*to++ = (char)c;
		} else if (c == '\n' || c == '\r') {
			to = put_escape(to, c == '\n' ? 'n' : 'r');
		} else if (c < 0x80) {
			to = put_hex_digits(put_escape(to, 'x'), at[0], 2);
		} else if (commands(c)) {
			to = c > 0xffff ? put_hex_digits(put_escape(to, 'U'), (unsigned long)c, 8) : put_hex_digits(put_escape(to, 'u'), (unsigned long)c, 4);
		} else {
			memcpy(to, at, len);
			to += len;
		}
	}
	return to;
}

void visible_str(struct str *s, size_t from, bool lines)
{
	__cleanup(free_ptr) char *copy = NULL;
	size_t n, at = from;

	while (at < s->len && is_plain((unsigned char)s->at[at], lines))
		at++;
	if (at >= s->len)
		return;
	n = s->len - at;
	copy = malloc(n);
	if (copy)
		memcpy(copy, s->at + at, n);
	s->len = at;
	if (!copy || !str_room(s, VISIBLE_MOST * n)) {
		s->oom = true;
		return;
	}
	s->len = (size_t)(visible_put(s->at + at, copy, n, lines, NULL) - s->at);
	s->at[s->len] = '\0';
}
