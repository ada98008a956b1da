/* SPDX-License-Identifier: GPL-2.0 */
/* Makes pages of the ring buffer and the metadata of a trace file, for odd.c and plan.c. */
#ifndef RINGSIDE_TOOLS_ODD_H
#define RINGSIDE_TOOLS_ODD_H

#include "lib/base/io.h"
#include "lib/data/writer.h"

#include <sys/mman.h>

/* These are ids of events. set_up() makes a format for TICK. UNKNOWN has no format. */
enum { TICK = 1000, UNKNOWN = 1001 };

#define MS 1000000ULL

/* The pages of a CPU while they are being made. */
struct pages {
	struct str bytes;
	size_t page; /* where the current page begins */
	uint64_t ts; /* the time of the last event, or of the page when it has no event yet */
};

/* A trace file that is being made. */
struct odd {
	struct metadata meta;
	uint8_t long_size; /* the size of a long in the kernel */
	struct write_buffer buffers[3];
	size_t nbuffers;
	struct text latency; /* the text output of a latency tracer, for a buffer without pages */
};

static void put(struct odd *odd, struct str *s, uint64_t value, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		size_t byte = odd->meta.big_endian ? size - 1 - i : i;

		str_addc(s, (char)(value >> (8 * byte)));
	}
}

static void page_begin(struct odd *odd, struct pages *p, uint64_t ts)
{
	p->page = p->bytes.len;
	p->ts = ts;
	put(odd, &p->bytes, ts, 8);
	put(odd, &p->bytes, 0, odd->long_size);
}

static void event_header(struct odd *odd, struct pages *p, uint32_t type_len, uint32_t delta)
{
	put(odd, &p->bytes, odd->meta.big_endian ? type_len << 27 | delta : delta << 5 | type_len, 4);
}

static void extend(struct odd *odd, struct pages *p, uint64_t delta)
{
	event_header(odd, p, 30, delta & 0x7ffffff);
	put(odd, &p->bytes, delta >> 27, 4);
	p->ts += delta;
}

__unused static void absolute(struct odd *odd, struct pages *p, uint64_t ts)
{
	event_header(odd, p, 31, ts & 0x7ffffff);
	put(odd, &p->bytes, ts >> 27 & 0xffffffff, 4);
	p->ts = ts;
}

/* Appends an event of 12 bytes, which has the common fields and a number. */
static void event(struct odd *odd, struct pages *p, uint16_t id, uint32_t delta, int number)
{
	event_header(odd, p, 3, delta);
	p->ts += delta;
	put(odd, &p->bytes, id, 2);
	put(odd, &p->bytes, 0, 2);
	put(odd, &p->bytes, (uint32_t)(100 + number % 3), 4);
	put(odd, &p->bytes, (uint32_t)number, 4);
}

/*
 * Appends events with the numbers from @from to @to - 1. The first event has the time .ts of @p. Each further event is @step ns later than the event before
 * it.
 */
static void ticks(struct odd *odd, struct pages *p, int from, int to, uint32_t step)
{
	for (int i = from; i < to; i++)
		event(odd, p, TICK, i == from ? 0 : step, i);
}

/* Ends the page. @lost is 0, LOST_UNKNOWN (-1), or the number of events that were lost before the page. */
static void page_end(struct odd *odd, struct pages *p, int64_t lost, uint32_t page_size)
{
	size_t used = p->bytes.len - p->page - 8 - odd->long_size, all;
	uint64_t commit = used | (lost ? 1U << 31 : 0) | (lost > 0 ? 1U << 30 : 0);
	struct str field = { 0 };

	if (lost > 0)
		put(odd, &p->bytes, (uint64_t)lost, odd->long_size);
	all = p->bytes.len - p->page;
	if (str_room(&p->bytes, page_size - all))
		memset(p->bytes.at + p->bytes.len, 0, page_size - all);
	p->bytes.len = p->page + page_size;
	put(odd, &field, commit, odd->long_size);
	memcpy(p->bytes.at + p->page + 8, field.at, odd->long_size);
	str_fini(&field);
}

__unused static void one_page(struct odd *odd, struct pages *p, uint64_t ts, int from, int to, int64_t lost)
{
	page_begin(odd, p, ts);
	ticks(odd, p, from, to, MS);
	page_end(odd, p, lost, odd->meta.page_size);
}

static struct write_buffer *add_buffer(struct odd *odd, const char *name, const char *clock)
{
	struct write_buffer *buffer = &odd->buffers[odd->nbuffers++];

	buffer->name = name;
	buffer->clock = clock;
	buffer->page_size = odd->meta.page_size;
	return buffer;
}

/* Adds @cpu to the buffer. The buffer takes over the pages, and @p is empty afterwards. */
static void add_cpu(struct write_buffer *buffer, uint32_t cpu, struct pages *p)
{
	int fd = memfd_create("pages", MFD_CLOEXEC);
	struct write_cpu row = { cpu, fd, 0, p->bytes.len };

	if (fd < 0 || io_write(fd, str_text(&p->bytes), p->bytes.len) || vec_push(&buffer->cpus, row))
		abort();
	str_fini(&p->bytes);
	*p = (struct pages){ 0 };
}

static void set_text(struct text *out, char *text)
{
	free(out->at);
	*out = (struct text){ text, strlen(text) };
}

static void set_header_page(struct odd *odd)
{
	unsigned int l = odd->long_size;

	set_text(&odd->meta.header_page, str_printf("\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
						    "\tfield: local_t commit;\toffset:8;\tsize:%u;\tsigned:1;\n"
						    "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
						    "\tfield: char data;\toffset:%u;\tsize:%u;\tsigned:1;\n",
						    l, 8 + l, odd->meta.page_size - 8 - l));
}

__unused static void set_up(struct odd *odd, uint32_t page_size, bool big_endian, uint8_t long_size)
{
	static const char tick[] = "name: tick\nID: 1000\nformat:\n"
				   "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
				   "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
				   "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
				   "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
				   "\tfield:int number;\toffset:8;\tsize:4;\tsigned:1;\n\n"
				   "print fmt: \"number=%d\", REC->number\n";
	struct metadata *meta = &odd->meta;
	struct event_text text = { strdup("odd"), { strdup(tick), sizeof(tick) - 1 } };

	meta->page_size = page_size;
	meta->big_endian = big_endian;
	meta->user_long_size = odd->long_size = long_size;
	meta->ncpus = 4;
	if (vec_push(&meta->formats, text))
		abort();
	set_header_page(odd);
	set_text(&meta->header_event, strdup("# compressed entry header\n"));
	set_text(&meta->cmdlines, strdup("100 alpha\n101 beta\n102 gamma\n"));
	set_text(&meta->trace_clock, strdup("[local] global counter\n"));
	set_text(&meta->uname, strdup("Linux odd 6.0 x86_64"));
	set_text(&meta->version, strdup("odd"));
}

#endif
