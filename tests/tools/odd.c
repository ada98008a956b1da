/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes small trace files with one odd thing each, which no kernel at hand records: for comparing
 *what trace-cmd and ringside make of them. odd			lists the names odd NAME FILE
 *VERSION CODEC All have one event, odd:tick, which prints its number: who reads them sees at once
 *which one is missing.
 */
#define _GNU_SOURCE
#include "lib/base/io.h"
#include "lib/data/writer.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { TICK = 1000, UNKNOWN = 1001 };

#define MS 1000000ULL

/* One CPU's pages while they are built. */
struct pages {
	struct str bytes;
	size_t page; /* where the current page begins */
	uint64_t ts;
};

struct odd {
	struct metadata meta;
	uint8_t long_size; /* of the kernel */
	struct write_buffer buffers[3];
	size_t nbuffers;
	struct text latency;
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
	put(odd, &p->bytes, odd->meta.big_endian ? type_len << 27 | delta : delta << 5 | type_len,
	    4);
}

static void extend(struct odd *odd, struct pages *p, uint64_t delta)
{
	event_header(odd, p, 30, delta & 0x7ffffff);
	put(odd, &p->bytes, delta >> 27, 4);
	p->ts += delta;
}

static void absolute(struct odd *odd, struct pages *p, uint64_t ts)
{
	event_header(odd, p, 31, ts & 0x7ffffff);
	put(odd, &p->bytes, ts >> 27 & 0xffffffff, 4);
	p->ts = ts;
}

/* An event of 12 bytes: the common fields and a number. */
static void event(struct odd *odd, struct pages *p, uint16_t id, uint32_t delta, int number)
{
	event_header(odd, p, 3, delta);
	p->ts += delta;
	put(odd, &p->bytes, id, 2);
	put(odd, &p->bytes, 0, 2);
	put(odd, &p->bytes, (uint32_t)(100 + number % 3), 4);
	put(odd, &p->bytes, (uint32_t)number, 4);
}

/* Events at @ts, @ts + @step and so on, in a page of their own. */
static void ticks(struct odd *odd, struct pages *p, int from, int to, uint32_t step)
{
	for (int i = from; i < to; i++)
		event(odd, p, TICK, i == from ? 0 : step, i);
}

/* @lost: as struct record has it: 0, LOST_UNKNOWN (-1) or a number. */
static void page_end(struct odd *odd, struct pages *p, int64_t lost, uint32_t page_size)
{
	size_t used = p->bytes.len - p->page - 8 - odd->long_size, all;
	uint64_t commit = used | (lost ? 1U << 31 : 0) | (lost > 0 ? 1U << 30 : 0);
	struct str field = {0};

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

static void one_page(struct odd *odd, struct pages *p, uint64_t ts, int from, int to, int64_t lost)
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

/* Gives the buffer the pages as the data of @cpu. */
static void add_cpu(struct write_buffer *buffer, uint32_t cpu, struct pages *p)
{
	int fd = memfd_create("pages", MFD_CLOEXEC);
	struct write_cpu row = {cpu, fd, 0, p->bytes.len};

	if (fd < 0 || io_write(fd, str_text(&p->bytes), p->bytes.len) ||
	    vec_push(&buffer->cpus, row))
		abort();
	str_fini(&p->bytes);
	*p = (struct pages){0};
}

static void set_text(struct text *out, char *text)
{
	free(out->at);
	*out = (struct text){text, strlen(text)};
}

static void set_header_page(struct odd *odd)
{
	unsigned int l = odd->long_size;

	set_text(&odd->meta.header_page,
		 str_printf("\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
			    "\tfield: local_t commit;\toffset:8;\tsize:%u;\tsigned:1;\n"
			    "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
			    "\tfield: char data;\toffset:%u;\tsize:%u;\tsigned:1;\n",
			    l, 8 + l, odd->meta.page_size - 8 - l));
}

static void set_up(struct odd *odd, uint32_t page_size, bool big_endian, uint8_t long_size)
{
	static const char tick[] =
		"name: tick\nID: 1000\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		"\tfield:int number;\toffset:8;\tsize:4;\tsigned:1;\n\n"
		"print fmt: \"number=%d\", REC->number\n";
	struct metadata *meta = &odd->meta;
	struct event_text text = {strdup("odd"), {strdup(tick), sizeof(tick) - 1}};

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

/* The rest of the file, when only the metadata is odd: three CPUs of a page. */
static void three_cpus(struct odd *odd)
{
	struct write_buffer *top = add_buffer(odd, "", NULL);
	struct pages p = {0};

	for (uint32_t cpu = 0; cpu < 3; cpu++) {
		one_page(odd, &p, 5000 * MS + cpu * 500, (int)cpu * 10, (int)cpu * 10 + 8, 0);
		add_cpu(top, cpu, &p);
	}
}

static void plain(struct odd *odd)
{
	three_cpus(odd);
}

static void sparse(struct odd *odd)
{
	struct write_buffer *top = add_buffer(odd, "", NULL);
	struct pages p = {0};

	for (uint32_t cpu = 1; cpu < 4; cpu += 2) {
		one_page(odd, &p, 5000 * MS + cpu * 500, (int)cpu * 10, (int)cpu * 10 + 8, 0);
		add_cpu(top, cpu, &p);
	}
}

static void hole(struct odd *odd)
{
	struct write_buffer *top = add_buffer(odd, "", NULL);
	struct pages p = {0};

	for (uint32_t cpu = 0; cpu < 3; cpu++) {
		if (cpu != 1)
			one_page(odd, &p, 5000 * MS + cpu * 500, (int)cpu * 10, (int)cpu * 10 + 8,
				 0);
		add_cpu(top, cpu, &p);
	}
}

static void lost(struct odd *odd)
{
	struct write_buffer *top = add_buffer(odd, "", NULL);
	struct pages p = {0};

	one_page(odd, &p, 5000 * MS, 0, 5, 0);
	one_page(odd, &p, 5100 * MS, 5, 10, 1234);
	one_page(odd, &p, 5200 * MS, 10, 15, -1);
	add_cpu(top, 0, &p);
	one_page(odd, &p, 5050 * MS, 20, 25, 7);
	add_cpu(top, 1, &p);
}

/* The page after the gap begins with a time extend, as after an idle time. */
static void lost_extend(struct odd *odd)
{
	struct write_buffer *top = add_buffer(odd, "", NULL);
	struct pages p = {0};

	one_page(odd, &p, 5000 * MS, 0, 5, 0);
	page_begin(odd, &p, 5100 * MS);
	extend(odd, &p, 900 * MS);
	ticks(odd, &p, 5, 10, MS);
	page_end(odd, &p, 99, odd->meta.page_size);
	add_cpu(top, 0, &p);
}

static void stamps(struct odd *odd)
{
	struct write_buffer *top = add_buffer(odd, "", NULL);
	struct pages p = {0};

	page_begin(odd, &p, 5000 * MS);
	ticks(odd, &p, 0, 3, MS);
	extend(odd, &p, 3000000 * MS);
	ticks(odd, &p, 3, 6, MS);
	absolute(odd, &p, p.ts + 7000000 * MS);
	ticks(odd, &p, 6, 9, MS);
	page_end(odd, &p, 0, odd->meta.page_size);
	add_cpu(top, 0, &p);
}

static void unknown_event(struct odd *odd)
{
	struct write_buffer *top = add_buffer(odd, "", NULL);
	struct pages p = {0};

	page_begin(odd, &p, 5000 * MS);
	ticks(odd, &p, 0, 3, MS);
	event(odd, &p, UNKNOWN, MS, 3);
	event(odd, &p, TICK, MS, 4);
	page_end(odd, &p, 0, odd->meta.page_size);
	add_cpu(top, 0, &p);
}

static void date(struct odd *odd)
{
	odd->meta.has_date = true;
	odd->meta.date_us = 1700000000123456;
	three_cpus(odd);
}

static void negative_date(struct odd *odd)
{
	odd->meta.has_date = true;
	odd->meta.date_us = -2000000;
	three_cpus(odd);
}

static void offset(struct odd *odd)
{
	odd->meta.ts_offset = -1234567890;
	three_cpus(odd);
}

static void tsc2nsec(struct odd *odd)
{
	odd->meta.tsc2nsec = (struct tsc2nsec){true, 3, 2, 777};
	set_text(&odd->meta.trace_clock, strdup("local [x86-tsc]\n"));
	three_cpus(odd);
}

static void time_shift(struct odd *odd, uint32_t flags, size_t nsamples)
{
	static const struct time_sample samples[] = {
		{5000 * (int64_t)MS, 1000 * (int64_t)MS, 1, 0},
		{5004 * (int64_t)MS, 1002 * (int64_t)MS, 3, 1},
		{5006 * (int64_t)MS, 1001 * (int64_t)MS, 1, 0},
	};
	struct time_shift *shift = &odd->meta.time_shift;

	shift->present = true;
	shift->peer_id = 0x1234;
	shift->flags = flags;
	if (vec_reserve(&shift->cpus, 3))
		abort();
	for (; shift->cpus.n < 3; shift->cpus.n++) {
		__typeof__(shift->cpus.at) cpu = &shift->cpus.at[shift->cpus.n];

		memset(cpu, 0, sizeof(*cpu));
		for (size_t i = 0; i < nsamples; i++)
			if (vec_push(&cpu->samples, samples[i]))
				abort();
	}
	three_cpus(odd);
}

static void shift_one(struct odd *odd)
{
	time_shift(odd, 0, 1);
}

static void shift_steps(struct odd *odd)
{
	time_shift(odd, 0, 3);
}

static void shift_lines(struct odd *odd)
{
	time_shift(odd, 1, 3);
}

static void counter(struct odd *odd)
{
	set_text(&odd->meta.trace_clock, strdup("local global [counter]\n"));
	three_cpus(odd);
}

static void boot(struct odd *odd)
{
	set_text(&odd->meta.trace_clock, strdup("local global [boot]\n"));
	three_cpus(odd);
}

static void instances(struct odd *odd)
{
	struct pages p = {0};

	three_cpus(odd);
	for (int i = 0; i < 2; i++) {
		struct write_buffer *instance =
			add_buffer(odd, i ? "longer name" : "short", "mono");

		one_page(odd, &p, 5003 * MS, 50 + i * 10, 55 + i * 10, 0);
		add_cpu(instance, i ? 2 : 0, &p);
	}
}

/* Nothing in the top buffer, and an instance with larger sub-buffers than it. */
static void instance_subbuf(struct odd *odd)
{
	struct write_buffer *instance;
	struct pages p = {0};

	add_buffer(odd, "", NULL);
	instance = add_buffer(odd, "large", NULL);
	instance->page_size = 16384;
	page_begin(odd, &p, 5000 * MS);
	ticks(odd, &p, 0, 900, 1000);
	page_end(odd, &p, 0, instance->page_size);
	add_cpu(instance, 1, &p);
}

static void many_pages(struct odd *odd)
{
	struct write_buffer *top = add_buffer(odd, "", NULL);
	struct pages p = {0};

	for (uint32_t cpu = 0; cpu < 4; cpu++) {
		for (int i = 0; i < 31; i++)
			one_page(odd, &p, (5000 + i * 100) * MS + cpu * 1000,
				 (int)cpu * 10000 + i * 100, (int)cpu * 10000 + i * 100 + 90, 0);
		add_cpu(top, cpu, &p);
	}
}

static void latency(struct odd *odd)
{
	set_text(&odd->latency, strdup("# tracer: wakeup\n#\n  <idle>-0  0d..2  1us : x\n"));
	add_buffer(odd, "", NULL)->latency = &odd->latency;
}

static void unknown_option(struct odd *odd)
{
	struct raw_option option = {99, {strdup("what is this"), 13}};

	if (vec_push(&odd->meta.unknown, option))
		abort();
	three_cpus(odd);
}

static void guest(struct odd *odd)
{
	struct guest row = {.name = strdup("vm1"), .trace_id = 0xabcdef};

	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		__typeof__(*row.cpus.at) one = {cpu, 100 + (int)cpu};

		if (vec_push(&row.cpus, one))
			abort();
	}
	if (vec_push(&odd->meta.guests, row))
		abort();
	odd->meta.trace_id = 0x1122334455667788;
	three_cpus(odd);
}

static const struct {
	const char *name;
	void (*make)(struct odd *odd);
	uint32_t page_size; /* 0: 4096 */
	bool big_endian;
	uint8_t long_size; /* 0: 8 */
} rows[] = {
	{"plain", plain},
	{"sparse", sparse},
	{"hole", hole},
	{"lost", lost},
	{"lost-extend", lost_extend},
	{"stamps", stamps},
	{"unknown-event", unknown_event},
	{"unknown-option", unknown_option},
	{"date", date},
	{"negative-date", negative_date},
	{"offset", offset},
	{"tsc2nsec", tsc2nsec},
	{"shift-one", shift_one},
	{"shift-steps", shift_steps},
	{"shift-lines", shift_lines},
	{"counter", counter},
	{"boot", boot},
	{"instances", instances},
	{"instance-subbuf", instance_subbuf},
	{"many-pages", many_pages},
	{"latency", latency},
	{"guest", guest},
	{"subbuf-16k", many_pages, 16384},
	{"long-4", lost, 0, false, 4},
	{"big-endian", instances, 0, true},
	{"big-endian-lost", lost, 0, true},
	{"big-endian-stamps", stamps, 0, true},
	{"big-endian-long-4", lost, 0, true, 4},
	{"big-endian-shift", shift_lines, 0, true},
};

static int make(size_t row, const char *path, const struct write_options *how)
{
	struct odd odd = {0};
	__cleanup(close_fd) int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
	int err;

	if (fd < 0) {
		perror(path);
		return 1;
	}
	set_up(&odd, rows[row].page_size ? rows[row].page_size : 4096, rows[row].big_endian,
	       rows[row].long_size ? rows[row].long_size : 8);
	rows[row].make(&odd);
	err = datfile_write(fd, path, &odd.meta, odd.buffers, odd.nbuffers, how);
	for (size_t i = 0; i < odd.nbuffers; i++) {
		vec_each (&odd.buffers[i].cpus, cpu)
			close(cpu->fd);
		vec_fini(&odd.buffers[i].cpus);
	}
	free(odd.latency.at);
	metadata_fini(&odd.meta);
	return err ? 1 : 0;
}

int main(int argc, char **argv)
{
	struct write_options how = {0};

	if (argc != 5) {
		for (size_t i = 0; i < ARRAY_LEN(rows); i++)
			puts(rows[i].name);
		return argc == 1 ? 0 : 2;
	}
	how.version = (unsigned int)atoi(argv[3]);
	how.codec = codec_find(argv[4]);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (strcmp(rows[i].name, argv[1]) == 0)
			return make(i, argv[2], &how);
	return 2;
}
