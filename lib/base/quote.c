/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/base/quote.h"
#include "lib/base/visible.h"

/* Does not accept a longer form than needed, half of a surrogate pair, or anything above U+10FFFF. */
size_t utf8_length(const char *bytes, size_t n)
{
	static const struct {
		uint8_t low, high;     /* of the first byte */
		uint8_t low_2, high_2; /* of the second */
		uint8_t length;
	} forms[] = {
		{ 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 },
		{ 0xee, 0xef, 0x80, 0xbf, 3 }, { 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};
	const uint8_t *at = (const uint8_t *)bytes;

	if (n && at[0] < 0x80)
		return 1;
	for (size_t i = 0; n && i < ARRAY_LEN(forms); i++) {
		if (at[0] < forms[i].low || at[0] > forms[i].high)
			continue;
		if (n < forms[i].length || at[1] < forms[i].low_2 || at[1] > forms[i].high_2)
			return 0;
		for (size_t k = 2; k < forms[i].length; k++)
			if ((at[k] & 0xc0) != 0x80)
				return 0;
		return forms[i].length;
	}
	return 0;
}

/* Returns the letter with which JSON escapes a character of ASCII. Returns 0 when JSON has no such letter for it. */
static char json_letter(uint8_t c)
{
	static const char letters[128] = {
		['"'] = '"', ['\\'] = '\\', ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't',
	};

	return c < sizeof(letters) ? letters[c] : 0;
}

void quote_json_bytes(const char *bytes, size_t n, struct str *out)
{
	str_addc(out, '"');
	while (n) {
		uint8_t c = (uint8_t)*bytes;
		size_t length = utf8_length(bytes, n);

		if (!length)
			str_addf(out, "\\\\x%02x", c);
		else if (json_letter(c))
			str_addf(out, "\\%c", json_letter(c));
		else if (c < ' ' || c == 0x7f)
			str_addf(out, "\\u%04x", c);
		else
			str_addn(out, bytes, length);
		length = MAX(length, (size_t)1);
		bytes += length;
		n -= length;
	}
	str_addc(out, '"');
}

void quote_json(const char *text, struct str *out)
{
	if (text)
		quote_json_bytes(text, strlen(text), out);
	else
		str_add(out, "null");
}

void quote_csv_bytes(const char *bytes, size_t n, struct str *out)
{
	bool quoted = false;

	for (size_t i = 0; i < n && !quoted; i++)
		quoted = bytes[i] == ',' || bytes[i] == '"' || bytes[i] == '\r' || bytes[i] == '\n';
	if (quoted)
		str_addc(out, '"');
	while (n) {
		size_t length = utf8_length(bytes, n);

		if (!length)
			str_addf(out, "\\x%02x", (uint8_t)*bytes);
		else if (*bytes == '"')
			str_add(out, "\"\"");
		else
			str_addn(out, bytes, length);
		length = MAX(length, (size_t)1);
		bytes += length;
		n -= length;
	}
	if (quoted)
		str_addc(out, '"');
}

void quote_csv(const char *text, struct str *out)
{
	if (text)
		quote_csv_bytes(text, strlen(text), out);
}

void quote_folded(const char *name, struct str *out)
{
	size_t i = out->len;

	quote_utf8(name, strlen(name), out);
	for (; i < out->len; i++)
		out->at[i] = out->at[i] == ';' ? ':' : out->at[i] == '\n' || out->at[i] == '\r' ? ' ' : out->at[i];
}

void quote_shell(const char *word, struct str *out)
{
	str_addc(out, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			str_add(out, "'\\''");
		else
			str_addc(out, *word);
	}
	str_addc(out, '\'');
}

void quote_xml(const char *text, struct str *out)
{
	struct str shown = { 0 };

	str_add(&shown, text);
	visible_str(&shown, 0, false);
	out->oom |= shown.oom;
	for (const char *at = str_text(&shown); *at; at++) {
		switch (*at) {
		case '&':
			str_add(out, "&amp;");
			break;
		case '<':
			str_add(out, "&lt;");
			break;
		case '>':
			str_add(out, "&gt;");
			break;
		case '"':
			str_add(out, "&quot;");
			break;
		case '\'':
			str_add(out, "&#39;");
			break;
		default:
			/* U+FFFE and U+FFFF are the only characters left that XML refuses. */
			if (strncmp(at, "\xef\xbf\xbe", 3) == 0 || strncmp(at, "\xef\xbf\xbf", 3) == 0) {
				str_add(out, at[2] == '\xbe' ? "\\ufffe" : "\\uffff");
				at += 2;
			} else {
				str_addc(out, *at);
			}
		}
	}
	str_fini(&shown);
}

/* Returns how many bytes at the beginning are ASCII. It tests eight bytes at a time: none of them may have its highest bit. */
static size_t ascii_length(const char *bytes, size_t n)
{
	size_t i = 0;
	uint64_t eight;

	for (; n - i >= sizeof(eight); i += sizeof(eight)) {
		memcpy(&eight, bytes + i, sizeof(eight));
		if (eight & 0x8080808080808080ULL)
			break;
	}
	while (i < n && !(bytes[i] & 0x80))
		i++;
	return i;
}

void quote_utf8(const char *bytes, size_t n, struct str *out)
{
	while (n) {
		/* Nearly all of it is ASCII. */
		size_t plain = ascii_length(bytes, n), length = plain ? plain : utf8_length(bytes, n);

		if (length)
			str_addn(out, bytes, length);
		else
			str_addf(out, "\\x%02x", (uint8_t)*bytes);
		length = MAX(length, (size_t)1);
		bytes += length;
		n -= length;
	}
}
