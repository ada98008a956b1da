/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Moves the kernel's ring buffers into spool files: a thread per CPU and buffer. A spool holds whole
 * sub-buffers, oldest first, as the kernel laid them out, and nothing else.
 */
#ifndef RINGSIDE_RECORDER_H
#define RINGSIDE_RECORDER_H

#include "lib/base/str.h"
#include "lib/base/vec.h"
#include "lib/record/handover.h"
#include <sys/types.h>

/* What a thread reads, and where it puts it. */
struct lane_spec {
	unsigned int buffer;	/* the caller's number of the buffer, handed back */
	unsigned int cpu;
	uint32_t page_size;	/* of a sub-buffer, bytes */
	int in;			/* per_cpu/cpuN/trace_pipe_raw, O_RDONLY | O_NONBLOCK; owned by the recorder */
	int out;		/* the spool, empty, O_RDWR; owned by the recorder */
	int handover;		/* an empty file for what need not be spooled (recorder_handover()), or -1; owned by the recorder */
	char *path;		/* of the spool, for messages; owned by the recorder */
};
typedef VEC(struct lane_spec) lanespecs_t;

/* Closes and frees what hangs on it. */
void lane_spec_fini(struct lane_spec *spec);

struct recorder_config {
	uint64_t max_bytes;	/* keep only the newest so many bytes a CPU; 0: all */
	uint64_t drain_bytes;	/* at the end, read no more than about so many bytes a CPU; 0: until nothing is left */
	uint64_t interval_ns;	/* look at the buffer that often; 0: when the kernel says that it fills */
	int rt_priority;	/* SCHED_FIFO priority of the threads; 0: as they are */
	const int *gates;	/* tracing_on of all buffers, writable: closed at once when a spool fails; */
	size_t ngates;		/* borrowed until recorder_close() */
	bool no_splice;		/* move by read and write */
	uint64_t handover_bytes;	/* that may be on their way to the packer, over all CPUs; a CPU has room for two chunks at least */
	void (*moved)(void *ctx);	/* called by the threads when spools have grown; NULL: not */
	void *ctx;
	/*
	 * Room to leave on the spools' file system, so that the file can be written: so many bytes, so many per cent of what
	 * was recorded and is not packed yet, and as much as what is packed takes (recorder_packed()). Recording ends when no more than that
	 * is left.
	 */
	uint64_t reserve_bytes;
	unsigned int reserve_percent;
};

struct recorder;

/* What a thread did. All numbers may be read at any time. */
struct lane_result {
	unsigned int buffer, cpu;
	int fd;			/* the spool; belongs to the recorder */
	uint64_t offset, size;	/* the sub-buffers in there, but for those that were handed over: whole ones */
	uint64_t dropped;	/* bytes given up for max_bytes */
	uint64_t wakeups, moves;
};

/*
 * Starts the threads, which wait: their ids are known (recorder_tids()) before anything is traced.
 * Takes over all that hangs on *@lanes, also when it fails. 0, or -errno after a message.
 */
int recorder_open(struct recorder **out, lanespecs_t *lanes, const struct recorder_config *config);

/* The ids of all threads: recorder_lanes() of them. */
const pid_t *recorder_tids(const struct recorder *rec);
size_t recorder_lanes(const struct recorder *rec);

/* Lets the threads read. */
void recorder_start(struct recorder *rec);

/* Becomes readable when a thread gave up (disk full, a read that failed): time for recorder_stop(). */
int recorder_event(const struct recorder *rec);

/*
 * To be called when nothing is written into the buffers any more: reads all that is left, partly filled sub-buffers too, ends
 * the threads and closes all trace_pipe_raw. 0, or the -errno of the first thread that failed, after a message that says why
 * recording ended; what it had written is whole and stays readable. Further calls give the same again, without a message.
 */
int recorder_stop(struct recorder *rec);

void recorder_result(const struct recorder *rec, size_t lane, struct lane_result *out);

/* The path of a lane's spool. The recorder's. */
const char *recorder_path(const struct recorder *rec, size_t lane);

/* What a lane hands over instead of spooling it, to be taken by one thread at a time; NULL: nothing. The recorder's. */
struct handover *recorder_handover(const struct recorder *rec, size_t lane);

/* So many bytes more of what was recorded take so many bytes now, packed. From any thread. */
void recorder_packed(struct recorder *rec, uint64_t plain, uint64_t size);

/* So many bytes more than @times the room that recording leaves on it has the file system of @fd; negative: less. */
int64_t recorder_spare(const struct recorder *rec, int fd, unsigned int times);

/* Bytes of all spools so far. */
uint64_t recorder_bytes(const struct recorder *rec);

/* Stops if need be, closes all files. Accepts NULL. */
void recorder_close(struct recorder *rec);

#endif
