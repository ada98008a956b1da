/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads a range of a file, or a section that was unpacked to memory, from its beginning on. Before anything is read or allocated, each length that is
 * asked for is compared with the number of bytes that are left. The first failure sets .err. It is reported (file, section, offset and what is
 * wrong), unless memory ran out. All later reads then give zeros, so that a parser needs to look at .err only in its loops and at its end.
 */
#ifndef RINGSIDE_CURSOR_H
#define RINGSIDE_CURSOR_H

#include "lib/base/str.h"

struct cursor {
	const char *path; /* for messages; borrowed, as is .section */
	const char *section;
	uint64_t start; /* where the section begins in the file, for messages */
	bool big_endian;
	bool truncated;	       /* .end is the end of the file; when more bytes are asked for, the message says that the file is truncated */
	bool quiet;	       /* damage is not reported, because its cause has been reported; a failure of read is reported all the same */
	int err;	       /* 0; -EINVAL: the file is damaged; -ENOMEM; or -errno of read */
	int fd;		       /* -1: the cursor is over memory */
	uint64_t at, end;      /* bytes [at, end) have not been read yet; file offsets, or offsets in the memory */
	const uint8_t *window; /* bytes that are in memory: [window_at, window_at + window_size) */
	uint64_t window_at;
	size_t window_size;
	uint8_t bytes[4096]; /* the memory of .window, when the cursor is over a file */
};

/* Sets the cursor to the bytes of @fd from @at, which is within the file, to @end, which is the end of the file. */
void cursor_file(struct cursor *c, int fd, const char *path, const char *section, uint64_t at, uint64_t end, bool big_endian);

/* Sets the cursor to @size bytes of @mem, which is borrowed. The bytes come from the section at @start of the file. */
void cursor_memory(struct cursor *c, const void *mem, size_t size, const char *path, const char *section, uint64_t start, bool big_endian);

/* For a cursor over a file: from now on messages name @section, which begins at the current position. */
void cursor_section(struct cursor *c, const char *section);

static inline uint64_t cursor_left(const struct cursor *c)
{
	return c->err ? 0 : c->end - c->at;
}

/* Returns the offset of the next byte in the file. For a cursor over memory, returns the offset of the section in the file. */
uint64_t cursor_offset(const struct cursor *c);

/* Reads @n bytes into @out. Returns false when that fails. Then .err is set and @out has zeros. */
bool cursor_bytes(struct cursor *c, void *out, size_t n);
bool cursor_skip(struct cursor *c, uint64_t n);
uint8_t cursor_u8(struct cursor *c);
uint16_t cursor_u16(struct cursor *c);
uint32_t cursor_u32(struct cursor *c);
uint64_t cursor_u64(struct cursor *c);

/*
 * Reads @size bytes into a new text *@out and frees the text that was there before. When the section ends earlier, *@out has the
 * bytes that are there, .err is set, and false is returned. After any other failure, or when .err was set before, *@out stays as it
 * was, and false is returned.
 */
bool cursor_text(struct cursor *c, uint64_t size, struct text *out);

/*
 * Reads a string up to its NUL. The caller frees it. Returns NULL when there is no NUL in what is left, when reading fails, or when
 * memory runs out; .err is set then.
 */
char *cursor_asciiz(struct cursor *c);

/*
 * Sets .err to -EINVAL and prints the message that the section is damaged at the current position. @what says what is wrong. When .err was set
 * before, it stays as it was. Nothing is printed then, or when .quiet is set.
 */
void cursor_damaged(struct cursor *c, const char *what);

#endif
