/* SPDX-License-Identifier: GPL-2.0 */
/* Prints what `ringside COMMAND --help` shows, and messages about wrong words. */
#include "cmd/opt.h"
#include "lib/base/err.h"
#include "lib/base/str.h"

#include <stdio.h>

enum { HELP_COLUMN = 28, HELP_WIDTH = 100 };

/* Prints @text from column @at on, wrapped and indented to HELP_COLUMN. */
static void wrapped(const char *text, size_t at)
{
	size_t column = at;

	if (at + 1 > HELP_COLUMN) {
		putchar('\n');
		column = 0;
	}
	printf("%*s", (int)(HELP_COLUMN - column), "");
	column = HELP_COLUMN;
	while (*text) {
		size_t n = strcspn(text, " ");

		if (column > HELP_COLUMN && column + 1 + n > HELP_WIDTH) {
			printf("\n%*s", HELP_COLUMN, "");
			column = HELP_COLUMN;
		} else if (column > HELP_COLUMN) {
			putchar(' ');
			column++;
		}
		printf("%.*s", (int)n, text);
		column += n;
		text += n + (text[n] == ' ');
	}
	putchar('\n');
}

static void help_row(const struct opt *opt, char letter)
{
	const char *arg = opt->arg ? opt->arg : "VALUE";
	size_t n = 0;

	if (letter)
		n += (size_t)printf("  -%c", letter);
	else
		n += (size_t)printf("    ");
	if (opt->name)
		n += (size_t)printf("%s--%.*s", letter ? ", " : "  ", (int)strcspn(opt->name, "|"), opt->name);
	if (opt_takes_value(opt))
		n += (size_t)printf(opt->optional ? opt->name ? "[=%s]" : "[%s]" : opt->name ? "=%s" : " %s", arg);
	wrapped(opt->help ? opt->help : "", n);
}

void opt_help(const struct cmd *cmd)
{
	const struct opt *first = opt_next(&(struct opt_walk)OPT_WALK(cmd));

	printf("ringside %s: %s\n\nusage: ringside %s%s%s\n", cmd->name, cmd->summary, cmd->name, *cmd->synopsis ? " " : "", cmd->synopsis);
	for (size_t i = 0; cmd->sub && cmd->sub[i]; i++)
		printf("%s  %-6s %s\n", i ? "" : "\n", cmd_word(cmd->sub[i]), cmd->sub[i]->summary);
	if (cmd->opts && (!first || first->type != OPT_HEADING))
		puts("\noptions:");
	opt_each (cmd, o) {
		if (o->hidden)
			continue;
		if (o->type == OPT_HEADING)
			printf("\n%s:\n", o->help);
		else
			help_row(o, opt_letter(cmd, o));
	}
	if (cmd->opts)
		help_row(&(struct opt){ .name = "help", .help = "print this help" }, 'h');
	if (cmd->details)
		printf("\n%s\n", cmd->details);
}

int usage(const struct cmd *cmd, const char *fmt, ...)
{
	struct str s = { 0 };
	va_list ap;

	va_start(ap, fmt);
	str_vaddf(&s, fmt, ap);
	va_end(ap);
	fprintf(stderr, "ringside %s: %s; `ringside %s --help` lists the options\n", cmd->name, str_text(&s), cmd->help_by ? cmd->help_by : cmd->name);
	str_fini(&s);
	return 2;
}

int opt_level(const char *value, int *level)
{
	/* Beginnings of these names also count: trace-cmd's manual writes them out, but its program takes short forms. */
	static const char *const names[] = { "none", "critical", "error", "warning", "info", "debug", "all" };
	uint64_t n = 4;

	if (value && parse_u64(value, &n))
		for (n = 0; n < ARRAY_LEN(names) && (strlen(value) < 3 || !str_starts(names[n], value));)
			n++;
	if (n >= ARRAY_LEN(names))
		return fail(EINVAL, "--verbose=%s: none, crit, err, warn, info, debug, all or 0 to 6", value);
	*level = (int)n;
	return 0;
}
