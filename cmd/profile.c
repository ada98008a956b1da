/* SPDX-License-Identifier: GPL-2.0 */
/* ringside profile: record --profile into a file that does not stay, and report --profile of it. */
#include "cmd/commands.h"
#include "cmd/record.h"
#include "cmd/report.h"
#include "lib/base/err.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define TO(field) offsetof(struct record_opts, field)

static const struct opt options[] = {
	{ OPT_ROWS, .rows = what_options },
	{ OPT_ROWS, .rows = profile_options },

	{ OPT_ROWS, .rows = whom_options },
	{ OPT_FLAG, .name = "self|no-filter", .offset = TO(spec.self), .help = "record our own threads as well" },
	{ OPT_TIME, .name = "duration", .arg = "TIME", .offset = TO(spec.duration_ns),
	  .help = "end after so long (seconds, or with ms, m, h)" },

	{ OPT_HEADING, .help = "Where" },
	{ OPT_STR, 'o', .name = "output", .arg = "FILE", .complete = "files", .offset = TO(spec.output),
	  .help = "write the profile to this file, not to the terminal" },
	{ OPT_STR, .name = "temp", .arg = "DIR", .complete = "dirs", .offset = TO(spec.temp),
	  .help = "keep the recording there meanwhile ($TMPDIR or /tmp)" },
	{ OPT_ROWS, .rows = where_options },
	{ OPT_ROWS, .rows = aside_options },
	{ OPT_ROWS, .rows = talk_options },
	OPT_END,
};

/* The profile goes to -o's file, or to stderr with --stderr. */
static int turn_stdout(const char *output, bool to_stderr)
{
	int fd = output ? open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
	int err = 0;

	if (output && fd < 0)
		return fail(errno, "-o %s: %m", output);
	if ((output || to_stderr) && dup2(output ? fd : STDERR_FILENO, STDOUT_FILENO) < 0)
		err = fail(errno, "turning the output: %m");
	if (fd >= 0)
		close(fd);
	return err;
}

static int show(const char *path, const struct record_opts *opts)
{
	struct report report = { .profile = true, .quiet = true,
				 .prof = { .irq_global = opts->irq_global, .by_comm = opts->by_comm } };
	int status = 1;

	if (!vec_push(&report.inputs, (struct input){ .path = path }) && !report_open(&report))
		status = report_records(&report);
	report_fini(&report);
	return status;
}

/* Records into @path, and shows that. The exit status. */
static int profile(struct record_opts *opts, const char *path)
{
	const char *output = opts->spec.output;
	struct record_outcome out = { 0 };
	struct record_hooks hooks;
	struct record_talk talk;
	int status;

	opts->spec.output = path;
	opts->spec.temp = NULL;
	record_talk_init(&talk, opts, &hooks);
	hooks.done = NULL;
	status = record_status(record(&opts->spec, &hooks, &out), &out);
	if (out.size && !turn_stdout(output, opts->to_stderr))
		status = show(path, opts) ? 1 : status;
	else if (out.size)
		status = 1;
	record_outcome_fini(&out);
	return status;
}

static int in_folder(struct record_opts *opts)
{
	const char *temp = opts->spec.temp ? opts->spec.temp : getenv("TMPDIR");
	__cleanup(free_ptr) char *dir = str_printf("%s/ringside-profile-XXXXXX", temp && *temp ? temp : "/tmp");
	__cleanup(free_ptr) char *path = NULL;
	int status;

	if (!dir || !mkdtemp(dir)) {
		fail(errno, "making the folder %s: %m", dir ? dir : "for the recording");
		return 1;
	}
	path = str_printf("%s/trace.dat", dir);
	status = path ? profile(opts, path) : 1;
	if (path)
		unlink(path);
	rmdir(dir);
	return status;
}

static int run(int argc, char **argv)
{
	struct record_opts opts = { .profile = true, .spec = { .version = 7, .compression = "none" } };
	int status, err = trace_parse(&cmd_profile, &opts, argc, argv);

	err = err ? err : record_profile(&opts);
	if (err) {
		record_opts_fini(&opts);
		return opt_status(err);
	}
	tell_of_the_dead();
	status = in_folder(&opts);
	record_opts_fini(&opts);
	return status;
}

const struct cmd cmd_profile = {
	.name = "profile",
	.synopsis = "[OPTION...] [COMMAND [ARG...]]",
	.summary = "tell where tasks spend their time while a command runs, or until Ctrl-C",
	.details = "What `record --profile` and `report --profile` do, without a file that stays. The exit status is the command's.\n\n"
		   "Examples:\n"
		   "  ringside profile -F ls\n"
		   "  ringside profile -p nop -o profile.txt --duration 5",
	.opts = options,
	.stop_at_operand = true,
	.operands = "commands",
	.run = run,
};
