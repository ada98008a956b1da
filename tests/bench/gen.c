/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes traces of any size, for benchmarks and for tests of limits. The formats, symbols and names are those of META.dat, a recorded file. The
 * records come from a fixed random sequence, so that the same arguments give the same file.
 *
 * gen [options] META.dat OUT.dat
 * The options, with their defaults in parentheses:
 *	--type graph|program|function|mixed	which events: function_graph, in which any function calls any other; function_graph, in which each function
 *				calls a few others or none, as in a program; function; various ones (graph)
 *	--size BYTES[kMG]		the size of all pages together (16M)
 *	--cpus N			the number of CPUs (2)
 *	--format 6|7  --codec NAME	the version of the file and its compression (6, none)
 *	--lost N			events are lost before every Nth page (no page)
 *	--seed N			another random sequence (0)
 */
#define _GNU_SOURCE
#include "lib/base/err.h"
#include "lib/base/event-fields.h"
#include "lib/base/io.h"
#include "lib/base/parse.h"
#include "lib/data/reader.h"
#include "lib/data/writer.h"

#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <unistd.h>

enum { PAGE = 4096, PAGE_HEADER = 16, MOST_DEPTH = 24, TASKS = 64, MOST_FIELDS = 32 };

struct field {
	char name[40], type[48];
	unsigned int offset, size;
};

/* What is needed of an event's format to fill in a record. */
struct event {
	unsigned int id, size; /* the size is that of a record without dynamic data */
	struct field fields[MOST_FIELDS];
	size_t n;
};

struct gen {
	struct datfile *meta;
	VEC(uint64_t) functions; /* addresses of the text symbols */
	struct event entry, exit, function;
	struct event mixed[24];
	size_t nmixed;
	uint64_t seed;
	unsigned long lost_every;
	bool program;
};

/* A task's stack of calls. */
struct task {
	int pid;
	unsigned int depth;
	struct {
		uint64_t func, since;
	} calls[MOST_DEPTH];
};

struct cpu {
	struct gen *gen;
	unsigned int nr;
	int fd;
	uint64_t random, ts;
	uint64_t page_ts, pages, size;
	uint32_t used;
	struct task tasks[TASKS], *current;
	uint8_t page[PAGE];
};

static uint64_t draw(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15ULL);

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

/* Returns a number from @least to @least << @bits. Small numbers are far more frequent than large ones, as with durations. */
static uint64_t draw_span(struct cpu *cpu, uint64_t least, unsigned int bits)
{
	uint64_t r = draw(&cpu->random);
	unsigned int shift = (unsigned int)__builtin_ctzll(r | 1ULL << bits);

	return (least + (r >> 32) % least) << shift;
}

static void flush(struct cpu *cpu)
{
	uint64_t commit = cpu->used;

	if (!cpu->used)
		return;
	if (cpu->gen->lost_every && cpu->pages && cpu->pages % cpu->gen->lost_every == 0) {
		commit |= 1U << 31;
		if (PAGE - PAGE_HEADER - cpu->used >= 8) {
			uint64_t n = 1 + draw(&cpu->random) % 1000;

			commit |= 1U << 30;
			memcpy(cpu->page + PAGE_HEADER + cpu->used, &n, 8);
		}
	}
	memcpy(cpu->page, &cpu->page_ts, 8);
	memcpy(cpu->page + 8, &commit, 8);
	if (io_write(cpu->fd, cpu->page, PAGE))
		exit(fail(ENOSPC, "cannot write the pages") != 0);
	memset(cpu->page, 0, PAGE);
	cpu->pages++;
	cpu->size += PAGE;
	cpu->used = 0;
}

/* Makes room for an event of @size bytes at the current time. */
static void *event_begin(struct cpu *cpu, uint64_t *last, uint32_t size)
{
	uint32_t need = size + (size > 28 * 4 ? 8 : 4);
	uint64_t delta = cpu->ts - *last;
	uint32_t head[2];
	uint8_t *at;

	if (!cpu->used || cpu->used + need + 8 > PAGE - PAGE_HEADER) {
		flush(cpu);
		cpu->page_ts = cpu->ts;
		delta = 0;
	}
	*last = cpu->ts;
	at = cpu->page + PAGE_HEADER + cpu->used;
	if (delta >> 27) {
		head[0] = 30 | (uint32_t)(delta & ((1 << 27) - 1)) << 5;
		head[1] = (uint32_t)(delta >> 27);
		memcpy(at, head, 8);
		at += 8;
		cpu->used += 8;
		delta = 0;
	}
	cpu->used += need;
	head[0] = (uint32_t)delta << 5 | (size > 28 * 4 ? 0 : size / 4);
	head[1] = size + 4;
	memcpy(at, head, need - size);
	return at + (need - size);
}

static void put(uint8_t *event, const struct event *format, const char *name, uint64_t value)
{
	for (size_t i = 0; i < format->n; i++)
		if (strcmp(format->fields[i].name, name) == 0)
			memcpy(event + format->fields[i].offset, &value, MIN(format->fields[i].size, 8U));
}

static void put_common(uint8_t *event, const struct event *format, const struct cpu *cpu)
{
	put(event, format, "common_type", format->id);
	put(event, format, "common_pid", (uint64_t)cpu->current->pid);
	put(event, format, "common_preempt_count", cpu->current->depth > 12);
}

static uint64_t any_function(struct cpu *cpu)
{
	/* A few functions are called most often. */
	uint64_t r = draw(&cpu->random), n = cpu->gen->functions.n;

	return cpu->gen->functions.at[r % 64 ? (r >> 8) % 400 * (n / 400) : (r >> 8) % n];
}

/* Half of the functions of a program call nothing. */
static bool is_leaf(const struct gen *gen, uint64_t function)
{
	return gen->program && draw(&function) % 2;
}

/* A program has 2000 functions. Of the eight that one calls, each is called half as often as the one before. A stack begins with one of 40. */
static uint64_t callee(struct cpu *cpu)
{
	const struct task *task = cpu->current;
	uint64_t r = draw(&cpu->random), caller = task->depth ? task->calls[task->depth - 1].func : 0;

	if (!cpu->gen->program)
		return any_function(cpu);
	caller += 0x10001 * (task->depth ? (uint64_t)__builtin_ctzll(r | 1 << 7) : r % 40);
	return cpu->gen->functions.at[draw(&caller) % 2000 * (cpu->gen->functions.n / 2000)];
}

static void enter(struct cpu *cpu, uint64_t *last)
{
	const struct event *format = &cpu->gen->entry;
	struct task *task = cpu->current;
	uint8_t *event = event_begin(cpu, last, format->size);

	task->calls[task->depth].func = callee(cpu);
	task->calls[task->depth].since = cpu->ts;
	put_common(event, format, cpu);
	put(event, format, "func", task->calls[task->depth].func);
	put(event, format, "depth", task->depth);
	task->depth++;
}

static void leave(struct cpu *cpu, uint64_t *last)
{
	const struct event *format = &cpu->gen->exit;
	struct task *task = cpu->current;
	uint8_t *event = event_begin(cpu, last, format->size);

	task->depth--;
	put_common(event, format, cpu);
	put(event, format, "func", task->calls[task->depth].func);
	put(event, format, "depth", task->depth);
	put(event, format, "calltime", task->calls[task->depth].since);
	put(event, format, "rettime", cpu->ts);
}

static void graph(struct cpu *cpu, uint64_t *last)
{
	struct task *task = cpu->current;
	unsigned int likely = task->depth < 5 ? 85 : task->depth < 9 ? 62 : 40; /* percent */
	bool call = task->depth < MOST_DEPTH && draw(&cpu->random) % 100 < likely;

	cpu->ts += draw_span(cpu, 40, 10);
	call &= !task->depth || !is_leaf(cpu->gen, task->calls[task->depth - 1].func);
	if (!task->depth || call)
		enter(cpu, last);
	/* Most calls have no callee. */
	if (task->depth && (!call || draw(&cpu->random) % 100 < 62)) {
		cpu->ts += draw_span(cpu, 60, 14);
		leave(cpu, last);
	}
}

/* Calls a function. Its caller is the function that was called last, one of its callers, or a function outside the stack. */
static void function(struct cpu *cpu, uint64_t *last)
{
	const struct event *format = &cpu->gen->function;
	struct task *task = cpu->current;
	uint64_t parent;
	uint8_t *event;

	cpu->ts += draw_span(cpu, 80, 10);
	while (task->depth && (task->depth == MOST_DEPTH || draw(&cpu->random) % 100 < (task->depth < 8 ? 45 : 60)))
		task->depth--;
	parent = task->depth ? task->calls[task->depth - 1].func : any_function(cpu);
	task->calls[task->depth].func = any_function(cpu);
	event = event_begin(cpu, last, format->size);
	put_common(event, format, cpu);
	put(event, format, "ip", task->calls[task->depth++].func);
	put(event, format, "parent_ip", parent + 0x1c);
}

/* Returns a plausible value for a field of that name. */
static uint64_t likely_value(struct cpu *cpu, const struct field *field)
{
	uint64_t r = draw(&cpu->random);

	if (strstr(field->name, "pid"))
		return (uint64_t)cpu->tasks[r % TASKS].pid;
	if (strstr(field->name, "prio"))
		return 120;
	if (strstr(field->name, "function") || strcmp(field->name, "call_site") == 0)
		return any_function(cpu);
	if (strchr(field->type, '*') || strcmp(field->name, "args") == 0)
		return 0xffff888000000000ULL + (r & 0xfffffff0);
	if (strcmp(field->name, "now") == 0 || strcmp(field->name, "expires") == 0)
		return cpu->ts + (r & 0xffff);
	if (strcmp(field->name, "id") == 0)
		return r % 330;
	if (strcmp(field->name, "prev_state") == 0)
		return r & 3;
	return r & (field->size == 8 ? 0xffff : 7);
}

static void mixed(struct cpu *cpu, uint64_t *last)
{
	const struct event *format = &cpu->gen->mixed[draw(&cpu->random) % cpu->gen->nmixed];
	static const char text[16] = "kworker/u4:2";
	uint32_t size = (format->size + 3) & ~3U, dynamic = size;
	uint8_t *event;

	cpu->ts += draw_span(cpu, 300, 12);
	for (size_t i = 0; i < format->n; i++)
		size += strstr(format->fields[i].type, "__data_loc") ? 16 : 0;
	event = event_begin(cpu, last, size);
	put_common(event, format, cpu);
	for (size_t i = 0; i < format->n; i++) {
		const struct field *field = &format->fields[i];
		uint64_t value;

		if (str_starts(field->name, "common_"))
			continue;
		if (strstr(field->type, "__data_loc")) {
			put(event, format, field->name, dynamic | 13U << 16);
			memcpy(event + dynamic, text, 16);
			dynamic += 16;
			continue;
		}
		if (field->size == 16 && strstr(field->type, "char")) {
			snprintf((char *)event + field->offset, 16, "task-%u", (unsigned int)(draw(&cpu->random) % TASKS));
			continue;
		}
		for (unsigned int at = 0; at < field->size; at += 8) {
			value = likely_value(cpu, field);
			memcpy(event + field->offset + at, &value, MIN(field->size - at, 8U));
		}
	}
	if (format->id == cpu->gen->mixed[0].id)
		cpu->current = &cpu->tasks[draw(&cpu->random) % TASKS];
}

static void make_cpu(struct cpu *cpu, void (*step)(struct cpu *, uint64_t *), uint64_t size)
{
	uint64_t last = 0;

	cpu->ts = 100 * NSEC_PER_SEC + cpu->nr * 37;
	for (int i = 0; i < TASKS; i++)
		cpu->tasks[i].pid = 1000 + (int)cpu->nr * TASKS + i;
	cpu->current = cpu->tasks;
	while (cpu->size < size) {
		step(cpu, &last);
		if (draw(&cpu->random) % 3000 == 0) {
			/* Switches to another task, sometimes after an idle time. */
			cpu->current = &cpu->tasks[draw(&cpu->random) % TASKS];
			cpu->ts += draw(&cpu->random) % 16 ? 2000 : 200 * 1000 * 1000;
		}
	}
	flush(cpu);
}

static bool find_event(const struct gen *gen, const char *name, struct event *out)
{
	char first[64];

	*out = (struct event){ 0 };
	snprintf(first, sizeof(first), "name: %s\nID: ", name);
	vec_each (&gen->meta->meta.formats, event) {
		const char *at = event->format.at;
		struct text declared, field_name;

		if (!str_starts(at, first))
			continue;
		out->id = (unsigned int)strtoul(at + strlen(first), NULL, 10);
		while (out->n < MOST_FIELDS && format_next_field(&at, &declared, &field_name)) {
			struct field *field = &out->fields[out->n];

			if (sscanf(at, "; offset:%u; size:%u", &field->offset, &field->size) != 2)
				continue;
			snprintf(field->name, sizeof(field->name), "%.*s", prec(field_name.size), field_name.at);
			snprintf(field->type, sizeof(field->type), "%.*s", prec((size_t)(field_name.at - declared.at)), declared.at);
			out->size = MAX(out->size, field->offset + field->size);
			out->n++;
		}
		out->size = (out->size + 3) & ~3U;
		return true;
	}
	return false;
}

static int learn(struct gen *gen)
{
	static const char *const names[] = {
		"sched_switch",	       "sched_waking",	    "sched_wakeup",  "irq_handler_entry",
		"irq_handler_exit",    "softirq_raise",	    "softirq_entry", "softirq_exit",
		"timer_start",	       "timer_cancel",	    "hrtimer_start", "hrtimer_expire_entry",
		"hrtimer_expire_exit", "sys_enter",	    "sys_exit",	     "kmem_cache_alloc",
		"kmem_cache_free",     "kmalloc",	    "kfree",	     "mm_page_alloc",
		"block_rq_issue",      "block_rq_complete",
	};
	struct text rest = gen->meta->meta.kallsyms, line;

	if (!find_event(gen, "funcgraph_entry", &gen->entry) || !find_event(gen, "funcgraph_exit", &gen->exit) || !find_event(gen, "function", &gen->function))
		return fail(ENOENT, "%s has no formats of the function tracers", gen->meta->path);
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		gen->nmixed += find_event(gen, names[i], &gen->mixed[gen->nmixed]);
	while (text_line(&rest, &line)) {
		char *type;
		uint64_t address = strtoull(line.at, &type, 16);

		if (address && (str_starts(type, " t ") || str_starts(type, " T ")) && vec_push(&gen->functions, address))
			return -ENOMEM;
	}
	if (gen->functions.n < 2000 || !gen->nmixed)
		return fail(ENOENT, "%s knows too few functions or events", gen->meta->path);
	return 0;
}

static int name_tasks(struct gen *gen, uint64_t cpus)
{
	struct str names = { 0 };

	for (uint64_t i = 0; i < cpus * TASKS; i++)
		str_addf(&names, "%llu task-%llu\n", 1000ULL + (unsigned long long)i, (unsigned long long)i % TASKS);
	free(gen->meta->meta.cmdlines.at);
	gen->meta->meta.cmdlines.size = names.len;
	gen->meta->meta.cmdlines.at = str_take(&names);
	return gen->meta->meta.cmdlines.at ? 0 : -ENOMEM;
}

struct wish {
	void (*step)(struct cpu *cpu, uint64_t *last);
	uint64_t size, cpus, format, seed, lost;
	bool program;
	const char *codec;
};

static int parse_wish(int argc, char **argv, struct wish *w)
{
	static const struct option rows[] = {
		{ "type", 1, NULL, 't' },  { "size", 1, NULL, 's' }, { "cpus", 1, NULL, 'c' }, { "format", 1, NULL, 'f' },
		{ "codec", 1, NULL, 'z' }, { "lost", 1, NULL, 'l' }, { "seed", 1, NULL, 'r' }, { 0 },
	};
	int opt, err = 0;

	*w = (struct wish){ .step = graph, .size = 16 << 20, .cpus = 2, .format = 6 };
	while ((opt = getopt_long(argc, argv, "", rows, NULL)) != -1 && !err) {
		switch (opt) {
		case 't':
			w->step = strchr("gp", optarg[0]) ? graph : optarg[0] == 'f' ? function : mixed;
			w->program = optarg[0] == 'p';
			break;
		case 's':
			err = parse_size(optarg, 1, &w->size);
			break;
		case 'z':
			w->codec = optarg;
			break;
		case 'c':
		case 'f':
		case 'l':
		case 'r':
			err = parse_u64(optarg, opt == 'c' ? &w->cpus : opt == 'f' ? &w->format : opt == 'l' ? &w->lost : &w->seed);
			break;
		default:
			err = -EINVAL;
			break;
		}
	}
	if (err || argc - optind != 2 || !w->cpus || w->cpus > 4096)
		return fail(
			EINVAL,
			"usage: gen [--type graph|program|function|mixed] [--size BYTES] [--cpus N] [--format 6|7] [--codec NAME] [--lost N] [--seed N] META.dat OUT.dat");
	return 0;
}

static int make_buffer(struct gen *gen, const struct wish *w, struct write_buffer *out)
{
	for (unsigned int nr = 0; nr < w->cpus; nr++) {
		struct cpu *cpu = calloc(1, sizeof(*cpu));
		char spool[] = "/var/tmp/ringside-gen-XXXXXX";
		struct write_cpu row = { .cpu = nr };

		if (!cpu)
			return -ENOMEM;
		*cpu = (struct cpu){ .gen = gen, .nr = nr, .fd = mkstemp(spool), .random = w->seed * 4096 + nr };
		if (cpu->fd < 0)
			return fail(errno, "%s: %m", spool);
		unlink(spool);
		make_cpu(cpu, w->step, w->size / w->cpus);
		row.fd = cpu->fd;
		row.size = cpu->size;
		free(cpu);
		if (vec_push(&out->cpus, row))
			return -ENOMEM;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct gen gen = { 0 };
	struct write_buffer buffer = { .name = "", .page_size = PAGE };
	struct write_options how = { 0 };
	struct wish w;
	int fd, err = parse_wish(argc, argv, &w);

	if (err || datfile_open(&gen.meta, argv[optind]) || learn(&gen))
		return 1;
	gen.lost_every = w.lost;
	gen.program = w.program;
	how.version = (unsigned int)w.format;
	how.codec = w.codec ? codec_find(w.codec) : NULL;
	gen.meta->meta.ncpus = (uint32_t)w.cpus;
	err = name_tasks(&gen, w.cpus) ?: make_buffer(&gen, &w, &buffer);
	fd = open(argv[optind + 1], O_RDWR | O_CREAT | O_TRUNC, 0644);
	if (fd < 0)
		return fail(errno, "%s: %m", argv[optind + 1]) != 0;
	if (!err)
		err = pool_new(&how.pool, pool_default_threads());
	if (!err)
		err = datfile_write(fd, argv[optind + 1], &gen.meta->meta, &buffer, 1, &how);
	pool_free(how.pool);
	vec_each (&buffer.cpus, cpu)
		close(cpu->fd);
	vec_fini(&buffer.cpus);
	vec_fini(&gen.functions);
	datfile_close(gen.meta);
	return err != 0;
}
