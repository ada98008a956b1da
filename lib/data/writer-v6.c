/* SPDX-License-Identifier: GPL-2.0 */
/* Writes files of version 6, in which everything has a fixed order. */
#include "lib/data/format.h"
#include "lib/data/writer-out.h"
#include "lib/base/err.h"

static void put_tag(struct block *b, const char *tag)
{
	str_addn(&b->bytes, tag, DAT_TAG_SIZE);
}

/* Returns the top buffer, which has no option, or NULL if it is not among the buffers. */
static const struct write_buffer *top_buffer(const struct out *out)
{
	for (size_t i = 0; i < out->nbuffers; i++)
		if (!out->buffers[i].name[0])
			return &out->buffers[i];
	return NULL;
}

/* Refuses what version 6 cannot hold. Returns 0 or a negative errno, with a message. */
static int check(const struct out *out)
{
	for (size_t i = 0; i < out->nbuffers; i++) {
		const struct write_buffer *buffer = &out->buffers[i];

		if (buffer->latency && out->nbuffers > 1)
			return fail(EINVAL,
				    "%s: version 6 cannot hold a latency trace beside other "
				    "buffers; use version 7",
				    out->path);
		if (!buffer->latency && buffer->page_size != out->meta->page_size)
			return fail(EINVAL,
				    "%s: version 6 cannot hold sub-buffers of %u bytes (instance "
				    "'%s') beside those of %u bytes; use version 7",
				    out->path, buffer->page_size, buffer->name, out->meta->page_size);
	}
	return 0;
}

/* Writes the BUFFER options. If buffer i has an option, offsets[i] becomes the place in the file where the buffer's offset must be filled in. */
static void put_instances(struct block *b, const struct out *out, uint64_t *offsets)
{
	for (size_t i = 0; i < out->nbuffers; i++) {
		const char *name = out->buffers[i].name;

		if (!name[0])
			continue;
		put_u16(b, DAT_BUFFER);
		put_u32(b, (uint32_t)(8 + strlen(name) + 1));
		offsets[i] = out->pos + b->bytes.len;
		put_u64(b, 0);
		put_string(b, name);
	}
}

/*
 * Writes the table of a buffer, which says for each CPU of the machine where its data will be. All of this is known before the data are written: they begin
 * at the first page boundary after the table, and pages stay on page boundaries. Returns 0 or a negative errno, with a message.
 */
static int put_table(struct block *b, const struct out *out, const struct write_buffer *buffer)
{
	__cleanup(free_ptr) char *clock = NULL;
	struct text clock_text;
	uint64_t offset, page = out->meta->page_size;

	clock = clock_name_of(out->meta, buffer ? buffer->clock : NULL);
	if (!clock)
		return fail(ENOMEM, "%s: %m", out->path);
	clock_text = (struct text){ clock, strlen(clock) };
	put_tag(b, DAT_TAG_FLYRECORD);
	offset = out->pos + b->bytes.len + 16ULL * out->ncpus + 8 + clock_text.size + 2;
	offset = (offset + page - 1) / page * page;
	for (uint32_t cpu = 0; cpu < out->ncpus; cpu++) {
		uint64_t size = 0;

		for (size_t i = 0; buffer && i < buffer->cpus.n; i++)
			if (buffer->cpus.at[i].cpu == cpu)
				size = buffer->cpus.at[i].size;
		put_u64(b, offset);
		put_u64(b, size);
		offset += size;
	}
	put_u64(b, clock_text.size + 2);
	str_addc(&b->bytes, '[');
	put_text(b, &clock_text);
	str_addc(&b->bytes, ']');
	return 0;
}

static int write_buffer(struct out *out, struct block *b, const struct write_buffer *buffer)
{
	int err = put_table(b, out, buffer);

	if (!err)
		err = out_block(out, b);
	if (!err)
		err = out_align(out, out->meta->page_size);
	for (size_t i = 0; !err && buffer && i < buffer->cpus.n; i++)
		err = out_pages(out, buffer, &buffer->cpus.at[i]);
	return err;
}

static int write_latency(struct out *out, struct block *b, const struct text *text)
{
	put_tag(b, DAT_TAG_LATENCY);
	put_text(b, text);
	return out_block(out, b);
}

static int write_metadata(struct out *out, struct block *b, bool latency, uint64_t *offsets)
{
	const struct metadata *meta = out->meta;
	struct metadata optional = *meta;
	int err;

	/* If this option is there, trace-cmd reads a clock after the table. A latency trace has no table and no clock. */
	if (latency)
		optional.trace_clock = (struct text){ 0 };

	put_header_info(b, meta);
	put_ftrace_formats(b, meta);
	put_event_formats(b, meta);
	put_kallsyms(b, meta);
	put_printk(b, meta);
	put_cmdlines(b, meta);
	put_u32(b, out->ncpus);
	put_tag(b, DAT_TAG_OPTIONS);
	put_options(b, &optional);
	err = out_block(out, b);
	put_instances(b, out, offsets);
	put_u16(b, DAT_OPTIONS);
	return err ? err : out_block(out, b);
}

static int write_all(struct out *out, struct block *b, uint64_t *offsets)
{
	const struct write_buffer *top = top_buffer(out);
	bool latency = top && top->latency;
	int err = write_metadata(out, b, latency, offsets);

	if (err)
		return err;
	if (latency)
		return write_latency(out, b, top->latency);
	err = write_buffer(out, b, top);
	for (size_t i = 0; !err && i < out->nbuffers; i++) {
		if (!out->buffers[i].name[0])
			continue;
		err = out_set_u64(out, offsets[i], out->pos);
		if (!err)
			err = write_buffer(out, b, &out->buffers[i]);
	}
	return err;
}

int write_v6(struct out *out)
{
	struct block b = { .big_endian = out->meta->big_endian };
	__cleanup(free_ptr) uint64_t *offsets = calloc(out->nbuffers + 1, sizeof(*offsets));
	int err = check(out);

	if (!err && !offsets)
		err = fail(ENOMEM, "%s: %m", out->path);
	if (!err)
		err = write_all(out, &b, offsets);
	str_fini(&b.bytes);
	return err;
}
