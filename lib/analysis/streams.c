/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/streams.h"

void *stream_add(struct streams *streams, const struct record *rec)
{
	struct stream_cpus *cpus;
	char *states;
	size_t n;

	while (streams->files.n <= rec->file)
		if (vec_push(&streams->files, (stream_buffers_t){ 0 }))
			return NULL;
	while (streams->files.at[rec->file].n <= rec->buffer)
		if (vec_push(&streams->files.at[rec->file], (struct stream_cpus){ 0 }))
			return NULL;
	cpus = &streams->files.at[rec->file].at[rec->buffer];
	n = (size_t)rec->cpu + 1;
	states = realloc(cpus->states, n * streams->size);
	if (!states)
		return NULL;
	memset(states + cpus->n * streams->size, 0, (n - cpus->n) * streams->size);
	cpus->states = states;
	cpus->n = n;
	return states + rec->cpu * streams->size;
}

void streams_fini(struct streams *streams, void (*fini)(void *state))
{
	vec_each (&streams->files, buffers) {
		vec_each (buffers, cpus) {
			for (size_t i = 0; fini && i < cpus->n; i++)
				fini(cpus->states + i * streams->size);
			free(cpus->states);
		}
		vec_fini(buffers);
	}
	vec_fini(&streams->files);
}
