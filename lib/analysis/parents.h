/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Guesses how deeply a function is nested, from the parents that the function tracer records. There is one guess for each CPU,
 * made as libtraceevent's function plug-in makes it.
 */
#ifndef RINGSIDE_PARENTS_H
#define RINGSIDE_PARENTS_H

#include "lib/base/map.h"

/* The functions that seem to be active, the outermost first. Those that are deeper than the last call belong to earlier calls, but are not removed. */
struct parents {
	VEC(struct parents_entry {
		uint32_t name;
		uint32_t next; /* 1 + the next deeper place with the same name; 0: there is none */
	})
	stack;
	MAP(uint32_t, uint32_t) names; /* by name: 1 + the place at which it is first in the stack; 0: it is no longer in the stack */
};

/* Returns the depth of a call of @func by @parent, and remembers both. Both are indices of names; 0 stands for a function that has no name. */
unsigned int parents_depth(struct parents *parents, uint32_t parent, uint32_t func);

void parents_fini(struct parents *parents);

#endif
