/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeps a state for each CPU of each buffer of each file while records are taken in. The caller chooses what a state is. stream_of() makes a state that does
 * not exist yet. A new state is all zero.
 *	struct streams streams = { .size = sizeof(struct my_state) };
 *	struct my_state *state = stream_of(&streams, rec);
 */
#ifndef RINGSIDE_STREAMS_H
#define RINGSIDE_STREAMS_H

#include "lib/base/vec.h"
#include "lib/data/record.h"

/* These are the states of the CPUs of a buffer. */
struct stream_cpus {
	char *states; /* the state of CPU 0, the state of CPU 1, and so on */
	size_t n;     /* how many states there are */
};

typedef VEC(struct stream_cpus) stream_buffers_t;

struct streams {
	size_t size;		     /* how many bytes a state has */
	VEC(stream_buffers_t) files; /* files.at[i].at[k] is for buffer k of file i */
};

/* Does the work of stream_of() if the state may not exist yet. Only stream_of() calls this. */
void *stream_add(struct streams *streams, const struct record *rec);

/* Returns the state of the record's CPU, or NULL when memory runs out. The pointer is valid until the next call of stream_of() with the same @streams. */
static inline void *stream_of(struct streams *streams, const struct record *rec)
{
	if (likely(rec->file < streams->files.n && rec->buffer < streams->files.at[rec->file].n)) {
		struct stream_cpus *cpus = &streams->files.at[rec->file].at[rec->buffer];

		if (likely(rec->cpu < cpus->n))
			return cpus->states + rec->cpu * streams->size;
	}
	return stream_add(streams, rec);
}

/* Calls @fini for each state if @fini is not NULL. Then frees all states. */
void streams_fini(struct streams *streams, void (*fini)(void *state));

#endif
