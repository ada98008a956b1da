/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The -F language of trace-cmd (its libtraceevent), compiled: "EVENTS : EXPRESSION". EVENTS is a comma list of
 * SYSTEM/EVENT, SYSTEM or EVENT, each a regular expression without regard to case that must match the whole
 * name; without an expression all records of those events match. EXPRESSION: && || ! ( ), == != < <= > >= =~ !~,
 * + - * / % << >> & | ^ ~, numbers, 'strings' and "strings", characters, fields; COMM, CPU and TIME are special.
 * A record whose event lacks a named field does not match.
 */
#ifndef RINGSIDE_FILTER_H
#define RINGSIDE_FILTER_H

#include "lib/base/str.h"
#include "lib/data/record.h"
#include "lib/event/comms.h"

struct tep_handle;
struct filter;

/* An empty filter: everything passes. Borrows both. 0 or -ENOMEM. */
int filter_new(struct filter **out, struct tep_handle *tep, const struct comms *comms);
void filter_free(struct filter *filter);

/*
 * Adds one -F: several are OR-ed. With @without (-v) records that match it are dropped, whatever else matches.
 * 0; -EINVAL after a message that shows @text with a caret under the fault (an unknown event or field with the
 * nearest names); -ENOMEM.
 */
int filter_add(struct filter *filter, const char *text, bool without);

bool filter_is_empty(const struct filter *filter);

/*
 * Could any record of this event pass / do all of them pass? For skipping and passing whole events without
 * a look at their records.
 */
enum filter_verdict { FILTER_NONE, FILTER_SOME, FILTER_ALL };
enum filter_verdict filter_event(const struct filter *filter, uint16_t event_id);

/* Does the record, of event @event_id, pass? Reads no byte beyond its size. Any thread. */
bool filter_match(const struct filter *filter, uint16_t event_id, const struct record *record);

#endif
