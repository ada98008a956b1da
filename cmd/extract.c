/* SPDX-License-Identifier: GPL-2.0 */
/* ringside extract: writes the present contents of the kernel's buffers to a file. */
#include "cmd/commands.h"
#include "cmd/record.h"
#include "cmd/targets.h"
#include "lib/base/err.h"
#include "lib/tracefs/refused.h"
#include "lib/tracefs/select.h"
#include "lib/tracefs/target.h"

struct extract {
	struct record_opts trace;
	struct targets targets;
	const char *tracer;
	strv_t options;
	bool keep; /* accepted without effect, as all settings are kept */
};

/* The buffer of these tracers can be read only as text. */
static const char *const latency_tracers[] = {
	"irqsoff", "preemptirqsoff", "preemptoff", "wakeup", "wakeup_dl", "wakeup_rt", "wakeup-rt",
};

#define TO(field) OPT_TO(struct extract, field)

static const struct opt options[] = {
	TARGET_ROWS(OPT_TO(struct extract, targets)),
	{ OPT_FLAG, 's', .name = "snapshot", .offset = TO(trace.spec.snapshot), .help = "save the kernel's snapshots instead of its buffers" },
	{ OPT_STR, 'p', .name = "tracer|plugin", .arg = "TRACER", .complete = "tracers", .offset = TO(tracer),
	  .help = "extract the trace of this tracer; the trace of a latency tracer is text, without events" },
	{ OPT_STRV, 'O', .name = "option", .arg = "OPTION", .complete = "options", .offset = TO(options),
	  .help = "set a trace option while the text of a latency tracer is read; noOPTION clears it; repeatable" },
	{ OPT_FLAG, 'k', .name = "keep", .offset = TO(keep), .help = "accepted for compatibility with trace-cmd; `extract` always keeps the settings" },
	{ OPT_STR, 'o', .name = "output", .arg = "FILE", .complete = "files", .offset = TO(trace.spec.output),
	  .help = "write to this file (default: trace.dat)" },
	{ OPT_ROWS, .rows = times_options },
	{ OPT_ROWS, .rows = file_options },
	{ OPT_ROWS, .rows = talk_options },
	OPT_END,
};

static bool is_latency_tracer(const char *tracer)
{
	for (size_t i = 0; i < ARRAY_LEN(latency_tracers); i++)
		if (strcmp(tracer, latency_tracers[i]) == 0)
			return true;
	return false;
}

/* Refuses an instance whose tracer is another one, because its text would not be that of the latency tracer @tracer. */
static int check_tracer(const struct tracedir *top, const char *name, const char *tracer)
{
	__cleanup(free_ptr) char *set = NULL;
	struct tracedir dir = TRACEDIR_NONE;
	int err = target_open(&dir, top, name, false);

	err = err ? err : tracer_check(&dir, tracer);
	if (!err && tracedir_read(&dir, "current_tracer", &set))
		err = refused(&dir, "current_tracer", EIO);
	else if (!err && strcmp(set, tracer) != 0)
		err = fail(EINVAL, "-p %s: the tracer of %s is %s, so there is no text of %s to extract; `ringside start -p %s` sets it", tracer, dir.path, set,
			   tracer, tracer);
	tracedir_fini(&dir);
	return err;
}

/* Chooses the buffers. @names has the instances' names, which the spec borrows. */
static int choose_buffers(struct extract *opts, strv_t *names)
{
	struct tracedir top;
	int err = tracedir_open(&top, NULL);

	if (!err)
		err = targets_names(&opts->targets, &top, names);
	/* -a was given, and there are no instances */
	if (!err && !names->n)
		err = strv_add(names, "");
	opts->trace.spec.latency = opts->tracer && is_latency_tracer(opts->tracer);
	vec_each (names, name)
		if (!err && opts->trace.spec.latency)
			err = check_tracer(&top, *name, opts->tracer);
	tracedir_fini(&top);
	vec_each (names, name) {
		struct buffer_spec buffer = { .name = **name ? *name : NULL };

		vec_each (&opts->options, option)
			err = err ? err : strv_add(&buffer.options, *option);
		if (!err && vec_push(&opts->trace.spec.buffers, buffer))
			err = fail(ENOMEM, "out of memory");
	}
	return err;
}

static int run(int argc, char **argv)
{
	struct extract opts = { .trace.spec = { .join = JOIN_READ,
						.output = "trace.dat",
						.version = 7,
						.compression = "zstd",
						.all_formats = true,
						.program = "ringside " RINGSIDE_VERSION } };
	struct record_outcome out = { 0 };
	struct record_hooks hooks;
	struct record_talk talk;
	strv_t names = { 0 };
	char **operands;
	int n = opt_parse(&cmd_extract, &opts, argc, argv, &operands), status = 0;

	if (n < 0)
		status = opt_status(n);
	else if (n)
		status = usage(&cmd_extract, "it takes no arguments, and here is '%s'", *operands);
	else if (opts.options.n && !opts.tracer)
		status = usage(&cmd_extract, "-O is for the text of a latency tracer, which -p names");
	else if (choose_buffers(&opts, &names))
		status = 1;
	else {
		record_talk_init(&talk, &opts.trace, &hooks);
		status = record(&opts.trace.spec, &hooks, &out) ? 1 : 0;
	}
	record_outcome_fini(&out);
	record_opts_fini(&opts.trace);
	targets_fini(&opts.targets);
	strv_fini(&opts.options);
	strv_fini(&names);
	return status;
}

const struct cmd cmd_extract = {
	.name = "extract",
	.synopsis = "[OPTION...]",
	.summary = "make a trace file from what is in the kernel's buffer",
	.details = "Extracted events are taken out of the buffer. The text of a latency tracer stays in the buffer. If tracing is on, tracing stays on.",
	.opts = options,
	.run = run,
};
