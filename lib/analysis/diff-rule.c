/* SPDX-License-Identifier: GPL-2.0 */
/* Parses and checks conditions on the rows of a comparison, as users type them. */
#include "lib/analysis/diff.h"
#include "lib/base/err.h"
#include "lib/base/parse.h"
#include "lib/base/str.h"

static int refuse(const char *text, const char *why)
{
	return fail(
		EINVAL,
		"--fail-if '%s': %s; write [GLOB:] slower, faster, more often, less often, new, gone or any, and behind the first four > PERCENT%%, as in 'vfs_*: slower > 10%%'",
		text, why);
}

/* Parses the percentage behind the '>'. Returns 0 or a negative errno, with a message. */
static int parse_over(struct diff_rule *rule, const char *number)
{
	char *end;

	if (rule->verdict == DIFF_NEW || rule->verdict == DIFF_GONE || rule->verdict == DIFF_SAME)
		return refuse(rule->text, "only slower, faster, more often and less often have a percentage");
	rule->over = strtod(number, &end);
	if (end == number || !(rule->over >= 0 && rule->over <= 1e6))
		return refuse(rule->text, "behind > stands no percentage");
	end = str_trim(end);
	if (*end && strcmp(end, "%") != 0)
		return refuse(rule->text, "behind the percentage stands something else");
	return 0;
}

int diff_rule_parse(struct diff_rule *rule, const char *text)
{
	__cleanup(free_ptr) char *copy = strdup(text);
	char *word, *over, *colon;

	*rule = (struct diff_rule){ .text = text, .verdict = DIFF_VERDICTS };
	if (!copy)
		return -ENOMEM;
	/* A colon ends the name only if a blank follows it, because names of C++ functions may have colons and '>', too. */
	colon = strstr(copy, ": ");
	word = colon ? colon + 1 : copy;
	over = strchr(word, '>');
	if (over)
		*over++ = '\0';
	word = str_trim(word);
	for (unsigned int i = DIFF_SLOWER; i <= DIFF_GONE; i++)
		if (strcmp(word, diff_verdict_name(i)) == 0)
			rule->verdict = i;
	if (strcmp(word, "any") == 0)
		rule->verdict = DIFF_SAME;
	if (rule->verdict == DIFF_VERDICTS)
		return refuse(text, *word ? "there is no such verdict" : "no verdict is named");
	if (colon) {
		*colon = '\0';
		rule->glob = strdup(str_trim(copy));
		if (!rule->glob)
			return -ENOMEM;
		if (!*rule->glob)
			return refuse(text, "no function stands in front of the colon");
	}
	return over ? parse_over(rule, str_trim(over)) : 0;
}

/* Returns by how many percent the row is slower, faster, more often or less often. */
static double percent_of(enum diff_verdict verdict, const struct diff_row *row)
{
	const double calls = row->sides[NEW].calls / row->sides[OLD].calls;

	switch (verdict) {
	case DIFF_SLOWER:
		return (row->ratio - 1) * 100;
	case DIFF_FASTER:
		return (1 - row->ratio) * 100;
	case DIFF_MORE:
		return (calls - 1) * 100;
	case DIFF_LESS:
		return (1 - calls) * 100;
	default:
		return 0;
	}
}

bool diff_rule_names(const struct diff_rule *rule, const struct diff_row *row)
{
	return !rule->glob || glob_match(rule->glob, row->key);
}

bool diff_rule_holds(const struct diff_rule *rule, const struct diff_row *row)
{
	if (!diff_rule_names(rule, row))
		return false;
	if (rule->verdict == DIFF_SAME)
		return row->verdict != DIFF_SAME && row->verdict != DIFF_UNKNOWN;
	if (row->time_verdict != rule->verdict && row->calls_verdict != rule->verdict)
		return false;
	return !rule->over || percent_of(rule->verdict, row) > rule->over;
}
