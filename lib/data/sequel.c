/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/data/sequel.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/data/format.h"
#include "lib/data/reader.h"
#include "lib/data/writer-out.h"
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>

/*
 * This is the offset of the byte that tells the byte order of a trace file. It is 1 for big-endian. It comes after the magic and the version, which is "6"
 * or "7" and a NUL.
 */
enum { ORDER_AT = DAT_MAGIC_SIZE + 2 };

/* Returns the offset of the place in the last OPTIONS section that points to the next one. Returns 0 if there is no OPTIONS section. */
static uint64_t last_link(int fd)
{
	struct datfile *file = NULL;
	uint64_t link = 0;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (datfile_open(&file, path))
		return 0;
	vec_each (&file->sections, section)
		if (section->id == DAT_OPTIONS && section->offset + DAT_SECTION_HEADER + section->size > link)
			link = section->offset + DAT_SECTION_HEADER + section->size - 8;
	datfile_close(file);
	return link;
}

/* Reads the first part of the file into *@out and makes its last OPTIONS section point to further options right behind it. Returns 0 or -errno. */
static int promise(int fd, bool big_endian, struct text *out)
{
	struct block b = { .big_endian = big_endian };
	uint64_t link = last_link(fd), end;
	struct stat st;

	if (!link || fstat(fd, &st))
		return -EINVAL;
	end = (uint64_t)st.st_size;
	out->at = malloc(end);
	if (!out->at)
		return -ENOMEM;
	out->size = end;
	if (io_pread(fd, out->at, end, 0) != (ssize_t)end)
		return -EIO;
	put_u64(&b, end);
	if (str_ok(&b.bytes))
		return -ENOMEM;
	memcpy(out->at + link, b.bytes.at, sizeof(end));
	str_fini(&b.bytes);
	return 0;
}

int sequel_begin(struct text *out, const struct metadata *meta, const struct codec *codec)
{
	__cleanup(close_fd) int fd = memfd_create("ringside", MFD_CLOEXEC);
	const struct write_options how = { .version = 7, .codec = codec, .no_names = true };
	int err;

	if (fd < 0)
		return fail(errno, "no memory for the metadata: %m");
	err = datfile_write(fd, "what is sent", meta, NULL, 0, &how);
	if (err)
		return err;
	err = promise(fd, meta->big_endian, out);
	return err ? fail(-err, "cannot prepare the metadata: %s", strerror(-err)) : 0;
}

int sequel_end(struct str *out, uint64_t at, const struct metadata *meta)
{
	struct block b = { .big_endian = meta->big_endian }, options = { .big_endian = meta->big_endian }, names = { .big_endian = meta->big_endian };
	/* This borrows those parts of the metadata that are new. */
	struct metadata late = { .big_endian = meta->big_endian };
	int err;

	memcpy(&late.cpustat, &meta->cpustat, sizeof(late.cpustat));
	memcpy(&late.procmaps, &meta->procmaps, sizeof(late.procmaps));
	put_options(&options, &late);
	put_u16(&options, DAT_CMDLINES);
	put_u32(&options, 8);
	/* The section comes behind these options. This number (8 bytes) and one more option (14 bytes) are still to be added to them. */
	put_u64(&options, at + DAT_SECTION_HEADER + options.bytes.len + 8 + 14);
	put_u16(&options, DAT_OPTIONS);
	put_u32(&options, 8);
	put_u64(&options, 0);
	put_cmdlines(&names, meta);
	put_u16(&b, DAT_OPTIONS);
	put_u16(&b, 0);
	put_u32(&b, 0);
	put_u64(&b, options.bytes.len);
	put_text(&b, &(struct text){ options.bytes.at, options.bytes.len });
	put_u16(&b, DAT_CMDLINES);
	put_u16(&b, 0);
	put_u32(&b, 0);
	put_u64(&b, names.bytes.len);
	put_text(&b, &(struct text){ names.bytes.at, names.bytes.len });
	err = str_ok(&b.bytes) ?: str_ok(&options.bytes) ?: str_ok(&names.bytes);
	if (!err)
		str_addn(out, str_text(&b.bytes), b.bytes.len);
	str_fini(&b.bytes);
	str_fini(&options.bytes);
	str_fini(&names.bytes);
	return err ? err : str_ok(out);
}

int sequel_none(int fd, uint64_t at)
{
	uint8_t order = 0;
	ssize_t got = io_pread(fd, &order, sizeof(order), ORDER_AT);
	struct block b = { .big_endian = order == 1 };
	int err;

	if (got < 0)
		return (int)got;
	put_u16(&b, DAT_OPTIONS);
	put_u16(&b, 0);
	put_u32(&b, 0);
	put_u64(&b, 14);
	put_u16(&b, DAT_OPTIONS);
	put_u32(&b, 8);
	put_u64(&b, 0);
	err = str_ok(&b.bytes);
	if (!err)
		err = io_pwrite(fd, b.bytes.at, b.bytes.len, at);
	str_fini(&b.bytes);
	return err;
}
