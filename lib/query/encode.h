/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes values as ClickHouse takes them, in RowBinary and TabSeparated. A value that is not known is NULL when its column is nullable, and
 * otherwise the zero of the column's type.
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

/* Reads the name of the type that a column has on the server, such as "LowCardinality(Nullable(String))". Returns false when it is none of enum encode_type. */
bool encode_read_type(const char *text, struct encode_column *out);

/* These append a value. In TSV the caller appends the tabs and the ends of lines. */
void encode_cell(const struct encode_column *column, enum encode_form form, const struct cell *cell, struct str *out);
void encode_number(const struct encode_column *column, enum encode_form form, int64_t v, struct str *out);
void encode_text(const struct encode_column *column, enum encode_form form, const char *text, size_t n, struct str *out);

/*
 * Makes a string of the TabSeparated value that begins at @text: it undoes the escapes in place and puts a NUL behind the value. Returns where the next
 * value begins, which may be in the next line. After the last value it returns NULL, or a pointer to the text's NUL if a newline ended that value.
 */
char *encode_cut(char *text);

/* These append a name and a text as ClickHouse's SQL wants them, with quotation marks. */
void encode_identifier(const char *name, struct str *out);
void encode_literal(const char *text, struct str *out);

#endif
