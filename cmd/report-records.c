/* SPDX-License-Identifier: GPL-2.0 */
/* ringside report: prints the records of its files. */
#include "cmd/report.h"
#include "cmd/output.h"
#include "lib/event/tep.h"
#include "lib/output/open-calls.h"
#include "lib/output/profile-text.h"

#include <stdio.h>

static size_t name_width(const inputs_t *inputs)
{
	size_t width = 0;

	vec_each (inputs, input)
		width = MAX(width, input->name ? strlen(input->name) : 0);
	return width;
}

static bool has_cpu(const struct datfile *file, uint32_t cpu)
{
	vec_each (&file->buffers, buffer)
		vec_each (&buffer->cpus, at)
			if (at->cpu == cpu && at->size)
				return true;
	return false;
}

/* Prints what -V asks for. */
static void print_verbose(const struct input *input, uint32_t ncpus)
{
	struct str plugins = { 0 };

	printf("version = %u\n", input->file->version);
	tep_plugins(input->trace, "registering plugin: ", &plugins);
	fputs(str_text(&plugins), stdout);
	str_fini(&plugins);
	for (uint32_t cpu = 0; cpu < ncpus; cpu++)
		if (!has_cpu(input->file, cpu))
			printf("CPU %u is empty\n", cpu);
}

void report_heads(const inputs_t *inputs, int verbose)
{
	size_t width = name_width(inputs);

	vec_each (inputs, input) {
		uint32_t n = input->file->meta.ncpus;

		vec_each (&input->file->buffers, buffer)
			vec_each (&buffer->cpus, at)
				n = MAX(n, at->cpu + 1);
		if (verbose >= 4)
			print_verbose(input, n);
		if (input->name)
			printf("%*s: ", (int)width, input->name);
		printf("cpus=%u\n", n);
	}
}

/* Prints a latency tracer's text unchanged. Returns false if there is none. */
static bool print_latency_texts(const inputs_t *inputs)
{
	bool any = false;

	vec_each (inputs, input) {
		vec_each (&input->file->buffers, buffer) {
			if (!buffer->latency)
				continue;
			fwrite(buffer->text.at, 1, buffer->text.size, stdout);
			any = true;
		}
	}
	return any;
}

/* Prints "cpus=N" and what belongs to it. Returns 1 if there is nothing else to print, 0, or a negative errno. */
static int print_front(void *ctx)
{
	const struct report *report = ctx;
	const inputs_t *inputs = &report->read.reading.inputs;
	bool latency;

	if (report->prof.as_table)
		return 0;
	if (!report->tree)
		report_heads(inputs, report->verbose);
	latency = print_latency_texts(inputs);
	return output_flush() ?: latency;
}

/* Adds the analyses in the order in which they are shown. */
static int add_analyses(struct report *report)
{
	const struct {
		bool wanted;
		const struct analysis *what;
		void *options;
	} rows[] = {
		{ report->tree, &tree_analysis, &report->tree_opts },
		{ report->profile, &profile_analysis, &report->prof },
		{ !report->tree && !report->profile, &lines_analysis, &report->read.lines },
		{ !report->profile, &open_calls_analysis, NULL },
		{ report->wakeups, &wakeups_analysis, &report->woken },
	};
	int err = 0;

	for (size_t i = 0; !err && i < ARRAY_LEN(rows); i++)
		if (rows[i].wanted)
			err = reading_add(&report->read.reading, rows[i].what, rows[i].options);
	return err;
}

int report_records(struct report *report)
{
	return add_analyses(report) ? 1 : reading_show_all(&report->read, print_front, report);
}
