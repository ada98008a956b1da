/* SPDX-License-Identifier: GPL-2.0 */
/* ringside sqlhist: makes histograms and synthetic events from SQL statements. */
#include "cmd/commands.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/quote.h"
#include "lib/tracefs/session.h"
#include "lib/tracefs/sql.h"
#include "lib/tracefs/target.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

struct sqlhist {
	struct sql sql;
	const char *file, *tracing_dir, *instance;
	const char *maximum, *change;
	bool execute, both;
	strv_t saved;
};

/* Where the commands go: synthetic events belong to the whole kernel, and histograms to an instance. */
struct place {
	struct session *session;
	struct instance *inst;
};

static bool is_definition(const struct sql_command *command)
{
	return strcmp(command->file, "dynamic_events") == 0;
}

/* Returns the event of "events/sched/sched_switch/trigger" as "sched:sched_switch". The caller frees it. */
static char *event_of(const struct sql_command *command)
{
	char *event = strdup(command->file + strlen("events/"));

	if (event) {
		*strchr(event, '/') = ':';
		*strrchr(event, '/') = '\0';
	}
	return event;
}

/* --- saying what would be done -------------------------------------------------------------------------------- */

static int print_commands(const struct sqlhist *c, const struct tracedir *top, const sql_commands_t *todo)
{
	/* With -t the statement is only tried out on a copy, so the printed commands are for the usual path. */
	const char *path = c->tracing_dir ? "/sys/kernel/tracing" : top->path;
	struct str text = { 0 };
	bool oom;

	vec_each (todo, command) {
		str_add(&text, "echo ");
		quote_shell(command->text, &text);
		str_addf(&text, " >> %s/", path);
		if (c->instance && !is_definition(command))
			str_addf(&text, "instances/%s/", c->instance);
		str_addf(&text, "%s\n", command->file);
	}
	oom = text.oom;
	if (!oom)
		fputs(str_text(&text), stdout);
	str_fini(&text);
	return oom ? fail(ENOMEM, "out of memory") : 0;
}

/* --- doing it ------------------------------------------------------------------------------------------------- */

/* Reports what this kernel lacks for the commands, before anything is changed. */
static int check_kernel(const struct sqlhist *c, const struct tracedir *top, const sql_commands_t *todo)
{
	vec_each (todo, command) {
		__cleanup(free_ptr) char *hist = str_printf("%.*shist", (int)(strrchr(command->file, '/') + 1 - command->file), command->file);

		if (is_definition(command)) {
			__cleanup(free_ptr) char *folder = str_printf("events/synthetic/%s", c->sql.name);

			if (!tracedir_has(top, "synthetic_events"))
				return fail(ENOENT, "this kernel has no synthetic events: it would have to be built with CONFIG_SYNTH_EVENTS");
			if (folder && tracedir_has(top, folder))
				return fail(EEXIST,
					    "there is a synthetic event %s already: choose another name with -n, or remove it with "
					    "`ringside probe del synthetic/%s`",
					    c->sql.name, c->sql.name);
		} else if (hist && !tracedir_has(top, hist)) {
			return fail(ENOENT, "this kernel has no histograms of events: it would have to be built with CONFIG_HIST_TRIGGERS");
		}
	}
	if (c->sql.snapshot && !tracedir_has(top, "snapshot"))
		return fail(ENOENT, "this kernel has no snapshots: it would have to be built with CONFIG_TRACER_SNAPSHOT");
	return 0;
}

static int define(const struct sqlhist *c, struct session *s, const char *text)
{
	__cleanup(free_ptr) char *remove = str_printf("-:synthetic/%s", c->sql.name);
	__cleanup(free_ptr) char *what = NULL;
	size_t at = 0;
	int err = remove ? session_dynevent(s, text, NULL, remove, &what, &at) : fail(ENOMEM, "out of memory");

	return what ? fail(-err, "the kernel does not take the synthetic event: %s\n%s\n%*s^", what, text, (int)at, "") : err;
}

static int run_commands(const struct sqlhist *c, const struct place *place, const sql_commands_t *todo)
{
	int err = 0;

	vec_each (todo, command) {
		__cleanup(free_ptr) char *event = is_definition(command) ? NULL : event_of(command);

		if (err)
			break;
		if (is_definition(command))
			err = define(c, place->session, command->text);
		else
			err = event ? session_trigger(place->inst, event, command->text) : fail(ENOMEM, "out of memory");
	}
	return err;
}

/* Executes all commands or none: after an error, session_close() undoes the commands before it. */
static int carry_out(const struct sqlhist *c, const sql_commands_t *todo)
{
	struct place place = { 0 };
	char *said = NULL;
	int err = session_open(&place.session, &(struct session_opts){ 0 }), ret;

	if (!err)
		session_warn(place.session);
	err = err ? err : session_join(place.session, c->instance ? c->instance : "", JOIN_ADD, &place.inst, &said);
	err = err ? err : run_commands(c, &place, todo);
	if (!err)
		session_stay(place.session);
	ret = session_close(place.session);
	free(said);
	return err ? err : ret;
}

/* --- the command ---------------------------------------------------------------------------------------------- */

/* Returns the statement, which the caller frees, or NULL after a message. */
static char *read_statement(const struct sqlhist *c, int n, char **words)
{
	struct text text = { 0 };
	struct str s = { 0 };
	char *statement;
	int err;

	for (int i = 0; i < n; i++)
		str_addf(&s, "%s%s", i ? " " : "", words[i]);
	if (!c->file) {
		statement = str_take(&s);
	} else {
		err = io_slurp(strcmp(c->file, "-") == 0 ? "/dev/stdin" : c->file, &text);
		if (err) {
			fail(-err, "%s: %s", c->file, strerror(-err));
			return NULL;
		}
		statement = text.at;
	}
	if (!statement) {
		fail(ENOMEM, "out of memory");
		return NULL;
	}
	/* The statement becomes one line, so that a caret printed below it is in the right place. */
	for (char *at = statement; *at; at++)
		if (*at == '\n' || *at == '\t' || *at == '\r')
			*at = ' ';
	memmove(statement, statement + strspn(statement, " "), strlen(statement + strspn(statement, " ")) + 1);
	while (*statement && statement[strlen(statement) - 1] == ' ')
		statement[strlen(statement) - 1] = '\0';
	return statement;
}

static int compile(const struct sqlhist *c, const struct tracedir *top)
{
	sql_commands_t todo = { 0 };
	int err = sql_compile(&c->sql, top, &todo);

	if (!err && c->instance && todo.n > 1)
		err = fail(EINVAL, "-B %s is for a histogram; a synthetic event and its histograms are the top's, and belong to all instances", c->instance);
	if (!err && c->execute)
		err = check_kernel(c, top, &todo);
	if (!err)
		err = print_commands(c, top, &todo);
	fflush(stdout);
	if (!err && c->execute)
		err = carry_out(c, &todo);
	sql_commands_fini(&todo);
	return err;
}

static bool is_name(const char *name)
{
	return *name && !strchr("0123456789", *name) && name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] == '\0';
}

/* Checks the options. Returns 0, or the exit status after a message. */
static int check(struct sqlhist *c, int n)
{
	struct sql *sql = &c->sql;

	if (!c->file == !n)
		return usage(&cmd_sqlhist, n ? "the statement is given twice: by -f and as an argument" : "it needs a SELECT statement, or -f FILE");
	if (c->maximum && c->change)
		return usage(&cmd_sqlhist, "give one of -m and -c");
	sql->variable = c->maximum ? c->maximum : c->change;
	sql->changes = c->change;
	sql->trace = c->both;
	sql->snapshot |= c->both;
	if ((sql->snapshot || c->saved.n) && !sql->variable)
		return usage(&cmd_sqlhist, "-s, -S and -T say what is done at a maximum or change: they need -m or -c");
	if (c->tracing_dir && c->execute)
		return usage(&cmd_sqlhist, "-t is for trying out in a copy; -e changes the kernel");
	if (!is_name(sql->name))
		return usage(&cmd_sqlhist, "-n '%s' is no name for an event: letters, digits and _ are", sql->name);
	return 0;
}

/* Handles -S pid,prio. */
static int add_saved(void *ctx, const struct opt *opt __unused, const char *value)
{
	return strv_split(&((struct sqlhist *)ctx)->saved, value, ",");
}

#define TO(field) OPT_TO(struct sqlhist, field)

static const struct opt options[] = {
	{ OPT_FLAG, 'e', .name = "execute", .offset = TO(execute),
	  .help = "carry out the kernel commands that STATEMENT stands for; `ringside reset` undoes what the commands did" },
	{ OPT_STR, 'n', .name = "name", .arg = "NAME", .offset = TO(sql.name), .help = "give the synthetic event this name; the default is Anonymous" },
	{ OPT_STR, 'f', .name = "file", .arg = "FILE", .complete = "files", .offset = TO(file),
	  .help = "read the statement from this file; - is the standard input" },
	{ OPT_STR, 'B', .name = "instance|buffer", .arg = "NAME", .complete = "instances", .offset = TO(instance),
	  .help = "make the histogram in this trace instance, not in the top instance" },
	{ OPT_STR, 't', .name = "tracing-dir", .arg = "DIR", .complete = "dirs", .offset = TO(tracing_dir),
	  .help = "take events and fields from this copy of a tracing directory" },
	{ .type = OPT_HEADING, .help = "At which values the kernel acts, and what it does" },
	{ OPT_STR, 'm', .name = "max", .arg = "VARIABLE", .offset = TO(maximum), .help = "generate the event only when this variable has a new maximum" },
	{ OPT_STR, 'c', .name = "change", .arg = "VARIABLE", .offset = TO(change), .help = "generate the event only when this variable changes" },
	{ OPT_FLAG, 's', .name = "snapshot", .offset = TO(sql.snapshot), .help = "with -m or -c: take a snapshot instead of generating the event" },
	{ OPT_FLAG, 'T', .name = "both", .offset = TO(both), .help = "with -m or -c: generate the event and take a snapshot" },
	{ OPT_CALL, 'S', .name = "save", .arg = "FIELDS", .call = add_saved,
	  .help = "with -m or -c: save these fields of the second event (the event after JOIN) in that event's histogram; the synthetic "
		  "event is then generated only with -T" },
	OPT_END,
};

/* Opens a copy of a tracing directory. The folder "events" is enough. */
static int open_copy(struct tracedir *out, const char *path)
{
	*out = (struct tracedir){ .fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), .path = strdup(path) };
	if (!out->path)
		return fail(ENOMEM, "out of memory");
	if (out->fd < 0)
		return fail(errno, "-t %s: %m", path);
	return tracedir_has(out, "events") ? 0 : fail(ENOENT, "-t %s: it has no folder events, so it is no copy of a tracing directory", path);
}

static int run_parsed(struct sqlhist *c, int n, char **words)
{
	__cleanup(free_ptr) char *statement = NULL;
	struct tracedir top = TRACEDIR_NONE;
	int status = check(c, n), err;

	if (status)
		return status;
	c->sql.saved = &c->saved;
	statement = read_statement(c, n, words);
	if (!statement)
		return 1;
	c->sql.statement = statement;
	err = c->tracing_dir ? open_copy(&top, c->tracing_dir) : tracedir_open(&top, NULL);
	err = err ? err : compile(c, &top);
	tracedir_fini(&top);
	return err ? 1 : 0;
}

static int run(int argc, char **argv)
{
	struct sqlhist c = { .sql.name = "Anonymous" };
	char **words;
	int n = opt_parse(&cmd_sqlhist, &c, argc, argv, &words);
	int status = n < 0 ? opt_status(n) : run_parsed(&c, n, words);

	strv_fini(&c.saved);
	return status;
}

const struct cmd cmd_sqlhist = {
	.name = "sqlhist",
	.synopsis = "[OPTION...] STATEMENT",
	.summary = "make histograms and synthetic events by SQL",
	.details = "Without -e, the kernel commands for STATEMENT are only printed.\n\n"
		   "Examples:\n"
		   "  ringside sqlhist -e 'SELECT next_comm FROM sched_switch'; ringside show --hist sched_switch\n"
		   "  ringside sqlhist -e -n wakeup 'SELECT end.next_comm AS comm, (end.TIMESTAMP_USECS - start.TIMESTAMP_USECS) AS lat\n"
		   "    FROM sched_waking AS start JOIN sched_switch AS end ON start.pid = end.next_pid'; ringside record -e wakeup",
	.opts = options,
	.run = run,
};
