/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What happens most, while it happens: a row for each function, event, system call or task (of latencies: whose they are), with what it did since the last refresh and in all. No printing.
 * top_add() and top_turn() are the model; top_take() fills it from records and calls.
 */
#ifndef RINGSIDE_TOP_H
#define RINGSIDE_TOP_H

#include "lib/analysis/keys.h"
#include "lib/analysis/quantiles.h"
#include "lib/analysis/reading.h"

enum top_kind { TOP_FUNCS, TOP_EVENTS, TOP_SYSCALLS, TOP_TASKS, TOP_LATENCY };

/* What of a time is told: since the last refresh, or from the beginning on. */
struct top_part {
	uint64_t n, ns;			/* how often, and how long together: of tasks, stays on a CPU */
	struct quantiles times;		/* empty where nothing has a duration (events) */
};

struct top_row {
	char *name;
	int64_t id;			/* of tasks the pid, of system calls the number */
	struct top_part now, last, all;	/* since the last refresh; between the two before; in all, up to the last refresh */
};

struct top {
	enum top_kind kind;
	const struct pair *pair;	/* of TOP_LATENCY: between which events; borrowed */
	struct keys keys;
	VEC(struct top_row) rows;	/* by the number of their key */
	uint64_t span_ns;		/* between the last two refreshes */
	uint64_t lost;			/* events that the kernel counted as lost */
	bool lost_more;
	uint64_t beyond;		/* what is in no row, as there are so many */
	/* Whose row @behind is open, and which tasks did it since then; SIZE_MAX: none. */
	size_t behind;
	struct keys behind_keys;
	VEC(struct top_behind {
		char *name;
		uint64_t n;
		uint64_t ns;
	}) tasks;
};

/* No more rows than this. */
enum { TOP_MOST = 200000 };
#define TOP_NO_TIME UINT64_MAX

#define TOP_NONE { .behind = SIZE_MAX }
void top_fini(struct top *top);

/* Is there a row of that key? NULL: no. */
struct top_row *top_find(struct top *top, struct key key);

/* One more of the row of @key, which gets this name when it is new. @ns: how long it took, or TOP_NO_TIME; @comm and @pid: who did it. 0 or -ENOMEM. */
int top_add(struct top *top, struct key key, const char *name, int64_t id, uint64_t ns, const char *comm, int pid);

/* A refresh: what has come since the last one, @span_ns ago, is told from now on. 0 or -ENOMEM. */
int top_turn(struct top *top, uint64_t span_ns);

/* Opens a row, SIZE_MAX none: its tasks are counted from now on. */
void top_open(struct top *top, size_t row);

enum top_sort { TOP_BY_TIME, TOP_BY_RATE, TOP_BY_P50, TOP_BY_P99, TOP_BY_CALLS, TOP_BY_NAME, TOP_SORTS };

/* The rows whose names contain @filter (NULL: all), in order, as indices: *@order is new memory of the caller's. 0 or -ENOMEM. */
int top_order(const struct top *top, enum top_sort sort, const char *filter, uint32_t **order, size_t *n);

/* The sums of all rows since the last refresh. */
struct top_sums {
	uint64_t n, ns;
};
struct top_sums top_sums(const struct top *top);

/* Fills a struct top, which is the options, from a reading; it shows nothing. */
extern const struct analysis top_analysis;

#endif
