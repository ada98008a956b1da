/* SPDX-License-Identifier: GPL-2.0 */
/* The messages of `ringside record`, while it records and afterwards. */
#include "cmd/record.h"
#include "cmd/table-options.h"
#include "lib/base/err.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/* With this many CPUs or fewer, each has a line; with more, only those that lost events. */
enum { FEW_CPUS = 16 };

static void size_text(char *out, size_t n, uint64_t bytes)
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB" };
	double value = (double)bytes;
	size_t unit = 0;

	while (value >= 1000 && unit + 1 < ARRAY_LEN(units)) {
		value /= 1024;
		unit++;
	}
	snprintf(out, n, unit && value < 100 ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

static void end_line(struct record_talk *talk)
{
	if (talk->line_open)
		fputs("\r\033[K", stderr);
	talk->line_open = false;
	progress_end(&talk->progress);
}

static void said(void *ctx, const char *sentence)
{
	const struct record_talk *talk = ctx;

	if (!talk->quiet)
		note("%s", sentence);
}

void tell_until_when(const struct record_spec *spec, const char *what)
{
	if (spec->argv)
		return;
	if (spec->duration_ns)
		note("%s for %g s; Ctrl-C ends it before", what, (double)spec->duration_ns / 1e9);
	else
		note("%s until Ctrl-C%s", what, spec->pids.n ? ", or until the processes of -P have ended" : "");
}

void tell_tracers(const struct record_spec *spec)
{
	vec_each (&spec->buffers, buffer)
		if (buffer->tracer)
			fprintf(stderr, "  plugin '%s'\n", buffer->tracer);
}

/* trace-cmd prints the same line, for which scripts wait. */
static void begun(void *ctx)
{
	const struct record_talk *talk = ctx;
	const struct record_spec *spec = talk->spec;

	if (talk->daemon)
		return daemon_ready(talk->daemon, talk->quiet);
	if (talk->quiet)
		return;
	tell_tracers(spec);
	if (spec->argv || spec->duration_ns || spec->pids.n) {
		tell_until_when(spec, "recording");
		return;
	}
	fputs("Hit Ctrl^C to stop recording\n", talk->words);
	fflush(talk->words);
}

/* A line that wraps would not be overwritten. So a narrow terminal gets a shorter line, of less than @width characters. 0: any width is fine. */
static void narrow(const struct record_status *now, char *line, size_t size, size_t width)
{
	if (!width || strlen(line) < width)
		return;
	snprintf(line, MIN(size, width), "%.1f s %" PRIu64 " events %s%" PRIu64 " lost", (double)now->elapsed_ns / 1e9, now->events, now->lost ? "!" : "",
		 now->lost);
}

static void live(void *ctx, const struct record_status *now)
{
	struct record_talk *talk = ctx;
	uint64_t events = now->events - talk->last_events, ns = now->elapsed_ns - talk->last_ns;
	char bytes[32], line[160];

	size_text(bytes, sizeof(bytes), now->bytes);
	snprintf(line, sizeof(line), "%6.1f s %12" PRIu64 " events %10.0f/s %10s %s%" PRIu64 " lost", (double)now->elapsed_ns / 1e9, now->events,
		 ns ? (double)events * 1e9 / (double)ns : 0, bytes, now->lost ? "!" : "", now->lost);
	narrow(now, line, sizeof(line), terminal_width(STDERR_FILENO));
	fprintf(stderr, "\r\033[K%s", line);
	fflush(stderr);
	talk->line_open = true;
	talk->last_events = now->events;
	talk->last_ns = now->elapsed_ns;
}

static void ended(void *ctx)
{
	end_line(ctx);
}

static void saving(void *ctx, uint64_t done, uint64_t total)
{
	progress_bytes(&((struct record_talk *)ctx)->progress, done, total);
}

/* Returns a buffer size for the CPU that would also have held the events lost in the worst gap, rounded up to a power of two, in kB. */
static uint64_t enough_kb(const struct cpu_outcome *cpu)
{
	double event = cpu->events ? (double)cpu->bytes / (double)cpu->events : 64;
	double want = (double)cpu->buffer_kb + event * (double)(cpu->gap ? cpu->gap : cpu->lost) / 1024;
	uint64_t kb = 1024;

	while ((double)kb < want)
		kb *= 2;
	return kb;
}

/* Prints the bytes and, with -m, those that were dropped again. */
static void print_bytes(const struct record_talk *talk, uint64_t bytes, uint64_t dropped)
{
	char text[32];

	size_text(text, sizeof(text), bytes);
	fprintf(stderr, " %10s", text);
	size_text(text, sizeof(text), dropped);
	if (talk->spec->max_kb)
		fprintf(stderr, " %10s", text);
}

static void print_cpu(const struct record_talk *talk, const struct cpu_outcome *cpu, int width)
{
	fprintf(stderr, "%*s %4u %12" PRIu64, width, cpu->buffer, cpu->cpu, cpu->events);
	print_bytes(talk, cpu->bytes, cpu->dropped);
	if (cpu->lost)
		fprintf(stderr, " %12" PRIu64 "   -b %" PRIu64, cpu->lost, enough_kb(cpu));
	else
		fprintf(stderr, " %12u", 0);
	fputc('\n', stderr);
}

/* Is there a buffer other than the top one? */
static bool named(const struct record_outcome *out)
{
	return out->names.n > 1 || (out->names.n && *out->names.at[0]);
}

/* Prints the events and bytes of each CPU, and the buffer size with which no events would have been lost. */
static void print_table(const struct record_talk *talk, const struct record_outcome *out)
{
	uint64_t events = 0, lost = 0, dropped = 0;
	int width = 6;

	vec_each (&out->cpus, cpu) {
		events += cpu->events;
		lost += cpu->lost;
		dropped += cpu->dropped;
		width = MAX(width, prec(strlen(cpu->buffer)));
	}
	fprintf(stderr, "%*s %4s %12s %10s%s %12s%s\n", width, named(out) ? "buffer" : "", "CPU", "events", talk->spec->max_kb ? "kept" : "bytes",
		talk->spec->max_kb ? "   given up" : "", "lost", lost ? "   enough" : "");
	vec_each (&out->cpus, cpu)
		if (out->cpus.n <= FEW_CPUS || cpu->lost)
			print_cpu(talk, cpu, width);
	if (out->cpus.n < 2)
		return;
	fprintf(stderr, "%*s %4s %12" PRIu64, width, "", "all", events);
	print_bytes(talk, out->bytes, dropped);
	fprintf(stderr, " %12" PRIu64 "\n", lost);
}

/* Prints losses in trace-cmd's words and to the same output, because scripts look for "events lost" on standard output. */
static void print_losses(const struct record_talk *talk, const struct record_outcome *out)
{
	if (talk->spec->join == JOIN_READ)
		return;
	vec_each (&out->cpus, cpu)
		if (cpu->lost)
			fprintf(talk->words, "%s%sCPU %u: %" PRIu64 " events lost\n", cpu->buffer, *cpu->buffer ? ": " : "", cpu->cpu, cpu->lost);
	fflush(talk->words);
}

static void warn_of_thief(const struct record_outcome *out)
{
	uint64_t stolen = 0;

	vec_each (&out->cpus, cpu)
		stolen += cpu->stolen;
	if (stolen)
		warn("at least %" PRIu64
		     " of the events are not in the file: another program has read them from the buffer meanwhile, as `cat trace_pipe` does; "
		     "end that program, or record in an instance of your own (-B NAME)",
		     stolen);
}

static uint64_t sum_events(const struct record_outcome *out)
{
	uint64_t events = 0;

	vec_each (&out->cpus, cpu)
		events += cpu->events;
	return events;
}

/* Returns what filters have to do with it that nothing was recorded, in new memory. */
static char *blame_filters(const struct record_spec *spec, const struct record_outcome *out)
{
	bool any = false;

	vec_each (&spec->buffers, buffer)
		vec_each (&buffer->events, event)
			any |= event->filter != NULL;
	if (!any || !out->pointer)
		return strdup(any ? ", or the filter (-f) rejected all of them" : "");
	return str_printf(", or the filter (-f) rejected all of them; the field %s is a pointer: for a text in user memory write %s.ustring in the filter",
			  out->pointer, out->pointer);
}

/* Says what an empty recording waited for, because its reason is often not clear. */
static void explain_emptiness(const struct record_talk *talk, const struct record_outcome *out)
{
	const struct record_spec *spec = talk->spec;
	const struct buffer_spec *b = &spec->buffers.at[spec->buffers.n - 1];
	const strv_t *names = b->graph.n ? &b->graph : &b->functions;
	const char *whom = spec->only_command ? " by the command" : spec->pids.n ? " by the processes of -P" : "";
	__cleanup(free_ptr) char *list = NULL, *near = NULL;
	__cleanup(free_ptr) char *filters = blame_filters(spec, out);

	if (sum_events(out) || ((talk->spec->snapshot || talk->spec->latency) && out->bytes))
		return;
	/* This has been reported already. */
	if (spec_leaves_out_all(spec))
		return;
	if (spec->join == JOIN_READ) {
		note("there is nothing in the buffer: the file holds no events");
		return;
	}
	if (spec->buffers.n > 1 || (!names->n && b->tracer && strcmp(b->tracer, "nop"))) {
		note("nothing was recorded: no event took place%s%s", whom, filters ?: "");
		return;
	}
	list = join_names(names, "", "");
	near = join_names(&out->similar, "; functions of similar names: ", "");
	if (names->n && list)
		note("nothing was recorded: %s %s armed, but %s never called%s during the recording%s", list, names->n > 1 ? "were" : "was",
		     names->n > 1 ? "were" : "was", whom, near ? near : "");
	else
		note("nothing was recorded: none of the events took place%s%s", whom, filters ?: "");
}

/* Advises which functions to leave out, and which depth to choose, as far as a sample of the recording tells. */
static void advise_functions(const struct advice *advice)
{
	struct str options = { 0 };

	vec_each (&advice->functions, name)
		str_addf(&options, " -n %s", *name);
	if (advice->functions_percent)
		note("about %u %% of the events are of %zu function%s:%s leaves %s out", advice->functions_percent, advice->functions.n,
		     advice->functions.n > 1 ? "s" : "", str_text(&options), advice->functions.n > 1 ? "them" : "it");
	str_fini(&options);
	if (advice->depth)
		note("--max-graph-depth %u would leave about %u %% of the events", advice->depth, advice->depth_percent);
}

static void advise(const struct record_talk *talk, const struct record_outcome *out)
{
	const struct advice *advice = &out->advice;
	const struct cpu_outcome *worst = NULL;
	bool functions = false;

	vec_each (&out->cpus, cpu)
		if (cpu->lost && (!worst || enough_kb(cpu) > enough_kb(worst)))
			worst = cpu;
	vec_each (&talk->spec->buffers, b)
		functions |= b->tracer && strcmp(b->tracer, "nop");
	if (!worst)
		return;
	if (advice->functions_percent || advice->depth) {
		note("events were lost: the buffers were full; -b %" PRIu64 " would have been about enough", enough_kb(worst));
		advise_functions(advice);
		return;
	}
	note("events were lost: the buffers were full; -b %" PRIu64 " would have been about enough%s", enough_kb(worst),
	     functions ? "; fewer functions (-l, -g, -n) or --max-graph-depth may help as well" : "; fewer events or a filter (-f) may help as well");
}

/* Was the recording ended from outside? Then the command is not waited for. */
static bool told_to_end(const struct record_outcome *out)
{
	return out->end == END_SIGNAL || out->end == END_READER;
}

void tell_waiting(const struct record_outcome *out)
{
	if (out->still_running && !told_to_end(out))
		note("the command still runs, no longer recorded: waiting for its end");
}

static void report(void *ctx, const struct record_outcome *out)
{
	struct record_talk *talk = ctx;
	char size[32], bytes[32];

	end_line(talk);
	warn_of_thief(out);
	if (talk->quiet)
		return;
	if (out->end == END_READER && !talk->spec->network)
		note("the reader of standard output has gone: recording ended early");
	/* The kernel counts the events in its buffers, but not those in snapshots. */
	if (!talk->spec->snapshot && !talk->spec->latency)
		print_table(talk, out);
	print_losses(talk, out);
	explain_emptiness(talk, out);
	advise(talk, out);
	size_text(size, sizeof(size), out->size);
	size_text(bytes, sizeof(bytes), out->bytes);
	if (out->size && talk->spec->join == JOIN_READ)
		fprintf(stderr, "%s: %s, %s of %s\n", talk->output, size, bytes, talk->spec->latency ? "text" : "events");
	else if (out->sent)
		fprintf(stderr, "%s: %s of events in %.3g s sent\n", talk->spec->network, bytes, (double)out->elapsed_ns / 1e9);
	else if (out->size)
		fprintf(stderr, "%s: %s, %s of events in %.3g s\n", talk->output, size, bytes, (double)out->elapsed_ns / 1e9);
	if (out->still_running && told_to_end(out))
		note("the command was told to end (SIGTERM) and still runs");
	tell_waiting(out);
}

static int set_level(void *ctx, __unused const struct opt *opt, const char *value)
{
	int level, err = opt_level(value, &level);

	if (!err)
		((struct record_opts *)ctx)->quiet = level < 3;
	return err;
}

const struct opt talk_options[] = {
	{ OPT_FLAG, 'q', .name = "quiet", .offset = offsetof(struct record_opts, quiet), .help = "print only messages about what went wrong" },
	{ OPT_CALL, .name = "verbose", .arg = "LEVEL", .optional = true, .complete = "=none crit err warn info debug all", .call = set_level,
	  .help = "with LEVEL 'none', 'crit' or 'err', do what -q does; otherwise, undo an earlier -q" },
	{ OPT_FLAG, .name = "stderr", .offset = offsetof(struct record_opts, to_stderr),
	  .help = "print ringside's own output to standard error; the output of a command that ringside runs is not redirected" },
	/* trace-cmd has these options for debugging its connections to guests. */
	{ OPT_FLAG, .name = "debug", .hidden = true, .offset = offsetof(struct record_opts, unused) },
	{ OPT_FLAG, .name = "notimeout", .hidden = true, .offset = offsetof(struct record_opts, unused) },
	{ OPT_FLAG, .name = "nofifos", .hidden = true, .offset = offsetof(struct record_opts, unused) },
	OPT_END,
};

void record_talk_init(struct record_talk *talk, const struct record_opts *opts, struct record_hooks *hooks)
{
	bool is_data = opts->spec.output && strcmp(opts->spec.output, "-") == 0;

	*talk = (struct record_talk){ .spec = &opts->spec, .quiet = opts->quiet };
	talk->output = is_data ? "standard output" : opts->spec.output;
	talk->words = is_data || opts->to_stderr ? stderr : stdout;
	/* The progress line would disturb a command that writes to the same terminal. */
	talk->live = !opts->quiet && !opts->daemonize && isatty(STDERR_FILENO) && (!opts->spec.argv || !isatty(STDOUT_FILENO));
	progress_init(&talk->progress, "saving", talk->live);
	*hooks = (struct record_hooks){
		.said = said,
		.begun = begun,
		.live = talk->live ? live : NULL,
		.ended = ended,
		.saving = saving,
		.done = report,
		.ctx = talk,
	};
}
