/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of the session share; for them only. */
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
	strv_t events;		/* all "system:name", read when first needed */
	strv_t made;		/* dynamic events of its own, "system:name" */
	bool keep;
	bool stay;
	uint64_t changes;	/* made so far */
	uint64_t stop_at;	/* RINGSIDE_TEST_STOP_AT; 0: never */
};

/*
 * Called right before each change of @file below @inst: remembers how to undo it, unless the instance goes as a
 * whole. 0, or -errno after a message.
 */
int session_remember(struct instance *inst, enum journal_kind kind, const char *file, const char *before);

/* The same for a change outside of instances; @path as the kind wants it. */
int session_remember_path(struct session *s, enum journal_kind kind, const char *path, const char *before);

#endif
