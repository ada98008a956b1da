/* SPDX-License-Identifier: GPL-2.0 */
/* Tells what is missing in the records that a reading has taken in: its warnings, and whether there is damage. */
#include "lib/analysis/call-source.h"
#include "lib/analysis/lacking.h"
#include "lib/base/err.h"

unsigned int reading_needs(const struct reading *reading)
{
	unsigned int needs = 0;

	vec_each (&reading->parts, part)
		needs |= part->what->needs;
	return needs;
}

bool reading_hides_stays(const struct reading *reading)
{
	bool some = false;

	vec_each (&reading->inputs, input)
		some |= input->some_switches;
	return some && reading_needs(reading) & ANALYSIS_STAYS;
}

bool reading_damaged(const struct reading *reading)
{
	vec_each (&reading->inputs, input)
		if (input->file && (input->file->damaged || (input->trace && input->trace->damaged)))
			return true;
	return reading->pass.merge && merge_damaged(reading->pass.merge);
}

static void warn_of_switches(const struct reading *reading)
{
	if (reading_hides_stays(reading))
		warn(READING_HIDES_STAYS);
	vec_each (&reading->inputs, input)
		vec_each (&reading->pairs, pair)
			if (input->some_switches && strcmp(pair_side_name(&pair->to), "sched_switch") == 0)
				warn("%s: " INPUT_SOME_SWITCHES " of %s, so that a time may end at a later one", pair->name, input->path);
}

void reading_note_lacking(const struct reading *reading)
{
	for (size_t i = 0; !reading->quiet && i < reading->inputs.n; i++) {
		const struct input *input = &reading->inputs.at[i];
		const struct lacking_file *file = input->lacking ? &input->lacking->files.at[i] : NULL;

		if (file && file->n)
			note(LACKING_TEXT, LACKING_ARGS(file->n, input->path));
		if (file && file->several)
			note(LACKING_SEVERAL, input->path);
	}
}

void reading_warn_of_deep(const struct reading *reading)
{
	const uint64_t n = reading->calls ? calls_deep(reading->calls) : 0;

	if (n == 1)
		warn("1 call of a function is left out: its depth is %d or more, and no kernel records calls as deep as that", CALL_MOST_DEPTH);
	else if (n)
		warn("%llu calls of functions are left out: their depths are %d or more, and no kernel records calls as deep as that", (unsigned long long)n,
		     CALL_MOST_DEPTH);
}

void reading_warn(const struct reading *reading)
{
	/* If this reading shares the files of another one, the other one gives these warnings once for all. */
	if (reading->shares)
		return;
	warn_of_switches(reading);
	reading_note_lacking(reading);
	reading_warn_of_deep(reading);
}
