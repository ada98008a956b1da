/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/event/field.h"

#include <ctype.h>

/* Reads the unsigned number after "KEY" in @line. */
static bool number_after(const struct text *line, const char *key, unsigned long *out)
{
	size_t len = strlen(key);
	const char *at = memmem(line->at, line->size, key, len);
	const char *end = line->at + line->size;
	unsigned long v = 0;

	if (!at)
		return false;
	at += len;
	while (at < end && *at == ' ')
		at++;
	if (at == end || !isdigit((unsigned char)*at))
		return false;
	while (at < end && isdigit((unsigned char)*at) && v < 1UL << 32)
		v = v * 10 + (unsigned long)(*at++ - '0');
	*out = v;
	return true;
}

static struct text skip_blanks(struct text line)
{
	while (line.size && (*line.at == ' ' || *line.at == '\t')) {
		line.at++;
		line.size--;
	}
	return line;
}

static bool begins(const struct text *line, const char *word)
{
	size_t len = strlen(word);

	return line->size >= len && memcmp(line->at, word, len) == 0;
}

int format_head(const struct text *format, char **name, uint16_t *id)
{
	struct text rest = *format, line;
	char *found = NULL;
	unsigned long n;

	while (text_line(&rest, &line)) {
		if (begins(&line, "name:") && !found) {
			struct text word = skip_blanks((struct text){ line.at + 5, line.size - 5 });

			found = strndup(word.at, word.size);
			if (!found)
				return -ENOMEM;
		} else if (begins(&line, "ID:")) {
			if (!found || !number_after(&line, "ID:", &n) || n > UINT16_MAX)
				break;
			*name = found;
			*id = (uint16_t)n;
			return 0;
		}
	}
	free(found);
	return -EINVAL;
}

/* Is the last identifier of the declaration, before an array's bracket, the wanted name? */
static bool declares(const char *decl, size_t n, const char *name)
{
	const char *bracket = memchr(decl, '[', n);
	size_t len = strlen(name);

	/* "__data_loc char[] name" has its bracket before the name. */
	if (bracket && memchr(bracket, ' ', n - (size_t)(bracket - decl)))
		bracket = NULL;
	if (bracket)
		n = (size_t)(bracket - decl);
	while (n && decl[n - 1] == ' ')
		n--;
	return n > len && memcmp(decl + n - len, name, len) == 0 && (decl[n - len - 1] == ' ' || decl[n - len - 1] == '*');
}

bool format_field(const struct text *format, const char *name, struct field *out)
{
	struct text rest = *format, line;

	*out = (struct field){ 0 };
	while (text_line(&rest, &line)) {
		struct text decl = skip_blanks(line);
		unsigned long offset, size, sign = 0;
		const char *end;

		if (begins(&decl, "print fmt:"))
			return false;
		if (!begins(&decl, "field:"))
			continue;
		decl = skip_blanks((struct text){ decl.at + 6, decl.size - 6 });
		end = memchr(decl.at, ';', decl.size);
		if (!end || !declares(decl.at, (size_t)(end - decl.at), name))
			continue;
		if (!number_after(&line, "offset:", &offset) || !number_after(&line, "size:", &size) || offset > UINT16_MAX || size > UINT16_MAX)
			return false;
		number_after(&line, "signed:", &sign);
		*out = (struct field){ .offset = (uint16_t)offset,
				       .size = (uint16_t)size,
				       .is_signed = sign != 0,
				       .dynamic = begins(&decl, "__data_loc"),
				       .found = true };
		return true;
	}
	return false;
}
