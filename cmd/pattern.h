/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Matches names of events and functions as trace-cmd's list and report do. A pattern is a regular expression that may match anywhere in the name, in upper or
 * lower case. A pattern with a colon is SYSTEM:EVENT, and both expressions, SYSTEM and EVENT, must match. A pattern without a colon matches an event if it
 * matches the event's system or its name.
 */
#ifndef RINGSIDE_PATTERN_H
#define RINGSIDE_PATTERN_H

#include <regex.h>
#include <stdbool.h>

struct pattern {
	bool has_event; /* the text has a colon */
	regex_t whole;	/* the expression for the system; if the text has no colon, the expression for the system or the event */
	regex_t event;	/* the expression for the event; used when .has_event is true */
	char why[80];	/* what is wrong with the text, after -EINVAL of pattern_init() */
};

/*
 * Makes a pattern from @text. @flags is 0 if @text is a basic regular expression, and REG_EXTENDED if it is an extended one. Returns 0, -EINVAL when @text is
 * not valid, or -ENOMEM. Prints no message. After a failure, pattern_fini() need not be called.
 */
int pattern_init(struct pattern *p, const char *text, int flags);
void pattern_fini(struct pattern *p);

/*
 * Returns true when the pattern matches the event @name of the system @system. When @system is NULL, @name is a function. A pattern with a colon matches no
 * function.
 */
bool pattern_matches(const struct pattern *p, const char *system, const char *name);

/*
 * Makes a pattern from @text as a basic regular expression, and calls @find with it. If @text is no valid basic expression, or if @find finds nothing, @text is
 * taken as an extended expression instead. @find returns 1 when a name matches, 0 when none does, or -ENOMEM without a message. pattern_either() returns 1 when
 * a name matched and 0 when none did. It returns -ENOMEM or -EINVAL after a message. -EINVAL means that @text is neither a valid basic nor a valid extended
 * expression. @option is the option whose value @text is, for messages.
 */
int pattern_either(const char *option, const char *text, int (*find)(void *ctx, const struct pattern *p), void *ctx);

#endif
