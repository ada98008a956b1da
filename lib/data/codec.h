/* SPDX-License-Identifier: GPL-2.0 */
/* Compression of trace.dat version 7: a codec is a row of a table. */
#ifndef RINGSIDE_CODEC_H
#define RINGSIDE_CODEC_H

#include "lib/base/base.h"
#include <sys/types.h>

struct codec {
	const char *name;		/* as in the file: "none", "zlib", "zstd" */
	const char *(*version)(void);	/* of the library, as in the file */
	int default_level;
	size_t (*bound)(size_t size);	/* most bytes that compressing @size bytes may give */
	/* What pack() works with, to be used again, by one thread at a time. Both NULL: it needs nothing. */
	void *(*work_new)(void);
	void (*work_free)(void *work);
	/*
	 * Number of bytes written to @out, or -errno. @work: NULL, or of codec_work(). Each call is independent of those before:
	 * usable from any thread.
	 */
	ssize_t (*pack)(void *work, const void *in, size_t size, void *out, size_t room, int level);
	/* Unpacks exactly @out_size bytes; 0 or -EINVAL. */
	int (*unpack)(const void *in, size_t size, void *out, size_t out_size);
};

/* By the name in the file or on the command line; NULL: there is none of that name. */
const struct codec *codec_find(const char *name);

/* Does it do anything to the bytes? Not for "none" (which copies), nor for NULL. */
bool codec_packs(const struct codec *codec);

/*
 * Makes *@work if that is NULL and @codec (NULL: none) can use it; what it is then (NULL is no failure). Making it for each call costs a
 * tenth of packing 128 kB, and page faults, which function tracing makes dear.
 */
void *codec_work(const struct codec *codec, void **work);
void codec_work_free(const struct codec *codec, void *work);

/* All, for listing; ends with NULL. */
const struct codec *const *codec_all(void);

#endif
