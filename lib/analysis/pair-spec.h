/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parses pairs of events as people write them. A pair has two events. The first event begins something, and the second event ends it. The time of the pair is
 * the time between these events. A pair also has keys. A key is a field that must have the same value in both events. lib/analysis/pair-match.h finds pairs
 * in recordings. Nothing in here prints.
 */
#ifndef RINGSIDE_PAIR_SPEC_H
#define RINGSIDE_PAIR_SPEC_H

#include "lib/base/vec.h"

#include <string.h>

/* This is a pair that users can ask for by one word, such as "wakeup". */
struct pair_preset {
	const char *name;
	const char *from; /* the event that begins the pair, as "SYSTEM:EVENT" */
	const char *to;	  /* the event that ends the pair, as "SYSTEM:EVENT" */
	const char *on;	  /* the keys, as pair_parse() takes them */
	/*
	 * The field of the end event that has the pid of the task to which the time belongs. NULL: the time belongs to the task of both events, or to no
	 * task.
	 */
	const char *pid;
	const char *what; /* describes the pair in a few words */
	/* The field of the end event that names the interrupt, the softirq or the block device to which the time belongs. NULL: the time belongs to a task. */
	const char *thing;
};

/* These are all presets. The array ends with an element whose .name is NULL. */
extern const struct pair_preset pair_presets[];

/* Returns the preset with this name, or NULL if no preset has this name. */
const struct pair_preset *pair_preset_find(const char *name);

/* Reports that the file @path does not have the events of the preset. The message also says how to record these events. Returns -ENOENT. */
int pair_preset_missing(const struct pair_preset *preset, const char *path);

enum { PAIR_MOST_KEYS = 3 };

/* This is one of the two events of a pair. */
struct pair_side {
	char *event;		    /* "SYSTEM:EVENT" or "EVENT" */
	char *filter;		    /* NULL: none */
	char *keys[PAIR_MOST_KEYS]; /* names of fields; the field in element i must equal the field in element i of the other side; unused elements are NULL */
};

struct pair {
	char *name;	    /* the name that the user gave to the pair; NULL: none */
	const char *option; /* for messages: the option with which the user gave the keys, such as "--on"; a string literal */
	struct pair_side from, to;
	size_t nkeys;			  /* how many elements of the .keys of each side are used */
	bool by_number;			  /* the pair's filters contain the number that a system call has on x86-64 */
	bool unnumbered;		  /* the pair is a system call that may have the number -1 at its exit */
	const struct pair_preset *preset; /* NULL: none */
	bool or_function;		  /* the user gave the preset's name where a function may be named, so a function of that name may be meant */
};
typedef VEC(struct pair) pairs_t;

/*
 * Parses a pair. @from and @to have the form "EVENT" or "EVENT/FILTER/". @on has the form "KEY[=KEY2],…". KEY is a field of the event @from, and KEY2 is a
 * field of the event @to. Without KEY2, both fields have the name KEY. The keys "pid" and "common_pid" mean the task in which the event happens. The keys "cpu"
 * and "common_cpu" mean the CPU of the event. But if the event has a field of its own with the name of the key, the key means this field. The caller must first
 * set all of *@pair to zero. Returns 0, -EINVAL after a message, or -ENOMEM. The caller must call pair_fini() even if pair_parse() fails.
 */
int pair_parse(struct pair *pair, const char *from, const char *to, const char *on);

/*
 * Parses a preset's name, or "syscall:NAME", which stands for one system call. If @kind has neither form, returns 1 without a message. Otherwise returns
 * what pair_parse() returns. As for pair_parse(), the caller must first set all of *@pair to zero, and must call pair_fini() even after a failure.
 */
int pair_parse_kind(struct pair *pair, const char *kind);

/*
 * Parses the value of --pair. The value is "[NAME=]FROM,TO[,KEY[=KEY2]…]" or a string that pair_parse_kind() parses. If no key is given, both events must
 * be of the same task. If no name is given, the pair is named after both events, as in "sys_enter..sys_exit". Returns what pair_parse() returns. The caller
 * has the same duties as for pair_parse().
 */
int pair_parse_spec(struct pair *pair, const char *spec);

/* Returns true if the pair is a system call. Such a pair is made from "syscall" or "syscall:NAME". */
bool pair_is_syscall(const struct pair *pair);

/*
 * Some pairs have a key that is the pid of the task that a sched_switch switches to or from: next_pid or prev_pid. Such a pair needs all switches of the task.
 * If a switch is not recorded, the pair may end at a later switch. Returns the index of this key, or -1 if the pair has no such key.
 */
int pair_switch_key(const struct pair *pair);

/*
 * Returns true if @key is the pid of the task that a sched_switch switches to or from, and @event is "sched_switch". Such a key is 0 for the idle task of the
 * CPU on which the record was made.
 */
bool pair_key_is_switched(const char *event, const char *key);

void pair_fini(struct pair *pair);
void pairs_fini(pairs_t *pairs);

/* Returns the name of a side's event without the system. */
static inline const char *pair_side_name(const struct pair_side *side)
{
	const char *colon = strchr(side->event, ':');

	return colon ? colon + 1 : side->event;
}

/*
 * pair_key_is_pid() returns true for "pid" and "common_pid". pair_key_is_cpu() returns true for "cpu" and "common_cpu". pair_parse() describes what these
 * keys mean.
 */
static inline bool pair_key_is_pid(const char *key)
{
	return strcmp(key, "pid") == 0 || strcmp(key, "common_pid") == 0;
}
static inline bool pair_key_is_cpu(const char *key)
{
	return strcmp(key, "cpu") == 0 || strcmp(key, "common_cpu") == 0;
}

/*
 * If a key is a field that names a task, the pair is about this task. pair_key_names_task() returns true for "pid", "next_pid" and "prev_pid", the names of
 * such fields. pair_key_comm() returns the name of the field with the task's name, such as "next_comm" for "next_pid". The event may lack the field with the
 * task's name. pair_key_comm() returns NULL if pair_key_names_task() returns false.
 */
bool pair_key_names_task(const char *key);
const char *pair_key_comm(const char *key);

#endif
