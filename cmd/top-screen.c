/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "cmd/top-screen.h"
#include "lib/base/err.h"

#ifndef RINGSIDE_NCURSES

int top_screen_open(__unused struct top_screen **out, __unused struct top *top, __unused const char *what, __unused enum top_sort sort,
		    __unused void (*record)(void *ctx, const struct top_row *row, struct str *note), __unused void *ctx)
{
	return fail(ENOTSUP,
		    "top has no screen here, as ncursesw was not there when ringside was built (Debian package libncurses-dev); --batch N prints N refreshes");
}

bool top_screen_keys(__unused struct top_screen *screen, __unused bool *changed)
{
	return true;
}

void top_screen_note(__unused struct top_screen *screen, __unused const char *text)
{
}

int top_screen_draw(__unused struct top_screen *screen, __unused const struct top_state *state)
{
	return 0;
}

void top_screen_close(__unused struct top_screen *screen)
{
}

#else

#include "cmd/top-row.h"
#include "lib/base/io.h"

#include <fcntl.h>
#include <inttypes.h>
#include <locale.h>
#include <ncurses.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FIRST_ROW = 3, MOST_FILTER = 60, KEY_ESCAPE = 27, KEY_CTRL_L = 12, MOST_BARS = 40, BEFORE_BARS = 27, MOST_NOTE_LINES = 4 };

struct top_screen {
	struct top *top;
	const char *what;
	SCREEN *screen;
	FILE *out;	      /* the terminal itself; what is printed as usual has no terminal commands in it */
	int messages, errors; /* .messages keeps messages while the screen is shown, and .errors is the former standard error; -1: messages are not kept */
	enum top_sort sort;
	char filter[MOST_FILTER + 1];
	bool typing, help, open;
	uint32_t *order;
	size_t n, at, first; /* the rows that match: .at is the chosen one, .first the topmost one */
	size_t left;	     /* the leftmost figure that is shown (cmd/top-row.h) */
	uint32_t chosen;     /* the chosen row; UINT32_MAX: none yet */
	struct str note;
	void (*record)(void *ctx, const struct top_row *row, struct str *note);
	void *ctx;
};

static const char *const sort_names[TOP_SORTS] = {
	[TOP_BY_TIME] = "time", [TOP_BY_RATE] = "rate", [TOP_BY_P50] = "p50", [TOP_BY_P99] = "p99", [TOP_BY_CALLS] = "calls", [TOP_BY_NAME] = "name",
};

/* Keeps messages until the screen is gone. A message on the terminal would shift the screen without ncurses knowing. */
static void keep_messages(struct top_screen *s)
{
	if (!isatty(STDERR_FILENO))
		return;
	s->errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	s->messages = s->errors < 0 ? -1 : memfd_create("messages", MFD_CLOEXEC);
	if (s->messages >= 0)
		dup2(s->messages, STDERR_FILENO);
}

static void tell_messages(struct top_screen *s)
{
	if (s->messages >= 0) {
		dup2(s->errors, STDERR_FILENO);
		io_copy(s->messages, 0, STDERR_FILENO, (uint64_t)MAX(lseek(s->messages, 0, SEEK_CUR), 0));
	}
	close_fd(&s->messages);
	close_fd(&s->errors);
}

/* Can the cursor be moved on the terminal of newterm()? Without this, lines would be printed one over the other. */
static bool can_draw(void)
{
	char cup[] = "cup";
	const char *move_cursor = tigetstr(cup);

	return move_cursor && move_cursor != (char *)-1;
}

int top_screen_open(struct top_screen **out, struct top *top, const char *what, enum top_sort sort,
		    void (*record)(void *ctx, const struct top_row *row, struct str *note), void *ctx)
{
	struct top_screen *s = calloc(1, sizeof(*s));

	*out = NULL;
	if (!s)
		return fail(ENOMEM, "out of memory");
	*s = (struct top_screen){ .top = top, .what = what, .sort = sort, .chosen = UINT32_MAX, .record = record, .ctx = ctx, .messages = -1, .errors = -1 };
	setlocale(LC_CTYPE, "");
	s->out = fdopen(dup(STDOUT_FILENO), "w");
	s->screen = s->out ? newterm(NULL, s->out, stdin) : NULL;
	if (!s->screen || !can_draw()) {
		if (s->screen)
			delscreen(s->screen);
		if (s->out)
			fclose(s->out);
		free(s);
		return fail(ENOTTY, "top cannot draw on this terminal (TERM=%s); --batch N prints N refreshes", getenv("TERM") ? getenv("TERM") : "");
	}
	keep_messages(s);
	set_escdelay(25);
	cbreak();
	noecho();
	nodelay(stdscr, TRUE);
	keypad(stdscr, TRUE);
	curs_set(0);
	*out = s;
	return 0;
}

void top_screen_close(struct top_screen *s)
{
	if (!s)
		return;
	endwin();
	delscreen(s->screen);
	fclose(s->out);
	tell_messages(s);
	free(s->order);
	str_fini(&s->note);
	free(s);
}

void top_screen_note(struct top_screen *s, const char *text)
{
	str_clear(&s->note);
	str_add(&s->note, text);
}

/* --- keys ------------------------------------------------------------------------------------------------- */

static void move_by(struct top_screen *s, long by)
{
	const long to = (long)s->at + by;

	s->at = to < 0 ? 0 : MIN((size_t)to, s->n ? s->n - 1 : 0);
	s->chosen = s->at < s->n ? s->order[s->at] : UINT32_MAX;
}

static void type(struct top_screen *s, int key)
{
	const size_t n = strlen(s->filter);

	if (key == '\n' || key == '\r' || key == KEY_ENTER)
		s->typing = false;
	else if (key == KEY_ESCAPE)
		s->typing = false, s->filter[0] = '\0';
	else if ((key == KEY_BACKSPACE || key == 127 || key == 8) && n)
		s->filter[n - 1] = '\0';
	else if (key >= ' ' && key < 127 && n < MOST_FILTER)
		s->filter[n] = (char)key, s->filter[n + 1] = '\0';
}

/* Notes the chosen row. Until the user chooses, it is the first row. */
static void choose(struct top_screen *s)
{
	if (s->at < s->n)
		s->chosen = s->order[s->at];
}

static void open_row(struct top_screen *s)
{
	choose(s);
	s->open = s->chosen != UINT32_MAX;
	top_open(s->top, s->open ? s->chosen : SIZE_MAX);
}

static void close_row(struct top_screen *s)
{
	s->open = false;
	top_open(s->top, SIZE_MAX);
}

/* Goes back from help or a single row to the rows, and then to all rows without the filter. */
static void go_back(struct top_screen *s)
{
	if (!s->help && !s->open)
		s->filter[0] = '\0';
	s->help = false;
	close_row(s);
}

/* Handles a key that chooses what part of the table is shown. */
static void go(struct top_screen *s, int key)
{
	const long page = LINES > FIRST_ROW + 2 ? LINES - FIRST_ROW - 2 : 1;

	switch (key) {
	case KEY_UP:
	case 'k':
		move_by(s, -1);
		break;
	case KEY_DOWN:
	case 'j':
		move_by(s, 1);
		break;
	case KEY_LEFT:
		s->left -= s->left > 0;
		break;
	case KEY_RIGHT:
		s->left += top_row_end(s->left) < TOP_FIGURES;
		break;
	case KEY_PPAGE:
		move_by(s, -page);
		break;
	case KEY_NPAGE:
		move_by(s, page);
		break;
	case KEY_HOME:
		move_by(s, -(long)s->n);
		break;
	default:
		break;
	}
}

/* Handles a key. Returns true if top is to end. */
static bool press(struct top_screen *s, int key)
{
	switch (key) {
	case 'q':
	case 'Q':
		if (!s->help && !s->open)
			return true;
		s->help = false;
		close_row(s);
		break;
	case KEY_ESCAPE:
		go_back(s);
		break;
	case '?':
	case 'h':
		s->help = !s->help;
		break;
	case '/':
		s->typing = true;
		break;
	case '<':
		s->sort = (s->sort + TOP_SORTS - 1) % TOP_SORTS;
		break;
	case '>':
		s->sort = (s->sort + 1) % TOP_SORTS;
		break;
	case '\n':
	case '\r':
	case KEY_ENTER:
		open_row(s);
		break;
	case 'r':
		str_clear(&s->note);
		choose(s);
		if (s->chosen != UINT32_MAX)
			s->record(s->ctx, &s->top->rows.at[s->chosen], &s->note);
		break;
	default:
		if (key >= '1' && key < '1' + TOP_SORTS)
			s->sort = (enum top_sort)(key - '1');
		else
			go(s, key);
	}
	return false;
}

bool top_screen_keys(struct top_screen *s, bool *changed)
{
	int key;

	while ((key = getch()) != ERR) {
		*changed = true;
		if (key == KEY_CTRL_L)
			clearok(curscr, TRUE);
		else if (s->typing)
			type(s, key);
		else if (press(s, key))
			return true;
	}
	return false;
}

/* --- drawing ---------------------------------------------------------------------------------------------- */

static void put_help(void)
{
	static const char *const lines[] = {
		"up, down, PgUp, PgDn, Home   choose a row",
		"left, right                  show other figures, on a narrow screen",
		"1 to 6, < and >              sort by time, rate, p50, p99, calls, name",
		"/                            show only rows that contain what is typed;",
		"                             Enter ends typing, Esc shows all again",
		"Enter                        show the row's distribution and its tasks;",
		"                             Esc or q goes back",
		"r                            record the row for 5 seconds into a file here",
		"Ctrl-L                       draw the screen anew",
		"?                            this help",
		"q                            end",
	};

	for (size_t i = 0; i < ARRAY_LEN(lines); i++)
		mvaddnstr(FIRST_ROW + (int)i, 2, lines[i], COLS - 2);
}

/* Prints the distribution of all times of a row, by powers of two. */
static int put_times(int y, const struct quantiles *times)
{
	struct quantiles_bucket bucket = { 0 };
	uint64_t counts[64] = { 0 }, most = 1, room = (uint64_t)MIN(MAX(COLS - BEFORE_BARS - 1, 1), (int)MOST_BARS);
	char low[16];

	while (quantiles_each(times, &bucket))
		counts[bucket.low ? 63 - __builtin_clzll(bucket.low) : 0] += bucket.count;
	for (int i = 0; i < 64; i++)
		most = MAX(most, counts[i]);
	for (int i = 0; i < 64 && y < LINES - 1; i++) {
		if (!counts[i])
			continue;
		mvprintw(y++, 2, "from %8s %10" PRIu64 " ", top_row_time(1ULL << i, low), counts[i]);
		for (uint64_t bar = 0; bar < (counts[i] * room + most - 1) / most; bar++)
			addch('#');
	}
	return y;
}

static int by_n(const void *a, const void *b)
{
	const struct top_behind *l = a, *r = b;

	return (l->n < r->n) - (l->n > r->n);
}

static int put_behind(struct top_screen *s)
{
	const struct top_row *row = &s->top->rows.at[s->top->behind];
	VEC(struct top_behind) tasks = { 0 };
	char total[16];
	int y = FIRST_ROW;

	move(y++, 0);
	top_row_name(row->name);
	if (row->all.times.n)
		mvprintw(y++, 0, "all %" PRIu64 " times, %s in all:", row->all.n, top_row_time(row->all.ns, total));
	else
		mvprintw(y++, 0, "all %" PRIu64 " times", row->all.n);
	y = put_times(y, &row->all.times);
	if (vec_reserve(&tasks, s->top->tasks.n + 1))
		return -ENOMEM;
	vec_each (&s->top->tasks, task)
		vec_push(&tasks, *task);
	if (tasks.n)
		qsort(tasks.at, tasks.n, sizeof(*tasks.at), by_n);
	mvprintw(y++, 0, "by whom, since it was opened:");
	for (size_t i = 0; i < tasks.n && y < LINES - 1; i++) {
		mvprintw(y++, 2, "%10" PRIu64 " %8s  ", tasks.at[i].n, top_row_time(tasks.at[i].ns, total));
		top_row_name(tasks.at[i].name);
	}
	vec_fini(&tasks);
	return 0;
}

/* Returns how many lines the note at the bottom takes. */
static int bottom_lines(const struct top_screen *s)
{
	const int width = MAX(COLS - 1, 1);

	return s->typing || s->filter[0] ? 1 : MIN(MAX(((int)s->note.len + width - 1) / width, 1), (int)MOST_NOTE_LINES);
}

/* Finds the rows to show and the place of the chosen one. */
static int arrange(struct top_screen *s)
{
	const int lines = LINES - FIRST_ROW - bottom_lines(s);
	const size_t room = lines > 0 ? (size_t)lines : 1;
	int err;

	free(s->order);
	err = top_order(s->top, s->sort, s->filter, &s->order, &s->n);
	if (err)
		return err;
	for (size_t i = 0; i < s->n; i++)
		if (s->order[i] == s->chosen)
			s->at = i;
	/* The chosen place must be among the rows. */
	if (s->at >= s->n)
		s->at = s->n ? s->n - 1 : 0;
	if (s->first > s->at)
		s->first = s->at;
	if (s->at >= s->first + room)
		s->first = s->at - room + 1;
	/* A wider screen has room for more figures on the left. */
	while (s->left && top_row_end(s->left - 1) == TOP_FIGURES)
		s->left--;
	return 0;
}

static void put_rows(struct top_screen *s)
{
	const struct top_sums sums = top_sums(s->top);

	attron(A_BOLD);
	top_row_heads(FIRST_ROW - 1, s->left);
	attroff(A_BOLD);
	for (size_t i = s->first; i < s->n && FIRST_ROW + (int)(i - s->first) < LINES - bottom_lines(s); i++) {
		attrset(i == s->at ? A_REVERSE : A_NORMAL);
		top_row_draw(FIRST_ROW + (int)(i - s->first), s->left, s->top, &s->top->rows.at[s->order[i]], &sums);
	}
	attrset(A_NORMAL);
}

static void put_bottom(const struct top_screen *s)
{
	const bool all = s->left == 0 && top_row_end(0) == TOP_FIGURES;
	const int lines = bottom_lines(s), width = MAX(COLS - 1, 1);
	const char *text = s->note.len		       ? str_text(&s->note)
			   : all || s->help || s->open ? "? helps, q ends"
						       : "? helps, q ends, left and right show other figures";

	if (s->typing || s->filter[0])
		mvprintw(LINES - 1, 0, "filter: %.*s%s", MAX(COLS - 10, 0), s->filter, s->typing ? "_" : "");
	for (int i = 0; !s->typing && !s->filter[0] && i < lines; i++) {
		move(LINES - lines + i, 0);
		clrtoeol();
		addnstr(text, width);
		text += MIN(strlen(text), (size_t)width);
	}
}

/* Prints the first two lines. */
static void put_state(const struct top_screen *s, const struct top_state *state)
{
	char line[256], events[48] = "";

	snprintf(line, sizeof(line), "ringside top: %s, %.0f s, %zu of %zu rows by %s", s->what, state->seconds, s->n, s->top->rows.n, sort_names[s->sort]);
	mvaddnstr(0, 0, line, COLS);
	if (state->events >= 0)
		snprintf(events, sizeof(events), "the events %.1f %%, ", 100 * state->events);
	snprintf(line, sizeof(line), "costs %.1f %% of a CPU, %s%" PRIu64 "%s events lost", 100 * state->cost, events, state->lost,
		 state->lost_more ? " and more" : "");
	mvaddnstr(1, 0, line, COLS);
}

int top_screen_draw(struct top_screen *s, const struct top_state *state)
{
	int err = arrange(s);

	if (err)
		return err;
	erase();
	put_state(s, state);
	if (s->help)
		put_help();
	else if (s->open)
		err = put_behind(s);
	else
		put_rows(s);
	put_bottom(s);
	refresh();
	return err;
}

#endif
