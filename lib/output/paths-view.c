/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/paths-view.h"
#include "lib/analysis/callgraph-views.h"
#include "lib/base/err.h"
#include "lib/base/parse.h"
#include "lib/output/missing.h"
#include "lib/output/reading-meta.h"

static void view_free(struct handler *h)
{
	struct paths_view *view = container_of(h, struct paths_view, handler);

	paths_free(view->paths);
	table_free(view->table);
	free(view);
}

int paths_view_make(struct handler **out, struct reading *reading, const struct paths_options *opt, const struct table_spec *spec,
		    const struct table_show *show)
{
	struct paths_options paths = *opt;
	struct paths_view *view = calloc(1, sizeof(*view));
	struct calls *calls = reading_calls(reading);
	int err = view && calls ? 0 : -ENOMEM;

	paths.select = &reading->select;
	if (!err) {
		view->handler.free = view_free;
		err = table_new(&view->table, spec, show);
	}
	err = err ? err : paths_new(&view->paths, calls, &reading->inputs, &paths);
	/* The graph is set up this way even with a single thread, so that the same paths are folded. */
	err = err ? err : callgraph_late(view->paths->graph, reading->pool);
	if (!err)
		*out = &view->handler;
	else if (view)
		view_free(&view->handler);
	return err;
}

/* Says that no function has this name. The tree has only the names of chosen calls. */
static int say_missing(const struct callgraph *graph, struct reading *reading, const char *what)
{
	strv_t called = { 0 };
	int err = callgraph_called(graph, &called);
	bool elsewhere = false;

	vec_each (&called, name)
		elsewhere |= glob_match(what, *name);
	if (!err && elsewhere)
		err = fail(ENOENT,
			   "%s holds calls of '%s', but none where the options look: --path begins at a root, --callees-of and --callers-of mean direct calls",
			   reading->inputs.at[0].path, what);
	else if (!err)
		err = missing_call(reading, what, &called, NULL);
	strv_fini(&called);
	return err;
}

static void say_no_calls(struct reading *reading)
{
	const char *path = reading->inputs.at[0].path, *selection = reading_selection(reading);
	__cleanup(free_ptr) char *why = selection ? str_printf("%s leaves no calls of what %s holds; calls", selection, path)
						  : str_printf("there are no calls in %s; they", path);

	note("%s " CALLS_COME_FROM, why ? why : "calls");
}

int paths_view_show(struct paths_view *view, struct reading *reading, int err, const char *what)
{
	struct table_meta meta;
	strv_t files = { 0 };

	if (err == -ENOENT && what && view->paths->graph->owners && !reading->quiet)
		return say_missing(view->paths->graph, reading, what);
	if (err == -ENOENT && reading->pass.passed && !reading->quiet && reading->asked <= reading->found)
		say_no_calls(reading);
	if (err && err != -ENOENT)
		return err;
	err = reading_meta(reading, &meta, &files);
	reading_meta_of_calls(&meta);
	err = err ? err : table_show(view->table, &meta, reading->out);
	strv_fini(&files);
	return err;
}
