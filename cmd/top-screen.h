/* SPDX-License-Identifier: GPL-2.0 */
/* The screen of `ringside top`, by ncursesw; a build can be without it. All is called from the thread that reads. */
#ifndef RINGSIDE_TOP_SCREEN_H
#define RINGSIDE_TOP_SCREEN_H

#include "lib/analysis/top.h"

struct top_screen;

/* What stands on the first line. */
struct top_state {
	double seconds;		/* since it was begun */
	double cost;		/* of a CPU since the last refresh, 1 is a whole one */
	double events;		/* likewise what the events cost the tasks in which they happened; less than 0: that is not known */
	uint64_t lost;		/* events so far */
	bool lost_more;
};

/* Takes the terminal. @record starts a recording of a row and says so in *@note; borrowed with @ctx. 0, or -errno after a message. */
int top_screen_open(struct top_screen **out, struct top *top, const char *what, enum top_sort sort,
		    void (*record)(void *ctx, const struct top_row *row, struct str *note), void *ctx);

/* Takes what has been typed. True: it is to end. *@changed: it is to be drawn anew. */
bool top_screen_keys(struct top_screen *screen, bool *changed);

void top_screen_note(struct top_screen *screen, const char *text);

/* 0 or -ENOMEM. */
int top_screen_draw(struct top_screen *screen, const struct top_state *state);

/* Gives the terminal back; accepts NULL. */
void top_screen_close(struct top_screen *screen);

#endif
