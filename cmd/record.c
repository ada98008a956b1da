/* SPDX-License-Identifier: GPL-2.0 */
/* ringside record [OPTION…] [COMMAND [ARG…]] */
#include "cmd/commands.h"
#include "cmd/record-guests.h"
#include "lib/base/err.h"

int record_status(int err, const struct record_outcome *out)
{
	return err && (out->ran || !out->status) ? 1 : out->status;
}

static int run_parsed(struct record_opts *opts, struct daemon *daemon)
{
	struct record_outcome out = { 0 };
	struct record_hooks hooks;
	struct record_talk talk;
	int status;

	record_talk_init(&talk, opts, &hooks);
	talk.daemon = daemon;
	status = record_status(record(&opts->spec, &hooks, &out), &out);
	record_outcome_fini(&out);
	return status;
}

static int run_aside(struct record_opts *opts)
{
	struct daemon daemon = DAEMON_NONE;
	int status = 1, err = daemon_begin(&daemon, opts->pidfile ? opts->pidfile : PIDFILE, &status);

	if (!err)
		status = run_parsed(opts, &daemon);
	daemon_end(&daemon);
	return status;
}

/* Copies the arguments, because parsing reorders them. */
static char **copy_words(int argc, char **argv)
{
	char **words = calloc((size_t)argc + 1, sizeof(*words));

	if (words)
		memcpy(words, argv, (size_t)argc * sizeof(*words));
	return words;
}

static int run_lines(struct record_opts *opts, const struct guest_lines *lines, char **words)
{
	if (opts->hosts && lines->at.n)
		return usage(&cmd_record, "--hosts does not go with -A: agents are asked from here, and hosts through a shell");
	if (opts->hosts)
		return record_on_hosts(opts, words + 1);
	if (lines->at.n)
		return record_with_guests(opts, lines);
	return opts->daemonize ? run_aside(opts) : run_parsed(opts, NULL);
}

static int run(int argc, char **argv)
{
	__cleanup(free_ptr) char **words = copy_words(argc, argv);
	struct guest_lines lines;
	struct record_opts opts;
	int status, err;

	if (!words)
		return fail(ENOMEM, "out of memory") ? 1 : 0;
	watch_expect();
	err = guest_lines(&lines, &cmd_record, argc, argv);
	if (err) {
		guest_lines_fini(&lines);
		return err == -ENOMEM ? 1 : 2;
	}
	err = record_parse(&cmd_record, &opts, (int)lines.rest.n - 1, lines.rest.at);
	status = err ? opt_status(err) : run_lines(&opts, &lines, words);
	record_opts_fini(&opts);
	guest_lines_fini(&lines);
	return status;
}

const struct cmd cmd_record = {
	.name = "record",
	.synopsis = "[OPTION...] [COMMAND [ARG...]]",
	.summary = "record what the kernel does while a command runs, or until Ctrl-C",
	.details = "Options before the first -B apply to the top trace buffer. If somebody else uses the top buffer, these options apply to\n"
		   "a trace instance that ringside makes.\n"
		   "The exit status is that of COMMAND.\n\n"
		   "Examples:\n"
		   "  ringside record -p function_graph -g do_sys_openat2 ls\n"
		   "  ringside record -e sched -e irq --duration 5\n"
		   "  ringside record -e sched_switch -f 'prev_prio < 100' -F -c make",
	.opts = record_options,
	.stop_at_operand = true,
	.operands = "command",
	.run = run,
};
