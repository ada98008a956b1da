/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compiles the -F language of trace-cmd (its libtraceevent): "EVENTS : EXPRESSION". EVENTS is a list of SYSTEM/EVENT, SYSTEM or EVENT with
 * commas between them. Each name is a basic regular expression that must match the whole name, in upper or lower case. Without an
 * expression all records of those events match.
 *
 * EXPRESSION has && || ! ( ), == != < <= > >= =~ !~, + - * / % << >> & | ^ ~, numbers, texts as 'text' or "text", single characters as 'c',
 * and fields. COMM is the name of the task, and CPU its CPU. As in trace-cmd, && and || have the same rank and are taken from left to
 * right, and ! applies to one comparison. =~ matches a basic regular expression anywhere in a text, in upper or lower case. Arithmetic
 * binds more tightly than comparisons and has the ranks of C. A comparison with a field that the event lacks, or that lies beyond the
 * record's end, is false. When a field that is no text is compared with a text, its value is turned into text: a pointer or a long into the
 * symbol at that address, and anything else, or an address without a symbol, into 0x and hexadecimal digits.
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

/*
 * Makes an empty filter, which all records pass. It borrows its arguments. @comms and @symbols may be NULL: then there are no
 * names. Returns 0 or -ENOMEM.
 */
int filter_new(struct filter **out, struct tep_handle *tep, const struct comms *comms, const struct symbols *symbols);
void filter_free(struct filter *filter);

/*
 * Adds the filter of one -F. A record passes when it matches at least one filter. With @without (-v) a record that matches @text
 * is dropped, whatever else it matches. Returns 0, -ENOMEM, or -EINVAL after a message that shows @text with a caret under the
 * fault (and names that are near to an unknown one); the filter is as before then. No other thread may use the filter meanwhile.
 */
int filter_add(struct filter *filter, const char *text, bool without);

bool filter_is_empty(const struct filter *filter);

/*
 * Tells whether no record of this event can pass, some can, or all do, so that whole events are skipped or passed without looking
 * at their records.
 */
enum filter_verdict { FILTER_NEVER, FILTER_SOMETIMES, FILTER_ALWAYS };
enum filter_verdict filter_event(const struct filter *filter, uint16_t event_id);

/*
 * Appends to *@out what the filter means for each event that it names, as "EVENT: EXPRESSION". Comparisons with a field that the
 * event lacks are left out, so that only TRUE or FALSE may remain. Returns 0 or -ENOMEM.
 */
int filter_text(const struct filter *filter, strv_t *out);

/* Does this record of the event @event_id pass? Reads nothing beyond the record's size. Any thread may call it. */
bool filter_match(const struct filter *filter, uint16_t event_id, const struct record *record);

#endif
