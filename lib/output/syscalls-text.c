/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/syscalls-text.h"
#include "lib/analysis/reading.h"
#include "lib/analysis/syscalls.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/map.h"
#include "lib/base/outfile.h"
#include "lib/event/syscall-quals.h"
#include "lib/event/syscall-set.h"
#include "lib/output/signal-line.h"
#include "lib/output/syscall-line.h"
#include "lib/output/syscalls-graph.h"

#include <inttypes.h>
#include <time.h>

enum { RESULT_COLUMN = 40 }; /* of the '=' */

/* Where lines go, one after the other: there is one for all tasks, or with -ff one for each. */
struct lane {
	struct str out;
	struct syscall_open *pending; /* entered, and its line has not ended */
	bool begun;		      /* it stands in .out, or has been written */
	size_t column;		      /* of the pending line */
	uint64_t last_ns;	      /* -r */
	char *path;		      /* its own file; NULL: what the reading writes to */
	struct outfile file;
};

struct view {
	struct handler handler;
	const struct syscalls_view *opt;
	struct reading *reading;
	struct syscall_reader *calls;
	struct syscall_quals quals;
	struct syscall_set set;
	struct syscalls_summary *summary; /* NULL: not wanted */
	struct syscalls_graph *graph;	  /* likewise */
	struct lane all;
	MAP(int, struct lane *) lanes; /* -ff, by task */
	bool bare;		       /* an address was shown where a name would stand */
};

/* --- where the lines of a task go ------------------------------------------------------------------------- */

static void lane_free(struct lane *lane)
{
	outfile_close(&lane->file);
	str_fini(&lane->out);
	free(lane->path);
	free(lane);
}

/* NULL: out of memory. */
static struct lane *lane_of(struct view *v, int pid)
{
	map_entry(&v->lanes) entry;
	struct lane *lane;

	if (!v->opt->files)
		return &v->all;
	entry = map_find(&v->lanes, pid);
	if (entry && entry->value)
		return entry->value;
	lane = calloc(1, sizeof(*lane));
	if (!lane)
		return NULL;
	lane->file = (struct outfile)OUTFILE_NONE;
	lane->path = str_printf("%s.%d", v->opt->files, pid);
	entry = lane->path ? map_add(&v->lanes, pid) : NULL;
	if (!entry) {
		lane_free(lane);
		return NULL;
	}
	return entry->value = lane;
}

static int lane_write(struct view *v, struct lane *lane)
{
	int err = str_ok(&lane->out);

	if (err || !lane->out.len)
		return err;
	if (!lane->path) {
		err = reading_write(v->reading, &lane->out);
	} else if (!v->reading->failed) {
		if (lane->file.fd < 0)
			err = reading_outfile(v->reading, &lane->file, lane->path);
		if (!err && (err = io_write(lane->file.fd, str_text(&lane->out), lane->out.len)))
			err = fail(-err, "writing %s: %s", lane->path, strerror(-err));
		v->reading->failed |= err != 0;
	}
	str_clear(&lane->out);
	return err;
}

/* Its file is complete. */
static int lane_end(struct view *v, struct lane *lane)
{
	int err = lane_write(v, lane);

	return err || v->reading->failed || lane->file.fd < 0 ? err : outfile_publish(&lane->file);
}

/* The task has ended; another one may take its number, and its file, later. Who ends it by execve goes on in its file: it does not come here. */
static int lane_drop(struct view *v, int pid)
{
	map_entry(&v->lanes) entry = map_find(&v->lanes, pid);
	int err = entry && entry->value ? lane_end(v, entry->value) : 0;

	if (entry && entry->value)
		lane_free(take(entry->value));
	return err;
}

/* --- lines ------------------------------------------------------------------------------------------------ */

/* From here on times are those since 1970, not since the machine was started: September 2001. */
#define SINCE_1970 (1000000000 * NSEC_PER_SEC)

static void add_time(const struct view *v, struct lane *lane, uint64_t ns)
{
	time_t seconds = (time_t)(ns / NSEC_PER_SEC);
	unsigned int us = ns % NSEC_PER_SEC / NSEC_PER_USEC;
	char text[32];
	struct tm tm;

	if (v->opt->relative) {
		uint64_t since = lane->last_ns && ns > lane->last_ns ? ns - lane->last_ns : 0;

		str_addf(&lane->out, "%6" PRIu64 ".%06" PRIu64 " ", (uint64_t)(since / NSEC_PER_SEC), (uint64_t)(since % NSEC_PER_SEC / NSEC_PER_USEC));
		lane->last_ns = ns;
	}
	if (!v->opt->times)
		return;
	if (v->opt->times < 3 && ns > SINCE_1970 && localtime_r(&seconds, &tm) && strftime(text, sizeof(text), "%H:%M:%S", &tm))
		str_add(&lane->out, text);
	else
		str_addf(&lane->out, "%" PRIu64, (uint64_t)seconds);
	str_addf(&lane->out, v->opt->times > 1 ? ".%06u " : " ", us);
}

/* What stands in front of a line; returns where the line begins in .out. */
static size_t add_leader(const struct view *v, struct lane *lane, const struct input *input, int pid, uint64_t ns)
{
	size_t begin = lane->out.len;
	const char *comm = v->opt->comms ? comms_find(input->trace->comms, pid) : NULL;

	if (v->opt->pids) {
		str_addf(&lane->out, v->opt->plain_pids ? "%-5d" : "[pid %5d", pid);
		if (comm)
			str_addf(&lane->out, "<%s>", comm);
		str_add(&lane->out, v->opt->plain_pids ? " " : "] ");
	}
	add_time(v, lane, ns);
	return begin;
}

static void begin_line(struct view *v, struct lane *lane, struct syscall_open *call)
{
	size_t begin = add_leader(v, lane, call->input, call->pid, call->ns);

	syscall_name_text(call, &lane->out);
	str_addc(&lane->out, '(');
	v->bare |= syscall_lacks_name(call);
	syscall_args_text(call, &lane->out);
	lane->column = lane->out.len - begin;
	lane->begun = true;
	call->shown = true;
}

/* Another line comes: the call that is open has to wait. */
static void interrupt(struct view *v, struct lane *lane)
{
	if (!lane->pending)
		return;
	if (!lane->begun)
		begin_line(v, lane, lane->pending);
	str_add(&lane->out, " <unfinished ...>\n");
	lane->pending = NULL;
}

static void end_line(const struct view *v, struct lane *lane, const struct syscall_open *call, const char *result, uint64_t took)
{
	str_addc(&lane->out, ')');
	while (++lane->column < RESULT_COLUMN - 1)
		str_addc(&lane->out, ' ');
	str_add(&lane->out, " = ");
	str_add(&lane->out, result);
	if (v->opt->took && took != SYSCALL_UNKNOWN && !syscall_is_last(call))
		str_addf(&lane->out, " <%" PRIu64 ".%06" PRIu64 ">", (uint64_t)(took / NSEC_PER_SEC), (uint64_t)(took % NSEC_PER_SEC / NSEC_PER_USEC));
	else if (v->opt->took && !syscall_is_last(call))
		str_add(&lane->out, " <unavailable>");
	str_addc(&lane->out, '\n');
	if (lane->pending == call)
		lane->pending = NULL;
}

static void resume_line(const struct view *v, struct lane *lane, const struct syscall_open *call, uint64_t ns)
{
	size_t begin = add_leader(v, lane, call->input, call->pid, ns);

	str_add(&lane->out, "<... ");
	syscall_name_text(call, &lane->out);
	str_add(&lane->out, " resumed>");
	lane->column = lane->out.len - begin;
}

/* With -z and -Z a line is only known to be wanted when its call ends. */
static bool waits(const struct view *v)
{
	return v->quals.statuses != STATUS_ALL;
}

static int on_enter(void *ctx, struct syscall_open *call)
{
	struct view *v = ctx;
	struct lane *lane = lane_of(v, call->pid);

	if (!lane)
		return -ENOMEM;
	if (v->graph)
		syscalls_graph_begin(v->graph, call);
	if (!syscall_set_has(&v->set, call->number) || !v->opt->lines || (waits(v) && !(syscall_is_last(call) && v->quals.statuses & STATUS_UNFINISHED)))
		return 0;
	interrupt(v, lane);
	lane->pending = call;
	lane->begun = false;
	lane->column = 0;
	if (syscall_is_last(call)) {
		begin_line(v, lane, call);
		end_line(v, lane, call, "?", 0);
	}
	return str_ok(&lane->out);
}

static bool is_wanted(const struct view *v, int64_t result)
{
	return v->quals.statuses & (syscall_error(result) ? STATUS_FAILED : STATUS_SUCCESSFUL);
}

static int on_leave(void *ctx, struct syscall_open *call, uint64_t ns, int64_t result, uint64_t took)
{
	struct view *v = ctx;
	struct lane *lane = lane_of(v, call->pid);
	struct str text = { 0 };
	int err = lane ? 0 : -ENOMEM;

	if (err)
		return err;
	if (!syscall_set_has(&v->set, call->number) || !is_wanted(v, result))
		return 0;
	if (v->summary)
		err = syscalls_summary_add(v->summary, call, result, took);
	if (!v->opt->lines || err)
		return err;
	if (lane->pending != call)
		interrupt(v, lane);
	if ((call->has_entry || call->refused) && !call->shown)
		begin_line(v, lane, call);
	else if (lane->pending != call)
		resume_line(v, lane, call, ns);
	syscall_result_text(call, result, &text);
	end_line(v, lane, call, str_text(&text), took);
	str_fini(&text);
	if (v->graph && call->has_entry)
		str_add(&lane->out, syscalls_graph_lines(v->graph, call));
	return str_ok(&lane->out);
}

/* Its line goes on later, with a new number. */
static int on_renumbered(void *ctx, struct syscall_open *call)
{
	struct lane *lane = lane_of(ctx, call->pid);

	if (lane && lane->pending == call)
		interrupt(ctx, lane);
	return lane ? 0 : -ENOMEM;
}

static int on_cut(void *ctx, struct syscall_open *call)
{
	struct view *v = ctx;
	struct lane *lane = lane_of(v, call->pid);
	int err = on_renumbered(ctx, call);

	if (err)
		return err;
	if (v->opt->lines && waits(v) && v->quals.statuses & STATUS_UNFINISHED && call->has_entry && !call->shown && syscall_set_has(&v->set, call->number)) {
		interrupt(v, lane);
		begin_line(v, lane, call);
		str_add(&lane->out, " <unfinished ...>\n");
	}
	if (v->graph && call->shown && *syscalls_graph_lines(v->graph, call)) {
		interrupt(v, lane);
		str_add(&lane->out, syscalls_graph_lines(v->graph, call));
	}
	if (!v->summary || !syscall_set_has(&v->set, call->number) || syscall_is_last(call))
		return 0;
	return syscalls_summary_add(v->summary, call, 0, SYSCALL_UNKNOWN);
}

static int tell_lost(struct view *v, struct lane *lane, uint16_t cpu, int64_t lost)
{
	interrupt(v, lane);
	if (lost > 0)
		str_addf(&lane->out, "--- %" PRId64 " event%s lost on CPU %u ---\n", lost, lost == 1 ? "" : "s", cpu);
	else
		str_addf(&lane->out, "--- events lost on CPU %u ---\n", cpu);
	return str_ok(&lane->out);
}

/* Whose calls they were, nobody knows. */
static int on_lost(void *ctx, uint16_t cpu, int64_t lost)
{
	struct view *v = ctx;
	int err = 0;

	if (!v->opt->files)
		return v->opt->lines ? tell_lost(v, &v->all, cpu, lost) : 0;
	map_each (&v->lanes, entry)
		if (!err && entry->value)
			err = tell_lost(v, entry->value, cpu, lost);
	return err;
}

static int on_signal(void *ctx, const struct input *input, const struct signal_taken *signal, uint64_t ns)
{
	struct view *v = ctx;
	struct lane *lane = lane_of(v, signal->pid);

	if (!lane)
		return -ENOMEM;
	if (!v->opt->lines || signal->number < 1 || signal->number > 64 || !(v->quals.signals >> (signal->number - 1) & 1))
		return 0;
	interrupt(v, lane);
	add_leader(v, lane, input, signal->pid, ns);
	signal_text(signal, &lane->out);
	str_addc(&lane->out, '\n');
	return str_ok(&lane->out);
}

static int on_ended(void *ctx, const struct input *input, int pid, struct ending ending, uint64_t ns, bool chosen)
{
	struct view *v = ctx;
	struct lane *lane = lane_of(v, pid);

	if (!lane)
		return -ENOMEM;
	if (chosen && v->opt->lines && !(v->quals.silences & (ending.how == ENDING_SUPERSEDED ? QUIET_SUPERSEDED : QUIET_EXIT))) {
		interrupt(v, lane);
		add_leader(v, lane, input, pid, ns);
		ending_text(ending, &lane->out);
		str_addc(&lane->out, '\n');
	}
	return v->opt->files && ending.how != ENDING_SUPERSEDED ? lane_drop(v, pid) : str_ok(&lane->out);
}

static const struct syscalls_ops ops = {
	.enter = on_enter,
	.leave = on_leave,
	.cut = on_cut,
	.lost = on_lost,
	.renumbered = on_renumbered,
	.signal = on_signal,
	.ended = on_ended,
};

/* --- the analysis ----------------------------------------------------------------------------------------- */

static int write_out(struct view *v)
{
	int err = lane_write(v, &v->all);

	map_each (&v->lanes, entry)
		if (!err && entry->value)
			err = lane_write(v, entry->value);
	return err;
}

static int take_records(struct handler *h, const struct batch *batch)
{
	struct view *v = container_of(h, struct view, handler);
	int err = 0;

	for (size_t i = 0; !err && i < batch->n; i++) {
		err = syscall_reader_record(v->calls, &batch->records[i]);
		err = err || !v->graph ? err : syscalls_graph_record(v->graph, v->calls, &batch->records[i]);
	}
	return err ? err : write_out(v);
}

/* The names of files come a little after the call's entry, that of a program when it has been loaded. */
static bool name_may_come(const struct view *v, const struct lane *lane)
{
	const struct syscalls_facts *facts = syscall_reader_facts(v->calls);

	return syscall_lacks_name(lane->pending) && (facts->strings || (facts->programs && syscall_is(lane->pending, "execve")));
}

/* A call that blocks is seen while it does. */
static int flush(struct handler *h)
{
	struct view *v = container_of(h, struct view, handler);
	struct lane *lane = &v->all;

	if (!lane->pending || lane->begun || name_may_come(v, lane))
		return 0;
	begin_line(v, lane, lane->pending);
	return write_out(v);
}

static int end(struct handler *h)
{
	struct view *v = container_of(h, struct view, handler);
	int err = syscall_reader_end(v->calls);

	err = err ? err : write_out(v);
	if (err)
		return err;
	syscalls_notes(v->opt, v->reading, syscall_reader_facts(v->calls), v->bare);
	if (v->graph && !v->opt->quiet && !syscalls_graph_seen(v->graph))
		note("--graph: there is no function graph in it; `ringside record -p function_graph -e raw_syscalls` records one");
	map_each (&v->lanes, entry)
		if (!err && entry->value)
			err = lane_end(v, entry->value);
	return err;
}

static void view_free(struct handler *h)
{
	struct view *v = container_of(h, struct view, handler);

	syscall_reader_free(v->calls);
	syscalls_summary_free(v->summary);
	syscalls_graph_free(v->graph);
	syscall_set_fini(&v->set);
	syscall_quals_fini(&v->quals);
	str_fini(&v->all.out);
	map_each (&v->lanes, entry)
		if (entry->value)
			lane_free(entry->value);
	map_fini(&v->lanes);
	free(v);
}

static int check(const struct view *v)
{
	return syscall_reader_facts(v->calls)->any
		       ? 0
		       : fail(ENODATA, "%s has no events of system calls; `ringside record -e raw_syscalls` records them", v->reading->inputs.at[0].path);
}

static int make(struct handler **out, struct reading *reading, void *options)
{
	struct syscalls_view *opt = options;
	struct view *v = calloc(1, sizeof(*v));
	const struct syscalls calls = reading->inputs.at[0].trace->calls;
	int err;

	if (!v)
		return -ENOMEM;
	*v = (struct view){ .opt = opt, .reading = reading, .all.file = OUTFILE_NONE };
	v->handler = (struct handler){ .records = take_records, .flush = opt->live ? flush : NULL, .end = end, .free = view_free };
	err = syscall_quals_init(&v->quals, &opt->exprs);
	if (opt->successful || opt->failed)
		v->quals.statuses = opt->failed ? STATUS_FAILED : STATUS_SUCCESSFUL;
	err = err ? err : syscall_set_init(&v->set, &calls, &v->quals.trace);
	opt->wanted.cpus = reading_cpus(reading);
	err = err ? err : syscall_reader_new(&v->calls, &reading->inputs, &ops, v, opt->wanted);
	if (!err && opt->graphs.n)
		err = syscalls_graph_new(&v->graph, &reading->inputs, &calls, &opt->graphs);
	err = err ? err : check(v);
	if (!err && opt->summary)
		err = syscalls_summary_new(&v->summary, &opt->table);
	*out = err ? NULL : &v->handler;
	if (err)
		view_free(&v->handler);
	return err;
}

static int show(struct handler *h, struct reading *reading, __unused void *options)
{
	struct view *v = container_of(h, struct view, handler);

	return v->summary ? syscalls_summary_show(v->summary, reading, syscall_reader_facts(v->calls)) : 0;
}

const struct analysis syscalls_analysis = {
	.name = "syscalls",
	.needs = ANALYSIS_ALL_CPUS | ANALYSIS_SWITCHES,
	.make = make,
	.show = show,
};
