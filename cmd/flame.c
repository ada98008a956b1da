/* SPDX-License-Identifier: GPL-2.0 */
/* ringside flame: draws where the time went, as an interactive picture. */
#include "cmd/commands.h"
#include "cmd/diff-run.h"
#include "cmd/output.h"
#include "cmd/paths-options.h"
#include "cmd/reading.h"
#include "lib/analysis/units.h"
#include "lib/base/err.h"
#include "lib/base/outfile.h"
#include "lib/base/str.h"
#include "lib/data/inlet.h"
#include "lib/export/flame-view.h"

#include <unistd.h>

/* the value of .by while --by has not been given */
#define BY_UNSAID ((enum paths_by)(PATHS_CPU + 1))

struct flame_opts {
	struct reading_opts read; /* first */
	struct flame_view view;
	const char *output;
	const char *weight;
	bool folded, off_cpu;
	strv_t old; /* --diff */
	diff_runs_t runs[2];
};

#define TO(field) offsetof(struct flame_opts, field)

static const struct opt opts[] = {
	{ OPT_ROWS, .rows = reading_files },
	{ OPT_ROWS, .rows = reading_which },
	{ OPT_ROWS, .rows = reading_more },
	{ OPT_ROWS, .rows = reading_pairs },
	{ OPT_HEADING, .help = "What to draw" },
	{ OPT_STR, 'o', .name = "output", .arg = "FILE", .complete = "files", .offset = TO(output),
	  .help = "write to this file: a page if its name ends in .html, a picture if its name ends in .svg (default: flame.html)" },
	{ OPT_FLAG, .name = "folded", .offset = TO(folded),
	  .help = "draw nothing, and print a line \"CALLER;...;FUNCTION WEIGHT\" for each stack, for other tools" },
	{ OPT_STR, .name = "weight", .arg = "WHAT", .complete = "=time cpu off calls events", .offset = TO(weight),
	  .help = "choose what the width of a frame stands for: the time of its calls (time), only the time on the CPU (cpu), only the time off the CPU (off), the number of calls (calls), or the number of events (events)" },
	{ OPT_FLAG, .name = "off-cpu", .offset = TO(off_cpu),
	  .help = "draw the time that tasks were off the CPU, by the reason (blocked, preempted, queued) and by the stacks that were recorded with sched_switch" },
	{ OPT_STR, .name = "sum", .arg = "FIELD", .complete = "fields", .offset = TO(view.sum),
	  .help = "make the width of a frame stand for the sum of this field in the events of the frame; events that lack the field are left out" },
	{ OPT_STRV, .name = "diff", .arg = "OLD", .complete = "files", .offset = TO(old),
	  .help = "colour frames by what has changed since the recording OLD, as `ringside diff` finds it; repeatable" },
	{ OPT_ROWS, .rows = paths_rows, .offset = TO(view.paths) },
	OPT_END,
};

/* Finds which weight is meant. Returns 0, or -EINVAL after a message. */
static int settle_weight(struct flame_opts *o)
{
	unsigned int i = 0;

	if (o->off_cpu && (o->weight || o->view.sum))
		return usage(&cmd_flame, "--off-cpu is a weight of its own; it does not go with --%s", o->weight ? "weight" : "sum"), -EINVAL;
	if (!o->weight) {
		o->view.weight = o->off_cpu ? FLAME_OFF_CPU : o->view.sum ? FLAME_EVENTS : FLAME_TIME;
		return 0;
	}
	while (i < FLAME_OFF_CPU && strcmp(flame_weights[i], o->weight) != 0)
		i++;
	if (i == FLAME_OFF_CPU)
		return usage(&cmd_flame, "--weight %s: time, cpu, off, calls or events", o->weight), -EINVAL;
	o->view.weight = i;
	if (o->view.sum && i != FLAME_EVENTS)
		return usage(&cmd_flame, "--sum adds up a field of events; it goes with --weight events alone"), -EINVAL;
	return 0;
}

/* Checks what --diff can compare: calls of one recording, of all tasks together. Returns 0, or -EINVAL after a message. */
static int settle_diff(struct flame_opts *o)
{
	if (!o->old.n)
		return 0;
	if (o->view.weight > FLAME_CALLS)
		return usage(&cmd_flame, "--diff compares calls; it does not go with events, --sum and --off-cpu"), -EINVAL;
	if (o->view.paths.by != BY_UNSAID && o->view.paths.by != PATHS_ALL)
		return usage(&cmd_flame, "--diff compares the calls of all tasks together; it does not go with --by"), -EINVAL;
	if (o->read.reading.inputs.n != 1)
		return usage(&cmd_flame, "--diff compares one recording with those before; %zu were given", o->read.reading.inputs.n), -EINVAL;
	o->view.paths.by = PATHS_ALL;
	o->view.runs = o->runs;
	return 0;
}

/* Settles what is written, and where. @instead is the weight that is taken instead of the default; FLAME_TIME: none. Returns 0, or -EINVAL after a message. */
static int settle(struct flame_opts *o, enum flame_weight instead)
{
	int err = settle_weight(o);

	if (instead != FLAME_TIME)
		o->view.weight = instead;
	if (err)
		return err;
	if (o->folded) {
		o->view.form = FLAME_FOLDED;
	} else {
		o->output = o->output ? o->output : "flame.html";
		o->view.form = str_ends(o->output, ".svg") ? FLAME_SVG : FLAME_HTML;
		if (o->view.form == FLAME_HTML && !str_ends(o->output, ".html") && !str_ends(o->output, ".htm") && !str_starts(o->output, "/dev/") &&
		    strcmp(o->output, "-") != 0)
			return usage(&cmd_flame, "-o %s: a name that ends in .html or .svg says what is to be made", o->output), -EINVAL;
	}
	err = settle_diff(o);
	if (err)
		return err;
	/* A page shows tasks apart and together, so it needs them apart. */
	if (o->view.paths.by == BY_UNSAID)
		o->view.paths.by = o->view.form == FLAME_HTML && o->view.weight != FLAME_EVENTS ? PATHS_TASK : PATHS_ALL;
	o->view.told_apart = o->view.paths.by == PATHS_TASK;
	if (o->view.weight >= FLAME_EVENTS && o->view.paths.by > PATHS_TASK)
		return usage(&cmd_flame, "%s told apart by task or not at all: --by task, or none", o->off_cpu ? "time off the CPU is" : "events are"), -EINVAL;
	return 0;
}

/* Says why nothing was drawn. */
static void say_empty(const struct flame_opts *o)
{
	const char *path = o->read.reading.inputs.at[0].path;

	if (!o->read.reading.pass.passed)
		return;
	if (o->off_cpu && !o->view.switches && o->view.lacking)
		note("there is no switch in %s of a task whose switches are all recorded; `record -e sched` without -F, -P and -f records all", path);
	else if (o->off_cpu && !o->view.switches)
		note("there is no sched_switch in %s, or none of those asked for; `record -e sched -T --ustack` records it with its stacks", path);
	else if (o->off_cpu)
		note("no task in %s was seen to leave a CPU and to come back", path);
	else if (o->view.weight == FLAME_EVENTS && o->view.sum)
		note("there is nothing to draw in %s: no event adds to the sum of %s; `ringside report --events` shows which events have it", path,
		     o->view.sum);
	else if (o->view.weight == FLAME_EVENTS)
		note("there is nothing to draw in %s", path);
	else if (o->view.timeless)
		note("there is nothing to draw in %s, because the times of its %llu calls are not known: %s; --weight calls draws their number", path,
		     (unsigned long long)o->view.timeless, units_why_timeless(&o->read.reading.inputs));
	else if (o->view.weight == FLAME_OFF)
		note("no call in %s was off the CPU, as far as it tells; record -e sched:sched_switch with the calls", path);
	else
		note("there are no complete calls in %s; they come from `record -p function_graph` and `record -e raw_syscalls`; --weight events draws events by their stacks",
		     path);
}

/* Reads the recordings to compare with. Returns the exit status of diff_take(). */
static int take_old(struct flame_opts *o)
{
	struct reading *reading = &o->read.reading;
	struct input new = reading->inputs.at[0];
	bool damaged = false;
	int status = 0;

	reading->inputs.n = 0;
	vec_each (&o->old, path)
		if (!status && vec_push(&o->runs[OLD], (struct diff_run){ .path = *path, .by_path = true }))
			status = fail(ENOMEM, "out of memory") != 0;
	vec_each (&o->runs[OLD], run) {
		int ended = status ? status : diff_take(reading, run);

		damaged |= ended < 0;
		status = MAX(ended, 0);
	}
	if (!status && (vec_push(&reading->inputs, new) || vec_push(&o->runs[NEW], (struct diff_run){ .path = new.path, .by_path = true })))
		status = fail(ENOMEM, "out of memory") != 0;
	return status ? status : -damaged;
}

/* Reads and draws. Returns the exit status. */
static int draw(struct flame_opts *o, int fd)
{
	const struct analysis *what = o->off_cpu ? &flame_off_analysis : o->view.weight == FLAME_EVENTS ? &flame_events_analysis : &flame_calls_analysis;

	int before, status;

	o->read.no_pager = true;
	if (reading_settle(&cmd_flame, &o->read, fd))
		return 2;
	before = o->old.n ? take_old(o) : 0;
	if (before > 0)
		return before;
	if (reading_open(&o->read.reading) || (o->old.n && reading_add(&o->read.reading, &diff_analysis, &o->runs[NEW].at[0])) ||
	    reading_add(&o->read.reading, what, &o->view))
		return 1;
	status = reading_show_all(&o->read, NULL, NULL);
	return status ? status : before < 0;
}

/* Opens the file that is written, if one is. Returns 0, or -errno after a message. */
static int open_output(const struct flame_opts *o, struct outfile *output)
{
	int err = 0;

	if (!o->output)
		return 0;
	vec_each (&o->old, path)
		err = err ? err : outfile_check_input(o->output, *path);
	return err ? err : reading_outfile(&o->read.reading, output, o->output);
}

/* Can all recordings be read once more? It is asked before they are opened: an open input has no path, but a name for messages. */
static bool can_read_again(const struct flame_opts *o)
{
	vec_each (&o->read.reading.inputs, input)
		if (!inlet_stays(input->path))
			return false;
	return true;
}

/*
 * Draws into the output, which appears when it is complete. Returns the exit status. If no call has a known time, and the user did not ask for a weight, sets
 * *@again to the weight that can be drawn: FLAME_CALLS if there are calls, FLAME_EVENTS if not. A pipe cannot be read once more: then *@again stays as it is.
 */
static int draw_into(struct flame_opts *o, enum flame_weight *again)
{
	struct outfile output = OUTFILE_NONE;
	const bool stays = can_read_again(o);
	int status = open_output(o, &output) ? 1 : 0;

	status = status ? status : draw(o, output.fd >= 0 ? output.fd : STDOUT_FILENO);
	if (stays && o->view.done && o->view.empty && !o->weight && !o->old.n && o->view.weight == FLAME_TIME && o->read.reading.pass.passed)
		*again = o->view.timeless ? FLAME_CALLS : FLAME_EVENTS;
	if (*again == FLAME_CALLS)
		note("frames are as wide as the number of their calls, because the times of the calls are not known: %s",
		     units_why_timeless(&o->read.reading.inputs));
	if (o->view.done && o->view.empty && *again == FLAME_TIME) {
		say_empty(o);
		status = 1;
	} else if (o->view.done && !o->view.empty && output.fd >= 0 && output_publish_page(&output)) {
		status = 1;
	}
	if (o->view.done && o->off_cpu && o->view.switches && !o->view.stacks)
		note("sched_switch was recorded without stacks, so only states are drawn; `record -e sched -T --ustack` records it with them");
	if (o->view.done && o->view.cut)
		note("there were too many different chains: %llu are drawn without callers", (unsigned long long)o->view.cut);
	outfile_close(&output);
	return status;
}

static int run_once(int argc, char **argv, enum flame_weight instead, enum flame_weight *again)
{
	struct flame_opts o = { .view.paths.by = BY_UNSAID };
	int err = reading_parse(&cmd_flame, &o, argc, argv), status;

	*again = FLAME_TIME;
	err = err ? err : settle(&o, instead);
	status = err ? opt_status(err) : draw_into(&o, again);
	for (unsigned int side = OLD; side <= NEW; side++) {
		vec_each (&o.runs[side], one)
			diff_run_fini(one);
		vec_fini(&o.runs[side]);
	}
	strv_fini(&o.old);
	reading_close(&o.read.reading);
	return status;
}

/* If a recording has no calls whose times are known, the calls or the events are counted, unless the user asked for something else. */
static int run(int argc, char **argv)
{
	__cleanup(free_ptr) char **copy = calloc((size_t)argc + 1, sizeof(*copy));
	enum flame_weight again;
	int status;

	if (!copy)
		return fail(ENOMEM, "out of memory"), 1;
	memcpy(copy, argv, (size_t)argc * sizeof(*copy));
	status = run_once(argc, argv, FLAME_TIME, &again);
	return again != FLAME_TIME ? run_once(argc, copy, again, &again) : status;
}

const struct cmd cmd_flame = {
	.name = "flame",
	.synopsis = "[OPTION...] [FILE...]",
	.summary = "draw a flame graph: the calls of a recording merged by call path, each path as wide as its time",
	.details = "Without FILE, a trace file on standard input is read; if there is none, trace.dat is read.\n"
		   "If the recording has no calls, the stacks of its events are drawn.\n"
		   "  ringside flame                                 flame.html, a page in which you can zoom and search\n"
		   "  ringside flame --weight off -o waits.svg       a picture of where tasks were off the CPU\n"
		   "  ringside flame --off-cpu                       why tasks left the CPU, and in which functions\n"
		   "  ringside flame --diff before.dat after.dat     what has changed since before.dat\n"
		   "  ringside flame --by task --comm nginx          only the tasks with the name nginx, with a frame for each task\n"
		   "  ringside flame --only-event malloc --sum size  frames as wide as the bytes that were allocated below them\n"
		   "  ringside flame --folded | speedscope -         lines for another tool",
	.opts = opts,
	.operands = "files",
	.run = run,
};
