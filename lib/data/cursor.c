/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/data/cursor.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/data/bytes.h"

void cursor_file(struct cursor *c, int fd, const char *path, const char *section, uint64_t at, uint64_t end, bool big_endian)
{
	c->path = path;
	c->section = section;
	c->start = at;
	c->big_endian = big_endian;
	c->truncated = true;
	c->quiet = false;
	c->err = 0;
	c->fd = fd;
	c->at = at;
	c->end = MAX(at, end);
	c->window = c->bytes;
	c->window_at = 0;
	c->window_size = 0;
}

void cursor_memory(struct cursor *c, const void *mem, size_t size, const char *path, const char *section, uint64_t start, bool big_endian)
{
	c->path = path;
	c->section = section;
	c->start = start;
	c->big_endian = big_endian;
	c->truncated = false;
	c->quiet = false;
	c->err = 0;
	c->fd = -1;
	c->at = 0;
	c->end = size;
	c->window = mem;
	c->window_at = 0;
	c->window_size = size;
}

void cursor_section(struct cursor *c, const char *section)
{
	c->section = section;
	c->start = c->at;
}

uint64_t cursor_offset(const struct cursor *c)
{
	return c->fd < 0 ? c->start : c->at;
}

void cursor_damaged(struct cursor *c, const char *what)
{
	if (c->err || c->quiet) {
		c->err = c->err ?: -EINVAL;
		return;
	}
	c->err = fail(EINVAL, "%s: the section '%s' at offset %llu is damaged at its byte %llu: %s; reading what is there", c->path, c->section,
		      (unsigned long long)c->start, (unsigned long long)(c->fd < 0 ? c->at : c->at - c->start), what);
}

/* Reports that there are not @n bytes left, and returns false. */
static bool too_short(struct cursor *c, uint64_t n)
{
	unsigned long long missing = n - (c->end - c->at);

	if (c->quiet)
		c->err = -EINVAL;
	else if (c->truncated)
		c->err = fail(
			EINVAL,
			"%s: the section '%s' at offset %llu ends beyond the end of the file (needs %llu more bytes): the file is truncated; reading what is there",
			c->path, c->section, (unsigned long long)c->start, missing);
	else
		c->err = fail(
			EINVAL,
			"%s: the section '%s' at offset %llu is damaged: what begins at its byte %llu needs %llu more bytes than there are; reading what is there",
			c->path, c->section, (unsigned long long)c->start, (unsigned long long)c->at, missing);
	return false;
}

/* Are @n bytes left? */
static bool has(struct cursor *c, uint64_t n)
{
	if (c->err)
		return false;
	return n <= c->end - c->at || too_short(c, n);
}

/* Reads @n bytes, which are known to be left, and moves on. */
static bool copy(struct cursor *c, void *out, size_t n)
{
	uint8_t *to = out;

	while (n) {
		uint64_t skip = c->at - c->window_at;
		ssize_t got;

		if (c->at >= c->window_at && skip < c->window_size) {
			size_t part = MIN(n, c->window_size - (size_t)skip);

			memcpy(to, c->window + skip, part);
			to += part;
			n -= part;
			c->at += part;
			continue;
		}
		if (n >= sizeof(c->bytes)) {
			got = io_pread(c->fd, to, n, c->at);
			if (got == (ssize_t)n) {
				c->at += n;
				return true;
			}
		} else {
			got = io_pread(c->fd, c->bytes, (size_t)MIN((uint64_t)sizeof(c->bytes), c->end - c->at), c->at);
			c->window_at = c->at;
			c->window_size = got > 0 ? (size_t)got : 0;
			if (got > 0)
				continue;
		}
		errno = got < 0 ? (int)-got : EIO;
		c->err = fail(errno, "%s: cannot read at offset %llu: %m", c->path, (unsigned long long)c->at);
		return false;
	}
	return true;
}

bool cursor_bytes(struct cursor *c, void *out, size_t n)
{
	if (has(c, n) && copy(c, out, n))
		return true;
	memset(out, 0, n);
	return false;
}

bool cursor_skip(struct cursor *c, uint64_t n)
{
	if (!has(c, n))
		return false;
	c->at += n;
	return true;
}

uint8_t cursor_u8(struct cursor *c)
{
	uint8_t v;

	cursor_bytes(c, &v, sizeof(v));
	return v;
}

uint16_t cursor_u16(struct cursor *c)
{
	uint8_t v[2];

	cursor_bytes(c, v, sizeof(v));
	return get16(v, c->big_endian);
}

uint32_t cursor_u32(struct cursor *c)
{
	uint8_t v[4];

	cursor_bytes(c, v, sizeof(v));
	return get32(v, c->big_endian);
}

uint64_t cursor_u64(struct cursor *c)
{
	uint8_t v[8];

	cursor_bytes(c, v, sizeof(v));
	return get64(v, c->big_endian);
}

bool cursor_text(struct cursor *c, uint64_t size, struct text *out)
{
	uint64_t there = MIN(size, cursor_left(c));
	char *at;

	if (c->err)
		return false;
	at = text_room((size_t)there + 1);
	if (!at) {
		c->err = -ENOMEM;
		return false;
	}
	if (!copy(c, at, (size_t)there)) {
		free(at);
		return false;
	}
	at[there] = '\0';
	free(out->at);
	*out = (struct text){ at, (size_t)there };
	return there == size || too_short(c, size - there);
}

char *cursor_asciiz(struct cursor *c)
{
	struct str s = { 0 };
	char *text;

	for (;;) {
		char byte = (char)cursor_u8(c);

		if (c->err || !byte)
			break;
		str_addc(&s, byte);
	}
	text = c->err ? NULL : str_take(&s);
	if (!c->err && !text)
		c->err = -ENOMEM;
	str_fini(&s);
	return text;
}
