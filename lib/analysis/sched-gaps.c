/* SPDX-License-Identifier: GPL-2.0 */
/* Notes losses of events for lib/analysis/sched.h. */
#include "lib/analysis/sched-inside.h"

/* Does this buffer have events of the scheduler? */
static bool is_told_by(const struct sched_input *in, uint16_t buffer)
{
	for (unsigned int kind = 0; kind < SCHED_KINDS; kind++)
		if (in->buffer[kind] == buffer)
			return true;
	return false;
}

int sched_gap_begin(struct sched *sched, const struct record *rec)
{
	struct sched_input *in = &sched->inputs.at[rec->file];
	bool *gap = stream_of(&sched->gaps, rec);

	if (!gap)
		return -ENOMEM;
	/* As long as no switch was seen, any buffer may be the one that has switches. */
	if (*gap || (in->buffer[SCHED_SWITCH] >= 0 && !is_told_by(in, rec->buffer)))
		return 0;
	*gap = true;
	in->gaps++;
	in->losses++;
	return 0;
}

int sched_gap_over(struct sched *sched, const struct record *rec, bool *counts)
{
	struct sched_input *in = &sched->inputs.at[rec->file];
	bool *gap = stream_of(&sched->gaps, rec);

	if (!gap)
		return -ENOMEM;
	if (rec->lost == LOST_UNKNOWN)
		sched->lost_more = true;
	else
		sched->lost += (uint64_t)rec->lost;
	*counts = is_told_by(in, rec->buffer);
	in->losses += *gap || *counts;
	in->gaps -= *gap;
	*gap = false;
	return 0;
}
