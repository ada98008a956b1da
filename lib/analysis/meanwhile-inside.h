/* SPDX-License-Identifier: GPL-2.0 */
/* What meanwhile.c keeps, for meanwhile-asked.c, which answers from it. Only these two use this. */
#ifndef RINGSIDE_MEANWHILE_INSIDE_H
#define RINGSIDE_MEANWHILE_INSIDE_H

#include "lib/analysis/meanwhile.h"
#include "lib/base/map.h"
#include "lib/event/text.h"

/* So many runs of each CPU and so many waits of each task are kept; more of a task that is the CPU of a guest. */
enum { RUNS = 1024, EPISODES = 32, MORE_EPISODES = 1024 };

struct run {
	uint64_t from, to;
	uint32_t person;
	int prio;
};

/* A CPU of a file. */
struct cpu_runs {
	struct run *ring;		/* NULL: none yet */
	size_t n;			/* all there have been; the last RUNS of them are kept */
	struct run now;			/* who runs; .person MEANWHILE_NOBODY: that is not known */
	bool known;
	uint32_t pending;		/* whose stack may come next: a person + 1 */
	bool of_waker;			/* it is who woke that person; else how it left the CPU */
};

struct history {
	uint64_t known;			/* the first time that anything is known of it */
	bool is_known;
	struct episode now;		/* .off is SCHED_NOT_OFF: it runs */
	struct episode *ring;		/* of cap, which grows to EPISODES; the last ones are kept */
	size_t n, cap;
	bool longer;			/* of which more are kept */
	int prio;			/* as it was seen last; -1: never */
};

struct known_fields {
	struct field prev, next;
	struct field target;		/* of sched_wakeup: the CPU */
};

struct meanwhile {
	const inputs_t *inputs;
	struct timed *timed;
	struct streams cpus;		/* of struct cpu_runs, as of buffer 0 */
	VEC(struct history) histories;	/* by person */
	VEC(struct known_fields) fields;	/* by input */
	strv_t texts;			/* the first is "" */
	MAP(struct text, uint32_t) text_ids;
	addresses_t addresses;
};

/* Return what is kept of a task, and of a CPU of a file, or NULL without memory. */
struct history *meanwhile_history(struct meanwhile *m, uint32_t person);
struct cpu_runs *meanwhile_cpu(struct meanwhile *m, uint8_t file, uint16_t cpu);

#endif
