/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Has the notes that tables show when they need events of which no record was seen. If the options can have left out all records of these events
 * (input.narrowed), the notes do not say that nothing was recorded.
 */
#ifndef RINGSIDE_UNSEEN_H
#define RINGSIDE_UNSEEN_H

#include <stdbool.h>

/* The names say which records were not seen, and which figures the note is about. */
enum unseen {
	UNSEEN_SWITCHES,	 /* sched_switch: the times of calls off the CPU are not known */
	UNSEEN_SWITCHES_GUESSED, /* sched_switch: the times of calls off the CPU are guessed */
	UNSEEN_SWITCHES_OF_ALL,	 /* sched_switch: it is not known which tasks ran */
	UNSEEN_WAKEUPS,		 /* sched_waking and sched_wakeup: blocked and queued times are not known */
	UNSEEN_INTERRUPTS,	 /* the events of interrupts: the times of interrupts are not known */
	UNSEEN_MEMORY,		 /* the events of the system kmem: nothing is known of memory */
	UNSEEN_COUNT
};

/* Returns the note. @narrowed is input.narrowed of the file. */
const char *unseen_text(enum unseen what, bool narrowed);

#endif
