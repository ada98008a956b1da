/* SPDX-License-Identifier: GPL-2.0 */
/* The options of `ringside record` that are not in cmd/trace-options.c: how events are read from the kernel, and the file. */
#include "cmd/record-guests.h"

#include "lib/base/err.h"
#include "lib/base/str.h"
#include "lib/data/codec.h"

/* How often --poll looks at the buffers. trace-cmd uses the same interval. */
#define POLL_NS 1000000ULL

static int set_interval(void *ctx, const struct opt *opt __unused, const char *value)
{
	struct record_opts *o = ctx;
	uint64_t us = 0;
	int err = record_opts_number("-s", value, "a number of microseconds", UINT64_MAX / NSEC_PER_USEC, &us);

	o->spec.interval_ns = us * NSEC_PER_USEC;
	return err;
}

static int set_priority(void *ctx, const struct opt *opt __unused, const char *value)
{
	struct record_opts *o = ctx;
	uint64_t priority;

	if (parse_u64(value, &priority) || priority < 1 || priority > 99)
		return fail(EINVAL, "-r %s: a real-time priority is wanted, 1 to 99", value);
	o->spec.rt_priority = (int)priority;
	return 0;
}

static int set_ts_offset(void *ctx, const struct opt *opt __unused, const char *value)
{
	struct record_opts *o = ctx;

	if (parse_s64(value, &o->spec.ts_offset))
		return fail(EINVAL, "--ts-offset %s: a whole number is wanted, in units of the clock", value);
	return 0;
}

static int set_version(void *ctx, const struct opt *opt __unused, const char *value)
{
	struct record_opts *o = ctx;
	uint64_t version;

	if (parse_u64(value, &version) || version < 6 || version > 7)
		return fail(EINVAL, "--file-version %s: it is 6 or 7", value);
	o->spec.version = (unsigned int)version;
	return 0;
}

static int set_compression(void *ctx, const struct opt *opt __unused, const char *value)
{
	struct record_opts *o = ctx;
	strv_t names = { 0 };
	__cleanup(free_ptr) char *list = NULL;

	o->spec.compression = strcmp(value, "any") ? value : "zstd";
	if (strcmp(value, "none") == 0 || codec_find(o->spec.compression))
		return 0;
	for (const struct codec *const *c = codec_all(); *c; c++)
		strv_add(&names, (*c)->name);
	list = join_names(&names, "", "");
	strv_fini(&names);
	return fail(EINVAL, "--compression %s: there is any, %s", value, list ? list : "none");
}

/* How often clocks are compared with agents. trace-cmd uses the same interval. */
enum { SYNC_MS = 3000 };

#define TO(field) offsetof(struct record_opts, field)

const struct opt times_options[] = {
	{ OPT_FLAG, .name = "date", .offset = TO(spec.date),
	  .help = "measure the offset from the trace clock to the wall clock, so that times are shown in seconds since 1970" },
	{ OPT_CALL, .name = "ts-offset", .arg = "OFFSET", .call = set_ts_offset,
	  .help = "add this offset, in units of the trace clock, to all times that are shown" },
	OPT_END,
};

const struct opt meta_options[] = {
	{ OPT_FLAG, 'a', .name = "all-formats", .offset = TO(spec.all_formats), .help = "read the formats of all events, not only of the recorded events" },
	{ OPT_FLAG, .name = "tsc2nsec", .offset = TO(spec.tsc2nsec),
	  .help = "find out how long a tick of the clock x86-tsc is, so that times are shown in seconds; -C tsc2nsec is the same as -C x86-tsc --tsc2nsec" },
	OPT_END,
};

const struct opt file_options[] = {
	{ OPT_CALL, .name = "file-version", .arg = "VERSION", .complete = "=6 7", .call = set_version,
	  .help = "write version 7 (the default) or 6 of trace.dat" },
	{ OPT_CALL, .name = "compression", .arg = "NAME", .complete = "=any none zlib zstd", .call = set_compression,
	  .help = "use this compression: any (the best one available), zstd (the default), zlib or none" },
	OPT_END,
};

/* Refuses trace-cmd's own options for networks and guests. */
static int refuse_network(void *ctx __unused, const struct opt *opt, const char *value __unused)
{
	const char letter[] = { opt->letter, '\0' };

	return fail(EINVAL,
		    "%s%s: ringside traces this machine only; of another one or of a guest have the file with "
		    "`ssh HOST ringside record -o - ... > host.dat`, or watch it with `ssh HOST ringside stream ...`",
		    opt->letter ? "-" : "--", opt->letter ? letter : opt->name);
}

const struct opt network_options[] = {
	{ OPT_CALL, 'V', .arg = "CID", .hidden = true, .call = refuse_network },
	{ OPT_CALL, 'A', .arg = "GUEST", .hidden = true, .call = refuse_network },
	{ OPT_CALL, .name = "name", .arg = "GUEST", .hidden = true, .call = refuse_network },
	{ OPT_CALL, .name = "proxy", .arg = "VSOCKET", .hidden = true, .call = refuse_network },
	{ OPT_CALL, .name = "tsync-interval", .arg = "MS", .hidden = true, .call = refuse_network },
	OPT_END,
};

const struct opt no_listener_options[] = {
	{ OPT_CALL, 'N', .arg = "HOST", .hidden = true, .call = refuse_network },
	{ OPT_CALL_FLAG, 't', .hidden = true, .call = refuse_network },
	OPT_END,
};

static int set_vsock(void *ctx, const struct opt *opt __unused, const char *value)
{
	struct record_opts *o = ctx;

	o->spec.network = value;
	o->spec.vsock = true;
	return 0;
}

static const struct opt listener_options[] = {
	{ OPT_STR, 'N', .name = "listener", .arg = "HOST:PORT", .one_of = "listener", .offset = TO(spec.network),
	  .help = "while recording, send the data to `ringside listen` or `trace-cmd listen` at this address, and write no file" },
	{ OPT_CALL, 'V', .name = "vsock", .arg = "CID:PORT", .one_of = "listener", .call = set_vsock,
	  .help = "do what -N does, but send to a listener on a vsocket; CID is the number of a virtual machine, or 2 for the host of this machine" },
	{ OPT_FLAG, 't', .hidden = true, .offset = TO(unused) },
	OPT_END,
};

const struct opt pace_options[] = {
	{ OPT_CALL, 's', .name = "interval", .arg = "US", .call = set_interval,
	  .help = "read the buffers at this interval, in microseconds, instead of when the kernel wakes ringside" },
	{ OPT_FLAG, .name = "poll", .offset = TO(poll),
	  .help = "read the buffers each millisecond, or at the interval of -s; the kernel then does not interrupt an idle CPU to wake ringside" },
	{ OPT_CALL, 'r', .name = "priority", .arg = "PRIO", .call = set_priority,
	  .help = "give the threads that read the buffers this real-time priority (1 to 99)" },
	OPT_END,
};

const struct opt spool_options[] = {
	{ OPT_KB, 'm', .name = "max-size", .arg = "KB", .offset = TO(spec.max_kb), .help = "keep only the newest data, at most this many kB for each CPU" },
	{ OPT_STR, .name = "temp", .arg = "DIR", .complete = "dirs", .offset = TO(spec.temp),
	  .help = "keep the recorded data in this folder until the file is written" },
	{ OPT_FLAG, .name = "nosplice", .hidden = true, .offset = TO(spec.no_splice), .help = "move data by read and write, not by splice" },
	{ OPT_FLAG, .name = "proc-map", .offset = TO(spec.proc_map),
	  .help = "save the file mappings (as in /proc/PID/maps) of the command, or of the processes of -P" },
	OPT_END,
};

const struct opt record_options[] = {
	{ OPT_ROWS, .rows = what_options },
	{ OPT_ROWS, .rows = why_options },
	{ OPT_ROWS, .rows = profile_flag },
	{ OPT_ROWS, .rows = profile_options },

	{ OPT_ROWS, .rows = whom_options },
	{ OPT_FLAG, .name = "self|no-filter", .offset = TO(spec.self), .help = "record ringside's own threads as well" },
	{ OPT_TIME, .positive = true, .name = "duration", .arg = "TIME", .offset = TO(spec.duration_ns),
	  .help = "end after this time (in seconds, or with a unit: ms, m, h)" },

	{ OPT_ROWS, .rows = hosts_options },
	{ OPT_HEADING, .help = "Where and how" },
	{ OPT_ROWS, .rows = guest_rows },
	{ OPT_ROWS, .rows = listener_options },
	{ OPT_STR, 'o', .name = "output", .arg = "FILE", .complete = "files", .offset = TO(spec.output), .help = "write to this file (default: trace.dat)" },
	{ OPT_ROWS, .rows = where_options },
	{ OPT_ROWS, .rows = aside_options },
	{ OPT_ROWS, .rows = pace_options },
	{ OPT_FLAG, 'k', .name = "keep", .offset = TO(spec.keep), .help = "do not put the kernel's settings back at the end" },
	{ OPT_FLAG, 'K', .name = "as-is", .offset = TO(spec.as_is),
	  .help = "record with the tracer, events and filters that are set already, and include what is in the buffer already" },
	{ OPT_FLAG, .name = "daemonize|fork", .offset = TO(daemonize), .help = "go to the background when tracing is set up and the command runs" },
	{ OPT_STR, .name = "pidfile", .arg = "FILE", .complete = "files", .offset = TO(pidfile),
	  .help = "with --daemonize: write the process id to this file (default: " PIDFILE ")" },

	{ OPT_HEADING, .help = "The file" },
	{ OPT_ROWS, .rows = spool_options },
	{ OPT_ROWS, .rows = meta_options },
	{ OPT_ROWS, .rows = times_options },
	{ OPT_ROWS, .rows = file_options },
	{ OPT_ROWS, .rows = talk_options },
	OPT_END,
};

/* "tsc2nsec" is trace-cmd's name for the clock x86-tsc with --tsc2nsec. */
static void name_tsc(struct record_spec *spec)
{
	vec_each (&spec->buffers, buffer)
		if (buffer->clock && strcmp(buffer->clock, "tsc2nsec") == 0) {
			buffer->clock = "x86-tsc";
			spec->tsc2nsec = true;
		}
}

void record_settle(struct record_opts *o)
{
	name_tsc(&o->spec);
	if (o->poll && !o->spec.interval_ns)
		o->spec.interval_ns = POLL_NS;
}

/* Checks the options for sending to a listener: it takes one buffer, and all that is recorded. */
static int check_listener(const struct cmd *cmd, const struct record_spec *spec)
{
	unsigned int used = 0;

	vec_each (&spec->buffers, buffer)
		used += buffer_used(spec, buffer);
	if (!spec->network)
		return 0;
	if (used > 1)
		return usage(cmd, "-N sends one buffer: a file of several buffers can only be written here, with -o"), -EINVAL;
	if (strcmp(spec->output, "-") == 0)
		return usage(cmd, "-N sends the recording to a listener, and -o - sends it to standard output: choose one"), -EINVAL;
	if (spec->max_kb)
		return usage(cmd, "-m keeps only the newest data, and data that was sent to a listener (-N) cannot be taken back"), -EINVAL;
	if (spec->version != 7)
		return usage(cmd, "-N sends version 7; `ringside convert --file-version 6` converts the listener's file"), -EINVAL;
	return 0;
}

int record_parse(const struct cmd *cmd, struct record_opts *o, int argc, char **argv)
{
	int err;

	*o = (struct record_opts){ .spec = { .output = "trace.dat", .version = 7, .compression = "zstd" }, .sync_ms = SYNC_MS };
	err = trace_parse(cmd, o, argc, argv);
	if (!err && o->spec.proc_map && !o->spec.argv && !o->spec.pids.n)
		return usage(cmd, "--proc-map is for a command or for -P"), -EINVAL;
	record_settle(o);
	/* With -K, all formats are saved, because it is not checked which events others have switched on. */
	o->spec.all_formats |= o->spec.as_is;
	if (!err && o->spec.as_is && (o->spec.private_ || o->spec.force))
		return usage(cmd, "-K records in a buffer as it is; --private and --force do not go with that"), -EINVAL;
	if (!err && o->pidfile && !o->daemonize)
		return usage(cmd, "--pidfile is for --daemonize"), -EINVAL;
	if (!err && o->daemonize && strcmp(o->spec.output, "-") == 0)
		return usage(cmd, "--daemonize needs a file, and -o - sends the recording to a pipe"), -EINVAL;
	err = err ? err : hosts_check(cmd, o);
	/* Each host finds out for itself what the options below add. */
	if (o->hosts)
		return err;
	err = err ? err : record_why(o);
	err = err ? err : record_profile(o);
	return err ? err : check_listener(cmd, &o->spec);
}
