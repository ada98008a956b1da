/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts how often events happened, by keys. A key is the event, the task, the CPU, the stack, a field, or what a field's number means. The list of keys
 * (struct count_spec) is parsed once. The same list can be used for a recording, and for events that are counted while they happen. Nothing in here prints.
 */
#ifndef RINGSIDE_COUNTS_H
#define RINGSIDE_COUNTS_H

#include "lib/analysis/count-stacks.h"
#include "lib/analysis/reading.h"
#include "lib/base/map.h"
#include "lib/event/syscalls.h"
#include "lib/event/values.h"

/* This tells what a key is. */
enum count_of { COUNT_EVENT, COUNT_COMM, COUNT_PID, COUNT_CPU, COUNT_STACK, COUNT_FIELD };

/* This tells how a field's number is converted into a key. Users write a modifier behind the field's name, as in the kernel's hist triggers: ".hex". */
enum count_as { COUNT_PLAIN, COUNT_HEX, COUNT_SYM, COUNT_SYM_OFFSET, COUNT_SYSCALL, COUNT_EXECNAME, COUNT_LOG2, COUNT_BUCKETS };

struct count_key {
	char *text;  /* the key as the user typed it; this is also the name of the key's column */
	char *field; /* for COUNT_FIELD: the name of the field */
	enum count_of of;
	enum count_as as;
	uint64_t width; /* for COUNT_BUCKETS: the width of a bucket */
};

struct count_spec {
	VEC(struct count_key) keys; /* without keys, events are counted by their names */
	const char *sum;	    /* the name of the field that is added up, borrowed; NULL: none */
};

enum { COUNT_MOST_KEYS = 16 };

/* Appends the keys of "KEY,KEY.log2,…". Returns 0, -EINVAL after a message, or -ENOMEM. */
int count_keys_parse(struct count_spec *spec, const char *text);

/* Returns true when the stack is one of the keys. */
bool count_by_stack(const struct count_spec *spec);

/* Some fields, such as common_pid, are in all events. Returns true if such a field is a key, or is the field that is added up. */
bool count_by_common(const struct count_spec *spec);

/* Appends the words that name keys other than fields. Returns 0 or -ENOMEM. */
int count_key_words(strv_t *out);

void count_spec_fini(struct count_spec *spec);

/*
 * This is the value of a key. .number is valid if counts.numeric is true for the key. If counts.is_signed is false for the key, .number has to be read as
 * an unsigned number.
 */
struct count_value {
	char *text; /* NULL: the event has no such field */
	int64_t number;
};

struct count_row {
	struct count_value *values; /* element i is the value of the key i of count_spec.keys; without keys, element 0 is the event */
	uint64_t n;		    /* how many events had these values */
	__int128 sum;		    /* the sum of the field count_spec.sum */
	uint64_t summed;	    /* how many of these events have the field count_spec.sum */
};

/*
 * Each combination of values of the keys has a row. There are at most this many rows. At this limit, an event that would need a new row is counted in no row,
 * but in counts.n and counts.beyond.
 */
enum { COUNT_MOST_ROWS = 1000000 };

struct counts {
	struct reading *reading;
	const struct count_spec *spec;
	VEC(struct count_source {
		const struct input *input;
		struct count_event *events; /* element i is for the event with the id i */
	})
	sources;
	VEC(struct count_row) rows;
	MAP(struct text, uint32_t) index; /* the index of a row by the bytes of its keys */
	strv_t bytes;			  /* the bytes that .index borrows */
	bool numeric[COUNT_MOST_KEYS];	  /* element i: the key i is a number in every event that has it */
	bool is_signed[COUNT_MOST_KEYS];  /* element i: the key i can be a number below zero */
	bool sum_is_signed;
	struct count_stacks stacks; /* used if the stack is a key */
	uint64_t without_stack;	    /* if the stack is a key: how many events had no stack */
	uint64_t n;		    /* how many events were counted, including those of .beyond */
	uint64_t beyond;	    /* how many events had no row: see COUNT_MOST_ROWS */
	uint64_t lost;		    /* how many events the kernel counted as lost */
	bool lost_more;		    /* for at least one loss, the kernel did not count how many events were lost */
	/* If the kernel itself has counted, the caller of counts_add() sets these. */
	uint64_t since_ns; /* when the kernel began to count (CLOCK_MONOTONIC); 0: the kernel did not count */
	uint64_t span_ns;  /* how long the kernel counted; 0: the kernel did not count */
	uint64_t dropped;  /* how many events had no room in the kernel's tables */
};

/*
 * Makes a struct counts. @reading says which files are read and which of their events are selected (lib/analysis/reading.h). Finds the fields in the selected
 * events. Borrows @reading and @spec. An analysis's make() calls this. Returns 0, -EINVAL after a message, or -ENOMEM. -EINVAL has one of these reasons:
 * - the spec names a field that none of the selected events has;
 * - a field that has to be a number is not a number.
 */
int counts_new(struct counts **out, struct reading *reading, const struct count_spec *spec);
void counts_free(struct counts *counts);

/*
 * counts_record() counts a record. If the stack is a key, an event is counted only when its stack has come, or cannot come any more. counts_flush() counts the
 * events that still wait for their stacks. It is called after the last record. Both return 0 or -ENOMEM.
 */
int counts_record(struct counts *counts, const struct record *rec);
int counts_flush(struct counts *counts);

/*
 * Counts @n events in which the keys have the same values. @sum is the sum of the field spec->sum over these events. @sum is added to the row's sum. @rec is
 * one of these events. @stack is their stack as a path (count_stack_path() of lib/analysis/count-stacks.h), or NULL when it is not known. Returns 0 or -ENOMEM.
 */
int counts_add(struct counts *counts, const struct record *rec, const char *stack, uint64_t n, uint64_t sum);

/* Sets the counts and sums of all rows, and counts->n, to 0. The rows stay. The other counts (.lost, .beyond, .dropped, .without_stack) are not changed. */
void counts_restart(struct counts *counts);

/* Adds a row for each selected event that did not happen. The .n of such a row is 0. Does nothing when the spec has keys. Returns 0 or -ENOMEM. */
int counts_add_absent(struct counts *counts);

#endif
