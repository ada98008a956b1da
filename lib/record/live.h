/* SPDX-License-Identifier: GPL-2.0 */
/* A stream: record() but for where the pages go, which is to a reader at once, and not to a file. */
#ifndef RINGSIDE_RECORD_LIVE_H
#define RINGSIDE_RECORD_LIVE_H

#include "lib/data/writer.h"
#include "lib/record/record.h"
#include "lib/record/tap.h"
#include "lib/tracefs/tracedir.h"

/* What is known when all is armed and nothing traced yet. */
struct live_source {
	const struct metadata *meta;
	const struct write_buffer *buffers;	/* with their CPUs, ascending: these, buffer by buffer, are the lanes */
	size_t nbuffers;
	const struct tracedir *top;
	/*
	 * --ustack: appends a block of metadata.procmaps for each process that has mapped something since the last call, which replaces
	 * its block of the same time. 0 or -errno after a message. NULL: there are no user stacks, or their names cannot be told.
	 */
	int (*maps)(void *ctx, strv_t *blocks);
	void *maps_ctx;
};

struct live_reader {
	struct tap_reader tap;
	/* Before the first page; *@source holds until close(). Threads started here are kept out of the trace. */
	int (*open)(void *ctx, const struct live_source *source);
	/* All is over, also when opening failed. */
	void (*close)(void *ctx);
	void *ctx;
};

/*
 * Streams to @reader until the end, as record() does; it sets reader->tap.ctx to reader->ctx. Of @spec what is about the file
 * is not looked at. 0, also when nobody reads the output any more; else -errno after a message.
 */
int live(struct record_spec *spec, const struct record_hooks *hooks, struct live_reader *reader,
	 struct record_outcome *out);

#endif
