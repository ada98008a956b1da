/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parses the options of all commands. A command describes its options in a table. This table is used for parsing, for the help, for shell completion, and
 * for the check of the manual pages.
 */
#ifndef RINGSIDE_OPT_H
#define RINGSIDE_OPT_H

#include "lib/base/parse.h"

/*
 * This tells what kind of value an option takes. The parser checks the value, and stores it in the option's target. When the value is wrong, a message names
 * the option. In the list, *(TYPE *) stands for a target of that type.
 */
enum opt_type {
	OPT_FLAG,      /* no value; *(bool *) = true */
	OPT_STR,       /* *(const char **), borrowed from argv */
	OPT_STRV,      /* appended to *(strv_t *); repeatable */
	OPT_U64,       /* *(uint64_t *) a whole number */
	OPT_S64,       /* *(int64_t *) */
	OPT_KB,	       /* *(uint64_t *) kB; a bare number is kB, suffixes k M G T work */
	OPT_TIME,      /* *(uint64_t *) ns; a bare number is in seconds, suffixes ns us ms s m h work */
	OPT_CPUS,      /* *(struct cpuset *) */
	OPT_CALL,      /* call() is given the text; for options whose order matters */
	OPT_CALL_FLAG, /* like OPT_CALL, but without a value; call() is given NULL */
	OPT_CHOICE,    /* *(int *) the index of one of .choices */
	OPT_CHOSEN,    /* no value; *(int *) = .choice; for flags that choose between values of one setting */
	OPT_HEADING,   /* a heading in the help: only .help is set */
	OPT_ROWS,      /* the rows of the table .rows take the place of this row; .offset and .letterless of this row apply to those rows */
};

struct opt {
	enum opt_type type;
	char letter; /* 0: none */
	/*
	 * True: the option's value may be left out. If the value is left out, call() gets NULL, the target of an OPT_STR becomes NULL, and the target of an
	 * OPT_CHOICE becomes 0. If the value is given, it must be in the same word as the option: --name=value or -Xvalue.
	 */
	bool optional;
	bool hidden;	  /* not in the help; not completed */
	bool positive;	  /* of OPT_U64, OPT_KB and OPT_TIME: 0 makes no sense and is refused */
	const char *name; /* the long name, without "--" before it: "max-graph-depth"; NULL: none. "a|b": b is another spelling of a */
	const char *arg;  /* the name of the option's value in the help: "KB", "EVENT"; NULL for flags */
	/*
	 * What completes the value; NULL: nothing. A text that begins with "=" lists the words: "=6 7" stands for 6 and 7. Any other text is a kind of names
	 * that `ringside __complete` knows: "events", "tracers", "functions", "options", "clocks", "instances", "files", "dirs", "cpus", "users", "probes",
	 * "targets", "dynevents", "filter", "fields", "exporters", "tools", "commands", "command", "symbols" or "usdts". "commands" are those of ringside, and
	 * "command" is a program. "symbols" and "usdts" are a file, then a symbol or a USDT probe in this file.
	 */
	const char *complete;
	const char *help;						  /* one sentence, lower case, no full stop; what it does, with the unit */
	size_t offset;							  /* the offset of the target in the command's context structure */
	int (*call)(void *ctx, const struct opt *opt, const char *value); /* returns 0, -ENOMEM without a message, or another -errno after a message */
	const struct opt *rows;	    /* of OPT_ROWS: the table to put in here; it ends with OPT_END and has no OPT_ROWS; .offset is added to its offsets */
	const char *const *choices; /* of OPT_CHOICE: the words, ends with NULL; they complete the value as well */
	int choice;		    /* of OPT_CHOSEN: the value that the target gets */
	const char *one_of;	    /* options that have the same word here exclude each other, but each may be repeated; NULL: excludes no other option */
	bool letterless;	    /* of OPT_ROWS: only the long names are used, because the letters mean something else in this command */
};

#define OPT_TO(type_, field) offsetof(type_, field)

/*
 * These macros begin a row and check the type of the row's target. For example, `{ OPT_FLAG(struct report, tree), 'T', .name = "tree", … }` stands for
 * `{ OPT_FLAG, 'T', …, .offset = … }`. This row does not compile when the field is not a bool.
 */
#define OPT_IN_(target, type_, field) \
	offsetof(type_, field) + 0 * sizeof(struct { \
					 _Static_assert(_Generic(&((type_ *)0)->field, target * : 1, default : 0), "the option's target is of another type"); \
					 int unused; \
				 })
#define OPT_FLAG(type_, field) .offset = OPT_IN_(bool, type_, field), .type = OPT_FLAG
#define OPT_STR(type_, field) .offset = OPT_IN_(const char *, type_, field), .type = OPT_STR
#define OPT_STRV(type_, field) .offset = OPT_IN_(strv_t, type_, field), .type = OPT_STRV
#define OPT_U64(type_, field) .offset = OPT_IN_(uint64_t, type_, field), .type = OPT_U64
#define OPT_S64(type_, field) .offset = OPT_IN_(int64_t, type_, field), .type = OPT_S64
#define OPT_KB(type_, field) .offset = OPT_IN_(uint64_t, type_, field), .type = OPT_KB
#define OPT_TIME(type_, field) .offset = OPT_IN_(uint64_t, type_, field), .type = OPT_TIME
#define OPT_CPUS(type_, field) .offset = OPT_IN_(struct cpuset, type_, field), .type = OPT_CPUS
#define OPT_CHOICE(type_, field) .offset = OPT_IN_(int, type_, field), .type = OPT_CHOICE
#define OPT_CHOSEN(type_, field) .offset = OPT_IN_(int, type_, field), .type = OPT_CHOSEN
/* clang-format off */
#define OPT_END { .type = OPT_FLAG, .letter = 0, .name = NULL }
/* clang-format on */

struct cmd {
	const char *name;	      /* "record"; for a sub-command, its full name: "probe add" */
	const char *synopsis;	      /* "[OPTION…] [COMMAND [ARG…]]" */
	const char *summary;	      /* one line, for `ringside help` */
	const char *details;	      /* a paragraph or examples at the end of its --help; NULL: none */
	const struct opt *opts;	      /* ends with OPT_END; NULL: none */
	const struct cmd *const *sub; /* sub-commands, ends with NULL; NULL: none */
	const struct cmd *live;	      /* the command that is run instead of this one when --live is among the words; NULL: none */
	const char *help_by;	      /* the command whose --help is named in messages; NULL: the command itself */
	bool stop_at_operand;	      /* options end at the first operand, which begins a command to run */
	bool hidden;		      /* `ringside help` does not list the command, and it is not completed */
	const char *operands;	      /* what completes its operands: the same words as for opt.complete; NULL: nothing */
	/*
	 * Called for each operand, after the options before it were parsed and before the options behind it are parsed. Returns what opt.call returns.
	 * NULL: not called.
	 */
	int (*operand)(void *ctx, const char *word);
	int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns the exit status */
};

/*
 * This is the state of a walk over all rows of a command. Each call of opt_next() returns the next row. opt_next() never returns an OPT_ROWS row, but the rows
 * of the table to which .rows of the OPT_ROWS row points. At the end, NULL is returned.
 */
struct opt_walk {
	const struct opt *at;	  /* the next row */
	const struct opt *behind; /* used while .in is not NULL: the row that follows the row .in; the walk goes on there after the table */
	const struct opt *in;	  /* the OPT_ROWS row whose table is being walked; NULL: the command's own table is being walked */
};
/* clang-format off */
#define OPT_WALK(cmd) { .at = (cmd)->opts }
/* clang-format on */
const struct opt *opt_next(struct opt_walk *walk);

#define opt_each(cmd, o) \
	for (struct opt_walk walk_ = OPT_WALK(cmd); walk_.at; walk_.at = NULL) \
		for (const struct opt *o; (o = opt_next(&walk_));)

/* This is what opt_parse() returns when it has printed the help. */
enum { OPT_HELPED = -100000 };

/*
 * Returns how many words the option words[0] takes up: 2 when words[1] is the option's value, otherwise 1. Returns 0 when words[0] is an operand or "--".
 * Returns -ENOENT without a message when the table of @cmd does not have the option. For --help, the result is always -ENOENT, because no table has --help.
 * @words ends with NULL. No target is set.
 */
int opt_span(const struct cmd *cmd, char *const *words);

/*
 * Parses argv[1…] by the table of @cmd into @ctx. Moves the operands to the front, argv[1] and so on, and puts NULL after the last one. *@operands becomes
 * argv + 1. "--" ends the options. -h and --help print the help to stdout. A long option may be shortened as long as it stays unique. Returns the number of
 * operands, or OPT_HELPED when help was printed (exit 0). After wrong use and a message, returns -EINVAL (exit 2). The message about an unknown long option
 * names options of similar names. After another failure and a message, returns another -errno (exit 1).
 */
int opt_parse(const struct cmd *cmd, void *ctx, int argc, char **argv, char ***operands);

/*
 * Reads one of trace-cmd's levels for --verbose. @value is a number from 0 to 6 or a word: "none" 0, "critical" 1, "error" 2, "warning" 3, "info" 4, "debug" 5,
 * "all" 6. The first three letters of a word are enough. When @value is NULL, the level is 4. Returns 0, or -EINVAL after a message.
 */
int opt_level(const char *value, int *level);

/*
 * Checks the words of @cmd as opt_parse() does, and prints the same messages, but sets nothing. A caller can pass a copy of a command with another .name,
 * which then stands in the messages. The values of options that have a call() are not looked at. Returns 0, or -errno after a message. Also returns 0 when
 * the words ask for help.
 */
int opt_check(const struct cmd *cmd, int argc, char **argv);

/* Returns the exit status for a negative result of opt_parse(): 0 after help, 2 after wrong use, 1 after any other failure. */
int opt_status(int ret);

/* Returns the letter of an option of @cmd. Returns 0 when the option has no letter, or when its row comes from an OPT_ROWS with .letterless. */
char opt_letter(const struct cmd *cmd, const struct opt *opt);

/* Returns true if the option takes a value, even one that may be left out. */
bool opt_takes_value(const struct opt *opt);

/* Returns the option of @cmd that the word "--name" or "--name=value" spells in full, or NULL when there is none. */
const struct opt *opt_named(const struct cmd *cmd, const char *word);

/* Returns the option in @word ("-e", "-qe", "--event") that takes the next word as its value, or NULL when none does. */
const struct opt *opt_awaiting(const struct cmd *cmd, const char *word);

/* Prints the help of a command on stdout. */
void opt_help(const struct cmd *cmd);

/* Reports wrong use of a command: prints "ringside CMD: TEXT" and how to get help. Returns 2, the exit status. */
int usage(const struct cmd *cmd, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * sub_find() returns the sub-command of @cmd that has the name @word, or NULL when there is none. sub_unknown() prints that @cmd has no sub-command @word, and
 * returns the exit status.
 */
const struct cmd *sub_find(const struct cmd *cmd, const char *word);
int sub_unknown(const struct cmd *cmd, const char *word);

/*
 * Runs the sub-command that argv[1] names, and returns its exit status. If argv[1] is -h or --help, prints the help of @cmd and returns 0. If argv[1] is
 * missing, also prints this help, but returns 2. If argv[1] names no sub-command, returns 2 after a message.
 */
int sub_main(const struct cmd *cmd, int argc, char **argv);

/* Returns the word by which the command is called: the last word of its name. */
static inline const char *cmd_word(const struct cmd *cmd)
{
	const char *space = strrchr(cmd->name, ' ');

	return space ? space + 1 : cmd->name;
}

/* This is the table of commands, which is in main.c and ends with NULL. */
extern const struct cmd *const commands[];
/* Returns the command of this name, or NULL when there is none. */
const struct cmd *command_find(const char *name);

/* Prints that there is no command @name, and names a command with a similar name. Returns 2, the exit status. */
int command_unknown(const char *name);

#endif
