/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Moves the contents of the kernel's ring buffers into spools, which are files (lib/record/spool.h). There is a thread for each CPU of each buffer. A lane is
 * such a thread together with the ring buffer that it reads and the spool that it writes. A spool has only whole sub-buffers in the kernel's layout, the oldest
 * first.
 */
#ifndef RINGSIDE_RECORDER_H
#define RINGSIDE_RECORDER_H

#include "lib/base/str.h"
#include "lib/base/vec.h"
#include "lib/record/handover.h"
#include <sys/types.h>

/* What the thread of a lane reads, and where it puts the data. */
struct lane_spec {
	unsigned int buffer; /* a number that the caller gives to the buffer, and finds again in struct lane_result */
	unsigned int cpu;
	uint32_t page_size; /* the size of a sub-buffer in bytes */
	int in;		    /* per_cpu/cpuN/trace_pipe_raw, O_RDONLY | O_NONBLOCK; owned by the recorder */
	int out;	    /* the spool, empty, O_RDWR; owned by the recorder */
	int handover;	    /* an empty file for data that are handed over instead of being spooled (recorder_handover()), or -1; owned by the recorder */
	char *path;	    /* the path of the spool, for messages; owned by the recorder */
};
typedef VEC(struct lane_spec) lanespecs_t;

/* Closes the files of @spec and frees its memory. */
void lane_spec_fini(struct lane_spec *spec);

struct recorder_config {
	/*
	 * Keep only the newest data of each CPU: at most this many bytes, but at least two sub-buffers. Until recorder_stop(), up to an eighth more is
	 * kept. 0: keep all data.
	 */
	uint64_t max_bytes;
	/*
	 * At the end, stop reading a CPU's ring buffer when this many bytes of it have been read since recorder_start(). 0: stop when the ring buffer is empty.
	 */
	uint64_t drain_bytes;
	uint64_t interval_ns; /* look at the ring buffers in intervals of this length; 0: whenever the kernel wakes the thread */
	int rt_priority;      /* the SCHED_FIFO priority of the threads; 0: unchanged */
	const int *gates;     /* descriptors of tracing_on of all buffers, to turn tracing off when a thread fails; borrowed until recorder_close() */
	size_t ngates;
	bool no_splice; /* move data by read and write instead of splice */
	/*
	 * The most bytes, for all CPUs together, that are handed over to the packer (lib/record/packer.h) and are not packed yet. Two chunks
	 * (lib/record/handover.h) of each CPU are always allowed, even if they exceed this limit.
	 */
	uint64_t handover_bytes;
	void (*moved)(void *ctx); /* the threads call it when they have spooled data or handed data over; may be NULL */
	void *ctx;
	/*
	 * The room that recording keeps free on the file system of the spools, so that the trace file can be written to this file system. The room is the sum
	 * of three sizes:
	 *  - reserve_bytes;
	 *  - reserve_percent per cent of the recorded data that are not packed yet;
	 *  - the size of the packed data (recorder_packed()).
	 * Recording ends when less than this room is free.
	 */
	uint64_t reserve_bytes;
	unsigned int reserve_percent;
};

struct recorder;

/* What the thread of a lane has done so far. All numbers may be read at any time. */
struct lane_result {
	unsigned int buffer, cpu;
	int fd;		  /* the spool, which the recorder owns */
	uint64_t offset;  /* where in the spool the sub-buffers begin */
	uint64_t size;	  /* How many bytes of sub-buffers there are. Sub-buffers that were handed over are included. The spool has holes in their place. */
	uint64_t dropped; /* bytes that were given up because of max_bytes */
	uint64_t wakeups; /* how often the thread has begun to read, after a wake-up by the kernel or after an interval */
	uint64_t moves;	  /* how often the thread has moved sub-buffers, one or more at a time */
};

/*
 * Starts the threads. They wait until recorder_start(). So their ids are known (recorder_tids()) before anything is traced. Takes over everything in
 * *@lanes, even when it fails. Returns 0, or -errno after a message.
 */
int recorder_open(struct recorder **out, lanespecs_t *lanes, const struct recorder_config *config);

/* recorder_tids() returns the ids of all threads, in the order of the lanes. recorder_lanes() returns the number of lanes, which have a thread each. */
const pid_t *recorder_tids(const struct recorder *rec);
size_t recorder_lanes(const struct recorder *rec);

/* Lets the threads read. */
void recorder_start(struct recorder *rec);

/*
 * Returns a descriptor that becomes readable when a thread has given up after an error, such as a full disk. The caller then calls
 * recorder_stop().
 */
int recorder_event(const struct recorder *rec);

/*
 * Reads the rest of the ring buffers, as far as recorder_config.drain_bytes allows. The rest includes sub-buffers that the kernel has filled only in part.
 * In the spool, these sub-buffers have the full size. Then the function ends the threads and closes all trace_pipe_raw. The caller must have turned tracing off
 * before. When a thread has failed, the function prints a message that says why the recording ended. It returns the -errno of the first lane whose thread
 * failed. The sub-buffers that this thread has written are whole. When no thread has failed, the function returns 0. Further calls return the same value,
 * without a message.
 */
int recorder_stop(struct recorder *rec);

/* Fills in *@out for the lane with the index @lane. */
void recorder_result(const struct recorder *rec, size_t lane, struct lane_result *out);

/* Returns the path of a lane's spool, which the recorder owns. */
const char *recorder_path(const struct recorder *rec, size_t lane);

/*
 * Returns the reading end of the pipe through which a lane moves sub-buffers, or -1 when the lane uses no pipe. The recorder owns the descriptor. The
 * bytes in the pipe are in no file yet.
 */
int recorder_pipe(const struct recorder *rec, size_t lane);

/*
 * Returns the handover to which a lane gives data instead of spooling them, or NULL when the lane has no handover. One thread at a time may take data
 * from the handover. The recorder owns the handover.
 */
struct handover *recorder_handover(const struct recorder *rec, size_t lane);

/* Notes that another @plain bytes of the recorded data have been packed into @size bytes. Any thread may call it. */
void recorder_packed(struct recorder *rec, uint64_t plain, uint64_t size);

/*
 * Returns how many bytes are free on the file system of @fd, minus @times times the room that recording keeps free. The comment of reserve_bytes in struct
 * recorder_config describes this room. The result can be negative. The result is INT64_MAX when the file system does not tell how much is free.
 */
int64_t recorder_spare(const struct recorder *rec, int fd, unsigned int times);

/* Returns the number of bytes of sub-buffers in all lanes at present. */
uint64_t recorder_bytes(const struct recorder *rec);

/* Stops the threads if they still run, closes all files and frees the recorder. Accepts NULL. */
void recorder_close(struct recorder *rec);

#endif
