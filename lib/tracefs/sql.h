/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Translates a SELECT statement into the kernel's commands that make a histogram or a synthetic event. libtracefs does the translation. The translation changes
 * nothing in the kernel. The caller carries the commands out.
 */
#ifndef RINGSIDE_SQL_H
#define RINGSIDE_SQL_H

#include "lib/tracefs/tracedir.h"

struct sql {
	const char *statement;
	const char *name; /* the name of the synthetic event */
	/*
	 * The variable of `ringside sqlhist -m` or -c. Its value decides when the actions below are done: when the value has a new maximum (-m) or changes
	 * (-c). NULL: each pair of events makes one synthetic event.
	 */
	const char *variable;
	bool changes; /* used if .variable is not NULL; true: -c; false: -m */
	/* The actions. If .trace and .snapshot are false and .saved is empty, the event is made, as if .trace were true. */
	bool trace;	     /* the event is made */
	bool snapshot;	     /* a snapshot is taken */
	const strv_t *saved; /* the histogram keeps these fields of the second event; empty: no fields */
};

/* A text, and the file to which the text is to be written. */
struct sql_command {
	char *text;
	char *file; /* below the instance's directory: "events/sched/sched_switch/trigger"; "dynamic_events" */
};

typedef VEC(struct sql_command) sql_commands_t;

/*
 * Gives the commands in the order in which they are to be written. For a synthetic event, the first command defines the event. The next two commands make the
 * histograms of the two events. Without a synthetic event, there is one command, for the histogram. The statement can use the events and fields of @top.
 * Returns 0, or -errno after a message. The message points to the error in the statement. When a name is unknown, the message also has the nearest names. The
 * function forks, because some statements make libtracefs crash. So the function must be called while there are no threads.
 */
int sql_compile(const struct sql *sql, const struct tracedir *top, sql_commands_t *out);
void sql_commands_fini(sql_commands_t *v);

#endif
