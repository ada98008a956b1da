/* SPDX-License-Identifier: GPL-2.0 */
/* Draws the screen of `ringside top` with ncursesw, which a build can lack. Only the thread that reads the events may call these functions. */
#ifndef RINGSIDE_TOP_SCREEN_H
#define RINGSIDE_TOP_SCREEN_H

#include "lib/analysis/top.h"

struct top_screen;

/* These are the figures of the screen's first two lines. */
struct top_state {
	double seconds; /* how many seconds top has run */
	double cost;	/* the share of one CPU that ringside itself took since the last refresh; 1 is the whole CPU */
	double events;	/* the share of one CPU that the recording of events took since the last refresh; negative: not known */
	uint64_t lost;	/* how many events were lost so far */
	bool lost_more; /* more events were lost, and the kernel did not count them */
};

/*
 * Takes over the terminal and shows @top, which is borrowed, under the heading @what. @sort says how the rows are sorted at first. @record is called with @ctx
 * when the user asks for a recording of what the chosen row shows. @record puts a sentence about the recording into *@note. The screen then shows that
 * sentence. Returns 0, or -errno after a message.
 */
int top_screen_open(struct top_screen **out, struct top *top, const char *what, enum top_sort sort,
		    void (*record)(void *ctx, const struct top_row *row, struct str *note), void *ctx);

/* Handles the keys that have been typed. Returns true when the user wants to leave `ringside top`. Sets *@changed when the screen has to be drawn again. */
bool top_screen_keys(struct top_screen *screen, bool *changed);

/* Shows @text on the screen until another text replaces it. */
void top_screen_note(struct top_screen *screen, const char *text);

/* Draws the screen. Returns 0 or -ENOMEM. */
int top_screen_draw(struct top_screen *screen, const struct top_state *state);

/* Gives the terminal back and frees @screen, which may be NULL. */
void top_screen_close(struct top_screen *screen);

#endif
