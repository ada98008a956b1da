/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes a trace, and prints the answers that `funcs` and `graph` must give for it. The answers are computed while the trace is made, never from the file.
 * The program simulates a small machine: on its CPUs, tasks call functions, are interrupted, sleep, are woken and migrate.
 *
 * machine [options] META.dat OUT.dat >ANSWERS
 *	--calls N --functions N --cpus N --tasks N --seed N	(20000, 40, 2, 6, 1)
 *	--irqs events|graph|both	there are interrupts, recorded by irq:* events, by functions that run in their context, or by both
 *	--switches			tasks sleep, are woken and are preempted
 *	--migrate			with --switches: tasks may run on another CPU afterwards
 *	--lose N			events are lost on a CPU after about one event in N
 *	--lose-sched N			the same in the scheduler's own buffer (--two)
 *	--tsc				the times are ticks of a TSC
 *	--two				the scheduler's events are in a buffer of their own
 * An answer is a line: "F NAME" for a function or "P PATH" for a path, then calls cut total self off blocked queued preempted irq min max p50 p90 p99.
 * "-" stands for a number that cannot be known. From META.dat only the formats are used. A call that is open when the recording begins or ends is cut.
 */
#include "lib/base/err.h"
#include "lib/base/parse.h"
#include "lib/data/writer.h"
#include "tests/tools/machine/machine.h"

#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <unistd.h>

static const char *const event_names[EVENTS] = { "funcgraph_entry",   "funcgraph_exit",	  "sched_switch",  "sched_waking",
						 "irq_handler_entry", "irq_handler_exit", "softirq_entry", "softirq_exit" };
static const char *const event_fields[EVENTS][4] = {
	{ "func", "depth" },
	{ "func", "depth", "calltime", "rettime" },
	{ "prev_pid", "prev_state", "next_pid" },
	{ "pid" },
	{ "irq", "name" },
	{ "irq" },
	{ "vec" },
	{ "vec" },
};

/* --- answers ------------------------------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return ORDER(x, y);
}

static void name_of(const struct plan *plan, uint32_t func, char buf[32])
{
	const uint64_t beyond = func - plan->nfuncs - IRQ_FUNCTIONS;

	if (func < plan->nfuncs + IRQ_FUNCTIONS)
		snprintf(buf, 32, "%s_%u", func < plan->nfuncs ? "fn" : "irqfn", func);
	else
		snprintf(buf, 32, "%s", beyond == HARD_NAME ? "irq:timer" : "softirq:NET_RX");
}

static void answer(const struct plan *plan, struct figures *stat)
{
	const uint64_t known[] = { stat->calls, stat->cut, stat->total, stat->self, stat->off, stat->blocked, stat->queued, stat->preempted, stat->irq };
	static const unsigned int mille[] = { 500, 900, 990 };

	for (unsigned int i = 0; i < ARRAY_LEN(known); i++)
		if (stat->calls || i < 2)
			printf(" %llu", (unsigned long long)(plan->switches || i < 4 || i > 7 ? known[i] : 0));
	if (!stat->calls) {
		printf(" - - - - - - - - - - - -\n");
		return;
	}
	qsort(stat->took.at, stat->took.n, sizeof(stat->took.at[0]), by_size);
	printf(" %llu %llu", (unsigned long long)stat->took.at[0], (unsigned long long)stat->took.at[stat->took.n - 1]);
	for (unsigned int i = 0; i < ARRAY_LEN(mille); i++) {
		if ((1000 - mille[i]) * stat->calls < 1000)
			printf(" -");
		else
			printf(" %llu", (unsigned long long)stat->took.at[(stat->calls * mille[i] + 999) / 1000 - 1]);
	}
	printf("\n");
}

static void print_path(struct plan *plan, uint32_t path)
{
	const uint64_t key = map_at(&plan->paths, path - 1)->key;
	char name[32];

	if (key >> 32) {
		print_path(plan, (uint32_t)(key >> 32));
		printf(";");
	}
	name_of(plan, (uint32_t)key, name);
	printf("%s", name);
}

static void answers(struct plan *plan)
{
	char name[32];

	/* Handlers that their events tell are no functions. */
	for (uint32_t i = 0; i < plan->nfuncs + IRQ_FUNCTIONS; i++) {
		if (!plan->funcs[i].calls && !plan->funcs[i].cut)
			continue;
		name_of(plan, i, name);
		printf("F %s", name);
		answer(plan, &plan->funcs[i]);
	}
	for (uint32_t i = 0; i < map_count(&plan->paths); i++) {
		if (!map_at(&plan->paths, i)->value.calls || (uint32_t)map_at(&plan->paths, i)->key >= plan->nfuncs + IRQ_FUNCTIONS)
			continue;
		printf("P ");
		print_path(plan, i + 1);
		answer(plan, &map_at(&plan->paths, i)->value);
	}
}

/* --- the file ------------------------------------------------------------------------------------------------------ */

/* Where the fields are in this kernel's format, and how large a record is. */
static int find_form(const struct metadata *meta, enum event what, struct form *form)
{
	vec_each (&meta->formats, event) {
		struct text rest = event->format, line;
		char *name = NULL;
		bool mine = format_head(&event->format, &name, &form->id) == 0 && strcmp(name, event_names[what]) == 0;

		free(name);
		if (!mine)
			continue;
		while (text_line(&rest, &line)) {
			char copy[200];
			const char *at;
			unsigned int offset, size;

			snprintf(copy, sizeof(copy), "%.*s", prec(line.size), line.at);
			at = strstr(copy, "offset:");
			if (at && sscanf(at, "offset:%u;\tsize:%u;", &offset, &size) == 2)
				form->size = MAX(form->size, (offset + size + 3) & ~3U);
		}
		for (unsigned int i = 0; i < 4 && event_fields[what][i]; i++)
			if (!format_field(&event->format, event_fields[what][i], &form->field[i]))
				return fail(EINVAL, "%s has no field %s", event_names[what], event_fields[what][i]);
		return 0;
	}
	return fail(ENOENT, "there is no format of %s", event_names[what]);
}

static void replace(struct text *text, struct str *with)
{
	free(text->at);
	text->size = with->len;
	text->at = str_take(with);
}

static int prepare(struct plan *plan)
{
	struct metadata *meta = &plan->meta->meta;
	struct str names = { 0 }, tasks = { 0 };
	struct page_format format;
	char name[32];
	int err = page_format_parse(&format, &meta->header_page, meta->big_endian, meta->user_long_size);

	for (unsigned int i = 0; i < EVENTS && !err; i++)
		err = find_form(meta, i, &plan->forms[i]);
	for (uint32_t i = 0; i < plan->nfuncs + IRQ_FUNCTIONS; i++) {
		name_of(plan, i, name);
		str_addf(&names, "%llx t %s\n", (unsigned long long)machine_address(i), name);
	}
	for (unsigned int i = 0; i < plan->ntasks; i++)
		str_addf(&tasks, "%d task-%u\n", plan->tasks[i].pid, i);
	replace(&meta->kallsyms, &names);
	replace(&meta->cmdlines, &tasks);
	meta->ncpus = (uint32_t)plan->ncpus;
	if (plan->tsc) {
		str_add(&names, "local global [x86-tsc]");
		replace(&meta->trace_clock, &names);
		meta->tsc2nsec = (struct tsc2nsec){ .present = true, .mult = TSC_MULT, .shift = TSC_SHIFT };
	}
	for (unsigned int i = 0; i < 2 * plan->ncpus && !err; i++) {
		char spool[] = "/var/tmp/ringside-machine-XXXXXX";
		int *fd = &plan->cpus[i / 2].fd[i % 2];

		err = page_writer_init(&plan->cpus[i / 2].page[i % 2], &format);
		*fd = mkstemp(spool);
		if (*fd < 0)
			return fail(errno, "%s: %m", spool);
		unlink(spool);
	}
	plan->funcs = calloc(plan->nfuncs + IRQ_FUNCTIONS + EVENT_NAMES, sizeof(*plan->funcs));
	return err || plan->funcs ? err : -ENOMEM;
}

static int write_file(struct plan *plan, const char *path)
{
	const char *clock = plan->tsc ? "x86-tsc" : "local";
	struct write_buffer buffers[2] = { { .name = "", .clock = clock, .page_size = PAGE }, { .name = "sched", .clock = clock, .page_size = PAGE } };
	struct write_options how = { .version = 7, .codec = codec_find("none") };
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644), err = 0;

	if (fd < 0)
		return fail(errno, "%s: %m", path);
	for (unsigned int i = 0; i < 2 * plan->ncpus && !err; i++) {
		struct cpu *cpu = &plan->cpus[i / 2];

		if (cpu->page[i % 2].begun)
			machine_write_page(cpu, i % 2);
		err = vec_push(&buffers[i % 2].cpus, (struct write_cpu){ .cpu = i / 2, .fd = cpu->fd[i % 2], .size = cpu->size[i % 2] });
	}
	err = err ? err : datfile_write(fd, path, &plan->meta->meta, buffers, plan->two ? 2 : 1, &how);
	vec_fini(&buffers[0].cpus);
	vec_fini(&buffers[1].cpus);
	close(fd);
	return err;
}

static int parse(struct plan *plan, int argc, char **argv)
{
	/* clang-format off */
	static const struct option rows[] = {
		{ "calls", 1, NULL, 'n' }, { "functions", 1, NULL, 'f' }, { "cpus", 1, NULL, 'c' }, { "tasks", 1, NULL, 't' }, { "seed", 1, NULL, 'r' },
		{ "irqs", 1, NULL, 'i' }, { "switches", 0, NULL, 's' }, { "migrate", 0, NULL, 'm' }, { "lose", 1, NULL, 'l' }, { "lose-sched", 1, NULL, 'L' },
		{ "tsc", 0, NULL, 'k' }, { "two", 0, NULL, '2' }, { 0 },
	};
	/* clang-format on */
	int opt, err = 0;

	while ((opt = getopt_long(argc, argv, "", rows, NULL)) != -1 && !err) {
		switch (opt) {
		case 'n':
			err = parse_u64(optarg, &plan->ncalls);
			break;
		case 'f':
			err = parse_u64(optarg, &plan->nfuncs);
			break;
		case 'c':
			err = parse_u64(optarg, &plan->ncpus);
			break;
		case 't':
			err = parse_u64(optarg, &plan->ntasks);
			break;
		case 'r':
			err = parse_u64(optarg, &plan->seed);
			break;
		case 'l':
			err = parse_u64(optarg, &plan->lose[0]);
			break;
		case 'L':
			err = parse_u64(optarg, &plan->lose[1]);
			break;
		case 'i':
			plan->irqs = optarg[0] == 'e' ? IRQ_EVENTS : optarg[0] == 'g' ? IRQ_GRAPH : IRQ_EVENTS | IRQ_GRAPH;
			break;
		case 's':
			plan->switches = true;
			break;
		case 'm':
			plan->migrate = true;
			break;
		case 'k':
			plan->tsc = true;
			break;
		case '2':
			plan->two = true;
			break;
		default:
			err = -EINVAL;
			break;
		}
	}
	if (err || argc - optind != 2 || !plan->ncpus || plan->ncpus > MOST_CPUS || !plan->ntasks || plan->ntasks > MOST_TASKS || !plan->nfuncs)
		return fail(EINVAL, "usage: machine [OPTION...] META.dat OUT.dat; the options stand at the top of tests/tools/machine.c");
	return 0;
}

int main(int argc, char **argv)
{
	struct plan *plan = calloc(1, sizeof(*plan));
	int err;

	if (!plan)
		return 1;
	*plan = (struct plan){ .ncalls = 20000, .nfuncs = 40, .ncpus = 2, .ntasks = 6, .seed = 1 };
	if (parse(plan, argc, argv) || datfile_open(&plan->meta, argv[optind]) || datfile_ready(plan->meta))
		return 1;
	plan->random = plan->seed * 1000003;
	for (unsigned int i = 0; i < plan->ntasks; i++)
		plan->tasks[i].pid = 100 + (int)i;
	err = prepare(plan);
	if (!err) {
		machine_play(plan);
		err = write_file(plan, argv[optind + 1]);
	}
	if (!err)
		answers(plan);
	return err != 0;
}
