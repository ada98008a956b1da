/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Merges pages that are still being written while they are read. The pages of one CPU say nothing about another CPU, whose earlier events may not have been
 * read yet. So records wait until all CPUs have been asked once more, which is called a round. Everything that a round reads happened before the end of the
 * round. If a later round finds a CPU empty, it has seen all events of this CPU up to then. The exception is an event that was still being written because
 * its writer was interrupted. For such events, records wait for a further time, the window.
 */
#include "lib/data/merging.h"

/* This many bytes of pages are asked for at a time. */
enum { ROOM = 128 << 10 };

/* This is the time of the latest record at the end of a round. */
struct mark {
	uint64_t end_ns, ts;
};

struct feeding {
	struct chunk *chunk; /* the chunk whose pages are being filled; NULL: none */
	uint64_t last;	     /* the time of the CPU's latest record */
	bool drained;	     /* this round found the CPU empty */
};

struct live {
	uint64_t window_ns;
	struct feeding *feeds; /* element i is for the stream i */
	size_t n;
	VEC(struct mark) marks; /* the oldest one comes first */
	uint64_t latest;	/* the latest time of all records so far */
	uint64_t out;		/* the latest time of all records that merge_next() has given */
};

int live_init(struct merge *merge, uint64_t window_ns)
{
	struct live *live = calloc(1, sizeof(*live));

	if (!live)
		return -ENOMEM;
	merge->live = live;
	merge->shared.due = 0;
	live->window_ns = window_ns;
	live->n = merge->streams.n;
	live->feeds = calloc(MAX(live->n, (size_t)1), sizeof(*live->feeds));
	return live->feeds ? 0 : -ENOMEM;
}

void live_fini(struct merge *merge)
{
	struct live *live = merge->live;

	if (!live)
		return;
	for (size_t i = 0; live->feeds && i < live->n; i++)
		chunk_put(live->feeds[i].chunk);
	vec_fini(&live->marks);
	free(live->feeds);
	free(live);
}

void *merge_room(struct merge *merge, size_t stream, size_t *size)
{
	struct feeding *feed = &merge->live->feeds[stream];
	size_t page = merge->streams.at[stream].how.format.page_size;

	*size = MAX(ROOM / page, (size_t)1) * page;
	if (!feed->chunk)
		feed->chunk = chunk_get(&merge->shared.shelf);
	if (!feed->chunk || chunk_room(feed->chunk, *size))
		return NULL;
	return feed->chunk->pages;
}

int merge_feed(struct merge *merge, size_t stream, size_t size, bool drained)
{
	struct feeding *feed = &merge->live->feeds[stream];
	struct stream *to = &merge->streams.at[stream];
	struct chunk *chunk = feed->chunk;

	feed->drained = drained;
	if (!size)
		return 0;
	feed->chunk = NULL;
	chunk->how = &to->how;
	chunk->span = (struct span){ .plain_size = size };
	chunk_decode(&chunk->job);
	if (chunk->records.n)
		feed->last = chunk->records.at[chunk->records.n - 1].ts;
	merge->live->latest = MAX(merge->live->latest, feed->last);
	stream_feed(to, chunk);
	merge->started = false;
	return chunk->err;
}

/* Returns the latest time seen by a round that ended at least .window_ns before @now, or 0 if there is no such round. */
static uint64_t seen_before(struct live *live, uint64_t now)
{
	size_t old = 0;

	while (old < live->marks.n && live->marks.at[old].end_ns + live->window_ns <= now)
		old++;
	/* The last of these marks is kept for the next call. */
	if (old > 1) {
		live->marks.n -= old - 1;
		memmove(live->marks.at, live->marks.at + old - 1, live->marks.n * sizeof(live->marks.at[0]));
		old = 1;
	}
	return old ? live->marks.at[0].ts : 0;
}

bool merge_round(struct merge *merge, uint64_t begin_ns, uint64_t end_ns)
{
	struct live *live = merge->live;
	struct mark mark = { end_ns, live->latest };
	size_t n = live->marks.n;
	uint64_t due = seen_before(live, begin_ns);

	uint64_t all = UINT64_MAX;

	for (size_t i = 0; i < merge->streams.n; i++) {
		all = MIN(all, live->feeds[i].last);
		if (!live->feeds[i].drained)
			due = MIN(due, live->feeds[i].last);
	}
	/* Every CPU has given a record at this time or later. */
	due = MAX(due, all);
	if (due > merge->shared.due) {
		merge->shared.due = due;
		merge->started = false;
	}
	/* A round that brought nothing new makes no mark. If there is no memory for a mark, records wait for the next round. */
	if (!n || live->marks.at[live->marks.n - 1].ts != mark.ts)
		(void)!vec_push(&live->marks, mark);
	return merge->shared.due < live->latest;
}

void merge_flush(struct merge *merge)
{
	merge->shared.due = UINT64_MAX;
	merge->started = false;
}

void live_mark(struct merge *merge, struct batch *batch)
{
	uint64_t out = merge->live->out;

	for (size_t i = 0; i < batch->n; i++) {
		struct record *rec = &batch->records[i];

		if (rec->flags & RECORD_NODATA)
			continue;
		if (rec->ts < out)
			rec->flags |= RECORD_LATE;
		else
			out = rec->ts;
	}
	merge->live->out = out;
}
