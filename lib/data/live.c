/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pages that come while they are read. What has been read of one CPU says nothing about another one, whose earlier
 * events may not have been read yet: so records wait until all CPUs have been asked once more. Whatever a round has
 * read had happened before the round's end; a later round that finds a CPU empty has therefore seen all that the CPU
 * has of that time, but for events that were still being written (their writer was interrupted): for those there is
 * the window.
 */
#include "lib/data/merging.h"

/* Bytes of pages that are asked for at a time. */
enum { ROOM = 128 << 10 };

/* What was the latest record when a round had ended. */
struct mark {
	uint64_t end_ns, ts;
};

struct feeding {
	struct chunk *chunk; /* its pages are being filled; NULL: none */
	uint64_t last;	     /* the time of the latest record */
	bool drained;	     /* in this round */
};

struct live {
	uint64_t window_ns;
	struct feeding *feeds; /* of each stream */
	size_t n;
	VEC(struct mark) marks; /* oldest first */
	uint64_t latest;	/* of all records so far */
	uint64_t out;		/* of all records that merge_next() has given */
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

/* The latest time that a round has seen which had ended a window before @now. */
static uint64_t seen_before(struct live *live, uint64_t now)
{
	size_t old = 0;

	while (old < live->marks.n && live->marks.at[old].end_ns + live->window_ns <= now)
		old++;
	/* The last of those stays, for the next time. */
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
	/* What all have given something later than. */
	due = MAX(due, all);
	if (due > merge->shared.due) {
		merge->shared.due = due;
		merge->started = false;
	}
	/* A round that brought nothing new makes no mark. Without memory for one, records wait for the next. */
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
