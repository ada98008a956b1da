/* SPDX-License-Identifier: GPL-2.0 */
/* ringside show and snapshot: print the kernel's own text of a buffer, and a few settings. */
#include "cmd/commands.h"
#include "cmd/output.h"
#include "cmd/pager.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/tracefs/refused.h"
#include "lib/tracefs/select.h"
#include "lib/tracefs/target.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/*
 * The settings that show can print. A row has the member of struct show (which is also trace-cmd's spelling of the option), the option, the file, and the help.
 */
#define SETTINGS(ROW) \
	ROW(tracing_on, "tracing-on", "tracing_on", "print 1 when tracing is on, and 0 when it is off") \
	ROW(current_tracer, "current-tracer", "current_tracer", "print the tracer that is set") \
	ROW(buffer_size, "buffer-size", "buffer_size_kb", "print the size of the buffer on each CPU, in kB") \
	ROW(buffer_total_size, "buffer-total-size", "buffer_total_size_kb", "print the size of the buffers of all CPUs together, in kB") \
	ROW(buffer_subbuf_size, "buffer-subbuf-size", "buffer_subbuf_size_kb", "print the size of a sub-buffer, in kB") \
	ROW(buffer_percent, "buffer-percent", "buffer_percent", "print how full the buffer must be before a waiting reader is woken, in per cent") \
	ROW(max_latency, "max-latency", "tracing_max_latency", "print the longest latency that a latency tracer has seen, in us") \
	ROW(ftrace_filter, "ftrace-filter", "set_ftrace_filter", "print the functions to which the function tracers are limited") \
	ROW(ftrace_notrace, "ftrace-notrace", "set_ftrace_notrace", "print the functions that the function tracers leave out") \
	ROW(ftrace_pid, "ftrace-pid", "set_ftrace_pid", "print the tasks to which the function tracers are limited") \
	ROW(graph_function, "graph-function", "set_graph_function", "print the functions at which the graph tracer begins") \
	ROW(graph_notrace, "graph-notrace", "set_graph_notrace", "print the functions that the graph tracer leaves out") \
	ROW(cpumask, "cpumask", "tracing_cpumask", "print the mask of the CPUs that are traced")

struct show {
	const char *instance;
	uint64_t cpu; /* UINT64_MAX: all */
	bool pipe, snapshot, names;
	bool take, clear, free; /* of `ringside snapshot` */
	strv_t hists, triggers; /* the events of --hist and --trigger */
	struct {
#define ROW(field, option, file, help) bool field;
		SETTINGS(ROW)
#undef ROW
	} settings;
};

static const struct {
	size_t wanted;
	const char *file;
} settings[] = {
/* clang-format off */
#define ROW(field, option, file, help) { OPT_TO(struct show, settings.field), file },
	/* clang-format on */
	SETTINGS(ROW)
#undef ROW
};

/* Returns the path of the file, for one CPU if --cpu was given. The caller frees it. */
static char *file_of(const struct show *show, const char *file)
{
	if (show->cpu == UINT64_MAX)
		return strdup(file);
	return str_printf("per_cpu/cpu%llu/%s", (unsigned long long)show->cpu, file);
}

/* Copies the file to the output as data arrives, because trace_pipe never ends. Returns 0, or -errno after a message. */
static int copy(int fd, const struct tracedir *dir, const char *file)
{
	char bytes[1 << 16];
	ssize_t got;
	int err = output_flush();

	if (err)
		return err == -EPIPE ? 0 : err;
	while (!err && ((got = read(fd, bytes, sizeof(bytes))) > 0 || (got < 0 && errno == EINTR)))
		err = got > 0 ? output_write(bytes, (size_t)got) : 0;
	if (err)
		/* A reader that has closed the pipe is no error. */
		return err == -EPIPE ? 0 : fail(-err, "writing to the standard output: %m");
	return got < 0 ? refused(dir, file, errno) : 0;
}

static int print_file(const struct show *show, const struct tracedir *dir, const char *name)
{
	__cleanup(free_ptr) char *file = file_of(show, name);
	__cleanup(close_fd) int fd = file ? tracedir_fd(dir, file, O_RDONLY) : -ENOMEM;

	if (fd < 0)
		return refused(dir, file ? file : name, -fd);
	if (show->names)
		printf("%s/%s\n", dir->path, file);
	return copy(fd, dir, file);
}

static int print_settings(const struct show *show, const struct tracedir *dir, bool *any)
{
	int err = 0;

	*any = false;
	for (size_t i = 0; !err && i < ARRAY_LEN(settings); i++)
		if (*(const bool *)((const char *)show + settings[i].wanted)) {
			err = print_file(show, dir, settings[i].file);
			*any = true;
		}
	return err;
}

/* --- files of events ---------------------------------------------------------------------------------------- */

/* Prints the file. If there are several events, the event's name comes before it and a blank line after it. */
static int print_event_file(const struct tracedir *dir, const char *event, const char *file, bool named)
{
	__cleanup(free_ptr) char *path = str_printf("events/%s/%s", event, file);
	__cleanup(free_ptr) char *text = NULL;
	int err = path ? 0 : fail(ENOMEM, "out of memory");

	if (err)
		return err;
	*strchr(path, ':') = '/';
	if (!tracedir_has(dir, path) && strcmp(file, "hist") == 0)
		return fail(ENOENT,
			    "%s has no histograms: either this kernel was built without CONFIG_HIST_TRIGGERS, or the "
			    "event takes no triggers",
			    event);
	err = tracedir_read(dir, path, &text);
	if (err)
		return refused(dir, path, -err);
	/* With several events, those without a histogram or trigger are left out. */
	if (named && (!*text || str_starts(text, "# Available triggers:")))
		return 0;
	if (!*text)
		note("%s has no histogram; `ringside sqlhist -e` or a trigger of start or set makes one (-R hist:keys=FIELD)", event);
	if (named)
		printf("# %s\n%s\n\n", event, text);
	else if (*text)
		puts(text);
	return 0;
}

static int print_event_files(const struct tracedir *top, const struct tracedir *dir, const strv_t *patterns, const char *file)
{
	strv_t events = { 0 };
	int err = 0;

	vec_each (patterns, pattern)
		err = err ? err : events_find(top, *pattern, &events);
	vec_each (&events, event)
		err = err ? err : print_event_file(dir, *event, file, events.n > 1);
	strv_fini(&events);
	return err;
}

static int print_events(const struct show *show, const struct tracedir *dir, bool *any)
{
	struct tracedir top = TRACEDIR_NONE;
	int err;

	if (!show->hists.n && !show->triggers.n)
		return 0;
	*any = true;
	err = tracedir_open(&top, NULL);
	err = err ? err : print_event_files(&top, dir, &show->hists, "hist");
	err = err ? err : print_event_files(&top, dir, &show->triggers, "trigger");
	tracedir_fini(&top);
	return err;
}

/* --- the commands ------------------------------------------------------------------------------------------- */

/* Opens the instance, and checks that the CPU exists. @change has the same meaning as for target_open(). */
static int open_dir(const struct show *show, bool change, struct tracedir *out)
{
	struct tracedir top;
	int err = tracedir_open(&top, NULL);

	*out = (struct tracedir)TRACEDIR_NONE;
	if (!err)
		err = target_open(out, &top, show->instance ? show->instance : "", change);
	tracedir_fini(&top);
	if (!err && show->cpu != UINT64_MAX) {
		__cleanup(free_ptr) char *folder = file_of(show, "");

		if (!folder || !tracedir_has(out, folder))
			err = fail(ENOENT, "-c %llu: there is no such CPU; `ls %s/per_cpu` lists them", (unsigned long long)show->cpu, out->path);
	}
	return err;
}

static int show_buffer(const struct show *show, const struct tracedir *dir)
{
	pid_t pager = show->pipe ? 0 : pager_start();
	int err = print_file(show, dir, show->pipe ? "trace_pipe" : show->snapshot ? "snapshot" : "trace");

	pager_wait(pager);
	return err;
}

static int show_parsed(const struct show *show)
{
	struct tracedir dir;
	bool any;
	/* Reading trace_pipe takes events out of the buffer, which a recording would then lack; so it counts as a change. */
	int err = open_dir(show, show->pipe, &dir);

	if (!err)
		err = print_settings(show, &dir, &any);
	if (!err)
		err = print_events(show, &dir, &any);
	if (!err && !any)
		err = show_buffer(show, &dir);
	tracedir_fini(&dir);
	return err;
}

static int run_show(int argc, char **argv)
{
	struct show show = { .cpu = UINT64_MAX };
	char **operands;
	int n = opt_parse(&cmd_show, &show, argc, argv, &operands), status;

	if (n < 0)
		status = opt_status(n);
	else if (n)
		status = usage(&cmd_show, "it takes no arguments, and here is '%s'", *operands);
	else if (show.pipe && show.snapshot)
		status = usage(&cmd_show, "-p and -s are two different files");
	else
		status = show_parsed(&show) ? 1 : 0;
	strv_fini(&show.hists);
	strv_fini(&show.triggers);
	return status;
}

/* Writes to the file "snapshot": 1 takes a snapshot, 0 frees it, and 2 clears it. */
static int write_snapshot(const struct show *show, const struct tracedir *dir)
{
	__cleanup(free_ptr) char *file = file_of(show, "snapshot");
	int err = file ? tracedir_write(dir, file, show->take ? "1" : show->free ? "0" : "2", true) : -ENOMEM;

	if (err == -EBUSY)
		return fail(EBUSY,
			    "%s/%s: the tracer that is set uses the snapshot buffer itself (latency tracers do), or somebody "
			    "has it mapped; choose another tracer",
			    dir->path, file);
	if (err == -EINVAL && show->cpu != UINT64_MAX)
		return fail(EINVAL, "%s/%s: this kernel takes and frees snapshots of all CPUs at once only: leave -c out", dir->path, file);
	return err ? refused(dir, file ? file : "snapshot", -err) : 0;
}

static int run_snapshot(int argc, char **argv)
{
	struct show show = { .cpu = UINT64_MAX, .snapshot = true };
	struct tracedir dir;
	char **operands;
	int n = opt_parse(&cmd_snapshot, &show, argc, argv, &operands), changes, err;

	if (n < 0)
		return opt_status(n);
	changes = show.take + show.clear + show.free;
	if (n)
		return usage(&cmd_snapshot, "it takes no arguments, and here is '%s'", *operands);
	if (changes > 1)
		return usage(&cmd_snapshot, "give one of -s, -r and -f");
	err = open_dir(&show, changes, &dir);
	if (!err && !tracedir_has(&dir, "snapshot"))
		err = fail(ENOENT, "this kernel has no snapshots: it would have to be built with CONFIG_TRACER_SNAPSHOT");
	if (!err)
		err = changes ? write_snapshot(&show, &dir) : show_buffer(&show, &dir);
	tracedir_fini(&dir);
	return err ? 1 : 0;
}

#define TO(field) OPT_TO(struct show, field)

/* Options that choose one instance or one CPU. */
static const struct opt which_options[] = {
	{ OPT_STR, 'B', .name = "instance|buffer", .arg = "NAME", .complete = "instances", .offset = TO(instance),
	  .help = "use this trace instance, not the top instance" },
	{ OPT_U64, 'c', .name = "cpu", .arg = "CPU", .complete = "cpus", .offset = TO(cpu),
	  .help = "use only the part of the buffer or snapshot that belongs to this CPU" },
	OPT_END,
};

static const struct opt show_options[] = {
	{ OPT_FLAG, 'p', .name = "pipe", .offset = TO(pipe), .help = "print trace_pipe, not trace: take events out of the buffer, and wait for more" },
	{ OPT_FLAG, 's', .name = "snapshot", .offset = TO(snapshot), .help = "print the snapshot, not the buffer" },
	{ OPT_ROWS, .rows = which_options },
	{ OPT_FLAG, 'f', .name = "file", .offset = TO(names), .help = "print the name of each file before the contents of the file" },
	{ OPT_HEADING, .help = "Histograms and triggers, instead of the buffer" },
	{ OPT_STRV, .name = "hist", .arg = "EVENT", .complete = "events", .offset = TO(hists),
	  .help = "print the histogram of this event ([SYSTEM:]EVENT or a glob); repeatable" },
	{ OPT_STRV, .name = "trigger", .arg = "EVENT", .complete = "events", .offset = TO(triggers), .help = "print the triggers of this event; repeatable" },
	{ OPT_HEADING, .help = "Settings, instead of the buffer" },
/* clang-format off */
#define ROW(field, option, file, help_) { OPT_FLAG, .name = option "|" #field, .offset = TO(settings.field), .help = help_ },
	/* clang-format on */
	SETTINGS(ROW)
#undef ROW
		OPT_END,
};

static const struct opt snapshot_options[] = {
	{ OPT_FLAG, 's', .name = "take", .offset = TO(take), .help = "take a snapshot; the new snapshot replaces an older one" },
	{ OPT_FLAG, 'r', .name = "reset|clear", .offset = TO(clear), .help = "empty the snapshot" },
	{ OPT_FLAG, 'f', .name = "free", .offset = TO(free), .help = "free the memory of the snapshot" },
	{ OPT_ROWS, .rows = which_options },
	OPT_END,
};

const struct cmd cmd_show = {
	.name = "show",
	.synopsis = "[OPTION...]",
	.summary = "print the kernel's buffer as text, as the kernel formats it",
	.opts = show_options,
	.run = run_show,
};

const struct cmd cmd_snapshot = {
	.name = "snapshot",
	.synopsis = "[OPTION...]",
	.summary = "take, print, empty or free a snapshot of the buffer while tracing goes on",
	.details = "Without -s, -r and -f, the snapshot is printed. `ringside extract -s` makes a trace file from the snapshot.\n"
		   "If -c is given, -s takes a snapshot of that CPU only, and -r empties only the snapshot of that CPU.",
	.opts = snapshot_options,
	.run = run_snapshot,
};
