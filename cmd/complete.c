/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ringside __complete WORD...: what the last WORD could become, for the shells' completion scripts. Each line is a
 * candidate, with a tab and a description where there is one; a line ":files", ":dirs", ":users" or ":command" asks the
 * shell for its own. Says nothing on errors: a completion is no place for them.
 */
#include "cmd/commands.h"
#include "cmd/complete.h"
#include "lib/base/str.h"

#include <stdio.h>

/* Where the word to be completed stands. */
struct place {
	const struct cmd *cmd;
	const char *word;	/* what has been typed of it */
	size_t keep;		/* the candidate replaces the word behind so many bytes ("--event=") */
};

static void offer(const struct place *p, const char *candidate, const char *description)
{
	if (!str_starts(candidate, p->word + p->keep))
		return;
	printf("%.*s%s", (int)p->keep, p->word, candidate);
	if (description)
		printf("\t%s", description);
	putchar('\n');
}

static void offer_commands(const struct place *p, const struct cmd *const *table)
{
	for (size_t i = 0; table[i]; i++)
		if (!table[i]->hidden)
			offer(p, cmd_word(table[i]), table[i]->summary);
}

static void offer_words(const struct place *p, const char *words)
{
	__cleanup(free_ptr) char *copy = strdup(words);

	for (char *w = copy ? strtok(copy, " ") : NULL; w; w = strtok(NULL, " "))
		offer(p, w, NULL);
}

static void offer_kernel(const struct place *p, const char *kind)
{
	strv_t names = { 0 };

	if (!complete_kernel(kind, p->word + p->keep, &names)) {
		strv_sort(&names);
		vec_each (&names, name)
			offer(p, *name, NULL);
	}
	strv_fini(&names);
}

/* All candidates of a kind: see opt.complete. */
static void offer_kind(const struct place *p, const char *kind)
{
	static const char *const shells_own[] = { "files", "dirs", "users", "command" };

	if (!kind)
		return;
	for (size_t i = 0; i < ARRAY_LEN(shells_own); i++)
		if (strcmp(kind, shells_own[i]) == 0) {
			printf(":%s\n", kind);
			return;
		}
	if (kind[0] == '=')
		offer_words(p, kind + 1);
	else if (strcmp(kind, "commands") == 0)
		offer_commands(p, commands);
	else
		offer_kernel(p, kind);
}

static void offer_options(const struct place *p)
{
	opt_each (p->cmd, o) {
		struct str s = { 0 };

		if (o->hidden || o->type == OPT_HEADING)
			continue;
		if (o->name)
			str_addf(&s, "--%.*s%s", (int)strcspn(o->name, "|"), o->name, opt_takes_value(o) ? "=" : "");
		else
			str_addf(&s, "-%c", o->letter);
		offer(p, str_text(&s), o->help);
		str_fini(&s);
	}
	offer(p, "--help", "print the options");
}

/* Completes in the arguments @argv[0…@n-1] of @cmd, the last of which is the word. */
static void in_command(const struct cmd *cmd, int n, char **argv)
{
	struct place p = { .cmd = cmd, .word = argv[n - 1] };
	const struct opt *pending = NULL; /* the option whose value the next word is */
	bool options_ended = false;

	if (cmd->sub && n == 1) {
		offer_commands(&p, cmd->sub);
		return;
	}
	for (int i = 0; i < n - 1; i++) {
		for (size_t k = 0; i == 0 && cmd->sub && cmd->sub[k]; k++)
			if (strcmp(cmd_word(cmd->sub[k]), argv[0]) == 0) {
				in_command(cmd->sub[k], n - 1, argv + 1);
				return;
			}
		if (pending) {
			pending = NULL;
		} else if (strcmp(argv[i], "--") == 0) {
			options_ended = true;
		} else if (options_ended || argv[i][0] != '-') {
			options_ended |= cmd->stop_at_operand;
		} else {
			pending = opt_awaiting(cmd, argv[i]);
		}
	}
	if (pending) {
		offer_kind(&p, pending->complete);
		return;
	}
	if (!options_ended && str_starts(p.word, "--") && strchr(p.word, '=')) {
		const struct opt *opt = opt_named(cmd, p.word);

		p.keep = strcspn(p.word, "=") + 1;
		offer_kind(&p, opt ? opt->complete : NULL);
		return;
	}
	if (!options_ended && p.word[0] == '-')
		offer_options(&p);
	else
		offer_kind(&p, cmd->operands);
}

static int run(int argc, char **argv)
{
	const struct cmd *cmd;

	if (argc <= 2) {
		struct place p = { .word = argc == 2 ? argv[1] : "" };

		offer_commands(&p, commands);
		return 0;
	}
	cmd = command_find(argv[1]);
	if (cmd)
		in_command(cmd, argc - 2, argv + 2);
	return 0;
}

const struct cmd cmd_complete = {
	.name = "__complete",
	.synopsis = "WORD...",
	.summary = "candidates for shell completion",
	.hidden = true,
	.run = run,
};
