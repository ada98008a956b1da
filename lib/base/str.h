/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines a growing string. The string has a NUL at its end, which .len does not count. The string may contain other NULs. When memory runs out, .oom is set
 * and the bytes are not appended. So the caller needs to check only once, after all additions (str_ok()). A struct str that is all zero is an empty string.
 */
#ifndef RINGSIDE_STR_H
#define RINGSIDE_STR_H

#include "lib/base/base.h"
#include <stdarg.h>

struct str {
	char *at; /* NULL until something is added; as long as .at is NULL, str_text() returns "" */
	size_t len;
	size_t cap;
	bool oom;
};

void str_fini(struct str *s);

/* Makes the string empty, keeps its memory, and sets .oom to false. */
void str_clear(struct str *s);

/*
 * Makes room for @more bytes and a NUL at s->at + s->len. The caller writes the bytes there, and then adds their number to s->len. Returns false when memory
 * runs out.
 */
static inline bool str_room(struct str *s, size_t more)
{
	bool str_grow_(struct str * s, size_t more);

	return likely(more < s->cap - s->len) || str_grow_(s, more);
}

void str_add(struct str *s, const char *text);
void str_addn(struct str *s, const void *bytes, size_t n);
void str_addc(struct str *s, char c);
void str_addf(struct str *s, const char *fmt, ...) __printf(2, 3);
void str_vaddf(struct str *s, const char *fmt, va_list ap) __printf(2, 0);

/* Returns -ENOMEM if memory has run out in an addition. Otherwise returns 0. */
int str_ok(const struct str *s);

static inline const char *str_text(const struct str *s)
{
	return s->at ? s->at : "";
}

/* Returns the text, which the caller frees, and leaves *@s empty. Returns NULL if memory has run out in an addition. */
char *str_take(struct str *s);

/* Formats as printf() does, and returns the text, which the caller frees. Returns NULL when memory runs out. */
char *str_printf(const char *fmt, ...) __printf(1, 2);

/*
 * Returns @path with "-" and @name in front of the extension of the file's name. For example, "dir/trace.dat" and "web" give "dir/trace-web.dat". A dot at the
 * beginning of a file's name does not begin an extension. The caller frees the result. Returns NULL when memory runs out.
 */
char *str_file_of(const char *path, const char *name);

bool str_starts(const char *text, const char *prefix);
bool str_ends(const char *text, const char *suffix);

/* Cuts white space off both ends of @text in place. Returns where the remaining text begins. */
char *str_trim(char *text);

/*
 * A slice of memory: .size bytes at .at. The function that gives out a slice says who owns the memory. If the text was read from a file, a NUL follows the
 * bytes of the slice. .size does not count this NUL. A struct text that is all zero is empty.
 */
struct text {
	char *at;
	size_t size;
};

/*
 * Allocates @size bytes for a text that may be many megabytes long, in huge pages if the kernel has some. The caller frees the
 * memory with free(). Returns NULL when memory runs out.
 */
char *text_room(size_t size);

/*
 * Takes the next line off the beginning of *@rest. Sets *@line to the line without its newline, and returns true. Returns false when *@rest is empty.
 * *@line points into the memory of *@rest.
 */
bool text_line(struct text *rest, struct text *line);

#endif
