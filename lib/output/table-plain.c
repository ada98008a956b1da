/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/output/table-plain.h"
#include "lib/base/utf8.h"

#include <wchar.h>

/*
 * Is it a character that only libsmartcols lays out correctly? A backslash may begin an escape, which libsmartcols measures in its own way. It also lays out
 * texts of several lines.
 */
static bool is_odd(const char *at, size_t n)
{
	mbstate_t state = { 0 };
	wchar_t c;

	if (n == 1)
		return *at == '\\' || *at == '\n' || (uint8_t)*at >= 0x80;
	return mbrtowc(&c, at, n, &state) != n || wcwidth(c) != 1;
}

static size_t count_characters(const char *text, size_t n)
{
	size_t width = 0;

	for (size_t i = 0; i < n; i++)
		width += utf8_begins(text[i]);
	return width;
}

static size_t widest_line(const char *text, size_t n)
{
	size_t widest = 0;

	for (const char *end; (end = memchr(text, '\n', n)); text = end + 1) {
		widest = MAX(widest, count_characters(text, (size_t)(end - text)));
		n -= (size_t)(end - text) + 1;
	}
	return MAX(widest, count_characters(text, n));
}

size_t table_plain_width(const char *text, size_t n, bool *odd)
{
	for (size_t i = 0, length; !*odd && i < n; i += length) {
		for (length = 1; i + length < n && !utf8_begins(text[i + length]);)
			length++;
		*odd = is_odd(text + i, length);
	}
	return widest_line(text, n);
}

static void add_blanks(struct str *out, size_t n)
{
	if (!str_room(out, n)) {
		out->oom = true;
		return;
	}
	memset(out->at + out->len, ' ', n);
	out->len += n;
	out->at[out->len] = '\0';
}

void table_plain_cell(struct table_plain *plain, unsigned int k, const char *text, size_t n)
{
	size_t width = count_characters(text, n), blanks = width < plain->widths[k] ? plain->widths[k] - width : 0;

	add_blanks(&plain->out, (k ? 2 : 0) + (plain->right[k] ? blanks : 0));
	str_addn(&plain->out, text, n);
	add_blanks(&plain->out, plain->right[k] ? 0 : blanks);
}

void table_plain_end(struct table_plain *plain)
{
	struct str *out = &plain->out;

	while (out->len > plain->line && out->at[out->len - 1] == ' ')
		out->len--;
	str_addc(out, '\n');
	plain->line = out->len;
}

void table_plain_lines(char *text, struct str *out)
{
	struct text rest = { text, strlen(text) }, line;

	while (text_line(&rest, &line)) {
		while (line.size && line.at[line.size - 1] == ' ')
			line.size--;
		str_addn(out, line.at, line.size);
		str_addc(out, '\n');
	}
}
