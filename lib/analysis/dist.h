/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One distribution in full: of the durations of calls, or of a number that events carry. It can be told apart by a key; each part keeps
 * bars, quantiles, the sum, the least and the largest. The largest of all are kept with the time, task and CPU where they happened.
 * What is not a complete call is counted, and is in no figure. No printing.
 */
#ifndef RINGSIDE_DIST_H
#define RINGSIDE_DIST_H

#include "lib/analysis/heat.h"
#include "lib/analysis/keys.h"
#include "lib/analysis/quantiles.h"
#include "lib/analysis/reading.h"
#include "lib/event/values.h"

/* What the parts are told apart by. */
enum dist_by { DIST_ALL, DIST_COMM, DIST_TASK, DIST_CPU, DIST_FIELD };

struct dist_options {
	const char *what;		/* the name of a function or another kind of calls, a glob; or [SYSTEM:]EVENT.FIELD */
	enum dist_by by;
	const char *field;		/* of DIST_FIELD */
	uint64_t step;			/* the width of a bar; 0: each is a power of two */
	size_t outliers;		/* so many of the largest are kept */
	bool heat;			/* dist.heat is wanted */
	bool trace;			/* dist.traced is wanted */
	uint64_t over_ns;		/* of pairs and calls: only those that take so long */
};

/* Nobody could read more: keys beyond so many are told as one, and a step that makes more bars is refused. */
enum { DIST_MOST_KEYS = 10000, DIST_MOST_BARS = 1 << 20 };

/* The numbers of one key. A number is signed where the field is: those below zero are kept by their magnitude. */
struct dist_part {
	const char *key;		/* owned by the dist; NULL: keys are not told apart */
	struct quantiles above, below;	/* from zero on; below zero, without their sign */
	double sum;			/* for values whose sum does not fit into 64 bits */
	struct keys bars;		/* of a linear distribution: which bars, and how many in each */
	VEC(uint64_t) counts;
};

struct dist_outlier {
	uint64_t value;			/* as in the parts: signed where dist.is_signed */
	uint64_t ns;			/* input_time() of the call's entry, or of the event */
	const struct input *input;
	uint32_t part;
	int pid;
	uint16_t cpu;
};

/* An event of an input. */
struct dist_event {
	const struct event *event;	/* NULL: not in this file */
	const struct value_field *field, *by;
};

struct dist {
	struct dist_options opt;
	const struct select_options *select;
	const inputs_t *inputs;
	bool is_signed;
	VEC(struct dist_part) parts;
	struct keys keys;
	strv_t names;			/* of the keys, by part */
	VEC(struct dist_outlier) outliers;	/* the largest first */
	VEC(struct dist_outlier) traced;	/* all of them, in the order in which they came: who shows them takes them away */
	struct heat *heat;		/* all of them, in the course of time; NULL: there are none, or it is not wanted */
	uint64_t cut;			/* calls of that name that are not complete */
	uint64_t short_records;		/* records that end before the field */
	bool folded;			/* there were more keys */
	strv_t seen;			/* of calls: the names of all, for messages */
	bool times;			/* the numbers are durations */
	uint64_t lost;			/* events, where somebody counts them */
	bool lost_more;
	uint64_t dropped;		/* numbers that the kernel's tables had no room for */
	uint64_t backwards;		/* durations that ended before they began, as clocks of CPUs may disagree */
	bool rounded;			/* durations are in whole us */
	/* Of pairs (lib/analysis/pairs.h). */
	struct pairs *pairs;
	void (*pairs_free)(struct pairs *pairs);
	/* What takes records; NULL: it does not come from records. */
	int (*take)(struct dist *dist, const struct batch *batch);
	/* Of calls. */
	struct calls_user user;
	struct timed *timed;
	struct keys functions;
	VEC(bool) wanted;		/* of each of them */
	/* Of events, by input. */
	VEC(struct dist_event) events;
};

/*
 * Does @what name a field of an event of these files, or one of their events with a field that it does not have? Then 1, or -EINVAL after a message that
 * names the nearest. 0: it names calls. -ENOMEM.
 */
int dist_is_event(const inputs_t *inputs, const char *what);

/* A distribution of calls: adds itself to those of the reading. One of events: takes what dist_records() gives it. 0; -EINVAL after a message; -ENOMEM. */
int dist_new_calls(struct dist **out, struct reading *reading, const struct dist_options *opt);
int dist_new_events(struct dist **out, struct reading *reading, const struct dist_options *opt);
void dist_free(struct dist *dist);

/* How many numbers a part has. */
static inline uint64_t dist_count(const struct dist_part *part)
{
	return part->above.n + part->below.n;
}

/* The least, the largest, and the quantile of @mille / 1000 as quantiles_at() tells it: false when there are too few. As two's complement. */
uint64_t dist_min(const struct dist_part *part);
uint64_t dist_max(const struct dist_part *part);
bool dist_quantile(const struct dist_part *part, unsigned int mille, uint64_t *out);

/* A bar: from and to are the least and the largest number that belong there. */
struct dist_bar {
	uint64_t from, to, count;
};
typedef VEC(struct dist_bar) dist_bars_t;

/*
 * All bars of a part from the first to the last that is not empty, in the order of numbers; empty ones between them are there unless they
 * are more than @most: then none of them is. 0 or -ENOMEM.
 */
int dist_bars(const struct dist *dist, const struct dist_part *part, size_t most, dist_bars_t *out);

/* Adds a number: its key (NULL: none), and where it was. For the two kinds of dists. 0, -E2BIG after a message, -ENOMEM. */
int dist_add(struct dist *dist, const char *key, const struct dist_outlier *number);

/* The same number @n times, wherever it was; it is no outlier. */
int dist_add_many(struct dist *dist, const char *key, uint64_t value, uint64_t n);

/* For what makes dists: an empty one; and the key of what task @pid did on @cpu, in @buf where it must be made; NULL: it has none, or is a field. */
int dist_make(struct dist **out, struct reading *reading, const struct dist_options *opt);
const char *dist_task_key(const struct dist *dist, const struct input *input, int pid, unsigned int cpu, struct str *buf);

#endif
