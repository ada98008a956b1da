/* SPDX-License-Identifier: GPL-2.0 */
/* Defines what all files share: fixed-width integers, sizes of arrays, cleanup of locals. */
#ifndef RINGSIDE_BASE_H
#define RINGSIDE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define ORDER(a, b) ((a) < (b) ? -1 : (a) > (b)) /* -1, 0 or 1, as a comparison for qsort() returns it */
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define __printf(fmt, first) __attribute__((format(printf, fmt, first)))
#define __unused __attribute__((unused))

#define NSEC_PER_SEC 1000000000ULL
#define NSEC_PER_MSEC 1000000ULL
#define NSEC_PER_USEC 1000ULL

/*
 * Declares a local variable that is released on every way out of its scope:
 *	__cleanup(free_ptr) char *name = strdup(...);
 * The destructor @destroy takes a pointer to the variable. @destroy must do nothing when the variable is a NULL pointer or a negative descriptor.
 */
#define __cleanup(destroy) __attribute__((cleanup(destroy)))

/* A destructor for __cleanup. @p is the address of a pointer. Frees the malloc()ed memory to which this pointer points. */
static inline void free_ptr(void *p)
{
	free(*(void **)p);
}

/* Returns a pointer to the structure of type @type. @ptr points to the member @member of this structure. */
#define container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))

/* Returns the value of a __cleanup variable and sets the variable to NULL, so that the caller owns the value. */
#define take(ptr) \
	({ \
		__typeof__(ptr) taken_ = (ptr); \
		(ptr) = NULL; \
		taken_; \
	})

/* Exchanges the values of two variables of the same type. */
#define swap(a, b) \
	do { \
		__typeof__(a) swapped_ = (a); \
		(a) = (b); \
		(b) = swapped_; \
	} while (0)

/* Returns the length @n as an int, for printf's %.*s. Lengths above 4096 become 4096. */
static inline int prec(size_t n)
{
	return n > 4096 ? 4096 : (int)n;
}

#endif
