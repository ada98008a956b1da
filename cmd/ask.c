/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/ask.h"
#include "cmd/default-input.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/now.h"
#include "lib/base/str.h"
#include "lib/data/inlet.h"
#include "lib/record/probes.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int add_pids(void *ctx, __unused const struct opt *opt, const char *value)
{
	struct ask_opts *o = ctx;
	strv_t words = { 0 };
	int err = strv_split(&words, value, ", ");

	if (!err && !words.n)
		err = record_opts_pid(&o->record, "-p", value, value);
	for (size_t i = 0; !err && i < words.n; i++)
		err = record_opts_pid(&o->record, "-p", words.at[i], words.at[i]);
	strv_fini(&words);
	return err;
}

#define TO(field) offsetof(struct ask_opts, field)

const struct opt ask_whom[] = {
	{ OPT_HEADING, .help = "Whom to trace" },
	{ OPT_CALL, 'p', .name = "attach", .arg = "PID", .call = add_pids,
	  .help = "trace the processes with these ids, as in 12,34, until all of them have ended; repeatable" },
	{ OPT_FLAG, 'a', .name = "all", .offset = TO(everybody), .help = "trace all tasks of this machine" },
	OPT_END,
};

const struct opt ask_where[] = {
	{ OPT_STR, 'o', .name = "output", .arg = "FILE", .complete = "files", .offset = TO(path), .help = "write to this file" },
	{ OPT_TIME, .positive = true, .name = "duration", .arg = "TIME", .offset = TO(record.spec.duration_ns),
	  .help = "end after this time (in seconds, or with a unit: ms, m, h)" },
	{ OPT_FLAG, 'q', .name = "quiet", .offset = TO(record.quiet), .help = "print only the results and errors, no remarks" },
	OPT_END,
};

const struct opt ask_cost[] = {
	{ OPT_FLAG, .name = "cost", .offset = TO(cost_asked),
	  .help = "first measure how much time an event costs in the kernel; at the end, print how much all events have cost" },
	OPT_END,
};

const char ask_in_bpf[] = "BPF programs (--in bpf) copy no events, and lose none for that reason; where they cannot be used, fewer events help";

bool ask_is_file(const char *word)
{
	__cleanup(close_fd) int fd = -1;
	struct stat st;
	char head[16];
	ssize_t n;

	if (strcmp(word, "-") == 0 || str_ends(word, ".dat"))
		return true;
	/* A pipe or another special file is not taken for a recording, so its name means a command. The command runs only if it can be executed. */
	if (stat(word, &st) || !S_ISREG(st.st_mode))
		return false;
	fd = open(word, O_RDONLY | O_CLOEXEC);
	n = fd < 0 ? -1 : read(fd, head, sizeof(head));
	return n > 0 && inlet_is_trace(head, (size_t)n);
}

/* Parses operands that name a recording. Options may follow a file. */
static int parse_operands(const struct cmd *cmd, struct ask_opts *o, int argc, char **argv)
{
	char **operands;
	int n = opt_parse(cmd, o, argc, argv, &operands);

	while (n > 0 && !o->record.spec.pids.n && !o->everybody && ask_is_file(operands[0])) {
		if (reading_input(&o->read.reading, operands[0]))
			return fail(ENOMEM, "out of memory");
		n = opt_parse(cmd, o, n, operands, &operands);
	}
	if (n > 0)
		o->record.spec.argv = operands;
	return n < 0 ? n : 0;
}

/* Reads the default file. If there is none, the message also names live reading, because the user may have meant a command. */
static int read_default(struct ask_opts *o)
{
	const char *input = default_input();

	if (strcmp(input, "-") != 0 && access(input, F_OK) && errno == ENOENT)
		return fail(ENOENT, "%s: %m; `ringside record` makes one, and -- COMMAND, -p PID or -a looks at what happens now", input);
	return reading_input(&o->read.reading, input) ? fail(ENOMEM, "out of memory") : 0;
}

int ask_check(const struct cmd *cmd, struct ask_opts *o)
{
	struct record_spec *spec = &o->record.spec;
	const int ways = (spec->argv || spec->pids.n) + o->everybody + (o->read.reading.inputs.n > 0);

	if (spec->argv && spec->pids.n)
		return usage(cmd, "-p and a command do not go together"), -EINVAL;
	if (spec->argv && o->read.reading.inputs.n)
		return usage(cmd, "a file (%s) is read or a command (%s) is run, not both", o->read.reading.inputs.at[0].path, spec->argv[0]), -EINVAL;
	if (ways > 1 && !(o->everybody && spec->argv))
		return usage(cmd, "a file, -p and -a do not go together"), -EINVAL;
	o->live = spec->argv || spec->pids.n || o->everybody;
	spec->only_command = spec->argv && !o->everybody;
	spec->children = o->follow && !o->everybody;
	if (!o->live && o->cost_asked)
		return usage(cmd, "--cost: a recording is read, which costs the kernel nothing"), -EINVAL;
	return !o->live && !o->read.reading.inputs.n ? read_default(o) : 0;
}

int ask_begin(struct ask_opts *o)
{
	o->record.spec.program = "ringside " RINGSIDE_VERSION;
	return vec_push(&o->record.spec.buffers, (struct buffer_spec){ 0 }) ? fail(ENOMEM, "out of memory") : 0;
}

int ask_parse(const struct cmd *cmd, void *opts, int argc, char **argv)
{
	struct ask_opts *o = opts;
	int err = ask_begin(o);

	err = err ? err : parse_operands(cmd, o, argc, argv);
	return err ? err : ask_check(cmd, o);
}

int ask_event(struct ask_opts *o, const char *pattern)
{
	return vec_push(&o->record.spec.buffers.at[0].events, (struct event_spec){ .pattern = pattern }) ? fail(ENOMEM, "out of memory") : 0;
}

int ask_probe(struct ask_opts *o, const char *probe)
{
	struct event_spec event = { .pattern = probe };
	int err = probe_set_new(&event.probes, probe, false);

	err = err ? err : vec_push(&o->record.spec.buffers.at[0].events, event);
	if (err)
		probe_set_free(event.probes);
	return err == -ENOMEM ? fail(ENOMEM, "out of memory") : err;
}

int ask_output(struct ask_opts *o)
{
	int err = o->path ? reading_outfile(&o->read.reading, &o->output, o->path) : 0;

	o->out = o->path ? o->output.fd : o->live ? STDERR_FILENO : STDOUT_FILENO;
	return err;
}

/* An analysis that is added to a live reading. */
struct wanted {
	struct ask_opts *ask;
	const struct analysis *what;
	void *options;
};

static const struct ask_kernel *kernel_of(void *ctx)
{
	return ((const struct wanted *)ctx)->ask->kernel;
}

/* --- --cost ---------------------------------------------------------------------------------------------------- */

static bool has_probes(const struct ask_opts *o)
{
	vec_each (&o->record.spec.buffers.at[0].events, event)
		if (event->probes)
			return true;
	return false;
}

int ask_cost_prepare(void *ask, struct session *session)
{
	struct ask_opts *o = ask;

	if (!o->cost_asked)
		return 0;
	return cost_measure(&o->cost, session, o->kernel ? o->kernel->cost : COST_RECORDED, o->kernel ? o->kernel->nkeys : 0);
}

int ask_cost_ready(void *ask, __unused struct instance *inst)
{
	struct ask_opts *o = ask;

	o->begun_ns = now_ns();
	o->used_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	return 0;
}

void ask_cost_ended(void *ask)
{
	struct ask_opts *o = ask;

	o->elapsed_ns = now_ns() - o->begun_ns;
	o->used_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - o->used_ns;
}

/* Prints the cost. What could not be measured is named. */
void ask_cost_tell(const struct ask_opts *o)
{
	const struct cost *cost = &o->cost;
	const uint64_t n = o->kernel && o->kernel->events ? o->kernel->events(o->kernel->ctx) : o->seen;
	const char *what = o->kernel && (o->kernel->cost == COST_PAIRED || o->kernel->cost == COST_LAPPED) ? "a pair of events" : "an event";
	const double elapsed = (double)MAX(o->elapsed_ns, (uint64_t)1);

	if (!o->cost_asked || !o->elapsed_ns)
		return;
	if (o->record.spec.buffers.at[0].tracer)
		note("cost: what a traced function costs in the kernel is not measured");
	else if (!cost->measured)
		note("cost: what an event costs in the kernel is not measured, as this kernel has no raw_syscalls:sys_enter to measure it with");
	else if (cost->ns <= 0)
		note("cost: %s takes too little time in the kernel to be told apart from the machine's other work", what);
	else
		note("cost: %s takes %.0f ns in the kernel, as %u system calls show (%.1f ms of measuring)%s; %" PRIu64 " in %.3f s are %.3f %% of a CPU", what,
		     cost->ns, cost->calls, (double)cost->took_ns / 1e6, has_probes(o) ? ", without the probe itself, which is not measured" : "", n,
		     elapsed / 1e9, (double)n * cost->ns / elapsed * 100);
	note("cost: ringside itself used %.3f %% of a CPU", (double)o->used_ns / elapsed * 100);
}

int ask_kernel_alone(struct instance *inst)
{
	__cleanup(free_ptr) char *pids = NULL;

	if (tracedir_read(&inst->dir, "set_event_pid", &pids) || !*pids)
		return 0;
	return session_set_list(inst, "set_event_pid", NULL);
}

/* --- what the kernel does -------------------------------------------------------------------------------------- */

static int prepare(void *ctx, struct session *session)
{
	const struct ask_kernel *kernel = kernel_of(ctx);
	struct ask_opts *o = ((const struct wanted *)ctx)->ask;
	int err = kernel && kernel->prepare ? kernel->prepare(kernel->ctx, session) : 0;

	return err ? err : ask_cost_prepare(o, session);
}

static int ready(void *ctx, struct instance *inst)
{
	const struct ask_kernel *kernel = kernel_of(ctx);
	int err = kernel ? kernel->ready(kernel->ctx, inst) : 0;

	return err ? err : ask_cost_ready(((const struct wanted *)ctx)->ask, inst);
}

static void ended(void *ctx)
{
	const struct ask_kernel *kernel = kernel_of(ctx);

	ask_cost_ended(((const struct wanted *)ctx)->ask);
	if (kernel)
		kernel->ended(kernel->ctx);
}

static int on_round(void *ctx, struct reading *reading, bool last)
{
	const struct ask_kernel *kernel = kernel_of(ctx);

	((const struct wanted *)ctx)->ask->seen = reading->pass.seen;
	return kernel && kernel->round ? kernel->round(kernel->ctx, reading, last) : 0;
}

static int add(void *ctx, struct reading *reading)
{
	const struct wanted *wanted = ctx;

	return reading_add(reading, wanted->what, wanted->options);
}

static int main_live(struct ask_opts *o, const struct analysis *what, void *options)
{
	struct wanted wanted = { o, what, options };
	struct live_opts live = { .record = &o->record,
				  .reading = &o->read.reading,
				  .window_ns = LIVE_WINDOW_NS,
				  .ts_offset = o->ts_offset,
				  .output = ask_plain_output(o),
				  .cure = o->cure ? o->cure : "Fewer events, or fewer tasks (-p), help",
				  .hush = true,
				  .by_kernel = o->kernel,
				  .prepare = prepare,
				  .ready = ready,
				  .ended = ended,
				  .add = add,
				  .round = on_round,
				  .ctx = &wanted };
	int status;

	o->read.reading.select.live = o->read.reading.within.live = true;
	status = live_main(&live);
	ask_cost_tell(o);
	/* A thread hangs and may still use the memory, so nothing is freed. */
	if (live.hangs)
		_exit(status);
	return status;
}

const char *ask_plain_output(const struct ask_opts *o)
{
	return o->output.draft.fd >= 0 ? o->path : NULL;
}

int ask_publish(struct ask_opts *o, bool complete)
{
	return complete && o->path ? outfile_publish(&o->output) : 0;
}

int ask_main(const struct cmd *cmd, struct ask_opts *o, const struct analysis *what, void *options)
{
	struct reading *reading = &o->read.reading;
	int status = 1;

	if (reading_settle(cmd, &o->read, o->out))
		return 2;
	o->read.no_pager |= o->path != NULL;
	reading->quiet |= o->record.quiet;
	if (o->live)
		status = main_live(o, what, options);
	else if (!reading_open(reading) && !reading_add(reading, what, options))
		status = reading_show_all(&o->read, NULL, NULL);
	return ask_publish(o, reading->complete) ? 1 : status;
}

void ask_fini(struct ask_opts *o)
{
	reading_close(&o->read.reading);
	record_opts_fini(&o->record);
	outfile_close(&o->output);
}
