/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/tool-spec.h"
#include "cmd/tool-words.h"
#include "lib/base/err.h"
#include "lib/base/parse.h"

#include <ctype.h>

/* The keywords of a spec. */
static const struct {
	const char *word;
	bool once;
} keywords[TOOL_WORDS] = {
	[TOOL_HELP] = { "help", true },
	[TOOL_COMMAND] = { "command", true },
	[TOOL_NEED] = { "need", false },
	[TOOL_NOTE] = { "note", true },
	[TOOL_ARGUMENT] = { "argument", false },
	[TOOL_DEFAULT] = { "default", false },
	[TOOL_EVENT] = { "event", false },
	[TOOL_FILTER] = { "filter", false },
	[TOOL_PROBE] = { "probe", false },
	[TOOL_LATENCY] = { "latency", false },
	[TOOL_HOOK] = { "hook", false },
	[TOOL_TRACER] = { "tracer", true },
	[TOOL_FUNCTION] = { "function", false },
	[TOOL_GRAPH] = { "graph", false },
	[TOOL_CALL] = { "call", true },
	[TOOL_KIND] = { "kind", true },
	[TOOL_KEY] = { "key", true },
	[TOOL_COLUMN] = { "column", true },
	[TOOL_SORT] = { "sort", true },
	[TOOL_OPTION] = { "option", false },
};

/* The state while a spec is read. */
struct reader {
	struct tool_spec *spec;
	unsigned int number;
	unsigned int seen[TOOL_WORDS]; /* the line in which the keyword came first; 0: not yet */
};

/* Fails with the message "PATH:LINE: TEXT". */
#define refuse(in, fmt, ...) fail(EINVAL, "%s:%u: " fmt, (in)->spec->path, (in)->number, ##__VA_ARGS__)

static int unknown_keyword(const struct reader *in, const char *word)
{
	__cleanup(free_ptr) char *near = NULL;
	strv_t names = { 0 }, best = { 0 };
	int err;

	for (size_t i = 0; i < TOOL_WORDS; i++)
		strv_add(&names, keywords[i].word);
	nearest_names(word, &names, 2, &best);
	near = join_names(&best, " (did you mean ", "?)");
	err = refuse(in, "'%s' is no keyword of a tool%s; ringside-tool(1) lists them", word, near ? near : "");
	strv_fini(&names);
	strv_fini(&best);
	return err;
}

static int find_keyword(const struct reader *in, const char *word)
{
	for (int i = 0; i < TOOL_WORDS; i++)
		if (strcmp(keywords[i].word, word) == 0)
			return i;
	return unknown_keyword(in, word);
}

/* Reads "NAME what it is". */
static int add_argument(struct reader *in, const char *text)
{
	const size_t n = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
	struct tool_argument argument = { .text = text + n + strspn(text + n, " \t") };

	if (!n || !isspace((unsigned char)text[n]))
		return refuse(in, "an argument is a name in capitals and what it is, as in 'argument FUNCTION the functions to count'");
	argument.name = strndup(text, n);
	if (!argument.name)
		return fail(ENOMEM, "out of memory");
	vec_each (&in->spec->arguments, other) {
		if (strcmp(other->name, argument.name) == 0) {
			free(argument.name);
			return refuse(in, "there is an argument %s already", other->name);
		}
	}
	if (vec_push(&in->spec->arguments, argument)) {
		free(argument.name);
		return fail(ENOMEM, "out of memory");
	}
	return 0;
}

static int set_default(struct reader *in, const char *text)
{
	struct tool_argument *last = in->spec->arguments.n ? &in->spec->arguments.at[in->spec->arguments.n - 1] : NULL;

	if (!last || last->otherwise)
		return refuse(in, "a default comes after its argument, once");
	last->otherwise = text;
	return 0;
}

/* Checks that each "$NAME" is an argument that was declared before. */
static int check_names(const struct reader *in, const char *text)
{
	for (const char *at = strchr(text, '$'); at; at = strchr(at + 1, '$')) {
		const size_t n = strspn(at + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
		bool found = !n;

		vec_each (&in->spec->arguments, argument)
			found |= strlen(argument->name) == n && strncmp(argument->name, at + 1, n) == 0;
		if (!found)
			return refuse(in, "there is no argument %.*s; a line 'argument %.*s ...' before this one makes it", (int)n, at + 1, (int)n, at + 1);
	}
	return 0;
}

/* Checks that the text is an option, perhaps with its value: it must not name a program or end the options. */
static int check_option(const struct reader *in, const char *text)
{
	const size_t n = strcspn(text, " \t");

	if (text[0] != '-' || !text[1] || (n == 2 && text[1] == '-'))
		return refuse(in, "an option begins with a dash, as in 'option --duration 5'");
	return 0;
}

static int check_line(struct reader *in, enum tool_what what, const char *text)
{
	const unsigned int first = in->seen[what];

	if (first && keywords[what].once)
		return refuse(in, "%s stands in line %u already", keywords[what].word, first);
	in->seen[what] = in->number;
	if (what > TOOL_DEFAULT && !in->spec->command)
		return refuse(in, "the command comes first, as in 'command stream'");
	if (what == TOOL_HELP)
		in->spec->help = text;
	if (what == TOOL_ARGUMENT)
		return add_argument(in, text);
	if (what == TOOL_DEFAULT)
		return set_default(in, text);
	if (what == TOOL_FILTER && !in->seen[TOOL_EVENT])
		return refuse(in, "a filter comes after its event");
	if (what == TOOL_OPTION && check_option(in, text))
		return -EINVAL;
	if (what == TOOL_COMMAND) {
		in->spec->command = tool_command_find(text);
		return in->spec->command ? 0 : refuse(in, "a tool cannot stand for '%s', only for %s", text, tool_command_names);
	}
	if (what > TOOL_DEFAULT && !tool_command_takes(in->spec->command, what))
		return refuse(in, "%s has no %s", tool_command_name(in->spec->command), keywords[what].word);
	if (what == TOOL_NEED && !tool_need_known(text))
		return refuse(in, "'%s' is nothing that a tool can need: a feature as `ringside doctor` calls it, or 'function NAME'", text);
	return what > TOOL_DEFAULT || what == TOOL_NEED ? check_names(in, text) : 0;
}

/* Reads one line, which is changed. */
static int read_line(struct reader *in, char *line)
{
	char *word = str_trim(line), *text;
	struct tool_line new = { .number = in->number };
	int what, err;

	if (!*word || *word == '#')
		return 0;
	text = word + strcspn(word, " \t");
	if (*text)
		*text++ = '\0';
	text += strspn(text, " \t");
	what = find_keyword(in, word);
	if (what < 0)
		return what;
	if (!*text)
		return refuse(in, "what %s says is missing", word);
	new.what = (enum tool_what)what;
	new.text = strdup(text);
	if (!new.text || vec_push(&in->spec->lines, new)) {
		free(new.text);
		return fail(ENOMEM, "out of memory");
	}
	err = check_line(in, new.what, new.text);
	return err;
}

int tool_spec_read(struct tool_spec *spec, const char *name, const char *path, struct text source)
{
	struct reader in = { .spec = spec };
	struct text rest = source, line;
	int err = 0;

	*spec = (struct tool_spec){ .name = strdup(name), .path = strdup(path), .source = source };
	if (!spec->name || !spec->path)
		return fail(ENOMEM, "out of memory");
	if (memchr(source.at, '\0', source.size))
		return fail(EINVAL, "%s is no spec of a tool: it is not text", path);
	while (!err && text_line(&rest, &line)) {
		__cleanup(free_ptr) char *copy = strndup(line.at, line.size);

		in.number++;
		err = copy ? read_line(&in, copy) : fail(ENOMEM, "out of memory");
	}
	if (!err && !spec->help)
		err = fail(EINVAL, "%s: there is no line 'help', which says what the tool shows", path);
	if (!err && !spec->command)
		err = fail(EINVAL, "%s: there is no line 'command', which says what the tool stands for", path);
	return err;
}

void tool_spec_fini(struct tool_spec *spec)
{
	vec_each (&spec->lines, line)
		free(line->text);
	vec_each (&spec->arguments, argument)
		free(argument->name);
	vec_fini(&spec->lines);
	vec_fini(&spec->arguments);
	free(spec->name);
	free(spec->path);
	free(spec->source.at);
	*spec = (struct tool_spec){ 0 };
}

/* --- the command it stands for ---------------------------------------------------------------------------- */

/* Returns the user's word for an argument, or else its default. */
static const char *value_of(const struct tool_spec *spec, char **words, const char *name, size_t n)
{
	for (size_t i = 0; i < spec->arguments.n; i++) {
		const struct tool_argument *argument = &spec->arguments.at[i];

		if (strlen(argument->name) != n || strncmp(argument->name, name, n))
			continue;
		for (size_t w = 0; words[w] && *words[w] != '-'; w++)
			if (w == i)
				return words[w];
		return argument->otherwise;
	}
	return NULL;
}

/* Returns the text with the arguments put in, or NULL for lack of memory. */
static char *fill_in(const struct tool_spec *spec, char **words, const char *text)
{
	struct str out = { 0 };

	while (*text) {
		const size_t plain = strcspn(text, "$");
		size_t n;

		str_addn(&out, text, plain);
		text += plain;
		if (!*text)
			break;
		n = strspn(++text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
		if (n)
			str_add(&out, value_of(spec, words, text, n));
		else
			str_addc(&out, '$');
		text += n;
	}
	if (!out.at)
		return strdup("");
	return str_take(&out);
}

/* The words before the first option are the arguments. *@n is set to their number. */
static int check_arguments(const struct tool_spec *spec, char **words, size_t *n)
{
	*n = 0;
	while (*n < spec->arguments.n && words[*n] && *words[*n] != '-')
		++*n;
	for (size_t i = *n; i < spec->arguments.n; i++)
		if (!spec->arguments.at[i].otherwise)
			return fail(E2BIG, "%s: %s is missing: %s; `ringside tool %s --help`", spec->name, spec->arguments.at[i].name,
				    spec->arguments.at[i].text, spec->name);
	return 0;
}

int tool_spec_expand(const struct tool_spec *spec, char **words, strv_t *out)
{
	size_t taken;
	int err = check_arguments(spec, words, &taken);

	err = err ? err : tool_words_begin(spec->command, out);
	for (size_t i = 0; !err && i < spec->lines.n; i++) {
		const struct tool_line *line = &spec->lines.at[i];
		struct tool_place place = { spec->command, spec->path, line->number };
		__cleanup(free_ptr) char *text = fill_in(spec, words, line->text);

		if (!text)
			err = fail(ENOMEM, "out of memory");
		else if (line->what == TOOL_NEED)
			err = tool_need(spec->name, text);
		else if (line->what > TOOL_DEFAULT)
			err = tool_words_add(&place, line->what, text, out);
	}
	return err ? err : tool_words_end(spec, words + taken, out);
}
