/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How deep a function seems to be, guessed from the parents that the function tracer records: one guess per CPU,
 * as libtraceevent's function plug-in makes it.
 */
#ifndef RINGSIDE_PARENTS_H
#define RINGSIDE_PARENTS_H

#include "lib/base/map.h"

/* The functions thought to be active, outermost first. What is deeper than the last match is stale but stays. */
struct parents {
	VEC(struct parents_entry {
		uint32_t name;
		uint32_t next;		/* 1 + where the same name is deeper; 0: nowhere */
	}) stack;
	MAP(uint32_t, uint32_t) names;	/* of all in the stack, and some that were there: 1 + where it is first in the stack; 0: nowhere */
};

/* The depth of @func called by @parent, numbers of their names (0: it has none); remembers both. */
unsigned int parents_depth(struct parents *parents, uint32_t parent, uint32_t func);

void parents_fini(struct parents *parents);

#endif
