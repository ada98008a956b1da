/* SPDX-License-Identifier: GPL-2.0 */
/* Compresses and unpacks the data of trace.dat version 7. Each codec is a row of a table. */
#ifndef RINGSIDE_CODEC_H
#define RINGSIDE_CODEC_H

#include "lib/base/base.h"
#include <sys/types.h>

struct codec {
	const char *name;	      /* as in the file: "none", "zlib", "zstd" */
	const char *(*version)(void); /* returns the version of the library, as it is written into the file */
	int default_level;
	size_t (*bound)(size_t size); /* returns the largest size that @size bytes can have when they are packed */
	/*
	 * These functions make and free the working memory of pack(). Many calls of pack() can use the same memory, but not at the same time. Both
	 * functions are NULL if pack() uses no working memory.
	 */
	void *(*work_new)(void);
	void (*work_free)(void *work);
	/*
	 * Packs the @size bytes at @in into @out, which has @room bytes. Returns how many bytes it wrote, or -errno. @work comes from codec_work(), or is
	 * NULL. A call does not depend on earlier calls, so any thread may call pack().
	 */
	ssize_t (*pack)(void *work, const void *in, size_t size, void *out, size_t room, int level);
	/* Unpacks the @size bytes at @in into @out. Returns 0, or -EINVAL when the result would not have exactly @out_size bytes. */
	int (*unpack)(const void *in, size_t size, void *out, size_t out_size);
};

/* Finds a codec by its name in the file or on the command line. Returns NULL when no codec has this name. */
const struct codec *codec_find(const char *name);

/* Returns true if @codec compresses. Returns false if @codec is NULL or the codec "none", which only copies the bytes. */
bool codec_packs(const struct codec *codec);

/*
 * codec_work() returns the working memory *@work. If *@work is NULL and @codec uses working memory, codec_work() first makes the memory and stores it in
 * *@work. A result of NULL is no failure, because pack() also works without this memory. @codec may be NULL. The caller keeps the memory for all calls of
 * pack(), and frees it by codec_work_free().
 */
void *codec_work(const struct codec *codec, void **work);
void codec_work_free(const struct codec *codec, void *work);

/* Returns all codecs in an array that ends with NULL. */
const struct codec *const *codec_all(void);

#endif
