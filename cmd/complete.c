/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ringside __complete WORD...: prints what the last WORD could become, for the shells' completion scripts.
 *
 * - A line is a candidate, which may be followed by a tab and a description.
 * - ":files", ":dirs", ":users" and ":command" ask the shell for its own candidates.
 * - ":more" says that a candidate does not end the word.
 * - ":whole" says that a candidate need not begin with what has been typed.
 *
 * An opening quote in front of the word is left out of the candidates. Errors are silent, because messages would disturb the command line.
 */
#include "cmd/commands.h"
#include "cmd/complete.h"
#include "cmd/tool-table.h"
#include "lib/base/str.h"
#include "lib/export/exporter.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

enum { LIMIT_MS = 300 };

/* The place of the word that is to be completed. */
struct place {
	const struct cmd *cmd;
	const char *word;	  /* the typed part */
	const char *first;	  /* the first operand before it; NULL: there is none */
	const char *file, *event; /* the last ones that options or operands have named; NULL: none */
	size_t keep;		  /* the candidate replaces the typed part after this many bytes ("--event=") */
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
	strv_t list = { 0 };

	strv_split(&list, words, " ");
	vec_each (&list, word)
		offer(p, *word, NULL);
	strv_fini(&list);
}

/* Offers each name once. A tab in a name begins its description. */
static void offer_names(const struct place *p, strv_t *names)
{
	const char *before = NULL;

	strv_sort(names);
	vec_each (names, name) {
		char *tab = strchr(*name, '\t');

		if (tab)
			*tab++ = '\0';
		if (!before || strcmp(before, *name))
			offer(p, *name, tab);
		before = *name;
	}
	strv_fini(names);
}

/* Offers events whose name without the system begins as typed: "sched_swi" becomes "sched:sched_switch". */
static void offer_bare_events(const struct place *p, const strv_t *names)
{
	const char *typed = p->word + p->keep;

	if (!*typed || strchr(typed, ':'))
		return;
	vec_each (names, name) {
		const char *colon = strchr(*name, ':');

		if (!colon || !str_starts(colon + 1, typed) || str_starts(*name, typed))
			continue;
		puts(":whole");
		printf("%.*s%s\n", (int)p->keep, p->word, *name);
	}
}

static void offer_kernel(const struct place *p, const char *kind)
{
	strv_t names = { 0 };

	complete_kernel(kind, p->word + p->keep, &names);
	if (strcmp(kind, "events") == 0)
		offer_bare_events(p, &names);
	offer_names(p, &names);
}

static void offer_probes(const struct place *p, int (*complete)(const char *word, size_t *from, strv_t *names))
{
	struct place behind = *p;
	strv_t names = { 0 };

	complete(p->word + p->keep, &behind.keep, &names);
	/* An expression and a probe can continue after the candidate. */
	puts(":more");
	offer_names(&behind, &names);
}

/* Offers the fields for a filter, of the events in the file that is read or of the event named before. */
static void offer_filter(const struct place *p)
{
	bool reads = p->cmd->operands && strcmp(p->cmd->operands, "files") == 0;
	struct place behind = *p;
	strv_t names = { 0 };

	complete_filter(!reads ? NULL : p->file ? p->file : "trace.dat", p->event, p->word + p->keep, &behind.keep, &names);
	puts(":more");
	offer_names(&behind, &names);
}

static void offer_fields(const struct place *p)
{
	strv_t names = { 0 };

	complete_fields(p->file ? p->file : "trace.dat", p->event ? p->event : "", &names);
	offer_names(p, &names);
}

static void offer_tools(const struct place *p)
{
	strv_t names = { 0 };

	tool_names(&names);
	offer_names(p, &names);
}

static void offer_exporters(const struct place *p)
{
	for (const struct exporter *e = exporters; e->name; e++)
		offer(p, e->name, e->summary);
	offer(p, "text", "the lines of `ringside report`");
}

/* Offers files for the first operand, and then what is in the file. */
static void offer_in_file(const struct place *p, bool usdt)
{
	strv_t names = { 0 };

	if (!p->first) {
		puts(":files");
		return;
	}
	complete_in_file(usdt, p->first, p->word, &names);
	offer_names(p, &names);
}

/* Offers all candidates of a kind, which opt.complete names. */
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
	else if (strcmp(kind, "probes") == 0)
		offer_probes(p, complete_probe);
	else if (strcmp(kind, "targets") == 0)
		offer_probes(p, complete_target);
	else if (strcmp(kind, "filter") == 0)
		offer_filter(p);
	else if (strcmp(kind, "fields") == 0)
		offer_fields(p);
	else if (strcmp(kind, "exporters") == 0)
		offer_exporters(p);
	else if (strcmp(kind, "tools") == 0)
		offer_tools(p);
	else if (strcmp(kind, "symbols") == 0 || strcmp(kind, "usdts") == 0)
		offer_in_file(p, kind[0] == 'u');
	else
		offer_kernel(p, kind);
}

/* Offers the values of an option. @opt may be NULL. */
static void offer_value(const struct place *p, const struct opt *opt)
{
	for (size_t i = 0; opt && opt->type == OPT_CHOICE && opt->choices[i]; i++)
		offer(p, opt->choices[i], NULL);
	if (opt && opt->type != OPT_CHOICE)
		offer_kind(p, opt->complete);
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

/* Remembers a value on which other candidates depend. */
static void remember(struct place *p, const struct opt *opt, const char *value)
{
	if (!opt->name)
		return;
	if (str_starts(opt->name, "event") || strcmp(opt->name, "only-event") == 0)
		p->event = value;
	else if (strcmp(opt->name, "input") == 0)
		p->file = value;
}

static const struct opt *opt_named_with_value(const struct cmd *cmd, const char *word)
{
	return str_starts(word, "--") && strchr(word, '=') ? opt_named(cmd, word) : NULL;
}

/* Completes the arguments @argv[0...@n-1] of @cmd. The last one is the word to be completed. */
static void in_command(const struct cmd *cmd, int n, char **argv)
{
	struct place p = { .cmd = cmd, .word = argv[n - 1] + (argv[n - 1][0] && strchr("'\"", argv[n - 1][0])) };
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
			remember(&p, pending, argv[i]);
			pending = NULL;
		} else if (strcmp(argv[i], "--") == 0) {
			options_ended = true;
		} else if (options_ended || argv[i][0] != '-') {
			options_ended |= cmd->stop_at_operand;
			p.first = p.first ? p.first : argv[i];
			p.file = argv[i];
		} else {
			const struct opt *opt = opt_named_with_value(cmd, argv[i]);

			if (opt)
				remember(&p, opt, strchr(argv[i], '=') + 1);
			pending = opt_awaiting(cmd, argv[i]);
		}
	}
	if (pending) {
		offer_value(&p, pending);
		return;
	}
	if (!options_ended && str_starts(p.word, "--") && strchr(p.word, '=')) {
		const struct opt *opt = opt_named(cmd, p.word);

		p.keep = strcspn(p.word, "=") + 1;
		offer_value(&p, opt);
		return;
	}
	if (!options_ended && p.word[0] == '-')
		offer_options(&p);
	else
		/* Words after a program belong to it, so files are offered. */
		offer_kind(&p, cmd->stop_at_operand && p.first ? "files" : cmd->operands);
}

static void give_up(int sig __unused)
{
	_exit(0);
}

/*
 * Gives up after a short time, because nobody waits long for a Tab, for example on a huge program's symbols. The limit is CPU time, so that a busy machine does
 * not shorten it.
 */
static void be_quick_and_silent(void)
{
	const struct itimerval limit = { .it_value = { .tv_usec = LIMIT_MS * 1000 } };
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (null >= 0)
		dup2(null, STDERR_FILENO);
	signal(SIGPROF, give_up);
	setitimer(ITIMER_PROF, &limit, NULL);
}

static int run(int argc, char **argv)
{
	const struct cmd *cmd;

	be_quick_and_silent();
	if (argc <= 2) {
		struct place p = { .word = argc == 2 ? argv[1] : "" };

		offer_commands(&p, commands);
		return 0;
	}
	cmd = command_find(argv[1]);
	for (int i = 2; cmd && cmd->live && i < argc - 1; i++)
		if (strcmp(argv[i], "--live") == 0)
			cmd = cmd->live;
	if (cmd)
		in_command(cmd, argc - 2, argv + 2);
	return 0;
}

const struct cmd cmd_complete = {
	.name = "__complete",
	.synopsis = "WORD...",
	.summary = "print candidates for shell completion",
	.hidden = true,
	.run = run,
};
