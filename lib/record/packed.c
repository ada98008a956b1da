/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/record/packed.h"

#include "lib/base/io.h"
#include "lib/data/format.h"
#include <unistd.h>

struct head {
	char magic[16], codec[16];
};

/* Begins a run of chunks. It stands in the place of a chunk header, and no chunk has these two sizes. */
struct marker {
	uint32_t zero, ones;
	uint64_t at;
};

/*
 * The offset of the first marker. The first chunk, with the four bytes before it, begins a page. In a trace file, these four bytes are the number of the
 * chunks.
 */
#define BEGIN (4096 + PACKED_RUN_ROOM - sizeof(struct marker))

/* The most bytes to which a chunk may unpack: 32 of the largest sub-buffers that there are. */
#define MOST_PLAIN (DAT_CHUNK_PAGES * (1u << 20))

static int begin_run(struct packed *p, uint64_t at)
{
	struct marker marker = { 0, UINT32_MAX, at };
	struct head head = { .magic = PACKED_MAGIC };
	int err = 0;

	if (!p->end) {
		strncpy(head.codec, p->codec->name, sizeof(head.codec) - 1);
		err = io_pwrite(p->part.fd, &head, sizeof(head), 0);
		p->end = err ? 0 : BEGIN;
	}
	if (!err)
		err = io_pwrite(p->part.fd, &marker, sizeof(marker), p->end);
	if (!err)
		err = vec_push(&p->part.runs, (struct packed_run){ .at = at, .offset = p->end + sizeof(marker) });
	if (!err)
		p->end += sizeof(marker);
	return err;
}

/* Returns the last run, or NULL when there is none yet. */
static struct packed_run *last_run(const struct packed *p)
{
	return p->part.runs.n ? &p->part.runs.at[p->part.runs.n - 1] : NULL;
}

/* Extends the last run by a chunk. @size includes its header. */
static void extend(struct packed *p, uint64_t size, uint64_t plain)
{
	struct packed_run *run = last_run(p);

	p->end += size;
	run->size += size;
	run->plain += plain;
	run->chunks++;
}

int packed_add(struct packed *p, uint64_t at, const void *chunk, size_t size, uint64_t plain)
{
	const struct packed_run *run = last_run(p);
	int err = !run || run->at + run->plain != at ? begin_run(p, at) : 0;

	if (!err)
		err = io_pwrite(p->part.fd, chunk, size, p->end);
	if (!err)
		extend(p, size, plain);
	return err;
}

static bool read_at(int fd, void *to, size_t n, uint64_t offset)
{
	return io_pread(fd, to, n, offset) == (ssize_t)n;
}

/* Takes the marker or chunk at p->end. Returns false when there is no complete one. */
static bool scan_one(struct packed *p, uint64_t size)
{
	struct packed_part *part = &p->part;
	const struct packed_run *run = last_run(p);
	uint32_t sizes[2];
	uint64_t at;

	if (!read_at(part->fd, sizes, sizeof(sizes), p->end))
		return false;
	if (!sizes[0] && sizes[1] == UINT32_MAX) {
		if (!read_at(part->fd, &at, sizeof(at), p->end + offsetof(struct marker, at)) || (run && at < run->at + run->plain))
			return false;
		p->end += sizeof(struct marker);
		return !vec_push(&part->runs, (struct packed_run){ .at = at, .offset = p->end });
	}
	if (!run || !sizes[0] || !sizes[1] || sizes[1] > MOST_PLAIN || sizes[0] > size - p->end - DAT_CHUNK_HEADER)
		return false;
	extend(p, DAT_CHUNK_HEADER + sizes[0], sizes[1]);
	return true;
}

int packed_open(struct packed *p, int fd)
{
	off_t size = lseek(fd, 0, SEEK_END);
	struct head head;

	*p = (struct packed){ .part = { .fd = fd } };
	if (size < 0)
		return -errno;
	if (!size)
		return 0;
	if (!read_at(fd, &head, sizeof(head), 0) || memcmp(head.magic, PACKED_MAGIC, sizeof(PACKED_MAGIC)))
		return -EBADMSG;
	head.codec[sizeof(head.codec) - 1] = '\0';
	p->codec = codec_find(head.codec);
	if (!p->codec)
		return -EBADMSG;
	p->end = BEGIN;
	while (scan_one(p, (uint64_t)size))
		;
	return 0;
}

/* Room for a chunk, packed and unpacked. */
struct room {
	struct str packed, plain;
};

/* Unpacks the chunk at *@offset. *@offset becomes the offset of the next chunk, and *@size the number of unpacked bytes. */
static int unpack_one(struct room *room, int fd, const struct codec *codec, uint64_t *offset, size_t *size)
{
	uint32_t sizes[2];

	if (!read_at(fd, sizes, sizeof(sizes), *offset))
		return -EBADMSG;
	if (!str_room(&room->packed, sizes[0]) || !str_room(&room->plain, sizes[1]))
		return -ENOMEM;
	*offset += DAT_CHUNK_HEADER;
	if (!read_at(fd, room->packed.at, sizes[0], *offset) || codec->unpack(room->packed.at, sizes[0], room->plain.at, sizes[1]))
		return -EBADMSG;
	*offset += sizes[0];
	*size = sizes[1];
	return 0;
}

int packed_pages(int fd, const struct packed_run *run, const struct codec *codec, int (*each)(void *ctx, uint64_t at, const char *pages, size_t size),
		 void *ctx)
{
	uint64_t offset = run->offset, at = run->at;
	struct room room = { 0 };
	int err = 0;

	for (uint32_t i = 0; i < run->chunks && !err; i++) {
		size_t size;

		err = unpack_one(&room, fd, codec, &offset, &size);
		if (err)
			break;
		err = each(ctx, at, room.plain.at, size);
		at += size;
	}
	str_fini(&room.packed);
	str_fini(&room.plain);
	return err;
}

void packed_fini(struct packed *p)
{
	close_fd(&p->part.fd);
	vec_fini(&p->part.runs);
}
