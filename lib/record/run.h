/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeps the state of a recording between its steps. Only record.c, live.c, start.c, stage.c, lanes.c, run.c, run-names.c, maps.c, losses.c and save.c use this
 * header. Each function that returns an int returns 0, or -errno after a message. If a function returns anything else, its comment says so.
 */
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

/*
 * A process and its address map. The map is a block of the option PROCMAPS (lib/data/metadata.h). The block is NULL when the map could not be read, for example
 * because the process had ended.
 */
struct pid_map {
	pid_t pid;
	char *block;
};

/* A lane is one CPU of one buffer. */
struct run_lane {
	unsigned int buffer; /* the index of the buffer in .armed of struct run */
	unsigned int cpu;    /* the number of the CPU */
	/*
	 * The kernel's statistics when tracing was set up. If the recording includes the events that were already in the ring buffer at that time, .entries
	 * is 0.
	 */
	struct cpu_stats before;
};

struct run {
	struct record_spec *spec;
	const struct record_hooks *hooks;
	struct record_outcome *out;

	struct watch watch;
	struct outlet outlet; /* for -o - */
	struct session *session;
	struct workload *workload;
	struct spool spool;
	struct metadata meta;
	armedvec_t armed;
	int *gates;		/* gates[i] is a copy of armed[i].gate, the descriptor of this buffer's tracing_on */
	writebuffers_t buffers; /* the buffers as the file lists them, in the order of .armed */
	strv_t clocks;		/* the names of the buffers' clocks; the elements of .buffers point to them */
	VEC(struct text) texts; /* if spec->latency is true: element i is the text of the file "trace" of the buffer armed[i] */
	struct recorder *recorder;
	struct sender *sender;	     /* for -N, and for an agent; NULL: none */
	struct wire *wire;	     /* for --wire; NULL: none. When .sender and .wire are both NULL, the file is made here */
	pid_t sending[WIRE_THREADS]; /* the ids of the threads of .sender or .wire */
	size_t nsending;	     /* the number of ids in .sending */
	struct packer *packer;	     /* NULL: nothing is packed (compressed) while it is recorded */
	int trouble;		     /* a descriptor that becomes readable when a thread that reads the ring buffers has given up; -1: there is none */
	VEC(struct run_lane) lanes;  /* element i describes the lane i of .recorder, or of the tap (lib/record/tap.h) */
	struct text modules;	     /* the list of modules that meta_modules_changed() (lib/tracefs/meta.h) keeps from one call to the next */
	bool new_symbols;	     /* the kernel's symbols have changed since the packer began */
	uint64_t meta_size;	     /* the size of the file "meta" of the spool folder (lib/record/spool.h), in bytes */
	char *command;		     /* the path of the command's program */
	VEC(struct pid_map) maps;    /* the maps of the processes of -P, as they were when recording began */
	struct names *names;	     /* collects names of tasks; NULL: none are collected */
	struct spaces *spaces;	     /* for --ustack; NULL: there are no user stacks */
};

#define RUN(spec_, hooks_, out_) \
	{ \
		.spec = (spec_), .hooks = (hooks_), .out = (out_), .watch = WATCH_NONE, .outlet = OUTLET_NONE, .spool = SPOOL_NONE, .trouble = -1 \
	}

/* Finds the file of the command's program, and checks that the user of --user exists. Is called before anything is changed. */
int run_find_command(struct run *run);

/*
 * Blocks the signals that end a recording (lib/record/watch.h). Begins the session (lib/tracefs/session.h), and checks that the kernel has everything that was
 * asked for.
 */
int run_open(struct run *run);

/* Forks the child process that will execute the command, and sets up tracing in the kernel. The child process waits for run_start(). */
int run_arm(struct run *run);

/* Returns -EINTR after a message when a signal has come before anything was traced, else 0. */
int run_interrupted(struct run *run);

/* Reads the metadata that are known before the start, and lists the buffers. */
int run_describe(struct run *run);

/*
 * Adds a lane for the CPU @cpu of the buffer armed[@buffer]. Returns a descriptor (O_NONBLOCK) of this CPU's trace_pipe_raw, or of its
 * snapshot_raw if spec->snapshot is true. The caller owns the descriptor. Returns -errno after a message on failure.
 */
int run_open_lane(struct run *run, unsigned int buffer, unsigned int cpu);

/* Adds lanes for all CPUs of all buffers, and makes their spools (lib/record/spool.h). The caller owns *@lanes, even when the function fails. */
int run_add_lanes(struct run *run, lanespecs_t *lanes);

/*
 * run_ring_kb() returns the size of a CPU's ring buffer in KiB, or 0 when it cannot be read. run_largest_ring() returns, in bytes, the size of the largest ring
 * buffer of all lanes.
 */
uint64_t run_ring_kb(const struct tracedir *dir, unsigned int cpu);
uint64_t run_largest_ring(const struct run *run);

/*
 * run_compresses() tells whether the file is compressed. run_packs() tells whether the data are already packed (compressed) while they are recorded. They
 * are not packed in these cases:
 *  - when the file is not compressed;
 *  - with -m, because the oldest pages of a spool are then removed while recording goes on;
 *  - with -N or --wire;
 *  - when spec->join is JOIN_READ.
 */
bool run_compresses(const struct record_spec *spec);
bool run_packs(const struct record_spec *spec);

/*
 * The guard (lib/tracefs/guard.h) is a process that outlives this process. When this process is killed, the guard saves the contents of each ring buffer
 * (session_save() in lib/tracefs/session.h). The guard saves a limited number of bytes of each ring buffer. The limit is this number, or twice the size of
 * the ring buffer if that is more.
 */
#define MOST_SAVED (256ull << 20)

/*
 * Lets the guard save what is in the pipes of run->recorder if this process is killed. Failures are ignored, for example when the guard itself has been
 * killed.
 */
void run_save_pipes(struct run *run);

/*
 * Makes the links FILE.cpuN, which lead to the spools of the CPUs (lib/record/links.h). Makes no links with -o -, and when spec->join is JOIN_READ. Is called
 * after tracing has been set up.
 */
int run_make_links(struct run *run);

/* Keeps these out of the trace: the guard, this process, the thread of run->spaces (if there is one), and the @n threads @tids. */
int run_leave_out(struct run *run, const pid_t *tids, size_t n);

/* Starts the threads that record and those that pack. Keeps these threads, and those that send, out of the trace. Calls run_make_links(). */
int run_recorder(struct run *run);

/*
 * Starts the work of the threads that read the ring buffers, and of the threads that send data. Lets the command run, if there is one. If spec->join is
 * JOIN_ADD, tracing_on stays as it is. Otherwise, tracing is turned on in one of these ways:
 *  - If there is no command, this function turns tracing on.
 *  - If there is a command, and the kernel only counts events, this function turns tracing on before the command runs.
 *  - If there is a command, and something is recorded, the command's process turns tracing on right before its exec.
 * Sets run->out->ran.
 */
int run_start(struct run *run);

/* Does what run_start() does, waits for the end, and turns tracing off. */
int run_trace(struct run *run);

/* Is called instead of run_trace() when nothing is traced and only the present contents of the buffers are read. */
int run_take(struct run *run);

/* Stores in run->out how many events and bytes came from each lane. */
int run_count(struct run *run);

/* Reads what is left in the buffers, calls run_count(), and reads the metadata that are known only at the end. */
int run_finish(struct run *run);

/*
 * For --proc-map: run_maps_begin() reads the address maps of the processes of -P, and run_maps_end() reads them again. If a process has ended between the
 * two calls, the map that run_maps_begin() read is kept. The map of the command is read when the command is about to end. If the command still runs at
 * the end of the recording, run_maps_end() reads the command's map.
 */
int run_maps_begin(struct run *run);
int run_maps_end(struct run *run);

/*
 * These functions collect names of tasks (lib/record/names.h). run_names_begin() begins the collection. run_names_look() is called from time to time.
 * run_names_end() is called when run->meta has the kernel's list of names, and adds all collected names to run->meta. run_names_look() and run_names_end() do
 * nothing if run_names_begin() was not called.
 */
int run_names_begin(struct run *run);
void run_names_look(struct run *run);
int run_names_end(struct run *run);

/*
 * For --ustack: run_spaces_begin() begins to watch the mappings of processes. It must be called before the command is executed. run_spaces_end() adds the
 * mappings that were seen to run->meta.
 */
int run_spaces_begin(struct run *run);
int run_spaces_end(struct run *run);

/* This is .maps() of struct live_source (live.h) when run->spaces is not NULL. @run is a struct run. */
int run_spaces_news(void *run, strv_t *blocks);

/* Returns how many bytes of the spools are not packed yet. Is called after run_finish(). */
uint64_t run_unpacked(const struct run *run);

/* Makes the file from the spools and removes the spools. */
int run_save(struct run *run);

/*
 * Sends the rest of the recording through run->sender. When that fails, the data that were not sent are saved as the file. But an agent saves no file: it drops
 * the data that were not sent.
 */
int run_send(struct run *run);

/* Sends the rest of the recording through run->wire. When that fails, the data that were not sent are saved as the file. */
int run_wire(struct run *run);

/* When events were lost, puts into run->out what would have prevented the loss. Is called after run_save(). */
void run_explain_losses(struct run *run);

/* Puts the settings of the kernel back. */
int run_leave(struct run *run);

/*
 * Calls hooks->done(). Then waits for the command if it still runs, because its exit status becomes the exit status of ringside. If a signal comes
 * meanwhile, the command gets SIGTERM. The function does not wait if a signal has ended the recording, or if nobody reads our output any more. In these two
 * cases the command was already told to end.
 */
int run_conclude(struct run *run);

void run_fini(struct run *run);

#endif
