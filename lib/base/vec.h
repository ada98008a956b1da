/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines a growing array of any type:
 *	VEC(struct probe) probes = { 0 };
 *	if (vec_push(&probes, p)) return -ENOMEM;
 *	vec_each (&probes, probe) use(probe);
 *	vec_fini(&probes);
 * A VEC that is all zero is empty. Pointers to elements are valid until the next vec_push() or vec_reserve().
 */
#ifndef RINGSIDE_VEC_H
#define RINGSIDE_VEC_H

#include "lib/base/base.h"

#define VEC(type) \
	struct { \
		type *at; \
		size_t n; \
		size_t cap; \
	}

/*
 * Makes room for @more elements of @size bytes in a VEC. @at and @cap point to the members .at and .cap of the VEC. @n is the .n of the VEC. Returns 0 or
 * -ENOMEM.
 */
int vec_grow_(void *at, size_t *cap, size_t n, size_t more, size_t size);

/* Makes room for @more elements behind those that are there. Returns 0 or -ENOMEM. */
#define vec_reserve(v, more) ((v)->n + (more) <= (v)->cap ? 0 : vec_grow_(&(v)->at, &(v)->cap, (v)->n, (more), sizeof(*(v)->at)))

/* Appends one element and returns 0 or -ENOMEM. The expression for the element may use (v)->n, which does not include the new element yet. */
#define vec_push(v, ...) (vec_reserve(v, 1) ? -ENOMEM : ((v)->at[(v)->n] = (__VA_ARGS__), (v)->n++, 0))

#define vec_each(v, item) for (__typeof__(*(v)->at) *item = (v)->at, *end_##item = (v)->n ? item + (v)->n : item; item != end_##item; item++)

#define vec_fini(v) \
	do { \
		free((v)->at); \
		(v)->at = NULL; \
		(v)->n = (v)->cap = 0; \
	} while (0)

/* A vector of strings. The vector owns the strings. */
typedef VEC(char *) strv_t;

/* Appends a copy of @text. Returns 0 or -ENOMEM. */
int strv_add(strv_t *v, const char *text);

/* Appends @text without a copy. The vector then owns @text. Returns 0, or -ENOMEM when memory runs out or @text is NULL. On -ENOMEM, @text is freed. */
int strv_own(strv_t *v, char *text);

/*
 * Splits @text into words at each character that is in @separators. Appends the words, without white space around them. Empty words are not appended. Returns
 * 0 or -ENOMEM.
 */
int strv_split(strv_t *v, const char *text, const char *separators);

bool strv_has(const strv_t *v, const char *text);

/* Returns true if there are elements. Returns false if @v is NULL. */
static inline bool strv_some(const strv_t *v)
{
	return v && v->n;
}

void strv_sort(strv_t *v);
void strv_fini(strv_t *v);

#endif
