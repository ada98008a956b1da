/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/data/chunk.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/data/format.h"
#include "lib/data/leaf.h"

/* At most this many places of damage are listed for each chunk. */
enum { MOST_DAMAGES = 16 };

void shelf_init(struct shelf *shelf)
{
	pthread_mutex_init(&shelf->lock, NULL);
	shelf->free = NULL;
}

void shelf_fini(struct shelf *shelf)
{
	while (shelf->free) {
		struct chunk *chunk = shelf->free;

		shelf->free = chunk->next;
		free(chunk->packed);
		free(chunk->pages);
		vec_fini(&chunk->records);
		vec_fini(&chunk->damages);
		free(chunk);
	}
	pthread_mutex_destroy(&shelf->lock);
}

struct chunk *chunk_get(struct shelf *shelf)
{
	struct chunk *chunk;

	pthread_mutex_lock(&shelf->lock);
	chunk = shelf->free;
	if (chunk)
		shelf->free = chunk->next;
	pthread_mutex_unlock(&shelf->lock);
	if (!chunk)
		chunk = calloc(1, sizeof(*chunk));
	if (!chunk)
		return NULL;
	chunk->job = (struct job){ .run = chunk_decode };
	chunk->next = NULL;
	chunk->shelf = shelf;
	chunk->refs = 1;
	chunk->batch = 0;
	chunk->records.n = 0;
	chunk->lost = 0;
	chunk->err = 0;
	chunk->damages.n = 0;
	return chunk;
}

void chunk_ref(struct chunk *chunk)
{
	__atomic_add_fetch(&chunk->refs, 1, __ATOMIC_RELAXED);
}

void chunk_put(struct chunk *chunk)
{
	struct shelf *shelf;

	if (!chunk || __atomic_sub_fetch(&chunk->refs, 1, __ATOMIC_ACQ_REL))
		return;
	shelf = chunk->shelf;
	pthread_mutex_lock(&shelf->lock);
	chunk->next = shelf->free;
	shelf->free = chunk;
	pthread_mutex_unlock(&shelf->lock);
}

/* Notes a place of damage. What is lost there counts as a loss of events. */
static void damaged(struct chunk *chunk, struct damage damage)
{
	chunk->lost = LOST_UNKNOWN;
	if (chunk->damages.n < MOST_DAMAGES && vec_push(&chunk->damages, damage))
		chunk->err = -ENOMEM;
}

static int make_room(uint8_t **at, size_t *cap, size_t need)
{
	if (need <= *cap)
		return 0;
	free(*at);
	*at = malloc(need);
	*cap = *at ? need : 0;
	return *at ? 0 : -ENOMEM;
}

static int read_span(struct chunk *chunk, uint8_t *out)
{
	const struct span *span = &chunk->span;
	ssize_t got = io_pread(chunk->how->file->fd, out, (size_t)span->size, span->offset);

	if (got == (ssize_t)span->size)
		return 0;
	errno = got < 0 ? (int)-got : EIO;
	return fail(errno, "%s: cannot read at offset %llu: %m", chunk->how->file->path, (unsigned long long)span->offset);
}

/* Decodes the pages at @pages, which stand at @offset of the file. Returns 0 or -errno. */
static int decode_pages(struct chunk *chunk, const uint8_t *pages, size_t size, uint64_t offset, bool packed)
{
	const struct page_format *format = &chunk->how->format;

	for (size_t at = 0; at < size; at += format->page_size) {
		size_t n = MIN(size - at, (size_t)format->page_size), bad;
		size_t before = chunk->records.n;
		struct page_info info;
		int err = page_decode(format, pages + at, n, &info, &chunk->records, &bad);

		if (err == -ENOMEM)
			return err;
		if (chunk->records.n > before) {
			size_t from = before - (before > 0);

			record_add_lost(&chunk->records.at[before], chunk->lost);
			chunk->lost = 0;
			if (from < before && chunk->records.at[before].flags & RECORD_LOST)
				chunk->records.at[from].flags |= RECORD_GAP;
			/* This is done here because the records are still in the cache. */
			leaf_mark(&chunk->how->leaf, &chunk->records, from);
		} else {
			chunk->lost = lost_sum(chunk->lost, info.lost);
		}
		if (err)
			damaged(chunk, (struct damage){
					       .offset = packed ? offset : offset + at + bad,
					       .unpacked = packed,
					       .byte = at + bad,
					       .what = "the event there does not fit its page; the rest of the page is skipped",
				       });
	}
	return chunk->err;
}

static int unpack_pages(struct chunk *chunk)
{
	const struct datfile *file = chunk->how->file;
	uint8_t *out = chunk->pages, *const end = out + chunk->span.plain_size;
	int err = make_room(&chunk->packed, &chunk->packed_cap, (size_t)chunk->span.size);
	struct packed_chunk packed;
	uint64_t at = 0;

	if (!err)
		err = read_span(chunk, chunk->packed);
	while (!err && span_chunk(&chunk->span, chunk->packed, file->meta.big_endian, (size_t)(end - out), &at, &packed)) {
		if (file->codec->unpack(packed.at, packed.size, out, packed.plain_size))
			damaged(chunk, (struct damage){ .offset = packed.offset, .what = "a compressed chunk cannot be unpacked; it is skipped" });
		else
			err = decode_pages(chunk, out, packed.plain_size, packed.offset, true);
		out += packed.plain_size;
	}
	return err;
}

int chunk_room(struct chunk *chunk, size_t size)
{
	return make_room(&chunk->pages, &chunk->pages_cap, size + LEAF_SLACK);
}

void chunk_decode(struct job *job)
{
	struct chunk *chunk = (struct chunk *)job;
	const struct decoding *how = chunk->how;
	int err = 0;

	if (!chunk->span.size && chunk->span.plain_size) {
		err = decode_pages(chunk, chunk->pages, chunk->span.plain_size, 0, false);
	} else if (chunk->span.size) {
		err = chunk_room(chunk, chunk->span.plain_size);
		if (!err && how->compressed)
			err = unpack_pages(chunk);
		else if (!err)
			err = read_span(chunk, chunk->pages) ?: decode_pages(chunk, chunk->pages, chunk->span.plain_size, chunk->span.offset, false);
	}
	if (!err && chunk->span.damage)
		damaged(chunk, (struct damage){ .offset = chunk->span.damage_offset, .what = chunk->span.damage });
	if (err)
		chunk->err = err;
}
