/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The callers of one event or function as a tree that branches where they differ, the most frequent first, drawn as trace-cmd
 * hist draws it. Inside lib/output only.
 */
#ifndef RINGSIDE_HIST_BRANCHES_H
#define RINGSIDE_HIST_BRANCHES_H

#include "lib/analysis/hist.h"
#include "lib/base/str.h"

struct branch {
	uint32_t frame;		/* of hist.frames */
	uint32_t below;		/* what it called: index of a branch that comes before it */
	uint64_t count;
	uint32_t first, n;	/* its callers in branches.sorted */
};

struct branches {
	const struct hist *hist;	/* borrowed */
	VEC(struct branch) all;		/* 0 is what is called; with keys */
	struct keys keys;
	uint32_t *sorted;
	uint32_t at;			/* where the chain stands that is being added */
	uint64_t count;
};

/* 0 or -ENOMEM. */
int branches_init(struct branches *b);

/* A chain that was counted so often; then its frames, innermost first. 0 or -ENOMEM. */
void branches_begin(struct branches *b, uint64_t count);
int branches_add(struct branches *b, uint32_t frame);

/* All have been added. 0 or -ENOMEM. */
int branches_sort(struct branches *b);
void branches_text(const struct branches *b, struct str *out);

void branches_fini(struct branches *b);

#endif
