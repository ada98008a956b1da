/* SPDX-License-Identifier: GPL-2.0 */
/* Reads files of version 6, in which everything has a fixed order. */
#include "lib/data/sections.h"
#include "lib/base/err.h"

#include <stdio.h>

/* Compares the letters of a tag. The rest of its ten bytes is ignored. */
static bool tag_is(const char *tag, const char *want)
{
	size_t letters = strcspn(want, " ");

	return memcmp(tag, want, letters) == 0;
}

static void read_tag(struct cursor *c, char *tag)
{
	cursor_bytes(c, tag, DAT_TAG_SIZE);
}

static int read_kallsyms(struct datfile *file, uint64_t offset)
{
	struct cursor c;

	cursor_file(&c, file->fd, file->path, dat_section_name(DAT_KALLSYMS), offset, file->size, file->meta.big_endian);
	c.quiet = file->quiet;
	cursor_text(&c, cursor_u32(&c), &file->meta.kallsyms);
	file->damaged |= c.err != 0;
	return c.err == -ENOMEM ? c.err : 0;
}

/* Lets a job read kallsyms, and skips them. Returns false if their size is wrong or if there is no job. */
static bool pass_kallsyms(struct datfile *file, struct cursor *c)
{
	struct cursor look = *c;
	uint32_t size;

	look.quiet = true;
	size = cursor_u32(&look);
	return !look.err && size <= cursor_left(&look) && ahead_begin(file, c->at, read_kallsyms) && cursor_skip(c, 4 + (uint64_t)size);
}

/* Reads the parts before the number of CPUs. */
static void read_texts(struct datfile *file, struct cursor *c)
{
	for (int i = 0; i < SECTIONS_V6 && !c->err; i++) {
		const struct section_kind *kind = &section_kinds[i];
		const char *name = dat_section_name(kind->id);
		uint64_t offset = c->at;

		cursor_section(c, name);
		if (kind->id != DAT_KALLSYMS || !pass_kallsyms(file, c))
			kind->parse(c, &file->meta);
		if (datfile_note(file, kind->id, 0, name, offset, c->at - offset, c->at - offset))
			c->err = -ENOMEM;
	}
}

static void read_options(struct options *options, struct cursor *c)
{
	struct datfile *file = options->file;
	uint64_t offset = c->at;

	cursor_section(c, dat_section_name(DAT_OPTIONS));
	while (!c->err) {
		uint16_t id = cursor_u16(c);

		if (c->err || id == DAT_OPTIONS)
			break;
		option_parse(options, c, id, cursor_u32(c));
	}
	if (datfile_note(file, DAT_OPTIONS, 0, dat_section_name(DAT_OPTIONS), offset, c->at - offset, c->at - offset))
		c->err = -ENOMEM;
}

/* Reads the offsets and sizes of @ncpus CPUs, and the clock behind them. Owns @name from here on. Returns 0 or -errno. */
static int read_table(struct options *options, struct cursor *c, uint32_t ncpus, char *name)
{
	struct datfile *file = options->file;
	struct datbuf buf = { .name = name, .page_size = file->meta.page_size };
	struct text clock = { 0 };
	uint64_t offset = c->at, bytes = 0;
	char title[64];
	int err = 0;

	snprintf(title, sizeof(title), "%s%s%.*s", dat_section_name(DAT_BUFFER), *name ? " " : "", 40, name);
	cursor_section(c, title);
	for (uint32_t cpu = 0; cpu < ncpus && !c->err && !err; cpu++) {
		uint64_t at = cursor_u64(c), size = cursor_u64(c);

		if (c->err)
			break;
		err = datbuf_add_cpu(file, &buf, cpu, at, size);
		bytes += buf.cpus.n ? buf.cpus.at[buf.cpus.n - 1].size : 0;
	}
	if (options->has_clock && !c->err && !err) {
		cursor_text(c, cursor_u64(c), &clock);
		if (!c->err)
			buf.clock = clock_name(&clock);
		free(clock.at);
	}
	if (!err)
		err = datfile_note(file, DAT_BUFFER, 0, title, offset, bytes, bytes);
	c->section = "CPU data";
	if (!err) {
		datbuf_finish(file, &buf);
		err = vec_push(&file->buffers, buf);
	}
	if (err)
		datbuf_fini(&buf);
	return err;
}

/* Reads the text of a latency tracer, which is the rest of the file. Returns 0 or -errno. */
static int read_latency(struct datfile *file, struct cursor *c)
{
	struct datbuf buf = { .name = strdup(""), .latency = true, .page_size = file->meta.page_size };
	uint64_t offset = c->at;

	cursor_section(c, dat_section_name(DAT_BUFFER_TEXT));
	if (buf.name && cursor_text(c, cursor_left(c), &buf.text) && !vec_push(&file->buffers, buf))
		return datfile_note(file, DAT_BUFFER_TEXT, 0, c->section, offset, buf.text.size, buf.text.size);
	datbuf_fini(&buf);
	return c->err ?: -ENOMEM;
}

static int read_instance(struct options *options, struct section_pointer *pointer)
{
	struct datfile *file = options->file;
	char tag[DAT_TAG_SIZE], title[64];
	struct cursor c;

	snprintf(title, sizeof(title), "instance %.*s", 40, pointer->name);
	if (pointer->offset > file->size) {
		file->damaged = true;
		fail(EINVAL, "%s: the data of %s at offset %llu are beyond the end of the file: the file is truncated; reading what is there", file->path,
		     title, (unsigned long long)pointer->offset);
		return 0;
	}
	cursor_file(&c, file->fd, file->path, title, pointer->offset, file->size, file->meta.big_endian);
	read_tag(&c, tag);
	if (!c.err && !tag_is(tag, DAT_TAG_FLYRECORD))
		cursor_damaged(&c, "it should begin with 'flyrecord'");
	if (!c.err && read_table(options, &c, pointer->ncpus, take(pointer->name)))
		return -ENOMEM;
	file->damaged |= c.err != 0;
	return c.err == -ENOMEM ? c.err : 0;
}

/* Reads the number of CPUs and everything after it. Returns 0 or -errno. */
static int read_buffers(struct options *options, struct cursor *c)
{
	struct datfile *file = options->file;
	char tag[DAT_TAG_SIZE];
	uint32_t ncpus;
	char *name;
	int err;

	cursor_section(c, "number of CPUs");
	ncpus = cursor_u32(c);
	if (ncpus > DAT_MAX_CPUS)
		cursor_damaged(c, "no machine has so many CPUs");
	if (c->err)
		return 0;
	file->meta.ncpus = ncpus;
	read_tag(c, tag);
	if (!c->err && tag_is(tag, DAT_TAG_OPTIONS)) {
		read_options(options, c);
		read_tag(c, tag);
	}
	if (c->err)
		return 0;
	if (tag_is(tag, DAT_TAG_LATENCY))
		return read_latency(file, c);
	if (!tag_is(tag, DAT_TAG_FLYRECORD)) {
		cursor_damaged(c, "neither 'flyrecord' nor 'latency' follows");
		return 0;
	}
	name = strdup("");
	err = name ? read_table(options, c, ncpus, name) : -ENOMEM;
	vec_each (&options->pointers, pointer) {
		if (!err && pointer->name)
			err = read_instance(options, pointer);
	}
	return err;
}

int dat6_read(struct datfile *file, struct cursor *c)
{
	__cleanup(options_fini) struct options options = { .file = file };
	int err = 0;

	read_texts(file, c);
	if (!c->err)
		err = read_buffers(&options, c);
	file->damaged |= c->err != 0;
	return c->err == -ENOMEM ? c->err : err;
}
