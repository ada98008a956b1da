/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/missing.h"
#include "lib/analysis/pair-spec.h"
#include "lib/base/err.h"
#include "lib/base/parse.h"
#include "lib/output/reading-meta.h"

/* Lists what may be named in the place of a function: called functions, kinds of pairs, and events. */
static int all_names(strv_t *all, const strv_t *called, const strv_t *events)
{
	int err = 0;

	vec_each (called, name)
		err = err ? err : strv_add(all, *name);
	for (const struct pair_preset *preset = pair_presets; preset->name; preset++)
		err = err ? err : strv_add(all, preset->name);
	for (size_t i = 0; !err && events && i < events->n; i++)
		err = strv_add(all, events->at[i]);
	return err;
}

/* Among the names there may be one that stands for functions that are not known, even if there are none. */
static bool any_call(const strv_t *called)
{
	vec_each (called, name)
		if (strcmp(*name, "[unknown]") != 0)
			return true;
	return false;
}

int missing_call(struct reading *reading, const char *what, const strv_t *called, const strv_t *events)
{
	const bool several = reading->inputs.n > 1;
	const char *path = several ? "the files" : reading->inputs.at[0].path, *hold = several ? "hold" : "holds", *selection = reading_selection(reading);
	const char *more = events ? ", `ringside report --events` fields of events" : "";
	__cleanup(free_ptr) char *near = NULL;
	strv_t all = { 0 }, best = { 0 };
	int err = 0;

	vec_each (called, name)
		if (selection && glob_match(what, *name))
			return fail(ENOENT, "%s %s calls of '%s', but %s leaves none of them", path, hold, what, selection);
	if (selection)
		return fail(ENOENT, "%s leaves no call of '%s' of what %s %s; `ringside funcs` lists what was called%s", selection, what, path, hold, more);
	if (pair_preset_find(what))
		return pair_preset_missing(pair_preset_find(what), reading->inputs.at[0].path);
	if (!strpbrk(what, "*?[;"))
		err = all_names(&all, called, events);
	if (!err && all.n)
		nearest_names(what, &all, 3, &best);
	near = join_names(&best, " (did you mean ", "?)");
	strv_fini(&all);
	strv_fini(&best);
	if (!any_call(called) && !(near && *near))
		return fail(ENOENT, "%s %s no calls, and so none of '%s'; calls " CALLS_COME_FROM, path, hold, what);
	return fail(ENOENT, "%s %s no call of '%s'%s; `ringside funcs` lists what was called%s", path, hold, what, near ? near : "", more);
}
