/* SPDX-License-Identifier: GPL-2.0 */
/* Defines what is shared by the source files that print a histogram as text. Only lib/output/hist-*.c use this. */
#ifndef RINGSIDE_HIST_SHARED_H
#define RINGSIDE_HIST_SHARED_H

#include "lib/analysis/reading.h"
#include "lib/output/hist-text.h"

/*
 * This is a group of nodes (lib/analysis/chains.h) that have the same frame. Chains of calls end at these nodes, so this frame is the innermost frame of these
 * chains. The nodes belong to one task, or they belong to all tasks.
 */
struct hist_group {
	uint32_t root;	 /* the index of the root above the nodes; this root stands for the task or for all tasks */
	uint32_t frame;	 /* the index of the innermost frame */
	size_t first, n; /* the group's nodes are the .n elements of hist_text.ends from .first on */
	uint64_t count;
};

struct hist_text {
	const struct hist *h;
	uint32_t *roots;	       /* element i: the index of the root above the node i */
	uint32_t *ends;		       /* the indices of the nodes where chains end, sorted by root and frame */
	size_t nends;		       /* how many elements .ends has */
	VEC(struct hist_group) groups; /* the most frequent first */
	uint64_t total;
	int fd;
	bool colour;
	char **names;	   /* element i: the name of the frame i as a terminal may show it; NULL: the names are shown as they are */
	uint32_t *lengths; /* element i: the length of the name of the frame i, as it is shown */
	struct str out;
};

static inline const char *hist_text_frame(const struct hist_text *v, size_t frame)
{
	return v->names ? v->names[frame] : v->h->chains.frames.at[frame].name;
}

static inline const struct chain_owner *hist_text_owner(const struct hist_text *v, const struct hist_group *group)
{
	return &v->h->chains.owners.at[v->h->chains.nodes.at[group->root].frame];
}

static inline const char *hist_text_comm(const struct hist_text *v, const struct chain_owner *owner)
{
	return comms_find(v->h->inputs->at[owner->file].trace->comms, owner->pid);
}

/* Writes .out when it has more than @much bytes. Returns 0, -EPIPE when nobody reads, -ENOMEM, or another -errno after a message. */
int hist_text_flush(struct hist_text *v, size_t much);

/*
 * Writes to @at the share of @part in @all, in per cent. The text has the colour for a share of this size. Returns where the text ends. There must be
 * room for HIST_SHARE bytes. If @width is 0, the percent sign stands in front of the number. If @width is not 0, the sign stands behind the number, and
 * the number takes at least @width bytes.
 */
enum { HIST_SHARE = 64 };
char *hist_text_share(const struct hist_text *v, char *at, uint64_t all, uint64_t part, size_t width);

/*
 * Writes a tree of callers for each of the first @ngroups groups (lib/output/hist-tree.c). The threads of @pool make the trees. v->out must be empty when this
 * function is called. Returns what hist_text_flush() returns.
 */
int hist_text_trees(struct hist_text *v, size_t ngroups, struct pool *pool);

/*
 * Writes the chains of the first @ngroups groups as folded stacks. The stacks are sorted, and tasks of the same name are put together. The last stacks may
 * still be in v->out when the function returns. The caller writes them with hist_text_flush(). Returns what hist_text_flush() returns, or -ENOMEM.
 */
int hist_text_folded(struct hist_text *v, size_t ngroups);

#endif
