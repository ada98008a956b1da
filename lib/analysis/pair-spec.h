/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two events that belong together, as people say it: one that begins something and one that ends it, with the keys by which they are known to belong
 * together. lib/analysis/pair-match.h finds them in recordings. No printing.
 */
#ifndef RINGSIDE_PAIR_SPEC_H
#define RINGSIDE_PAIR_SPEC_H

#include "lib/base/vec.h"

#include <string.h>

/* What people ask for by one word. */
struct pair_preset {
	const char *name;
	const char *from, *to;	/* "SYSTEM:EVENT" */
	const char *on;		/* as pair_parse() takes it */
	const char *comm, *pid;	/* fields of the end that say whose time it is; NULL: the task in which it happens */
	const char *what;	/* a few words for people */
	const char *thing;	/* the field of the end with what it is about, where it is no task; NULL: a task */
};

/* Ends with a preset without a name. */
extern const struct pair_preset pair_presets[];

const struct pair_preset *pair_preset_find(const char *name);

/* Says that @path has none of these, and how to record them. Returns -ENOENT. */
int pair_preset_missing(const struct pair_preset *preset, const char *path);

enum { PAIR_MOST_KEYS = 3 };

struct pair_side {
	char *event;		/* "SYSTEM:EVENT" or "EVENT" */
	char *filter;		/* NULL: none */
	char *keys[PAIR_MOST_KEYS];
};

struct pair {
	char *name;		/* what such a pair is called; NULL: nobody has said */
	const char *option;	/* where its keys were given, for messages: a literal */
	struct pair_side from, to;
	size_t nkeys;
	bool by_number;		/* its filters have the number of a system call of x86-64 */
	const struct pair_preset *preset;	/* NULL: none */
};
typedef VEC(struct pair) pairs_t;

/*
 * "EVENT" or "EVENT/FILTER/", twice, and "KEY[=KEY2],…": a key is a field of the event, or where it has none of that name, pid is the task and cpu the
 * CPU in which it happens. 0; -EINVAL after a message; -ENOMEM. pair_fini() after it in any case.
 */
int pair_parse(struct pair *pair, const char *from, const char *to, const char *on);

/* A preset's name, or "syscall:NAME" for one system call. As pair_parse(); 1, and nothing is said: it is neither. */
int pair_parse_kind(struct pair *pair, const char *kind);

/*
 * Either of these, or "[NAME=]FROM,TO[,KEY[=KEY2]…]" as --pair has it: without a key the events are of the same task, and without a name the pair is called
 * by both events, as in "sys_enter..sys_exit". As pair_parse().
 */
int pair_parse_spec(struct pair *pair, const char *spec);

void pair_fini(struct pair *pair);
void pairs_fini(pairs_t *pairs);

/* The name of a side's event, without the system. */
static inline const char *pair_side_name(const struct pair_side *side)
{
	const char *colon = strchr(side->event, ':');

	return colon ? colon + 1 : side->event;
}

/* Such a key that is no field: of the task, of the CPU? */
static inline bool pair_key_is_pid(const char *key)
{
	return strcmp(key, "pid") == 0 || strcmp(key, "common_pid") == 0;
}
static inline bool pair_key_is_cpu(const char *key)
{
	return strcmp(key, "cpu") == 0 || strcmp(key, "common_cpu") == 0;
}

#endif
