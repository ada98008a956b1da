/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/base/vec.h"

#include <ctype.h>

int vec_grow_(void *at, size_t *cap, size_t n, size_t more, size_t size)
{
	void **mem = at;
	size_t need, bytes, want;
	void *grown;

	if (__builtin_add_overflow(n, more, &need))
		return -ENOMEM;
	want = MAX(need, *cap + *cap / 2);
	want = MAX(want, (size_t)8);
	if (__builtin_mul_overflow(want, size, &bytes))
		return -ENOMEM;
	grown = realloc(*mem, bytes);
	if (!grown)
		return -ENOMEM;
	*mem = grown;
	*cap = want;
	return 0;
}

int strv_own(strv_t *v, char *text)
{
	if (!text || vec_push(v, text)) {
		free(text);
		return -ENOMEM;
	}
	return 0;
}

int strv_add(strv_t *v, const char *text)
{
	return strv_own(v, strdup(text));
}

int strv_split(strv_t *v, const char *text, const char *separators)
{
	int err = 0;

	while (!err && *text) {
		size_t n = strcspn(text, separators), begin = 0, end = n;

		while (begin < end && isspace((unsigned char)text[begin]))
			begin++;
		while (end > begin && isspace((unsigned char)text[end - 1]))
			end--;
		if (end > begin)
			err = strv_own(v, strndup(text + begin, end - begin));
		text += n + (text[n] != '\0');
	}
	return err;
}

bool strv_has(const strv_t *v, const char *text)
{
	vec_each (v, item)
		if (strcmp(*item, text) == 0)
			return true;
	return false;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void strv_sort(strv_t *v)
{
	if (v->n)
		qsort(v->at, v->n, sizeof(*v->at), by_text);
}

void strv_fini(strv_t *v)
{
	vec_each (v, item)
		free(*item);
	vec_fini(v);
}
