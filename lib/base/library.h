/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loads shared libraries that few commands need. If the program were linked with these libraries, every command would load and relocate all of them at
 * its start. With library_load(), a command loads only the libraries that it needs. The code that uses a library lists the functions of the library in
 * one macro. This macro makes a struct of pointers, and the rows by which library_load() fills in the struct:
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
	const char *name; /* the name that the library exports; a row with NULL is the end of the rows */
	size_t offset;	  /* where the pointer to the function is in the struct that library_load() fills in */
};

enum { LIBRARY_WHY = 256 };

/*
 * Loads @file, such as "libcurl.so.4", and sets the pointers in @calls that @rows name. The file is looked for as dlopen(3) describes. The library stays
 * loaded until the program ends, because some libraries set up things that are used until then. Returns 0. Returns -ENOENT when the library cannot be
 * loaded or lacks one of the functions. After -ENOENT the text in @why says what is missing. @why has room for LIBRARY_WHY bytes. No message is printed,
 * because some callers can work without the library.
 */
int library_load(const char *file, const struct library_call *rows, void *calls, char *why);

#endif
