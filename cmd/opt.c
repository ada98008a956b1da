/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/opt.h"
#include "lib/base/err.h"
#include "lib/base/str.h"

#include <stdio.h>
#include <unistd.h>

/* A command has at most this many groups of options that exclude each other (opt.one_of). */
enum { GROUPS = 8 };

/* The state of one opt_parse(). */
struct parser {
	const struct cmd *cmd;
	void *ctx;
	bool checks; /* only check the options, and set nothing */
	int argc;
	char **argv;
	int at;				 /* the next argument to look at */
	int operands;			 /* this many operands are at argv[1...] already */
	const struct opt *given[GROUPS]; /* the first option that was given of each group of options that exclude each other */
	size_t ngiven;
};

static bool is_end(const struct opt *opt)
{
	return !opt->name && !opt->letter && opt->type != OPT_HEADING && opt->type != OPT_ROWS;
}

const struct opt *opt_next(struct opt_walk *walk)
{
	while (walk->at) {
		const struct opt *o = walk->at++;

		if (o->type == OPT_ROWS) {
			walk->behind = walk->at;
			walk->in = o;
			walk->at = o->rows;
		} else if (!is_end(o)) {
			return o;
		} else {
			walk->at = walk->behind;
			walk->behind = walk->in = NULL;
		}
	}
	return NULL;
}

/* Returns the OPT_ROWS by which @cmd has this row, or NULL if the row is the command's own. */
static const struct opt *rows_of(const struct cmd *cmd, const struct opt *opt)
{
	opt_each (cmd, o)
		if (o == opt)
			return walk_.in;
	return NULL;
}

char opt_letter(const struct cmd *cmd, const struct opt *opt)
{
	const struct opt *rows = rows_of(cmd, opt);

	return rows && rows->letterless ? 0 : opt->letter;
}

bool opt_takes_value(const struct opt *opt)
{
	return opt->type != OPT_FLAG && opt->type != OPT_CALL_FLAG && opt->type != OPT_CHOSEN && opt->type != OPT_HEADING;
}

int opt_status(int ret)
{
	return ret == OPT_HELPED ? 0 : ret == -EINVAL ? 2 : 1;
}

/* .name can have several spellings, as "max-graph-depth|depth". Does one of them equal the @n bytes at @word? With @prefix, does one begin with them? */
static bool spelled(const struct opt *opt, const char *word, size_t n, bool prefix)
{
	for (const char *name = opt->name; name; name = strchr(name, '|')) {
		size_t len;

		name += *name == '|';
		len = strcspn(name, "|");
		if ((prefix ? len >= n : len == n) && strncmp(name, word, n) == 0)
			return true;
	}
	return false;
}

static int unknown_long(const struct cmd *cmd, const char *word, size_t n)
{
	__cleanup(free_ptr) char *dashed = str_printf("--%.*s", prec(n), word);
	__cleanup(free_ptr) char *near = NULL;
	strv_t names = { 0 }, best = { 0 };

	opt_each (cmd, o)
		if (o->name && !o->hidden)
			strv_own(&names, str_printf("--%.*s", (int)strcspn(o->name, "|"), o->name));
	nearest_names(dashed ? dashed : "", &names, 2, &best);
	near = join_names(&best, " (did you mean ", "?)");
	usage(cmd, "there is no option --%.*s%s", prec(n), word, near ? near : "");
	strv_fini(&names);
	strv_fini(&best);
	return -EINVAL;
}

/* Finds the option with this long name or unique beginning of a name. Returns NULL after a message. */
static const struct opt *find_long(const struct cmd *cmd, const char *word, size_t n)
{
	const struct opt *found = NULL;

	opt_each (cmd, o)
		if (spelled(o, word, n, false))
			return o;
	opt_each (cmd, o) {
		if (!spelled(o, word, n, true))
			continue;
		/* Of several rows with one name, the first is taken, as it is when the whole name is typed. */
		if (found && spelled(found, o->name, strcspn(o->name, "|"), false))
			continue;
		if (found) {
			usage(cmd, "--%.*s could be --%.*s or --%.*s", prec(n), word, (int)strcspn(found->name, "|"), found->name, (int)strcspn(o->name, "|"),
			      o->name);
			return NULL;
		}
		found = o;
	}
	if (!found)
		unknown_long(cmd, word, n);
	return found;
}

/* Returns what messages call an option: "-b" or "--date". */
static const char *called(const struct cmd *cmd, const struct opt *opt, char buf[static 64])
{
	char letter = opt_letter(cmd, opt);

	if (letter)
		snprintf(buf, 64, "-%c", letter);
	else
		snprintf(buf, 64, "--%.*s", (int)strcspn(opt->name, "|"), opt->name);
	return buf;
}

static int bad_value(const struct parser *p, const struct opt *opt, const char *value, const char *want, int err)
{
	char name[64];

	usage(p->cmd, "%s takes %s, and '%s' is %s", called(p->cmd, opt, name), want, value, err == -ERANGE ? "too large" : "none");
	return -EINVAL;
}

/* Returns the choices as text: "auto, always or never". */
static char *choices_of(const struct opt *opt)
{
	strv_t words = { 0 };
	char *joined;

	for (size_t i = 0; opt->choices[i]; i++)
		strv_add(&words, opt->choices[i]);
	joined = join_names(&words, "", "");
	strv_fini(&words);
	return joined;
}

static int choose(const struct parser *p, const struct opt *opt, const char *value, int *to)
{
	__cleanup(free_ptr) char *words = NULL;
	char name[64];

	for (int i = 0; value && opt->choices[i]; i++) {
		if (strcmp(opt->choices[i], value) == 0) {
			*to = i;
			return 0;
		}
	}
	if (!value) {
		*to = 0;
		return 0;
	}
	words = choices_of(opt);
	usage(p->cmd, "%s is one of %s, and '%s' is none of them", called(p->cmd, opt, name), words ? words : "several words", value);
	return -EINVAL;
}

/* Was another option of the same group given, which excludes this one? Returns -EINVAL after a message, or 0. */
static int check_others(struct parser *p, const struct opt *opt)
{
	char name[64], other[64];

	if (!opt->one_of)
		return 0;
	for (size_t i = 0; i < p->ngiven; i++) {
		if (strcmp(p->given[i]->one_of, opt->one_of))
			continue;
		if (p->given[i] == opt)
			return 0;
		usage(p->cmd, "%s and %s do not go together", called(p->cmd, p->given[i], other), called(p->cmd, opt, name));
		return -EINVAL;
	}
	if (p->ngiven < GROUPS)
		p->given[p->ngiven++] = opt;
	return 0;
}

static int no_zero(const struct parser *p, const struct opt *opt, const char *value)
{
	char name[64];

	usage(p->cmd, "%s %s: it has to be more than 0", called(p->cmd, opt, name), value);
	return -EINVAL;
}

/* Stores the value at @to, which is in @ctx or in memory for a check. */
static int assign_to(const struct parser *p, const struct opt *opt, const char *value, void *ctx, void *to)
{
	const char *want = NULL;
	int err = 0;

	switch (opt->type) {
	case OPT_FLAG:
		*(bool *)to = true;
		break;
	case OPT_STR:
		*(const char **)to = value;
		break;
	case OPT_STRV:
		err = strv_add((strv_t *)to, value);
		break;
	case OPT_U64:
		want = "a whole number";
		err = parse_u64(value, (uint64_t *)to);
		break;
	case OPT_S64:
		want = "a whole number";
		err = parse_s64(value, (int64_t *)to);
		break;
	case OPT_KB:
		want = "a size in kB or with a suffix (512, 10M, 1G)";
		err = parse_size(value, 1024, (uint64_t *)to);
		break;
	case OPT_TIME:
		want = "a time in seconds or with a unit (1.5, 200ms, 10us)";
		err = parse_time_ns(value, (uint64_t *)to);
		break;
	case OPT_CPUS:
		want = "CPU numbers (0-3,7)";
		err = parse_cpus(value, (struct cpuset *)to);
		break;
	case OPT_CHOICE:
		return choose(p, opt, value, (int *)to);
	case OPT_CHOSEN:
		*(int *)to = opt->choice;
		break;
	case OPT_CALL:
	case OPT_CALL_FLAG:
		err = opt->call(ctx, opt, value);
		break;
	case OPT_HEADING:
	case OPT_ROWS:
		break;
	}
	if (err == -ENOMEM)
		return fail(ENOMEM, "out of memory");
	if (!err && opt->positive && !*(uint64_t *)to)
		return no_zero(p, opt, value);
	return err && want ? bad_value(p, opt, value, want, err) : err;
}

/* Is the value one that the option accepts? Returns what assign_to() returns. */
static int check_value(const struct parser *p, const struct opt *opt, const char *value)
{
	union {
		bool flag;
		const char *text;
		strv_t texts;
		uint64_t number;
		int choice;
		struct cpuset cpus;
	} to = { 0 };
	int err = 0;

	if (opt->type != OPT_CALL && opt->type != OPT_CALL_FLAG)
		err = assign_to(p, opt, value, NULL, &to);
	if (opt->type == OPT_STRV)
		strv_fini(&to.texts);
	if (opt->type == OPT_CPUS)
		cpuset_fini(&to.cpus);
	return err;
}

static int assign(const struct parser *p, const struct opt *opt, const char *value)
{
	const struct opt *rows = rows_of(p->cmd, opt);
	char *ctx = (char *)p->ctx + (rows ? rows->offset : 0);

	return p->checks ? check_value(p, opt, value) : assign_to(p, opt, value, ctx, ctx + opt->offset);
}

/* Returns the value of an option: @attached if not NULL, or else the next argument. Returns NULL after a message. */
static const char *value_of(struct parser *p, const struct opt *opt, const char *attached)
{
	char name[64];

	if (attached)
		return attached;
	if (p->at < p->argc)
		return p->argv[p->at++];
	usage(p->cmd, "%s needs a value: %s", called(p->cmd, opt, name), opt->arg ? opt->arg : "VALUE");
	return NULL;
}

static int set(struct parser *p, const struct opt *opt, const char *attached)
{
	const char *value = NULL;
	int err = check_others(p, opt);

	if (err)
		return err;
	if (opt_takes_value(opt) && !(opt->optional && !attached)) {
		value = value_of(p, opt, attached);
		if (!value)
			return -EINVAL;
	}
	return assign(p, opt, value);
}

static int help(const struct parser *p)
{
	if (!p->checks)
		opt_help(p->cmd);
	return OPT_HELPED;
}

static int parse_long(struct parser *p, const char *word)
{
	size_t n = strcspn(word, "=");
	const char *attached = word[n] ? word + n + 1 : NULL;
	const struct opt *opt;
	char name[64];

	if (n == 4 && strncmp(word, "help", 4) == 0) {
		if (attached) {
			usage(p->cmd, "--help takes no value");
			return -EINVAL;
		}
		return help(p);
	}
	opt = find_long(p->cmd, word, n);
	if (!opt)
		return -EINVAL;
	if (attached && !opt_takes_value(opt)) {
		usage(p->cmd, "%s takes no value", called(p->cmd, opt, name));
		return -EINVAL;
	}
	return set(p, opt, attached);
}

static const struct opt *find_letter(const struct cmd *cmd, char letter)
{
	opt_each (cmd, o)
		if (o->letter == letter && opt_letter(cmd, o))
			return o;
	return NULL;
}

static int span_of(const struct opt *opt, bool attached, const char *next)
{
	return opt_takes_value(opt) && !opt->optional && !attached && next ? 2 : 1;
}

static int span_long(const struct cmd *cmd, char *const *words)
{
	const char *word = words[0] + 2;
	size_t n = strcspn(word, "=");

	for (int prefix = 0; prefix < 2; prefix++)
		opt_each (cmd, o)
			if (spelled(o, word, n, prefix))
				return span_of(o, word[n], words[1]);
	return -ENOENT;
}

int opt_span(const struct cmd *cmd, char *const *words)
{
	const char *word = words[0];

	if (word[0] != '-' || !word[1] || strcmp(word, "--") == 0)
		return 0;
	if (word[1] == '-')
		return span_long(cmd, words);
	for (const char *c = word + 1; *c; c++) {
		const struct opt *opt = find_letter(cmd, *c);

		if (!opt)
			return -ENOENT;
		if (opt_takes_value(opt))
			return span_of(opt, c[1], words[1]);
	}
	return 1;
}

/* Parses a word of option letters. The last letter may be followed by its value. */
static int parse_letters(struct parser *p, const char *word)
{
	for (const char *c = word; *c; c++) {
		const struct opt *opt = find_letter(p->cmd, *c);
		int err;

		if (!opt && *c == 'h')
			return help(p);
		if (!opt) {
			usage(p->cmd, "there is no option -%c", *c);
			return -EINVAL;
		}
		if (opt_takes_value(opt))
			return set(p, opt, c[1] ? c + 1 : NULL);
		err = set(p, opt, NULL);
		if (err)
			return err;
	}
	return 0;
}

/* Takes an operand. Operands may stand between options. */
static int take_operand(struct parser *p, char *word)
{
	int err;

	if (p->checks)
		return 0;
	p->argv[1 + p->operands++] = word;
	err = p->cmd->operand ? p->cmd->operand(p->ctx, word) : 0;
	return err == -ENOMEM ? fail(ENOMEM, "out of memory") : err;
}

static int parse_words(struct parser *p)
{
	bool only_operands = false;
	int err = 0;

	while (!err && p->at < p->argc) {
		char *word = p->argv[p->at++];

		if (only_operands || word[0] != '-' || !word[1]) {
			err = take_operand(p, word);
			only_operands |= p->cmd->stop_at_operand;
		} else if (strcmp(word, "--") == 0) {
			only_operands = true;
		} else {
			err = word[1] == '-' ? parse_long(p, word + 2) : parse_letters(p, word + 1);
		}
	}
	return err;
}

int opt_parse(const struct cmd *cmd, void *ctx, int argc, char **argv, char ***operands)
{
	struct parser p = { .cmd = cmd, .ctx = ctx, .argc = argc, .argv = argv, .at = 1 };
	int err = parse_words(&p);

	if (err)
		return err;
	argv[1 + p.operands] = NULL;
	*operands = argv + 1;
	return p.operands;
}

int opt_check(const struct cmd *cmd, int argc, char **argv)
{
	struct parser p = { .cmd = cmd, .checks = true, .argc = argc, .argv = argv, .at = 1 };
	int err = parse_words(&p);

	return err == OPT_HELPED ? 0 : err;
}

const struct opt *opt_named(const struct cmd *cmd, const char *word)
{
	opt_each (cmd, o)
		if (spelled(o, word + 2, strcspn(word + 2, "="), false))
			return o;
	return NULL;
}

const struct opt *opt_awaiting(const struct cmd *cmd, const char *word)
{
	const struct opt *opt = NULL;

	if (str_starts(word, "--")) {
		opt = strchr(word, '=') ? NULL : opt_named(cmd, word);
		return opt && opt_takes_value(opt) && !opt->optional ? opt : NULL;
	}
	for (const char *c = word + 1; *c; c++) {
		opt = find_letter(cmd, *c);
		if (opt && opt_takes_value(opt))
			return !c[1] && !opt->optional ? opt : NULL;
	}
	return NULL;
}
