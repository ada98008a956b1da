/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/data/codec-rows.h"

#include <zlib.h>

static const char *version(void)
{
	return zlibVersion();
}

static size_t bound(size_t size)
{
	return compressBound(size);
}

static ssize_t pack(__unused void *work, const void *in, size_t size, void *out, size_t room, int level)
{
	uLongf got = room;

	switch (compress2(out, &got, in, size, level)) {
	case Z_OK:
		return (ssize_t)got;
	case Z_MEM_ERROR:
		return -ENOMEM;
	case Z_BUF_ERROR:
		return -ENOSPC;
	default:
		return -EINVAL;
	}
}

static int unpack(const void *in, size_t size, void *out, size_t out_size)
{
	uLongf got = out_size;

	if (uncompress(out, &got, in, size) != Z_OK || got != out_size)
		return -EINVAL;
	return 0;
}

const struct codec codec_zlib = {
	.name = "zlib",
	.version = version,
	.default_level = 6,
	.bound = bound,
	.pack = pack,
	.unpack = unpack,
};
