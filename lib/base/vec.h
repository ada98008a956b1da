/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A growing array of any type:
 *	VEC(struct probe) probes = { 0 };
 *	if (vec_push(&probes, p)) return -ENOMEM;
 *	vec_each (&probes, probe) use(probe);
 *	vec_fini(&probes);
 * All zero is an empty one. Pointers into it hold until the next push.
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

/* Makes room for @more elements of @size bytes in the vector whose fields these are; 0 or -ENOMEM. */
int vec_grow_(void *at, size_t *cap, size_t n, size_t more, size_t size);

#define vec_reserve(v, more) ((v)->n + (more) <= (v)->cap ? 0 : vec_grow_(&(v)->at, &(v)->cap, (v)->n, (more), sizeof(*(v)->at)))

/* Appends one element, which may name the number of those before it; 0 or -ENOMEM. */
#define vec_push(v, ...) (vec_reserve(v, 1) ? -ENOMEM : ((v)->at[(v)->n] = (__VA_ARGS__), (v)->n++, 0))

#define vec_each(v, item) for (__typeof__(*(v)->at) *item = (v)->at, *end_##item = (v)->n ? item + (v)->n : item; item != end_##item; item++)

#define vec_fini(v) \
	do { \
		free((v)->at); \
		(v)->at = NULL; \
		(v)->n = (v)->cap = 0; \
	} while (0)

/* The commonest one: strings that the vector owns. */
typedef VEC(char *) strv_t;

/* Appends a copy of @text; 0 or -ENOMEM. */
int strv_add(strv_t *v, const char *text);

/* Appends @text itself, which the vector owns from now on, also when it fails; a NULL @text is -ENOMEM. */
int strv_own(strv_t *v, char *text);

/*
 * Appends the words of the list @text: what stands between any of the characters @separators, without white space around it; empty ones
 * are left out. Returns 0 or -ENOMEM.
 */
int strv_split(strv_t *v, const char *text, const char *separators);

bool strv_has(const strv_t *v, const char *text);
void strv_sort(strv_t *v);
void strv_fini(strv_t *v);

#endif
