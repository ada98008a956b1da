/* SPDX-License-Identifier: GPL-2.0 */
/* ringside convert: writes a trace file in another version or with another compression. */
#include "cmd/commands.h"
#include "cmd/default-input.h"
#include "cmd/progress.h"

#include "lib/base/err.h"
#include "lib/data/assemble.h"
#include "lib/data/rewrite.h"

struct convert {
	const char *input, *output, *compression;
	uint64_t version;
};

static const struct opt opts[] = {
	{ OPT_STR, 'i', .name = "input", .arg = "FILE", .complete = "files", .offset = OPT_TO(struct convert, input),
	  .help = "read FILE (default: trace.dat)" },
	{ OPT_STR, 'o', .name = "output", .arg = "FILE", .complete = "files", .offset = OPT_TO(struct convert, output),
	  .help = "write FILE, which may be the file that is read" },
	{ OPT_U64, .name = "file-version", .arg = "VERSION", .complete = "=6 7", .offset = OPT_TO(struct convert, version),
	  .help = "write version 7 (the default) or 6 of trace.dat" },
	{ OPT_STR, .name = "compression", .arg = "NAME", .complete = "=any none zlib zstd", .offset = OPT_TO(struct convert, compression),
	  .help = "use this compression: any (the best one available, and the default), zstd, zlib or none; version 6 is never compressed" },
	OPT_END,
};

static int convert(const struct convert *c, const struct datfile *file, const struct rewrite *rewrite)
{
	struct progress progress;
	struct write_options how = {
		.version = (unsigned int)c->version,
		.codec = codec_find(c->compression),
		.progress = progress_bytes,
		.ctx = &progress,
	};
	uint64_t size;
	int err = pool_new(&how.pool, pool_default_threads());

	if (err)
		return fail(-err, "cannot start threads: %s", strerror(-err));
	progress_init(&progress, "converting", true);
	err = assemble(c->output, &file->meta, rewrite->buffers.at, rewrite->buffers.n, &how, &size);
	progress_end(&progress);
	pool_free(how.pool);
	return err;
}

static int convert_file(const struct convert *c)
{
	struct rewrite rewrite = { 0 };
	struct datfile *file;
	int err = datfile_open(&file, c->input);

	if (err)
		return 1;
	err = rewrite_init(&rewrite, file);
	if (!err)
		err = convert(c, file, &rewrite);
	if (!err && rewrite.damaged)
		err = fail(EINVAL, "%s holds what could be read of %s", c->output, file->path);
	rewrite_fini(&rewrite);
	datfile_close(file);
	return err ? 1 : 0;
}

static int run(int argc, char **argv)
{
	struct convert c = { .version = 7, .compression = "any" };
	char **operands;
	int n = opt_parse(&cmd_convert, &c, argc, argv, &operands);

	if (n < 0)
		return opt_status(n);
	/* With -o, the operand is the file to read. */
	if (n == 1 && c.output && !c.input) {
		c.input = operands[0];
		n = 0;
	}
	if (n + (c.output != NULL) != 1)
		return usage(&cmd_convert,
			     n ? "one file is read and one is written, as in `ringside convert -o new.dat old.dat`" : "the file to write is missing");
	if (n)
		c.output = operands[0];
	if (strcmp(c.output, "-") == 0)
		return usage(&cmd_convert, "the file is not written from its beginning to its end, so it cannot go into a pipe; name a file and `cat` it");
	if (c.version != 6 && c.version != 7)
		return usage(&cmd_convert, "--file-version is 6 or 7");
	if (strcmp(c.compression, "any") == 0)
		c.compression = c.version == 6 ? "none" : "zstd";
	if (strcmp(c.compression, "none") && !codec_find(c.compression))
		return usage(&cmd_convert, "there is no compression '%s'; there are any, none, zlib and zstd", c.compression);
	if (c.version == 6 && strcmp(c.compression, "none"))
		return usage(&cmd_convert, "version 6 is never compressed: --compression=%s needs version 7", c.compression);
	if (!c.input)
		c.input = default_input();
	return convert_file(&c);
}

const struct cmd cmd_convert = {
	.name = "convert",
	.synopsis = "[OPTION...] OUTPUT | -o OUTPUT [INPUT]",
	.summary = "write a trace file in another version or compression",
	.details = "OUTPUT is the file that is written, and INPUT is the file that is read (default: trace.dat). Without -o, the operand is OUTPUT.\n"
		   "With -o, the operand is INPUT.\n"
		   "The new file appears only when all of it has been written. Until then, an older file of the same name stays.\n"
		   "  ringside convert --file-version 6 -i trace.dat -o v6.dat   for programs that cannot read version 7\n"
		   "  ringside convert -i big.dat -o big.dat                     compresses a file in place",
	.opts = opts,
	.operands = "files",
	.run = run,
};
