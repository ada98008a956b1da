/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/data/source.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/data/bytes.h"
#include "lib/data/format.h"

static int read_words(const struct source *source, uint64_t at, uint32_t *words, size_t n)
{
	uint8_t bytes[DAT_CHUNK_HEADER];
	ssize_t got = io_pread(source->file->fd, bytes, n * 4, at);

	if (got != (ssize_t)(n * 4)) {
		errno = got < 0 ? (int)-got : EIO;
		return fail(errno, "%s: cannot read at offset %llu: %m", source->file->path, (unsigned long long)at);
	}
	for (size_t i = 0; i < n; i++)
		words[i] = get32(bytes + 4 * i, source->file->meta.big_endian);
	return 0;
}

int source_open(struct source *out, const struct datfile *file, const struct datbuf *buf, const struct datcpu *cpu)
{
	*out = (struct source){
		.file = file,
		.page_size = buf->page_size,
		.compressed = buf->compressed,
		.at = cpu->offset,
		.end = cpu->offset + cpu->size,
	};
	if (!buf->compressed || !cpu->size)
		return 0;
	if (cpu->size < 4) {
		out->left = 1; /* there is at least one chunk, which turns out to be cut off */
		return 0;
	}
	/* trace-cmd does not count these four bytes in a CPU's size. */
	out->at += 4;
	out->end = MIN(out->end + 4, file->size);
	return read_words(out, cpu->offset, &out->left, 1);
}

/* Notes the damage in @out and ends the source there. */
static void give_up(struct source *source, struct span *out, const char *what)
{
	out->damage = what;
	out->damage_offset = source->at;
	source->left = 0;
	source->at = source->end;
}

static int next_chunks(struct source *source, size_t want, struct span *out)
{
	while (source->left && out->plain_size < want && out->size < want) {
		uint64_t room = source->end - source->at;
		uint32_t head[2]; /* the packed size and the plain size */
		int err;

		if (room < DAT_CHUNK_HEADER) {
			give_up(source, out, "the data end within a compressed chunk; the rest of this CPU is lost");
			break;
		}
		err = read_words(source, source->at, head, 2);
		if (err)
			return err;
		if (head[0] > room - DAT_CHUNK_HEADER) {
			give_up(source, out, "a compressed chunk ends beyond its data; the rest of this CPU is lost");
			break;
		}
		if (MAX(head[0], head[1]) > dat_max_chunk(source->page_size)) {
			give_up(source, out, "a compressed chunk claims to be larger than any is; the rest of this CPU is lost");
			break;
		}
		if (out->size && out->plain_size + head[1] > dat_max_chunk(source->page_size))
			break;
		out->size += DAT_CHUNK_HEADER + head[0];
		out->plain_size += head[1];
		source->at += DAT_CHUNK_HEADER + head[0];
		source->left--;
	}
	return out->size || out->damage;
}

int source_next(struct source *source, size_t want, struct span *out)
{
	uint64_t left = source->end - source->at;

	*out = (struct span){ .offset = source->at };
	if (source->compressed)
		return next_chunks(source, want, out);
	if (!left)
		return 0;
	want = MAX(want / source->page_size, (size_t)1) * source->page_size;
	out->size = MIN(left, (uint64_t)want);
	out->plain_size = (size_t)out->size;
	source->at += out->size;
	return 1;
}

int source_plain_size(const struct source *source, uint64_t *out, struct span *last)
{
	struct source walk = *source;
	struct span span;
	int got;

	*out = 0;
	*last = (struct span){ 0 };
	while ((got = source_next(&walk, dat_max_chunk(source->page_size), &span)) > 0) {
		*out += span.plain_size;
		*last = span;
	}
	return got;
}

bool span_chunk(const struct span *span, const uint8_t *packed, bool big_endian, size_t room, uint64_t *at, struct packed_chunk *out)
{
	const uint8_t *head = packed + *at;

	if (span->size - *at < DAT_CHUNK_HEADER)
		return false;
	*out = (struct packed_chunk){
		.offset = span->offset + *at,
		.at = head + DAT_CHUNK_HEADER,
		.size = get32(head, big_endian),
		.plain_size = get32(head + 4, big_endian),
	};
	*at += DAT_CHUNK_HEADER;
	if (out->size > span->size - *at || out->plain_size > room)
		return false;
	*at += out->size;
	return true;
}
