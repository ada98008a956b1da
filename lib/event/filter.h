/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compiles filters in the language of trace-cmd's option -F: "EVENTS : EXPRESSION". libtraceevent defines this language. EVENTS is a list of SYSTEM/EVENT,
 * SYSTEM or EVENT with commas between them. SYSTEM and EVENT are basic regular expressions. Each expression must match the whole name of a system or event.
 * Upper and lower case are not distinguished. When EXPRESSION is missing, all records of these events match.
 *
 * EXPRESSION is made of these:
 *	logic: && || !
 *	comparisons: == != < <= > >= =~ !~
 *	arithmetic: + - * / % << >> & | ^ ~
 *	grouping: ( )
 *	values: numbers, texts as 'text' or "text", single characters as 'c', and names of fields
 * The word COMM stands for the name of the record's task. The word CPU stands for the record's CPU. As in trace-cmd, && and || have the same precedence and are
 * taken from left to right. ! applies to one comparison. =~ looks for a basic regular expression anywhere in a text, and ignores the case of letters.
 * Arithmetic binds more tightly than comparisons and has C's precedence. A comparison is false when the event lacks the field, or when the field lies beyond
 * the record's end. When a field that is not a text is compared with a text, the value of the field is turned into text. If the field is a pointer or a long,
 * its value is taken as an address. The text is then the name of the symbol that covers this address (symbols_find() in lib/event/symbols.h). For other fields,
 * and for an address without a symbol, the text is 0x and the hexadecimal digits of the value.
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
 * Makes an empty filter, which all records pass. The filter borrows @tep, @comms and @symbols. @comms and @symbols may be NULL. Without @comms tasks have
 * no names. Without @symbols addresses have no names. Returns 0 or -ENOMEM.
 */
int filter_new(struct filter **out, struct tep_handle *tep, const struct comms *comms, const struct symbols *symbols);
void filter_free(struct filter *filter);

/*
 * Adds the filter of one option -F. @without is true for an excluding filter (-v), and false for an including filter. A record that matches an excluding
 * filter is dropped. Any other record passes in these two cases:
 *  - The record matches at least one including filter.
 *  - No including filter was added.
 * Returns 0, -ENOMEM, or -EINVAL after a message. This message shows @text with a caret under the fault, and the nearest names when a name is unknown. On
 * failure *@filter is unchanged. No other thread may use *@filter during this call.
 */
int filter_add(struct filter *filter, const char *text, bool without);

bool filter_is_empty(const struct filter *filter);

/*
 * Tells whether no record of this event can pass, some can pass, or all pass. After FILTER_NEVER and FILTER_ALWAYS, the caller need not call
 * filter_match() for the records of this event.
 */
enum filter_verdict { FILTER_NEVER, FILTER_SOMETIMES, FILTER_ALWAYS };
enum filter_verdict filter_event(const struct filter *filter, uint16_t event_id);

/*
 * Appends a text "EVENT: EXPRESSION" to *@out for each event that a -F names. EXPRESSION is what the -F means for this event. Comparisons with a field that
 * the event lacks are false and are left out. If these comparisons alone decide whether a record matches, EXPRESSION is TRUE or FALSE. If the -F has no
 * expression, EXPRESSION is TRUE. Returns 0 or -ENOMEM.
 */
int filter_text(const struct filter *filter, strv_t *out);

/* Tells whether this record of the event @event_id passes. Reads nothing beyond the record's end. Any thread may call this function. */
bool filter_match(const struct filter *filter, uint16_t event_id, const struct record *record);

#endif
