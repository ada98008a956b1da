/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/data/merging.h"
#include "lib/base/err.h"
#include "lib/data/narrow.h"

bool merge_buffer_globs(void *globs, const char *name)
{
	return globs_match(globs, name[0] ? name : "top");
}

static bool any_packed(const struct merge *merge)
{
	vec_each (&merge->streams, stream)
		if (stream->how.compressed)
			return true;
	return false;
}

/*
 * Decides how much raw data is in memory at a time, and how far ahead of the merge it is decoded. The records made of the data take about as much memory
 * again, at most six times as much. Data that are not compressed are decoded in small pieces, so that they are still in a core's cache when the lines are
 * made of them. Unpacking takes longer, so compressed data are decoded further ahead.
 */
static void plan(struct merge *merge)
{
	size_t n = MAX(merge->streams.n, (size_t)1);
	unsigned int threads = merge->shared.pool ? pool_threads(merge->shared.pool) : 1;
	bool packed = any_packed(merge);
	const size_t best = threads < 2 || packed ? 128 << 10 : 64 << 10;
	size_t budget = MIN(((size_t)4 << 20) + n * best, (size_t)24 << 20);
	size_t chunks; /* the chunks of each stream: the present one, the next one, and those that are decoded ahead */

	if (threads < 2) {
		merge->shared.ahead = 0;
		merge->shared.span_size = MIN(budget / (2 * n), best);
		return;
	}
	chunks = packed ? 4 + 2 * (size_t)threads : 1 + (size_t)threads;
	chunks = MIN(MAX(budget / (n * best), (size_t)3), chunks);
	merge->shared.ahead = (unsigned int)chunks - 2;
	merge->shared.span_size = MIN(budget / (chunks * n), best);
}

static int add_stream(struct merge *merge, size_t input, size_t buffer, const struct datcpu *cpu, const struct page_format *format)
{
	const struct merge_input *in = &merge->inputs[input];
	const struct clock *clock = &merge->clocks[input];
	struct stream stream = {
		.shared = &merge->shared,
		.cpu = (uint16_t)cpu->cpu,
		.buffer = (uint16_t)buffer,
		.file = (uint8_t)input,
		.fold = in->fold,
		.ts_shift = (uint64_t)clock->offset,
		.clock = clock->plain ? NULL : clock,
	};

	if (vec_push(&merge->streams, stream))
		return -ENOMEM;
	return stream_open(&merge->streams.at[merge->streams.n - 1], in->file, &in->file->buffers.at[buffer], cpu, format, &in->graph);
}

static int add_input(struct merge *merge, size_t input)
{
	const struct merge_input *in = &merge->inputs[input];
	const struct metadata *meta = &in->file->meta;
	struct page_format format;
	int err = page_format_parse(&format, &meta->header_page, meta->big_endian, meta->user_long_size);

	for (size_t b = 0; !err && b < in->file->buffers.n; b++) {
		const struct datbuf *buf = &in->file->buffers.at[b];

		if (buf->latency || (in->buffer_wanted && !in->buffer_wanted(in->ctx, buf->name)))
			continue;
		vec_each (&buf->cpus, cpu) {
			if (!err && (cpu->size || merge->shared.live) && cpuset_wants(in->cpus, cpu->cpu))
				err = add_stream(merge, input, b, cpu, &format);
		}
	}
	return err;
}

static int open_merge(struct merge **out, const struct merge_input *inputs, size_t n, struct pool *pool, bool live)
{
	struct merge *merge;
	int err = 0;

	if (n > MOST_INPUTS)
		return fail(E2BIG, "%zu input files are too many: at most %d", n, MOST_INPUTS);
	merge = calloc(1, sizeof(*merge));
	if (!merge)
		return -ENOMEM;
	pthread_mutex_init(&merge->lock, NULL);
	shelf_init(&merge->shared.shelf);
	merge->shared.pool = pool;
	merge->shared.live = live;
	merge->shared.due = UINT64_MAX;
	merge->inputs = calloc(MAX(n, (size_t)1), sizeof(*inputs));
	merge->clocks = calloc(MAX(n, (size_t)1), sizeof(*merge->clocks));
	if (!merge->inputs || !merge->clocks)
		err = -ENOMEM;
	for (size_t i = 0; !err && i < n; i++) {
		merge->inputs[i] = inputs[i];
		merge->clocks[i] = inputs[i].clock ? *inputs[i].clock : (struct clock){ .plain = true };
		err = add_input(merge, i);
	}
	if (err) {
		merge_close(merge);
		return err;
	}
	/* From here on the array of streams does not move, so a pointer into it stays valid. */
	vec_each (&merge->streams, stream)
		stream->last = &stream->first;
	plan(merge);
	*out = merge;
	return 0;
}

int merge_open(struct merge **out, const struct merge_input *inputs, size_t n, struct pool *pool)
{
	return open_merge(out, inputs, n, pool, false);
}

int merge_open_live(struct merge **out, const struct merge_input *input, uint64_t window_ns)
{
	int err = open_merge(out, input, 1, NULL, true);

	err = err ? err : live_init(*out, window_ns);
	if (err)
		merge_close(take(*out));
	return err;
}

void merge_close(struct merge *merge)
{
	if (!merge)
		return;
	vec_each (&merge->streams, stream)
		stream_close(stream);
	vec_fini(&merge->streams);
	while (merge->free) {
		struct held_batch *batch = merge->free;

		merge->free = batch->next;
		vec_fini(&batch->chunks);
		free(batch);
	}
	tournament_fini(&merge->tournament);
	live_fini(merge);
	shelf_fini(&merge->shared.shelf);
	pthread_mutex_destroy(&merge->lock);
	free(merge->inputs);
	free(merge->clocks);
	free(merge);
}

int merge_ends(struct merge *merge, void (*each)(void *ctx, const struct merge_end *end), void *ctx)
{
	vec_each (&merge->streams, stream) {
		struct merge_end end = { .cpu = stream->cpu, .buffer = stream->buffer, .file = stream->file };
		int got = stream_ends(stream, &end.first, &end.last);

		if (got < 0)
			return got;
		if (got)
			each(ctx, &end);
	}
	return 0;
}

int merge_narrow(struct merge *merge, uint64_t from, uint64_t to, bool whole)
{
	vec_each (&merge->streams, stream) {
		int err = stream_narrow(stream, &merge->clocks[stream->file], from, to, whole);

		if (err)
			return err;
	}
	return 0;
}

void merge_hush(struct merge *merge)
{
	merge->shared.hushed = true;
}

bool merge_damaged(const struct merge *merge)
{
	return merge->shared.damages != 0;
}

static struct held_batch *get_batch(struct merge *merge)
{
	struct held_batch *batch;

	pthread_mutex_lock(&merge->lock);
	batch = merge->free;
	if (batch)
		merge->free = batch->next;
	pthread_mutex_unlock(&merge->lock);
	if (!batch)
		batch = calloc(1, sizeof(*batch));
	if (!batch)
		return NULL;
	batch->merge = merge;
	batch->refs = 1;
	batch->batch = (struct batch){ .records = batch->records, .seq = merge->seq++ };
	return batch;
}

struct batch *batch_get(const struct batch *public)
{
	struct held_batch *batch = (struct held_batch *)public;

	__atomic_add_fetch(&batch->refs, 1, __ATOMIC_RELAXED);
	return &batch->batch;
}

void batch_put(struct batch *public)
{
	struct held_batch *batch = (struct held_batch *)public;
	struct merge *merge;

	if (!batch || __atomic_sub_fetch(&batch->refs, 1, __ATOMIC_ACQ_REL))
		return;
	merge = batch->merge;
	vec_each (&batch->chunks, chunk)
		chunk_put(*chunk);
	batch->chunks.n = 0;
	pthread_mutex_lock(&merge->lock);
	batch->next = merge->free;
	merge->free = batch;
	pthread_mutex_unlock(&merge->lock);
}

/* Keeps @chunk alive as long as @batch. */
static int hold(struct held_batch *batch, struct chunk *chunk)
{
	if (chunk->batch == batch->batch.seq + 1)
		return 0;
	if (vec_push(&batch->chunks, chunk))
		return -ENOMEM;
	chunk->batch = batch->batch.seq + 1;
	chunk_ref(chunk);
	return 0;
}

/* *@out becomes the seat of @stream in the tournament, which depends on its next record. It becomes SEAT_NONE at the end of the stream. Returns 0 or -errno. */
static int next_seat(struct merge *merge, struct stream *stream, seat_t *out)
{
	int got = stream->at < stream->end ? 1 : stream_run(stream);

	*out = SEAT_NONE;
	if (got > 0)
		*out = seat(order_key(stream, stream->at->ts), (uint32_t)(stream - merge->streams.at));
	return MIN(got, 0);
}

int merge_begin(struct merge *merge)
{
	int err = 0;

	vec_each (&merge->streams, stream)
		err = err ?: stream_start(stream);
	return err;
}

static int start(struct merge *merge)
{
	size_t n = merge->streams.n;
	__cleanup(free_ptr) seat_t *seats = calloc(n, sizeof(*seats));
	int err = seats ? merge_begin(merge) : -ENOMEM;

	for (size_t i = 0; !err && i < n; i++)
		err = next_seat(merge, &merge->streams.at[i], &seats[i]);
	tournament_fini(&merge->tournament);
	return err ?: tournament_init(&merge->tournament, seats, n);
}

/*
 * Marks that the stream lost events after its records so far. @last is its last record in the batch and gets the mark. If @last is NULL, that record is not
 * in this batch, and a record without data is added, which has the mark.
 */
static void mark_gap(struct held_batch *batch, const struct stream *stream, struct record *last, uint64_t ts)
{
	if (last) {
		last->flags |= RECORD_GAP;
		return;
	}
	if (batch->batch.n == BATCH_RECORDS)
		return;
	batch->records[batch->batch.n++] = (struct record){ .ts = ts,
							    .flags = RECORD_GAP | RECORD_NODATA,
							    .cpu = stream->cpu,
							    .buffer = stream->buffer,
							    .file = stream->file };
	batch->batch.nodata++;
}

/* If a stream begins with a loss, it is not known what happened before its first record. This marks these streams at the beginning of the first batch. */
static void mark_heads(struct merge *merge, struct held_batch *batch)
{
	const seat_t winner = merge->streams.n ? tournament_winner(&merge->tournament) : SEAT_NONE;

	vec_each (&merge->streams, stream)
		if (winner != SEAT_NONE && stream->at < stream->end && stream->at->flags & RECORD_LOST && batch->batch.n < BATCH_RECORDS / 2)
			mark_gap(batch, stream, NULL, merge->streams.at[seat_player(winner)].at->ts);
}

static inline bool is_unwanted(const struct record *rec, bool fold)
{
	return fold & ((rec->flags & (RECORD_FOLDED | RECORD_LONG)) == RECORD_FOLDED);
}

/*
 * Moves records of @stream into the batch, up to the time @bound. Takes at least one record, and no more than the run has and the batch has room for.
 * Records that are not wanted are left out. Returns 0 or -errno.
 */
static int take_run(struct held_batch *batch, struct stream *stream, uint64_t bound)
{
	struct record *at = stream->at;
	const size_t before = batch->batch.n, nodata = batch->batch.nodata;
	const size_t room = BATCH_RECORDS - batch->batch.n;
	const struct record *end = at + MIN((size_t)(stream->end - at), room);
	struct record *to = batch->records + batch->batch.n, *const first = to;
	const bool fold = stream->fold;

	do {
		/* The data will be read when the batch is full. */
		__builtin_prefetch(at->data);
		*to = *at;
		to->cpu = stream->cpu;
		to->buffer = stream->buffer;
		to->file = stream->file;
		/* @at is asked here, and not @to, so that this does not have to wait for the copy. */
		to += !is_unwanted(at, fold);
		/* The mark of a gap must not be lost with a record that is left out. */
		if (unlikely(at->flags & RECORD_GAP) && is_unwanted(at, fold)) {
			batch->batch.n = (size_t)(to - batch->records);
			mark_gap(batch, stream, to > first ? to - 1 : NULL, at->ts);
			to = batch->records + batch->batch.n;
		}
		at++;
	} while (at < end && order_key(stream, at->ts) <= bound);
	batch->batch.n = (size_t)(to - batch->records);
	batch->batch.folded += (size_t)(at - stream->at) - (batch->batch.n - before) + (batch->batch.nodata - nodata);
	stream->at = at;
	/* With hundreds of streams, these would no longer be in the cache when the stream's next turn comes. */
	__builtin_prefetch(at + 2);
	__builtin_prefetch((const char *)(at + 2) + 64);
	if (!stream->chunk) {
		batch->batch.nodata++;
		return 0;
	}
	return hold(batch, stream->chunk) ?: stream->after ? hold(batch, stream->after) : 0;
}

static int fill(struct merge *merge, struct held_batch *batch)
{
	const uint64_t due = merge->shared.due == UINT64_MAX ? UINT64_MAX : order_key(&merge->streams.at[0], merge->shared.due);
	struct tournament *t = &merge->tournament;
	uint32_t before = UINT32_MAX;

	while (batch->batch.n < BATCH_RECORDS && tournament_winner(t) != SEAT_NONE && seat_key(tournament_winner(t)) <= due) {
		seat_t winner = tournament_winner(t), next;
		uint32_t player = seat_player(winner);
		struct stream *stream = &merge->streams.at[player];
		uint64_t bound = seat_key(winner), ts;
		size_t n;
		int err;

		/*
		 * A stream that wins twice in a row may have many records to come. Then it is worth finding out until when it may go on before the next
		 * stream's turn.
		 */
		if (player == before) {
			seat_t second = tournament_second(t, player);

			/* If two records have the same time, the one of the stream with the smaller number comes first. */
			bound = MIN(seat_key(second) - (player > seat_player(second)), due);
		}
		before = player;
		n = batch->batch.n;
		ts = stream->at->ts;
		err = take_run(batch, stream, bound);
		if (!err)
			err = next_seat(merge, stream, &next);
		if (err)
			return err;
		if (next != SEAT_NONE && unlikely(stream->at->flags & RECORD_LOST))
			mark_gap(batch, stream, batch->batch.n > n ? &batch->records[batch->batch.n - 1] : NULL, ts);
		tournament_replay(t, player, next);
	}
	return batch->batch.n > 0;
}

int merge_next(struct merge *merge, struct batch **out)
{
	struct held_batch *batch;
	int got;

	if (!merge->streams.n || merge->err)
		return merge->err;
	if (!merge->started)
		merge->err = start(merge);
	merge->started = true;
	batch = merge->err ? NULL : get_batch(merge);
	if (!batch)
		return merge->err ?: -ENOMEM;
	if (!batch->batch.seq)
		mark_heads(merge, batch);
	got = fill(merge, batch);
	if (got > 0 && merge->live)
		live_mark(merge, &batch->batch);
	if (got > 0) {
		*out = &batch->batch;
		return got;
	}
	batch_put(&batch->batch);
	merge->err = got;
	return got;
}
