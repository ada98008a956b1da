/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libtraceevent's side of a trace: its handle, its plug-ins, and printing by it. Its functions are not safe for
 * several threads on one handle, so a lock is taken in here.
 */
#ifndef RINGSIDE_TEP_H
#define RINGSIDE_TEP_H

#include "lib/event/print.h"
#include "lib/event/trace.h"

struct tep_handle;

/* Makes the handle and loads the plug-ins, once. NULL: out of memory. */
struct tep_handle *trace_tep(struct trace *trace);
void tep_side_free(struct tep_side *side);

/* What programs for the trace's events may need to look up. */
struct print_env trace_print_env(struct trace *trace);

/*
 * Parses what of the event's format passes vet_format() into event->tep; sets event->failed when its print format is beyond
 * libtraceevent, and event->beyond. Says once for each trace that a format is damaged.
 */
void tep_prepare(struct event *event);

/* Appends a line "@before PATH" for each plug-in that was loaded. */
void tep_plugins(struct trace *trace, const char *before, struct str *out);

/* Parses all formats (filters by expressions want them). 0 or -ENOMEM. */
int tep_prepare_all(struct trace *trace);

/* Who prints this event: the kernel's format, a plug-in that came with libtraceevent, or another plug-in? */
enum handler_kind { HANDLER_NONE, HANDLER_SYSTEM, HANDLER_OTHER };
enum handler_kind tep_handler(const struct event *event);

/*
 * Does libtraceevent print this event, without plug-in and program, from any record without reading beyond a few zeros behind it, or
 * dividing by zero?
 */
bool tep_survives(const struct event *event);

/* Appends libtraceevent's text of the record. */
void tep_text(const struct event *event, const struct record *rec, struct str *out);

/* The same lock, for other uses of the handle. */
void tep_lock(struct trace *trace);
void tep_unlock(struct trace *trace);

#endif
