/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes files of version 7, which consist of sections one after the other. Options tell where the sections are. Each OPTIONS section ends with the offset
 * of the next one. This offset is filled in when the next one is written, because the trace data come in between.
 */
#include "lib/data/format.h"
#include "lib/data/writer-out.h"
#include "lib/base/err.h"

struct v7 {
	struct out *out;
	struct block b;	      /* the next bytes to write */
	struct block options; /* the next OPTIONS section */
	struct block names;   /* the content of the STRINGS section: the descriptions so far */
	uint64_t link;	      /* where the offset of the next OPTIONS section must be put */
};

static void put_section(struct v7 *v7, uint16_t id, uint16_t flags, const char *name, uint64_t size)
{
	put_u16(&v7->b, id);
	put_u16(&v7->b, flags);
	put_u32(&v7->b, (uint32_t)v7->names.bytes.len);
	put_u64(&v7->b, size);
	put_string(&v7->names, name);
}

/* Packs a section's content as one chunk. Returns 0 or -errno. */
static int pack_section(struct packed_section *out, const struct block *content, const struct codec *codec, int level)
{
	struct str room = { 0 };
	void *work = NULL;
	ssize_t got = str_ok(&content->bytes);

	if (!got)
		got = chunk_pack(codec, level, &work, content->big_endian, str_text(&content->bytes), content->bytes.len, &room);
	codec_work_free(codec, work);
	if (got < 0) {
		str_fini(&room);
		return (int)got;
	}
	out->chunk = (struct text){ room.at, (size_t)got };
	return 0;
}

/* Writes the head of a section, which is in v7->b, and then @content. Returns 0 or -errno. */
static int write_content(struct v7 *v7, const void *content, size_t size)
{
	int err = out_block(v7->out, &v7->b);

	return err ? err : out_bytes(v7->out, content, size);
}

/* Writes a section that was packed before. Returns 0 or -errno. */
static int write_packed(struct v7 *v7, const char *name, const struct packed_section *packed)
{
	put_section(v7, packed->id, DAT_COMPRESSED, name, packed->chunk.size);
	return write_content(v7, packed->chunk.at, packed->chunk.size);
}

/* Writes @content as a section and empties it. The content is packed if the file has compression. Returns 0 or -errno. */
static int write_section(struct v7 *v7, uint16_t id, const char *name, struct block *content)
{
	const struct write_options *how = v7->out->how;
	struct packed_section packed = { .id = id };
	int err = 0;

	if (str_ok(&content->bytes))
		return fail(ENOMEM, "%s: %m", v7->out->path);
	if (!codec_packs(how->codec)) {
		put_section(v7, id, 0, name, content->bytes.len);
		err = write_content(v7, str_text(&content->bytes), content->bytes.len);
	} else {
		err = pack_section(&packed, content, how->codec, how->level);
		if (err)
			return fail(-err, "%s: cannot compress %s: %m", v7->out->path, name);
		err = write_packed(v7, name, &packed);
		free(packed.chunk.at);
	}
	str_clear(&content->bytes);
	return err;
}

/* Adds an option with the offset of the section that is written next. */
static void put_pointer(struct v7 *v7, uint16_t id)
{
	put_u16(&v7->options, id);
	put_u32(&v7->options, 8);
	put_u64(&v7->options, v7->out->pos);
}

static void put_modules(struct block *b, const struct metadata *meta)
{
	put_text(b, &meta->modules);
}

static void put_btf(struct block *b, const struct metadata *meta)
{
	put_text(b, &meta->btf);
}

static const struct {
	uint16_t id;
	const char *name;
	void (*put)(struct block *b, const struct metadata *meta);
	bool packed_only; /* not written if empty or not compressed, because trace-cmd 3.4 cannot open a file that has it uncompressed */
} rows[] = {
	{ DAT_HEADER_INFO, "headers", put_header_info },
	{ DAT_FTRACE_EVENTS, "ftrace events", put_ftrace_formats },
	{ DAT_EVENT_FORMATS, "events format", put_event_formats },
	{ DAT_KALLSYMS, "kallsyms", put_kallsyms },
	{ DAT_PRINTK, "printk", put_printk },
	{ DAT_CMDLINES, "command lines", put_cmdlines },
	{ DAT_MODULES_FILE, "modules", put_modules, true },
	{ DAT_BTF_FILE, "BTF", put_btf, true },
};

static int write_metadata(struct v7 *v7)
{
	const struct packed_section *ready = v7->out->how->section;
	struct block content = { .big_endian = v7->out->meta->big_endian };
	bool packs = codec_packs(v7->out->how->codec);
	int err = 0;

	for (size_t i = 0; !err && i < ARRAY_LEN(rows); i++) {
		bool is_ready = ready && ready->id == rows[i].id;

		if (rows[i].id == DAT_CMDLINES && v7->out->how->no_names)
			continue;
		if (!is_ready)
			rows[i].put(&content, v7->out->meta);
		if (rows[i].packed_only && (!packs || !content.bytes.len)) {
			str_clear(&content.bytes);
			continue;
		}
		put_pointer(v7, rows[i].id);
		err = is_ready ? write_packed(v7, rows[i].name, ready) : write_section(v7, rows[i].id, rows[i].name, &content);
	}
	str_fini(&content.bytes);
	return err;
}

int section_pack(struct packed_section *out, uint16_t id, const struct metadata *meta, const struct codec *codec)
{
	struct block content = { .big_endian = meta->big_endian };
	int err = -EINVAL;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].id == id) {
			rows[i].put(&content, meta);
			out->id = id;
			err = pack_section(out, &content, codec, 0);
		}
	str_fini(&content.bytes);
	return err;
}

/* Writes the options so far as an OPTIONS section, and fills in its offset at the end of the one before. Returns 0 or -errno. */
static int write_options(struct v7 *v7)
{
	uint64_t here = v7->out->pos;
	int err;

	put_u16(&v7->options, DAT_OPTIONS);
	put_u32(&v7->options, 8);
	put_u64(&v7->options, 0);
	put_section(v7, DAT_OPTIONS, 0, "options", v7->options.bytes.len);
	err = out_block(v7->out, &v7->b);
	if (!err)
		err = out_block(v7->out, &v7->options);
	if (!err)
		err = out_set_u64(v7->out, v7->link, here);
	v7->link = v7->out->pos - 8;
	return err;
}

/*
 * Writes the pages of all CPUs. Those of each CPU begin at a multiple of the page size. where[i] becomes the place of element i of buffer->cpus. Returns 0
 * or -errno.
 */
static int write_cpus(struct out *out, const struct write_buffer *buffer, struct extent *where)
{
	int err = 0;

	if (codec_packs(out->how->codec))
		return out_packed(out, buffer, where);
	for (size_t i = 0; !err && i < buffer->cpus.n; i++) {
		err = out_align(out, buffer->page_size);
		where[i] = (struct extent){ out->pos, buffer->cpus.at[i].size };
		if (!err)
			err = out_pages(out, buffer, &buffer->cpus.at[i]);
	}
	return err;
}

/*
 * Writes the CPUs in the order of their numbers, up to the last one that has data. This includes the CPUs without data. If a CPU in between were missing,
 * trace-cmd would give it the number 0 and lose the data of CPU 0.
 */
static void put_cpus(struct block *b, const struct write_buffer *buffer, const struct extent *where)
{
	uint32_t n = 0;

	vec_each (&buffer->cpus, cpu)
		if (cpu->size)
			n = MAX(n, cpu->cpu + 1);
	put_u32(b, n);
	for (uint32_t cpu = 0; cpu < n; cpu++) {
		struct extent at = { 0 };

		for (size_t i = 0; i < buffer->cpus.n; i++)
			if (buffer->cpus.at[i].cpu == cpu)
				at = where[i];
		put_u32(b, cpu);
		put_u64(b, at.offset);
		put_u64(b, at.size);
	}
}

static int put_buffer_option(struct v7 *v7, const struct write_buffer *buffer, uint64_t section, const struct extent *where)
{
	__cleanup(free_ptr) char *clock = clock_name_of(v7->out->meta, buffer->clock);
	struct block data = { .big_endian = v7->b.big_endian };

	if (!clock)
		return fail(ENOMEM, "%s: %m", v7->out->path);
	put_u64(&data, section);
	put_string(&data, buffer->name);
	put_string(&data, clock);
	if (!buffer->latency) {
		put_u32(&data, buffer->page_size);
		put_cpus(&data, buffer, where);
	}
	put_option(&v7->options, buffer->latency ? DAT_BUFFER_TEXT : DAT_BUFFER, &data);
	str_fini(&data.bytes);
	return 0;
}

static int write_latency(struct out *out, const struct text *text)
{
	if (codec_packs(out->how->codec))
		return out_packed_text(out, text);
	return out_bytes(out, text->at, text->size);
}

static int write_buffer(struct v7 *v7, const struct write_buffer *buffer)
{
	struct out *out = v7->out;
	uint64_t section = out->pos;
	__cleanup(free_ptr) struct extent *where = calloc(buffer->cpus.n + 1, sizeof(*where));
	__cleanup(free_ptr) char *name = NULL;
	int err;

	name = str_printf("buffer %s %s", buffer->latency ? "latency" : "flyrecord", buffer->name);
	if (!name || !where)
		return fail(ENOMEM, "%s: %m", out->path);
	put_section(v7, buffer->latency ? DAT_BUFFER_TEXT : DAT_BUFFER, codec_packs(out->how->codec) ? DAT_COMPRESSED : 0, name, 0);
	err = out_block(out, &v7->b);
	if (!err)
		err = buffer->latency ? write_latency(out, buffer->latency) : write_cpus(out, buffer, where);
	if (!err)
		err = out_set_u64(out, section + 8, out->pos - section - DAT_SECTION_HEADER);
	if (!err)
		err = put_buffer_option(v7, buffer, section, where);
	return err ? err : write_options(v7);
}

static int write_strings(struct v7 *v7)
{
	/* This is a copy, because writing the section adds its own name to v7->names. */
	struct block names = { .big_endian = v7->b.big_endian };
	int err;

	str_addn(&names.bytes, str_text(&v7->names.bytes), v7->names.bytes.len);
	put_string(&names, "strings");
	names.bytes.oom |= v7->names.bytes.oom;
	err = write_section(v7, DAT_STRINGS, "strings", &names);
	str_fini(&names.bytes);
	return err;
}

static int write_all(struct v7 *v7)
{
	const struct codec *codec = v7->out->how->codec;
	int err;

	put_string(&v7->b, codec_packs(codec) ? codec->name : "none");
	put_string(&v7->b, codec_packs(codec) ? codec->version() : "");
	v7->link = v7->out->pos + v7->b.bytes.len;
	put_u64(&v7->b, 0);
	err = out_block(v7->out, &v7->b);
	if (!err)
		err = write_metadata(v7);
	if (err)
		return err;
	put_options(&v7->options, v7->out->meta);
	put_u16(&v7->options, DAT_CPUCOUNT);
	put_u32(&v7->options, 4);
	put_u32(&v7->options, v7->out->ncpus);
	err = write_options(v7);
	for (size_t i = 0; !err && i < v7->out->nbuffers; i++)
		err = write_buffer(v7, &v7->out->buffers[i]);
	return err ? err : write_strings(v7);
}

int write_v7(struct out *out)
{
	bool big = out->meta->big_endian;
	struct v7 v7 = { out, { .big_endian = big }, { .big_endian = big }, { .big_endian = big } };
	int err = write_all(&v7);

	str_fini(&v7.b.bytes);
	str_fini(&v7.options.bytes);
	str_fini(&v7.names.bytes);
	return err;
}
