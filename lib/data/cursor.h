/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A position in a range of a file, or in a section that was unpacked to memory. Every length goes through it:
 * what is asked for is compared with what is left before anything is read or allocated. The first failure is
 * reported (file, section, offset, what it means), sets .err and makes all later reads give zeros, so that a
 * parser needs to look at .err only in its loops and at its end.
 */
#ifndef RINGSIDE_CURSOR_H
#define RINGSIDE_CURSOR_H

#include "lib/base/str.h"

struct cursor {
	const char *path;	/* borrowed, as is section: for messages */
	const char *section;
	uint64_t start;		/* where the section begins in the file: for messages */
	bool big_endian;
	bool truncated;		/* the section's end as declared is beyond the file's */
	bool quiet;		/* failures are not reported: the cause has been */
	int err;		/* 0, -EINVAL: damaged, -ENOMEM, or -errno of read */
	int fd;			/* -1: memory */
	uint64_t at, end;	/* file offsets, or offsets in the memory */
	const uint8_t *window;	/* bytes that are in memory: [window_at, window_at + window_size) */
	uint64_t window_at;
	size_t window_size;
	uint8_t bytes[4096];
};

/* From @at to @end of @fd, both within the file. */
void cursor_file(struct cursor *c, int fd, const char *path, const char *section, uint64_t at,
		 uint64_t end, bool big_endian);

/* Over @size bytes of @mem, which come from the section at @start of the file. */
void cursor_memory(struct cursor *c, const void *mem, size_t size, const char *path,
		   const char *section, uint64_t start, bool big_endian);

/* From here on messages name @section, which begins at the current position of the file. */
void cursor_section(struct cursor *c, const char *section);

static inline uint64_t cursor_left(const struct cursor *c)
{
	return c->err ? 0 : c->end - c->at;
}

/* Where the next byte is in the file. For a cursor over memory: where its section is. */
uint64_t cursor_offset(const struct cursor *c);

/* True: all of them are in @out. False: .err is set and @out is zeroed. */
bool cursor_bytes(struct cursor *c, void *out, size_t n);
bool cursor_skip(struct cursor *c, uint64_t n);
uint8_t cursor_u8(struct cursor *c);
uint16_t cursor_u16(struct cursor *c);
uint32_t cursor_u32(struct cursor *c);
uint64_t cursor_u64(struct cursor *c);

/*
 * @size bytes as a fresh text in *@out, whose old memory is freed. A section that ends early gives
 * the bytes that are there, and .err.
 */
bool cursor_text(struct cursor *c, uint64_t size, struct text *out);

/* A string up to its NUL, fresh, without limits but what is left; NULL: .err is set. */
char *cursor_asciiz(struct cursor *c);

/* Sets .err to -EINVAL and says that the section is damaged at the present position: @what is wrong. */
void cursor_damaged(struct cursor *c, const char *what);

#endif
