/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/wakeups-text.h"
#include "lib/analysis/reading.h"
#include "lib/base/err.h"
#include "lib/event/text.h"

static void add_duration(uint64_t took, bool ns, struct str *out)
{
	if (ns)
		str_addf(out, "%llu.%03u usecs", (unsigned long long)(took / 1000), (unsigned int)(took % 1000));
	else
		str_addf(out, "%llu", (unsigned long long)took);
}

void wakeup_add(uint64_t took, bool ns, struct str *out)
{
	str_add(out, " Latency: ");
	add_duration(took, ns, out);
}

static void add_extreme(const char *name, uint64_t took, uint64_t at, bool ns, bool exact, struct str *out)
{
	struct str time = { 0 };

	text_time(at, ns, exact, &time);
	str_add(out, name);
	add_duration(took, ns, out);
	str_addf(out, " at timestamp: %s\n", str_text(&time) + strspn(str_text(&time), " "));
	str_fini(&time);
}

static void add_times(const struct times *times, bool ns, bool exact, struct str *out)
{
	str_add(out, "\nAverage wakeup latency: ");
	add_duration(times->total / times->count, ns, out);
	str_addc(out, '\n');
	add_extreme("Maximum Latency: ", times->max, times->max_at, ns, exact, out);
	add_extreme("Minimum Latency: ", times->min, times->min_at, ns, exact, out);
	str_addc(out, '\n');
}

int wakeups_text(const struct wakeups_result *result, bool ns, bool exact, struct str *out)
{
	if (result->all.count)
		add_times(&result->all, ns, exact, out);
	if (result->rt.count) {
		str_add(out, "RT task timings:\n");
		add_times(&result->rt, ns, exact, out);
	}
	return str_ok(out);
}

static int stage(struct stage **out, struct reading *reading, void *options)
{
	struct wakeups_view *view = options;
	int err = wakeups_new(&view->wakeups, &reading->inputs);

	if (!err && view->wakeups)
		*out = wakeups_stage(view->wakeups);
	else if (!err && !reading->quiet)
		warn("-w: %s describes no wakeups and switches; record them with -e sched_switch -e 'sched_wakeup*'", reading->inputs.at[0].path);
	return err;
}

static int make(struct handler **out, __unused struct reading *reading, void *options)
{
	const struct wakeups_view *view = options;

	*out = view->wakeups ? wakeups_handler(view->wakeups) : NULL;
	return 0;
}

static int show(__unused struct handler *h, struct reading *reading, void *options)
{
	const struct wakeups_view *view = options;
	struct str text = { 0 };
	int err = 0;

	if (view->wakeups)
		err = wakeups_text(wakeups_result(view->wakeups), input_in_seconds(&reading->inputs.at[0], 0), reading->exact, &text);
	err = err ? err : reading_write(reading, &text);
	str_fini(&text);
	return err;
}

const struct analysis wakeups_analysis = {
	.name = "wakeups",
	.needs = ANALYSIS_TEXTS | ANALYSIS_SUMS,
	.stage = stage,
	.make = make,
	.show = show,
};
