/* SPDX-License-Identifier: GPL-2.0 */
/* ringside dump: prints what a trace file consists of, without the records. */
#include "cmd/commands.h"
#include "cmd/dump.h"
#include "cmd/default-input.h"
#include "lib/base/err.h"
#include "lib/data/format.h"
#include "lib/data/merge.h"

#include <inttypes.h>
#include <stdio.h>

struct dump {
	const char *input;
	bool validate, summary, all;
	bool head_page, head_event, ftrace_events, systems, events, kallsyms, printk, cmd_lines;
	bool options, sections, strings, flyrecord, clock;
	bool damaged;
	int level;
};

static int set_level(void *ctx, const struct opt *opt __unused, const char *value)
{
	return opt_level(value, &((struct dump *)ctx)->level);
}

bool dump_is_option(const struct datsection *section)
{
	return str_starts(section->name, "option ");
}

static void print_text(const struct text *text)
{
	if (text->size)
		fwrite(text->at, 1, text->size, stdout);
	putchar('\n');
}

static void format_heading(const struct datfile *file)
{
	printf("\n Tracing meta data in file %s:\n\t[Initial format]\n", file->path);
	printf("\t\t%u\t[Version]\n", file->version);
	printf("\t\t%d\t[%s endian]\n", file->meta.big_endian, file->meta.big_endian ? "Big" : "Little");
	printf("\t\t%u\t[Bytes in a long]\n", file->meta.user_long_size);
	printf("\t\t%u\t[Page size, bytes]\n", file->meta.page_size);
	if (file->version < 7)
		return;
	printf("\t\t%s\t[Compression algorithm]\n", file->codec ? file->codec->name : "none");
	printf("\t\t%s\t[Compression version]\n", file->codec_version ? file->codec_version : "");
}

static void head_page_heading(const struct datfile *file)
{
	printf("\t[Header page, %zu bytes]\n", file->meta.header_page.size);
}

static void head_page(struct dump *dump __unused, struct datfile *file)
{
	print_text(&file->meta.header_page);
}

static void head_event_heading(const struct datfile *file)
{
	printf("\t[Header event, %zu bytes]\n", file->meta.header_event.size);
}

static void head_event(struct dump *dump __unused, struct datfile *file)
{
	print_text(&file->meta.header_event);
}

static bool is_ftrace(const struct event_text *event)
{
	return strcmp(event->system, "ftrace") == 0;
}

static void ftrace_heading(const struct datfile *file)
{
	size_t n = 0;

	vec_each (&file->meta.formats, event)
		n += is_ftrace(event);
	printf("\t[Ftrace format, %zu events]\n", n);
}

static void ftrace_events(struct dump *dump __unused, struct datfile *file)
{
	vec_each (&file->meta.formats, event)
		if (is_ftrace(event))
			print_text(&event->format);
}

/* Returns the names of the systems other than ftrace, each once. The names are borrowed. */
static strv_t systems_of(const struct datfile *file)
{
	strv_t systems = { 0 };

	vec_each (&file->meta.formats, event)
		if (!is_ftrace(event) && !strv_has(&systems, event->system))
			(void)vec_push(&systems, event->system);
	return systems;
}

static void events_heading(const struct datfile *file)
{
	strv_t systems = systems_of(file);

	printf("\t[Events format, %zu systems]\n", systems.n);
	vec_fini(&systems);
}

static void events(struct dump *dump, struct datfile *file)
{
	strv_t systems = systems_of(file);

	vec_each (&systems, system) {
		size_t n = 0;

		vec_each (&file->meta.formats, event)
			n += strcmp(event->system, *system) == 0;
		if (dump->systems)
			printf("\t\t%s %zu [system, events]\n", *system, n);
	}
	vec_fini(&systems);
	if (!dump->events)
		return;
	vec_each (&file->meta.formats, event)
		if (!is_ftrace(event))
			print_text(&event->format);
}

static void kallsyms_heading(const struct datfile *file)
{
	printf("\t[Kallsyms, %zu bytes]\n", file->meta.kallsyms.size);
}

static void kallsyms(struct dump *dump __unused, struct datfile *file)
{
	print_text(&file->meta.kallsyms);
}

static void printk_heading(const struct datfile *file)
{
	printf("\t[Trace printk, %zu bytes]\n", file->meta.printk_formats.size);
}

static void printk(struct dump *dump __unused, struct datfile *file)
{
	print_text(&file->meta.printk_formats);
}

static void cmd_lines_heading(const struct datfile *file)
{
	printf("\t[Saved command lines, %zu bytes]\n", file->meta.cmdlines.size);
}

static void cmd_lines(struct dump *dump __unused, struct datfile *file)
{
	print_text(&file->meta.cmdlines);
}

static void options_heading(const struct datfile *file)
{
	size_t n = 0;

	vec_each (&file->sections, section)
		n += dump_is_option(section);
	printf("\t[%zu options]\n", n);
}

static void options(struct dump *dump __unused, struct datfile *file)
{
	dump_options(file);
}

static void buffer_heading(const struct datbuf *buf)
{
	uint64_t bytes = 0;

	printf("\t[buffer \"%s\", \"%s\" clock, ", buf->name, buf->clock ? buf->clock : "");
	if (buf->latency) {
		printf("latency data, %zu bytes]\n", buf->text.size);
		return;
	}
	vec_each (&buf->cpus, cpu)
		bytes += cpu->size;
	printf("%u page size, %zu cpus, %" PRIu64 " bytes flyrecord data]\n", buf->page_size, buf->cpus.n, bytes);
}

static void flyrecord_heading(const struct datfile *file)
{
	printf("\t%u [CPUs with tracing data]\n", file->meta.ncpus);
	vec_each (&file->buffers, buf)
		buffer_heading(buf);
}

static void flyrecord(struct dump *dump __unused, struct datfile *file)
{
	vec_each (&file->buffers, buf) {
		if (buf->latency)
			continue;
		printf("\t[Flyrecord tracing data%s%s]\n", buf->name[0] ? " of " : "", buf->name);
		vec_each (&buf->cpus, cpu)
			printf("\t %10" PRIu64 " %10" PRIu64 "\t[offset, size of cpu %u]\n", cpu->offset, cpu->size, cpu->cpu);
	}
}

static void clocks(struct dump *dump __unused, struct datfile *file)
{
	print_text(&file->meta.trace_clock);
	vec_each (&file->buffers, buf)
		if (buf->clock)
			printf("\t[Tracing clock%s%s]\n\t\t[%s]\n", buf->name[0] ? " of " : "", buf->name, buf->clock);
}

static void sections_heading(const struct datfile *file)
{
	size_t n = 0;

	vec_each (&file->sections, section)
		n += !dump_is_option(section);
	printf("\t[%zu sections]\n", n);
}

static void sections(struct dump *dump __unused, struct datfile *file)
{
	vec_each (&file->sections, s) {
		if (dump_is_option(s))
			continue;
		printf("\t[Section %2u @ %-16" PRIu64 "\t\"%s\", flags 0x%x, ", s->id, s->offset, s->name, s->flags);
		if (!(s->flags & DAT_COMPRESSED))
			printf("%" PRIu64 " bytes]\n", s->size);
		else if (!s->plain_size)
			printf("%" PRIu64 " compressed bytes]\n", s->size);
		else
			printf("%" PRIu64 " compressed, %" PRIu64 " uncompressed]\n", s->size - DAT_CHUNK_HEADER, s->plain_size);
	}
}

static void strings(struct dump *dump, struct datfile *file)
{
	uint64_t base = 0;

	if (file->version >= 7)
		printf("\t[String @ offset]\n");
	vec_each (&file->sections, section) {
		struct text text = { 0 };

		if (section->id != DAT_STRINGS || dump_is_option(section))
			continue;
		if (datfile_load(file, section, &text)) {
			dump->damaged = true;
			return;
		}
		for (size_t at = 0; at < text.size; at += strlen(text.at + at) + 1)
			printf("\t\t\"%s\" @ %" PRIu64 "\n", text.at + at, base + at);
		base += text.size;
		free(text.at);
	}
}

/* The parts in the order of printing. Headings belong to the summary. Content is printed only if it was asked for. */
static const struct part {
	size_t wanted, also; /* the flags in struct dump that ask for the content */
	void (*heading)(const struct datfile *file);
	void (*content)(struct dump *dump, struct datfile *file);
} parts[] = {
#define WANT(field) offsetof(struct dump, field)
	{ WANT(summary), WANT(summary), format_heading, NULL },
	{ WANT(head_page), WANT(head_page), head_page_heading, head_page },
	{ WANT(head_event), WANT(head_event), head_event_heading, head_event },
	{ WANT(ftrace_events), WANT(ftrace_events), ftrace_heading, ftrace_events },
	{ WANT(systems), WANT(events), events_heading, events },
	{ WANT(kallsyms), WANT(kallsyms), kallsyms_heading, kallsyms },
	{ WANT(printk), WANT(printk), printk_heading, printk },
	{ WANT(cmd_lines), WANT(cmd_lines), cmd_lines_heading, cmd_lines },
	{ WANT(options), WANT(options), options_heading, options },
	{ WANT(clock), WANT(clock), NULL, clocks },
	{ WANT(flyrecord), WANT(flyrecord), flyrecord_heading, flyrecord },
	{ WANT(sections), WANT(sections), sections_heading, sections },
	{ WANT(strings), WANT(strings), NULL, strings },
};

static bool is_set(const struct dump *dump, size_t flag)
{
	return *(const bool *)((const char *)dump + flag);
}

static bool any_part(struct dump *dump)
{
	bool any = dump->all;

	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		any |= is_set(dump, parts[i].wanted) || is_set(dump, parts[i].also);
	return any;
}

static void want_all(struct dump *dump)
{
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		*(bool *)((char *)dump + parts[i].wanted) = true;
		*(bool *)((char *)dump + parts[i].also) = true;
	}
}

static void print_parts(struct dump *dump, struct datfile *file)
{
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		const struct part *part = &parts[i];
		bool wanted = is_set(dump, part->wanted) || is_set(dump, part->also);

		if (part->heading && (wanted || dump->summary))
			part->heading(file);
		if (part->content && wanted)
			part->content(dump, file);
	}
}

static const struct opt opts[] = {
	{ OPT_STR, 'i', .name = "input", .arg = "FILE", .complete = "files", .help = "read FILE (default: trace.dat)", .offset = WANT(input) },
	{ OPT_FLAG, 'v', .name = "validate", .help = "decode everything in FILE, and say whether FILE is a valid trace file", .offset = WANT(validate) },
	{ OPT_FLAG, .name = "summary", .help = "print one line for each part (default)", .offset = WANT(summary) },
	{ OPT_FLAG, .name = "head-page", .help = "print the layout of a page of the ring buffer", .offset = WANT(head_page) },
	{ OPT_FLAG, .name = "head-event", .help = "print the layout of an event's header", .offset = WANT(head_event) },
	{ OPT_FLAG, .name = "ftrace-events", .help = "print the formats of ftrace's own events", .offset = WANT(ftrace_events) },
	{ OPT_FLAG, .name = "systems", .help = "print the event systems, and how many events each has", .offset = WANT(systems) },
	{ OPT_FLAG, .name = "events", .help = "print the formats of the events of all systems", .offset = WANT(events) },
	{ OPT_FLAG, .name = "kallsyms", .help = "print the addresses and names of the kernel's symbols", .offset = WANT(kallsyms) },
	{ OPT_FLAG, .name = "printk", .help = "print the format strings of trace_printk()", .offset = WANT(printk) },
	{ OPT_FLAG, .name = "cmd-lines", .help = "print the pids and names of tasks", .offset = WANT(cmd_lines) },
	{ OPT_FLAG, .name = "options", .help = "print all options of the file", .offset = WANT(options) },
	{ OPT_FLAG, .name = "sections", .help = "print where each section lies", .offset = WANT(sections) },
	{ OPT_FLAG, .name = "strings", .help = "print the descriptions of the sections (version 7)", .offset = WANT(strings) },
	{ OPT_FLAG, .name = "flyrecord", .help = "print where each CPU's trace data lie", .offset = WANT(flyrecord) },
	{ OPT_FLAG, .name = "clock", .help = "print the clock of the timestamps", .offset = WANT(clock) },
	{ OPT_FLAG, 'a', .name = "all", .help = "print the summary, and all parts in full", .offset = WANT(all) },
	{ OPT_CALL, .name = "verbose", .arg = "LEVEL", .optional = true, .complete = "=none crit err warn info debug all", .call = set_level,
	  .help = "with LEVEL 'info' (the default), 'debug' or 'all', print the summary as well" },
	OPT_END,
};

/* Checks what no other part of ringside reads: where the file ends, and the descriptions of the sections. */
static int validate_sections(struct datfile *file)
{
	if (file->version < 7 || file->damaged)
		return 0;
	if (file->sections_end != file->size)
		return fail(EINVAL, "%s: the section at offset %" PRIu64 " ends beyond the end of the file: the file is truncated", file->path,
			    file->sections_end);
	vec_each (&file->sections, section) {
		struct text text = { 0 };
		int err = section->id == DAT_STRINGS && !dump_is_option(section) ? datfile_load(file, section, &text) : 0;

		free(text.at);
		if (err)
			return err;
	}
	return 0;
}

/* Decodes all records. Damaged chunks and pages are reported on stderr meanwhile. */
static int validate(struct datfile *file)
{
	struct merge_input input = { .file = file };
	struct pool *pool = NULL;
	struct merge *merge = NULL;
	struct batch *batch;
	int ret = pool_new(&pool, pool_default_threads());

	if (!ret)
		ret = merge_open(&merge, &input, 1, pool);
	while (!ret && (ret = merge_next(merge, &batch)) > 0) {
		batch_put(batch);
		ret = 0;
	}
	if (ret == -ENOMEM)
		fail(ENOMEM, "out of memory");
	if (!ret && merge_damaged(merge))
		ret = -EINVAL;
	merge_close(merge);
	pool_free(pool);
	return ret;
}

static int dump_file(struct dump *dump)
{
	struct datfile *file;

	if (datfile_open(&file, dump->input))
		return 1;
	if (dump->all)
		want_all(dump);
	if (dump->level >= 4 || (!dump->validate && !any_part(dump)))
		dump->summary = true;
	print_parts(dump, file);
	dump->damaged |= file->damaged;
	if (dump->validate && (validate_sections(file) || validate(file)))
		dump->damaged = true;
	if (dump->validate && !dump->damaged)
		printf("File %s is a valid trace-cmd file\n", file->path);
	datfile_close(file);
	return dump->damaged ? 1 : 0;
}

static int run(int argc, char **argv)
{
	struct dump dump = { 0 };
	char **files;
	int n = opt_parse(&cmd_dump, &dump, argc, argv, &files);

	if (n < 0)
		return opt_status(n);
	if (n + (dump.input != NULL) > 1)
		return usage(&cmd_dump, "give one file at a time");
	if (!dump.input)
		dump.input = n ? files[0] : default_input();
	return dump_file(&dump);
}

const struct cmd cmd_dump = {
	.name = "dump",
	.synopsis = "[OPTION...] [FILE]",
	.summary = "show what a trace file consists of",
	.details = "Without options, the summary is printed. The exit status is 1 when the file is damaged.",
	.opts = opts,
	.operands = "files",
	.run = run,
};
