/* SPDX-License-Identifier: GPL-2.0 */
/* ringside restore [OPTION…] [FOLDER] */
#include "cmd/commands.h"

#include "lib/base/err.h"
#include "lib/data/codec.h"
#include "lib/record/restore.h"
#include <inttypes.h>

struct context {
	const char *output;
	const char *compression;
	uint64_t version;
	bool quiet;
};

static const struct opt options[] = {
	{ OPT_STR, 'o', .name = "output", .arg = "FILE", .complete = "files", .offset = OPT_TO(struct context, output),
	  .help = "write this file, not the one that the recording was to make" },
	{ OPT_U64, .name = "file-version", .arg = "VERSION", .complete = "=6 7",
	  .offset = OPT_TO(struct context, version), .help = "write this version of trace.dat (7)" },
	{ OPT_STR, .name = "compression", .arg = "NAME", .complete = "=none zlib zstd",
	  .offset = OPT_TO(struct context, compression), .help = "compress with this (zstd), or none" },
	{ OPT_FLAG, 'q', .name = "quiet", .offset = OPT_TO(struct context, quiet), .help = "say nothing but what went wrong" },
	OPT_END,
};

static int run(int argc, char **argv)
{
	struct context c = { .version = 7, .compression = "zstd" };
	__cleanup(free_ptr) char *name = NULL;
	struct restored done;
	char **operands;
	int n = opt_parse(&cmd_restore, &c, argc, argv, &operands);

	if (n < 0)
		return opt_status(n);
	if (n > 1)
		return usage(&cmd_restore, "one folder at a time");
	if (c.version < 6 || c.version > 7)
		return usage(&cmd_restore, "--file-version is 6 or 7");
	if (strcmp(c.compression, "none") && !codec_find(c.compression))
		return usage(&cmd_restore, "there is no compression '%s'", c.compression);
	if (restore(n ? operands[0] : "trace.dat.spool", c.output, (unsigned int)c.version, c.compression, &name,
		    &done))
		return 1;
	if (!c.quiet) {
		note("%s: %" PRIu64 " kB of events of %zu CPUs; names of tasks of its last second may be missing",
		     name, done.bytes / 1024, done.cpus);
		if (done.cut)
			note("%" PRIu64 " bytes at the ends of spools were cut off: they hold no whole sub-buffer", done.cut);
	}
	return 0;
}

const struct cmd cmd_restore = {
	.name = "restore",
	.synopsis = "[OPTION...] [FOLDER]",
	.summary = "make a file of what a killed recording left in FILE.spool",
	.details = "FOLDER is trace.dat.spool unless given. It is removed when the file is complete.",
	.opts = options,
	.operands = "dirs",
	.run = run,
};
