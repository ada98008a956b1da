/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Salvages a buffer of version 7 that has no BUFFER option. The option stands behind the data, and the file was cut off before it. Compressed data tell
 * where a CPU's data end, because each list of chunks has its length in front. Plain pages do not. The pages of one CPU go on in time. If a page begins
 * before the end of the page before it, it is the first page of the next CPU.
 */
#include "lib/data/sections.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/parse.h"
#include "lib/data/bytes.h"
#include "lib/data/page.h"

#include <stdio.h>

struct salvage {
	struct datfile *file;
	struct datbuf buf;
	uint64_t at, end; /* the part of the file that has not been looked at yet */
};

static uint64_t aligned(uint64_t offset, uint32_t to)
{
	return (offset + to - 1) / to * to;
}

/* Adds a CPU. Its number is its place in the file until identify() finds its real number. Returns 0 or -ENOMEM. */
static int add_cpu(struct salvage *s, uint64_t offset, uint64_t size)
{
	const struct datcpu row = { .cpu = (uint32_t)s->buf.cpus.n, .offset = offset, .size = size };

	return row.cpu < DAT_MAX_CPUS ? vec_push(&s->buf.cpus, row) : 0;
}

/* Moves s->at behind the @n chunks that stand there. Returns false if there is something else, or if they are cut off. */
static bool pass_chunks(struct salvage *s, uint32_t n)
{
	const struct datfile *file = s->file;
	uint64_t most = dat_max_chunk(s->buf.page_size);

	for (uint32_t i = 0; i < n; i++) {
		uint8_t head[DAT_CHUNK_HEADER];
		uint32_t size;

		if (s->end - s->at < sizeof(head) || io_pread(file->fd, head, sizeof(head), s->at) != sizeof(head))
			return false;
		size = get32(head, file->meta.big_endian);
		if (!size || size > most || get32(head + 4, file->meta.big_endian) > most || size > s->end - s->at - sizeof(head))
			return false;
		s->at += sizeof(head) + size;
	}
	return true;
}

static int find_packed(struct salvage *s)
{
	int err = 0;

	for (bool whole = true; whole && !err;) {
		uint64_t begin = aligned(s->at, s->buf.page_size);
		uint8_t count[4];
		uint32_t n;

		if (begin >= s->end || s->end - begin <= sizeof(count) || io_pread(s->file->fd, count, sizeof(count), begin) != sizeof(count))
			break;
		n = get32(count, s->file->meta.big_endian);
		s->at = begin + sizeof(count);
		whole = pass_chunks(s, n);
		/* If a list is cut off, everything that is there is taken. Whoever reads it finds its end. */
		if (n && (whole || s->at > begin + sizeof(count)))
			err = add_cpu(s, begin, (whole ? s->at : s->end) - begin - sizeof(count));
	}
	return err;
}

/* These are the pages of one CPU that have been found so far. */
struct stretch {
	uint64_t begin; /* where they begin in the file */
	uint64_t last;	/* the time of the last event */
	bool any;
};

/* Adds the page at @offset to a CPU's pages. Returns false if it is no page, or sets *@err and returns false. */
static bool take_page(struct salvage *s, const struct page_format *format, const uint8_t *page, size_t size, uint64_t offset, struct stretch *run,
		      recordvec_t *records, int *err)
{
	struct page_info info;
	size_t bad;

	records->n = 0;
	*err = page_decode(format, page, size, &info, records, &bad);
	if (*err == -ENOMEM)
		return false;
	/* Damage in the middle of a page is reported by whoever reads the page. */
	if (*err && !records->n)
		return false;
	*err = 0;
	if (run->any && info.ts < run->last) {
		*err = add_cpu(s, run->begin, offset - run->begin);
		run->any = false;
	}
	if (!run->any)
		run->begin = offset;
	run->any = true;
	run->last = records->n ? records->at[records->n - 1].ts : info.ts;
	return !*err;
}

static int find_pages(struct salvage *s, const struct page_format *format)
{
	__cleanup(free_ptr) uint8_t *page = calloc(1, (size_t)s->buf.page_size + 8);
	uint64_t offset = aligned(s->at, s->buf.page_size);
	recordvec_t records = { 0 };
	struct stretch run = { 0 };
	int err = page ? 0 : -ENOMEM;

	while (!err && offset < s->end) {
		size_t size = (size_t)MIN(s->end - offset, (uint64_t)s->buf.page_size);

		if (io_pread(s->file->fd, page, size, offset) != (ssize_t)size || !take_page(s, format, page, size, offset, &run, &records, &err))
			break;
		offset += size;
	}
	if (!err && run.any)
		err = add_cpu(s, run.begin, offset - run.begin);
	vec_fini(&records);
	return err;
}

/* Is this block of CPUSTAT about a CPU that had events? *@cpu becomes its number. */
static bool has_events(const char *block, uint32_t *cpu)
{
	const char *entries = strstr(block, "\nentries: "), *read = strstr(block, "\nread events: ");
	unsigned int number;

	if (sscanf(block, "CPU: %u", &number) != 1 || number >= DAT_MAX_CPUS)
		return false;
	*cpu = number;
	return (entries && strtoull(entries + 10, NULL, 10)) || (read && strtoull(read + 14, NULL, 10));
}

static bool is_known(const struct datfile *file, const char *name)
{
	vec_each (&file->buffers, buf)
		if (strcmp(buf->name, name) == 0)
			return true;
	return false;
}

typedef VEC(uint32_t) numbers_t;

/*
 * Finds this buffer in CPUSTAT, which stands before the data. CPUSTAT has the names of the buffers in their order, but no name for the top buffer. Under
 * each name it has the buffer's CPUs. The first buffer there that is not yet among the file's buffers is this one. *@cpus gets the CPUs that had events.
 * Returns the buffer's name, which the caller frees, or NULL when memory runs out.
 */
static char *find_stat(const struct datfile *file, numbers_t *cpus)
{
	static const char heading[] = "\nBuffer: ";
	__cleanup(free_ptr) char *name = strdup("");
	bool mine = !is_known(file, "");
	uint32_t cpu;

	vec_each (&file->meta.cpustat, block) {
		if (str_starts(*block, heading)) {
			const char *at = *block + strlen(heading);

			/* If the top buffer has no CPUs, it was not recorded. */
			if (mine && block != file->meta.cpustat.at)
				break;
			free(name);
			name = strndup(at, strcspn(at, "\n"));
			mine = name && !is_known(file, name);
		}
		if (!name || (mine && has_events(*block, &cpu) && vec_push(cpus, cpu)))
			return NULL;
	}
	return mine ? take(name) : strdup("");
}

/* Gives the CPUs their numbers and the buffer its name, if the file tells them. *@guessed tells whether the numbers were guessed. Returns 0 or -ENOMEM. */
static int identify(struct salvage *s, bool *guessed)
{
	numbers_t cpus = { 0 };

	s->buf.name = find_stat(s->file, &cpus);
	/* If the data were cut off, the last CPUs are missing. */
	*guessed = s->end == s->file->size ? cpus.n < s->buf.cpus.n : cpus.n != s->buf.cpus.n;
	for (size_t i = 0; !*guessed && i < s->buf.cpus.n; i++)
		s->buf.cpus.at[i].cpu = cpus.at[i];
	vec_fini(&cpus);
	vec_each (&s->buf.cpus, row)
		s->file->meta.ncpus = MAX(s->file->meta.ncpus, row->cpu + 1);
	return s->buf.name ? 0 : -ENOMEM;
}

static int find_data(struct salvage *s)
{
	const struct metadata *meta = &s->file->meta;
	struct page_format format;

	if (s->buf.page_size < DAT_MIN_PAGE || s->buf.page_size > DAT_MAX_PAGE || s->buf.page_size % 8)
		return 0;
	if (s->buf.compressed)
		return s->file->codec ? find_packed(s) : 0;
	if (page_format_parse(&format, &meta->header_page, meta->big_endian, meta->user_long_size))
		return 0;
	format.page_size = s->buf.page_size;
	return find_pages(s, &format);
}

int dat7_salvage(struct datfile *file, const struct datsection *section)
{
	uint64_t begin = section->offset + DAT_SECTION_HEADER;
	struct salvage s = {
		.file = file,
		.at = begin,
		.end = begin + section->size,
		.buf = { .page_size = file->meta.page_size, .compressed = section->flags & DAT_COMPRESSED },
	};
	bool guessed = false;
	int err = find_data(&s);

	file->damaged = true;
	err = err ? err : identify(&s, &guessed);
	if (!err)
		warn("%s: the list of what is in buffer '%s' is missing; found in its data from offset %llu on: %zu CPU%s%s", file->path, s.buf.name,
		     (unsigned long long)section->offset, s.buf.cpus.n, s.buf.cpus.n == 1 ? "" : "s",
		     guessed && s.buf.cpus.n ? ", numbered as they follow each other" : "");
	if (!err) {
		datbuf_finish(file, &s.buf);
		err = vec_push(&file->buffers, s.buf);
	}
	if (err)
		datbuf_fini(&s.buf);
	return err;
}
