/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/dist-missing.h"
#include "lib/analysis/pairs.h"
#include "lib/base/err.h"
#include "lib/base/parse.h"
#include "lib/event/values.h"
#include "lib/output/missing.h"

/* Says which fields of the event have a distribution. */
static int say_fields(struct event *event)
{
	__cleanup(free_ptr) char *all = NULL;
	const struct values *values;
	strv_t names = { 0 };
	int err = values_of(&values, event);

	if (err)
		return err;
	vec_each (&values->fields, field)
		if (!err && !field->common && value_is_number(field))
			err = strv_own(&names, str_printf("%s.%s", event->name, field->name));
	all = join_names(&names, ": ", "");
	strv_fini(&names);
	return err ? err : fail(ENOENT, "%s is an event and not a call; name one of its numbers%s", event->name, all ? all : "");
}

/* Says that "[SYSTEM:]EVENT.FIELD" names an event that does not exist. @end is the dot. */
static int say_no_event(const struct dist *dist, const char *path, const char *end)
{
	const char *colon = memchr(dist->opt.what, ':', (size_t)(end - dist->opt.what)), *begin = colon && colon[1] != ':' ? colon + 1 : dist->opt.what;
	__cleanup(free_ptr) char *event = strndup(begin, (size_t)(end - begin)), *near = NULL;
	strv_t names = { 0 };
	int err = event ? 0 : -ENOMEM;

	vec_each (&dist->inputs->at[0].trace->events, at)
		if (event && strcmp((*at)->name, event) == 0)
			return say_fields(*at);
	vec_each (&dist->seen, name)
		err = err ? err : strv_add(&names, *name);
	err = err ? err : trace_event_names(dist->inputs->at[0].trace, &names);
	if (err) {
		strv_fini(&names);
		return err;
	}
	near = did_you_mean(event, &names, "; `ringside report --events` lists the events and their fields, `ringside funcs` what was called");
	return fail(ENOENT, "%s: %s has no event '%s' and no call of that name%s", dist->opt.what, path, event, near ? near : "");
}

int dist_missing(const struct dist *dist, struct reading *reading)
{
	const char *dot = strpbrk(dist->opt.what, "*?[") ? NULL : strrchr(dist->opt.what, '.'), *path = reading->inputs.at[0].path;
	struct event *event = trace_find_said(dist->inputs->at[0].trace, dist->opt.what);
	strv_t names = { 0 }, best = { 0 };
	int err = 0;

	/* The kernel's latency tracers also have an event named wakeup, so kinds of latency come first. */
	if (event && !pair_preset_find(dist->opt.what))
		return say_fields(event);
	err = dot ? nearest_names(dist->opt.what, &dist->seen, 1, &best) : trace_event_names(dist->inputs->at[0].trace, &names);
	if (!err && dot && !best.n)
		err = say_no_event(dist, path, dot);
	else if (!err)
		err = missing_call(reading, dist->opt.what, &dist->seen, &names);
	strv_fini(&names);
	strv_fini(&best);
	return err;
}

enum { MOST_NAMED = 5 };

void dist_say_without(const struct dist *dist, const struct pair *pair)
{
	struct str files = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < dist->inputs->n; i++)
		if (!pairs_seen(dist, i) && n++ < MOST_NAMED)
			str_addf(&files, "%s%s", n > 1 ? ", " : "", dist->inputs->at[i].path);
	if (n > MOST_NAMED)
		str_addf(&files, " and %zu more", n - MOST_NAMED);
	if (n && n < dist->inputs->n)
		note("%s: of %zu files %zu %s to it, as %s no %s or no %s: %s", dist->opt.what, dist->inputs->n, n, n == 1 ? "adds nothing" : "add nothing",
		     n == 1 ? "it has" : "they have", pair->from.event, pair->to.event, str_text(&files));
	str_fini(&files);
}
