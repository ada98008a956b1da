/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How deep a function seems to be, guessed from the parents that the function tracer records: one guess per CPU,
 * as libtraceevent's function plug-in makes it.
 */
#ifndef RINGSIDE_PARENTS_H
#define RINGSIDE_PARENTS_H

#include "lib/base/vec.h"
#include "lib/event/symbols.h"

/* The functions thought to be active, outermost first. What is deeper than the last match is stale but stays. */
struct parents {
	VEC(const struct symbol *) stack;
};

/* The depth of @func called by @parent (each NULL when it has no name); remembers both. */
unsigned int parents_depth(struct parents *parents, const struct symbol *parent, const struct symbol *func);

void parents_fini(struct parents *parents);

#endif
