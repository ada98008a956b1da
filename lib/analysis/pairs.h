/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pairs of events: one that begins something and one that ends it, which belong together by keys. The last beginning with the same keys counts, and an
 * end takes it away, as the kernel does it for a synthetic event of onmatch(). No printing.
 */
#ifndef RINGSIDE_PAIRS_H
#define RINGSIDE_PAIRS_H

#include "lib/analysis/dist.h"

/* What people ask for by one word. */
struct pair_preset {
	const char *name;
	const char *from, *to;	/* "SYSTEM:EVENT" */
	const char *on;		/* as pair_parse() takes it */
	const char *comm, *pid;	/* fields of the end that say whose time it is; NULL: the task in which it happens */
	const char *what;	/* a few words for people */
};

/* Ends with a preset without a name. */
extern const struct pair_preset pair_presets[];

const struct pair_preset *pair_preset_find(const char *name);

enum { PAIR_MOST_KEYS = 3 };

struct pair_side {
	char *event;		/* "SYSTEM:EVENT" or "EVENT" */
	char *filter;		/* NULL: none */
	char *keys[PAIR_MOST_KEYS];
};

struct pair {
	struct pair_side from, to;
	size_t nkeys;
	bool by_number;		/* its filters have the number of a system call of x86-64 */
	const struct pair_preset *preset;	/* NULL: none */
};

/*
 * "EVENT" or "EVENT/FILTER/", twice, and "KEY[=KEY2],…": a key is a field of the event, or where it has none of that name, pid is the task and cpu the
 * CPU in which it happens. 0; -EINVAL after a message; -ENOMEM. pair_fini() after it in any case.
 */
int pair_parse(struct pair *pair, const char *from, const char *to, const char *on);
void pair_fini(struct pair *pair);

/* Such a key that is no field: of the task, of the CPU? */
static inline bool pair_key_is_pid(const char *key)
{
	return strcmp(key, "pid") == 0 || strcmp(key, "common_pid") == 0;
}
static inline bool pair_key_is_cpu(const char *key)
{
	return strcmp(key, "cpu") == 0 || strcmp(key, "common_cpu") == 0;
}

/*
 * The distribution of the times between both; @opt->what names them for people. What is told apart by is of the end. As dist_new_events().
 */
int dist_new_pairs(struct dist **out, struct reading *reading, const struct dist_options *opt, const struct pair *pair);

#endif
