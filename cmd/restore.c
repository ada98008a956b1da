/* SPDX-License-Identifier: GPL-2.0 */
/* ringside restore [OPTION…] [FOLDER | FILE.cpuN… | FILE] */
#include "cmd/commands.h"

#include "lib/base/err.h"
#include "lib/data/codec.h"
#include "lib/record/restore.h"
#include <inttypes.h>

struct context {
	struct restore_spec spec;
	struct restore_machine machine;
	uint64_t version;
	bool partial;
	bool quiet;
};

#define TO(field) OPT_TO(struct context, field)

static const struct opt options[] = {
	{ OPT_STR, 'o', .name = "output", .arg = "FILE", .complete = "files", .offset = TO(spec.output),
	  .help = "write to this file; for FOLDER, the default is the file that the recording was to write; for FILE.cpuN..., the default is trace.dat; for FILE, there is no default; for -c, the default is trace-partial.dat" },
	{ OPT_U64, .name = "file-version", .arg = "VERSION", .complete = "=6 7", .offset = TO(version),
	  .help = "write version 7 (the default) or 6 of trace.dat" },
	{ OPT_STR, .name = "compression", .arg = "NAME", .complete = "=none zlib zstd", .offset = TO(spec.compression),
	  .help = "use this compression: zstd (the default), zlib or none" },
	{ OPT_STR, 'i', .name = "input", .arg = "FILE", .complete = "files", .offset = TO(spec.input),
	  .help = "with FILE.cpuN...: take the event formats, symbols and task names from a partial file that -c wrote, not from this machine" },
	{ OPT_FLAG, 'c', .name = "partial", .offset = TO(partial),
	  .help = "restore nothing, but write a partial file: a trace file without events, which has the event formats, symbols and task names of this machine; -i can use the partial file on any machine" },
	{ OPT_STR, 't', .name = "tracing-dir", .arg = "DIR", .complete = "dirs", .offset = TO(machine.tracing_dir),
	  .help = "with -c: take the event formats from this copy of another machine's tracing directory" },
	{ OPT_STR, 'k', .name = "kallsyms", .arg = "FILE", .complete = "files", .offset = TO(machine.kallsyms),
	  .help = "with -c: take the symbols from this copy of another machine's /proc/kallsyms" },
	{ OPT_FLAG, 'q', .name = "quiet", .offset = TO(quiet), .help = "print only messages about what went wrong" },
	OPT_END,
};

static int run_partial(struct context *c)
{
	if (!c->spec.output)
		c->spec.output = "trace-partial.dat";
	if (restore_partial(&c->spec, &c->machine))
		return 1;
	if (c->quiet)
		return 0;
	note("%s describes %s; `ringside restore -i %s FILE.cpu0 ...` makes a whole file of it and files of CPUs", c->spec.output,
	     c->machine.tracing_dir ? "the machine of the copy" : "this machine", c->spec.output);
	if (c->machine.tracing_dir && !c->machine.kallsyms)
		note("the symbols are those of this machine; -k names a copy of the other machine's /proc/kallsyms");
	return 0;
}

static int run_restore(const struct context *c)
{
	__cleanup(free_ptr) char *name = NULL;
	struct restored done;

	if (restore(&c->spec, &name, &done))
		return 1;
	if (!c->quiet) {
		note("%s: %" PRIu64 " kB of events of %zu CPU%s", name, done.bytes / 1024, done.cpus, done.cpus == 1 ? "" : "s");
		if (done.cut)
			note("%" PRIu64 " bytes at the ends of spools were cut off: they hold no whole sub-buffer", done.cut);
	}
	return 0;
}

static int run(int argc, char **argv)
{
	static char folder[] = "trace.dat.spool";
	char *const usual[] = { folder };
	struct context c = { .version = 7, .spec = { .compression = "zstd", .program = "ringside " RINGSIDE_VERSION } };
	char **operands;
	int n = opt_parse(&cmd_restore, &c, argc, argv, &operands);

	if (n < 0)
		return opt_status(n);
	if (c.version < 6 || c.version > 7)
		return usage(&cmd_restore, "--file-version is 6 or 7");
	if (strcmp(c.spec.compression, "none") && !codec_find(c.spec.compression))
		return usage(&cmd_restore, "there is no compression '%s'", c.spec.compression);
	if (c.partial && (n || c.spec.input))
		return usage(&cmd_restore, "-c writes a partial file: -i and files of CPUs are for making a whole one of it later");
	if (!c.partial && (c.machine.tracing_dir || c.machine.kallsyms))
		return usage(&cmd_restore, "%s is for -c", c.machine.tracing_dir ? "-t" : "-k");
	if (c.spec.input && !n)
		return usage(&cmd_restore, "-i is for files of CPUs, FILE.cpu0 and so on, and there is none");
	c.spec.version = (unsigned int)c.version;
	c.spec.paths = n ? operands : usual;
	c.spec.npaths = n ? (size_t)n : 1;
	return c.partial ? run_partial(&c) : run_restore(&c);
}

const struct cmd cmd_restore = {
	.name = "restore",
	.synopsis = "[OPTION...] [FOLDER | FILE.cpuN... | FILE]",
	.summary = "make a trace file from the data that a killed recording left",
	.details = "FOLDER is the folder in which `ringside record` keeps the recorded data until the trace file is written (default: trace.dat.spool).\n"
		   "FOLDER is removed when the restored file is complete.\n"
		   "FILE.cpuN... are the files that a killed `trace-cmd record` leaves: FILE.cpu0, FILE.cpu1 and so on.\n"
		   "FILE is a trace file whose end is missing.\n\n"
		   "Examples:\n"
		   "  ringside restore trace.dat.cpu*\n"
		   "  ringside restore -c -o box.dat                 on the machine that was recorded\n"
		   "  ringside restore -i box.dat trace.dat.cpu*     on the machine that has the files trace.dat.cpuN",
	.opts = options,
	.operands = "files",
	.run = run,
};
