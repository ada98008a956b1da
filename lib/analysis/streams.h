/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeps a state for each CPU of each buffer of each file while records are taken in. A state is made when it is asked for the first time. It is all
 * zero then.
 *	struct streams streams = { .size = sizeof(struct my_state) };
 *	struct my_state *state = stream_of(&streams, rec);
 */
#ifndef RINGSIDE_STREAMS_H
#define RINGSIDE_STREAMS_H

#include "lib/base/vec.h"
#include "lib/data/record.h"

/* These are the states of the CPUs of a buffer. */
struct stream_cpus {
	char *states; /* one after the other: the state of CPU 0, of CPU 1, and so on */
	size_t n;     /* how many states there are */
};

typedef VEC(struct stream_cpus) stream_buffers_t;

struct streams {
	size_t size;		     /* bytes of a state */
	VEC(stream_buffers_t) files; /* files.at[i].at[k] is for buffer k of file i */
};

/* Does what stream_of() does, for a CPU that may be new. */
void *stream_add(struct streams *streams, const struct record *rec);

/* Returns the state of the record's CPU, or NULL when memory runs out. The state may be moved when another state is asked for. */
static inline void *stream_of(struct streams *streams, const struct record *rec)
{
	if (likely(rec->file < streams->files.n && rec->buffer < streams->files.at[rec->file].n)) {
		struct stream_cpus *cpus = &streams->files.at[rec->file].at[rec->buffer];

		if (likely(rec->cpu < cpus->n))
			return cpus->states + rec->cpu * streams->size;
	}
	return stream_add(streams, rec);
}

/* Calls @fini, which may be NULL, for each state, and frees all states. */
void streams_fini(struct streams *streams, void (*fini)(void *state));

#endif
