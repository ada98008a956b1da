/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "cmd/top-row.h"

#ifdef RINGSIDE_NCURSES

#include "lib/base/now.h"
#include "lib/base/visible.h"

#include <inttypes.h>
#include <ncurses.h>

/* At least NAME_LEAST columns are for the name of a row. */
enum { NAME_LEAST = 24, FIGURE_SIZE = 24 };

static const struct figure {
	const char *head;
	int width;
} figures[TOP_FIGURES] = {
	{ "RATE/s", 10 }, { "%", 6 }, { "TIME", 8 }, { "P50", 8 }, { "P99", 8 }, { "ALL", 10 }, { "P50", 8 }, { "P99", 8 },
};

size_t top_row_end(size_t left)
{
	int room = COLS - NAME_LEAST - 1 - figures[left].width - 1;
	size_t end = left + 1;

	for (; end < TOP_FIGURES && room > figures[end].width; end++)
		room -= figures[end].width + 1;
	return end;
}

const char *top_row_time(uint64_t ns, char buf[16])
{
	if (ns == QUANTILE_UNKNOWN)
		return "-";
	if (ns < 1000)
		snprintf(buf, 16, "%" PRIu64 "ns", ns);
	else if (ns < 1000000)
		snprintf(buf, 16, "%.1fus", (double)ns / 1e3);
	else if (ns < NSEC_PER_SEC)
		snprintf(buf, 16, "%.1fms", (double)ns / 1e6);
	else
		snprintf(buf, 16, "%.2fs", (double)ns / 1e9);
	return buf;
}

void top_row_name(const char *name)
{
	const int room = MAX(COLS - getcurx(stdscr), 0), y = getcury(stdscr);
	struct str text = { 0 };

	str_add(&text, name);
	visible_str(&text, 0, false);
	if (!str_ok(&text))
		addnstr(str_text(&text), room);
	if (text.len > (size_t)room && room)
		mvaddch(y, COLS - 1, '>');
	str_fini(&text);
}

/* Prints the figures that are shown, each with its width, and two blanks. */
static void put_figures(int y, size_t left, const char *const texts[TOP_FIGURES])
{
	move(y, 0);
	for (size_t i = left; i < top_row_end(left); i++)
		printw("%*s ", figures[i].width, texts[i]);
	addch(' ');
}

void top_row_heads(int y, size_t left)
{
	const char *heads[TOP_FIGURES];

	for (size_t i = 0; i < TOP_FIGURES; i++)
		heads[i] = figures[i].head;
	put_figures(y, left, heads);
	top_row_name("NAME");
}

void top_row_draw(int y, size_t left, const struct top *top, const struct top_row *row, const struct top_sums *sums)
{
	const double seconds = (double)top->span_ns / (double)NSEC_PER_SEC;
	const double share = sums->ns ? (double)row->last.ns / (double)sums->ns : sums->n ? (double)row->last.n / (double)sums->n : 0;
	char rate[FIGURE_SIZE], percent[FIGURE_SIZE], all[FIGURE_SIZE], times[5][16];
	const char *const texts[TOP_FIGURES] = { rate,
						 percent,
						 top->kind == TOP_EVENTS ? "-" : top_row_time(row->last.ns, times[0]),
						 top_row_time(quantiles_at(&row->last.times, 500), times[1]),
						 top_row_time(quantiles_at(&row->last.times, 990), times[2]),
						 all,
						 top_row_time(quantiles_at(&row->all.times, 500), times[3]),
						 top_row_time(quantiles_at(&row->all.times, 990), times[4]) };

	snprintf(rate, sizeof(rate), "%.0f", seconds > 0 ? (double)row->last.n / seconds : 0);
	snprintf(percent, sizeof(percent), "%.2f", 100 * share);
	snprintf(all, sizeof(all), "%" PRIu64, row->all.n);
	put_figures(y, left, texts);
	top_row_name(row->name);
}

#endif
