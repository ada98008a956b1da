/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/export/flame-view.h"
#include "lib/analysis/diff-words.h"
#include "lib/analysis/lacking.h"
#include "lib/analysis/lost-text.h"
#include "lib/analysis/rooms.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/quote.h"
#include "lib/export/about.h"
#include "lib/export/document.h"
#include "lib/export/flame-data.h"
#include "lib/export/flame-svg.h"
#include "lib/export/folded.h"

/* What is shown: the result of one of the analyses. */
struct shown {
	struct flame flame;  /* as it was asked for */
	struct flame merged; /* for a page: the same with all tasks together */
	bool has_merged;
	callgraph_functions_t functions;
	const struct path_facts *facts; /* NULL: the graph is of events */
	struct flame_diff diff;		/* with view.runs */
};

/* --- a page ------------------------------------------------------------------------------------------------------------- */

static int put_data(const struct shown *shown, struct reading *reading, const struct flame_view *view, struct str *out)
{
	struct name_table names = { 0 };
	int err;

	str_addf(out, "{\"version\":1,\"weight\":\"%s\",\"sum\":", flame_weights[view->weight]);
	quote_json(view->sum, out);
	str_add(out, ",\"about\":");
	err = about_json(reading, out);
	if (shown->facts)
		str_addf(out, ",\"facts\":{\"switches\":%s,\"guessed\":%s}", shown->facts->least.switches ? "true" : "false",
			 shown->facts->least.guessed ? "true" : "false");
	str_add(out, ",\"apart\":");
	err = err ? err : shown->has_merged ? flame_json(&shown->flame, shown->facts, &names, out) : (str_add(out, "null"), 0);
	str_add(out, ",\"merged\":");
	err = err ? err : flame_json(shown->has_merged ? &shown->merged : &shown->flame, shown->facts, &names, out);
	str_add(out, ",\"functions\":");
	err = err ? err : functions_json(&shown->functions, shown->facts, &names, out);
	if (view->runs) {
		str_add(out, ",\"diff\":");
		err = err ? err : flame_diff_json(&shown->diff, shown->flame.frames.n, out);
	}
	str_add(out, ",");
	name_table_rooms(&names, &reading->inputs);
	name_table_json(&names, out);
	name_table_fini(&names);
	str_add(out, "}");
	return err ? err : str_ok(out);
}

static int write_page(const struct shown *shown, struct reading *reading, const struct flame_view *view)
{
	struct document_part part = { .name = "flame" };
	int err = put_data(shown, reading, view, &part.data);

	err = err ? err : document_pack(&part);
	err = err ? err : document_write(reading->out, DOCUMENT_FLAME, &part, 1);
	str_fini(&part.data);
	return err;
}

/* --- a picture ---------------------------------------------------------------------------------------------------------- */

static int find_rooms(const struct flame *flame, struct reading *reading, uint8_t *rooms)
{
	struct name_table names = { 0 };
	int err = 0;

	/* All names are added first, because the part of the kernel (kernel_room) to which each belongs is found for all names at once. */
	for (size_t i = 0; !err && i < flame->frames.n; i++)
		err = name_table_add(&names, flame->frames.at[i].name) < 0 ? -ENOMEM : 0;
	name_table_rooms(&names, &reading->inputs);
	for (size_t i = 0; !err && i < flame->frames.n; i++)
		rooms[i] = map_at(&names.names, name_table_add(&names, flame->frames.at[i].name))->value;
	name_table_fini(&names);
	return err;
}

static int write_picture(const struct shown *shown, struct reading *reading, const struct flame_view *view)
{
	const struct flame *flame = &shown->flame;
	static const char *const what[] = { [FLAME_TIME] = "time on the CPU and off it",
					    [FLAME_CPU] = "time on the CPU",
					    [FLAME_OFF] = "time off the CPU",
					    [FLAME_CALLS] = "calls",
					    [FLAME_EVENTS] = "events",
					    [FLAME_OFF_CPU] = "time off the CPU, by why" };
	const bool is_time = view->weight < FLAME_CALLS || view->weight == FLAME_OFF_CPU;
	const char *unit = view->sum ? view->sum : is_time ? NULL : flame_weights[view->weight];
	__cleanup(free_ptr) uint8_t *rooms = calloc(flame->frames.n, 1);
	struct str title = { 0 }, out = { 0 };
	int err = rooms ? find_rooms(flame, reading, rooms) : -ENOMEM;

	str_addf(&title, "%s: %s%s", reading->inputs.at[0].path, view->sum ? "the sum of " : "", view->sum ? view->sum : what[view->weight]);
	if (reading->calls && calls_lost(reading->calls)->places) {
		str_add(&title, "; ");
		lost_text(calls_lost(reading->calls)->events, calls_lost(reading->calls)->more, &title);
	}
	if (view->runs) {
		str_addf(&title, "; against %s%s: ", view->runs[OLD].at[0].path, view->runs[OLD].n > 1 ? " and others" : "");
		diff_whole(shown->diff.diff, diff_signs(true), &title);
	}
	err = err ? err : str_ok(&title);
	err = err ? err : flame_svg(flame, str_text(&title), unit, rooms, view->runs ? &shown->diff : NULL, &out);
	err = err ? err : io_write(reading->out, str_text(&out), out.len);
	str_fini(&title);
	str_fini(&out);
	return err;
}

/* --- both --------------------------------------------------------------------------------------------------------------- */

/* Folded stacks have no place for what they lack. */
static void warn_of_losses(const struct reading *reading)
{
	struct str text = { 0 };

	if (reading->calls)
		lost_text(calls_lost(reading->calls)->events, calls_lost(reading->calls)->more, &text);
	if (text.len)
		warn("%s", str_text(&text));
	str_fini(&text);
}

static int write_form(const struct shown *shown, struct reading *reading, struct flame_view *view)
{
	int err = 0;

	view->empty = !shown->flame.frames.at[0].weight;
	view->done = view->empty;
	if (view->empty)
		return 0;
	switch (view->form) {
	case FLAME_HTML:
		err = write_page(shown, reading, view);
		break;
	case FLAME_SVG:
		err = write_picture(shown, reading, view);
		break;
	case FLAME_FOLDED:
		warn_of_losses(reading);
		err = view->runs ? flame_diff_folded(&shown->diff, view->weight, reading->out) : folded_write(&shown->flame, reading->out);
		break;
	}
	view->done = !err;
	return err && err != -EPIPE && err != -ENOMEM ? fail(-err, "writing the flame graph: %m") : err;
}

/* A tree may have this many bytes. While it is written, each path is in memory several times: in trees, as a frame, and as text. */
enum { MOST_TREE = 12 << 20 };

struct flame_calls {
	struct handler handler; /* first */
	struct paths *paths;
};

static void calls_part_free(struct handler *h)
{
	struct flame_calls *part = container_of(h, struct flame_calls, handler);

	paths_free(part->paths);
	free(part);
}

static int make_calls(struct handler **out, struct reading *reading, void *options)
{
	struct flame_view *view = options;
	struct flame_calls *part = calloc(1, sizeof(*part));
	struct calls *calls = reading_calls(reading);
	int err;

	view->paths.select = &reading->select;
	/* For a comparison, no call is left out of the tree. */
	if (!view->paths.graph.most_bytes && !view->runs)
		view->paths.graph.most_bytes = MOST_TREE;
	view->paths.graph.functions_together = !view->runs;
	err = part && calls ? paths_new(&part->paths, calls, &reading->inputs, &view->paths) : -ENOMEM;
	if (err) {
		free(part);
		return err;
	}
	part->handler.free = calls_part_free;
	*out = &part->handler;
	return 0;
}

/* Makes what is shown of calls. @shown borrows *@merged. Returns 0 or -ENOMEM; the caller calls shown_fini() in either case. */
static int shown_of_calls(struct shown *shown, const struct paths *paths, const struct path_facts *facts, enum flame_weight weight, bool apart,
			  struct callgraph **merged)
{
	int err = flame_of_calls(&shown->flame, paths->graph, weight, apart);

	shown->facts = facts;
	if (!err && shown->has_merged)
		err = callgraph_merged(paths->graph, merged);
	if (!err && shown->has_merged)
		err = flame_of_calls(&shown->merged, *merged, weight, false);
	return err ? err : callgraph_functions(paths->graph, &(struct callgraph_choice){ 0 }, &shown->functions);
}

/* Returns the number of complete calls if no call has a known time, otherwise 0. */
static uint64_t timeless_in(const struct callgraph *graph)
{
	uint64_t n = 0;
	uint32_t node = 0;

	while (callgraph_walk(graph, 0, &node)) {
		const struct callgraph_figures figures = callgraph_figures(graph, &graph->nodes.at[node]);

		if (figures.calls.n)
			return 0;
		n += figures.timeless;
	}
	return n;
}

static void shown_fini(struct shown *shown, struct callgraph *merged)
{
	flame_diff_fini(&shown->diff);
	callgraph_functions_fini(&shown->functions);
	flame_fini(&shown->flame);
	flame_fini(&shown->merged);
	callgraph_free(merged);
}

/* Tells for how many tasks of each file it is not known how long their calls were off the CPU. */
static void note_lacking(const struct paths *paths, const struct reading *reading)
{
	for (unsigned int file = 0; !reading->quiet && file < reading->inputs.n; file++) {
		const uint64_t n = paths_find_lacking(paths, file, NULL);

		if (n)
			note(LACKING_CALLS, LACKING_CALLS_ARGS(n, reading->inputs.at[file].path));
	}
}

static int show_calls(struct handler *h, struct reading *reading, void *options)
{
	const struct paths *paths = container_of(h, struct flame_calls, handler)->paths;
	struct path_facts facts;
	struct flame_view *view = options;
	const bool apart = view->paths.by != PATHS_ALL;
	struct shown shown = { .has_merged = apart && view->form == FLAME_HTML };
	struct callgraph *merged = NULL;
	int err = path_facts_init(&facts, paths) ?: shown_of_calls(&shown, paths, &facts, view->weight, apart, &merged);

	view->timeless = timeless_in(paths->graph);
	if (!err)
		note_lacking(paths, reading);
	if (!err && view->runs)
		err = flame_diff_init(&shown.diff, view->runs, &shown.flame);
	err = err ? err : write_form(&shown, reading, view);
	shown_fini(&shown, merged);
	path_facts_fini(&facts);
	return err;
}

int flame_calls_data(const struct paths *paths, struct reading *reading, bool both, struct str *out)
{
	struct path_facts facts;
	const struct flame_view view = { .weight = FLAME_TIME };
	struct shown shown = { .has_merged = true };
	struct callgraph *merged = NULL;
	int err = path_facts_init(&facts, paths) ?: shown_of_calls(&shown, paths, &facts, FLAME_TIME, true, &merged);

	if (!err && !both) {
		flame_fini(&shown.flame);
		shown.flame = shown.merged;
		shown.merged = (struct flame){ 0 };
		shown.has_merged = false;
	}
	err = err ? err : put_data(&shown, reading, &view, out);
	shown_fini(&shown, merged);
	path_facts_fini(&facts);
	return err;
}

static int make_events(struct handler **out, struct reading *reading, void *options)
{
	const struct flame_view *view = options;
	const struct hist_options opt = { .all_tasks = !view->told_apart, .sum = view->sum };
	struct hist *hist = NULL;
	int err = hist_new(&hist, &reading->inputs, reading_calls(reading), &opt);

	if (!err)
		*out = &hist->handler;
	return err;
}

static int show_events(struct handler *h, struct reading *reading, void *options)
{
	const struct hist *hist = container_of(h, struct hist, handler);
	struct flame_view *view = options;
	struct shown shown = { 0 };
	int err = flame_of_chains(&shown.flame, hist);

	view->cut = hist->chains.cut;
	err = err ? err : write_form(&shown, reading, view);
	flame_fini(&shown.flame);
	return err;
}

static int make_off(struct handler **out, struct reading *reading, __unused void *options)
{
	const struct sched_options opt = { .select = &reading->select, .cpus = reading_cpus(reading) };
	struct offcpu *off = NULL;
	int err;

	/* The picture shows ns, so the times must be in ns. */
	vec_each (&reading->inputs, input)
		if (!input_in_ns(input, 0))
			return fail(
				ENODATA,
				"%s: its times are ticks of unknown length, so that nobody can say how long tasks were off the CPU; a clock that counts ns is `record -C mono`",
				input->path);
		else if (input->some_switches)
			return fail(ENODATA, "%s: how long tasks were off the CPU is not known: " INPUT_SOME_SWITCHES, input->path);
	err = lacking_leave_out(reading);
	/* Calls are made only because they tell which events were lost. */
	if (!err)
		err = reading_calls(reading) ? offcpu_new(&off, &reading->inputs, &opt) : -ENOMEM;
	if (!err)
		*out = &off->handler;
	return err;
}

static int show_off(struct handler *h, struct reading *reading, void *options)
{
	const struct offcpu *off = container_of(h, struct offcpu, handler);
	struct flame_view *view = options;
	struct shown shown = { .has_merged = view->told_apart && view->form == FLAME_HTML };
	int err = flame_of_states(&shown.flame, off, view->told_apart);

	if (!err && shown.has_merged)
		err = flame_of_states(&shown.merged, off, false);
	view->switches = off->switches;
	view->stacks = off->stacks;
	view->lacking = lacking_some(reading);
	view->cut = off->chains.cut;
	err = err ? err : write_form(&shown, reading, view);
	shown_fini(&shown, NULL);
	return err;
}

const struct analysis flame_calls_analysis = {
	.name = "flame",
	.needs = ANALYSIS_ALL_TASKS | ANALYSIS_TIMES,
	.folds = calls_fold,
	.make = make_calls,
	.show = show_calls,
};

const struct analysis flame_events_analysis = {
	.name = "flame",
	.needs = ANALYSIS_FUNCTIONS,
	.folds = calls_fold,
	.make = make_events,
	.show = show_events,
};

const struct analysis flame_off_analysis = {
	.name = "flame",
	.needs = ANALYSIS_ALL_TASKS | ANALYSIS_ALL_CPUS,
	.folds = calls_fold,
	.make = make_off,
	.show = show_off,
};
