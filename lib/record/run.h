/* SPDX-License-Identifier: GPL-2.0 */
/* The state of a recording between its steps; used by record.c, start.c, stage.c, lanes.c, run.c, maps.c and save.c alone. */
#ifndef RINGSIDE_RUN_H
#define RINGSIDE_RUN_H

#include "lib/record/arm.h"
#include "lib/record/names.h"
#include "lib/record/outlet.h"
#include "lib/record/packer.h"
#include "lib/record/record.h"
#include "lib/record/recorder.h"
#include "lib/record/sender.h"
#include "lib/record/spaces.h"
#include "lib/record/spool.h"
#include "lib/record/watch.h"
#include "lib/record/wire.h"
#include "lib/record/workload.h"
#include "lib/tracefs/meta.h"

typedef VEC(struct write_buffer) writebuffers_t;

/* A process and its address map as PROCMAPS has it; NULL: it had gone. */
struct pid_map {
	pid_t pid;
	char *block;
};

/* A CPU of a buffer. */
struct run_lane {
	unsigned int buffer, cpu;	/* index in armed[]; number */
	struct cpu_stats before;	/* when it was armed */
};

struct run {
	struct record_spec *spec;
	const struct record_hooks *hooks;
	struct record_outcome *out;

	struct watch watch;
	struct outlet outlet;	/* of -o - */
	struct session *session;
	struct workload *workload;
	struct spool spool;
	struct metadata meta;
	armedvec_t armed;
	int *gates;		/* the tracing_on of each buffer: copies of armed[].gate */
	writebuffers_t buffers;	/* as the file lists them, in the order of armed[] */
	strv_t clocks;		/* of the buffers, for the above */
	VEC(struct text) texts;	/* of the buffers, with spec->latency */
	struct recorder *recorder;
	pid_t sending[WIRE_THREADS];	/* the threads of one of: */
	struct sender *sender;	/* of -N; NULL: not */
	struct wire *wire;	/* of --wire; both NULL: the file is made here */
	struct packer *packer;	/* NULL: nothing is packed meanwhile */
	int trouble;		/* becomes readable when who moves the pages gave up; -1: never */
	VEC(struct run_lane) lanes;
	struct text modules;
	bool new_symbols;	/* since the packer began */
	uint64_t meta_size;
	char *command;		/* the command's file */
	VEC(struct pid_map) maps;	/* of -P, as they were when it began */
	struct names *names;	/* of tasks; NULL: not gathered */
	struct spaces *spaces;	/* of --ustack; NULL: no user stacks */
};

#define RUN(spec_, hooks_, out_) \
	{ .spec = (spec_), .hooks = (hooks_), .out = (out_), .watch = WATCH_NONE, .outlet = OUTLET_NONE, .spool = SPOOL_NONE, .trouble = -1 }

/* Before anything is touched: is there such a command, such a user? */
int run_find_command(struct run *run);

/* Signals are held back, the session is there, and all that is asked for exists. */
int run_open(struct run *run);

/* Forks the command, which waits, and arms the kernel. */
int run_arm(struct run *run);

/* -EINTR after a message when a signal came before anything was traced. */
int run_interrupted(struct run *run);

/* The metadata that is known before the start, and the list of buffers. */
int run_describe(struct run *run);

/* Adds a lane of armed[@buffer]: a descriptor of its trace_pipe_raw, O_NONBLOCK, or -errno after a message. */
int run_open_lane(struct run *run, unsigned int buffer, unsigned int cpu);

/* The same for all CPUs of all buffers, with their spools. 0 or -errno after a message; *@lanes is the caller's in any case. */
int run_add_lanes(struct run *run, lanespecs_t *lanes);

/* The size of a CPU's ring; 0: nobody can tell. And of the largest of all lanes', in bytes. */
uint64_t run_ring_kb(const struct tracedir *dir, unsigned int cpu);
uint64_t run_largest_ring(const struct run *run);

/*
 * Is the file compressed, and is that done meanwhile? With -m the oldest pages of a spool go away again: nothing is packed
 * before the end.
 */
bool run_compresses(const struct record_spec *spec);
bool run_packs(const struct record_spec *spec);

/* For session_save(): no more than about what rings hold, should somebody else be writing into them then. */
#define MOST_SAVED (256ull << 20)

/* FILE.cpuN, when all is armed. 0 or -errno after a message. */
int run_make_links(struct run *run);

/* Keeps the guard, us and these threads of ours out of the trace. */
int run_leave_out(struct run *run, const pid_t *tids, size_t n);

/* The threads, and their ids kept out of the trace. */
int run_recorder(struct run *run);

/* Lets the command go, or opens the gates: run->out->ran then. */
int run_start(struct run *run);

/* The same; waits for the end; closes the gates. */
int run_trace(struct run *run);

/* Instead: what is in the buffers now is to be read. */
int run_take(struct run *run);

/* What came through each lane, into run->out. */
int run_count(struct run *run);

/* After the end: drains, counts, takes the metadata that only the end knows. */
int run_finish(struct run *run);

/* --proc-map: takes the maps now and, when they end or all ends, again. 0 or -errno after a message. */
int run_maps_begin(struct run *run);
int run_maps_end(struct run *run);

/* Names of tasks from now on. 0 or -errno after a message. */
int run_names_begin(struct run *run);

/* --ustack: watches what is mapped, before the command becomes one; saves it at the end. 0 or -errno after a message. */
int run_spaces_begin(struct run *run);
int run_spaces_end(struct run *run);

/* Where there are run->spaces: what is new since the last call, as struct live_source has it. @run is a struct run. */
int run_spaces_news(void *run, strv_t *blocks);

/* Bytes of the spools that are not packed yet, after run_finish(). */
uint64_t run_unpacked(const struct run *run);

/* Makes the file of the spools and removes them. */
int run_save(struct run *run);

/* With run->sender: what has not been sent goes there; when that fails, into the file. */
int run_send(struct run *run);

/* The same with run->wire. */
int run_wire(struct run *run);

/* If events were lost: what would have prevented it, into run->out. After run_save(). */
void run_explain_losses(struct run *run);

/* Puts the kernel back. */
int run_leave(struct run *run);

/*
 * The command's fate. One that still runs after its recording is waited for, as its status is to be ours; unless a
 * signal ended the recording: then it has been told to end, and we do so at once.
 */
int run_conclude(struct run *run);

void run_fini(struct run *run);

#endif
