/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of events and functions as trace-cmd's list and report take them: a regular expression, upper or lower case, that may match
 * anywhere in the name. "SYSTEM:EVENT" has one for each; without a colon it is for the system as well as for the event.
 */
#ifndef RINGSIDE_PATTERN_H
#define RINGSIDE_PATTERN_H

#include <regex.h>
#include <stdbool.h>

struct pattern {
	regex_t whole; /* of the system, when there is a colon */
	regex_t event;
	bool has_event;
};

/* @flags: 0, or REG_EXTENDED. -EINVAL: it is no such regular expression. */
int pattern_init(struct pattern *p, const char *text, int flags);
void pattern_fini(struct pattern *p);

/* @system is NULL for a function. */
bool pattern_matches(const struct pattern *p, const char *system, const char *name);

#endif
