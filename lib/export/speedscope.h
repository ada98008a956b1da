/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the exporter to speedscope share. In its format (speedscope.app/file-format-schema.json) a profile stands in one piece, while in
 * a recording tasks alternate. So the data of each task are kept in a strand until the end.
 */
#ifndef RINGSIDE_SPEEDSCOPE_H
#define RINGSIDE_SPEEDSCOPE_H

#include "lib/export/strands.h"
#include "lib/export/timeline.h"

/*
 * The beginning or the end of a call. Speedscope takes the time of a call from its marks alone. But function_graph measures that time apart from the
 * times of the events, which include the tracing of entry and exit. So the time between marks is shortened or stretched a little, in proportion,
 * until each call lasts as long as was measured.
 */
struct speedscope_mark {
	uint64_t ns;   /* the time of the event */
	uint64_t self; /* for a beginning: how long the call took without the calls inside of it */
	uint64_t gaps; /* for a beginning: the same by the times of the events */
	uint32_t frame;
	uint32_t ends; /* this mark is an end */
};

/* A call that is open. */
struct speedscope_open {
	uint64_t at; /* where its mark is in the strand */
	uint64_t callees, gaps;
};

/* The profile of a task, or of a place beside one. */
struct speedscope_profile {
	const struct call_task *task;
	struct strand marks;
	struct strand samples; /* each is a number of frames and then these frames, the outermost first */
	VEC(struct speedscope_open) open;
	uint64_t last; /* the time of the last mark so far */
	uint64_t nsamples;
};

/* The stacks that were recorded with an event. They come behind the event. */
struct speedscope_pending {
	uint32_t event; /* the event's frame; 0: there is no event, or none of its stacks has come yet */
	struct speedscope_profile *profile;
	VEC(uint32_t) kernel, user; /* frames, the innermost first */
};

/* Something that is called. */
struct speedscope_name {
	const char *module; /* NULL: none */
	uint32_t frame;	    /* 1 + the frame of complete calls; 0: not asked for yet */
};

struct speedscope {
	struct strands strands;
	MAP(struct text, char *) frames;   /* the JSON of each frame, owned by the value */
	VEC(struct speedscope_name) names; /* parallel to timeline.names */
	struct keys functions;		   /* the functions in stacks */
	VEC(uint32_t) function_frames;	   /* the frames of functions, by the numbers of .functions */
	VEC(struct speedscope_profile *) profiles;
	VEC(struct speedscope_pending *) pendings;
	uint64_t first; /* the earliest time of all */
	bool any;
};

/* Returns the profile of a task, which is made when it is first asked for, or NULL when there is no memory. */
struct speedscope_profile *speedscope_profile(struct timeline *t, struct call_task *task);

/*
 * Returns 1 + the index of the frame of this name, or 0 when there is no memory. @module and @more, a text that is shown in brackets behind the name,
 * may be NULL.
 */
uint32_t speedscope_frame(struct timeline *t, const char *name, size_t n, const char *module, const char *more);

/* These take in an event that may have stacks, one of its stacks, and the end of all events. They return 0 or -errno. */
int speedscope_event(struct timeline *t, struct call_task *task, const struct event *event, const struct record *rec);
int speedscope_stack(struct timeline *t, const struct event *event, const struct record *rec);
int speedscope_stacks_end(struct timeline *t);

/* Writes the document. Returns 0 or -errno. */
int speedscope_write(struct timeline *t);

#endif
