/* SPDX-License-Identifier: GPL-2.0 */
/* Files made by hand for the tests of lib/data/merge, and what a merge gives of them. */
#ifndef RINGSIDE_UNIT_MERGING_H
#define RINGSIDE_UNIT_MERGING_H

#include "lib/data/merge.h"
#include "tests/unit/dat.h"
#include "tests/unit/unit.h"

/* The numbers of a loop test: it is run by 1 to 4 threads. */
enum { MERGING_FIRST = 1, MERGING_LAST = 4 };

extern const struct graph_ids merging_graph;

/* A trace under construction: CPU by CPU, page by page. */
struct merging {
	struct dat like;
	struct dat_buffer buffers[2];
	size_t nbuffers;
};

void merging_init(struct merging *t, bool big, size_t nbuffers);
void merging_fini(struct merging *t);

/* The pages made with @d become the next CPU of buffer @b. */
void merging_add(struct merging *t, size_t b, struct dat *d);

/* Fills @d with so many pages of records at random times, whose second word counts them. Returns how many records they are. */
size_t merging_random(struct dat *d, unsigned int pages, uint32_t seed);

/* Opens it as a file of version 7 with this codec, or of version 6 when @codec is NULL. */
struct datfile *merging_open(struct merging *t, const char *codec);

/* A record with what it points at, to be looked at when its batch is gone. */
struct seen {
	struct record rec;
	uint16_t type;
	uint64_t exit_func;
};
struct run {
	VEC(struct seen) seen;
	bool damaged;
	int err;
};

/* Returns all that the inputs give, by @threads threads; several batches are held at a time. */
struct run merging_run(const struct merge_input *inputs, size_t n, unsigned int threads);
struct run merging_run_file(struct datfile *file, unsigned int threads);

/* The same of a version 6 file of one CPU, with the pages made with @d. */
struct run merging_run_cpu(struct merging *t, struct dat *d, unsigned int threads, struct datfile **file);
void merging_close(struct run *run, struct datfile *file, struct merging *t);

/* All @total records are there in the order of time, ties by CPU. */
void merging_check(const struct run *run, size_t total);

#endif
