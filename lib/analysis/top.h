/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells what happens most, while it happens. There is a row for each function, event, system call or task, with what it did since the
 * last refresh and in all. top_add() and top_turn() are the model, and top_analysis fills it from records and calls. Nothing in here
 * prints.
 */
#ifndef RINGSIDE_TOP_H
#define RINGSIDE_TOP_H

#include "lib/analysis/keys.h"
#include "lib/analysis/quantiles.h"
#include "lib/analysis/reading.h"

enum top_kind { TOP_FUNCS, TOP_EVENTS, TOP_SYSCALLS, TOP_TASKS };

/* What is told of a time, which is that since the last refresh or that since the beginning. */
struct top_part {
	uint64_t n, ns;			/* how often it happened and how long that took together; of tasks these are stays on a CPU */
	struct quantiles times;		/* empty where nothing has a duration (events) */
};

struct top_row {
	char *name;
	int64_t id;			/* of tasks the pid, of system calls the number */
	struct top_part now, last, all;	/* since the last refresh; between the two before it; and up to the last refresh in all */
};

struct top {
	enum top_kind kind;
	struct keys keys;
	VEC(struct top_row) rows;	/* by the number of their key */
	uint64_t span_ns;		/* between the last two refreshes */
	uint64_t lost;			/* events that the kernel counted as lost */
	bool lost_more;
	uint64_t beyond;		/* what is in no row, as there are too many */
	/* The row that is open, or SIZE_MAX for none, and the tasks that did it since it was opened. */
	size_t behind;
	struct keys behind_keys;
	VEC(struct top_behind {
		char *name;
		uint64_t n;
		uint64_t ns;
	}) tasks;
};

/* There are no more rows than this. */
enum { TOP_MOST = 200000 };
#define TOP_NO_TIME UINT64_MAX

#define TOP_NONE { .behind = SIZE_MAX }
void top_fini(struct top *top);

/* Returns the row of that key, or NULL when there is none. */
struct top_row *top_find(struct top *top, struct key key);

/*
 * Counts one more in the row of @key, which gets this name when it is new. It took @ns, or TOP_NO_TIME, and the task @comm with @pid did it.
 * Returns 0 or -ENOMEM.
 */
int top_add(struct top *top, struct key key, const char *name, int64_t id, uint64_t ns, const char *comm, int pid);

/* Refreshes: from now on that is told which has come since the last refresh, @span_ns ago. Returns 0 or -ENOMEM. */
int top_turn(struct top *top, uint64_t span_ns);

/* Opens a row, or none for SIZE_MAX. Its tasks are counted from now on. */
void top_open(struct top *top, size_t row);

enum top_sort { TOP_BY_TIME, TOP_BY_RATE, TOP_BY_P50, TOP_BY_P99, TOP_BY_CALLS, TOP_BY_NAME, TOP_SORTS };

/*
 * Puts the rows whose names contain @filter, or all when it is NULL, in order: their indices are in *@order, which the caller frees.
 * Returns 0 or -ENOMEM.
 */
int top_order(const struct top *top, enum top_sort sort, const char *filter, uint32_t **order, size_t *n);

/* The sums of all rows since the last refresh. */
struct top_sums {
	uint64_t n, ns;
};
struct top_sums top_sums(const struct top *top);

/* Fills a struct top from a reading. The struct top is its options. It shows nothing. */
extern const struct analysis top_analysis;

#endif
