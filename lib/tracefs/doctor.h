/* SPDX-License-Identifier: GPL-2.0 */
/* What this kernel lets this user do, check by check. Nothing is changed. */
#ifndef RINGSIDE_DOCTOR_H
#define RINGSIDE_DOCTOR_H

#include "lib/base/str.h"
#include "lib/tracefs/tracedir.h"

enum doctor_answer {
	DOCTOR_NO,
	DOCTOR_YES,
	DOCTOR_UNSEEN,	/* cannot be told without access to tracefs */
	DOCTOR_FACT,	/* neither good nor bad: only the detail counts */
};

struct doctor_check;

/* What the checks look at. */
struct doctor {
	const struct tracedir *dir;	/* NULL: tracefs cannot be reached */
	char *tracers, *readme;		/* the files' texts; NULL: none */
};

struct doctor_check {
	const char *group;	/* "tracers": those of one group stand together */
	const char *name;	/* "function_graph" */
	enum doctor_answer (*ask)(const struct doctor *doctor, const char *arg, struct str *detail);
	const char *arg;	/* for ask(): a tracer, a file, … */
	const char *cure;	/* see doctor_cure() */
	bool needs_tracefs;
	bool needed;		/* without it nothing can be recorded */
};

/* All checks, in the order of the page; ends with a row without .name. */
extern const struct doctor_check doctor_checks[];

/* @dir is borrowed, NULL when it cannot be opened. */
void doctor_init(struct doctor *out, const struct tracedir *dir);
void doctor_fini(struct doctor *doctor);

/* The answer to one check; *@detail gets what is to be said beside it, if anything. */
enum doctor_answer doctor_ask(const struct doctor *doctor, const struct doctor_check *check, struct str *detail);

/* What gives it, when it is missing: "CONFIG_UPROBE_EVENTS"; NULL: not known, or nothing to be had. */
const char *doctor_cure(const struct doctor_check *check);

/* What gives the feature that the check @name is about, if it is missing; NULL: it is there. */
const char *doctor_lacks(const struct tracedir *dir, const char *name);

#endif
