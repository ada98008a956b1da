/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/table-options.h"
#include "cmd/pager.h"

#include <sys/ioctl.h>
#include <unistd.h>

#define TO(field) offsetof(struct table_opts, field)
#define FORMS \
	{ OPT_HEADING, .help = "The table" }, \
	{ OPT_FLAG, .name = "json", .offset = TO(json), .help = "print JSON: an object with \"meta\" and \"rows\", times in ns, sizes in bytes" }, \
	{ OPT_FLAG, .name = "csv", .offset = TO(csv), .help = "print comma-separated values under a line of their names, times in ns, sizes in bytes" }, \
	{ OPT_STR, .name = "columns", .arg = "NAME,...", .offset = TO(columns), \
	  .help = "print these columns in this order; +NAME,... beside the usual ones" }

const struct opt table_form_options[] = {
	FORMS,
	OPT_END,
};

const struct opt table_options[] = {
	FORMS,
	{ OPT_STR, .name = "sort", .arg = "NAME,...", .offset = TO(sort),
	  .help = "order the rows by these columns: -NAME the largest first, +NAME the smallest, NAME as it suits the column" },
	{ OPT_U64, 'n', .name = "top", .arg = "N", .offset = TO(top), .help = "print only the first N rows; 0: all" },
	{ OPT_STR, .optional = true, .name = "color|colour", .arg = "WHEN", .complete = "=auto always never", .offset = TO(color),
	  .help = "colours: auto (on a terminal), always, never" },
	OPT_END,
};

/* The width of the terminal at @fd in characters; 0: it is none. */
static size_t terminal_width(int fd)
{
	struct winsize size = { 0 };

	return isatty(fd) && !ioctl(fd, TIOCGWINSZ, &size) ? size.ws_col : 0;
}

int table_settle(const struct cmd *cmd, const struct table_opts *opts, int fd, struct table_show *show)
{
	int colour = colour_wanted(opts->color, fd);

	if (colour < 0)
		return usage(cmd, "--color=%s: auto, always or never", opts->color), -EINVAL;
	if (opts->json && opts->csv)
		return usage(cmd, "--json or --csv: one of them"), -EINVAL;
	*show = (struct table_show){
		.form = opts->json ? TABLE_JSON : opts->csv ? TABLE_CSV : TABLE_FOR_PEOPLE,
		.columns = opts->columns, .sort = opts->sort, .top = opts->top, .width = terminal_width(fd), .colour = colour,
	};
	return 0;
}
