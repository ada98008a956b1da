/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Guesses how deeply a call of a function is nested. The guess is made from the parents that the function tracer records. The parent of a call is the function
 * that made the call. The user of this header keeps a struct parents for each CPU. libtraceevent's function plug-in makes the same guess.
 */
#ifndef RINGSIDE_PARENTS_H
#define RINGSIDE_PARENTS_H

#include "lib/base/map.h"

/*
 * This is the stack of functions that seem to be active, the outermost first. A new call replaces the entry directly behind the entry of the call's parent. The
 * entries behind the replaced entry, which are from earlier calls, do not change.
 */
struct parents {
	VEC(struct parents_entry {
		uint32_t name; /* the number of the function, as in parents_depth() */
		uint32_t next; /* 1 + the index of the next deeper entry with the same .name; 0: there is none */
	})
	stack;
	/* A key is a parents_entry.name. Its value is 1 + the index of the outermost entry with this name. 0: all entries with this name have been replaced. */
	MAP(uint32_t, uint32_t) names;
};

/*
 * Returns the depth of a call of @func by @parent, and remembers both functions. The depth is the index of the outermost entry of @parent in the stack. If the
 * stack has no entry of @parent, @parent becomes the outermost entry, and the depth is 0. @parent and @func are numbers that the user of this header has given
 * to the names of functions (symbols_name_id()). The number 0 stands for a function without a name. When @parent is 0, the depth is 0, and nothing is
 * remembered. When memory runs out, one or both of the functions are not remembered.
 */
unsigned int parents_depth(struct parents *parents, uint32_t parent, uint32_t func);

void parents_fini(struct parents *parents);

#endif
