/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/tracefs/sql.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/parse.h"
#include "lib/tracefs/select.h"

#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <strings.h>
#include <sys/wait.h>
#include <tracefs/tracefs.h>
#include <unistd.h>

/* The exit status of a compiler that was not killed. */
enum { MADE, NOT_UNDERSTOOD, NO_EVENTS };

/* The library never takes longer than this for a statement. */
enum { LIMIT_SECONDS = 120 };

void sql_commands_fini(sql_commands_t *v)
{
	vec_each (v, command) {
		free(command->text);
		free(command->file);
	}
	vec_fini(v);
}

/* --- the words of a statement ---------------------------------------------------------------------------------- */

/* Lists the words of a statement in @words, without texts and numbers. A word behind AS goes into @own: it is a name that the user has chosen, or a type. */
static int find_words(const char *statement, strv_t *words, strv_t *own)
{
	bool after_as = false;

	for (const char *at = statement; *at;) {
		size_t n = 0;

		if (*at == '"') {
			at += 1 + strcspn(at + 1, "\"");
			at += *at == '"';
			continue;
		}
		while (isalnum((unsigned char)at[n]) || at[n] == '_' || (n && at[n] == '-' && after_as))
			n++;
		if (n && !isdigit((unsigned char)*at)) {
			__cleanup(free_ptr) char *word = strndup(at, n);

			if (!word || strv_add(after_as ? own : words, word))
				return -ENOMEM;
			after_as = strcasecmp(word, "as") == 0;
		}
		at += n ? n : 1;
	}
	return 0;
}

/* Lists the events that @words name. @names becomes the names of all events. */
static int find_events(const struct tracedir *top, const strv_t *words, strv_t *events, strv_t *names)
{
	strv_t all = { 0 };
	int err = tracedir_list(top, TRACEDIR_EVENTS, &all);

	vec_each (&all, event) {
		const char *name = strchr(*event, ':') + 1;

		if (!err && strv_has(words, name))
			err = strv_add(events, *event);
		if (!err)
			err = strv_add(names, name);
	}
	strv_fini(&all);
	return err;
}

/* Appends the systems of the statement's events to *@out, because reading those of all events takes seconds. If it appends none, they are not known. */
static int find_systems(const struct sql *sql, const struct tracedir *top, strv_t *out)
{
	strv_t words = { 0 }, own = { 0 }, events = { 0 }, names = { 0 };
	int err = find_words(sql->statement, &words, &own);

	/* A copy of a tracing directory may have no list of events. */
	if (!err && tracedir_has(top, "available_events"))
		err = find_events(top, &words, &events, &names);
	vec_each (&events, event) {
		(*event)[strcspn(*event, ":")] = '\0';
		if (!err && !strv_has(out, *event))
			err = strv_add(out, *event);
	}
	strv_fini(&words);
	strv_fini(&own);
	strv_fini(&events);
	strv_fini(&names);
	return err ? fail(-err, "sqlhist: cannot list the events: %s", strerror(-err)) : 0;
}

/* --- in the child --------------------------------------------------------------------------------------------- */

/* Prints to @out the shell commands that the library makes, or why there are none. Returns one of the exit statuses above. */
static int print_commands(const struct sql *sql, const char *dir, const strv_t *systems, int out)
{
	const char *names[systems->n + 1];
	struct tep_handle *tep;
	struct tracefs_synth *synth;
	struct tracefs_hist *hist;
	struct trace_seq seq;
	char *why = NULL;

	for (size_t i = 0; i < systems->n; i++)
		names[i] = systems->at[i];
	names[systems->n] = NULL;
	tep = systems->n ? tracefs_local_events_system(dir, names) : tracefs_local_events(dir);
	if (!tep)
		return NO_EVENTS;
	trace_seq_init(&seq);
	synth = tracefs_sql(tep, sql->name, sql->statement, &why);
	if (!synth) {
		if (why)
			io_write(out, why, strlen(why));
		return NOT_UNDERSTOOD;
	}
	if (tracefs_synth_complete(synth)) {
		tracefs_synth_echo_cmd(&seq, synth);
	} else {
		hist = tracefs_synth_get_start_hist(synth);
		if (!hist)
			return NOT_UNDERSTOOD;
		tracefs_hist_echo_cmd(&seq, NULL, hist, 0);
	}
	return io_write(out, seq.buffer, seq.len) ? NOT_UNDERSTOOD : MADE;
}

/* The child process, which never returns. What the library prints about formats is no answer to the statement, so it goes to /dev/null. */
static void be_compiler(const struct sql *sql, const char *dir, const strv_t *systems, int out)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (null >= 0) {
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
	}
	alarm(LIMIT_SECONDS);
	_exit(print_commands(sql, dir, systems, out));
}

/* --- what came of it ------------------------------------------------------------------------------------------ */

/* Adds the command of a line "echo 'TEXT' >> PATH". The text may have quotes in it, so the last closing quote is taken. */
static int add_command(const struct text *line, sql_commands_t *out)
{
	static const char begin[] = "echo '";
	__cleanup(free_ptr) char *copy = strndup(line->at, line->size);
	char *end = NULL, *path, *events;
	struct sql_command command = { 0 };
	int err;

	if (!copy)
		return -ENOMEM;
	for (char *at = copy; (at = strstr(at, "' >")); at++)
		end = at;
	if (!str_starts(copy, begin) || !end || !(path = strchr(end, '/')))
		return -EINVAL;
	*end = '\0';
	events = strstr(path, "/events/");
	/* Older kernels have a file for synthetic events only. Its lines do not name the kind, which is "s:" in dynamic_events. */
	if (events)
		command.text = strdup(copy + strlen(begin));
	else
		command.text = str_printf("%s%s", str_starts(copy + strlen(begin), "s:") ? "" : "s:", copy + strlen(begin));
	command.file = strdup(events ? events + 1 : "dynamic_events");
	err = command.text && command.file ? vec_push(out, command) : -ENOMEM;
	if (err) {
		free(command.text);
		free(command.file);
	}
	return err;
}

static int add_commands(const struct text *said, sql_commands_t *out)
{
	struct text rest = *said, line;
	int err = 0;

	while (!err && text_line(&rest, &line))
		if (line.size)
			err = add_command(&line, out);
	return err || out->n ? err : -EINVAL;
}

/* --- what is done at a maximum or a change ---------------------------------------------------------------------- */

/*
 * The library has functions for these actions, but they do not find the variables of a statement (1.6). So the code below replaces the action that the
 * library has made in "hist:keys=KEY:__VAR_1_2=VALUE,...:onmatch(SYSTEM.EVENT).NAME(ARGUMENTS) if FILTER".
 */

/*
 * Returns the histogram's name for a variable of the statement, in new memory. Returns NULL when there is no such variable. Then *@known has those that
 * there are.
 */
static char *find_variable(const char *hist, const char *name, strv_t *known)
{
	size_t end = strcspn(hist, "(");

	for (const char *at = hist; (at = strpbrk(at, ":,")) && (size_t)(at - hist) < end;) {
		size_t n = strcspn(++at, "=,:("), words = n;

		if (!str_starts(at, "__") || str_starts(at, "__arg_") || at[n] != '=')
			continue;
		/* The name in the histogram is "__NAME_PID_NUMBER". */
		for (int i = 0; i < 2; i++)
			while (words > 2 && at[--words] != '_')
				;
		if (words - 2 == strlen(name) && memcmp(at + 2, name, words - 2) == 0)
			return strndup(at, n);
		strv_own(known, strndup(at + 2, words - 2));
	}
	return NULL;
}

/* Checks that the event of "events/sched/sched_switch/trigger" has the fields of -S. Returns 0, or -EINVAL after a message. */
static int check_saved(const struct sql *sql, const struct tracedir *top, const struct sql_command *end)
{
	const char *name = end->file + strlen("events/");
	__cleanup(free_ptr) char *event = strndup(name, (size_t)(strrchr(name, '/') - name));
	strv_t fields = { 0 }, best = { 0 };
	int err = 0;

	if (!event)
		return fail(ENOMEM, "out of memory");
	*strchr(event, '/') = ':';
	event_fields(top, event, &fields);
	vec_each (sql->saved, field) {
		__cleanup(free_ptr) char *near = NULL;

		if (!err && !(*field)[1])
			err = fail(EINVAL, "-S %s: the kernel keeps no field whose name is a single letter", *field);
		if (err || !fields.n || strv_has(&fields, *field))
			continue;
		nearest_names(*field, &fields, 3, &best);
		near = best.n ? join_names(&best, "; nearest: ", "") : join_names(&fields, "; fields: ", "");
		err = fail(EINVAL, "-S %s: it is no field of %s%s", *field, event, near ? near : "");
	}
	strv_fini(&fields);
	strv_fini(&best);
	return err;
}

/* Appends the actions to @s, in the kernel's words. @arguments are those of the synthetic event, such as ",$__lat_1_2)". */
static void add_actions(const struct sql *sql, const char *variable, const char *arguments, struct str *s)
{
	const char *when = sql->changes ? "onchange" : "onmax";

	if (sql->saved->n) {
		str_addf(s, ":%s($%s).save(", when, variable);
		for (size_t i = 0; i < sql->saved->n; i++)
			str_addf(s, "%s%s", i ? "," : "", sql->saved->at[i]);
		str_addc(s, ')');
	}
	/* The event comes before the snapshot, so that the snapshot has it. */
	if (sql->trace || (!sql->snapshot && !sql->saved->n))
		str_addf(s, ":%s($%s).trace(%s,%.*s)", when, variable, sql->name, (int)strcspn(arguments, ")"), arguments);
	if (sql->snapshot)
		str_addf(s, ":%s($%s).snapshot()", when, variable);
}

static int set_actions(const struct sql *sql, const struct tracedir *top, sql_commands_t *out)
{
	struct sql_command *end = &out->at[out->n - 1];
	char *match = strstr(end->text, ":onmatch("), *action = match ? strstr(match, ").") : NULL;
	char *arguments = action ? strchr(action + 2, '(') : NULL, *rest = arguments ? strchr(arguments, ')') : NULL;
	/* If the kernel's README has it, the action is "trace(NAME,ARGUMENTS)". */
	char *comma = action && str_starts(action, ").trace(") ? strchr(arguments, ',') : NULL;
	__cleanup(free_ptr) char *variable = NULL;
	__cleanup(free_ptr) char *list = NULL;
	strv_t known = { 0 };
	struct str s = { 0 };
	int err;

	if (out->n < 3 || !rest)
		return fail(EINVAL, "sqlhist: -m and -c are for a synthetic event of two events (FROM ... JOIN ... ON ...); this is a "
				    "histogram of one");
	variable = find_variable(end->text, sql->variable, &known);
	if (!variable) {
		list = join_names(&known, "; it has ", "");
		err = fail(EINVAL, "sqlhist: '%s' is no variable of the statement: name one with AS %s%s", sql->variable, sql->variable, list ? list : "");
		strv_fini(&known);
		return err;
	}
	strv_fini(&known);
	err = check_saved(sql, top, end);
	if (err)
		return err;
	str_addn(&s, end->text, (size_t)(match - end->text));
	add_actions(sql, variable, (comma ? comma : arguments) + 1, &s);
	str_add(&s, rest + 1);
	free(end->text);
	end->text = str_take(&s);
	return end->text ? 0 : fail(ENOMEM, "out of memory");
}

/*
 * The kernel takes no single letter for a parameter of an action, and so no "trace(w,ARGUMENTS)". In the older form of this action, "w(ARGUMENTS)", the
 * event's name is no parameter.
 */
static int name_event(const struct sql *sql, sql_commands_t *out)
{
	struct sql_command *end = &out->at[out->n - 1];
	__cleanup(free_ptr) char *begin = str_printf(").trace(%s,", sql->name);
	char *action = begin ? strstr(end->text, begin) : NULL, *text;

	if (!begin)
		return fail(ENOMEM, "out of memory");
	if (!action || strlen(sql->name) > 1)
		return 0;
	text = str_printf("%.*s).%s(%s", (int)(action - end->text), end->text, sql->name, action + strlen(begin));
	free(end->text);
	end->text = text;
	return text ? 0 : fail(ENOMEM, "out of memory");
}

/* --- why not -------------------------------------------------------------------------------------------------- */

static bool is_keyword(const char *word)
{
	static const char *const keywords[] = {
		"select", "from", "join", "on", "where", "as", "cast", "and", "or", "timestamp", "timestamp_usecs", "timestamp_delta", "timestamp_delta_usecs",
	};

	for (size_t i = 0; i < ARRAY_LEN(keywords); i++)
		if (strcasecmp(keywords[i], word) == 0)
			return true;
	return false;
}

/*
 * Looks for a word that is neither an event nor a field of the named events. Prints a message with the nearest fields and returns its -errno. Returns 0 when
 * there is no such word.
 */
static int say_unknown(const struct sql *sql, const struct tracedir *top)
{
	strv_t words = { 0 }, own = { 0 }, events = { 0 }, names = { 0 }, fields = { 0 }, best = { 0 };
	__cleanup(free_ptr) char *near = NULL;
	__cleanup(free_ptr) char *of = NULL;
	int err = find_words(sql->statement, &words, &own), said = 0;

	err = err ? err : find_events(top, &words, &events, &names);
	vec_each (&events, event)
		err = err ? err : event_fields(top, *event, &fields);
	vec_each (&words, word) {
		bool system = false;

		vec_each (&events, event)
			system |= str_starts(*event, *word) && (*event)[strlen(*word)] == ':';
		if (err || said || !events.n || system || is_keyword(*word) || strv_has(&own, *word) || strv_has(&names, *word) || strv_has(&fields, *word))
			continue;
		nearest_names(*word, &fields, 3, &best);
		near = best.n ? join_names(&best, "; nearest: ", "") : join_names(&fields, "; fields: ", "");
		of = join_names(&events, "", "");
		said = fail(EINVAL, "sqlhist: '%s' is no field of %s%s", *word, of ? of : "the events", near ? near : "");
	}
	strv_fini(&words);
	strv_fini(&own);
	strv_fini(&events);
	strv_fini(&names);
	strv_fini(&fields);
	strv_fini(&best);
	return said;
}

/* Reports what the library has said: the statement, a caret, "ERROR: 'WORD'", and what is wrong with the word. */
static int say_what_it_said(const struct sql *sql, const struct tracedir *top, char *said)
{
	char *word = strstr(said, "ERROR: '"), *what = word ? strstr(word, "'\n") : NULL;
	char *caret = strchr(said, '^');
	strv_t found = { 0 };
	int err;

	if (!what)
		return fail(EINVAL, "sqlhist: %s", str_trim(said));
	*what = '\0';
	word += strlen("ERROR: '");
	what = str_trim(what + 2);
	if (strcmp(what, "event not found") == 0 && tracedir_has(top, "available_events")) {
		err = events_find(top, word, &found);
		strv_fini(&found);
		if (err)
			return err;
	}
	if (strcmp(what, "syntax error") == 0 && !*word)
		return fail(EINVAL,
			    "sqlhist: the statement ends too early: '%s'; it is SELECT FIELDS FROM EVENT [JOIN EVENT ON FIELD = FIELD] "
			    "[WHERE FILTER]",
			    sql->statement);
	if (caret && *word)
		caret[1] = '\0';
	return fail(EINVAL, "sqlhist: %s at '%s'%s%s", what, word, caret && *word ? ":\n" : "", caret && *word ? said : "");
}

static int say_why(const struct sql *sql, const struct tracedir *top, int status, struct text *said)
{
	if (WIFEXITED(status) && WEXITSTATUS(status) == NO_EVENTS)
		return fail(EINVAL, "cannot read the events in %s", top->path);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		return fail(ETIMEDOUT, "sqlhist: libtracefs is not done with the statement in %d s", LIMIT_SECONDS);
	if (WIFEXITED(status) && said->size)
		return say_what_it_said(sql, top, said->at);
	if (tracedir_has(top, "available_events")) {
		int err = say_unknown(sql, top);

		if (err)
			return err;
	}
	return fail(EINVAL,
		    "sqlhist: libtracefs cannot make a histogram of '%s', and does not say why; are all fields in it those of its events "
		    "(`ringside list -F -e EVENT`), and are they numbers where it calculates?",
		    sql->statement);
}

/* Reads all that the child prints until it ends. */
static int hear(int fd, struct text *out)
{
	struct str s = { 0 };
	char bytes[4096];
	ssize_t got;

	while ((got = io_read(fd, bytes, sizeof(bytes))) > 0)
		str_addn(&s, bytes, (size_t)got);
	out->size = s.len;
	out->at = str_take(&s);
	return got < 0 ? (int)got : out->at ? 0 : -ENOMEM;
}

/* Has a child compile the statement. *@said is what the child prints, and *@status is how it ends. */
static int have_compiled(const struct sql *sql, const struct tracedir *top, struct text *said, int *status)
{
	strv_t systems = { 0 };
	int pipes[2], err = find_systems(sql, top, &systems);
	pid_t pid;

	if (!err && pipe2(pipes, O_CLOEXEC))
		err = fail(errno, "cannot make a pipe: %m");
	if (err) {
		strv_fini(&systems);
		return err;
	}
	pid = fork();
	if (pid == 0)
		be_compiler(sql, top->path, &systems, pipes[1]);
	err = pid < 0 ? -errno : 0;
	close(pipes[1]);
	err = err ? err : hear(pipes[0], said);
	close(pipes[0]);
	while (pid > 0 && waitpid(pid, status, 0) < 0 && errno == EINTR)
		;
	strv_fini(&systems);
	return err ? fail(-err, "sqlhist: cannot have the statement compiled: %s", strerror(-err)) : 0;
}

int sql_compile(const struct sql *sql, const struct tracedir *top, sql_commands_t *out)
{
	struct text said = { 0 };
	int status = 0, err = have_compiled(sql, top, &said, &status);

	if (err) {
		free(said.at);
		return err;
	}
	if (!WIFEXITED(status) || WEXITSTATUS(status) != MADE)
		err = say_why(sql, top, status, &said);
	else if ((err = add_commands(&said, out)))
		err = fail(-err, "sqlhist: the answer of libtracefs cannot be read: %.200s", said.at);
	else if (sql->variable)
		err = set_actions(sql, top, out);
	err = err ? err : name_event(sql, out);
	free(said.at);
	return err;
}
