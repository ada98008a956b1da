/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes text of foreign origin (names of tasks and files, strings of programs) in formats that other programs read. All functions except quote_shell()
 * append only valid UTF-8. A byte that is not part of a UTF-8 character is written as the four characters \xNN. In a JSON string, this byte is written as
 * \\xNN, because JSON needs an escape for a backslash.
 */
#ifndef RINGSIDE_QUOTE_H
#define RINGSIDE_QUOTE_H

#include "lib/base/str.h"

/* Appends a JSON string with its quotation marks. A NULL @text is written as null. */
void quote_json(const char *text, struct str *out);
void quote_json_bytes(const char *bytes, size_t n, struct str *out);

/* Appends a field of CSV as RFC 4180 describes it. The field is in quotation marks only when it needs them. A NULL @text is an empty field. */
void quote_csv(const char *text, struct str *out);
void quote_csv_bytes(const char *bytes, size_t n, struct str *out);

/* Appends the name of a function to a stack in flamegraph.pl's format. A semicolon in the name becomes a colon. An end of line becomes a space. */
void quote_folded(const char *name, struct str *out);

/*
 * Appends text for XML 1.0, between tags or in an attribute. An XML file must not have control
 * characters, or bytes that are not UTF-8. Such characters and bytes are escaped as in
 * lib/base/visible.h.
 */
void quote_xml(const char *text, struct str *out);

/* Appends @word in single quotation marks, so that a shell reads it as one word. Bytes that are not UTF-8 stay as they are. */
void quote_shell(const char *word, struct str *out);

/* Appends the @n bytes at @bytes. Bytes that are not UTF-8 are written as \xNN. All other bytes stay as they are. */
void quote_utf8(const char *bytes, size_t n, struct str *out);

/* Returns the number of bytes of the UTF-8 character at @bytes, or 0 when the @n bytes do not begin with a whole character. */
size_t utf8_length(const char *bytes, size_t n);

#endif
