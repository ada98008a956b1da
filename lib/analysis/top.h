/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells, while the system runs, what happens most often and what takes most time. A struct top is a table with a row for each function, for each event, for
 * each system call, or for each task. A table of latencies has a row for each task, interrupt or device to which a latency belongs. A row has counts and times
 * for two spans: since the last refresh of the table, and since the beginning. Nothing in here prints. The code that shows the rows calls top_turn() for each
 * refresh.
 */
#ifndef RINGSIDE_TOP_H
#define RINGSIDE_TOP_H

#include "lib/analysis/keys.h"
#include "lib/analysis/quantiles.h"
#include "lib/analysis/reading.h"

enum top_kind { TOP_FUNCS, TOP_EVENTS, TOP_SYSCALLS, TOP_TASKS, TOP_LATENCY };

/* This tells what a row has counted in a span of time. */
struct top_part {
	uint64_t n;		/* how often the counted thing happened; for a task: how often the task ran on a CPU */
	uint64_t ns;		/* how long the counted thing took in all; for a task: how long the task ran in all */
	struct quantiles times; /* the distribution of the durations; empty for events, because an event has no duration */
};

struct top_row {
	char *name;
	int64_t id;	      /* for a task, its pid; for any other row, a number that only lib/analysis uses */
	struct top_part now;  /* since the last refresh */
	struct top_part last; /* between the last two refreshes */
	struct top_part all;  /* from the beginning to the last refresh */
};

struct top {
	enum top_kind kind;
	const struct pair *pair; /* for TOP_LATENCY: the two events between which time is measured; borrowed */
	struct keys keys;
	VEC(struct top_row) rows; /* element i is the row whose key has the number i in .keys */
	uint64_t span_ns;	  /* the time between the last two refreshes */
	uint64_t lost;		  /* events that the kernel counted as lost */
	bool lost_more;		  /* for at least one loss, the kernel did not count how many events were lost */
	uint64_t beyond;	  /* how often top_add() counted nothing, because it needed a new row and there were TOP_MOST rows already */
	size_t behind;		  /* the index of the row that the user has opened; SIZE_MAX: no row is open */
	struct keys behind_keys;  /* gives each task its index in .tasks */
	/* Since the user opened the row .behind, these tasks have done what this row counts. */
	VEC(struct top_behind {
		char *name;
		uint64_t n;  /* how often the task has done this */
		uint64_t ns; /* how long this took in all */
	})
	tasks;
};

/* There are at most this many rows. */
enum { TOP_MOST = 200000 };
#define TOP_NO_TIME UINT64_MAX /* the @ns of top_add() for an event, because an event has no duration */

/* This is the initializer of an empty struct top. */
/* clang-format off */
#define TOP_NONE { .behind = SIZE_MAX }
/* clang-format on */
void top_fini(struct top *top);

/* Returns the row of @key, or NULL when @key has no row. */
struct top_row *top_find(struct top *top, struct key key);

/*
 * Adds one to the count of the row of @key. A new row gets @name and @id. If the row exists already, @name may be NULL. @ns is the duration of the counted
 * call or wait, or TOP_NO_TIME. @comm and @pid are the name and the pid of the task to which the call, the wait or the event belongs. Returns 0 or -ENOMEM.
 */
int top_add(struct top *top, struct key key, const char *name, int64_t id, uint64_t ns, const char *comm, int pid);

/*
 * Makes a refresh. In each row, .now is added to .all and copied to .last. Then .now begins at 0 again. @span_ns is the time since the previous
 * refresh. Returns 0 or -ENOMEM.
 */
int top_turn(struct top *top, uint64_t span_ns);

/*
 * Empties .tasks, and opens the row with the index @row. From now on, .tasks has the tasks that do what this row counts. If @row is SIZE_MAX, no row is open
 * from now on.
 */
void top_open(struct top *top, size_t row);

enum top_sort { TOP_BY_TIME, TOP_BY_RATE, TOP_BY_P50, TOP_BY_P99, TOP_BY_CALLS, TOP_BY_NAME, TOP_SORTS };

/*
 * Finds the rows whose names contain @filter, in upper or lower case letters, and sorts these rows by @sort. If @filter is NULL or "", all rows are found.
 * *@order becomes an array of the indices of these rows, and *@n becomes the number of indices. The caller frees the array. Returns 0 or -ENOMEM.
 */
int top_order(const struct top *top, enum top_sort sort, const char *filter, uint32_t **order, size_t *n);

/* These are the sums over the .last of all rows. */
struct top_sums {
	uint64_t n, ns;
};
struct top_sums top_sums(const struct top *top);

/* This analysis fills a struct top from the records of a struct reading (lib/analysis/reading.h), and shows nothing. Its options are the struct top. */
extern const struct analysis top_analysis;

#endif
