/* SPDX-License-Identifier: GPL-2.0 */
/* The state of a recording between its steps; used by record.c, run.c and save.c alone. */
#ifndef RINGSIDE_RUN_H
#define RINGSIDE_RUN_H

#include "lib/record/arm.h"
#include "lib/record/record.h"
#include "lib/record/recorder.h"
#include "lib/record/spool.h"
#include "lib/record/watch.h"
#include "lib/record/workload.h"
#include "lib/tracefs/meta.h"

typedef VEC(struct write_buffer) writebuffers_t;

/* A process and its address map as PROCMAPS has it; NULL: it had gone. */
struct pid_map {
	pid_t pid;
	char *block;
};

struct run {
	struct record_spec *spec;
	const struct record_hooks *hooks;
	struct record_outcome *out;

	struct watch watch;
	struct session *session;
	struct workload *workload;
	struct spool spool;
	struct metadata meta;
	armedvec_t armed;
	int *gates;		/* the tracing_on of each buffer: copies of armed[].gate */
	writebuffers_t buffers;	/* as the file lists them, in the order of armed[] */
	strv_t clocks;		/* of the buffers, for the above */
	struct recorder *recorder;
	VEC(struct cpu_stats) before;	/* of each lane, when it was armed */
	struct text modules;
	uint64_t meta_size;
	char *command;		/* the command's file */
	VEC(struct pid_map) maps;	/* of -P, as they were when it began */
};

/* The metadata that is known before the start, and the folder with its "meta". */
int run_describe(struct run *run);

/* The threads, and their ids kept out of the trace. */
int run_recorder(struct run *run);

/* Lets the command go, or opens the gates; waits for the end; closes the gates. */
int run_trace(struct run *run);

/* After the end: drains, counts, takes the metadata that only the end knows. */
int run_finish(struct run *run);

/* --proc-map: takes the maps now and, when they end or all ends, again. 0 or -errno after a message. */
int run_maps_begin(struct run *run);
int run_maps_end(struct run *run);

/* Makes the file of the spools and removes them. */
int run_save(struct run *run);

#endif
