/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Chains put together as a tree that branches where they differ, what has most time (or count) first. What is in a chain is a
 * number: an address, or an index. Inside lib/output only.
 */
#ifndef RINGSIDE_BRANCHES_H
#define RINGSIDE_BRANCHES_H

#include "lib/analysis/keys.h"
#include "lib/analysis/times.h"

struct branch {
	uint64_t what;
	uint32_t below;		/* index of the branch it stands on, which comes before it */
	uint32_t first, n;	/* those that stand on it, in branches.sorted */
	struct times times;	/* of the chains that go through it */
};

struct branches {
	VEC(struct branch) all;		/* 0 is what all stand on; with keys */
	struct keys keys;
	uint32_t *sorted;
	uint32_t at;			/* where the chain stands that is being added */
	struct times times;	/* and how much it is */
	/* What comes first of equal weight; NULL: the lower number. */
	int (*order)(const void *ctx, uint64_t a, uint64_t b);
	const void *ctx;
};

/* @order and @ctx may be NULL. 0 or -ENOMEM. */
int branches_init(struct branches *b, int (*order)(const void *ctx, uint64_t a, uint64_t b), const void *ctx);
void branches_fini(struct branches *b);

/* A chain, and how much it is; then what it consists of, one after the other. 0 or -ENOMEM. */
void branches_begin(struct branches *b, const struct times *times);
int branches_add(struct branches *b, uint64_t what);

/* All have been added: now those on each can be asked for. 0 or -ENOMEM. */
int branches_sort(struct branches *b);

/* The @i-th that stands on @on, of on->n. */
static inline const struct branch *branch_on(const struct branches *b, const struct branch *on, uint32_t i)
{
	return &b->all.at[b->sorted[on->first + i]];
}

/* The only one that stands on @on, when all its chains go on there; NULL: they end or differ. */
static inline const struct branch *branch_next(const struct branches *b, const struct branch *on)
{
	return on->n == 1 && branch_on(b, on, 0)->times.count == on->times.count ? branch_on(b, on, 0) : NULL;
}

#endif
