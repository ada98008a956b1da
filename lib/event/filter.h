/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The -F language of trace-cmd (its libtraceevent), compiled: "EVENTS : EXPRESSION". EVENTS is a comma list of
 * SYSTEM/EVENT, SYSTEM or EVENT, each a basic regular expression without regard to case that must match the whole
 * name; without an expression all records of those events match.
 *
 * EXPRESSION: && || ! ( ), == != < <= > >= =~ !~, + - * / % << >> & | ^ ~, numbers, 'texts' and "texts", 'c'haracters,
 * fields; COMM (the task's name) and CPU are special. As in trace-cmd && and || have the same rank, from left to
 * right, ! takes one comparison, and =~ is a basic regular expression without regard to case that matches anywhere.
 * Arithmetic binds more tightly than comparisons, with C's ranks among itself.
 * A comparison with a field that the event lacks, or that lies beyond the record's end, is false.
 * A field that is no text compares with text as its symbol (pointers, longs) or else as 0x and its hexadecimal digits.
 */
#ifndef RINGSIDE_FILTER_H
#define RINGSIDE_FILTER_H

#include "lib/base/str.h"
#include "lib/base/vec.h"
#include "lib/data/record.h"
#include "lib/event/comms.h"
#include "lib/event/symbols.h"

struct tep_handle;
struct filter;

/* An empty filter: everything passes. Borrows all; @comms and @symbols may be NULL (no names). 0 or -ENOMEM. */
int filter_new(struct filter **out, struct tep_handle *tep, const struct comms *comms,
	       const struct symbols *symbols);
void filter_free(struct filter *filter);

/*
 * Adds one -F: several are OR-ed. With @without (-v) records that match it are dropped, whatever else matches.
 * 0; -EINVAL after a message that shows @text with a caret under the fault (an unknown event or field with the
 * nearest names), and the filter is as before; -ENOMEM. Not while others match.
 */
int filter_add(struct filter *filter, const char *text, bool without);

bool filter_is_empty(const struct filter *filter);

/*
 * Could any record of this event pass / do all of them pass? For skipping and passing whole events without
 * a look at their records.
 */
enum filter_verdict { FILTER_NEVER, FILTER_SOMETIMES, FILTER_ALWAYS };
enum filter_verdict filter_event(const struct filter *filter, uint16_t event_id);

/*
 * What the filter comes to for each event that it names: "EVENT: EXPRESSION", appended to *@out. Comparisons with a field
 * that the event lacks are gone, and nothing but TRUE or FALSE may be left. 0 or -ENOMEM.
 */
int filter_text(const struct filter *filter, strv_t *out);

/* Does the record, of event @event_id, pass? Reads no byte beyond its size. Any thread. */
bool filter_match(const struct filter *filter, uint16_t event_id, const struct record *record);

#endif
