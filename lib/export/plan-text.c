/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/base/digits.h"
#include "lib/base/quote.h"
#include "lib/export/plan.h"

/* Doubles every quotation mark from @from on. */
static void double_quotes(struct str *s, size_t from)
{
	size_t more = 0;
	char *to;

	for (size_t i = from; i < s->len; i++)
		more += s->at[i] == '"';
	if (!str_room(s, more))
		return;
	s->len += more;
	s->at[s->len] = '\0';
	to = s->at + s->len;
	for (const char *at = to - more; to > at;) {
		*--to = *--at;
		if (*at == '"')
			*--to = '"';
	}
}

/* HAS_ZERO() is not 0 if one of eight bytes is 0, because the highest bit of some byte is set then. */
#define EIGHT(c) (0x0101010101010101ULL * (c))
#define HAS_ZERO(v) (((v)-EIGHT(1)) & ~(v)&EIGHT(0x80))

static inline bool eight_are_plain(uint64_t v)
{
	return !((v & EIGHT(0x80)) | ((v - EIGHT(' ')) & ~v & EIGHT(0x80)) | HAS_ZERO(v ^ EIGHT('"')) | HAS_ZERO(v ^ EIGHT('\\')) | HAS_ZERO(v ^ EIGHT(',')) |
		 HAS_ZERO(v ^ EIGHT(0x7f)));
}

static inline bool are_plain(const char *eight)
{
	uint64_t v;

	memcpy(&v, eight, sizeof(v));
	return eight_are_plain(v);
}

/* Has the text no character that means something in JSON or CSV? */
static inline bool is_plain(const char *bytes, size_t n)
{
	for (; n > 8; n -= 8, bytes += 8)
		if (!are_plain(bytes))
			return false;
	if (n) {
		char rest[8] = "        ";

		memcpy(rest, bytes, n);
		return are_plain(rest);
	}
	return true;
}

char *plan_pad(char *text)
{
	size_t n = text ? strlen(text) : 0;
	char *padded = text ? calloc(1, n + SHORT_ROOM) : NULL;

	if (padded)
		memcpy(padded, text, n);
	free(text);
	return padded;
}

void plan_text(const char *bytes, size_t n, enum plan_style style, struct str *out)
{
	static const char *const marks[] = { [PLAN_JSON] = "\"", [PLAN_JSON_IN_CSV] = "\"\"", [PLAN_CSV] = "" };
	size_t begin = out->len;

	if (likely(is_plain(bytes, n)) && str_room(out, n + 8)) {
		const size_t mark = style == PLAN_CSV ? 0 : style + 1u;
		char *at = put_bytes(out->at + out->len, marks[style], mark);

		at = put_bytes(put_bytes(at, bytes, n), marks[style], mark);
		*at = '\0';
		out->len = (size_t)(at - out->at);
		return;
	}
	if (style == PLAN_CSV) {
		quote_csv_bytes(bytes, n, out);
		return;
	}
	quote_json_bytes(bytes, n, out);
	if (style == PLAN_JSON_IN_CSV && out->at)
		double_quotes(out, begin);
}
