/* SPDX-License-Identifier: GPL-2.0 */
/* Values as ClickHouse takes them: RowBinary and TabSeparated. A column that is not known in a row is NULL, or of its type's zero. */
#ifndef RINGSIDE_QUERY_ENCODE_H
#define RINGSIDE_QUERY_ENCODE_H

#include "lib/export/cell.h"

enum encode_form { ENCODE_BINARY, ENCODE_TSV };

enum encode_type { ENCODE_INT32, ENCODE_INT64, ENCODE_UINT64, ENCODE_STRING, ENCODE_DATE };

struct encode_column {
	enum encode_type type;
	bool nullable;
};

/* Reads a server's type, as "LowCardinality(Nullable(String))"; false: it is none of ours. */
bool encode_read_type(const char *text, struct encode_column *out);

/* Appends a value. In TSV what separates columns and rows is the caller's. */
void encode_cell(const struct encode_column *column, enum encode_form form, const struct cell *cell, struct str *out);
void encode_number(const struct encode_column *column, enum encode_form form, int64_t v, struct str *out);
void encode_text(const struct encode_column *column, enum encode_form form, const char *text, size_t n, struct str *out);

/*
 * Takes a value of TabSeparated out of what stands at @text, in its place: a NUL is put behind it. Returns where the next one begins, be it in the next line;
 * NULL: there is none.
 */
char *encode_cut(char *text);

/* Appends a name or a text as ClickHouse's SQL wants it, with its quotation marks. */
void encode_identifier(const char *name, struct str *out);
void encode_literal(const char *text, struct str *out);

#endif
