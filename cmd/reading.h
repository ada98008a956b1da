/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Many commands read records. These commands share the options and the functions below. The functions parse the command line, read the files and return the
 * exit status. The options say which files are read, which records of these files are taken, and how records are shown. A command that shows the result of one
 * analysis looks like this:
 *	struct my_opts { struct reading_opts read; struct my_view my; };
 *	int err = reading_parse(&cmd_my, &opts, argc, argv);
 *	return reading_main(&cmd_my, &opts.read, err, &my_analysis, &opts.my);
 * cmd_my has a row (struct opt in cmd/opt.h) for each of its own options. For the options that commands share, there are tables of rows below. A row of the
 * kind OPT_ROWS takes one of these tables into cmd_my. The context structure of cmd_my is struct my_opts.
 */
#ifndef RINGSIDE_CMD_READING_H
#define RINGSIDE_CMD_READING_H

#include "cmd/opt.h"
#include "lib/analysis/reading.h"
#include "lib/output/lines.h"

struct reading_opts {
	struct reading reading;	    /* must be the first member */
	struct lines_options lines; /* how records are printed */
	const char *color;
	int64_t ts_offset; /* the value of a --ts-offset that stands before the first file; it applies to the first file */
	uint64_t hz;	   /* the value of a --ts2secs that stands before the first file; it applies to all files that have no --ts2secs of their own */
	bool invert;	   /* a -v has been seen; the -F options after it leave records out */
	bool no_pager;
};

/*
 * These are rows for OPT_ROWS. Their context structure is struct reading_opts, or begins with it. The options in reading_files say which files are read. The
 * options in reading_which and reading_more choose records. Those in reading_more can also choose records that are not in a file. Commands whose analyses need
 * the records of all events have reading_tasks instead of reading_which and reading_more. The options in reading_how, reading_colour and reading_times say how
 * records are printed. reading_pager has the option --no-pager.
 */
extern const struct opt reading_tasks[], reading_files[], reading_which[], reading_more[], reading_how[], reading_colour[], reading_times[], reading_pager[];

/* This is the row of --pair for OPT_ROWS, with the same context structure. --pair treats the time between two events as a call. */
extern const struct opt reading_pairs[];

/*
 * Calls opt_parse() for @opts, which begins with struct reading_opts. The operands are files. When there is no operand, the file that default_input()
 * returns is read. Returns 0, opt_parse()'s negative result, or -ENOMEM after a message.
 */
int reading_parse(const struct cmd *cmd, void *opts, int argc, char **argv);

/*
 * Does what reading_parse() does, for a command whose operands are words or files. An operand is a file in these cases:
 * - It is "-".
 * - It contains a slash.
 * - It ends in ".dat".
 * - It names something that exists and is no directory.
 * Any other operand is split at its commas, and the words are appended to @words.
 */
int reading_parse_words(const struct cmd *cmd, void *opts, strv_t *words, int argc, char **argv);

/*
 * Looks in @words for words that name a kind of latency (ringside-latency(1) lists the kinds). For each of these words, the function adds the pair of events
 * that the kind stands for, as --pair does. If a pair with this name is there already, the function adds no pair. If @only is true and @words is empty, the
 * names of the pairs that --pair has defined are added to @words. Returns 0 or -errno after a message.
 */
int reading_pair_words(struct reading_opts *opts, strv_t *words, bool only);

/*
 * Does what reading_parse() does, for a command that decides itself which operands are files. @take_one is called with each operand. If the
 * operand is a file, @take_one returns 0. Otherwise @take_one uses the operand and returns 1. @take_one may also return -errno after a message. When there is
 * no file, default_input() is not called.
 */
int reading_parse_operands(const struct cmd *cmd, void *opts, int (*take_one)(void *opts, const char *operand), int argc, char **argv);

/*
 * Makes @fd the output, decides whether the output has colours, and reads the options of plug-ins. Must be called after opt_parse(). Returns 0, or -EINVAL
 * after a message.
 */
int reading_settle(const struct cmd *cmd, struct reading_opts *opts, int fd);

/*
 * Reads the files for the analyses that have been added and shows their results, through a pager if one is wanted. @front is called when all options have
 * been checked, and prints what comes before the results. @front may be NULL. @front returns 0 when the results are to be printed. @front returns 1 when
 * nothing else is to be printed, or -errno after a message. reading_show_all() returns the exit status.
 */
int reading_show_all(struct reading_opts *opts, int (*front)(void *ctx), void *ctx);

/* Prints a note that none of the records that were read matches the options. @seen is the number of these records and must not be 0. */
void note_none_matches(uint64_t seen);

/*
 * Prints a note if nothing was shown for one of these reasons:
 * - No record was taken in. This note is left out when a file is damaged, because an earlier message has reported the damage.
 * - No record is of a task that was asked for.
 * Prints nothing when reading->quiet is set.
 */
void reading_say_why_nothing(const struct reading *reading);

/*
 * Does everything for one analysis: calls reading_settle(), reads the files, shows the result and frees @opts. @err is what reading_parse() has returned.
 * Returns the exit status.
 */
int reading_main(const struct cmd *cmd, struct reading_opts *opts, int err, const struct analysis *what, void *options);

#endif
