/* SPDX-License-Identifier: GPL-2.0 */
/* cmd/opt: the option engine. */
#include "cmd/opt.h"
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

struct ctx {
	bool all, quiet;
	const char *out;
	strv_t pids;
	uint64_t size, time;
	struct cpuset cpus;
	char order[64];
	int when, form;
};

static const char *const whens[] = { "auto", "always", "never", NULL };

static int ordered(void *ctx, const struct opt *opt, const char *value)
{
	struct ctx *c = ctx;
	size_t n = strlen(c->order);

	snprintf(c->order + n, sizeof(c->order) - n, "%c%s", opt->letter, value ? value : "-");
	return value && strcmp(value, "bad") == 0 ? -EINVAL : 0;
}

static const struct opt shared[] = {
	{ OPT_STRV, 'P', .name = "pid", .offset = offsetof(struct ctx, pids) },
	{ OPT_KB, 'b', .name = "buffer-size", .offset = offsetof(struct ctx, size) },
	OPT_END,
};

static const struct opt opts[] = {
	{ OPT_FLAG(struct ctx, all), 'a', .name = "all" },
	{ OPT_FLAG, 'q', .name = "quiet", .offset = offsetof(struct ctx, quiet) },
	{ OPT_STR(struct ctx, out), 'o', .name = "output|out-file" },
	{ OPT_CHOICE(struct ctx, when), .name = "when", .choices = whens },
	{ OPT_CHOSEN(struct ctx, form), 'F', .name = "flat", .choice = 1, .one_of = "form" },
	{ OPT_CHOSEN(struct ctx, form), .name = "folded", .choice = 2, .one_of = "form" },
	{ OPT_ROWS, .rows = shared },
	{ OPT_TIME, 0, .name = "duration", .offset = offsetof(struct ctx, time) },
	{ OPT_CPUS, 0, .name = "cpu", .offset = offsetof(struct ctx, cpus) },
	{ OPT_CALL, 'e', .name = "event", .call = ordered },
	{ OPT_CALL, 'f', .name = "filter", .call = ordered },
	{ OPT_CALL, 'N', .name = "number", .optional = true, .call = ordered },
	{ OPT_CALL_FLAG, 'v', .call = ordered },
	OPT_END,
};

static const struct cmd record_like = { .name = "x", .synopsis = "", .summary = "", .opts = opts, .stop_at_operand = true };
static const struct cmd report_like = { .name = "x", .synopsis = "", .summary = "", .opts = opts };

/* Parses @line, words apart by blanks. The messages go to /dev/null. */
static int parse(const struct cmd *cmd, struct ctx *ctx, const char *line, char ***operands)
{
	static char words[256];
	static char *argv[32];
	int argc = 0, ret, err = dup(2), null = open("/dev/null", O_WRONLY);

	memset(ctx, 0, sizeof(*ctx));
	snprintf(words, sizeof(words), "%s", line);
	for (char *w = strtok(words, " "); w; w = strtok(NULL, " "))
		argv[argc++] = w;
	argv[argc] = NULL;
	dup2(null, 2);
	ret = opt_parse(cmd, ctx, argc, argv, operands);
	dup2(err, 2);
	close(err);
	close(null);
	return ret;
}

START_TEST(spellings)
{
	struct ctx c;
	char **rest;

	ck_assert_int_eq(parse(&report_like, &c, "x -aq -ofile --pid 1 --pid=2 -P3 -b 10M one --dur 1.5 --cpu=0,2 two", &rest), 2);
	ck_assert(c.all && c.quiet);
	ck_assert_str_eq(c.out, "file");
	ck_assert_uint_eq(c.pids.n, 3);
	ck_assert_str_eq(c.pids.at[2], "3");
	ck_assert_uint_eq(c.size, 10240);
	ck_assert_uint_eq(c.time, 1500000000);
	ck_assert(cpuset_has(&c.cpus, 2) && !cpuset_has(&c.cpus, 1));
	ck_assert_str_eq(rest[0], "one");
	ck_assert_str_eq(rest[1], "two");
	ck_assert_ptr_null(rest[2]);
	strv_fini(&c.pids);
	cpuset_fini(&c.cpus);
	ck_assert_int_eq(parse(&report_like, &c, "x --out-file z", &rest), 0);
	ck_assert_str_eq(c.out, "z");
}
END_TEST

START_TEST(command_follows)
{
	struct ctx c;
	char **rest;

	ck_assert_int_eq(parse(&record_like, &c, "x -a ls -q --nonsense", &rest), 3);
	ck_assert(c.all && !c.quiet);
	ck_assert_str_eq(rest[1], "-q");
	ck_assert_int_eq(parse(&record_like, &c, "x -- -q", &rest), 1);
	ck_assert_str_eq(rest[0], "-q");
	ck_assert_int_eq(parse(&report_like, &c, "x -q - -- -a", &rest), 2);
	ck_assert_str_eq(rest[0], "-");
	ck_assert(!c.all);
}
END_TEST

START_TEST(order_is_kept)
{
	struct ctx c;
	char **rest;

	ck_assert_int_eq(parse(&report_like, &c, "x -e a -f x -ve b --event=c -N --number=5 -N7 t", &rest), 1);
	ck_assert_str_eq(c.order, "eafxv-ebecN-N5N7");
	ck_assert_int_eq(parse(&report_like, &c, "x -e bad -e c", &rest), -EINVAL);
	ck_assert_str_eq(c.order, "ebad");
}
END_TEST

START_TEST(choices)
{
	struct ctx c;
	char **rest;

	ck_assert_int_eq(parse(&report_like, &c, "x --when never -F --flat", &rest), 0);
	ck_assert_int_eq(c.when, 2);
	ck_assert_int_eq(c.form, 1);
	ck_assert_int_eq(parse(&report_like, &c, "x --when=never --when=auto --folded", &rest), 0);
	ck_assert_int_eq(c.when, 0);
	ck_assert_int_eq(c.form, 2);
}
END_TEST

START_TEST(refusals)
{
	/* clang-format off */
	static const char *const lines[] = {
		"x --nonsense", "x -Z", "x -o", "x --quiet=1", "x -b ten", "x --duration 1x", "x --cpu 3-1",
		"x --q=1",	"x -e", "x --p", /* --pid? unique: needs a value */
		"x --when", "x --when=sometimes", "x --flat --folded", "x --folded -F", "x --flat=1",
	};
	/* clang-format on */

	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		struct ctx c;
		char **rest;

		ck_assert_msg(parse(&report_like, &c, lines[i], &rest) == -EINVAL, "%s", lines[i]);
		cpuset_fini(&c.cpus);
	}
}
END_TEST

Suite *opt_suite(void)
{
	Suite *suite = suite_create("opt");
	TCase *tc = tcase_create("opt");

	tcase_add_test(tc, spellings);
	tcase_add_test(tc, command_follows);
	tcase_add_test(tc, order_is_kept);
	tcase_add_test(tc, choices);
	tcase_add_test(tc, refusals);
	suite_add_tcase(suite, tc);
	return suite;
}
