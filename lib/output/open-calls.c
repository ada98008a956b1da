/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/open-calls.h"
#include "lib/event/text.h"

static void add_call(const struct latency_open *call, const struct input *in, bool exact, struct str *out)
{
	str_addf(out, "%16s-%-5d [%03u] ", comms_find(in->trace->comms, call->pid), call->pid, call->cpu);
	text_time(call->time, input_in_ns(in, call->buffer), exact, out);
	str_addf(out, ": %s%s\n", call->event->name, call->lost ? " (events were lost since)" : "");
}

int open_calls_text(struct latency *latency, const struct select *select, const inputs_t *inputs, bool exact, struct str *out)
{
	const struct latency_open *open;
	bool any = false;
	uint64_t all;
	size_t n;

	if (latency_end(latency, &open, &n, &all))
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		if (select && !select_event(select, open[i].event))
			continue;
		if (!any)
			str_add(out, "calls without a return:\n");
		any = true;
		add_call(&open[i], &inputs->at[open[i].file], exact, out);
	}
	if (any && all > n)
		str_addf(out, "and %llu more\n", (unsigned long long)(all - n));
	return str_ok(out);
}
