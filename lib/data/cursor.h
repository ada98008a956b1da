/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads a range of a file, or a section that was unpacked to memory. Each read begins where the previous read ended. A read never takes more bytes than are
 * left. The number of bytes is checked before the bytes are read, and before memory is allocated for them. The first failure sets .err. A message then tells
 * the file, the offset and what is wrong. A message about damage also tells the section. When memory runs out, there is no message. After a failure, all reads
 * give zeros. So a parser needs to look at .err only in its loops and at its end.
 */
#ifndef RINGSIDE_CURSOR_H
#define RINGSIDE_CURSOR_H

#include "lib/base/str.h"

struct cursor {
	const char *path;    /* the path of the file, for messages; borrowed */
	const char *section; /* the name of the section, for messages; borrowed */
	uint64_t start;	     /* where the section begins in the file, for messages */
	bool big_endian;
	bool truncated; /* .end is the end of the file; if more bytes are asked for, the message says that the file is truncated */
	/* true: no message is printed for damage, because another message tells of it. For a failure of read(), a message is printed all the same. */
	bool quiet;
	int err;	       /* 0, -EINVAL when the file is damaged, -ENOMEM, or the -errno of read() */
	int fd;		       /* -1: the cursor is over memory */
	uint64_t at, end;      /* bytes [at, end) have not been read yet; these are offsets in the file or in the memory */
	const uint8_t *window; /* bytes that are in memory: [window_at, window_at + window_size) */
	uint64_t window_at;
	size_t window_size;
	uint8_t bytes[4096]; /* the memory of .window, if the cursor is over a file */
};

/* Sets the cursor to the bytes of @fd from @at to @end. @at is within the file. @end is the end of the file. */
void cursor_file(struct cursor *c, int fd, const char *path, const char *section, uint64_t at, uint64_t end, bool big_endian);

/* Sets the cursor to @size bytes of @mem, which is borrowed. The bytes come from the section at @start of the file. */
void cursor_memory(struct cursor *c, const void *mem, size_t size, const char *path, const char *section, uint64_t start, bool big_endian);

/* Tells a cursor over a file that @section begins at the current position. From now on, messages name this section. @section is borrowed. */
void cursor_section(struct cursor *c, const char *section);

static inline uint64_t cursor_left(const struct cursor *c)
{
	return c->err ? 0 : c->end - c->at;
}

/* Returns the offset of the next byte in the file. For a cursor over memory, returns the offset of the section in the file. */
uint64_t cursor_offset(const struct cursor *c);

/* Reads @n bytes into @out. On failure, sets .err, fills @out with zeros, and returns false. */
bool cursor_bytes(struct cursor *c, void *out, size_t n);
bool cursor_skip(struct cursor *c, uint64_t n);
uint8_t cursor_u8(struct cursor *c);
uint16_t cursor_u16(struct cursor *c);
uint32_t cursor_u32(struct cursor *c);
uint64_t cursor_u64(struct cursor *c);

/*
 * Reads @size bytes into a new text *@out, and frees the text that *@out had before. Returns true, or false after one of these failures:
 * - The section has fewer than @size bytes left. Then *@out has these bytes, and .err is set.
 * - .err was set before, or something else has failed. Then *@out is not changed.
 */
bool cursor_text(struct cursor *c, uint64_t size, struct text *out);

/*
 * Reads a string up to its NUL. The caller frees the string. On failure, sets .err and returns NULL. The function fails when the rest of the bytes has no NUL,
 * when reading fails, and when memory runs out.
 */
char *cursor_asciiz(struct cursor *c);

/*
 * Sets .err to -EINVAL and prints the message that the section is damaged at the current position. @what says what is wrong. If .err was set before,
 * it is not changed, and no message is printed. If .quiet is set, no message is printed either.
 */
void cursor_damaged(struct cursor *c, const char *what);

#endif
