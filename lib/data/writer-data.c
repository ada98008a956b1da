/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace data. Packing is a ring of chunks: while the oldest is waited for and written, all threads
 * of the pool read and pack the ones after it. Memory is the ring's, however much there is to
 * write.
 */
#include "lib/data/format.h"
#include "lib/data/writer-out.h"
#include "lib/base/err.h"
#include "lib/base/io.h"

enum { PIECE = 64 << 20 }; /* bytes copied between two reports of progress */

static int cannot_copy(const struct out *out, const struct write_cpu *cpu, int err)
{
	if (err == -ENODATA)
		return fail(ENODATA, "%s: the data recorded on CPU %u ends before its %llu bytes",
			    out->path, cpu->cpu, (unsigned long long)cpu->size);
	return fail(-err, "%s: cannot write the data of CPU %u: %m", out->path, cpu->cpu);
}

int out_pages(struct out *out, const struct write_cpu *cpu)
{
	for (uint64_t done = 0; done < cpu->size;) {
		uint64_t n = MIN(cpu->size - done, (uint64_t)PIECE);
		int err = io_copy(cpu->fd, cpu->offset + done, out->fd, n);

		if (err)
			return cannot_copy(out, cpu, err);
		done += n;
		out->pos += n;
		err = out_progress(out, n);
		if (err)
			return err;
	}
	return 0;
}

struct chunk {
	struct job job;
	const struct out *out;
	const struct write_cpu *cpu; /* read from there, or */
	const char *text;	     /* already in memory */
	uint64_t offset;	     /* in the CPU's data or the text */
	size_t size;
	char *plain, *packed;
	ssize_t got; /* bytes packed, or -errno */
};

struct ring {
	struct out *out;
	size_t chunk_size, bound;
	size_t n;	     /* slots */
	uint64_t head, tail; /* chunks begun, chunks written: slots modulo n */
	struct chunk *slots;
};

static void chunk_run(struct job *job)
{
	struct chunk *chunk = (struct chunk *)((char *)job - offsetof(struct chunk, job));
	const struct codec *codec = chunk->out->how->codec;
	int level = chunk->out->how->level ? chunk->out->how->level : codec->default_level;
	const char *plain = chunk->text ? chunk->text + chunk->offset : chunk->plain;

	if (chunk->cpu) {
		ssize_t got = io_pread(chunk->cpu->fd, chunk->plain, chunk->size,
				       chunk->cpu->offset + chunk->offset);

		if (got < (ssize_t)chunk->size) {
			chunk->got = got < 0 ? got : -ENODATA;
			return;
		}
	}
	chunk->got =
		codec->pack(plain, chunk->size, chunk->packed, codec->bound(chunk->size), level);
}

static void ring_fini(struct ring *ring)
{
	for (size_t i = 0; ring->slots && i < ring->n; i++) {
		free(ring->slots[i].plain);
		free(ring->slots[i].packed);
	}
	free(ring->slots);
}

static int ring_init(struct ring *ring, struct out *out, uint32_t page_size)
{
	struct pool *pool = out->how->pool;

	ring->out = out;
	ring->chunk_size = (size_t)page_size * DAT_CHUNK_PAGES;
	ring->bound = out->how->codec->bound(ring->chunk_size);
	ring->n = pool ? 4 * (size_t)pool_threads(pool) : 1;
	ring->slots = calloc(ring->n, sizeof(*ring->slots));
	for (size_t i = 0; ring->slots && i < ring->n; i++) {
		struct chunk *chunk = &ring->slots[i];

		chunk->job.run = chunk_run;
		chunk->out = out;
		chunk->plain = malloc(ring->chunk_size);
		chunk->packed = malloc(ring->bound);
		if (!chunk->plain || !chunk->packed) {
			ring_fini(ring);
			ring->slots = NULL;
		}
	}
	return ring->slots ? 0 : fail(ENOMEM, "%s: %m", out->path);
}

static void ring_begin(struct ring *ring, const struct write_cpu *cpu, const char *text,
		       uint64_t offset, uint64_t left)
{
	struct chunk *chunk = &ring->slots[ring->head++ % ring->n];

	chunk->cpu = cpu;
	chunk->text = text;
	chunk->offset = offset;
	chunk->size = (size_t)MIN(left, (uint64_t)ring->chunk_size);
	if (ring->out->how->pool)
		pool_submit(ring->out->how->pool, &chunk->job);
}

/* Waits for the oldest chunk. */
static struct chunk *ring_oldest(struct ring *ring)
{
	struct chunk *chunk = &ring->slots[ring->tail++ % ring->n];

	if (ring->out->how->pool)
		pool_wait(ring->out->how->pool, &chunk->job);
	else
		chunk->job.run(&chunk->job);
	return chunk;
}

static int chunk_write(struct out *out, const struct chunk *chunk)
{
	struct block head = { .big_endian = out->meta->big_endian };
	int err;

	if (chunk->got < 0 && chunk->cpu)
		return cannot_copy(out, chunk->cpu, (int)chunk->got);
	if (chunk->got < 0)
		return fail((int)-chunk->got, "%s: cannot compress: %m", out->path);
	put_u32(&head, (uint32_t)chunk->got);
	put_u32(&head, (uint32_t)chunk->size);
	err = out_block(out, &head);
	str_fini(&head.bytes);
	if (!err)
		err = out_bytes(out, chunk->packed, (size_t)chunk->got);
	if (!err)
		err = out_progress(out, chunk->size);
	return err;
}

static uint64_t chunks_of(const struct ring *ring, uint64_t size)
{
	return (size + ring->chunk_size - 1) / ring->chunk_size;
}

static int chunk_count(struct out *out, uint64_t n)
{
	struct block b = { .big_endian = out->meta->big_endian };
	int err;

	if (n > UINT32_MAX)
		return fail(EFBIG, "%s: more compressed chunks than the format can count",
			    out->path);
	put_u32(&b, (uint32_t)n);
	err = out_block(out, &b);
	str_fini(&b.bytes);
	return err;
}

/* Where the ring goes on reading: it runs ahead of what is written, over the ends of CPUs. */
struct ahead {
	const struct write_buffer *buffer;
	size_t cpu;
	uint64_t offset;
};

static void ring_fill(struct ring *ring, struct ahead *at)
{
	while (ring->head - ring->tail < ring->n && at->cpu < at->buffer->cpus.n) {
		const struct write_cpu *cpu = &at->buffer->cpus.at[at->cpu];

		if (at->offset >= cpu->size) {
			at->cpu++;
			at->offset = 0;
			continue;
		}
		ring_begin(ring, cpu, NULL, at->offset, cpu->size - at->offset);
		at->offset += ring->chunk_size;
	}
}

static int packed_cpu(struct ring *ring, struct ahead *ahead, const struct write_cpu *cpu,
		      struct extent *where)
{
	struct out *out = ring->out;
	uint64_t n = chunks_of(ring, cpu->size), begin;
	int err = out_align(out, ahead->buffer->page_size);

	*where = (struct extent){ out->pos, 0 };
	if (err || !n)
		return err;
	err = chunk_count(out, n);
	begin = out->pos;
	for (uint64_t i = 0; !err && i < n; i++) {
		ring_fill(ring, ahead);
		err = chunk_write(out, ring_oldest(ring));
	}
	/* The count before the chunks is not part of the size: trace-cmd's files leave it out. */
	where->size = out->pos - begin;
	return err;
}

int out_packed(struct out *out, const struct write_buffer *buffer, struct extent *where)
{
	struct ahead ahead = { .buffer = buffer };
	struct ring ring = { 0 };
	int err = ring_init(&ring, out, buffer->page_size);

	if (err)
		return err;
	for (size_t i = 0; !err && i < buffer->cpus.n; i++)
		err = packed_cpu(&ring, &ahead, &buffer->cpus.at[i], &where[i]);
	while (ring.tail < ring.head)
		ring_oldest(&ring);
	ring_fini(&ring);
	return err;
}

int out_packed_text(struct out *out, const struct text *text)
{
	struct ring ring = { 0 };
	uint64_t n, begun = 0;
	int err = ring_init(&ring, out, out->meta->page_size);

	if (err)
		return err;
	n = chunks_of(&ring, text->size);
	err = chunk_count(out, n);
	for (uint64_t i = 0; !err && i < n; i++) {
		for (; begun < n && ring.head - ring.tail < ring.n; begun++)
			ring_begin(&ring, NULL, text->at, begun * ring.chunk_size,
				   text->size - begun * ring.chunk_size);
		err = chunk_write(out, ring_oldest(&ring));
	}
	while (ring.tail < ring.head)
		ring_oldest(&ring);
	ring_fini(&ring);
	return err;
}
