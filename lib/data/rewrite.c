/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/data/rewrite.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/data/bytes.h"
#include "lib/data/page.h"
#include "lib/data/page-bits.h"

static int out_of_memory(const struct datfile *file)
{
	return fail(ENOMEM, "%s: no memory for the list of CPUs", file->path);
}

/* Makes room for all sources at once, because the rows of the writer point at them. Returns 0 or -ENOMEM. */
static int reserve(struct rewrite *out, const struct datfile *file)
{
	size_t n = 0;

	vec_each (&file->buffers, buf)
		n += buf->cpus.n;
	return vec_reserve(&out->sources, n) ? out_of_memory(file) : 0;
}

static int add_packed(struct rewrite *out, const struct datfile *file, const struct datbuf *buf, const struct datcpu *cpu, struct write_cpu *row, bool *damaged)
{
	struct source *source = &out->sources.at[out->sources.n++];
	struct span damage;
	int err = source_open(source, file, buf, cpu);

	if (!err)
		err = source_plain_size(source, &row->size, &damage);
	if (!err && damage.damage) {
		fail(EINVAL, "%s: the data of CPU %u%s%s are damaged at offset %llu: %s", file->path, cpu->cpu, buf->name[0] ? " of instance " : "", buf->name,
		     (unsigned long long)damage.damage_offset, damage.damage);
		out->damaged = *damaged = true;
	}
	row->packed = source;
	return err;
}

static void put_commit(const struct page_format *fmt, uint8_t *page, uint32_t commit)
{
	if (fmt->commit_size == 8)
		put64(page + fmt->commit_offset, commit, fmt->big_endian);
	else
		put32(page + fmt->commit_offset, commit, fmt->big_endian);
}

/* Returns how many bytes the complete events in the first @size bytes of a page have. Removes the rest from the page. */
static uint32_t trim_page(const struct page_format *fmt, uint8_t *page, size_t size, struct page_info *info)
{
	recordvec_t records = { 0 };
	uint32_t used = 0;
	size_t bad;

	page_info_read(fmt, page, size, info);
	if (fmt->data_offset + info->used + fmt->commit_size <= size)
		return info->used;
	page_decode(fmt, page, size, info, &records, &bad);
	if (records.n) {
		const struct record *last = &records.at[records.n - 1];

		used = (uint32_t)((const uint8_t *)last->data + last->size - page) - fmt->data_offset;
	}
	vec_fini(&records);
	memset(page + fmt->data_offset + used, 0, fmt->page_size - fmt->data_offset - used);
	put_commit(fmt, page, used | (info->lost ? COMMIT_LOST : 0));
	return used;
}

/*
 * Adds the last sub-buffer of a file that was cut off. The file has @cut bytes of this sub-buffer. The complete events are kept, and the loss of the others
 * is marked. If @cut is 0, only the loss is marked. Returns 0 or -errno.
 */
static int add_tail(struct rewrite *out, const struct datfile *file, const struct datbuf *buf, const struct datcpu *cpu, uint32_t cut, struct write_cpu *row)
{
	const struct metadata *meta = &file->meta;
	uint8_t *pages = calloc(2, buf->page_size), *mark = pages;
	struct page_info info = { 0 };
	struct page_format fmt;
	int err = page_format_parse(&fmt, &meta->header_page, meta->big_endian, meta->user_long_size);

	if (!pages || vec_push(&out->tails, (char *)pages)) {
		free(pages);
		return out_of_memory(file);
	}
	if (err)
		return err;
	fmt.page_size = buf->page_size;
	if (cut > fmt.data_offset && io_pread(file->fd, pages, cut, cpu->offset + cpu->size - cut) == (ssize_t)cut && trim_page(&fmt, pages, cut, &info))
		mark = pages + buf->page_size;
	row->tail = (struct text){ (char *)pages, (size_t)(mark - pages) };
	if (!info.used || fmt.data_offset + info.used > cut) {
		memcpy(mark, pages, 8);
		put_commit(&fmt, mark, COMMIT_LOST);
		row->tail.size += buf->page_size;
	}
	row->size += row->tail.size;
	return 0;
}

static int add_cpu(struct rewrite *out, const struct datfile *file, const struct datbuf *buf, const struct datcpu *cpu, struct write_buffer *to)
{
	struct write_cpu row = { cpu->cpu, file->fd, cpu->offset, cpu->size };
	bool damaged = false;
	int err = buf->compressed && cpu->size ? add_packed(out, file, buf, cpu, &row, &damaged) : 0;

	uint32_t cut = row.packed ? 0 : (uint32_t)(row.size % buf->page_size);

	row.size -= cut;
	if (!err && (cut || damaged))
		err = add_tail(out, file, buf, cpu, cut, &row);
	if (err)
		return err;
	return vec_push(&to->cpus, row) ? out_of_memory(file) : 0;
}

int rewrite_init(struct rewrite *out, const struct datfile *file)
{
	int err;

	*out = (struct rewrite){ .damaged = file->damaged };
	err = reserve(out, file);
	vec_each (&file->buffers, buf) {
		struct write_buffer to = {
			.name = buf->name,
			.clock = buf->clock,
			.page_size = buf->page_size,
			.latency = buf->latency ? &buf->text : NULL,
		};

		vec_each (&buf->cpus, cpu)
			err = err ? err : add_cpu(out, file, buf, cpu, &to);
		if (!err && vec_push(&out->buffers, to))
			err = out_of_memory(file);
		if (err) {
			vec_fini(&to.cpus);
			break;
		}
	}
	return err;
}

void rewrite_fini(struct rewrite *rewrite)
{
	vec_each (&rewrite->buffers, buffer)
		vec_fini(&buffer->cpus);
	vec_fini(&rewrite->buffers);
	vec_fini(&rewrite->sources);
	vec_each (&rewrite->tails, tail)
		free(*tail);
	vec_fini(&rewrite->tails);
}
