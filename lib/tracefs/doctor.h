/* SPDX-License-Identifier: GPL-2.0 */
/* Finds out what this kernel lets this user do. This is done by checks, which change nothing. */
#ifndef RINGSIDE_DOCTOR_H
#define RINGSIDE_DOCTOR_H

#include "lib/base/str.h"
#include "lib/tracefs/tracedir.h"

enum doctor_answer {
	DOCTOR_NO,
	DOCTOR_YES,
	DOCTOR_UNSEEN, /* the answer is not known, because tracefs cannot be reached */
	DOCTOR_FACT,   /* the answer is neither good nor bad; the detail that doctor_ask() appends is the answer */
};

struct doctor_check;

/* What the checks look at. */
struct doctor {
	const struct tracedir *dir; /* NULL: tracefs cannot be reached */
	char *tracers;		    /* the contents of available_tracers; NULL: it cannot be read */
	char *readme;		    /* the contents of README; NULL: it cannot be read */
};

struct doctor_check {
	const char *group; /* "tracers"; the checks of a group stand together in the table */
	const char *name;  /* "function_graph" */
	enum doctor_answer (*ask)(const struct doctor *doctor, const char *arg, struct str *detail);
	const char *arg;    /* for ask(): a tracer, a file, … */
	const char *cure;   /* what the checked feature needs: see doctor_cure(); not used for tracers */
	bool needs_tracefs; /* without access to tracefs, the answer is DOCTOR_UNSEEN */
	bool needed;	    /* when the answer is DOCTOR_NO, nothing can be recorded */
};

/* These are all checks, in the order in which `ringside doctor` prints them. The array ends with a row without .name. */
extern const struct doctor_check doctor_checks[];

/* @dir is borrowed until doctor_fini(); NULL: tracefs cannot be reached. */
void doctor_init(struct doctor *out, const struct tracedir *dir);
void doctor_fini(struct doctor *doctor);

/* Returns the answer to one check. If there are further details, appends them to *@detail. */
enum doctor_answer doctor_ask(const struct doctor *doctor, const struct doctor_check *check, struct str *detail);

/*
 * Returns a text that says what the feature of this check needs, such as "CONFIG_UPROBE_EVENTS". The text can follow the words "it needs". Returns NULL
 * when it is not known what the feature needs, and when nothing can provide the feature.
 */
const char *doctor_cure(const struct doctor_check *check);

/*
 * Runs the check of this name. When its answer is DOCTOR_NO, returns what doctor_cure() returns for this check. Returns NULL after any other answer, and
 * when there is no check of this name.
 */
const char *doctor_lacks(const struct tracedir *dir, const char *name);

#endif
