/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Histograms and synthetic events as SQL: libtracefs makes the kernel's commands of a SELECT statement. Nothing is changed here;
 * who carries the commands out does it through the session.
 */
#ifndef RINGSIDE_SQL_H
#define RINGSIDE_SQL_H

#include "lib/tracefs/tracedir.h"

struct sql {
	const char *statement;
	const char *name;	/* of the synthetic event */
	const char *variable;	/* of -m or -c: what the actions wait for; NULL: each pair of events makes one event */
	bool changes;		/* the actions are for when it changes, not for when it is at a new maximum */
	bool trace, snapshot;	/* the actions: the event; a snapshot. Without any: the event */
	const strv_t *saved;	/* fields of the second event that the histogram is to keep; none when empty */
};

/* What is to be written where. */
struct sql_command {
	char *text;
	char *file;	/* below the instance's directory: "events/sched/sched_switch/trigger"; "dynamic_events" */
};

typedef VEC(struct sql_command) sql_commands_t;

/*
 * The commands in their order: of a synthetic event its definition, then the histogram of either event; else one histogram. Events
 * and fields are those of @top. 0, or -errno after a message with the place, and the nearest names where one is unknown. The library
 * works in a process of its own, since some statements that it cannot understand make it crash; so call this without threads.
 */
int sql_compile(const struct sql *sql, const struct tracedir *top, sql_commands_t *out);
void sql_commands_fini(sql_commands_t *v);

#endif
