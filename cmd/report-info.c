/* SPDX-License-Identifier: GPL-2.0 */
/* ringside report: prints what options ask for instead of the records. */
#include "cmd/report.h"
#include "cmd/check-events.h"
#include "cmd/pattern.h"
#include "lib/base/err.h"
#include "lib/data/merge.h"
#include "lib/event/tep.h"
#include "lib/event/text.h"

#include <stdio.h>
#include <unistd.h>

static const char *order_name(bool big)
{
	return big ? "big" : "little";
}

static int print_byte_order(struct report *report)
{
	printf("file is %s endian and host is %s endian\n", order_name(report->read.reading.inputs.at[0].file->meta.big_endian),
	       order_name(__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__));
	return 0;
}

static int print_page_size(struct report *report)
{
	printf("file page size is %u, and host page size is %ld\n", report->read.reading.inputs.at[0].file->meta.page_size, sysconf(_SC_PAGESIZE));
	return 0;
}

static void print_function(__unused void *ctx, const struct symbol *sym)
{
	printf("%016llx %s%s%s%s\n", (unsigned long long)sym->addr, sym->name, sym->module ? " [" : "", sym->module ? sym->module : "", sym->module ? "]" : "");
}

static int print_functions(struct report *report)
{
	symbols_each(report->read.reading.inputs.at[0].trace->symbols, print_function, NULL);
	return 0;
}

static void print_string(__unused void *ctx, uint64_t addr, const char *string)
{
	printf("%016llx %s\n", (unsigned long long)addr, string);
}

static int print_printk(struct report *report)
{
	printk_each(trace_printk(report->read.reading.inputs.at[0].trace), print_string, NULL);
	return 0;
}

static int compare_events(const void *a, const void *b)
{
	const struct event *x = *(struct event *const *)a, *y = *(struct event *const *)b;
	int order = strcmp(x->system, y->system);

	return order ? order : strcmp(x->name, y->name);
}

static void sort_events(struct trace *trace)
{
	if (trace->events.n)
		qsort(trace->events.at, trace->events.n, sizeof(trace->events.at[0]), compare_events);
}

static int print_event_names(struct report *report)
{
	struct trace *trace = report->read.reading.inputs.at[0].trace;

	sort_events(trace);
	vec_each (&trace->events, event)
		printf("%s:%s\n", (*event)->system, (*event)->name);
	return 0;
}

static void print_format(const struct event *event, const char **system)
{
	if (!*system || strcmp(*system, event->system))
		printf("\nsystem: %s\n", event->system);
	*system = event->system;
	fwrite(event->format->at, 1, event->format->size, stdout);
	putchar('\n');
}

static int print_formats(struct report *report)
{
	const inputs_t first = { .at = report->read.reading.inputs.at, .n = 1 };
	struct trace *trace = first.at->trace;
	const char *system = NULL;
	struct select *sel;

	/* An --only-event that matches no event is reported as it is for records. */
	if (select_new(&sel, &first, &report->read.reading.select))
		return 1;
	sort_events(trace);
	vec_each (&trace->events, event)
		if (select_event(sel, *event))
			print_format(*event, &system);
	select_free(sel);
	return 0;
}

/* Prints the formats of the events that match. Returns 1 if there are any. */
static int print_matching(void *ctx, const struct pattern *p)
{
	const struct trace *trace = ctx;
	const char *system = NULL;

	vec_each (&trace->events, event)
		if (pattern_matches(p, (*event)->system, (*event)->name))
			print_format(*event, &system);
	return system != NULL;
}

static int no_such_event(const struct trace *trace, const char *text)
{
	__cleanup(free_ptr) char *near = NULL;
	strv_t names = { 0 }, best = { 0 };

	vec_each (&trace->events, event)
		strv_add(&names, (*event)->name);
	nearest_names(text, &names, 3, &best);
	near = join_names(&best, "; nearest: ", "");
	strv_fini(&names);
	strv_fini(&best);
	fail(ENOENT, "--event %s: the file describes no event that matches%s", text, near ? near : "; -E lists them");
	return 2;
}

/* Handles --event, a regular expression like that of `list -e`. Returns the exit status. */
static int print_event(struct trace *trace, const char *text)
{
	int found = pattern_either("--event", text, print_matching, trace);

	return found > 0 ? 0 : found == -ENOMEM ? 1 : found ? 2 : no_such_event(trace, text);
}

static int print_events(struct report *report)
{
	struct trace *trace = report->read.reading.inputs.at[0].trace;
	int status = 0;

	sort_events(trace);
	vec_each (&report->event_patterns, text) {
		int its = print_event(trace, *text);

		status = its ? its : status;
	}
	return status;
}

static int print_filters(struct report *report)
{
	const inputs_t first = { .at = report->read.reading.inputs.at, .n = 1 };
	strv_t texts = { 0 };
	struct select *sel;
	int err = select_new(&sel, &first, &report->read.reading.select);

	if (err)
		return err == -EINVAL ? 2 : 1;
	err = select_filter_text(sel, &texts);
	vec_each (&texts, text)
		printf(" '%s'\n", *text);
	strv_fini(&texts);
	select_free(sel);
	return err ? 1 : 0;
}

static int check_events(struct report *report)
{
	struct checked checked = { 0 };

	vec_each (&report->read.reading.inputs, input)
		check_formats(input->trace, input->path, &checked);
	return checked_status(&checked);
}

static int print_stat(struct report *report)
{
	vec_each (&report->read.reading.inputs, input) {
		printf("cpus=%u\n\nKernel buffer statistics:\n"
		       "  Note: \"entries\" are the entries left in the kernel ring buffer and are not\n"
		       "        recorded in the trace data. They should all be zero.\n\n",
		       input->file->meta.ncpus);
		vec_each (&input->file->meta.cpustat, text)
			printf("%s\n", *text);
		putchar('\n');
		vec_each (&input->file->buffers, buffer)
			vec_each (&buffer->cpus, cpu)
				printf("CPU%u data recorded at offset=0x%llx\n    %llu bytes in size\n", cpu->cpu, (unsigned long long)cpu->offset,
				       (unsigned long long)cpu->size);
	}
	return 0;
}

static int print_text(struct report *report, size_t offset)
{
	vec_each (&report->read.reading.inputs, input) {
		const struct text *text = (const struct text *)((char *)&input->file->meta + offset);

		printf("cpus=%u\n", input->file->meta.ncpus);
		if (text->size)
			printf("%s\n", text->at);
	}
	return 0;
}

static int print_uname(struct report *report)
{
	return print_text(report, offsetof(struct metadata, uname));
}

static int print_version(struct report *report)
{
	return print_text(report, offsetof(struct metadata, version));
}

struct ends_cpu {
	uint64_t first, last;
	bool any;
};

/* The times of the first and last record of each CPU in all buffers. */
struct ends {
	struct report *report;
	const struct input *input;
	VEC(struct ends_cpu) cpus;
	int err;
};

static void add_end(void *ctx, const struct merge_end *end)
{
	struct ends *ends = ctx;
	uint64_t first = clock_time(&ends->input->clock, end->cpu, end->first);
	uint64_t last = clock_time(&ends->input->clock, end->cpu, end->last);
	struct ends_cpu *cpu;

	while (!ends->err && ends->cpus.n <= end->cpu)
		ends->err = vec_push(&ends->cpus, (struct ends_cpu){ 0 });
	if (ends->err)
		return;
	cpu = &ends->cpus.at[end->cpu];
	cpu->first = cpu->any ? MIN(cpu->first, first) : first;
	cpu->last = MAX(cpu->last, last);
	cpu->any = true;
}

static void print_ends_of(const struct ends *ends)
{
	const struct report *report = ends->report;
	bool ns = input_in_ns(ends->input, ~0U);
	struct str text = { 0 };

	printf("List of CPUs in %s with data:\n", ends->input->path);
	for (size_t cpu = 0; cpu < ends->cpus.n; cpu++) {
		if (!ends->cpus.at[cpu].any)
			continue;
		str_clear(&text);
		str_addf(&text, "  %zu", cpu);
		if (report->first) {
			str_add(&text, "\tFirst event:");
			text_time(ends->cpus.at[cpu].first, ns, report->read.reading.exact, &text);
		}
		if (report->last) {
			str_add(&text, "\tLast event:");
			text_time(ends->cpus.at[cpu].last, ns, report->read.reading.exact, &text);
		}
		puts(str_text(&text));
	}
	str_fini(&text);
}

static int print_ends(struct report *report)
{
	struct ends ends = { .report = report };

	for (size_t i = 0; !ends.err && i < report->read.reading.inputs.n; i++) {
		const struct input *input = &report->read.reading.inputs.at[i];
		struct merge_input in = { .file = input->file, .cpus = reading_cpus(&report->read.reading) };
		struct merge *merge = NULL;
		int err;

		ends.input = input;
		ends.cpus.n = 0;
		err = merge_open(&merge, &in, 1, NULL);
		if (!err)
			err = merge_ends(merge, add_end, &ends);
		merge_close(merge);
		ends.err = err ? err : ends.err;
		if (!ends.err)
			print_ends_of(&ends);
	}
	vec_fini(&ends.cpus);
	if (ends.err == -ENOMEM)
		fail(ENOMEM, "out of memory");
	return !!ends.err;
}

static int print_cpus(struct report *report)
{
	vec_each (&report->read.reading.inputs, input) {
		VEC(bool) cpus = { 0 };

		printf("List of CPUs in %s with data:\n", input->path);
		vec_each (&input->file->buffers, buffer) {
			vec_each (&buffer->cpus, cpu) {
				while (cpus.n <= cpu->cpu)
					if (vec_push(&cpus, false))
						return 1;
				cpus.at[cpu->cpu] |= cpu->size > 0;
			}
		}
		for (size_t cpu = 0; cpu < cpus.n; cpu++)
			if (cpus.at[cpu])
				printf("  %zu\n", cpu);
		vec_fini(&cpus);
	}
	return 0;
}

/* The rows are in trace-cmd's order of precedence. */
static const struct {
	size_t asked;
	int (*print)(struct report *report);
} rows[] = {
	{ offsetof(struct report, page_size), print_page_size },
	{ offsetof(struct report, byte_order), print_byte_order },
	{ offsetof(struct report, formats), print_formats },
	{ offsetof(struct report, some_formats), print_events },
	{ offsetof(struct report, check_events), check_events },
	{ offsetof(struct report, functions), print_functions },
	{ offsetof(struct report, printk), print_printk },
	{ offsetof(struct report, list_events), print_event_names },
	{ offsetof(struct report, version), print_version },
	{ offsetof(struct report, uname), print_uname },
	{ offsetof(struct report, stat), print_stat },
	{ offsetof(struct report, first), print_ends },
	{ offsetof(struct report, last), print_ends },
	{ offsetof(struct report, list_cpus), print_cpus },
	{ offsetof(struct report, test_filters), print_filters },
};

bool report_info(struct report *report, int *status)
{
	bool damaged = false;

	report->some_formats = report->event_patterns.n;
	/* -T has no effect without -F, as in trace-cmd. */
	report->test_filters &= report->read.reading.select.keep.n || report->read.reading.select.drop.n;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (!*(bool *)((char *)report + rows[i].asked))
			continue;
		*status = reading_ready(&report->read.reading) ? 1 : rows[i].print(report);
		vec_each (&report->read.reading.inputs, input)
			damaged |= input->file->damaged;
		*status = *status ? *status : damaged;
		return true;
	}
	return false;
}
