/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/data/writer-out.h"
#include "lib/data/format.h"
#include "lib/base/err.h"
#include "lib/base/io.h"

static void store(unsigned char *to, uint64_t value, size_t size, bool big_endian)
{
	for (size_t i = 0; i < size; i++)
		to[big_endian ? size - 1 - i : i] = (unsigned char)(value >> (8 * i));
}

static void put_integer(struct block *b, uint64_t value, size_t size)
{
	unsigned char bytes[8];

	store(bytes, value, size, b->big_endian);
	str_addn(&b->bytes, bytes, size);
}

void put_u16(struct block *b, uint16_t value)
{
	put_integer(b, value, 2);
}

void put_u32(struct block *b, uint32_t value)
{
	put_integer(b, value, 4);
}

void put_u64(struct block *b, uint64_t value)
{
	put_integer(b, value, 8);
}

void put_string(struct block *b, const char *text)
{
	str_addn(&b->bytes, text, strlen(text) + 1);
}

void put_text(struct block *b, const struct text *text)
{
	if (text->size)
		str_addn(&b->bytes, text->at, text->size);
}

void put_sized64(struct block *b, const struct text *text)
{
	put_u64(b, text->size);
	put_text(b, text);
}

void put_sized32(struct block *b, const struct text *text)
{
	put_u32(b, (uint32_t)text->size);
	put_text(b, text);
}

void block_set_u64(struct block *b, size_t at, uint64_t value)
{
	if (!b->bytes.oom)
		store((unsigned char *)b->bytes.at + at, value, 8, b->big_endian);
}

int out_bytes(struct out *out, const void *bytes, size_t n)
{
	int err = io_write(out->fd, bytes, n);

	if (err)
		return fail(-err, "%s: cannot write at offset %llu: %m", out->path, (unsigned long long)out->pos);
	out->pos += n;
	return 0;
}

int out_block(struct out *out, struct block *b)
{
	int err = str_ok(&b->bytes);

	if (err)
		return fail(-err, "%s: %m", out->path);
	err = out_bytes(out, str_text(&b->bytes), b->bytes.len);
	str_clear(&b->bytes);
	return err;
}

int out_align(struct out *out, uint32_t to)
{
	static const char zeroes[4096];
	uint64_t left = (to - out->pos % to) % to;

	while (left) {
		size_t n = (size_t)MIN(left, (uint64_t)sizeof(zeroes));
		int err = out_bytes(out, zeroes, n);

		if (err)
			return err;
		left -= n;
	}
	return 0;
}

static int set_integer(struct out *out, uint64_t at, uint64_t value, size_t size)
{
	unsigned char bytes[8];
	int err;

	store(bytes, value, size, out->meta->big_endian);
	err = io_pwrite(out->fd, bytes, size, at);
	if (err)
		return fail(-err, "%s: cannot write at offset %llu: %m", out->path, (unsigned long long)at);
	return 0;
}

int out_set_u64(struct out *out, uint64_t at, uint64_t value)
{
	return set_integer(out, at, value, 8);
}

int out_set_u32(struct out *out, uint64_t at, uint32_t value)
{
	return set_integer(out, at, value, 4);
}

int out_progress(struct out *out, uint64_t bytes)
{
	out->done += bytes;
	return out->how->progress ? out->how->progress(out->how->ctx, out->done, out->total) : 0;
}

ssize_t chunk_pack(const struct codec *codec, int level, void **work, bool big_endian, const char *plain, size_t size, struct str *to)
{
	size_t bound = codec->bound(size);
	unsigned char *at;
	ssize_t got;

	if (!str_room(to, DAT_CHUNK_HEADER + bound))
		return -ENOMEM;
	at = (unsigned char *)to->at;
	got = codec->pack(codec_work(codec, work), plain, size, at + DAT_CHUNK_HEADER, bound, level ? level : codec->default_level);
	if (got < 0)
		return got;
	store(at, (uint64_t)got, 4, big_endian);
	store(at + 4, size, 4, big_endian);
	return DAT_CHUNK_HEADER + got;
}
