// SPDX-License-Identifier: GPL-2.0
/* Timers: times in seconds, timeouts in jiffies, modes and flags (include/linux/hrtimer.h, include/linux/timer.h). */
#include "plugins/plugin.h"

static const struct meaning modes[] = {
	{ 0, "ABS" },	   { 1, "REL" },      { 2, "ABS|PINNED" },	 { 3, "REL|PINNED" },
	{ 4, "ABS|SOFT" }, { 5, "REL|SOFT" }, { 6, "ABS|PINNED|SOFT" },	 { 7, "REL|PINNED|SOFT" },
	{ 8, "ABS|HARD" }, { 9, "REL|HARD" }, { 10, "ABS|PINNED|HARD" }, { 11, "REL|PINNED|HARD" },
	{ 0, NULL },
};

static const struct meaning itimers[] = {
	{ 0, "ITIMER_REAL" },
	{ 1, "ITIMER_VIRTUAL" },
	{ 2, "ITIMER_PROF" },
	{ 0, NULL },
};

/* Nanoseconds as seconds, all nine digits. */
static void put_seconds(struct trace_seq *s, uint64_t ns)
{
	char digits[11] = ".";
	uint64_t rest = ns % 1000000000;

	put_u64(s, ns / 1000000000);
	for (int i = 9; i > 0; i--, rest /= 10)
		digits[i] = '0' + rest % 10;
	put_str(s, digits);
}

static void show_seconds(const struct cell *cell, const struct column *column)
{
	(void)column;
	put_seconds(cell->s, cell->value);
	put_char(cell->s, 's');
}

enum { TIMER, FUNCTION, EXPIRES, SOFT, MODE };

/* The slack instead of the second time that it comes from. */
static void print_start(struct shown *shown, struct trace_seq *s, struct tep_record *record, struct tep_event *event)
{
	uint64_t expires = number_of(shown, EXPIRES, record), slack = expires - number_of(shown, SOFT, record);

	put_str(s, "hrtimer=");
	put_hex(s, number_of(shown, TIMER, record));
	put_str(s, " function=");
	put_symbol(s, event->tep, number_of(shown, FUNCTION, record));
	put_str(s, " expires=");
	put_seconds(s, expires);
	put_str(s, "s slack=");
	put_s64(s, slack);
	put_str(s, "ns");
	if (!shown->fields[MODE])
		return;
	put_str(s, " mode=");
	put_meaning(s, modes, number_of(shown, MODE, record));
}

static const struct column start[] = {
	[TIMER] = { .field = "hrtimer" },    [FUNCTION] = { .field = "function" }, [EXPIRES] = { .field = "expires" },
	[SOFT] = { .field = "softexpires" }, [MODE] = { .field = "mode" },	   { .field = NULL },
};

static const struct printer printers[] = {
	{ "timer", "hrtimer_start", start, print_start },
	{ "timer", "hrtimer_expire_entry",
	  COLUMNS({ "hrtimer=", "hrtimer", show_hex, NULL }, { " function=", "function", show_symbol, NULL }, { " now=", "now", show_seconds, NULL }), NULL },
	{ "timer", "itimer_state",
	  COLUMNS({ "", "which", show_meaning, itimers }, { " value=", "value_sec", show_dec, NULL }, { "s+", "value_nsec", show_dec, NULL },
		  { "ns interval=", "interval_sec", show_dec, NULL }, { "s+", "interval_nsec", show_dec, NULL }, { "ns expires=", "expires", show_dec, NULL }),
	  NULL },
	{ "timer", "itimer_expire", COLUMNS({ "", "which", show_meaning, itimers }, { " pid=", "pid", show_dec, NULL }, { " now=", "now", show_dec, NULL }),
	  NULL },
};

PLUGIN("timer", "times in seconds, slack, modes, names of interval timers", printers)
