/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/open-calls.h"
#include "lib/analysis/reading.h"
#include "lib/event/text.h"

static void add_call(const struct latency_open *call, const struct input *in, bool exact, struct str *out)
{
	str_addf(out, "%16s-%-5d [%03u] ", comms_find(in->trace->comms, call->pid), call->pid, call->cpu);
	text_time(call->time, input_in_seconds(in, call->buffer), exact, out);
	str_addf(out, ": %s%s\n", call->event->name, call->lost ? " (events were lost since)" : "");
}

static int show(__unused struct handler *h, struct reading *reading, __unused void *options)
{
	const struct latency_open *open = NULL;
	struct str text = { 0 };
	bool any = false;
	uint64_t all = 0;
	size_t n = 0;
	int err = reading->latency ? latency_end(reading->latency, &open, &n, &all) : 0;

	for (size_t i = 0; !err && i < n; i++) {
		if (!select_event(reading->selected, open[i].event) || !cpuset_wants(reading_cpus(reading), open[i].cpu))
			continue;
		if (!any)
			str_add(&text, "calls without a return:\n");
		any = true;
		add_call(&open[i], &reading->inputs.at[open[i].file], reading->exact, &text);
	}
	if (any && all > n)
		str_addf(&text, "and %llu more%s\n", (unsigned long long)(all - n), reading->has_cpus ? ", of all CPUs" : "");
	err = err ? err : reading_write(reading, &text);
	str_fini(&text);
	return err;
}

const struct analysis open_calls_analysis = {
	.name = "open calls",
	.needs = ANALYSIS_TEXTS,
	.show = show,
};
