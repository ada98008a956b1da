/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LD_PRELOAD=nomem.so NOMEM=N PROGRAM: the N-th allocation of memory by the program itself (not by one of its libraries) fails. If NOMEM_ALL
 * is set, all its later allocations fail, too. With NOMEM=0 none fails, and the number of allocations is written to file descriptor 9 at the end.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *at, size_t size);
extern void *__libc_memalign(size_t align, size_t size);

static uintptr_t first, last; /* the addresses at which the program begins and ends */
static unsigned long target, count;
static bool all;

static int look(struct dl_phdr_info *info, size_t size, void *ctx)
{
	(void)size, (void)ctx;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

		if (info->dlpi_phdr[i].p_type != PT_LOAD)
			continue;
		first = first && first < from ? first : from;
		last = last > from + info->dlpi_phdr[i].p_memsz ? last : from + info->dlpi_phdr[i].p_memsz;
	}
	return 1; /* the program is the first one */
}

static __attribute__((constructor)) void begin(void)
{
	const char *n = getenv("NOMEM");

	dl_iterate_phdr(look, NULL);
	all = getenv("NOMEM_ALL") != NULL;
	target = n ? strtoul(n, NULL, 10) : 0;
	count = 0;
}

static __attribute__((destructor)) void tell(void)
{
	if (!target)
		dprintf(9, "%lu\n", count);
}

/* A debugger can set a breakpoint here to see which allocation fails. */
__attribute__((noinline, visibility("default"))) void nomem_hit(void);
void nomem_hit(void)
{
	errno = ENOMEM;
}

static bool none(const void *caller)
{
	unsigned long now;

	if ((uintptr_t)caller < first || (uintptr_t)caller >= last)
		return false;
	now = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
	if (!target || !(now == target || (all && now > target)))
		return false;
	nomem_hit();
	return true;
}

#define NONE none(__builtin_return_address(0))

__attribute__((visibility("default"))) void *malloc(size_t size)
{
	return NONE ? NULL : __libc_malloc(size);
}

__attribute__((visibility("default"))) void *calloc(size_t n, size_t size)
{
	return NONE ? NULL : __libc_calloc(n, size);
}

__attribute__((visibility("default"))) void *realloc(void *at, size_t size)
{
	return NONE ? NULL : __libc_realloc(at, size);
}

__attribute__((visibility("default"))) void *aligned_alloc(size_t align, size_t size)
{
	return NONE ? NULL : __libc_memalign(align, size);
}

__attribute__((visibility("default"))) char *strndup(const char *text, size_t n)
{
	size_t len = strnlen(text, n);
	char *copy = NONE ? NULL : __libc_malloc(len + 1);

	if (!copy)
		return NULL;
	copy[len] = '\0';
	return memcpy(copy, text, len);
}

__attribute__((visibility("default"))) char *strdup(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = NONE ? NULL : __libc_malloc(size);

	return copy ? memcpy(copy, text, size) : NULL;
}
