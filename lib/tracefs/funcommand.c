/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/tracefs/funcommand.h"
#include "lib/base/err.h"
#include "lib/base/parse.h"
#include "lib/tracefs/select.h"

#define MODULE ":mod:"

static const char *const names[] = {
	"traceon", "traceoff", "stacktrace", "snapshot", "dump", "cpudump", "enable_event", "disable_event", NULL,
};

bool funcommand_is(const char *text)
{
	return strchr(text, ':') && !strstr(text, MODULE);
}

const char *funcommand_action(const char *text)
{
	return strchr(text, ':') + 1;
}

/* --- checking ------------------------------------------------------------------------------------------------- */

/* Checks one command, "FUNCTION:COMMAND[:SYSTEM:EVENT][:TIMES]". */
static int check_one(const struct tracedir *top, const char *option, const char *text)
{
	strv_t words = { 0 }, known = { 0 }, best = { 0 }, events = { 0 };
	__cleanup(free_ptr) char *near = NULL;
	uint64_t times;
	bool event;
	int err = strv_split(&words, text, ":");

	for (size_t i = 0; !err && names[i]; i++)
		err = strv_add(&known, names[i]);
	if (err) {
		fail(ENOMEM, "out of memory");
	} else if (words.n < 2) {
		err = fail(EINVAL, "%s %s: a function and a command are wanted, as in vfs_read:stacktrace", option, text);
	} else if (!strv_has(&known, words.at[1])) {
		nearest_names(words.at[1], &known, 2, &best);
		near = best.n ? join_names(&best, "; nearest: ", "") : join_names(&known, "; there is ", "");
		err = fail(EINVAL, "%s %s: '%s' is no function command%s", option, text, words.at[1], near ? near : "");
	} else {
		event = str_ends(words.at[1], "_event");
		if (event && words.n < 4)
			err = fail(EINVAL, "%s %s: %s wants an event, as in %s:%s:sched:sched_switch", option, text, words.at[1], words.at[0], words.at[1]);
		else if (words.n > 3 + 2 * (size_t)event || (words.n == 3 + 2 * (size_t)event && parse_u64(words.at[words.n - 1], &times)))
			err = fail(EINVAL, "%s %s: behind the command stands how often it is to be carried out, a number", option, text);
		else if (event) {
			__cleanup(free_ptr) char *name = str_printf("%s:%s", words.at[2], words.at[3]);

			err = name ? events_find(top, name, &events) : fail(ENOMEM, "out of memory");
		}
	}
	strv_fini(&words);
	strv_fini(&known);
	strv_fini(&best);
	strv_fini(&events);
	return err;
}

/* Takes out of @commands those whose functions were taken out of @functions. Both have the same order. */
static void leave_out(strv_t *commands, const strv_t *functions)
{
	size_t n = 0;

	vec_each (commands, command) {
		if (n < functions->n && str_starts(*command, functions->at[n]) && (*command)[strlen(functions->at[n])] == ':')
			commands->at[n++] = *command;
		else
			free(*command);
	}
	commands->n = n;
}

int funcommands_check(const struct tracedir *top, const char *option, strv_t *commands)
{
	strv_t functions = { 0 };
	int err = 0;

	vec_each (commands, command) {
		err = err ? err : check_one(top, option, *command);
		if (!err && strv_own(&functions, strndup(*command, strcspn(*command, ":"))))
			err = fail(ENOMEM, "out of memory");
	}
	if (!err && functions.n)
		err = functions_check(top, &(struct functions_asked){ option, &functions }, 1);
	if (!err)
		leave_out(commands, &functions);
	strv_fini(&functions);
	return err;
}

/* --- reading and putting back --------------------------------------------------------------------------------- */

/* Appends the lines of @text that are function commands. */
static int add_lines(const char *text, strv_t *out)
{
	struct text rest = { (char *)text, strlen(text) }, line;
	int err = 0;

	while (!err && text_line(&rest, &line))
		if (line.size && line.at[0] != '#') {
			char *one = strndup(line.at, line.size);

			if (one && !funcommand_is(one))
				free(one);
			else
				err = strv_own(out, one);
		}
	return err;
}

static int read_file(const struct tracedir *dir, const char *file, strv_t *out)
{
	__cleanup(free_ptr) char *text = NULL;
	int err = tracedir_read(dir, file, &text);

	return err ? err : add_lines(text, out);
}

int funcommands_read(const struct tracedir *dir, strv_t *out)
{
	return read_file(dir, FUNCOMMAND_FILE, out);
}

/* Returns how many bytes of the line stand before the count. That part is the same in "f:traceoff:count=3" and "f:traceoff:unlimited". */
static size_t name_len(const char *line)
{
	return (size_t)(strrchr(line, ':') - line);
}

static bool has(const strv_t *lines, const char *line)
{
	vec_each (lines, other)
		if (name_len(*other) == name_len(line) && memcmp(*other, line, name_len(line)) == 0)
			return true;
	return false;
}

/*
 * Puts a command on a function or removes it.
 * - "f:traceoff:unlimited" is removed by "!f:traceoff".
 * - "f:traceoff:count=3" is put on by "f:traceoff:3" and removed by "!f:traceoff:0".
 */
static int write_one(const struct tracedir *dir, const char *file, const char *line, bool on)
{
	const char *count = line + name_len(line);
	__cleanup(free_ptr) char *text = NULL;

	if (str_starts(count, ":count="))
		text = str_printf("%s%.*s:%s", on ? "" : "!", (int)name_len(line), line, on ? count + strlen(":count=") : "0");
	else
		text = str_printf("%s%.*s", on ? "" : "!", (int)name_len(line), line);
	return text ? tracedir_write(dir, file, text, false) : -ENOMEM;
}

int funcommands_put(const struct tracedir *dir, const char *file, const char *lines)
{
	strv_t now = { 0 }, then = { 0 };
	int err = read_file(dir, file, &now), ret;

	err = err ? err : add_lines(lines, &then);
	if (!err) {
		vec_each (&now, line) {
			ret = has(&then, *line) ? 0 : write_one(dir, file, *line, false);
			err = err ? err : ret;
		}
		vec_each (&then, line) {
			ret = has(&now, *line) ? 0 : write_one(dir, file, *line, true);
			err = err ? err : ret;
		}
	}
	strv_fini(&now);
	strv_fini(&then);
	return err;
}
