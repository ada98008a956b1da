/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes small trace files, each with one odd property that no available kernel produces. Tests compare what
 * trace-cmd and ringside print of them.
 *
 *	odd				lists the names of the files that it can write
 *	odd NAME FILE VERSION CODEC	writes the file of this name to FILE
 *
 * `large` is not listed, because it has 4.3 GB. `kvm-host` and `kvm-guest` are not listed, because each is of use only with the other one. All events
 * are odd:tick, which prints the number of the event. So the text shows which event is missing.
 */
#define _GNU_SOURCE
#include "tests/tools/odd.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* The data of a file in which only the metadata are odd: three CPUs with a page each. */
static void three_cpus(struct odd *odd)
{
	struct write_buffer *top = add_buffer(odd, "", NULL);
	struct pages p = { 0 };

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
	struct pages p = { 0 };

	for (uint32_t cpu = 1; cpu < 4; cpu += 2) {
		one_page(odd, &p, 5000 * MS + cpu * 500, (int)cpu * 10, (int)cpu * 10 + 8, 0);
		add_cpu(top, cpu, &p);
	}
}

static void hole(struct odd *odd)
{
	struct write_buffer *top = add_buffer(odd, "", NULL);
	struct pages p = { 0 };

	for (uint32_t cpu = 0; cpu < 3; cpu++) {
		if (cpu != 1)
			one_page(odd, &p, 5000 * MS + cpu * 500, (int)cpu * 10, (int)cpu * 10 + 8, 0);
		add_cpu(top, cpu, &p);
	}
}

static void lost(struct odd *odd)
{
	struct write_buffer *top = add_buffer(odd, "", NULL);
	struct pages p = { 0 };

	one_page(odd, &p, 5000 * MS, 0, 5, 0);
	one_page(odd, &p, 5100 * MS, 5, 10, 1234);
	one_page(odd, &p, 5200 * MS, 10, 15, -1);
	add_cpu(top, 0, &p);
	one_page(odd, &p, 5050 * MS, 20, 25, 7);
	add_cpu(top, 1, &p);
}

/* The page after the gap begins with a time extend, as it does when nothing happened for long. */
static void lost_extend(struct odd *odd)
{
	struct write_buffer *top = add_buffer(odd, "", NULL);
	struct pages p = { 0 };

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
	struct pages p = { 0 };

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
	struct pages p = { 0 };

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
	odd->meta.tsc2nsec = (struct tsc2nsec){ true, 3, 2, 777 };
	set_text(&odd->meta.trace_clock, strdup("local [x86-tsc]\n"));
	three_cpus(odd);
}

static void time_shift(struct odd *odd, uint32_t flags, size_t nsamples)
{
	static const struct time_sample samples[] = {
		{ 5000 * (int64_t)MS, 1000 * (int64_t)MS, 1, 0 },
		{ 5004 * (int64_t)MS, 1002 * (int64_t)MS, 3, 1 },
		{ 5006 * (int64_t)MS, 1001 * (int64_t)MS, 1, 0 },
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
	struct pages p = { 0 };

	three_cpus(odd);
	for (int i = 0; i < 2; i++) {
		struct write_buffer *instance = add_buffer(odd, i ? "longer name" : "short", "mono");

		one_page(odd, &p, 5003 * MS, 50 + i * 10, 55 + i * 10, 0);
		add_cpu(instance, i ? 2 : 0, &p);
	}
}

/* The top buffer is empty, and an instance has larger sub-buffers than the top buffer. */
static void instance_subbuf(struct odd *odd)
{
	struct write_buffer *instance;
	struct pages p = { 0 };

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
	struct pages p = { 0 };

	for (uint32_t cpu = 0; cpu < 4; cpu++) {
		for (int i = 0; i < 31; i++)
			one_page(odd, &p, (5000 + i * 100) * MS + cpu * 1000, (int)cpu * 10000 + i * 100, (int)cpu * 10000 + i * 100 + 90, 0);
		add_cpu(top, cpu, &p);
	}
}

/* CPU 0 has 4.3 GB of pages, which are empty except for the first and the last, so that everything after them is
 * beyond 4 GiB. */
static void large(struct odd *odd)
{
	const uint64_t size = 0x101000000, last = size - 4096;
	struct write_buffer *top = add_buffer(odd, "", NULL);
	int fd = memfd_create("large", MFD_CLOEXEC);
	struct pages p = { 0 };

	one_page(odd, &p, 5000 * MS, 0, 8, 0);
	one_page(odd, &p, 6000 * MS, 8, 16, 0);
	if (fd < 0 || ftruncate(fd, (off_t)size) || io_pwrite(fd, p.bytes.at, 4096, 0) || io_pwrite(fd, p.bytes.at + 4096, 4096, last) ||
	    vec_push(&top->cpus, (struct write_cpu){ 0, fd, 0, size }))
		abort();
	str_clear(&p.bytes);
	one_page(odd, &p, 5001 * MS, 20, 28, 0);
	add_cpu(top, 1, &p);
	one_page(odd, &p, 5500 * MS, 30, 38, 0);
	add_cpu(add_buffer(odd, "instance", NULL), 2, &p);
}

static void latency(struct odd *odd)
{
	set_text(&odd->latency, strdup("# tracer: wakeup\n#\n  <idle>-0  0d..2  1us : x\n"));
	add_buffer(odd, "", NULL)->latency = &odd->latency;
}

static void unknown_option(struct odd *odd)
{
	struct raw_option option = { 99, { strdup("what is this"), 13 } };

	if (vec_push(&odd->meta.unknown, option))
		abort();
	three_cpus(odd);
}

static void guest(struct odd *odd)
{
	struct guest row = { .name = strdup("vm1"), .trace_id = 0xabcdef };

	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		__typeof__(*row.cpus.at) one = { cpu, 100 + (int)cpu };

		if (vec_push(&row.cpus, one))
			abort();
	}
	if (vec_push(&odd->meta.guests, row))
		abort();
	odd->meta.trace_id = 0x1122334455667788;
	three_cpus(odd);
}

/* The file of a host: task 100 on CPU 1 is the guest's CPU 0, and task 101 on CPU 0 is the guest's CPU 1. */
static void kvm_host(struct odd *odd)
{
	static const char entry[] = "name: kvm_entry\nID: 1002\nformat:\n"
				    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
				    "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
				    "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
				    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
				    "\tfield:unsigned int vcpu_id;\toffset:8;\tsize:4;\tsigned:0;\n\n"
				    "print fmt: \"vcpu %u\", REC->vcpu_id\n";
	struct event_text text = { strdup("kvm"), { strdup(entry), sizeof(entry) - 1 } };
	struct write_buffer *top = add_buffer(odd, "", NULL);
	struct pages p = { 0 };

	if (vec_push(&odd->meta.formats, text))
		abort();
	odd->meta.trace_id = 0x505;
	odd->meta.tsc2nsec = (struct tsc2nsec){ true, 3, 2, 777 };
	set_text(&odd->meta.trace_clock, strdup("local [x86-tsc]\n"));
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		page_begin(odd, &p, 5000 * MS + cpu * 500);
		for (int i = 0; i < 8; i++)
			event(odd, &p, 1002, i ? MS : 0, !cpu);
		page_end(odd, &p, 0, odd->meta.page_size);
		add_cpu(top, cpu, &p);
	}
}

/* The file of that host's guest. Its times are 1000 ms behind the host's. */
static void kvm_guest(struct odd *odd)
{
	struct write_buffer *top = add_buffer(odd, "", NULL);
	struct pages p = { 0 };

	odd->meta.trace_id = 0x606;
	odd->meta.ncpus = 2;
	set_text(&odd->meta.trace_clock, strdup("local [x86-tsc]\n"));
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		one_page(odd, &p, 4000 * MS + cpu * 500 + 250, (int)cpu * 10, (int)cpu * 10 + 8, 0);
		add_cpu(top, cpu, &p);
	}
}

static const struct {
	const char *name;
	void (*make)(struct odd *odd);
	uint32_t page_size; /* 0: 4096 */
	bool big_endian;
	uint8_t long_size; /* 0: 8 */
	bool hidden;
} rows[] = {
	{ "plain", plain },
	{ "sparse", sparse },
	{ "hole", hole },
	{ "lost", lost },
	{ "lost-extend", lost_extend },
	{ "stamps", stamps },
	{ "unknown-event", unknown_event },
	{ "unknown-option", unknown_option },
	{ "date", date },
	{ "negative-date", negative_date },
	{ "offset", offset },
	{ "tsc2nsec", tsc2nsec },
	{ "shift-one", shift_one },
	{ "shift-steps", shift_steps },
	{ "shift-lines", shift_lines },
	{ "counter", counter },
	{ "boot", boot },
	{ "instances", instances },
	{ "instance-subbuf", instance_subbuf },
	{ "many-pages", many_pages },
	{ "latency", latency },
	{ "guest", guest },
	{ "subbuf-16k", many_pages, 16384 },
	{ "long-4", lost, 0, false, 4 },
	{ "big-endian", instances, 0, true },
	{ "big-endian-lost", lost, 0, true },
	{ "big-endian-stamps", stamps, 0, true },
	{ "big-endian-long-4", lost, 0, true, 4 },
	{ "big-endian-shift", shift_lines, 0, true },
	{ "kvm-host", kvm_host, .hidden = true },
	{ "kvm-guest", kvm_guest, .hidden = true },
	{ "large", large, .hidden = true },
};

static int make(size_t row, const char *path, const struct write_options *how)
{
	struct odd odd = { 0 };
	__cleanup(close_fd) int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
	int err;

	if (fd < 0) {
		perror(path);
		return 1;
	}
	set_up(&odd, rows[row].page_size ? rows[row].page_size : 4096, rows[row].big_endian, rows[row].long_size ? rows[row].long_size : 8);
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
	struct write_options how = { 0 };

	if (argc != 5) {
		for (size_t i = 0; i < ARRAY_LEN(rows); i++)
			if (!rows[i].hidden)
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
