/* SPDX-License-Identifier: GPL-2.0 */
/* Defines what the source files that implement lib/tracefs/session.h share. No other files include this header. */
#ifndef RINGSIDE_STATE_H
#define RINGSIDE_STATE_H

#include "lib/tracefs/guard.h"
#include "lib/tracefs/session.h"

struct session {
	struct tracedir top;
	char *state_dir;
	struct journal *journal;
	struct guard guard;
	VEC(struct instance *) instances;
	strv_t events;	  /* the names of all events ("system:name"); they are read when they are first needed */
	strv_t made;	  /* the dynamic events that this session has made, "system:name" */
	bool keep;	  /* session_keep() was called */
	bool own;	  /* session_own() is on: the user has not asked for the changes that are made now */
	bool stay;	  /* session_stay() was called */
	uint64_t changes; /* the number of changes made so far */
	uint64_t stop_at; /* RINGSIDE_TEST_STOP_AT (lib/tracefs/session.h): the process stops itself before the change with this number; 0: it never does */
};

/*
 * Adds an entry to the journal, so that a change of @file below @inst can be undone. This function is called right before each change. @before is the value of
 * the entry (enum journal_kind). An instance that the session made is removed as a whole. So for such an instance, an entry is added only if an option or a
 * histogram is changed, or if session_own() is on (lib/tracefs/session.h says why). Returns 0, or -errno after a message.
 */
int session_remember(struct instance *inst, enum journal_kind kind, const char *file, const char *before);

/*
 * Does what session_remember() does, but takes the path of the entry as it is in the journal. enum journal_kind says what @path and @before are for each
 * kind.
 */
int session_remember_path(struct session *s, enum journal_kind kind, const char *path, const char *before);

/*
 * A trigger can switch an event on or off (trigger_switches() in lib/tracefs/trigger.h). When the trigger is removed, the event stays as the trigger has
 * switched it. This function adds an entry that says whether the event is on now. It must be called before @trigger is written, and before the entry for
 * @trigger is added. Undoing goes through the entries backwards, so the event is put back after the trigger has been removed. Returns 0, or -errno after a
 * message. Does nothing if the trigger switches no event, or an event that the kernel does not have.
 */
int session_remember_switched(struct instance *inst, const char *trigger);

#endif
