/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Uses libtraceevent for a trace. Keeps the handle and the plug-ins of libtraceevent, and lets libtraceevent print events. The functions of libtraceevent
 * are not safe when several threads use one handle. So tep_prepare(), tep_prepare_all() and tep_text() call these functions under a lock that belongs to
 * the handle.
 */
#ifndef RINGSIDE_TEP_H
#define RINGSIDE_TEP_H

#include "lib/event/print.h"
#include "lib/event/trace.h"

struct tep_handle;

/* Returns the trace's handle, which the trace owns. The first call makes the handle and loads the plug-ins. Returns NULL when memory runs out. */
struct tep_handle *trace_tep(struct trace *trace);

/* Frees the handle and unloads the plug-ins. Accepts NULL. */
void tep_side_free(struct tep_side *side);

/* Returns what the trace's print programs (lib/event/print.h) depend on: the trace's symbols, constant strings, byte order and size of a long. */
struct print_env trace_print_env(struct trace *trace);

/*
 * Lets libtraceevent parse the part of the event's format that passes vet_format() (lib/event/vet.h), and stores the result in event->tep. Sets
 * event->failed when libtraceevent cannot parse the print format. When something in the format did not pass, sets event->beyond (lib/event/trace.h). When
 * lines of fields did not pass, sets event->no_fields, too. The first damaged format of a trace causes a warning.
 */
void tep_prepare(struct event *event);

/* Appends a line for each plug-in that was loaded. The line is @before, followed by the plug-in's path. */
void tep_plugins(struct trace *trace, const char *before, struct str *out);

/* Does what tep_prepare() does, for all events. Filters with expressions need this function. Returns 0 or -ENOMEM. */
int tep_prepare_all(struct trace *trace);

/* This tells whether libtraceevent prints an event by the kernel's print format or by a plug-in. */
enum handler_kind {
	HANDLER_NONE,	/* the kernel's print format, without a plug-in */
	HANDLER_SYSTEM, /* a plug-in that came with libtraceevent */
	HANDLER_OTHER,	/* another plug-in */
};
/* Returns what prints the event. When tep_prepare() was not called for the event, returns HANDLER_NONE. */
enum handler_kind tep_handler(const struct event *event);

/*
 * Tells whether libtraceevent may print this event by its print format. Returns true if no record can make libtraceevent divide by zero or read too far.
 * Reading too far means reading beyond the zeros that tep_text() puts behind a record. event->tep must not be NULL.
 */
bool tep_survives(const struct event *event);

/* Appends libtraceevent's text of the record. event->tep must not be NULL. When memory runs out, nothing is appended. */
void tep_text(const struct event *event, const struct record *rec, struct str *out);

/*
 * Other code that calls libtraceevent with the handle must hold the lock of the handle. tep_lock() takes this lock, and tep_unlock() releases it.
 * trace_tep() must have made the handle before.
 */
void tep_lock(struct trace *trace);
void tep_unlock(struct trace *trace);

#endif
