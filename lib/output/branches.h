/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Merges chains into a tree that branches where they differ; the branch with the most time (then the highest count, then the lowest number) comes first. A chain
 * consists of numbers, which are addresses or indices. Only lib/output/profile-text.c uses this.
 */
#ifndef RINGSIDE_BRANCHES_H
#define RINGSIDE_BRANCHES_H

#include "lib/analysis/times.h"
#include "lib/base/map.h"

struct branch {
	uint64_t what;
	uint32_t first, n;  /* the .n branches that stand on it, in branches.sorted; before branches_sort() .first is the newest of them, 0: none */
	uint32_t next;	    /* the next older branch that stands on the same one; 0: none */
	uint32_t hot;	    /* the branch on it that was added to last; 0: none */
	struct times times; /* the times of all chains that go through it */
};

/* When a branch carries this many others, they are looked up by a hash; fewer are searched one by one. */
#define BRANCH_MANY 32

/* A branch among many that stand on the same one. */
struct branch_place {
	uint64_t what, below;
};

struct branches {
	VEC(struct branch) all;			   /* all stand on branch 0 */
	MAP(struct branch_place, uint64_t) places; /* the index of each branch that stands beside many others */
	uint32_t *sorted;
	uint32_t at;	    /* the last branch of the chain that is being added */
	struct times times; /* the times of that chain */
};

/* Makes an empty tree. Returns 0 or -ENOMEM. */
int branches_init(struct branches *b);
void branches_fini(struct branches *b);

/* branches_begin() begins a chain with its times. Each call of branches_add() adds the next number of the chain, and returns 0 or -ENOMEM. */
void branches_begin(struct branches *b, const struct times *times);
int branches_add(struct branches *b, uint64_t what);

/* Sorts the tree when all chains have been added, so that branch_on() can be used. Returns 0 or -ENOMEM. */
int branches_sort(struct branches *b);

/* Returns the @i-th of the on->n branches that stand on @on. */
static inline const struct branch *branch_on(const struct branches *b, const struct branch *on, uint32_t i)
{
	return &b->all.at[b->sorted[on->first + i]];
}

/* Returns the only branch that stands on @on, when all chains go on there, or NULL when some end or differ. */
static inline const struct branch *branch_next(const struct branches *b, const struct branch *on)
{
	return on->n == 1 && branch_on(b, on, 0)->times.count == on->times.count ? branch_on(b, on, 0) : NULL;
}

#endif
