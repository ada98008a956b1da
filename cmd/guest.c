/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/guest.h"

#include "lib/base/err.h"
#include "lib/base/str.h"

#define TO(field) offsetof(struct record_opts, field)

static int pass_over(void *ctx __unused, const struct opt *opt __unused, const char *value __unused)
{
	return 0;
}

/* The options that an agent accepts. None of them names files on the agent's machine, runs a program there, or leaves anything behind. */
static const struct opt guest_options[] = {
	{ OPT_ROWS, .rows = what_options },
	{ OPT_ROWS, .rows = why_options },
	{ OPT_ROWS, .rows = profile_flag },
	{ OPT_ROWS, .rows = profile_options },
	{ OPT_ROWS, .rows = whom_options },
	{ OPT_FLAG, .name = "self|no-filter", .offset = TO(spec.self), .help = "record the agent's threads as well" },
	{ OPT_TIME, .positive = true, .name = "duration", .arg = "TIME", .offset = TO(spec.duration_ns), .help = "end after this time" },
	/* trace-cmd also sends this option, which is about itself. */
	{ OPT_CALL, .name = "tsync-interval", .arg = "MS", .hidden = true, .call = pass_over },
	{ OPT_HEADING, .help = "Where and how" },
	{ OPT_ROWS, .rows = where_options },
	{ OPT_ROWS, .rows = aside_options },
	{ OPT_ROWS, .rows = pace_options },
	{ OPT_ROWS, .rows = meta_options },
	{ OPT_ROWS, .rows = times_options },
	{ OPT_ROWS, .rows = talk_options },
	OPT_END,
};

static int no_run(int argc __unused, char **argv __unused)
{
	return 2;
}

const struct cmd cmd_guest = {
	.name = "record",
	.synopsis = "",
	.summary = "what an agent is asked for",
	.opts = guest_options,
	.stop_at_operand = true,
	.hidden = true,
	.run = no_run,
};

int guest_words(char **words)
{
	int n = opt_span(&cmd_guest, words);

	if (n == -ENOENT)
		return fail(EINVAL, "%s cannot be asked of an agent; for the recording of this machine it must stand before -A", words[0]), -EINVAL;
	return n;
}

int guest_parse(struct record_opts *o, int argc, char **argv)
{
	int err;

	*o = (struct record_opts){ .spec = { .version = 7, .compression = "zstd" } };
	err = trace_parse(&cmd_guest, o, argc, argv);
	if (err == OPT_HELPED)
		return -EINVAL;
	if (!err && o->spec.argv)
		return fail(EINVAL, "'%s': an agent runs no command", o->spec.argv[0]);
	if (!err && o->spec.buffers.n > 1)
		return fail(EINVAL, "-B: an agent records one buffer");
	record_settle(o);
	err = err ? err : record_why(o);
	return err ? err : record_profile(o);
}
