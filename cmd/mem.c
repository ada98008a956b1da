/* SPDX-License-Identifier: GPL-2.0 */
/* ringside mem: prints which functions of the kernel hold memory. */
#include "cmd/commands.h"
#include "cmd/reading.h"
#include "cmd/table-options.h"
#include "lib/output/kmem-text.h"

#include <unistd.h>

struct mem_opts {
	struct reading_opts read; /* first */
	struct table_opts table;
};

static const struct opt opts[] = {
	{ OPT_ROWS, .rows = reading_files },
	{ OPT_ROWS, .rows = reading_tasks },
	{ OPT_ROWS, .rows = table_options, .offset = offsetof(struct mem_opts, table) },
	{ OPT_ROWS, .rows = reading_pager },
	OPT_END,
};

static int run(int argc, char **argv)
{
	struct mem_opts o = { 0 };
	struct table_show show = { 0 };
	int err = reading_parse(&cmd_mem, &o, argc, argv);

	err = err ? err : table_settle(&cmd_mem, &o.table, STDOUT_FILENO, &show);
	return reading_main(&cmd_mem, &o.read, err, &kmem_analysis, &show);
}

const struct cmd cmd_mem = {
	.name = "mem",
	.synopsis = "[OPTION...] [FILE...]",
	.summary = "show which functions of the kernel allocated memory, and how much of it was not freed",
	.details = "Without FILE, a trace file on standard input is read; if there is none, trace.dat is read.\n"
		   "`ringside record -e kmem:kmalloc -e kmem:kfree -e 'kmem:kmem_cache_*'` records the events that this command needs.\n"
		   "  ringside mem                              functions sorted by waste: how many more bytes they hold than they requested\n"
		   "  ringside mem --sort alloc -n 20           the 20 functions that hold the most memory\n"
		   "  ringside mem --comm nginx --sort total_alloc   the functions that allocated most for nginx",
	.opts = opts,
	.operands = "files",
	.run = run,
};
