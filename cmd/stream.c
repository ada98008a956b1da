/* SPDX-License-Identifier: GPL-2.0 */
/* ringside stream [OPTION…] [COMMAND [ARG…]] */
#include "cmd/commands.h"
#include "cmd/stream.h"

#include "lib/base/err.h"
#include "lib/tracefs/journal.h"
#include <inttypes.h>
#include <unistd.h>

struct talk {
	const struct stream_opts *opts;
};

static void said(void *ctx, const char *sentence)
{
	const struct talk *talk = ctx;

	if (!talk->opts->record.quiet)
		note("%s", sentence);
}

static void begun(void *ctx)
{
	const struct talk *talk = ctx;

	if (!talk->opts->record.quiet && isatty(STDERR_FILENO))
		tell_until_when(&talk->opts->record.spec, "tracing");
}

static uint64_t count_events(const struct record_outcome *out)
{
	uint64_t events = 0;

	vec_each (&out->cpus, cpu)
		events += cpu->events;
	return events;
}

/* The kernel's own counts: what did not fit into its buffers, or was not printed for another reason. */
static void report_losses(const struct record_outcome *out)
{
	uint64_t events = count_events(out), lost = 0;
	struct str list = { 0 };

	vec_each (&out->cpus, cpu) {
		lost += cpu->lost;
		if (cpu->lost)
			str_addf(&list, "%s%" PRIu64 " on CPU %u%s%s", list.len ? ", " : "", cpu->lost, cpu->cpu,
				 *cpu->buffer ? " of " : "", cpu->buffer);
	}
	if (lost)
		warn("%" PRIu64 " of %" PRIu64 " events were lost, because they came faster than they could be printed: %s. A larger "
		     "buffer (-b) holds a burst, fewer events or a filter (-f) a flood", lost, lost + events, str_text(&list));
	str_fini(&list);
}

static int run_parsed(struct stream_opts *opts)
{
	struct talk talk = { .opts = opts };
	struct record_hooks hooks = { .said = said, .begun = begun, .ctx = &talk };
	struct record_outcome out = { 0 };
	struct stream_view *view;
	struct live_reader reader;
	struct stream_seen seen;
	int status, err = stream_view_new(&view, opts, &reader);

	if (err)
		return 1;
	err = live(&opts->record.spec, &hooks, &reader, &out);
	opts->hangs = out.hangs;
	stream_view_end(view, &seen, !out.hangs);
	report_losses(&out);
	if (out.cut_short)
		warn("stopped at the second signal: %" PRIu64 " of the events that were traced are not printed", count_events(&out) - seen.seen);
	else if (!err && out.ran && !seen.seen && !opts->record.quiet)
		note("none of the events took place");
	else if (!err && out.ran && !seen.shown && !opts->record.quiet)
		note("none of the %" PRIu64 " records matches the options", seen.seen);
	status = record_status(err, &out);
	/* What was wrong with the options is seen as late as this. */
	if (err == -EINVAL && !out.ran && !out.status)
		status = 2;
	record_outcome_fini(&out);
	return status;
}

static int run(int argc, char **argv)
{
	struct stream_opts opts;
	int status, err;

	watch_expect();
	err = stream_parse(&cmd_stream, &opts, argc, argv);
	status = err ? opt_status(err) : run_parsed(&opts);
	stream_opts_fini(&opts);
	return status;
}

const struct cmd cmd_stream = {
	.name = "stream",
	.synopsis = "[OPTION...] [COMMAND [ARG...]]",
	.summary = "print what the kernel does while it happens",
	.details = "What is traced is said as for record; what is printed looks as in report.\n"
		   "The exit status is the command's.\n\n"
		   "Examples:\n"
		   "  ringside stream -e sched_switch\n"
		   "  ringside stream -p function_graph -g do_sys_openat2 --tree ls\n"
		   "  ringside stream --probe 'kprobe:do_sys_openat2 filename:string' | grep /etc",
	.opts = stream_options,
	.stop_at_operand = true,
	.operands = "command",
	.run = run,
};
