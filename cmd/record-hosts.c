/* SPDX-License-Identifier: GPL-2.0 */
/* The options of `ringside record --hosts`, and its messages. */
#include "cmd/record.h"

#include "lib/base/duration.h"
#include "lib/base/err.h"
#include "lib/record/hosts.h"

#include <inttypes.h>
#include <stdio.h>

/* How long a host may take to begin recording. */
#define PATIENCE_NS (60 * NSEC_PER_SEC)

const struct opt hosts_options[] = {
	{ OPT_HEADING, .help = "Many machines" },
	{ OPT_STR(struct record_opts, hosts), .name = "hosts", .arg = "HOST,...",
	  .help = "record on these machines at the same time, and write a file for each machine; @FILE stands for the machines that FILE lists, one on each line; localhost is this machine" },
	{ OPT_STR(struct record_opts, rsh), .name = "rsh", .arg = "COMMAND",
	  .help = "with --hosts: reach each host by this command, which is called with the host's name and a command line to run on that host (default: $RINGSIDE_RSH, or ssh)" },
	{ OPT_STR(struct record_opts, there), .name = "ringside", .arg = "COMMAND",
	  .help = "with --hosts: use this command to run ringside on the hosts, as in 'sudo ringside' (default: ringside)" },
	{ OPT_FLAG(struct record_opts, push), .name = "push",
	  .help = "with --hosts: copy ringside to the hosts that do not have it, and remove the copies after the recording" },
	{ OPT_FLAG(struct record_opts, all_or_none), .name = "all-or-none", .help = "with --hosts: if any host cannot record, record on none" },
	{ OPT_TIME(struct record_opts, patience_ns), .positive = true, .name = "host-timeout", .arg = "TIME",
	  .help = "with --hosts: go on without a host that is not ready after this time, or that sends nothing for this time (default: 60 s)" },
	{ OPT_STR(struct record_opts, spec.wire), .name = "wire", .arg = "HOST", .hidden = true },
	OPT_END,
};

/* Replaces "%h" in the names of buffers by the host, so that hosts which share a kernel have their own instances. */
static int name_buffers(struct record_opts *o)
{
	vec_each (&o->spec.buffers, buffer) {
		const char *at = buffer->name ? strstr(buffer->name, "%h") : NULL;
		char *name = at ? str_printf("%.*s%s%s", (int)(at - buffer->name), buffer->name, o->spec.wire, at + 2) : NULL;

		if (!at)
			continue;
		if (strv_own(&o->texts, name))
			return fail(ENOMEM, "out of memory");
		buffer->name = name;
	}
	return 0;
}

/* Checks the options on a host that records. --hosts and the file were meant for the caller, so they are dropped. */
static int check_wire(const struct cmd *cmd, struct record_opts *o)
{
	if (o->spec.network || o->spec.max_kb || o->daemonize)
		return usage(cmd, "-N, -m and --daemonize do not go with --hosts"), -EINVAL;
	o->hosts = NULL;
	o->quiet = true;
	return name_buffers(o);
}

int hosts_check(const struct cmd *cmd, struct record_opts *o)
{
	if (o->spec.wire)
		return check_wire(cmd, o);
	if (!o->hosts && (o->rsh || o->there || o->push || o->all_or_none || o->patience_ns))
		return usage(cmd, "--rsh, --ringside, --push, --all-or-none and --host-timeout are for --hosts"), -EINVAL;
	if (!o->hosts)
		return 0;
	if (o->spec.network)
		return usage(cmd, "--hosts makes the files here, and -N sends one to a listener: choose one"), -EINVAL;
	if (strcmp(o->spec.output, "-") == 0)
		return usage(cmd, "--hosts makes a file for each host, and -o - can take only one: give -o a folder"), -EINVAL;
	if (o->spec.max_kb)
		return usage(cmd, "-m keeps only the newest data, and data that a host has sent (--hosts) cannot be taken back"), -EINVAL;
	if (o->daemonize)
		return usage(cmd, "--daemonize does not go with --hosts: run it with & instead"), -EINVAL;
	return 0;
}

/* --- what is said ------------------------------------------------------------------------------------------------ */

static void begun(void *ctx, size_t hosts)
{
	const struct record_opts *o = ctx;
	__cleanup(free_ptr) char *what = str_printf("recording on %zu host%s", hosts, hosts == 1 ? "" : "s");

	if (!o->quiet && what)
		tell_until_when(&o->spec, what);
}

static int64_t earliest(const hostoutcomes_t *all)
{
	int64_t first = INT64_MAX;

	vec_each (all, one)
		if (one->started && one->line.n && one->start_ns < first)
			first = one->start_ns;
	return first;
}

static void print_host(const struct host_outcome *one, int width, int64_t first)
{
	struct str began = { 0 }, error = { 0 }, round = { 0 };
	char drift[32] = "-", events[24] = "?", lost[24] = "?";

	if (one->complete) {
		snprintf(events, sizeof(events), "%" PRIu64, one->events);
		snprintf(lost, sizeof(lost), "%" PRIu64, one->lost);
	}
	if (one->line.n) {
		duration_add(&began, (uint64_t)one->start_ns - (uint64_t)first);
		duration_add(&error, one->line.error);
		duration_add(&round, one->round_ns);
	}
	if (one->line.has_drift)
		snprintf(drift, sizeof(drift), "%.2f+-%.2f", one->line.drift_ppm, one->line.drift_error_ppm);
	fprintf(stderr, "%*s %12s %10s %9" PRIu64 " kB %10s %10s %10s %15s  %s\n", width, one->name, events, lost, one->bytes / 1024,
		began.len ? began.at : "-", error.len ? error.at : "-", round.len ? round.at : "-", drift, one->size ? one->output : "no file");
	str_fini(&began);
	str_fini(&error);
	str_fini(&round);
}

static void print_table(const hostoutcomes_t *all)
{
	int64_t first = earliest(all);
	int width = 4;

	vec_each (all, one)
		width = MAX(width, prec(strlen(one->name)));
	fprintf(stderr, "%*s %12s %10s %12s %10s %10s %10s %15s  %s\n", width, "host", "events", "lost", "bytes", "began", "clock +-", "trip", "drift ppm",
		"file");
	vec_each (all, one)
		if (one->started)
			print_host(one, width, first);
}

/* --- the recording ------------------------------------------------------------------------------------------------ */

static int fill(const struct record_opts *o, char *const *words, struct hosts_spec *spec)
{
	const char *given = getenv("RINGSIDE_RSH"), *rsh = o->rsh ? o->rsh : given && *given ? given : "ssh";
	int err = hosts_list(o->hosts, &spec->names);

	if (!err)
		err = hosts_words(rsh, &spec->rsh);
	if (!err && o->there && !o->there[strspn(o->there, " \t")])
		err = fail(EINVAL, "--ringside needs a command: what runs ringside on the hosts");
	spec->there = o->there;
	spec->words = words;
	spec->output = o->spec.output;
	spec->commands = o->spec.argv != NULL;
	spec->push = o->push;
	spec->all_or_none = o->all_or_none;
	spec->patience_ns = o->patience_ns ? o->patience_ns : PATIENCE_NS;
	spec->version = o->spec.version;
	spec->compression = o->spec.compression;
	spec->program = o->spec.program;
	spec->begun = begun;
	spec->ctx = (void *)o;
	return err;
}

static int status_of(const hostoutcomes_t *all)
{
	vec_each (all, one)
		if (one->status)
			return one->status;
	return 0;
}

/* If the command ended with different statuses on the hosts, names the hosts on which it failed. */
static void tell_statuses(const hostoutcomes_t *all)
{
	bool differ = false;

	vec_each (all, one)
		differ |= one->complete && one->status != all->at[0].status;
	vec_each (all, one)
		if (differ && one->complete && one->status)
			note("%s: the command ended with status %d", one->name, one->status);
}

int record_on_hosts(const struct record_opts *o, char *const *words)
{
	struct hosts_spec spec = { 0 };
	hostoutcomes_t all = { 0 };
	int err = fill(o, words, &spec), status;

	if (err) {
		strv_fini(&spec.names);
		strv_fini(&spec.rsh);
		return 2;
	}
	err = hosts_record(&spec, &all);
	if (!o->quiet && earliest(&all) != INT64_MAX)
		print_table(&all);
	if (spec.commands)
		tell_statuses(&all);
	status = err ? 1 : status_of(&all);
	hosts_outcome_fini(&all);
	strv_fini(&spec.names);
	strv_fini(&spec.rsh);
	return status;
}
