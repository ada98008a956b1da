/* SPDX-License-Identifier: GPL-2.0 */
/* ringside tool: runs well-known one-liners, each of which is described by a short spec. */
#include "cmd/commands.h"
#include "cmd/live-table.h"
#include "cmd/tool-probes.h"
#include "cmd/tool-table.h"
#include "cmd/tool-words.h"
#include "lib/base/err.h"
#include "lib/base/quote.h"

#include <stdio.h>

struct tool_opts {
	bool list, show, expand;
};

static const struct opt opts[] = {
	{ OPT_FLAG(struct tool_opts, list), .name = "list", .one_of = "do", .help = "list all tools" },
	{ OPT_FLAG(struct tool_opts, show), .name = "show", .one_of = "do",
	  .help = "print the text that defines TOOL; you can change a copy of the text into a tool of your own" },
	{ OPT_FLAG(struct tool_opts, expand), .name = "expand", .one_of = "do", .help = "print the command that TOOL stands for, and do not run it" },
	OPT_END,
};

static int list_all(void)
{
	strv_t names = { 0 };
	int status = tool_names(&names) ? 1 : 0;

	vec_each (&names, name) {
		struct tool_spec spec;

		if (tool_find(&spec, *name)) {
			status = 1;
		} else {
			printf("%-13s %s", *name, spec.help);
			puts(strcmp(spec.path, "built in") ? " (your own)" : "");
		}
		tool_spec_fini(&spec);
	}
	strv_fini(&names);
	return status;
}

static int show_spec(const struct tool_spec *spec)
{
	fwrite(spec->source.at, 1, spec->source.size, stdout);
	return 0;
}

static bool is_plain(const char *word)
{
	return *word && !word[strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789@%+=:,./_-")];
}

/* Prints the command as one could type it in a shell. */
static int print_words(const strv_t *words)
{
	struct str line = { 0 };
	bool oom;

	str_add(&line, "ringside");
	vec_each (words, word) {
		str_addc(&line, ' ');
		if (is_plain(*word))
			str_add(&line, *word);
		else
			quote_shell(*word, &line);
	}
	oom = line.oom;
	if (!oom)
		puts(str_text(&line));
	str_fini(&line);
	return oom ? fail(ENOMEM, "out of memory") : 0;
}

static int help_of(const struct tool_spec *spec)
{
	printf("ringside tool %s: %s\n\nusage: ringside tool %s", spec->name, spec->help, spec->name);
	vec_each (&spec->arguments, argument)
		printf(argument->otherwise ? " [%s]" : " %s", argument->name);
	printf(" [OPTION OF %s...]\n", tool_command_name(spec->command));
	vec_each (&spec->arguments, argument) {
		printf("%s  %-12s %s", argument == spec->arguments.at ? "\n" : "", argument->name, argument->text);
		printf(argument->otherwise ? " (default: %s)\n" : "\n", argument->otherwise);
	}
	vec_each (&spec->lines, line)
		if (line->what == TOOL_NOTE)
			printf("\n%s\n", line->text);
	printf("\nThe tool runs `ringside %s`, and options of this command can follow. `ringside tool --show %s` prints the text that defines the tool.\n",
	       tool_command_name(spec->command), spec->name);
	return 0;
}

/* Checks the words. Messages have the name of the tool, because the user has not typed the command. */
static int check_words(const char *name, const struct cmd *cmd, int argc, char **argv)
{
	__cleanup(free_ptr) char *typed = str_printf("tool %s", name);
	const struct cmd *live = cmd->live;
	struct cmd as = live && live_asked(argc, argv) ? *live : *cmd;

	as.help_by = as.name;
	if (!typed)
		return fail(ENOMEM, "out of memory");
	as.name = typed;
	return opt_check(&as, argc, argv);
}

static int run_words(const struct tool_spec *spec, const char *name, const strv_t *words)
{
	__cleanup(free_ptr) char **argv = calloc(words->n + 1, sizeof(*argv));
	const struct cmd *cmd = command_find(tool_command_name(spec->command));
	int err;

	if (!argv) {
		fail(ENOMEM, "out of memory");
		return 1;
	}
	memcpy(argv, words->at, words->n * sizeof(*argv));
	err = check_words(name, cmd, (int)words->n, argv);
	return err ? opt_status(err) : cmd->run((int)words->n, argv);
}

/* Runs a tool. @words are the tool's own arguments. */
static int with_tool(const struct tool_opts *o, const char *name, char **words)
{
	struct tool_spec spec;
	strv_t out = { 0 };
	int err = tool_find(&spec, name), status = err == -ENOENT || err == -EINVAL ? 2 : 1;

	if (err) {
		;
	} else if (o->show) {
		status = show_spec(&spec);
	} else if (words[0] && (strcmp(words[0], "--help") == 0 || strcmp(words[0], "-h") == 0)) {
		status = help_of(&spec);
	} else {
		err = tool_spec_expand(&spec, words, &out) ?: tool_probes_rename(&out);
		status = err == -E2BIG ? 2 : 1;
		if (!err && o->expand)
			status = print_words(&out) ? 1 : 0;
		else if (!err)
			status = run_words(&spec, name, &out);
	}
	strv_fini(&out);
	tool_spec_fini(&spec);
	return status;
}

static int run(int argc, char **argv)
{
	struct tool_opts o = { 0 };
	char **operands;
	const int n = opt_parse(&cmd_tool, &o, argc, argv, &operands);

	if (n < 0)
		return opt_status(n);
	if (o.list && n)
		return usage(&cmd_tool, "--list takes no tool");
	if (o.list)
		return list_all();
	if (!n)
		return usage(&cmd_tool, "which tool? `ringside tool --list` lists them");
	if (o.show && n > 1)
		return usage(&cmd_tool, "--show takes one tool");
	return with_tool(&o, operands[0], operands + 1);
}

const struct cmd cmd_tool = {
	.name = "tool",
	.synopsis = "[OPTION...] TOOL [ARG...]",
	.summary = "run well-known small tracing tools (opensnoop, biosnoop, runqlat and others), or your own",
	.details = "A tool stands for a ringside command. After the tool's name come the tool's arguments, and then options of that\n"
		   "command. If that command runs a program, the program comes last.\n"
		   "  ringside tool --list\n"
		   "  ringside tool execsnoop                        which programs are started, until Ctrl-C\n"
		   "  ringside tool syscount --duration 5            which system calls this machine makes in 5 seconds\n"
		   "  ringside tool --show execsnoop > mine.tool     a copy, to make your own tool from\n"
		   "  ringside tool ./mine.tool",
	.opts = opts,
	.stop_at_operand = true,
	.operands = "tools",
	.run = run,
};
