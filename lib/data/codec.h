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
	/* Number of bytes written to @out, or -errno. Each call is independent: usable from any thread. */
	ssize_t (*pack)(const void *in, size_t size, void *out, size_t room, int level);
	/* Unpacks exactly @out_size bytes; 0 or -EINVAL. */
	int (*unpack)(const void *in, size_t size, void *out, size_t out_size);
};

/* By the name in the file or on the command line; NULL: there is none of that name. */
const struct codec *codec_find(const char *name);

/* Does it do anything to the bytes? Not for "none" (which copies), nor for NULL. */
bool codec_packs(const struct codec *codec);

/* All, for listing; ends with NULL. */
const struct codec *const *codec_all(void);

#endif
