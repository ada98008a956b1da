/* SPDX-License-Identifier: GPL-2.0 */
/* ringside slow: explains why the slowest calls of a function were slow. */
#include "cmd/commands.h"
#include "cmd/reading.h"
#include "cmd/table-options.h"
#include "lib/base/err.h"
#include "lib/output/slow-text.h"

#include <unistd.h>

struct slow_opts {
	struct reading_opts read; /* first */
	struct slow_view view;
	struct table_opts table;
};

#define TO(field) offsetof(struct slow_opts, field)

static const struct opt opts[] = {
	{ OPT_ROWS, .rows = reading_files },
	{ OPT_ROWS, .rows = reading_which },
	{ OPT_ROWS, .rows = reading_more },
	{ OPT_ROWS, .rows = reading_pairs },
	{ OPT_HEADING, .help = "What to print" },
	{ OPT_TIME(struct slow_opts, view.over), .name = "over", .positive = true, .arg = "TIME",
	  .help = "show the calls that took longer than this (in seconds, or with a unit, as in 50us, 2ms); without -n, show at most 1000 calls" },
	{ OPT_U64(struct slow_opts, view.call), .name = "call", .positive = true, .arg = "K",
	  .help = "show the K-th slowest call in full, with its call tree" },
	{ OPT_STRV, .name = "vcpus", .arg = "FILE=TID,...", .offset = TO(view.vcpus),
	  .help = "specify which threads of the host run the CPUs of a guest; FILE is the guest's recording, one of the files that are read; give one TID for each CPU, from CPU 0 on, or a single TID if one thread runs all CPUs; if you give the word kvm in place of the TIDs, ringside finds the threads by kvm_entry events" },
	{ OPT_ROWS, .rows = table_options, .offset = TO(table) },
	{ OPT_ROWS, .rows = reading_pager },
	OPT_END,
};

enum { MOST = 100000 };

/* The value of .top while -n has not been given. */
#define TOP_UNSAID UINT64_MAX

static int check(struct slow_opts *o)
{
	if (!o->view.globs.n)
		return usage(&cmd_slow, "calls of which function? Name one, as in `ringside slow vfs_read`"), -EINVAL;
	o->view.as_table = table_asked(&o->table) || o->table.sort;
	if (o->table.top == TOP_UNSAID)
		o->view.top = o->table.top = 0;
	else
		o->view.top = o->table.top ? o->table.top : MOST;
	if (o->view.top > MOST || o->view.call > MOST)
		return fail(EINVAL, "-n and --call: at most %d calls can be kept", MOST);
	return 0;
}

static int run(int argc, char **argv)
{
	struct slow_opts o = { .table.top = TOP_UNSAID };
	int err = reading_parse_words(&cmd_slow, &o, &o.view.globs, argc, argv), status;

	err = err ? err : reading_pair_words(&o.read, &o.view.globs, true);
	err = err ? err : check(&o);
	err = err ? err : table_settle(&cmd_slow, &o.table, STDOUT_FILENO, &o.view.table);
	status = reading_main(&cmd_slow, &o.read, err, &slow_analysis, &o.view);
	strv_fini(&o.view.globs);
	strv_fini(&o.view.vcpus);
	return status;
}

const struct cmd cmd_slow = {
	.name = "slow",
	.synopsis = "[OPTION...] FUNCTION... [FILE...]",
	.summary = "say why the slowest calls of a function were slow, with the evidence",
	.details = "Without FILE, a trace file on standard input is read; if there is none, trace.dat is read.\n"
		   "An operand that is not a file is the name of a function, or a glob.\n"
		   "  ringside slow vfs_read                    the ten slowest calls of vfs_read()\n"
		   "  ringside slow vfs_read --over 5ms         the calls that took longer than 5 ms\n"
		   "  ringside slow vfs_read --call 1           the slowest call in full, with its call tree\n"
		   "  ringside slow vfs_read -n 100 --json      the 100 slowest calls in JSON, a row for each call",
	.opts = opts,
	.operands = "files",
	.run = run,
};
