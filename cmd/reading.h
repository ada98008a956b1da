/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What all commands that read records share: options that say which files, which of their records and how they are shown, and
 * the way from the command line to the exit status. A command whose answer is one analysis is this:
 *	struct my_opts { struct reading_opts read; struct my_view my; };		its rows, and OPT_ROWS of those below
 *	int err = reading_parse(&cmd_my, &opts, argc, argv);
 *	return reading_main(&cmd_my, &opts.read, err, &my_analysis, &opts.my);
 */
#ifndef RINGSIDE_CMD_READING_H
#define RINGSIDE_CMD_READING_H

#include "cmd/opt.h"
#include "lib/analysis/reading.h"
#include "lib/output/lines.h"

struct reading_opts {
	struct reading reading;		/* first */
	struct lines_options lines;	/* how records are printed */
	const char *color;
	int64_t ts_offset;		/* --ts-offset and --ts2secs for inputs named after them, when no -i came before */
	uint64_t hz;
	bool invert;			/* a -v has been seen */
	bool no_pager;
};

/*
 * Rows for OPT_ROWS, whose context structure is, or begins with, struct reading_opts: which files; which records of theirs; more
 * of that, which makes sense for records that are not in a file too; how records are printed; which times; no pager. reading_tasks is for what
 * cannot do without any record, instead of reading_which and reading_more.
 */
extern const struct opt reading_tasks[], reading_files[], reading_which[], reading_more[], reading_how[], reading_colour[], reading_times[], reading_pager[];

/* The same: which pairs of events are calls, too. */
extern const struct opt reading_pairs[];

/*
 * opt_parse() into @opts, which begins with struct reading_opts. The operands are files, trace.dat if there are none. 0, or
 * opt_parse()'s negative result.
 */
int reading_parse(const struct cmd *cmd, void *opts, int argc, char **argv);

/*
 * The same for a command whose operands name what to tell: one that is a file is read, all others are appended to @words, with
 * commas between several.
 */
int reading_parse_words(const struct cmd *cmd, void *opts, strv_t *words, int argc, char **argv);

/*
 * Of the words some may be kinds of pairs that ringside-latency(1) names: those are calls then. And where there is no word, @only are the names of --pair, which are added
 * to them. 0 or -errno after a message.
 */
int reading_pair_words(struct reading_opts *opts, strv_t *words, bool only);

/*
 * The same for a command that says itself which operands are files: @take_one returns 0 for one, 1 when it has taken the operand, or -errno after a
 * message. No file is added when there is none.
 */
int reading_parse_operands(const struct cmd *cmd, void *opts, int (*take_one)(void *opts, const char *operand), int argc, char **argv);

/* After opt_parse(): the colours on @fd, the options of plug-ins. 0 or -EINVAL after a message. */
int reading_settle(const struct cmd *cmd, struct reading_opts *opts, int fd);

/*
 * Reads the files for the analyses that have been added, through a pager where one is wanted, and shows them. @front: called when
 * nothing can be wrong with the options any more, prints what stands in front of all: 0, 1 when that is all there is, or a
 * negative errno after a message; NULL: nothing does. The exit status.
 */
int reading_show_all(struct reading_opts *opts, int (*front)(void *ctx), void *ctx);

/* Says why nothing was shown, when nothing was. */
void reading_say_why_nothing(const struct reading *reading);

/* All of it for one analysis, after reading_parse() has returned @err: settles, opens, shows and frees. The exit status. */
int reading_main(const struct cmd *cmd, struct reading_opts *opts, int err, const struct analysis *what, void *options);

#endif
