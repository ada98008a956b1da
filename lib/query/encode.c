/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/query/encode.h"
#include "lib/base/digits.h"
#include "lib/base/parse.h"
#include "lib/base/quote.h"

#include <stdio.h>
#include <time.h>

bool encode_read_type(const char *text, struct encode_column *out)
{
	static const struct {
		const char *name;
		enum encode_type type;
	} types[] = {
		{ "Int32", ENCODE_INT32 }, { "Int64", ENCODE_INT64 }, { "UInt64", ENCODE_UINT64 }, { "String", ENCODE_STRING }, { "Date", ENCODE_DATE },
	};
	static const char low[] = "LowCardinality(", null[] = "Nullable(";
	size_t n;

	*out = (struct encode_column){ 0 };
	if (str_starts(text, low))
		text += sizeof(low) - 1;
	out->nullable = str_starts(text, null);
	if (out->nullable)
		text += sizeof(null) - 1;
	n = strcspn(text, ")");
	for (size_t i = 0; i < ARRAY_LEN(types); i++) {
		if (strlen(types[i].name) != n || strncmp(types[i].name, text, n))
			continue;
		out->type = types[i].type;
		return true;
	}
	return false;
}

/* --- values ------------------------------------------------------------------------------------------------------ */

static void put_escaped(const char *text, size_t n, struct str *out)
{
	for (size_t i = 0; i < n; i++) {
		switch (text[i]) {
		case '\0':
			str_add(out, "\\0");
			break;
		case '\t':
			str_add(out, "\\t");
			break;
		case '\n':
			str_add(out, "\\n");
			break;
		case '\r':
			str_add(out, "\\r");
			break;
		case '\\':
			str_add(out, "\\\\");
			break;
		default:
			str_addc(out, text[i]);
		}
	}
}

static void put_null(const struct encode_column *column, enum encode_form form, struct str *out)
{
	static const char zero[8];

	if (form == ENCODE_TSV && column->nullable)
		str_add(out, "\\N");
	else if (form == ENCODE_TSV)
		str_add(out, column->type == ENCODE_STRING ? "" : column->type == ENCODE_DATE ? "1970-01-01" : "0");
	else if (column->nullable)
		str_addc(out, 1);
	else
		str_addn(out, zero, column->type == ENCODE_STRING ? 1 : column->type == ENCODE_DATE ? 2 : column->type == ENCODE_INT32 ? 4 : 8);
}

void encode_text(const struct encode_column *column, enum encode_form form, const char *text, size_t n, struct str *out)
{
	char size[VARINT_MOST];
	uint64_t v;

	if (column->type != ENCODE_STRING) {
		if (parse_u64(text, &v))
			put_null(column, form, out);
		else
			encode_number(column, form, (int64_t)v, out);
		return;
	}
	if (form == ENCODE_TSV) {
		put_escaped(text, n, out);
		return;
	}
	if (column->nullable)
		str_addc(out, 0);
	str_addn(out, size, (size_t)(put_varint(size, n) - size));
	str_addn(out, text, n);
}

static void put_date(int64_t days, struct str *out)
{
	const time_t seconds = (time_t)days * 86400;
	struct tm tm;

	if (gmtime_r(&seconds, &tm))
		str_addf(out, "%04d-%02d-%02d", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday);
}

void encode_number(const struct encode_column *column, enum encode_form form, int64_t v, struct str *out)
{
	const bool is_unsigned = column->type == ENCODE_UINT64;
	char text[24];
	int n;

	if (form == ENCODE_TSV && column->type == ENCODE_DATE) {
		put_date(v, out);
		return;
	}
	if (form == ENCODE_TSV || column->type == ENCODE_STRING) {
		n = snprintf(text, sizeof(text), is_unsigned ? "%llu" : "%lld", (long long)v);
		if (form == ENCODE_TSV)
			str_addn(out, text, (size_t)n);
		else
			encode_text(column, form, text, (size_t)n, out);
		return;
	}
	if (column->nullable)
		str_addc(out, 0);
	/* RowBinary is little-endian, and so are all machines on which ringside runs. */
	str_addn(out, &v, column->type == ENCODE_INT32 ? 4 : column->type == ENCODE_DATE ? 2 : 8);
}

void encode_cell(const struct encode_column *column, enum encode_form form, const struct cell *cell, struct str *out)
{
	switch (cell->kind) {
	case CELL_INTEGER:
		encode_number(column, form, cell->number, out);
		break;
	case CELL_TEXT:
		encode_text(column, form, cell->text, strnlen(cell->text, cell->size), out);
		break;
	default:
		put_null(column, form, out);
	}
}

char *encode_cut(char *text)
{
	static const char letters[] = "0tnrbf", means[] = "\0\t\n\r\b\f";
	char *out = text;
	bool more;

	for (; *text && *text != '\t' && *text != '\n'; text++) {
		if (*text == '\\' && text[1]) {
			const char *letter = strchr(letters, *++text);

			*out++ = letter ? means[letter - letters] : *text;
		} else {
			*out++ = *text;
		}
	}
	more = *text != '\0';
	*out = '\0';
	return more ? text + 1 : NULL;
}

/* --- names ------------------------------------------------------------------------------------------------------- */

static void quoted(const char *text, char mark, struct str *out)
{
	struct str clean = { 0 };

	quote_utf8(text, strlen(text), &clean);
	str_addc(out, mark);
	for (const char *at = str_text(&clean); *at; at++) {
		if (*at == mark || *at == '\\')
			str_addc(out, '\\');
		str_addc(out, *at);
	}
	str_addc(out, mark);
	out->oom |= clean.oom;
	str_fini(&clean);
}

void encode_identifier(const char *name, struct str *out)
{
	quoted(name, '`', out);
}

void encode_literal(const char *text, struct str *out)
{
	quoted(text, '\'', out);
}
