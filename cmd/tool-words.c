/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/tool-words.h"
#include "cmd/ask.h"
#include "cmd/commands.h"
#include "lib/base/err.h"
#include "lib/base/parse.h"
#include "lib/tracefs/doctor.h"
#include "lib/tracefs/ksyms.h"

/* How a command spells the keywords of a spec. */
struct tool_command {
	const char *name, *front;	 /* .front: what always follows the name; NULL: nothing */
	const char *options[TOOL_WORDS]; /* NULL: the command has no such option */
};

#define LIKE_RECORD \
	[TOOL_EVENT] = "-e", [TOOL_FILTER] = "-f", [TOOL_PROBE] = "--probe", [TOOL_LATENCY] = "--latency", [TOOL_TRACER] = "-p", [TOOL_FUNCTION] = "-l", \
	[TOOL_GRAPH] = "-g"
#define TABLE [TOOL_COLUMN] = "--columns", [TOOL_SORT] = "--sort"

static const struct tool_command tool_commands[] = {
	{ "stream", NULL, { LIKE_RECORD, [TOOL_HOOK] = "-H", [TOOL_COLUMN] = "--fields" } },
	{ "count", NULL, { [TOOL_EVENT] = "-e", [TOOL_FILTER] = "-f", [TOOL_FUNCTION] = "--func", [TOOL_KEY] = "--by", TABLE } },
	{ "syscalls", NULL, { [TOOL_CALL] = "-e", TABLE } },
	{ "funcs", "--live", { LIKE_RECORD, [TOOL_KEY] = "--by", TABLE } },
	{ "graph", "--live", { LIKE_RECORD, [TOOL_KEY] = "--by", TABLE } },
	{ "sched", "--live", { [TOOL_KEY] = "--by", TABLE } },
	{ "latency", NULL, { [TOOL_KEY] = "--by", [TOOL_KIND] = "", TABLE } },
	{ "profile", NULL, { LIKE_RECORD, [TOOL_HOOK] = "-H" } },
};
const char tool_command_names[] = "stream, count, syscalls, funcs, graph, sched, latency and profile";

const struct tool_command *tool_command_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(tool_commands); i++)
		if (strcmp(tool_commands[i].name, name) == 0)
			return &tool_commands[i];
	return NULL;
}

const char *tool_command_name(const struct tool_command *command)
{
	return command->name;
}

bool tool_command_takes(const struct tool_command *command, enum tool_what what)
{
	return what == TOOL_OPTION || command->options[what];
}

int tool_words_begin(const struct tool_command *command, strv_t *out)
{
	if (strv_add(out, command->name) || (command->front && strv_add(out, command->front)))
		return fail(ENOMEM, "out of memory");
	return 0;
}

/* --- what this kernel has --------------------------------------------------------------------------------- */

static bool has_event(const struct tracedir *dir, const char *event)
{
	const char *colon = strchr(event, ':');
	__cleanup(free_ptr) char *path = colon ? str_printf("events/%.*s/%s", (int)(colon - event), event, colon + 1) : NULL;

	return path && tracedir_has(dir, path);
}

/* Chooses the first name of "a or b" that is not known to be missing. Returns its index in *@words, or -errno after a message. */
static int choose(const struct tool_place *place, bool functions, const strv_t *words)
{
	struct tracedir top = TRACEDIR_NONE;
	__cleanup(free_ptr) char *all = NULL;
	int err = functions ? 0 : tracedir_open(&top, NULL), found = -1;

	if (err)
		return err;
	for (size_t i = 0; found < 0 && i < words->n; i++)
		if (functions ? ksym_exists(words->at[i]) != 0 : has_event(&top, words->at[i]))
			found = (int)i;
	tracedir_fini(&top);
	if (found >= 0)
		return found;
	all = join_names(words, "", "");
	return fail(ENOENT, "%s:%u: this kernel has no %s %s; `ringside list %s` lists what it has", place->path, place->number,
		    functions ? "function" : "event", all ? all : "of these", functions ? "-f" : "-e");
}

static int split_or(const char *text, strv_t *out)
{
	const char * or ;
	int err = 0;

	for (; !err && (or = strstr(text, " or ")); text = or +4)
		err = strv_own(out, strndup(text, (size_t)(or -text)));
	return err ? err : strv_add(out, text);
}

static int add_choice(const struct tool_place *place, enum tool_what what, const char *text, strv_t *out)
{
	strv_t words = { 0 };
	int err = split_or(text, &words) ? fail(ENOMEM, "out of memory") : 0, which = 0;

	/* If there is only one, the command itself reports what is wrong with it. */
	if (!err && words.n > 1)
		which = choose(place, what == TOOL_FUNCTION || what == TOOL_GRAPH, &words);
	err = err ? err : which < 0 ? which : 0;
	if (!err && (strv_add(out, place->command->options[what]) || strv_add(out, words.at[which])))
		err = fail(ENOMEM, "out of memory");
	strv_fini(&words);
	return err;
}

int tool_words_add(const struct tool_place *place, enum tool_what what, const char *text, strv_t *out)
{
	int err = 0;

	if (what == TOOL_EVENT || what == TOOL_FUNCTION || what == TOOL_GRAPH)
		return add_choice(place, what, text, out);
	if (what == TOOL_OPTION) {
		const size_t n = strcspn(text, " \t");
		const char *value = text + n + strspn(text + n, " \t");

		err = strv_own(out, strndup(text, n));
		if (!err && *value)
			err = strv_add(out, value);
	} else {
		if (what != TOOL_KIND)
			err = strv_add(out, place->command->options[what]);
		err = err ? err : strv_add(out, text);
	}
	return err ? fail(ENOMEM, "out of memory") : 0;
}

/* Returns true if the command of the spec takes options behind an operand, and an operand that is no recording begins a program. */
static bool needs_dashes(const struct tool_spec *spec, const struct cmd *cmd)
{
	if (cmd->stop_at_operand)
		return false;
	if (!spec->command->options[TOOL_KIND])
		return true;
	vec_each (&spec->lines, line)
		if (line->what == TOOL_KIND)
			return true;
	return false;
}

int tool_words_end(const struct tool_spec *spec, char *const *words, strv_t *out)
{
	const struct cmd *cmd = command_find(spec->command->name);
	int span = 1, err = 0;

	/* The commands that stand behind --live run a program, and nothing else. */
	if (spec->command->front || !needs_dashes(spec, cmd))
		span = 0;
	while (!err && *words && span > 0) {
		span = opt_span(cmd, words);
		if (!span && strcmp(*words, "--") && !ask_is_file(*words))
			err = strv_add(out, "--");
		for (int i = 0; !err && i < span; i++)
			err = strv_add(out, *words++);
	}
	for (; !err && *words; words++)
		err = strv_add(out, *words);
	return err ? fail(ENOMEM, "out of memory") : 0;
}

bool tool_need_known(const char *feature)
{
	if (str_starts(feature, "function "))
		return true;
	for (const struct doctor_check *c = doctor_checks; c->name; c++)
		if (strcmp(c->name, feature) == 0)
			return true;
	return false;
}

int tool_need(const char *name, const char *feature)
{
	struct tracedir top = TRACEDIR_NONE;
	const char *cure;
	int err;

	if (str_starts(feature, "function ")) {
		strv_t words = { 0 };
		bool found = false;

		err = split_or(feature + strlen("function "), &words);
		vec_each (&words, word)
			found |= ksym_exists(*word) != 0;
		strv_fini(&words);
		if (err)
			return fail(ENOMEM, "out of memory");
		return found ? 0 : fail(ENOENT, "%s: this kernel has no function %s", name, feature + strlen("function "));
	}
	err = tracedir_open(&top, NULL);
	if (err)
		return err;
	cure = doctor_lacks(&top, feature);
	tracedir_fini(&top);
	return cure ? fail(ENOTSUP, "%s: this kernel has no %s: it needs %s", name, feature, cure) : 0;
}
