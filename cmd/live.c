/* SPDX-License-Identifier: GPL-2.0 */
/* Carries out a command that reads live: from its options to its exit status. */
#include "cmd/live.h"
#include "cmd/reading.h"
#include "lib/base/err.h"
#include <inttypes.h>
#include <unistd.h>

static void said(void *ctx, const char *sentence)
{
	const struct live_opts *opts = ctx;

	if (!opts->record->quiet && !opts->hush)
		note("%s", sentence);
}

static void begun(void *ctx)
{
	const struct live_opts *opts = ctx;

	if (!opts->record->quiet && isatty(STDERR_FILENO))
		tell_until_when(&opts->record->spec, "tracing");
}

static int prepare(void *ctx, struct session *session)
{
	const struct live_opts *opts = ctx;

	return opts->prepare ? opts->prepare(opts->ctx, session) : 0;
}

static int ready(void *ctx, struct instance *inst)
{
	const struct live_opts *opts = ctx;

	return opts->ready ? opts->ready(opts->ctx, inst) : 0;
}

static void ended(void *ctx)
{
	const struct live_opts *opts = ctx;

	if (opts->ended)
		opts->ended(opts->ctx);
}

static void done(void *ctx, const struct record_outcome *out)
{
	const struct live_opts *opts = ctx;

	if (!opts->record->quiet)
		tell_waiting(out);
}

static uint64_t count_events(const struct record_outcome *out)
{
	uint64_t events = 0;

	vec_each (&out->cpus, cpu)
		events += cpu->events;
	return events;
}

/* Reports the kernel's own counts: events that did not fit into its buffers, or that were not printed for another reason. */
static void report_losses(const struct record_outcome *out, const char *cure)
{
	uint64_t events = count_events(out), lost = 0;
	struct str list = { 0 };

	vec_each (&out->cpus, cpu) {
		lost += cpu->lost;
		if (cpu->lost)
			str_addf(&list, "%s%" PRIu64 " on CPU %u%s%s", list.len ? ", " : "", cpu->lost, cpu->cpu, *cpu->buffer ? " of " : "", cpu->buffer);
	}
	if (lost)
		warn("%" PRIu64 " of %" PRIu64 " events were lost, because they came faster than they could be printed: %s. %s", lost, lost + events,
		     str_text(&list), cure ? cure : "A larger buffer (-b) helps in a burst; fewer events or a filter (-f) help in a longer flood");
	str_fini(&list);
}

int live_main(struct live_opts *opts)
{
	struct record_hooks hooks = { .said = said, .prepare = prepare, .ready = ready, .begun = begun, .ended = ended, .done = done, .ctx = opts };
	struct record_outcome out = { 0 };
	struct live_view *view;
	struct live_reader reader;
	struct live_seen seen;
	int status, err = live_view_new(&view, opts, &reader);

	if (err)
		return 1;
	err = live(&opts->record->spec, &hooks, &reader, &out);
	opts->hangs = out.hangs;
	opts->ran = out.ran;
	live_view_end(view, &seen, !out.hangs);
	report_losses(&out, opts->cure);
	if (out.cut_short && opts->output && !opts->reading->complete)
		err = fail(EINTR, "stopped at the second signal: %s is not written, as not all would be in it", opts->output);
	else if (out.cut_short && count_events(&out) > seen.seen)
		warn("stopped at the second signal: %" PRIu64 " of the events that were traced are not printed", count_events(&out) - seen.seen);
	else if (opts->by_kernel || out.cut_short || spec_leaves_out_all(&opts->record->spec))
		;
	else if (!err && out.ran && !seen.seen && !opts->record->quiet)
		note("none of the events took place");
	else if (!err && out.ran && !seen.shown && !opts->record->quiet)
		note_none_matches(seen.seen);
	status = record_status(err, &out);
	/* Some wrong options are found only here. */
	if (err == -EINVAL && !out.ran && !out.status)
		status = 2;
	record_outcome_fini(&out);
	return status;
}
