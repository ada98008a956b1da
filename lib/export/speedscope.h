/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the exporter to speedscope share. In its format (speedscope.app/file-format-schema.json) a profile stands in one piece,
 * and in a recording tasks alternate: so what becomes of each is kept in a strand until the end.
 */
#ifndef RINGSIDE_SPEEDSCOPE_H
#define RINGSIDE_SPEEDSCOPE_H

#include "lib/export/strands.h"
#include "lib/export/timeline.h"

/*
 * A call begins or ends. Speedscope makes a call's time of its marks alone, while function_graph measures it apart from the events' own
 * times, which hold the tracing of entry and exit as well. So the time between marks is shortened (or stretched) a little, in proportion,
 * until each call lasts as long as was measured.
 */
struct speedscope_mark {
	uint64_t ns;   /* of the event */
	uint64_t self; /* of a beginning: what the call took without those inside */
	uint64_t gaps; /* and what the events' times make of that */
	uint32_t frame;
	uint32_t ends; /* it is an end */
};

/* A call that is open. */
struct speedscope_open {
	uint64_t at; /* where its mark is in the strand */
	uint64_t callees, gaps;
};

/* Of a task, or a place beside one. */
struct speedscope_profile {
	const struct call_task *task;
	struct strand marks;
	struct strand samples; /* each a count and so many frames, the outermost first */
	VEC(struct speedscope_open) open;
	uint64_t last; /* the time of the last mark so far */
	uint64_t nsamples;
};

/* Stacks that were recorded with an event, which come behind it. */
struct speedscope_pending {
	uint32_t event; /* its frame; 0: none, or it has no stack so far */
	struct speedscope_profile *profile;
	VEC(uint32_t) kernel, user; /* frames, the innermost first */
};

/* What is called. */
struct speedscope_name {
	const char *module; /* NULL: none */
	uint32_t frame;	    /* 1 + that of complete calls; 0: not asked for yet */
};

struct speedscope {
	struct strands strands;
	MAP(struct text, char *) frames;   /* what JSON says of each, owned by the value */
	VEC(struct speedscope_name) names; /* parallel to timeline.names */
	struct keys functions;		   /* of stacks */
	VEC(uint32_t) function_frames;	   /* by their index */
	VEC(struct speedscope_profile *) profiles;
	VEC(struct speedscope_pending *) pendings;
	uint64_t first; /* the time of all that comes first */
	bool any;
};

/* The profile of a task, made when it is first asked for. Returns NULL when there is no memory. */
struct speedscope_profile *speedscope_profile(struct timeline *t, struct call_task *task);

/* 1 + the index of a frame of this name, with a module and what is to be said of it in brackets (each may be NULL). 0: out of memory. */
uint32_t speedscope_frame(struct timeline *t, const char *name, size_t n, const char *module, const char *more);

/* Stacks: an event that may have some; one of those; no more of any. Returns 0 or -errno. */
int speedscope_event(struct timeline *t, struct call_task *task, const struct event *event, const struct record *rec);
int speedscope_stack(struct timeline *t, const struct event *event, const struct record *rec);
int speedscope_stacks_end(struct timeline *t);

/* Writes the document. Returns 0 or -errno. */
int speedscope_write(struct timeline *t);

#endif
