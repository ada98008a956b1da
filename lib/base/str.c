/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/base/str.h"

#include <ctype.h>
#include <stdio.h>
#include <sys/mman.h>

void str_fini(struct str *s)
{
	free(s->at);
	*s = (struct str){ 0 };
}

void str_clear(struct str *s)
{
	s->len = 0;
	s->oom = false;
	if (s->at)
		s->at[0] = '\0';
}

bool str_grow_(struct str *s, size_t more);

bool str_grow_(struct str *s, size_t more)
{
	size_t need, cap;
	char *at;

	if (__builtin_add_overflow(s->len, more, &need) || __builtin_add_overflow(need, 1, &need)) {
		s->oom = true;
		return false;
	}
	if (need <= s->cap)
		return true;
	cap = MAX(need, s->cap + s->cap / 2);
	cap = MAX(cap, (size_t)32);
	at = realloc(s->at, cap);
	if (!at) {
		s->oom = true;
		return false;
	}
	s->at = at;
	s->cap = cap;
	return true;
}

void str_addn(struct str *s, const void *bytes, size_t n)
{
	if (!str_room(s, n))
		return;
	if (n)
		memcpy(s->at + s->len, bytes, n);
	s->len += n;
	s->at[s->len] = '\0';
}

void str_add(struct str *s, const char *text)
{
	str_addn(s, text, strlen(text));
}

void str_addc(struct str *s, char c)
{
	str_addn(s, &c, 1);
}

void str_vaddf(struct str *s, const char *fmt, va_list ap)
{
	const size_t room = s->cap - s->len;
	va_list again;
	int n;

	/* Most texts fit, so that they are formatted only once. */
	va_copy(again, ap);
	n = vsnprintf(s->at ? s->at + s->len : NULL, room, fmt, again);
	va_end(again);
	if (n >= 0 && (size_t)n < room) {
		s->len += (size_t)n;
		return;
	}
	if (s->at && room)
		s->at[s->len] = '\0';
	if (n < 0 || !str_room(s, (size_t)n))
		return;
	vsnprintf(s->at + s->len, (size_t)n + 1, fmt, ap);
	s->len += (size_t)n;
}

void str_addf(struct str *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	str_vaddf(s, fmt, ap);
	va_end(ap);
}

int str_ok(const struct str *s)
{
	return s->oom ? -ENOMEM : 0;
}

char *str_take(struct str *s)
{
	char *text = s->oom ? NULL : s->at;

	if (!text) {
		free(s->at);
		text = s->oom ? NULL : strdup("");
	}
	*s = (struct str){ 0 };
	return text;
}

char *str_printf(const char *fmt, ...)
{
	struct str s = { 0 };
	va_list ap;

	va_start(ap, fmt);
	str_vaddf(&s, fmt, ap);
	va_end(ap);
	return str_take(&s);
}

char *str_file_of(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path, *dot = strrchr(file, '.');
	const size_t n = dot && dot > file ? (size_t)(dot - path) : strlen(path);

	return str_printf("%.*s-%s%s", prec(n), path, name, path + n);
}

bool str_starts(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool str_ends(const char *text, const char *suffix)
{
	size_t n = strlen(text), m = strlen(suffix);

	return n >= m && strcmp(text + n - m, suffix) == 0;
}

char *str_trim(char *text)
{
	size_t n;

	while (isspace((unsigned char)*text))
		text++;
	n = strlen(text);
	while (n && isspace((unsigned char)text[n - 1]))
		n--;
	text[n] = '\0';
	return text;
}

char *text_room(size_t size)
{
	const size_t huge = 2 << 20;
	char *at = NULL;
	size_t whole;

	if (size >= huge / 2 && !__builtin_add_overflow(size, huge - 1, &whole)) {
		whole -= whole % huge;
		at = aligned_alloc(huge, whole);
	}
	if (!at)
		return malloc(size);
	madvise(at, whole, MADV_HUGEPAGE);
	return at;
}

bool text_line(struct text *rest, struct text *line)
{
	char *end;

	if (!rest->size)
		return false;
	end = memchr(rest->at, '\n', rest->size);
	line->at = rest->at;
	line->size = end ? (size_t)(end - rest->at) : rest->size;
	rest->at += line->size + (end != NULL);
	rest->size -= line->size + (end != NULL);
	return true;
}
