/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Uses libtraceevent for a trace: keeps its handle and its plug-ins, and lets it print events. Libtraceevent's functions are not safe when several threads
 * use one handle, so these functions take a lock.
 */
#ifndef RINGSIDE_TEP_H
#define RINGSIDE_TEP_H

#include "lib/event/print.h"
#include "lib/event/trace.h"

struct tep_handle;

/*
 * Returns the handle, which the first call makes, with its plug-ins loaded. The trace owns it. Returns NULL when memory runs out.
 */
struct tep_handle *trace_tep(struct trace *trace);
void tep_side_free(struct tep_side *side);

/* Returns what print programs for the trace's events may need to look up. */
struct print_env trace_print_env(struct trace *trace);

/*
 * Lets libtraceevent parse the part of the event's format that passes vet_format(), into event->tep. Sets event->failed when
 * libtraceevent cannot parse the print format, and event->beyond when a part did not pass. Warns that a format is damaged, once for each trace.
 */
void tep_prepare(struct event *event);

/* Appends a line for each plug-in that was loaded: @before, and the plug-in's path. */
void tep_plugins(struct trace *trace, const char *before, struct str *out);

/* Parses the formats of all events, which filters with expressions need. Returns 0 or -ENOMEM. */
int tep_prepare_all(struct trace *trace);

/* Returns what prints this event: the kernel's print format alone, a plug-in that came with libtraceevent, or another plug-in. */
enum handler_kind { HANDLER_NONE, HANDLER_SYSTEM, HANDLER_OTHER };
enum handler_kind tep_handler(const struct event *event);

/*
 * May libtraceevent itself print this event by its print format? It may when no record, whatever is in it, can make it divide by zero, or
 * read further than a few bytes beyond the record. Those bytes are zeros.
 */
bool tep_survives(const struct event *event);

/* Appends libtraceevent's text of the record. */
void tep_text(const struct event *event, const struct record *rec, struct str *out);

/* tep_lock() takes the same lock, and tep_unlock() releases it, for other uses of the handle. */
void tep_lock(struct trace *trace);
void tep_unlock(struct trace *trace);

#endif
