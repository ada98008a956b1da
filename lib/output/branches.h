/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Merges chains into a tree that branches where the chains differ. A chain is a sequence of numbers, which are addresses or indices. Among the children
 * of a branch, the one with the most time comes first. Among children with equal times, the one with the highest count comes first. Among children with
 * equal times and counts, the one with the lowest number comes first. Only lib/output/profile-text.c uses this.
 */
#ifndef RINGSIDE_BRANCHES_H
#define RINGSIDE_BRANCHES_H

#include "lib/analysis/times.h"
#include "lib/base/map.h"

struct branch {
	uint64_t what; /* the number that all chains through this branch have at this depth */
	/*
	 * Before branches_sort(), this is the index in branches.all of the branch's newest child, or 0 when the branch has no child. After branches_sort(),
	 * this member tells where the branch's children begin in branches.sorted.
	 */
	uint32_t first;
	uint32_t n;	    /* how many children it has */
	uint32_t next;	    /* the index in branches.all of the next older child of the same parent; 0: none */
	uint32_t hot;	    /* the index in branches.all of the child through which the latest chain went; 0: none */
	struct times times; /* the times of all chains that go through the branch */
};

/* If a branch has this many children or more, its children are looked up in a hash table. If it has fewer children, they are compared one by one. */
#define BRANCH_MANY 32

/* This is the key by which a branch is looked up: its number, and the index of its parent. */
struct branch_place {
	uint64_t what, below;
};

struct branches {
	VEC(struct branch) all;			   /* branch 0 is the root */
	MAP(struct branch_place, uint64_t) places; /* gives the index in .all of each branch whose parent has BRANCH_MANY children or more */
	uint32_t *sorted;			   /* indices into .all: the children of each branch, in their order; made by branches_sort() */
	uint32_t at;				   /* the chain that is being added: the index in .all of the branch that it has reached */
	struct times times;			   /* the times of that chain */
};

/* Makes an empty tree. Returns 0 or -ENOMEM. */
int branches_init(struct branches *b);
void branches_fini(struct branches *b);

/* branches_begin() begins a chain whose times are @times. Each call of branches_add() adds the next number of the chain, and returns 0 or -ENOMEM. */
void branches_begin(struct branches *b, const struct times *times);
int branches_add(struct branches *b, uint64_t what);

/* Sorts the tree when all chains have been added, so that branch_on() can be used. Returns 0 or -ENOMEM. */
int branches_sort(struct branches *b);

/* Returns child @i of @on. @on has on->n children, and the first of them is child 0. */
static inline const struct branch *branch_on(const struct branches *b, const struct branch *on, uint32_t i)
{
	return &b->all.at[b->sorted[on->first + i]];
}

/*
 * Returns the only child of @on when all chains through @on go on through that child. Returns NULL when some of these chains end at @on, or when they differ
 * after @on.
 */
static inline const struct branch *branch_next(const struct branches *b, const struct branch *on)
{
	return on->n == 1 && branch_on(b, on, 0)->times.count == on->times.count ? branch_on(b, on, 0) : NULL;
}

#endif
