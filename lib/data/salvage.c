/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A buffer of version 7 whose BUFFER option is not there: it stands behind the data, and the file was cut off before it. Compressed data
 * tell by themselves where a CPU's end: each list of chunks has its length in front. Of plain pages those of one CPU go on in time, and where
 * a page begins before the end of the one before it, the next CPU's begin.
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
	uint64_t at, end; /* what has not been looked at, in the file */
};

static uint64_t aligned(uint64_t offset, uint32_t to)
{
	return (offset + to - 1) / to * to;
}

/* So far a CPU's number is its place in the file. */
static int add_cpu(struct salvage *s, uint64_t offset, uint64_t size)
{
	const struct datcpu row = { .cpu = (uint32_t)s->buf.cpus.n, .offset = offset, .size = size };

	return row.cpu < DAT_MAX_CPUS ? vec_push(&s->buf.cpus, row) : 0;
}

/* Behind the @n chunks at s->at; false: there is something else, or they are cut off. */
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
		/* Of a list that is cut off all is taken that is there: who reads it finds its end. */
		if (n && (whole || s->at > begin + sizeof(count)))
			err = add_cpu(s, begin, (whole ? s->at : s->end) - begin - sizeof(count));
	}
	return err;
}

/* The pages of one CPU, as far as they have been found. */
struct stretch {
	uint64_t begin; /* in the file */
	uint64_t last;	/* time of its last event */
	bool any;
};

/* Takes up the page at @offset; false: it is none. */
static bool take_page(struct salvage *s, const struct page_format *format, const uint8_t *page, size_t size, uint64_t offset, struct stretch *run,
		      recordvec_t *records, int *err)
{
	struct page_info info;
	size_t bad;

	records->n = 0;
	*err = page_decode(format, page, size, &info, records, &bad);
	if (*err == -ENOMEM)
		return false;
	/* What is damaged in the middle of a page is told by who reads it. */
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

/* Is this block of CPUSTAT about a CPU that holds or has given events? */
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
 * CPUSTAT stands before the data: it names the buffers in their order, the top one not at all, and under each its CPUs. The first one
 * that is not among the file's is this one. @cpus: those of its CPUs that had events. Its name in new memory; NULL: no memory.
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

			/* A top buffer without CPUs was not recorded. */
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

/* Gives the CPUs their numbers, and the buffer its name, as far as the file knows. */
static int identify(struct salvage *s, bool *guessed)
{
	numbers_t cpus = { 0 };

	s->buf.name = find_stat(s->file, &cpus);
	/* Of what was cut off the last ones are missing. */
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
