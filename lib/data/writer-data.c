/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes trace data. To pack and unpack them, there is a ring of chunks. While the writer waits for the oldest chunk and writes it, the threads of the pool
 * read, unpack and pack the chunks after it. No more memory is needed than for the ring.
 */
#include "lib/data/format.h"
#include "lib/data/writer-out.h"
#include "lib/base/err.h"
#include "lib/base/io.h"

enum { PIECE = 64 << 20 }; /* this many bytes are copied between two reports of progress */

static int cannot_copy(const struct out *out, const struct write_cpu *cpu, int err)
{
	if (err == -ENODATA)
		return fail(ENODATA, "%s: the data recorded on CPU %u ends before its %llu bytes", out->path, cpu->cpu, (unsigned long long)cpu->size);
	return fail(-err, "%s: cannot write the data of CPU %u: %m", out->path, cpu->cpu);
}

/* Returns how many bytes of the CPU's data are in a file. */
static uint64_t body_size(const struct write_cpu *cpu)
{
	return cpu->size - cpu->tail.size;
}

static int copy_pages(struct out *out, const struct write_cpu *cpu)
{
	for (uint64_t done = 0; done < body_size(cpu);) {
		uint64_t n = MIN(body_size(cpu) - done, (uint64_t)PIECE);
		int err = io_copy(cpu->fd, cpu->offset + done, out->fd, n);

		if (err)
			return cannot_copy(out, cpu, err);
		done += n;
		out->pos += n;
		err = out_progress(out, n);
		if (err)
			return err;
	}
	return cpu->tail.size ? out_bytes(out, cpu->tail.at, cpu->tail.size) : 0;
}

/* This is a chunk. Its bytes come from a piece of a CPU's plain pages, from a span of a CPU's packed pages, or from a text in memory. */
struct chunk {
	struct job job;
	const struct out *out;
	const struct write_cpu *cpu; /* NULL: the bytes come from .text */
	const char *text;
	uint64_t offset;	       /* the offset in the CPU's data or in the text */
	struct span span;	       /* the span of .cpu->packed */
	size_t size;		       /* how many bytes the chunk has when it is not packed */
	struct str raw, plain, packed; /* buffers for the bytes as they are in the other file, unpacked, and packed */
	void *work;		       /* belongs to the codec */
	ssize_t got;		       /* how many bytes the packed chunk has with its header; or -errno */
};

struct ring {
	struct out *out;
	size_t chunk_size;
	size_t n;	     /* the number of slots */
	uint64_t head, tail; /* how many chunks were begun, and how many were written; modulo .n, this is a slot */
	struct chunk *slots;
};

static int read_whole(int fd, char *to, size_t n, uint64_t offset)
{
	ssize_t got = io_pread(fd, to, n, offset);

	return got == (ssize_t)n ? 0 : got < 0 ? (int)got : -ENODATA;
}

/* Unpacks the chunks of the span one behind the other into chunk->plain. Returns 0 or -errno. */
static int unpack_span(struct chunk *chunk)
{
	const struct datfile *file = chunk->cpu->packed->file;
	char *to = chunk->plain.at, *const end = to + chunk->size;
	struct packed_chunk packed;
	uint64_t at = 0;
	int err;

	if (!str_room(&chunk->raw, (size_t)chunk->span.size))
		return -ENOMEM;
	err = read_whole(file->fd, chunk->raw.at, (size_t)chunk->span.size, chunk->span.offset);
	while (!err && span_chunk(&chunk->span, (const uint8_t *)chunk->raw.at, file->meta.big_endian, (size_t)(end - to), &at, &packed)) {
		if (file->codec->unpack(packed.at, packed.size, to, packed.plain_size))
			return -EBADMSG;
		to += packed.plain_size;
	}
	return err ? err : to < end ? -ENODATA : 0;
}

/* Returns the chunk's plain bytes. Returns NULL if they cannot be read, and sets chunk->got to the error. */
static const char *load(struct chunk *chunk)
{
	int err = 0;

	if (chunk->text)
		return chunk->text + chunk->offset;
	if (!str_room(&chunk->plain, chunk->size))
		err = -ENOMEM;
	else if (chunk->offset >= body_size(chunk->cpu))
		memcpy(chunk->plain.at, chunk->cpu->tail.at + (chunk->offset - body_size(chunk->cpu)), chunk->size);
	else if (chunk->cpu->packed)
		err = unpack_span(chunk);
	else
		err = read_whole(chunk->cpu->fd, chunk->plain.at, chunk->size, chunk->cpu->offset + chunk->offset);
	chunk->got = err;
	return err ? NULL : chunk->plain.at;
}

static void chunk_run(struct job *job)
{
	struct chunk *chunk = container_of(job, struct chunk, job);
	const struct write_options *how = chunk->out->how;
	const char *plain = load(chunk);

	if (plain && codec_packs(how->codec))
		chunk->got = chunk_pack(how->codec, how->level, &chunk->work, chunk->out->meta->big_endian, plain, chunk->size, &chunk->packed);
}

static void ring_fini(struct ring *ring)
{
	for (size_t i = 0; ring->slots && i < ring->n; i++) {
		str_fini(&ring->slots[i].raw);
		str_fini(&ring->slots[i].plain);
		str_fini(&ring->slots[i].packed);
		codec_work_free(ring->out->how->codec, ring->slots[i].work);
	}
	free(ring->slots);
}

static int ring_init(struct ring *ring, struct out *out, uint32_t page_size)
{
	struct pool *pool = out->how->pool;

	ring->out = out;
	ring->chunk_size = (size_t)page_size * DAT_CHUNK_PAGES;
	ring->n = pool ? 4 * (size_t)pool_threads(pool) : 1;
	ring->slots = calloc(ring->n, sizeof(*ring->slots));
	for (size_t i = 0; ring->slots && i < ring->n; i++) {
		ring->slots[i].job.run = chunk_run;
		ring->slots[i].out = out;
	}
	return ring->slots ? 0 : fail(ENOMEM, "%s: %m", out->path);
}

/* Gives the next slot to the pool. The caller has filled in what is to be done. */
static void ring_begin(struct ring *ring)
{
	struct chunk *chunk = &ring->slots[ring->head++ % ring->n];

	if (ring->out->how->pool)
		pool_submit(ring->out->how->pool, &chunk->job);
}

/* Waits for the oldest chunk and returns it. */
static struct chunk *ring_oldest(struct ring *ring)
{
	struct chunk *chunk = &ring->slots[ring->tail++ % ring->n];

	if (ring->out->how->pool)
		pool_wait(ring->out->how->pool, &chunk->job);
	else
		chunk->job.run(&chunk->job);
	return chunk;
}

static int cannot_make(const struct out *out, const struct chunk *chunk)
{
	if (chunk->got == -EBADMSG)
		return fail(EBADMSG,
			    "%s: the data of CPU %u cannot be unpacked at offset %llu: the file is damaged; `ringside split` writes what is left of it",
			    chunk->cpu->packed->file->path, chunk->cpu->cpu, (unsigned long long)chunk->span.offset);
	if (chunk->cpu)
		return cannot_copy(out, chunk->cpu, (int)chunk->got);
	return fail((int)-chunk->got, "%s: cannot compress: %m", out->path);
}

static int chunk_write(struct out *out, const struct chunk *chunk)
{
	int err;

	if (chunk->got < 0)
		return cannot_make(out, chunk);
	if (codec_packs(out->how->codec))
		err = out_bytes(out, chunk->packed.at, (size_t)chunk->got);
	else
		err = out_bytes(out, chunk->plain.at, chunk->size);
	return err ? err : out_progress(out, chunk->size);
}

uint64_t packed_part_plain(const struct packed_part *part)
{
	uint64_t plain = 0;

	if (part)
		vec_each (&part->runs, run)
			plain += run->plain;
	return plain;
}

/* Keeps a place for the number of chunks, which is not known yet. chunks_end() fills it in. *@at becomes the place. Returns 0 or -errno. */
static int chunks_begin(struct out *out, uint64_t *at)
{
	struct block b = { .big_endian = out->meta->big_endian };
	int err;

	*at = out->pos;
	put_u32(&b, 0);
	err = out_block(out, &b);
	str_fini(&b.bytes);
	return err;
}

/* Copies a run of chunks that were packed before, and the @room bytes before it. Returns 0 or -errno. */
static int copy_run(struct out *out, const struct packed_part *part, const struct packed_run *run, unsigned int room)
{
	int err = io_copy(part->fd, run->offset - room, out->fd, room + run->size);

	if (err)
		return fail(-err, "%s: cannot write: %m", out->path);
	out->pos += room + run->size;
	return out_progress(out, run->plain);
}

static int chunks_end(struct out *out, uint64_t at, uint64_t n)
{
	if (n > UINT32_MAX)
		return fail(EFBIG, "%s: more compressed chunks than the format can count", out->path);
	return out_set_u32(out, at, (uint32_t)n);
}

/* This is the place up to which the ring was given chunks. It is ahead of what was written, and may be at another CPU. What was packed before is skipped. */
struct ahead {
	const struct write_cpu *cpu, *end;
	uint64_t offset;      /* how many plain bytes of .cpu were given to the ring, or were packed before */
	size_t run;	      /* the next run that was packed before */
	struct source source; /* .cpu->packed from there on */
};

static void ahead_begin(struct ahead *ahead, const struct write_cpu *cpu)
{
	ahead->cpu = cpu;
	ahead->offset = 0;
	ahead->run = 0;
	if (cpu < ahead->end && cpu->packed)
		ahead->source = *cpu->packed;
}

/* Returns how many bytes there are until the next run, the tail, or the end of the CPU. */
static uint64_t ahead_gap(struct ahead *at)
{
	const struct packed_part *part = at->cpu->part;

	for (; part && at->run < part->runs.n; at->run++) {
		const struct packed_run *run = &part->runs.at[at->run];

		if (run->at > at->offset)
			return run->at - at->offset;
		at->offset = run->at + run->plain;
	}
	return (at->offset < body_size(at->cpu) ? body_size(at->cpu) : at->cpu->size) - at->offset;
}

static int ring_fill(struct ring *ring, struct ahead *at)
{
	while (ring->head - ring->tail < ring->n && at->cpu < at->end) {
		struct chunk *chunk = &ring->slots[ring->head % ring->n];
		const struct write_cpu *cpu = at->cpu;
		uint64_t gap = ahead_gap(at);

		if (!gap) {
			ahead_begin(at, cpu + 1);
			continue;
		}
		chunk->cpu = cpu;
		chunk->text = NULL;
		chunk->offset = at->offset;
		chunk->size = (size_t)MIN(gap, (uint64_t)ring->chunk_size);
		if (cpu->packed && at->offset < body_size(cpu)) {
			int got = source_next(&at->source, ring->chunk_size, &chunk->span);

			if (got <= 0 || !chunk->span.plain_size)
				return got < 0 ? got : cannot_copy(ring->out, cpu, -ENODATA);
			chunk->size = chunk->span.plain_size;
		}
		at->offset += chunk->size;
		ring_begin(ring);
	}
	return 0;
}

/* Writes the next @left bytes of @ahead, which are all of one CPU. Adds the number of chunks to *@n. Returns 0 or -errno. */
static int write_chunks(struct ring *ring, struct ahead *ahead, uint64_t left, uint64_t *n)
{
	int err = 0;

	for (; !err && left; ++*n) {
		const struct chunk *chunk;

		err = ring_fill(ring, ahead);
		if (err)
			break;
		chunk = ring_oldest(ring);
		err = chunk_write(ring->out, chunk);
		left -= MIN(left, (uint64_t)chunk->size);
	}
	return err;
}

static void ring_drain(struct ring *ring)
{
	while (ring->tail < ring->head)
		ring_oldest(ring);
	ring_fini(ring);
}

int out_pages(struct out *out, const struct write_buffer *buffer, const struct write_cpu *cpu)
{
	struct ahead ahead = { .end = cpu + 1 };
	struct ring ring = { 0 };
	uint64_t n = 0;
	int err;

	if (!cpu->packed)
		return copy_pages(out, cpu);
	err = ring_init(&ring, out, buffer->page_size);
	if (err)
		return err;
	ahead_begin(&ahead, cpu);
	err = write_chunks(&ring, &ahead, cpu->size, &n);
	ring_drain(&ring);
	return err;
}

/* Writes the runs that were packed before, and everything in between. Adds the number of chunks to *@n. Returns 0 or -errno. */
static int write_runs(struct ring *ring, struct ahead *ahead, const struct write_cpu *cpu, uint64_t *n)
{
	const struct packed_part none = { 0 }, *part = cpu->part ? cpu->part : &none;
	uint64_t done = 0;
	int err = 0;

	vec_each (&part->runs, run) {
		if (!err && done < run->at)
			err = write_chunks(ring, ahead, run->at - done, n);
		/* A run at the beginning comes with the room for the number of chunks. */
		if (!err)
			err = copy_run(ring->out, part, run, run->at ? 0 : PACKED_RUN_ROOM);
		*n += run->chunks;
		done = run->at + run->plain;
	}
	return err ? err : write_chunks(ring, ahead, cpu->size - done, n);
}

static int packed_cpu(struct ring *ring, struct ahead *ahead, uint32_t page_size, const struct write_cpu *cpu, struct extent *where)
{
	struct out *out = ring->out;
	bool begun = cpu->part && cpu->part->runs.n && !cpu->part->runs.at[0].at;
	int err = out_align(out, page_size);
	uint64_t count = out->pos, n = 0;

	*where = (struct extent){ out->pos, 0 };
	if (err || !cpu->size)
		return err;
	if (!begun)
		err = chunks_begin(out, &count);
	if (!err)
		err = write_runs(ring, ahead, cpu, &n);
	if (!err)
		err = chunks_end(out, count, n);
	/* The number before the chunks is not part of the size, because trace-cmd does not count it either. */
	where->size = out->pos - count - 4;
	return err;
}

int out_packed(struct out *out, const struct write_buffer *buffer, struct extent *where)
{
	struct ahead ahead = { .end = buffer->cpus.at + buffer->cpus.n };
	struct ring ring = { 0 };
	int err = ring_init(&ring, out, buffer->page_size);

	if (err)
		return err;
	ahead_begin(&ahead, buffer->cpus.at);
	for (size_t i = 0; !err && i < buffer->cpus.n; i++)
		err = packed_cpu(&ring, &ahead, buffer->page_size, &buffer->cpus.at[i], &where[i]);
	ring_drain(&ring);
	return err;
}

int out_packed_text(struct out *out, const struct text *text)
{
	struct ring ring = { 0 };
	uint64_t count, n = 0;
	int err = ring_init(&ring, out, out->meta->page_size);

	if (err)
		return err;
	err = chunks_begin(out, &count);
	for (size_t begun = 0; !err && (begun < text->size || ring.tail < ring.head); n++) {
		for (; begun < text->size && ring.head - ring.tail < ring.n; begun += ring.chunk_size) {
			struct chunk *chunk = &ring.slots[ring.head % ring.n];

			chunk->text = text->at;
			chunk->offset = begun;
			chunk->size = MIN(text->size - begun, ring.chunk_size);
			ring_begin(&ring);
		}
		err = chunk_write(out, ring_oldest(&ring));
	}
	if (!err)
		err = chunks_end(out, count, n);
	ring_drain(&ring);
	return err;
}
