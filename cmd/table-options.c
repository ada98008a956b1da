/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/table-options.h"
#include "cmd/output.h"
#include "cmd/pager.h"

#include <sys/ioctl.h>
#include <unistd.h>

#define FORMS \
	{ OPT_HEADING, .help = "The table" }, \
		{ OPT_FLAG(struct table_opts, json), .name = "json", .one_of = "form", \
		  .help = "print JSON: an object with \"meta\" and \"rows\", times in ns, sizes in bytes" }, \
		{ OPT_FLAG(struct table_opts, csv), .name = "csv", .one_of = "form", \
		  .help = "print comma-separated values, times in ns, sizes in bytes; the first line has the names of the columns" }, \
	{ \
		OPT_STR(struct table_opts, columns), .name = "columns", .arg = "NAME,...", \
						     .help = "print these columns in this order; +NAME,... prints these columns in addition to the usual ones" \
	}

const struct opt table_form_options[] = {
	FORMS,
	OPT_END,
};

const struct opt table_options[] = {
	FORMS,
	{ OPT_STR(struct table_opts, sort), .name = "sort", .arg = "NAME,...",
	  .help = "sort the rows by these columns: -NAME puts the largest value first, +NAME puts the smallest value first, NAME alone uses the column's usual order" },
	{ OPT_U64(struct table_opts, top), 'n', .name = "top", .arg = "N", .help = "print only the first N rows; 0: print all rows" },
	{ OPT_STR(struct table_opts, color), .optional = true, .name = "color|colour", .arg = "WHEN", .complete = "=auto always never",
	  .help = "use colours: auto (on a terminal), always, never" },
	OPT_END,
};

size_t terminal_width(int fd)
{
	struct winsize size = { 0 };

	return isatty(fd) && !ioctl(fd, TIOCGWINSZ, &size) ? size.ws_col : 0;
}

int table_settle(const struct cmd *cmd, const struct table_opts *opts, int fd, struct table_show *show)
{
	int colour = colour_wanted(opts->color, fd);

	if (colour < 0)
		return usage(cmd, "--color=%s: auto, always or never", opts->color), -EINVAL;
	*show = (struct table_show){
		.form = opts->json  ? TABLE_JSON
			: opts->csv ? TABLE_CSV
				    : TABLE_FOR_PEOPLE,
		.columns = opts->columns,
		.sort = opts->sort,
		.top = opts->top,
		.width = terminal_width(fd),
		.colour = colour,
	};
	return 0;
}

int table_print(struct table *table, const struct table_meta *meta)
{
	int err = output_flush();

	err = err ? err : table_show(table, meta, STDOUT_FILENO);
	return err == -EPIPE ? STATUS_PIPE : err ? 1 : 0;
}
