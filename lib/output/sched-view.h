/* SPDX-License-Identifier: GPL-2.0 */
/* Defines what the tables of `ringside sched` have in common. Only lib/output/sched-*.c use this. */
#ifndef RINGSIDE_SCHED_VIEW_H
#define RINGSIDE_SCHED_VIEW_H

#include "lib/analysis/reading.h"
#include "lib/output/sched-text.h"

struct sched_view {
	struct handler handler; /* must be the first member */
	struct reading *reading;
	const struct sched_options_view *opt;
	struct sched *sched;
	struct table *table;
	struct str text; /* used only for the timeline: lines that have not been written yet */
	uint64_t lines;	 /* used only for the timeline: how many lines were added so far, including lines that have not been written yet */
};

/*
 * These are the columns of a distribution: mean, p50, p99, max, and the time of the maximum. @first is the index of the first of these columns. sched_spread()
 * sets these columns in the last row. @worst_ts is the time of the maximum.
 */
enum { SPREAD_MEAN, SPREAD_P50, SPREAD_P99, SPREAD_MAX, SPREAD_TS, SPREAD_COLUMNS };
#define SPREAD(first) \
	[(first) + SPREAD_MEAN] = { "mean", TABLE_NS }, [(first) + SPREAD_P50] = { "p50", TABLE_NS }, [(first) + SPREAD_P99] = { "p99", TABLE_NS }, \
		   [(first) + SPREAD_MAX] = { "max", TABLE_NS }, [(first) + SPREAD_TS] = { "ts", TABLE_TS, .head = "MAX AT" }
void sched_spread(struct table *table, unsigned int first, const struct quantiles *q, uint64_t worst_ts);

/* These are the specs of the tables, and the functions that fill the tables. These functions return 0 or -ENOMEM. */
const struct table_spec *sched_sums_spec(enum sched_by by);
int sched_sums_fill(struct sched_view *view);
extern const struct table_spec sched_preempts_spec, sched_wakes_spec;
int sched_pairs_fill(struct sched_view *view);

/*
 * These functions make the timeline. sched_timeline_stay() is the callback sched_options.stay. It adds a line for one stay of a task on a CPU (struct
 * sched_stay in lib/analysis/sched.h). If table_show.top is not 0, the timeline has at most that many lines, and further stays add nothing.
 * sched_timeline_flush() writes the lines that have not been written yet. sched_timeline_end() ends a timeline in JSON or CSV. It also writes the notes that
 * were added to the table since the last call of sched_timeline_flush(). If the timeline is neither JSON nor CSV, sched_timeline_end() only prints on standard
 * error how many events were lost. All three return 0, -EPIPE when nobody reads the output, -ENOMEM, or another -errno after a message.
 */
extern const struct table_spec sched_timeline_spec;
int sched_timeline_stay(void *ctx, const struct sched_stay *stay);
int sched_timeline_flush(struct sched_view *view);
int sched_timeline_end(struct sched_view *view, const struct table_meta *meta);

#endif
