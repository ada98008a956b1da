/* SPDX-License-Identifier: GPL-2.0 */
/* Streams a recording. Does what record() (lib/record/record.h) does, but gives the data to a reader at once instead of writing a file. */
#ifndef RINGSIDE_RECORD_LIVE_H
#define RINGSIDE_RECORD_LIVE_H

#include "lib/data/writer.h"
#include "lib/record/record.h"
#include "lib/record/tap.h"
#include "lib/record/workload.h"
#include "lib/tracefs/tracedir.h"

/* What is known when tracing has been set up and nothing has been traced yet. */
struct live_source {
	const struct metadata *meta;
	/*
	 * The buffers with their CPUs in ascending order. The tap (lib/record/tap.h) reads the ring buffers. A lane of the tap is the ring buffer of one
	 * CPU. The lanes are numbered from 0 on, in the order of .buffers and of their CPUs.
	 */
	const struct write_buffer *buffers;
	size_t nbuffers;
	const struct tracedir *top;
	/*
	 * With --ustack: appends to @blocks a block for each process that has mapped something since the last call. The blocks have the form of those in
	 * .procmaps of struct metadata (lib/data/metadata.h). A block replaces an earlier block whose first line has the same process and the same time.
	 * Returns 0, or -errno after a message. NULL: there are no user stacks, or the kernel does not report mappings.
	 */
	int (*maps)(void *ctx, strv_t *blocks);
	void *maps_ctx;
	const struct workload *command; /* NULL: no command is run */
};

struct live_reader {
	struct tap_reader tap;
	/*
	 * Called before the reader gets the first page. *@source is valid only during this call. The data to which its members point are valid until
	 * close(). Threads that open() starts are kept out of the trace. Returns 0 or -errno.
	 */
	int (*open)(void *ctx, const struct live_source *source);
	/* Called when the recording has ended, even if open() failed or was not called. Not called when .hangs of struct record_outcome is true. */
	void (*close)(void *ctx);
	void *ctx;
};

/*
 * Streams to @reader until the recording ends. The recording ends for the same reasons as in record(). Sets reader->tap.ctx to reader->ctx. Ignores what
 * @spec says about the output file. Returns 0, or -errno after a message. It is no error when nobody reads the output any more.
 */
int live(struct record_spec *spec, const struct record_hooks *hooks, struct live_reader *reader, struct record_outcome *out);

#endif
