/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loads shared libraries that few commands need, so that the other commands do not load them at their start. The code that uses a library lists the functions
 * of the library in one macro. This macro makes a struct of pointers, and the rows by which library_load() fills in the struct:
 *
 *	#define CALLS(call) call(open) call(close)
 *	struct calls {
 *	#define POINTER(name) __typeof__(&lib_##name) name;
 *		CALLS(POINTER)
 *	};
 *	static const struct library_call rows[] = {
 *	#define ROW(name) { "lib_" #name, offsetof(struct calls, name) },
 *		CALLS(ROW){ NULL },
 *	};
 */
#ifndef RINGSIDE_LIBRARY_H
#define RINGSIDE_LIBRARY_H

#include <stddef.h>

/* A function of a library. */
struct library_call {
	const char *name; /* the name that the library exports; NULL: this row ends the array of rows */
	size_t offset;	  /* where the pointer to the function is in the struct that library_load() fills in */
};

enum { LIBRARY_WHY = 256 };

/*
 * Loads @file, such as "libcurl.so.4". For each row of @rows, sets the pointer at .offset in the struct @calls. The file is looked for as dlopen(3)
 * describes. The library stays loaded until the program ends. Returns 0, or -ENOENT without a message when the library cannot be loaded or lacks one of the
 * functions. After -ENOENT, the text in @why says what is missing. @why has room for LIBRARY_WHY bytes.
 */
int library_load(const char *file, const struct library_call *rows, void *calls, char *why);

#endif
