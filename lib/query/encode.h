/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes values in two formats that ClickHouse reads: RowBinary and TabSeparated. If a value is not known and its column is nullable, the value is
 * written as NULL. If the column is not nullable, the value is written as the zero of the column's type.
 */
#ifndef RINGSIDE_QUERY_ENCODE_H
#define RINGSIDE_QUERY_ENCODE_H

#include "lib/export/cell.h"

enum encode_form { ENCODE_BINARY, ENCODE_TSV };

enum encode_type { ENCODE_INT32, ENCODE_INT64, ENCODE_UINT64, ENCODE_STRING, ENCODE_DATE };

struct encode_column {
	enum encode_type type;
	bool nullable;
};

/*
 * Reads the name of the type that a column has on the server, such as "LowCardinality(Nullable(String))". Returns false when the type is not one of enum
 * encode_type.
 */
bool encode_read_type(const char *text, struct encode_column *out);

/*
 * These functions append a value. In TSV the caller appends the tabs and the ends of lines. If the column has numbers, encode_text() appends the number that
 * @text consists of. In this case, a NUL must follow the @n bytes of @text. If @text is not an unsigned number, the value is treated as not known.
 */
void encode_cell(const struct encode_column *column, enum encode_form form, const struct cell *cell, struct str *out);
void encode_number(const struct encode_column *column, enum encode_form form, int64_t v, struct str *out);
void encode_text(const struct encode_column *column, enum encode_form form, const char *text, size_t n, struct str *out);

/*
 * Turns the TabSeparated value that begins at @text into a C string. The function replaces the escapes in place and puts a NUL behind the value. If the value
 * itself has a NUL, the C string ends there. If a tab or a newline ends the value, the next value begins behind this tab or newline. The function then returns
 * a pointer to the next value. Behind the newline of the last line, there is no value, and the pointer points to the NUL that ends the whole text. If the value
 * ends without a tab or newline, the function returns NULL.
 */
char *encode_cut(char *text);

/* These functions append a name and a text as ClickHouse's SQL wants them, with quotation marks. */
void encode_identifier(const char *name, struct str *out);
void encode_literal(const char *text, struct str *out);

#endif
