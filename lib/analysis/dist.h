/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Gathers one distribution. Its numbers are the durations of calls, the numbers in a field of events, or the times between the two events of a pair
 * (lib/analysis/pair-spec.h). A key can divide the distribution into parts. Each part keeps bars, quantiles, the sum, and the least and the largest number.
 * The largest numbers of the whole distribution are kept with their places. The place of a number is its time, its task and its CPU. Incomplete calls are only
 * counted, and are in no other figure. Nothing in here prints.
 */
#ifndef RINGSIDE_DIST_H
#define RINGSIDE_DIST_H

#include "lib/analysis/dist-worst.h"
#include "lib/analysis/heat.h"
#include "lib/analysis/keys.h"
#include "lib/analysis/quantiles.h"
#include "lib/analysis/reading.h"
#include "lib/event/values.h"

/* This tells by which key the distribution is divided into parts. */
enum dist_by { DIST_ALL, DIST_COMM, DIST_TASK, DIST_CPU, DIST_FIELD };

struct dist_options {
	const char *what; /* [SYSTEM:]EVENT.FIELD, or a glob of the names of functions and of other kinds of calls */
	enum dist_by by;
	const char *field; /* for DIST_FIELD: the name of the field */
	uint64_t step;	   /* the width of a bar; 0: each bar goes from one power of two to the next */
	size_t outliers;   /* how many of the largest numbers are kept with their places */
	bool heat;	   /* dist.heat is wanted */
	bool trace;	   /* dist.traced is wanted */
	uint64_t over_ns;  /* only pairs and calls that take at least this long are counted */
};

/* A distribution has at most this many keys and bars. Further keys are put together as one key. A step that would make more bars is refused. */
enum { DIST_MOST_KEYS = 10000, DIST_MOST_BARS = 1 << 20 };

/* These are the numbers of one key. They are signed if the field is signed. */
struct dist_part {
	const char *key;	       /* owned by the dist; NULL: the distribution has no keys */
	struct quantiles above, below; /* .above: the numbers from zero on; .below: the numbers below zero, without their sign */
	double sum;		       /* the sum of the numbers; it can be too large for 64 bits */
	struct keys bars;	       /* one key for each bar that is not empty; used if opt.step is not 0 */
	VEC(uint64_t) counts;	       /* element i: how many numbers are in the bar whose key has the number i in .bars */
};

struct dist_outlier {
	uint64_t value; /* the number; it is an int64_t if dist.is_signed */
	uint64_t ns;	/* when the call began, the pair ended or the event happened, as input_time() converts times */
	const struct input *input;
	uint32_t part; /* index into dist.parts */
	int pid;
	uint16_t cpu;
};

/* This is the wanted event in one input file. */
struct dist_event {
	const struct event *event;	 /* NULL: this file does not have the event */
	const struct value_field *field; /* the field with the number */
	const struct value_field *by;	 /* the field that is the key */
};

struct dist {
	struct dist_options opt;
	const struct select_options *select;
	const inputs_t *inputs;
	struct learn *learn; /* borrowed from the reading; may be NULL */
	bool is_signed;
	bool numeric; /* all keys except "[others]" are numbers */
	VEC(struct dist_part) parts;
	struct keys keys;		   /* the keys; the number of a key is the index of its part in .parts */
	strv_t names;			   /* element i is the name of the key of part i */
	VEC(struct dist_outlier) outliers; /* the largest first */
	/* the numbers that have not been shown yet, in the order in which they came; showing a number removes it */
	VEC(struct dist_outlier) traced;
	struct heat *heat;	/* all numbers by time; NULL: there are no numbers, or opt.heat is false */
	uint64_t cut;		/* how many of the wanted calls are not complete */
	uint64_t timeless;	/* how many of the wanted calls are complete, but have no known duration */
	uint64_t short_records; /* how many records end before the field */
	bool folded;		/* there were too many keys, so some of them were put together as one key */
	strv_t seen;		/* for calls: the names of all calls that were seen, for messages */
	bool times;		/* the numbers are durations */
	uint64_t lost;		/* how many events the kernel counted as lost */
	bool lost_more;		/* for at least one loss, the kernel did not count how many events were lost */
	uint64_t dropped;	/* how many numbers had no room in the kernel's tables */
	/* How many durations were left out because their end was earlier than their beginning. The reason is that the clocks of two CPUs can disagree. */
	uint64_t backwards;
	bool rounded; /* the kernel counted the durations in whole us */
	/* .worst, .pairs and .pairs_free are used only for pairs (lib/analysis/pairs.h). */
	struct dist_worst worst;
	struct pairs *pairs;
	void (*pairs_free)(struct pairs *pairs);
	/* For pairs and events, this takes in a batch of records. For calls, this is NULL. */
	int (*take)(struct dist *dist, const struct batch *batch);
	/* These are used only for calls. */
	struct calls_user user;
	struct timed *timed;
	struct keys functions; /* one key for each function or other kind of call that was seen */
	VEC(bool) wanted;      /* element i: the name of the key with the number i in .functions matches opt.what */
	/* This is used only for events. */
	VEC(struct dist_event) events; /* element i is for the input i */
};

/*
 * Tells whether @what is the name of a field of an event or the name of calls. This function does not check whether the event has the field. Returns 1 when
 * @what is [SYSTEM:]EVENT.FIELD, and one of the files @inputs has the event. Returns -ENOMEM when memory runs out. Otherwise returns 0: @what names calls.
 */
int dist_is_event(const inputs_t *inputs, const char *what);

/*
 * dist_new_calls() makes a distribution of calls, and adds it as a consumer (calls_add()) to the struct calls of the reading. dist_new_events() makes a
 * distribution of events, whose .take takes records in. dist_new_events() may be called only if dist_is_event() returns 1 for opt->what. Both functions borrow
 * the texts in @opt, and return 0, -EINVAL after a message, or -ENOMEM.
 */
int dist_new_calls(struct dist **out, struct reading *reading, const struct dist_options *opt);
int dist_new_events(struct dist **out, struct reading *reading, const struct dist_options *opt);
void dist_free(struct dist *dist);

/* Returns how many numbers a part has. */
static inline uint64_t dist_count(const struct dist_part *part)
{
	return part->above.n + part->below.n;
}

/*
 * dist_min() and dist_max() return the least and the largest number of a part. dist_quantile() finds the quantile @mille / 1000, as quantiles_at()
 * defines it. It returns false when there are too few numbers for this quantile. All three give a negative number as its two's complement.
 */
uint64_t dist_min(const struct dist_part *part);
uint64_t dist_max(const struct dist_part *part);
bool dist_quantile(const struct dist_part *part, unsigned int mille, uint64_t *out);

/* This is a bar. It counts the numbers from .from to .to, both included. */
struct dist_bar {
	uint64_t from, to, count;
};
typedef VEC(struct dist_bar) dist_bars_t;

/*
 * Finds the bars of a part, in ascending order, from the lowest to the highest bar that is not empty. Empty bars between these two are included. There is
 * one exception: if opt.step is not 0, and there would be more than @most empty bars, all empty bars are left out. Returns 0 or -ENOMEM.
 */
int dist_bars(const struct dist *dist, const struct dist_part *part, size_t most, dist_bars_t *out);

/*
 * Adds a number with its place and its key. @key is NULL if there are no keys. Returns 0, -E2BIG after a message (the step makes too many bars), or
 * -ENOMEM.
 */
int dist_add(struct dist *dist, const char *key, const struct dist_outlier *number);

/*
 * Adds the same number @n times. The number must not be negative. It has no place, so it is added to none of .outliers, .traced and .heat. Returns what
 * dist_add() returns.
 */
int dist_add_many(struct dist *dist, const char *key, uint64_t value, uint64_t n);

/*
 * Sets the sum of all numbers with @key, the least of these numbers, and the largest. This is for a caller that knows these three figures exactly, but knows
 * only the bucket (lib/analysis/quantiles.h) of each number. Such a caller has given the middle of each bucket to dist_add_many(). Returns 0 or -ENOMEM.
 */
int dist_correct(struct dist *dist, const char *key, uint64_t sum, uint64_t least, uint64_t most);

/*
 * dist_make(), dist_key_field() and dist_task_key() are for the source files that make distributions. dist_make() makes an empty distribution, and returns 0
 * or -ENOMEM. dist_key_field() is called for each file that has the event. @field is the event's field that is the key. @field is NULL if the event has no such
 * field. @field is also NULL if the key is no field, but the pid of the task or the CPU. dist_key_field() sets dist.numeric to false if @field has no numbers.
 * dist_task_key() returns the key for a number of the task @pid on @cpu. It returns NULL if the distribution is not divided by a key, or if the key is a field.
 * @buf is memory for a key that has to be made.
 */
int dist_make(struct dist **out, struct reading *reading, const struct dist_options *opt);
void dist_key_field(struct dist *dist, const struct value_field *field);
const char *dist_task_key(const struct dist *dist, const struct input *input, int pid, unsigned int cpu, struct str *buf);

#endif
