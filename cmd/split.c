/* SPDX-License-Identifier: GPL-2.0 */
/* ringside split: divides a trace file into smaller ones, or takes out a part of it. */
#include "cmd/commands.h"
#include "cmd/default-input.h"
#include "cmd/output.h"
#include "cmd/progress.h"

#include "lib/base/err.h"
#include "lib/base/outfile.h"
#include "lib/data/assemble.h"
#include "lib/data/split.h"
#include "lib/event/trace.h"
#include "lib/output/lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/* A buffer that --top or -B keeps. If several options keep the same buffer, the last one that names it counts, or else the first. */
struct kept {
	const char *glob; /* "top" is the top buffer */
	bool top;	  /* kept by --top, which means only the top buffer */
	const char *as;	  /* its name in the parts, "" for the top one; NULL: its own name */
};

struct split_command {
	const char *input, *output;
	uint64_t seconds, milliseconds, microseconds, events, pages;
	bool repeat, per_cpu, has_cpus;
	struct cpuset cpus;
	VEC(struct kept) buffers;
};

static const struct kept *kept_as(const struct split_command *c, const char *name)
{
	const struct kept *found = NULL;

	vec_each (&c->buffers, kept)
		if ((!found || kept->as) && (kept->top ? !*name : glob_match(kept->glob, *name ? name : "top")))
			found = kept;
	return found;
}

static bool is_kept(void *ctx, const char *name)
{
	return kept_as(ctx, name) != NULL;
}

static int keep_buffer(void *ctx, const struct opt *opt __unused, const char *value)
{
	struct split_command *c = ctx;

	return vec_push(&c->buffers, (struct kept){ .glob = value, .top = !value });
}

/* Handles -t and -b, which give a name to the buffer that was kept last. */
static int name_buffer(void *ctx, const struct opt *opt __unused, const char *value)
{
	struct split_command *c = ctx;
	struct kept *last = c->buffers.n ? &c->buffers.at[c->buffers.n - 1] : NULL;

	if (value && (!last || !last->top))
		return usage(&cmd_split, "-b %s names the top buffer: give it after --top", value), -EINVAL;
	if (!value && (!last || last->top))
		return usage(&cmd_split, "-t makes a buffer the top one: give it after its -B"), -EINVAL;
	if (value && (!*value || strchr(value, '/')))
		return usage(&cmd_split, "-b '%s' is no name for a buffer", value), -EINVAL;
	last->as = value ? value : "";
	return 0;
}

static int set_cpus(void *ctx, const struct opt *opt __unused, const char *value)
{
	struct split_command *c = ctx;

	c->has_cpus = true;
	cpuset_fini(&c->cpus);
	return parse_cpus(value, &c->cpus) ? fail(EINVAL, "-C %s: not a list of CPUs as in 0,2-4", value) : 0;
}

#define TO(field) OPT_TO(struct split_command, field)

static const struct opt opts[] = {
	{ .type = OPT_HEADING, .help = "What to read and write" },
	{ OPT_STR, 'i', .name = "input", .arg = "FILE", .complete = "files", .offset = TO(input), .help = "read FILE (default: trace.dat)" },
	{ OPT_STR, 'o', .name = "output", .arg = "FILE", .complete = "files", .offset = TO(output),
	  .help = "write the part as FILE.1; with -r, write the parts as FILE.0001, FILE.0002 and so on (default: FILE is the name of the input)" },
	{ OPT_CALL, 'C', .name = "cpu", .arg = "CPUS", .complete = "cpus", .call = set_cpus, .help = "take only records of these CPUs, as in 0,2-4" },
	{ OPT_CALL, 'B', .name = "buffer", .arg = "NAME", .call = keep_buffer,
	  .help = "take only buffers whose name matches this glob; \"top\" is the top buffer; repeatable" },
	{ OPT_CALL_FLAG, 't', .name = "promote", .call = name_buffer, .help = "make the buffer of the preceding -B the top buffer of the parts" },
	{ OPT_CALL_FLAG, .name = "top", .call = keep_buffer,
	  .help = "take only the top buffer; with -B, take the top buffer in addition to the buffers of -B" },
	{ OPT_CALL, 'b', .name = "top-name", .arg = "NAME", .call = name_buffer,
	  .help = "after --top: write the top buffer to the parts as the buffer of the trace instance NAME" },
	{ .type = OPT_HEADING, .help = "Where a part ends (one limit at most; without a limit, a part ends at END)" },
	{ OPT_U64, .positive = true, .letter = 's', .name = "seconds", .arg = "N", .offset = TO(seconds), .help = "end a part after this many seconds" },
	{ OPT_U64, .positive = true, .letter = 'm', .name = "milliseconds", .arg = "N", .offset = TO(milliseconds),
	  .help = "end a part after this many milliseconds" },
	{ OPT_U64, .positive = true, .letter = 'u', .name = "microseconds", .arg = "N", .offset = TO(microseconds),
	  .help = "end a part after this many microseconds" },
	{ OPT_U64, .positive = true, .letter = 'e', .name = "events", .arg = "N", .offset = TO(events), .help = "end a part after this many events" },
	{ OPT_U64, .positive = true, .letter = 'p', .name = "pages", .arg = "N", .offset = TO(pages),
	  .help = "end a part after this many sub-buffers of each CPU" },
	{ OPT_FLAG, 'r', .name = "repeat", .offset = TO(repeat), .help = "write as many parts as are needed up to END" },
	{ OPT_FLAG, 'c', .name = "per-cpu", .offset = TO(per_cpu), .help = "apply the limit to each CPU separately" },
	OPT_END,
};

/* Reads "25.893530" as ns. *@unit becomes the unit of its last digit. Returns false if the text is not a time. */
static bool parse_stamp(const char *text, bool ns, uint64_t *out, uint64_t *unit)
{
	const char *dot = strchr(text, '.');
	uint64_t value;

	if (!ns && !dot) {
		*unit = 1;
		return !parse_u64(text, out);
	}
	if (text[strspn(text, "0123456789.")] || parse_time_ns(text, &value))
		return false;
	*unit = dot && strlen(dot + 1) > 6 ? 1 : NSEC_PER_USEC;
	*out = value;
	return true;
}

static int set_times(struct split_options *how, int n, char **stamps, bool ns)
{
	uint64_t unit[2] = { NSEC_PER_USEC, NSEC_PER_USEC };

	how->end = UINT64_MAX;
	for (int i = 0; i < n; i++)
		if (!parse_stamp(stamps[i], ns, i ? &how->end : &how->start, &unit[i]))
			return fail(EINVAL, "'%s' is no time as in 1234.567890; %s", stamps[i],
				    access(stamps[i], F_OK) == 0 ? "the file to read is named with -i"
								 : "the first and the last of the file: `ringside report --first-event --last-event`");
	if (how->start > how->end)
		return fail(EINVAL, "the end %s is before the start %s", stamps[1], stamps[0]);
	how->unit = MIN(unit[0], unit[1]);
	return 0;
}

/* The options that limit a part, and where their values are. */
static const struct limit {
	size_t offset;
	enum split_by by;
	uint64_t unit;
} limits[] = {
	{ TO(seconds), SPLIT_TIME, NSEC_PER_SEC },
	{ TO(milliseconds), SPLIT_TIME, NSEC_PER_SEC / 1000 },
	{ TO(microseconds), SPLIT_TIME, NSEC_PER_USEC },
	{ TO(events), SPLIT_EVENTS, 1 },
	{ TO(pages), SPLIT_PAGES, 1 },
};

/* Sets the limit that was given. Returns false if more than one was given. */
static bool set_limit(const struct split_command *c, struct split_options *how)
{
	int given = 0;

	for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
		uint64_t value = *(const uint64_t *)((const char *)c + limits[i].offset);

		if (!value)
			continue;
		how->by = limits[i].by;
		how->limit = value > UINT64_MAX / limits[i].unit ? UINT64_MAX : value * limits[i].unit;
		given++;
	}
	how->per_cpu = c->per_cpu;
	return given <= 1;
}

typedef VEC(struct write_buffer) write_buffers_t;

/* Lists the part's buffers under their new names, the top one first. They borrow from the part. */
static int named_buffers(const struct split_command *c, const struct split_part *part, write_buffers_t *out)
{
	for (int top = 1; top >= 0; top--)
		vec_each (&part->buffers, buffer) {
			const struct kept *kept = kept_as(c, buffer->name);
			struct write_buffer named = *buffer;

			if (kept && kept->as)
				named.name = kept->as;
			if (top == !*named.name && vec_push(out, named))
				return fail(ENOMEM, "out of memory");
		}
	return 0;
}

/* Checks that no two buffers get the same name. */
static int check_names(const struct split_command *c, const struct datfile *file)
{
	strv_t names = { 0 };
	int err = 0;

	vec_each (&file->buffers, buffer) {
		const struct kept *kept = kept_as(c, buffer->name);
		const char *name = kept && kept->as ? kept->as : buffer->name;

		if (err || (c->buffers.n && !kept))
			continue;
		if (strv_has(&names, name))
			err = *name ? fail(EINVAL, "-b %s: there is a buffer of that name in %s, and it is kept", name, file->path)
				    : fail(EINVAL, "-t: a part has one top buffer, and %s of %s would be a second one",
					   *buffer->name ? buffer->name : "the present top buffer", file->path);
		else if (strv_add(&names, name))
			err = fail(ENOMEM, "out of memory");
	}
	strv_fini(&names);
	return err;
}

static int write_part(const struct split_command *c, const struct datfile *file, const struct split_part *part, struct pool *pool, unsigned int n)
{
	__cleanup(free_ptr) char *name = str_printf(c->repeat ? "%s.%04u" : "%s.%u", c->output, n);
	write_buffers_t buffers = { 0 };
	struct progress progress;
	struct write_options how = {
		.version = file->version,
		.codec = file->codec,
		.pool = pool,
		.progress = progress_bytes,
		.ctx = &progress,
	};
	uint64_t size;
	int err;

	if (!name)
		return fail(ENOMEM, "%m");
	progress_init(&progress, name, true);
	err = named_buffers(c, part, &buffers);
	err = err ? err : assemble(name, &file->meta, buffers.at, buffers.n, &how, &size);
	progress_end(&progress);
	vec_fini(&buffers);
	if (!err)
		printf("%s: %" PRIu64 " events\n", name, part->events);
	return err ? err : output_flush();
}

static int write_parts(const struct split_command *c, struct datfile *file, int spool, const struct split_options *how)
{
	const struct split_part *part;
	struct split *split;
	unsigned int n = 0;
	int got, err = split_new(&split, file, spool, how);

	if (err)
		return err;
	while (!err && (c->repeat || !n) && (got = split_next(split, &part)) != 0) {
		err = MIN(got, 0);
		if (!err)
			err = write_part(c, file, part, how->pool, ++n);
	}
	if (!err && !n)
		err = fail(ENODATA, "%s holds no events of these times, CPUs and buffers: nothing is written", file->path);
	if (!err && (split_damaged(split) || file->damaged))
		err = fail(EINVAL, "the parts hold what could be read of %s", file->path);
	split_free(split);
	return err;
}

static int split_file(const struct split_command *c, struct datfile *file, struct split_options *how)
{
	struct draft spool;
	int err = outfile_draft(&spool, c->output);

	if (!err) {
		err = pool_new(&how->pool, pool_default_threads());
		if (err)
			fail(-err, "cannot start threads: %s", strerror(-err));
	}
	if (!err)
		err = write_parts(c, file, spool.fd, how);
	pool_free(how->pool);
	draft_close(&spool);
	return err;
}

/* Finds the ids of graph entries and exits, which must stay in one part. */
static int find_graph(struct datfile *file, struct split_options *how)
{
	struct trace_options options = { .no_plugins = true };
	struct trace *trace;
	int err = trace_open(&trace, &file->meta, &options, 0);

	if (!err)
		how->graph = trace->graph;
	trace_close(err ? NULL : trace);
	return err;
}

static int open_and_split(const struct split_command *c, struct split_options *how, int n, char **stamps)
{
	struct datfile *file;
	int status = 1, err = datfile_open(&file, c->input);

	if (err)
		return status;
	clock_init(&how->clock, &file->meta, &(struct clock_options){ 0 });
	err = set_times(how, n, stamps, file->meta.tsc2nsec.present || clock_of_is(&file->meta, NULL, clock_in_seconds));
	err = err ? err : check_names(c, file);
	status = err ? 2 : 1;
	if (!err)
		err = find_graph(file, how);
	if (!err)
		err = split_file(c, file, how);
	datfile_close(file);
	return err ? status : 0;
}

static int run_parsed(struct split_command *c, int n, char **stamps)
{
	struct split_options how = {
		.cpus = c->has_cpus ? &c->cpus : NULL,
		.buffer_wanted = c->buffers.n ? is_kept : NULL,
		.ctx = c,
	};

	if (n > 2)
		return usage(&cmd_split, "a start time and an end time are all it takes; a file is named with -i");
	if (!set_limit(c, &how))
		return usage(&cmd_split, "give only one of -s, -m, -u, -e and -p at a time");
	if (how.by == SPLIT_WHOLE && c->repeat)
		return usage(&cmd_split, "-r repeats a limit: -s, -m, -u, -e or -p");
	if (c->output && strcmp(c->output, "-") == 0)
		return usage(&cmd_split, "a part is not written from its beginning to its end, so it cannot go into a pipe; name a file and `cat` it");
	if (c->output && outfile_check_name(c->output))
		return 2;
	if (!c->input)
		c->input = default_input();
	if (!c->output)
		c->output = strcmp(c->input, "-") ? c->input : "trace.dat";
	return open_and_split(c, &how, n, stamps);
}

static int run(int argc, char **argv)
{
	struct split_command c = { 0 };
	char **stamps;
	int n = opt_parse(&cmd_split, &c, argc, argv, &stamps);
	int status = n < 0 ? opt_status(n) : run_parsed(&c, n, stamps);

	cpuset_fini(&c.cpus);
	vec_fini(&c.buffers);
	return status;
}

const struct cmd cmd_split = {
	.name = "split",
	.synopsis = "[OPTION...] [START [END]]",
	.summary = "split a trace file into smaller ones",
	.details = "START and END are times as `report` prints them. Events at these times belong to the part.\n"
		   "With -r, the parts follow each other without a gap up to END.\n"
		   "  ringside split -r -e 10000                 parts of 10000 events\n"
		   "  ringside split -i big.dat -o slow 812.4 812.9   the half second from 812.4 to 812.9, in slow.1",
	.opts = opts,
	.run = run,
};
