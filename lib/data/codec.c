/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/data/codec-rows.h"

static const char *no_version(void)
{
	return "";
}

static size_t same_size(size_t size)
{
	return size;
}

static ssize_t copy_in(__unused void *work, const void *in, size_t size, void *out, size_t room, __unused int level)
{
	if (size > room)
		return -ENOSPC;
	memcpy(out, in, size);
	return (ssize_t)size;
}

static int copy_out(const void *in, size_t size, void *out, size_t out_size)
{
	if (size != out_size)
		return -EINVAL;
	memcpy(out, in, size);
	return 0;
}

static const struct codec codec_none = {
	.name = "none",
	.version = no_version,
	.bound = same_size,
	.pack = copy_in,
	.unpack = copy_out,
};

static const struct codec *const codecs[] = { &codec_none, &codec_zlib, &codec_zstd, NULL };

const struct codec *const *codec_all(void)
{
	return codecs;
}

const struct codec *codec_find(const char *name)
{
	for (size_t i = 0; codecs[i]; i++)
		if (strcmp(codecs[i]->name, name) == 0)
			return codecs[i];
	return NULL;
}

bool codec_packs(const struct codec *codec)
{
	return codec && codec != &codec_none;
}

void *codec_work(const struct codec *codec, void **work)
{
	if (!*work && codec && codec->work_new)
		*work = codec->work_new();
	return *work;
}

void codec_work_free(const struct codec *codec, void *work)
{
	if (work)
		codec->work_free(work);
}
