/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "cmd/live-table.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/now.h"
#include "lib/base/utf8.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

/* The table is drawn once per REFRESH_NS, but drawing takes at most 1 / DRAWING_SHARE of the time, because records wait meanwhile. */
#define REFRESH_NS NSEC_PER_SEC
enum { DRAWING_SHARE = 20 };

/* Lines on the screen that are not rows: ringside's own line, the table's head, lines about rows and columns without room, and notes. */
enum { OTHER_LINES = 9, LEAST_ROWS = 2 };

#define TO(field) offsetof(struct live_table, field)

/* Without --live, operands are functions; with it, the same operands are a command. */
#define MATCH_TAKES "; with --live, functions are named by --match"

const struct opt live_table_rows[] = {
	{ OPT_FLAG, .name = "live", .offset = TO(live), .help = "show what happens now, while a command runs, or until q or Ctrl-C" },
	{ OPT_FLAG, .name = "self|no-filter", .offset = TO(record.spec.self), .help = "trace ringside's own threads as well" },
	{ OPT_TIME, .positive = true, .name = "duration", .arg = "TIME", .offset = TO(record.spec.duration_ns),
	  .help = "end after this time (in seconds, or with a unit: ms, m, h)" },
	{ OPT_FLAG, 'k', .name = "keep", .offset = TO(record.spec.keep), .help = "do not put the kernel's settings back at the end" },
	OPT_END,
};

bool live_asked(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
		if (strcmp(argv[i], "--live") == 0)
			return true;
	return false;
}

static struct winsize size_of(int fd)
{
	struct winsize size = { 0 };

	if (ioctl(fd, TIOCGWINSZ, &size) || size.ws_row < 2)
		size.ws_row = 24;
	if (!size.ws_col)
		size.ws_col = 80;
	return size;
}

int live_table_parse(const struct cmd *cmd, struct live_table *o, struct table_show *show, int argc, char **argv)
{
	const char *term = getenv("TERM");
	int err;

	o->record.spec.live = true;
	err = trace_parse(cmd, &o->record, argc, argv);
	if (err)
		return err;
	if (!o->live && !o->record.spec.argv)
		return usage(cmd, "--live was taken for the value of the option in front of it"), -EINVAL;
	if (!o->live)
		return usage(cmd, "--live stands in front of the command, and '%s' is taken for the command%s", o->record.spec.argv[0],
			     o->functions ? MATCH_TAKES : ""),
		       -EINVAL;
	record_settle(&o->record);
	o->out = o->record.to_stderr ? STDERR_FILENO : STDOUT_FILENO;
	o->read.reading.select.live = o->read.reading.within.live = true;
	err = reading_settle(cmd, &o->read, o->out);
	err = err ? err : table_settle(cmd, &o->table, o->out, show);
	o->screen = isatty(o->out) && show->form == TABLE_FOR_PEOPLE && term && *term && strcmp(term, "dumb");
	/* The last state fits on the screen, too, because it is what the user saw. */
	o->width = size_of(o->out).ws_col;
	show->fit = o->screen ? &o->width : NULL;
	if (o->screen && !show->top)
		show->top = (uint64_t)MAX(size_of(o->out).ws_row - OTHER_LINES, (int)LEAST_ROWS);
	return err;
}

/* --- the screen -------------------------------------------------------------------------------------------- */

static int put(const struct live_table *o, const char *text)
{
	return io_write(o->out, text, strlen(text));
}

/* Prints the analyses into memory and reads the text back, so that what has no room on the terminal can be cut off. */
static int show_into(struct reading *reading, struct text *text)
{
	const int fd = memfd_create("ringside-live", MFD_CLOEXEC), out = reading->out;
	const bool quiet = reading->quiet;
	off_t size;
	int err;

	if (fd < 0)
		return fail(errno, "no memory for the table: %m");
	reading->out = fd;
	reading->quiet = true;
	err = reading_show(reading);
	reading->out = out;
	reading->quiet = quiet;
	size = lseek(fd, 0, SEEK_END);
	text->size = size > 0 ? (size_t)size : 0;
	text->at = err ? NULL : malloc(text->size + 1);
	if (!err && !text->at)
		err = fail(ENOMEM, "no memory for the table");
	if (!err && pread(fd, text->at, text->size, 0) != size)
		err = fail(EIO, "reading the table back: %m");
	close(fd);
	return err;
}

/*
 * Returns how many bytes of @line stand in a line of a terminal that has @columns columns. The rest, if any, begins behind a blank if possible. Commands of
 * colours take no column.
 */
static size_t part_of_line(struct text line, size_t columns)
{
	size_t behind_blank = 0, taken = 0;

	for (size_t i = 0; i < line.size; i++) {
		if (line.at[i] == '\033') {
			while (i + 1 < line.size && line.at[i] != 'm')
				i++;
		} else if (utf8_begins(line.at[i])) {
			if (taken++ == columns)
				return behind_blank ? behind_blank : i;
			if (line.at[i] == ' ')
				behind_blank = i + 1;
		}
	}
	return line.size;
}

/* Adds a line of the table to the screen. If it is longer than the terminal is wide, it takes several lines, but at most *@left lines. */
static void add_line(struct text line, size_t columns, unsigned int *left, struct str *out)
{
	do {
		const size_t n = part_of_line(line, columns);

		/* The line is cleared first. Behind a line that is as wide as the terminal, the command would clear its last character. */
		str_add(out, "\033[K");
		str_addn(out, line.at, n);
		str_addc(out, '\n');
		line.at += n;
		line.size -= n;
	} while (--*left && line.size);
}

static void add_screen(const struct live_table *o, const struct reading *reading, struct text rest, struct str *out)
{
	const struct calls_lost *lost = reading->calls ? calls_lost(reading->calls) : NULL;
	const struct winsize size = size_of(o->out);
	unsigned int left = size.ws_row - 1u;
	struct str first = { 0 };
	struct text line;

	str_addf(&first, "ringside: %.0f s, %llu events, ", (double)(now_ns() - o->begun_ns) / (double)NSEC_PER_SEC, (unsigned long long)reading->pass.seen);
	str_addf(&first, "%llu%s lost; %s ends it", (unsigned long long)(lost ? lost->events : 0), lost && lost->more ? " and more" : "",
		 o->keys ? "q or Ctrl-C" : "Ctrl-C");
	str_add(out, "\033[H");
	add_line((struct text){ first.at, first.len }, size.ws_col, &left, out);
	out->oom |= first.oom;
	str_fini(&first);
	while (left && text_line(&rest, &line))
		add_line(line, size.ws_col, &left, out);
	str_add(out, "\033[J");
}

static int draw(struct live_table *o, struct reading *reading)
{
	struct text text = { 0 };
	struct str out = { 0 };
	int err;

	o->width = size_of(o->out).ws_col;
	err = show_into(reading, &text);
	if (!err && !o->drawn)
		str_add(&out, "\033[?1049h");
	if (!err) {
		add_screen(o, reading, text, &out);
		err = str_ok(&out);
		err = err ? err : put(o, str_text(&out));
		o->drawn = true;
	}
	free(text.at);
	str_fini(&out);
	return err;
}

static void leave_screen(struct live_table *o)
{
	if (o->drawn)
		put(o, "\033[?1049l");
	o->drawn = false;
}

/* --- keys ---------------------------------------------------------------------------------------------------- */

/* Reads single keys, unless a command is run, which may read them itself. */
static void take_keys(struct live_table *o)
{
	struct termios raw;

	if (!o->screen || o->record.spec.argv || tcgetpgrp(STDIN_FILENO) != getpgrp() || tcgetattr(STDIN_FILENO, &o->before))
		return;
	raw = o->before;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	o->keys = tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0;
}

static void give_keys_back(struct live_table *o)
{
	if (o->keys)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &o->before);
	o->keys = false;
}

/* Key q has the effect of Ctrl-C. */
static void look_for_q(const struct live_table *o)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	char key;

	while (o->keys && poll(&in, 1, 0) > 0 && read(STDIN_FILENO, &key, 1) == 1)
		if (key == 'q' || key == 'Q')
			kill(getpid(), SIGINT);
}

/* --- while it runs ------------------------------------------------------------------------------------------- */

static int on_round(void *ctx, struct reading *reading, bool last)
{
	struct live_table *o = ctx;
	uint64_t now = now_ns();
	int err = 0;

	if (last && o->screen)
		o->width = size_of(o->out).ws_col;
	if (last)
		leave_screen(o);
	if (last || !o->screen)
		return 0;
	look_for_q(o);
	if (now >= o->next_ns) {
		err = draw(o, reading);
		o->next_ns = MAX(now + REFRESH_NS, now_ns() + (now_ns() - now) * DRAWING_SHARE);
	}
	return err;
}

struct what {
	const struct analysis *what;
	void *options;
	struct live_table *table;
};

static int add(void *ctx, struct reading *reading)
{
	struct what *what = ctx;

	return reading_add(reading, what->what, what->options);
}

static int on_round_of(void *ctx, struct reading *reading, bool last)
{
	return on_round(((struct what *)ctx)->table, reading, last);
}

int live_table_main(struct live_table *o, int err, const struct analysis *analysis, void *options)
{
	struct what what = { .what = analysis, .options = options, .table = o };
	struct live_opts live = { .record = &o->record,
				  .reading = &o->read.reading,
				  .window_ns = LIVE_WINDOW_NS,
				  .add = add,
				  .round = on_round_of,
				  .ctx = &what };
	int status = err ? opt_status(err) : 1;

	if (!err) {
		o->begun_ns = now_ns();
		o->next_ns = o->begun_ns + REFRESH_NS;
		take_keys(o);
		status = live_main(&live);
		leave_screen(o);
		give_keys_back(o);
		if (status == 127 && !live.ran && o->functions && !o->record.quiet)
			note("'%s' was taken for the command" MATCH_TAKES, o->record.spec.argv[0]);
	}
	o->hangs = live.hangs;
	if (!live.hangs)
		reading_close(&o->read.reading);
	record_opts_fini(&o->record);
	return status;
}
