/* SPDX-License-Identifier: GPL-2.0 */
/* What the texts of a histogram have in common. Inside lib/output/hist-*.c only. */
#ifndef RINGSIDE_HIST_SHARED_H
#define RINGSIDE_HIST_SHARED_H

#include "lib/analysis/reading.h"
#include "lib/output/hist-text.h"

/* Nodes of the same task (or of all) and the same innermost frame. */
struct hist_group {
	uint32_t root, frame;
	size_t first, n;	/* of hist_text.ends */
	uint64_t count;
};

struct hist_text {
	const struct hist *h;
	uint32_t *roots;	/* of each node */
	uint32_t *ends;		/* nodes where chains end, by root and frame */
	size_t nends;
	VEC(struct hist_group) groups;	/* the most frequent first */
	uint64_t total;
	int fd;
	bool colour;
	char **names;		/* of frames, as a terminal may show them; NULL: as they are */
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

/* Writes what has been put together, when that is more than @much. 0; -EPIPE when nobody reads; -errno after a message. */
int hist_text_flush(struct hist_text *v, size_t much);

/* Writes the chains of the first @ngroups as folded stacks, sorted; tasks of the same name are one. The last of them are left in v->out. */
int hist_text_folded(struct hist_text *v, size_t ngroups);

#endif
