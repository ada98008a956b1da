/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/narrowed.h"
#include "lib/analysis/chosen.h"

static bool is_narrowed(const struct reading *reading)
{
	const struct select_options *select = &reading->select;
	const bool tasks = select->pids.n || select->tids.n || select->comms.n;

	return reading_has_holes(reading) || reading->buffers.n || reading->since || reading->until || within_selects(&reading->within) ||
	       chosen_read(reading) || (tasks && !(reading_needs(reading) & ANALYSIS_ALL_TASKS));
}

void narrowed_set(struct reading *reading)
{
	const bool narrowed = is_narrowed(reading);

	for (size_t i = 0; i < reading->inputs.n; i++) {
		struct input *input = &reading->inputs.at[i];

		input->some_switches = select_some_switches(reading->selected, i) || within_hides_switches(&reading->within, input);
		input->no_interrupts = reading->select.no_hardirq || reading->select.no_softirq;
		input->narrowed = narrowed;
	}
}
