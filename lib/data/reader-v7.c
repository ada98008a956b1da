/* SPDX-License-Identifier: GPL-2.0 */
/* Reads files of version 7, which consist of sections. Options tell where the sections are. */
#include "lib/data/sections.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/data/bytes.h"

struct section_header {
	uint16_t id, flags;
	uint32_t description;
	uint64_t offset; /* the offset of the header */
	uint64_t size;	 /* the size of what follows the header */
};

/* Reads the header of a section at @offset. Sets c->err if there is none. Otherwise @c is behind the header afterwards. */
static struct section_header read_header(struct datfile *file, struct cursor *c, const char *name, uint64_t offset)
{
	struct section_header head = { .offset = offset };

	cursor_file(c, file->fd, file->path, name, MIN(offset, file->size), file->size, file->meta.big_endian);
	c->start = offset;
	c->quiet = file->quiet;
	if (offset > file->size) {
		c->err = file->quiet ? -EINVAL
				     : fail(EINVAL,
					    "%s: the section '%s' at offset %llu is beyond the end of the file: the file is truncated; reading what is there",
					    file->path, name, (unsigned long long)offset);
		return head;
	}
	head.id = cursor_u16(c);
	head.flags = cursor_u16(c);
	head.description = cursor_u32(c);
	head.size = cursor_u64(c);
	return head;
}

/* Reads a packed size, a size and the packed bytes at @c, and unpacks the bytes into *@out, which the caller must free. Sets c->err if this fails. */
static void unpack(struct datfile *file, struct cursor *c, uint64_t most, struct text *out)
{
	struct text packed = { 0 };
	uint32_t packed_size = cursor_u32(c), size = cursor_u32(c);

	if (size > MIN(most, dat_max_section(packed_size)))
		cursor_damaged(c, "it claims to unpack to more than such a section can hold");
	if (!file->codec)
		cursor_damaged(c, "it is compressed in a file without compression");
	if (!cursor_text(c, packed_size, &packed)) {
		free(packed.at);
		return;
	}
	out->at = text_room((size_t)size + 1);
	if (!out->at) {
		c->err = -ENOMEM;
	} else if (file->codec->unpack(packed.at, packed.size, out->at, size)) {
		cursor_damaged(c, "its compressed data cannot be unpacked");
		free(take(out->at));
	} else {
		out->at[size] = '\0';
		out->size = size;
	}
	free(packed.at);
}

/* Returns the unpacked content of the section, which the caller must free. If .at is NULL, the section could not be read, and this was reported. */
static struct text load(struct datfile *file, struct cursor *c, const struct section_header *head)
{
	struct text content = { 0 };

	if (c->err)
		return content;
	if (head->flags & DAT_COMPRESSED)
		unpack(file, c, UINT32_MAX, &content);
	else
		cursor_text(c, head->size, &content);
	file->damaged |= c->err != 0;
	return content;
}

int datfile_load(struct datfile *file, const struct datsection *section, struct text *out)
{
	struct section_header head;
	struct cursor c;

	head = read_header(file, &c, section->name, section->offset);
	*out = load(file, &c, &head);
	return out->at ? 0 : c.err == -ENOMEM ? fail(ENOMEM, "%s: out of memory", file->path) : c.err;
}

/* Reads the text of a latency tracer, which is plain or a list of compressed chunks. Returns 0 or -ENOMEM. */
static int load_latency(struct datfile *file, struct cursor *c, const struct section_header *head, struct text *out)
{
	struct str text = { 0 };
	uint32_t n;

	if (!(head->flags & DAT_COMPRESSED)) {
		cursor_text(c, head->size, out);
		return c->err == -ENOMEM ? c->err : 0;
	}
	n = cursor_u32(c);
	for (uint32_t i = 0; i < n && !c->err; i++) {
		struct text chunk = { 0 };

		unpack(file, c, dat_max_chunk(file->meta.page_size), &chunk);
		str_addn(&text, chunk.at, chunk.size);
		free(chunk.at);
	}
	if (str_ok(&text)) {
		str_fini(&text);
		return -ENOMEM;
	}
	out->size = text.len;
	out->at = str_take(&text);
	return c->err == -ENOMEM || !out->at ? -ENOMEM : 0;
}

static int read_buffer(struct datfile *file, const struct section_pointer *pointer)
{
	struct datbuf *buf = &file->buffers.at[pointer->buffer];
	struct section_header head;
	struct cursor c;
	int err = 0;

	head = read_header(file, &c, dat_section_name(pointer->id), pointer->offset);
	if (!c.err && head.id != pointer->id)
		cursor_damaged(&c, "another section is there");
	buf->compressed = head.flags & DAT_COMPRESSED;
	if (buf->compressed && !file->codec)
		cursor_damaged(&c, "it is compressed in a file without compression");
	if (!c.err && buf->latency)
		err = load_latency(file, &c, &head, &buf->text);
	if (c.err && !buf->latency)
		buf->cpus.n = 0;
	file->damaged |= c.err != 0;
	return err;
}

/*
 * Turns @content, if it is a text with its size in front, into the text itself. Does not copy its megabytes to new memory. Returns false if it is something
 * else.
 */
static bool become_text(struct text *content, bool big_endian)
{
	if (content->size < 4 || get32(content->at, big_endian) != content->size - 4)
		return false;
	content->size -= 4;
	memmove(content->at, content->at + 4, content->size + 1);
	return true;
}

static int read_section(struct datfile *file, const struct section_pointer *pointer)
{
	const char *name = dat_section_name(pointer->id);
	struct section_header head;
	struct cursor c, inside;
	struct text content;

	head = read_header(file, &c, name, pointer->offset);
	if (!c.err && head.id != pointer->id)
		cursor_damaged(&c, "another section is there");
	content = load(file, &c, &head);
	file->damaged |= c.err != 0;
	if (!content.at)
		return c.err == -ENOMEM ? c.err : 0;
	if (pointer->id == DAT_KALLSYMS && become_text(&content, file->meta.big_endian)) {
		free(file->meta.kallsyms.at);
		file->meta.kallsyms = content;
		return 0;
	}
	cursor_memory(&inside, content.at, content.size, file->path, name, pointer->offset, file->meta.big_endian);
	/* That the content was cut off has been reported already. */
	inside.quiet = c.err != 0 || file->quiet;
	for (const struct section_kind *kind = section_kinds; kind->parse; kind++)
		if (kind->id == pointer->id)
			kind->parse(&inside, &file->meta);
	file->damaged |= inside.err != 0;
	free(content.at);
	return inside.err == -ENOMEM ? inside.err : 0;
}

/* Reads a section of options. *@next becomes the offset of the next one, or 0 if there is none. Returns 0 or -errno. */
static int read_options(struct options *options, uint64_t offset, uint64_t *next)
{
	struct datfile *file = options->file;
	const char *name = dat_section_name(DAT_OPTIONS);
	struct section_header head;
	struct cursor c, inside;
	struct text content;
	int err;

	*next = 0;
	head = read_header(file, &c, name, offset);
	if (!c.err && head.id != DAT_OPTIONS)
		cursor_damaged(&c, "another section is there");
	content = load(file, &c, &head);
	file->damaged |= c.err != 0;
	if (!content.at)
		return c.err == -ENOMEM ? c.err : 0;
	cursor_memory(&inside, content.at, content.size, file->path, name, offset, file->meta.big_endian);
	inside.quiet = c.err != 0;
	while (cursor_left(&inside)) {
		uint16_t id = cursor_u16(&inside);
		uint32_t size = cursor_u32(&inside);

		if (id != DAT_OPTIONS) {
			option_parse(options, &inside, id, size);
			continue;
		}
		*next = cursor_u64(&inside);
		break;
	}
	file->damaged |= inside.err != 0;
	err = inside.err == -ENOMEM ? inside.err : 0;
	free(content.at);
	return err;
}

static int read_option_chain(struct options *options, uint64_t offset)
{
	struct datfile *file = options->file;
	VEC(uint64_t) seen = { 0 };
	int err = 0;

	while (offset && !err) {
		bool again = false;

		vec_each (&seen, old)
			again |= *old == offset;
		if (again) {
			file->damaged = true;
			fail(EINVAL, "%s: the options at offset %llu are said to follow themselves; going on without them", file->path,
			     (unsigned long long)offset);
			break;
		}
		err = vec_push(&seen, offset);
		if (!err)
			err = read_options(options, offset, &offset);
	}
	vec_fini(&seen);
	return err;
}

/* Returns the unpacked size of a section. For a section that is not compressed, this is its size. For a compressed buffer, it is 0, because it is not known. */
static uint64_t plain_size(struct cursor *c, const struct section_header *head)
{
	if (!(head->flags & DAT_COMPRESSED) || head->size < DAT_CHUNK_HEADER)
		return head->size;
	if (head->id == DAT_BUFFER || head->id == DAT_BUFFER_TEXT)
		return 0;
	cursor_u32(c);
	return cursor_u32(c);
}

static bool is_pointed(const struct options *options, const struct section_header *head)
{
	vec_each (&options->pointers, pointer)
		if (pointer->id == head->id && pointer->offset == head->offset)
			return true;
	return false;
}

/*
 * Goes through the sections from @offset on, which follow each other without gaps. Adds a pointer for each section whose pointer is missing because an
 * option was lost. Does not report damage: whoever needs a section reports it. Returns 0 or -ENOMEM.
 */
static int walk(struct options *options, uint64_t offset)
{
	struct datfile *file = options->file;
	struct cursor c;

	while (offset < file->size && file->size - offset >= DAT_SECTION_HEADER) {
		struct section_header head = read_header(file, &c, "sections", offset);
		const char *name = dat_section_name(head.id);
		bool pointed = head.id < DAT_HEADER_INFO || head.id == DAT_BUFFER_TEXT;
		struct section_pointer pointer = { .id = head.id, .offset = offset };
		uint64_t plain;

		if (c.err)
			break;
		/* The size of a buffer is written last. If it is missing, the data are still of use, so everything up to the end of the file is taken. */
		if (head.id == DAT_BUFFER && !is_pointed(options, &head) && (!head.size || head.size > file->size - offset - DAT_SECTION_HEADER))
			head.size = file->size - offset - DAT_SECTION_HEADER;
		if (head.size > file->size - offset - DAT_SECTION_HEADER)
			break;
		plain = plain_size(&c, &head);
		if (datfile_note(file, head.id, head.flags, name ?: "unknown section", offset, head.size, plain))
			return -ENOMEM;
		vec_each (&options->pointers, old)
			pointed |= old->id == head.id;
		if (!pointed && name && vec_push(&options->pointers, pointer))
			return -ENOMEM;
		offset += DAT_SECTION_HEADER + head.size;
	}
	file->sections_end = offset;
	return 0;
}

static int read_codec(struct datfile *file, struct cursor *c)
{
	__cleanup(free_ptr) char *name = cursor_asciiz(c);

	file->codec_version = cursor_asciiz(c);
	if (!name || !file->codec_version)
		return c->err;
	if (strcmp(name, "none") == 0)
		return 0;
	file->codec = codec_find(name);
	if (!file->codec)
		return fail(EINVAL, "%s: compressed with '%.*s', which is not known; known are none, zlib and zstd", file->path, 40, name);
	return 0;
}

/* Reads the buffers that no option tells of. Returns 0 or -errno. */
static int read_lost_buffers(struct options *options)
{
	struct datfile *file = options->file;
	int err = 0;

	for (size_t i = 0; !err && i < file->sections.n; i++) {
		const struct datsection section = file->sections.at[i];
		const struct section_header head = { .id = section.id, .offset = section.offset };

		if (section.id == DAT_BUFFER && !str_starts(section.name, "option ") && !is_pointed(options, &head))
			err = dat7_salvage(file, &section);
	}
	return err;
}

static int read_kallsyms(struct datfile *file, uint64_t offset)
{
	const struct section_pointer pointer = { .id = DAT_KALLSYMS, .offset = offset };

	return read_section(file, &pointer);
}

int dat7_read(struct datfile *file, struct cursor *c)
{
	__cleanup(options_fini) struct options options = { .file = file };
	uint64_t offset;
	int err = read_codec(file, c);

	if (err)
		return err;
	offset = cursor_u64(c);
	if (c->err)
		return c->err;
	if (!offset) {
		file->damaged = true;
		fail(EINVAL, "%s: no options: the recording did not come to its end; reading what is there", file->path);
	}
	err = read_option_chain(&options, offset);
	if (!err)
		err = walk(&options, c->at);
	vec_each (&options.pointers, pointer)
		if (!err && pointer->id == DAT_KALLSYMS)
			ahead_begin(file, pointer->offset, read_kallsyms);
	vec_each (&options.pointers, pointer) {
		if (err)
			break;
		if (pointer->id == DAT_BUFFER || pointer->id == DAT_BUFFER_TEXT)
			err = read_buffer(file, pointer);
		else if (pointer->id != DAT_KALLSYMS || !file->ahead)
			err = read_section(file, pointer);
	}
	return err ? err : read_lost_buffers(&options);
}
