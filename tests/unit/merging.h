/* SPDX-License-Identifier: GPL-2.0 */
/* Makes trace files for the tests of lib/data/merge, merges them, and keeps the records that the merge returns. */
#ifndef RINGSIDE_UNIT_MERGING_H
#define RINGSIDE_UNIT_MERGING_H

#include "lib/data/merge.h"
#include "tests/unit/dat.h"
#include "tests/unit/unit.h"

/* tcase_add_loop_test() runs a test once for each number from MERGING_FIRST to MERGING_LAST. The test merges with that many threads. */
enum { MERGING_FIRST = 1, MERGING_LAST = 4 };

extern const struct graph_ids merging_graph;

/* A trace that is being made. The tests add its CPUs one after the other. */
struct merging {
	struct dat like; /* the byte order, the size of a long, and the size of a page */
	struct dat_buffer buffers[2];
	size_t nbuffers;
};

void merging_init(struct merging *t, bool big, size_t nbuffers);
void merging_fini(struct merging *t);

/* Adds a CPU to buffer @b. The function takes over the pages in @d, and @d is empty afterwards. */
void merging_add(struct merging *t, size_t b, struct dat *d);

/* Adds @pages pages to @d, with records whose times are random. The second word of a record is its number, from 0. Returns the number of records. */
size_t merging_random(struct dat *d, unsigned int pages, uint32_t seed);

/* Writes the trace to a file and opens the file. The file is of version 7 and compressed with @codec; when @codec is NULL, it is of version 6. */
struct datfile *merging_open(struct merging *t, const char *codec);

/*
 * A record that the merge has returned. The record's data are freed before the tests check the record. So the members .type and .exit_func are copies of
 * parts of the data.
 */
struct seen {
	struct record rec;
	uint16_t type;	    /* the event's id: the first two bytes of the record's data */
	uint64_t exit_func; /* the function in .rec.exit; used only if the record has an .exit */
};
struct run {
	VEC(struct seen) seen;
	bool damaged; /* as merge_damaged() says */
	int err;      /* what merge_next() returned last */
};

/*
 * Merges the inputs with @threads threads, and returns all records. The function keeps several batches of records at a time. The caller calls
 * merging_close().
 */
struct run merging_run(const struct merge_input *inputs, size_t n, unsigned int threads);
struct run merging_run_file(struct datfile *file, unsigned int threads);

/* Makes a file of version 6 that has one CPU with the pages of @d, and calls merging_run_file() for it. *@file becomes the open file. */
struct run merging_run_cpu(struct merging *t, struct dat *d, unsigned int threads, struct datfile **file);
void merging_close(struct run *run, struct datfile *file, struct merging *t);

/* Checks that the run has @total records in the order of time. Records of the same time must be in the order of their CPUs. */
void merging_check(const struct run *run, size_t total);

#endif
