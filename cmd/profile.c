/* SPDX-License-Identifier: GPL-2.0 */
/* ringside profile: runs record --profile into a temporary file, and then report --profile on it. */
#include "cmd/commands.h"
#include "cmd/output.h"
#include "cmd/record.h"
#include "cmd/report.h"
#include "lib/base/err.h"
#include "lib/base/outfile.h"
#include "lib/output/profile-text.h"

#include <unistd.h>

#define TO(field) offsetof(struct record_opts, field)

static const struct opt options[] = {
	{ OPT_ROWS, .rows = what_options },
	{ OPT_ROWS, .rows = profiling_options },

	{ OPT_ROWS, .rows = whom_options },
	{ OPT_FLAG, .name = "self|no-filter", .offset = TO(spec.self), .help = "record ringside's own threads as well" },
	{ OPT_TIME, .positive = true, .name = "duration", .arg = "TIME", .offset = TO(spec.duration_ns),
	  .help = "end after this time (in seconds, or with a unit: ms, m, h)" },

	{ OPT_HEADING, .help = "Where" },
	{ OPT_STR, 'o', .name = "output", .arg = "FILE", .complete = "files", .offset = TO(spec.output),
	  .help = "write the profile to this file, not to the terminal" },
	{ OPT_STR, .name = "temp", .arg = "DIR", .complete = "dirs", .offset = TO(spec.temp),
	  .help = "keep the recording in this folder until the profile is printed (default: $TMPDIR or /tmp)" },
	{ OPT_ROWS, .rows = where_options },
	{ OPT_ROWS, .rows = aside_options },
	{ OPT_ROWS, .rows = pace_options },
	{ OPT_KB, 'm', .name = "max-size", .arg = "KB", .offset = TO(spec.max_kb), .help = "profile only the newest data, at most this many kB for each CPU" },
	{ OPT_FLAG, 'k', .name = "keep", .offset = TO(spec.keep), .help = "do not put the kernel's settings back at the end" },
	{ OPT_ROWS, .rows = meta_options },
	{ OPT_ROWS, .rows = times_options },
	{ OPT_ROWS, .rows = network_options },
	{ OPT_ROWS, .rows = no_listener_options },
	{ OPT_ROWS, .rows = talk_options },
	OPT_END,
};

/* Sends the profile to -o's file, or to stderr with --stderr. */
static int turn_stdout(const struct outfile *output, bool to_stderr)
{
	int fd = output->fd >= 0 ? output->fd : to_stderr ? STDERR_FILENO : -1;

	return fd >= 0 && dup2(fd, STDOUT_FILENO) < 0 ? fail(errno, "cannot redirect the output: %m") : 0;
}

/* Prints the first lines of `report --profile`. */
static int print_front(void *ctx)
{
	const struct reading *reading = ctx;

	report_heads(&reading->inputs, 0);
	return output_flush();
}

static int show(const char *path, const struct record_opts *opts, struct outfile *output)
{
	struct profile_view how = { .opt = { .irq_global = opts->irq_global, .by_comm = opts->by_comm } };
	struct reading_opts read = { .reading = { .quiet = true }, .no_pager = true };
	int status = 1;

	if (turn_stdout(output, opts->to_stderr))
		return status;
	if (!reading_input(&read.reading, path) && !reading_settle(&cmd_profile, &read, STDOUT_FILENO) && !reading_open(&read.reading) &&
	    !reading_add(&read.reading, &profile_analysis, &how))
		status = reading_show_all(&read, print_front, &read.reading);
	reading_close(&read.reading);
	strv_fini(&how.opt.hooks);
	if (!status && output->fd >= 0 && outfile_publish(output))
		status = 1;
	return status;
}

static void done(void *ctx, const struct record_outcome *out)
{
	if (!((const struct record_talk *)ctx)->quiet)
		tell_waiting(out);
}

/* Records into @path, and shows the profile. Returns the exit status. *@lost is set if the profile could not be written. */
static int profile(struct record_opts *opts, const char *path, struct outfile *output, bool *lost)
{
	struct record_outcome out = { 0 };
	struct record_hooks hooks;
	struct record_talk talk;
	int status;

	opts->spec.output = path;
	opts->spec.temp = NULL;
	record_talk_init(&talk, opts, &hooks);
	hooks.done = done;
	talk.words = stderr;
	status = record_status(record(&opts->spec, &hooks, &out), &out);
	if (out.size && show(path, opts, output)) {
		*lost = output->fd >= 0;
		status = 1;
	}
	record_outcome_fini(&out);
	return status;
}

static int in_folder(struct record_opts *opts, struct outfile *output)
{
	const char *temp = opts->spec.temp ? opts->spec.temp : getenv("TMPDIR");
	__cleanup(free_ptr) char *dir = str_printf("%s/ringside-profile-XXXXXX", temp && *temp ? temp : "/tmp");
	__cleanup(free_ptr) char *path = NULL;
	bool lost = false;
	int status;

	if (!dir || !mkdtemp(dir)) {
		fail(errno, "making the folder %s: %m", dir ? dir : "for the recording");
		return 1;
	}
	path = str_printf("%s/trace.dat", dir);
	status = path ? profile(opts, path, output, &lost) : 1;
	if (lost)
		note("what was recorded is in %s: `ringside report --profile %s` shows it", path, path);
	else if (path)
		unlink(path);
	rmdir(dir);
	return status;
}

/* Opens the output before the recording begins, so that an error is seen early. */
static int run_parsed(struct record_opts *opts)
{
	struct outfile output = OUTFILE_NONE;
	int status = 1;

	if (!opts->spec.output || !outfile_open(&output, opts->spec.output))
		status = in_folder(opts, &output);
	outfile_close(&output);
	return status;
}

static int run(int argc, char **argv)
{
	struct record_opts opts = { .profile = true, .spec = { .version = 7, .compression = "none" } };
	int status, err;

	watch_expect();
	err = trace_parse(&cmd_profile, &opts, argc, argv);
	record_settle(&opts);
	err = err ? err : record_profile(&opts);
	if (err) {
		record_opts_fini(&opts);
		return opt_status(err);
	}
	status = run_parsed(&opts);
	record_opts_fini(&opts);
	return status;
}

const struct cmd cmd_profile = {
	.name = "profile",
	.synopsis = "[OPTION...] [COMMAND [ARG...]]",
	.summary = "tell where tasks spend their time while a command runs, or until Ctrl-C",
	.details = "This command does what `ringside record --profile` and then `ringside report --profile` do, and keeps no file.\n"
		   "The exit status is that of COMMAND.\n\n"
		   "Examples:\n"
		   "  ringside profile -F ls\n"
		   "  ringside profile -p nop -o profile.txt --duration 5",
	.opts = options,
	.stop_at_operand = true,
	.operands = "command",
	.run = run,
};
