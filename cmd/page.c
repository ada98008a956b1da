/* SPDX-License-Identifier: GPL-2.0 */
/* ringside page: writes a recording as one interactive HTML file. */
#include "cmd/commands.h"
#include "cmd/output.h"
#include "cmd/reading.h"
#include "lib/base/err.h"
#include "lib/base/outfile.h"
#include "lib/export/page-view.h"

struct page_opts {
	struct reading_opts read; /* first */
	struct page_view view;
	const char *output;
};

#define TO(field) offsetof(struct page_opts, field)

static int set_size(void *ctx, __unused const struct opt *opt, const char *value)
{
	struct page_opts *o = ctx;

	if (parse_size(value, 1, &o->view.most_bytes) || o->view.most_bytes < 50000)
		return fail(EINVAL, "--max-size %s: a size from 50k on, as in 8M", value);
	return 0;
}

static const struct opt opts[] = {
	{ OPT_ROWS, .rows = reading_files },
	{ OPT_ROWS, .rows = reading_which },
	{ OPT_ROWS, .rows = reading_more },
	{ OPT_HEADING, .help = "What to write" },
	{ OPT_STR, 'o', .name = "output", .arg = "FILE", .complete = "files", .offset = TO(output), .help = "write this file (default: page.html)" },
	{ OPT_CALL, .name = "max-size", .arg = "SIZE", .call = set_size,
	  .help = "if the page would be larger than SIZE (default: 30M), merge the shortest calls, the shortest runs of tasks and the "
		  "closest events with their neighbours" },
	OPT_END,
};

/* Writes the file, which appears when it is complete. Returns the exit status. */
static int write_into(struct page_opts *o)
{
	struct outfile output = OUTFILE_NONE;
	int status = reading_outfile(&o->read.reading, &output, o->output) ? 1 : 0;

	if (!status) {
		o->read.no_pager = true;
		status = reading_settle(&cmd_page, &o->read, output.fd) ? 2 : 0;
	}
	if (!status && (reading_open(&o->read.reading) || reading_add(&o->read.reading, &page_analysis, &o->view)))
		status = 1;
	status = status ? status : reading_show_all(&o->read, NULL, NULL);
	/* Of a damaged file, all that could be read is shown, and the page says that it is damaged. */
	if (o->view.done ? output_publish_page(&output) != 0 : !status)
		status = 1;
	outfile_close(&output);
	return status;
}

static int run(int argc, char **argv)
{
	struct page_opts o = { .view.most_bytes = PAGE_MOST_BYTES, .output = "page.html" };
	int err = reading_parse(&cmd_page, &o, argc, argv), status;

	status = err ? opt_status(err) : write_into(&o);
	reading_close(&o.read.reading);
	return status;
}

const struct cmd cmd_page = {
	.name = "page",
	.synopsis = "[OPTION...] [FILE...]",
	.summary = "make one HTML file from a recording: a timeline, a flame graph, a table of functions, and the causes of slow calls",
	.details = "Without FILE, a trace file on standard input is read; if there is none, trace.dat is read.\n"
		   "The page needs no other file and no network.\n"
		   "  ringside page                                  page.html from the whole recording\n"
		   "  ringside page -o slow.html --since 40% --until 60%\n"
		   "  ringside page --pid 1234 --cpu 0-3 -o part.html",
	.opts = opts,
	.operands = "files",
	.run = run,
};
