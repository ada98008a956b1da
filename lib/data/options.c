/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/data/sections.h"
#include "lib/base/err.h"
#include "lib/base/parse.h"
#include "lib/data/bytes.h"

#include <stdio.h>

void options_fini(struct options *options)
{
	vec_each (&options->pointers, pointer)
		free(pointer->name);
	vec_fini(&options->pointers);
}

/*
 * trace-cmd writes some numbers in the byte order of the machine on which it ran, and not in the byte order of the file. This swaps the bytes of
 * @value if it is only sensible then. @most is the largest sensible value.
 */
static uint32_t sensible32(uint32_t value, uint32_t most)
{
	uint32_t other = __builtin_bswap32(value);

	return value > most && other <= most ? other : value;
}

static uint64_t sensible64(uint64_t value, uint64_t most)
{
	uint64_t other = __builtin_bswap64(value);

	return value > most && other <= most ? other : value;
}

/* Reads the text of an option, without the NULs at its end. */
static void option_text(struct cursor *c, struct text *out)
{
	if (cursor_text(c, cursor_left(c), out))
		out->size = strnlen(out->at, out->size);
}

static void parse_trace_clock(struct options *options, struct cursor *c)
{
	options->has_clock = true;
	option_text(c, &options->file->meta.trace_clock);
}

static void parse_uname(struct options *options, struct cursor *c)
{
	option_text(c, &options->file->meta.uname);
}

static void parse_version(struct options *options, struct cursor *c)
{
	option_text(c, &options->file->meta.version);
}

static void parse_last_boot(struct options *options, struct cursor *c)
{
	option_text(c, &options->file->meta.last_boot);
}

static void add_block(struct cursor *c, strv_t *list)
{
	struct text block = { 0 };

	option_text(c, &block);
	if (block.at && strv_own(list, block.at) && !c->err)
		c->err = -ENOMEM;
}

static void parse_cpustat(struct options *options, struct cursor *c)
{
	add_block(c, &options->file->meta.cpustat);
}

static void parse_hook(struct options *options, struct cursor *c)
{
	add_block(c, &options->file->meta.hooks);
}

static void parse_procmaps(struct options *options, struct cursor *c)
{
	add_block(c, &options->file->meta.procmaps);
}

static bool option_number(struct cursor *c, int64_t *out)
{
	struct text text = { 0 };
	uint64_t bits;
	bool ok = false;

	option_text(c, &text);
	if (!c->err) {
		char *digits = str_trim(text.at);

		ok = !parse_s64(digits, out);
		/* A negative difference of clocks is written as an unsigned number. */
		if (!ok && !parse_u64(digits, &bits)) {
			*out = (int64_t)bits;
			ok = true;
		}
	}
	free(text.at);
	if (!ok)
		cursor_damaged(c, "it should be a number");
	return ok;
}

static void parse_date(struct options *options, struct cursor *c)
{
	struct metadata *meta = &options->file->meta;

	meta->has_date = option_number(c, &meta->date_us);
}

static void parse_offset(struct options *options, struct cursor *c)
{
	option_number(c, &options->file->meta.ts_offset);
}

static void parse_cpucount(struct options *options, struct cursor *c)
{
	uint32_t n = sensible32(cursor_u32(c), DAT_MAX_CPUS);
	struct datfile *file = options->file;

	if (n > DAT_MAX_CPUS)
		cursor_damaged(c, "no machine has so many CPUs");
	if (c->err)
		return;
	/* In version 6, the option is about the instance whose option stands before it. */
	if (file->version == 6 && options->pointers.n)
		options->pointers.at[options->pointers.n - 1].ncpus = n;
	else
		file->meta.ncpus = MAX(file->meta.ncpus, n);
}

static void parse_trace_id(struct options *options, struct cursor *c)
{
	options->file->meta.trace_id = cursor_u64(c);
}

static void parse_tsc2nsec(struct options *options, struct cursor *c)
{
	struct tsc2nsec tsc = { .present = true };

	tsc.mult = cursor_u32(c);
	tsc.shift = cursor_u32(c);
	tsc.offset = cursor_u64(c);
	if (tsc.shift >= 64)
		cursor_damaged(c, "a shift of 64 bits or more");
	if (!c->err)
		options->file->meta.tsc2nsec = tsc;
}

/* Reads the samples of one CPU. First come the times of all samples, then all offsets, then all scalings. */
static void parse_samples(struct cursor *c, struct time_shift *shift)
{
	uint32_t n = cursor_u32(c);
	__typeof__(*shift->cpus.at) cpu = { 0 };

	if (n > cursor_left(c) / 24)
		cursor_damaged(c, "more samples than it has room for");
	if (c->err)
		return;
	if (vec_reserve(&cpu.samples, n) || vec_push(&shift->cpus, cpu)) {
		vec_fini(&cpu.samples);
		c->err = -ENOMEM;
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		cpu.samples.at[i] = (struct time_sample){ .time = (int64_t)cursor_u64(c) };
	for (uint32_t i = 0; i < n; i++)
		cpu.samples.at[i].offset = (int64_t)cursor_u64(c);
	for (uint32_t i = 0; i < n; i++)
		cpu.samples.at[i].scaling = (int64_t)cursor_u64(c);
	cpu.samples.n = n;
	shift->cpus.at[shift->cpus.n - 1] = cpu;
}

static int by_time(const void *a, const void *b)
{
	const struct time_sample *x = a, *y = b;

	return x->time < y->time ? -1 : x->time > y->time;
}

/* Sorts the samples by time and removes those that have the time of another one. */
static void sort_samples(struct time_sample *at, size_t *n)
{
	size_t kept = 0;

	if (*n)
		qsort(at, *n, sizeof(*at), by_time);
	for (size_t i = 0; i < *n; i++)
		if (!kept || at[kept - 1].time != at[i].time)
			at[kept++] = at[i];
	*n = kept;
}

static void parse_time_shift(struct options *options, struct cursor *c)
{
	struct time_shift *shift = &options->file->meta.time_shift;
	uint32_t ncpus;

	vec_each (&shift->cpus, old)
		vec_fini(&old->samples);
	shift->cpus.n = 0;
	shift->peer_id = cursor_u64(c);
	shift->flags = cursor_u32(c);
	ncpus = cursor_u32(c);
	for (uint32_t i = 0; i < ncpus && !c->err; i++)
		parse_samples(c, shift);
	shift->present = !c->err;
	/* The first programs that wrote this option had no fractions. */
	vec_each (&shift->cpus, cpu) {
		for (size_t i = 0; i < cpu->samples.n && cursor_left(c); i++)
			cpu->samples.at[i].fraction = (int64_t)cursor_u64(c);
	}
	vec_each (&shift->cpus, cpu)
		sort_samples(cpu->samples.at, &cpu->samples.n);
}

static void parse_guest(struct options *options, struct cursor *c)
{
	struct guest guest = { .name = cursor_asciiz(c) };
	uint32_t n;

	guest.trace_id = cursor_u64(c);
	n = cursor_u32(c);
	if (n > cursor_left(c) / 8)
		cursor_damaged(c, "more CPUs than it has room for");
	for (uint32_t i = 0; i < n && !c->err; i++) {
		uint32_t cpu = cursor_u32(c);

		int32_t pid = (int32_t)cursor_u32(c);

		if (vec_push(&guest.cpus, (__typeof__(*guest.cpus.at)){ cpu, pid }))
			c->err = -ENOMEM;
	}
	if (!c->err && vec_push(&options->file->meta.guests, guest))
		c->err = -ENOMEM;
	if (c->err) {
		free(guest.name);
		vec_fini(&guest.cpus);
	}
}

static void add_pointer(struct options *options, struct cursor *c, uint16_t id, uint64_t offset, char *name)
{
	struct section_pointer pointer = {
		.id = id,
		.offset = sensible64(offset, options->file->size),
		.name = name,
		.ncpus = options->file->meta.ncpus,
	};

	if (!c->err && vec_push(&options->pointers, pointer))
		c->err = -ENOMEM;
	if (c->err)
		free(name);
}

/* For version 7: adds the buffer, and a pointer to its section, which is read later. */
static void add_buffer(struct options *options, struct cursor *c, uint16_t id, uint64_t offset, struct datbuf *buf)
{
	struct datfile *file = options->file;
	struct section_pointer pointer = {
		.id = id,
		.offset = sensible64(offset, file->size),
		.buffer = file->buffers.n,
	};

	if (vec_push(&file->buffers, *buf)) {
		c->err = -ENOMEM;
		datbuf_fini(buf);
	} else if (vec_push(&options->pointers, pointer)) {
		c->err = -ENOMEM;
	}
}

/* For version 7: reads where the data of each CPU are. */
static void parse_buffer_cpus(struct options *options, struct cursor *c, struct datbuf *buf)
{
	struct datfile *file = options->file;
	uint64_t room;
	uint32_t n;

	buf->page_size = sensible32(cursor_u32(c), DAT_MAX_PAGE);
	n = cursor_u32(c);
	room = cursor_left(c) / 20;
	n = sensible32(n, (uint32_t)MIN(room, (uint64_t)DAT_MAX_CPUS));
	if (n > room)
		cursor_damaged(c, "more CPUs than it has room for");
	for (uint32_t i = 0; i < n && !c->err; i++) {
		uint32_t cpu = sensible32(cursor_u32(c), DAT_MAX_CPUS);
		uint64_t offset = sensible64(cursor_u64(c), file->size);
		uint64_t size = sensible64(cursor_u64(c), file->size);

		if (cpu >= DAT_MAX_CPUS)
			cursor_damaged(c, "a CPU number that no machine has");
		else if (!c->err && datbuf_add_cpu(file, buf, cpu, offset, size))
			c->err = -ENOMEM;
	}
}

static void parse_buffer(struct options *options, struct cursor *c)
{
	struct datfile *file = options->file;
	struct datbuf buf = { 0 };
	uint64_t offset = cursor_u64(c);

	buf.name = cursor_asciiz(c);
	if (file->version == 6) {
		add_pointer(options, c, DAT_BUFFER, offset, buf.name);
		return;
	}
	buf.clock = cursor_asciiz(c);
	parse_buffer_cpus(options, c, &buf);
	/* If the option is damaged, the CPUs before the damage are kept. */
	if (!buf.clock) {
		datbuf_fini(&buf);
		return;
	}
	datbuf_finish(file, &buf);
	add_buffer(options, c, DAT_BUFFER, offset, &buf);
}

static void parse_buffer_text(struct options *options, struct cursor *c)
{
	struct datbuf buf = { .latency = true };
	uint64_t offset = cursor_u64(c);

	buf.name = cursor_asciiz(c);
	buf.clock = cursor_asciiz(c);
	if (c->err)
		datbuf_fini(&buf);
	else
		add_buffer(options, c, DAT_BUFFER_TEXT, offset, &buf);
}

static const struct option_kind {
	void (*parse)(struct options *options, struct cursor *c);
	bool points; /* the option has only the offset of a section's header */
} kinds[] = {
	[DAT_DATE] = { parse_date },
	[DAT_CPUSTAT] = { parse_cpustat },
	[DAT_BUFFER] = { parse_buffer },
	[DAT_TRACECLOCK] = { parse_trace_clock },
	[DAT_UNAME] = { parse_uname },
	[DAT_HOOK] = { parse_hook },
	[DAT_OFFSET] = { parse_offset },
	[DAT_CPUCOUNT] = { parse_cpucount },
	[DAT_VERSION] = { parse_version },
	[DAT_PROCMAPS] = { parse_procmaps },
	[DAT_TRACEID] = { parse_trace_id },
	[DAT_TIME_SHIFT] = { parse_time_shift },
	[DAT_GUEST] = { parse_guest },
	[DAT_TSC2NSEC] = { parse_tsc2nsec },
	[DAT_HEADER_INFO] = { .points = true },
	[DAT_FTRACE_EVENTS] = { .points = true },
	[DAT_EVENT_FORMATS] = { .points = true },
	[DAT_KALLSYMS] = { .points = true },
	[DAT_PRINTK] = { .points = true },
	[DAT_CMDLINES] = { .points = true },
	[DAT_BUFFER_TEXT] = { parse_buffer_text },
	[DAT_BTF_FILE] = { .points = true },
	[DAT_LAST_BOOT_INFO] = { parse_last_boot },
	[DAT_MODULES_FILE] = { .points = true },
};

/* Keeps an unknown option for `ringside dump`. Warns once for each number. */
static void keep_unknown(struct options *options, struct cursor *c, uint16_t id)
{
	struct metadata *meta = &options->file->meta;
	struct raw_option raw = { .id = id };
	bool seen = false;

	vec_each (&meta->unknown, old)
		seen |= old->id == id;
	if (!seen)
		warn("%s: unknown option %u, skipped: a newer program wrote the file", c->path, id);
	cursor_text(c, cursor_left(c), &raw.data);
	if (raw.data.at && vec_push(&meta->unknown, raw)) {
		free(raw.data.at);
		c->err = -ENOMEM;
	}
}

void option_parse(struct options *options, struct cursor *c, uint16_t id, uint32_t size)
{
	struct datfile *file = options->file;
	const char *known = dat_option_name(id);
	char name[32], number[16];
	struct text data = { 0 };
	struct cursor inside;
	uint64_t offset = cursor_offset(c);

	snprintf(number, sizeof(number), "%u", id);
	snprintf(name, sizeof(name), "option %s", known ? known : number);
	cursor_text(c, size, &data);
	if (!data.at)
		return;
	cursor_memory(&inside, data.at, data.size, c->path, name, offset, c->big_endian);
	if (id < ARRAY_LEN(kinds) && kinds[id].points && file->version >= 7)
		add_pointer(options, &inside, id, cursor_u64(&inside), NULL);
	else if (id < ARRAY_LEN(kinds) && kinds[id].parse)
		kinds[id].parse(options, &inside);
	else
		keep_unknown(options, &inside, id);
	if (!inside.err && datfile_note(file, id, 0, name, offset, data.size, data.size))
		inside.err = -ENOMEM;
	if (inside.err == -ENOMEM)
		c->err = -ENOMEM;
	else if (inside.err)
		file->damaged = true;
	free(data.at);
}
