/* SPDX-License-Identifier: GPL-2.0 */
/* ringside stat: shows what differs from a fresh boot, which ringside set it, and what is in the buffers. */
#include "cmd/commands.h"
#include "cmd/pager.h"
#include "cmd/stat.h"
#include "cmd/table-options.h"
#include "cmd/targets.h"
#include "lib/base/err.h"
#include "lib/tracefs/busy.h"
#include "lib/tracefs/dynevent.h"
#include "lib/tracefs/meta.h"
#include "lib/tracefs/refused.h"
#include "lib/tracefs/setting.h"

#include <stdio.h>
#include <unistd.h>

/* At most this many functions of a list are shown. */
enum { FEW_NAMES = 12 };

struct stat_opts {
	struct targets targets;
	bool options; /* -o: show all of them */
	struct table_opts forms;
};

static const struct table_column columns[] = {
	[STAT_INSTANCE] = { "instance", TABLE_TEXT },
	[STAT_SETTING] = { "setting", TABLE_TEXT },
	[STAT_VALUE] = { "value", TABLE_TEXT, .wrap = true },
	[STAT_PID] = { "pid", TABLE_ID },
	[STAT_COMMAND] = { "command", TABLE_TEXT, .more = true },
	[STAT_CPU] = { "cpu", TABLE_ID },
	[STAT_EVENTS] = { "events", TABLE_COUNT },
	[STAT_BYTES] = { "bytes", TABLE_BYTES },
	[STAT_SIZE] = { "size", TABLE_BYTES },
	[STAT_OVERWRITTEN] = { "overwritten", TABLE_COUNT },
	[STAT_LOST] = { "lost", TABLE_COUNT },
	{ NULL },
};
const struct table_spec stat_table = { .columns = columns };

void stat_row(struct place *p, const char *setting)
{
	table_row(p->table, TABLE_ROOT);
	table_copy(p->table, STAT_INSTANCE, p->name);
	table_text(p->table, STAT_SETTING, setting);
}

/* --- lines -------------------------------------------------------------------------------------------------- */

/* Returns the newest ringside that changed one of the @n files of the instance, or NULL if none is known. */
static const struct journal_info *owner(const struct place *p, const char *const *files, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		__cleanup(free_ptr) char *path = files[i] ? str_printf("%s%s", p->prefix, files[i]) : NULL;
		const struct journal_info *info = path ? journals_owner(p->journals, p->top->path, path) : NULL;

		if (info)
			return info;
	}
	return NULL;
}

/* Returns the command line without the folder of its program. */
static const char *command_of(const struct journal_info *who)
{
	const char *at = who->command;

	for (const char *c = at; *c && *c != ' '; c++)
		at = *c == '/' ? c + 1 : at;
	return at;
}

/* Prints "  label    text  (pid 12)", with the label only on its first line. The command of pid 12 is shown further up if it uses the instance. */
static void line(struct place *p, const char *label, const char *text, const struct journal_info *who)
{
	if (p->table) {
		stat_row(p, label);
		table_copy(p->table, STAT_VALUE, text);
		if (who)
			table_id(p->table, STAT_PID, (int)who->pid);
		table_copy(p->table, STAT_COMMAND, who ? command_of(who) : NULL);
		return;
	}
	printf("  %-16s %s", p->last && strcmp(p->last, label) == 0 ? "" : label, text);
	if (who && strv_has(&who->uses, p->name))
		printf("  (pid %d)", (int)who->pid);
	else if (who)
		printf("  (pid %d: %.100s)", (int)who->pid, command_of(who));
	putchar('\n');
	p->last = label;
}

void stat_file_line(struct place *p, const char *label, const char *text, const char *file)
{
	line(p, label, text, owner(p, &file, 1));
}

/* --- settings of one value ---------------------------------------------------------------------------------- */

static const struct {
	const char *file;
	const char *label;
	const char *usual; /* the value after boot; NULL: the file is always shown */
} values[] = {
	{ "current_tracer", "tracer", "nop" },		{ "trace_clock", "clock", "local" },	    { "tracing_cpumask", "CPUs (mask)", NULL },
	{ "max_graph_depth", "graph depth", "0" },	{ "tracing_thresh", "threshold, us", "0" }, { "tracing_max_latency", "max latency, us", "0" },
	{ "buffer_percent", "wakes readers, %", "50" },
};

static void print_values(struct place *p)
{
	__cleanup(free_ptr) char *mask = setting_all_cpus();

	for (size_t i = 0; i < ARRAY_LEN(values); i++) {
		const char *usual = values[i].usual ? values[i].usual : mask ? mask : "";
		__cleanup(free_ptr) char *now = NULL;

		if (!setting_read(p->dir, values[i].file, &now) && !setting_same(values[i].file, now, usual))
			stat_file_line(p, values[i].label, now, values[i].file);
	}
}

static void print_on(struct place *p)
{
	__cleanup(free_ptr) char *on = NULL;

	if (!setting_read(p->dir, "tracing_on", &on))
		stat_file_line(p, "tracing", strcmp(on, "0") ? "on" : "off", "tracing_on");
}

/* --- lists --------------------------------------------------------------------------------------------------- */

static const struct {
	const char *file;
	const char *label;
} lists[] = {
	{ "set_ftrace_filter", "functions" }, { "set_ftrace_notrace", "not functions" },    { "set_graph_function", "graph" },
	{ "set_graph_notrace", "not graph" }, { "set_ftrace_pid", "functions of" },	    { "set_ftrace_notrace_pid", "functions not of" },
	{ "set_event_pid", "events of" },     { "set_event_notrace_pid", "events not of" },
};

static void print_list(struct place *p, const char *label, const char *file)
{
	strv_t names = { 0 };
	struct str s = { 0 };

	if (!setting_lines(p->dir, file, &names) && names.n) {
		size_t few = p->table ? names.n : MIN(names.n, (size_t)FEW_NAMES);

		for (size_t i = 0; i < few; i++)
			str_addf(&s, "%s%s", i ? ", " : "", names.at[i]);
		if (names.n > few)
			str_addf(&s, " and %zu more", names.n - few);
		stat_file_line(p, label, str_text(&s), file);
	}
	strv_fini(&names);
	str_fini(&s);
}

/* Prints the function commands, such as "vfs_read:traceoff:unlimited". */
static void print_commands(struct place *p)
{
	__cleanup(free_ptr) char *text = NULL;
	struct text rest, one;

	if (tracedir_read(p->dir, "set_ftrace_filter", &text))
		return;
	rest = (struct text){ text, strlen(text) };
	while (text_line(&rest, &one)) {
		one.at[one.size] = '\0';
		if (one.at[0] != '#' && strchr(one.at, ':') && !strstr(one.at, ":mod:"))
			line(p, "function command", one.at, NULL);
	}
}

/* --- options ------------------------------------------------------------------------------------------------- */

/* The options that are on after boot. In instances, only the first USUAL_IN_INSTANCES of them are. */
static const char *const usual_options[] = {
	"annotate",	  "context-info", "funcgraph-cpu",     "funcgraph-duration", "funcgraph-irqs", "funcgraph-overhead",
	"function-trace", "graph-time",	  "hash-ptr",	       "irq-info",	     "markers",	       "overwrite",
	"print-parent",	  "sleep-time",	  "copy_trace_marker", "record-cmd",	     "trace_printk",   "trace_printk_dest",
};
enum { USUAL_IN_INSTANCES = 14 };

static bool usually_on(const struct place *p, const char *option)
{
	for (size_t i = 0; i < (!*p->name ? ARRAY_LEN(usual_options) : USUAL_IN_INSTANCES); i++)
		if (strcmp(usual_options[i], option) == 0)
			return true;
	return false;
}

static void print_options(struct place *p, bool all)
{
	strv_t names = { 0 };

	tracedir_list(p->dir, TRACEDIR_OPTIONS, &names);
	vec_each (&names, name) {
		__cleanup(free_ptr) char *file = str_printf("options/%s", *name);
		__cleanup(free_ptr) char *now = NULL;
		__cleanup(free_ptr) char *text = NULL;
		bool on;

		if (!file || setting_read(p->dir, file, &now))
			continue;
		on = strcmp(now, "0") != 0;
		text = str_printf("%s%s", on ? "" : "no", *name);
		if (text && (all || on != usually_on(p, *name)))
			stat_file_line(p, "option", text, file);
	}
	strv_fini(&names);
}

/* --- events -------------------------------------------------------------------------------------------------- */

/* Returns who has switched on the event: alone, with its system, or with all events. */
static const struct journal_info *event_owner(const struct place *p, const char *event)
{
	__cleanup(free_ptr) char *one = str_printf("events/%s/enable", event);
	__cleanup(free_ptr) char *system = str_printf("events/%.*s/enable", (int)strcspn(event, ":"), event);
	const char *const files[] = { one, system, "events/enable" };

	if (one)
		*strchr(one, ':') = '/';
	return owner(p, files, ARRAY_LEN(files));
}

/* Returns how many of @events are of the same system as @event. */
static size_t of_system(const strv_t *events, const char *event)
{
	size_t len = strcspn(event, ":") + 1, n = 0;

	vec_each (events, e)
		n += strncmp(*e, event, len) == 0;
	return n;
}

/* Prints the events that are on. A system of which all events are on takes one line. */
static void print_enabled(struct place *p, const strv_t *all)
{
	strv_t on = { 0 }, named = { 0 };

	tracedir_list(p->dir, TRACEDIR_ENABLED, &named);
	vec_each (&named, event)
		if (event_enabled(p->dir, *event))
			strv_add(&on, *event);
	strv_sort(&on);
	for (size_t i = 0; i < on.n; i++) {
		size_t n = of_system(&on, on.at[i]);
		__cleanup(free_ptr) char *whole = str_printf("%.*s (all %zu)", (int)strcspn(on.at[i], ":"), on.at[i], n);
		bool is_whole = n > 1 && n == of_system(all, on.at[i]);

		line(p, "event", is_whole && whole ? whole : on.at[i], event_owner(p, on.at[i]));
		i += is_whole ? n - 1 : 0;
	}
	strv_fini(&on);
	strv_fini(&named);
}

/* Prints the filters (@kind "filter") or triggers (@kind "trigger") of all events. */
static void print_event_files(struct place *p, const strv_t *all, const char *kind)
{
	vec_each (all, event) {
		__cleanup(free_ptr) char *file = str_printf("events/%s/%s", *event, kind);
		__cleanup(free_ptr) char *now = NULL;
		struct text rest, one;

		if (!file)
			continue;
		*strchr(file, ':') = '/';
		if (tracedir_read(p->dir, file, &now) || !strcmp(now, "none") || now[0] == '#')
			continue;
		rest = (struct text){ now, strlen(now) };
		while (text_line(&rest, &one)) {
			__cleanup(free_ptr) char *text = str_printf("%s: %.*s", *event, prec(one.size), one.at);

			if (text && one.size && one.at[0] != '#')
				stat_file_line(p, kind, text, file);
		}
	}
}

static void print_events(struct place *p)
{
	strv_t all = { 0 };

	tracedir_list(p->top, TRACEDIR_EVENTS, &all);
	print_enabled(p, &all);
	print_event_files(p, &all, "filter");
	print_event_files(p, &all, "trigger");
	strv_fini(&all);
}

static void print_snapshot(struct place *p)
{
	__cleanup(free_ptr) char *text = NULL;

	if (!tracedir_read(p->dir, "snapshot", &text) && !strstr(text, "* Snapshot is freed *"))
		line(p, "snapshot", "there is memory for one", NULL);
}

/* --- who, and what belongs to no instance -------------------------------------------------------------------- */

static void print_users(struct place *p)
{
	vec_each (p->journals, info) {
		__cleanup(free_ptr) char *text = str_printf("pid %d: %.200s", (int)info->pid, command_of(info));

		if (text && strcmp(info->tracing_dir, p->top->path) == 0 && strv_has(&info->uses, p->name))
			line(p, info->alive ? "recorded by" : info->stays ? "set up by" : "left behind by", text, NULL);
	}
}

static void print_dynevents(struct place *p)
{
	dynevents_t all = { 0 };

	dynevents_read(p->top, &all);
	vec_each (&all, d) {
		__cleanup(free_ptr) char *path = str_printf("dynamic_events:%s", d->name);
		const char *file = path;

		line(p, "dynamic event", d->line, owner(p, &file, 1));
	}
	dynevents_fini(&all);
}

static const struct {
	const char *name;
	const char *usual;
} sysctls[] = {
	{ "ftrace_enabled", "1" },    { "stack_tracer_enabled", "0" }, { "traceoff_on_warning", "0" },
	{ "tracepoint_printk", "0" }, { "ftrace_dump_on_oops", "0" },
};

static void print_sysctls(struct place *p)
{
	struct tracedir kernel;

	if (sysctl_open(&kernel))
		return;
	for (size_t i = 0; i < ARRAY_LEN(sysctls); i++) {
		__cleanup(free_ptr) char *now = NULL;
		__cleanup(free_ptr) char *text = NULL;
		__cleanup(free_ptr) char *path = str_printf("sysctl:%s", sysctls[i].name);
		const char *file = path;

		if (setting_read(&kernel, sysctls[i].name, &now) || setting_same(sysctls[i].name, now, sysctls[i].usual))
			continue;
		text = str_printf("%s = %s", sysctls[i].name, now);
		if (text)
			line(p, "kernel", text, owner(p, &file, 1));
	}
	tracedir_fini(&kernel);
}

static void print_instances(struct place *p)
{
	__cleanup(free_ptr) char *joined = NULL;
	strv_t names = { 0 };

	tracedir_list(p->top, TRACEDIR_INSTANCES, &names);
	vec_each (&names, name)
		line(p, "instance", *name, NULL);
	strv_fini(&names);
}

static void print_errors(struct place *p)
{
	__cleanup(free_ptr) char *text = NULL;

	if (tracedir_read(p->dir, "error_log", &text) || !*text)
		return;
	if (p->table)
		line(p, "error log", text, NULL);
	else
		printf("  error log:\n%s\n", text);
}

/* --- the command --------------------------------------------------------------------------------------------- */

struct context {
	const struct stat_opts *opts;
	struct tracedir top;
	journals_t journals;
	size_t done;
	struct table *table;
};

static int print_one(void *ctx, const struct tracedir *dir, const char *name)
{
	struct context *c = ctx;
	struct place p = { .dir = dir, .top = &c->top, .journals = &c->journals, .name = name, .table = c->table };
	int err;

	p.prefix = *name ? str_printf("instances/%s/", name) : strdup("");
	if (!p.prefix)
		return fail(ENOMEM, "out of memory");
	if (!p.table) {
		if (c->done++)
			putchar('\n');
		stat_lines(dir, &c->top, name);
		printf("%s%s:\n", *name ? "instance " : "top", name);
	}
	print_users(&p);
	print_on(&p);
	print_values(&p);
	print_events(&p);
	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		print_list(&p, lists[i].label, lists[i].file);
	print_commands(&p);
	print_options(&p, c->opts->options);
	if (!*name) {
		print_dynevents(&p);
		print_sysctls(&p);
		print_instances(&p);
	}
	print_snapshot(&p);
	stat_size(&p);
	err = stat_use(&p);
	print_errors(&p);
	free(p.prefix);
	return err;
}

/* Prints everything, as lines or as a table. Returns the exit status. */
static int tell(struct context *c)
{
	int status = tracedir_open(&c->top, NULL) ? 1 : 0;
	pid_t pager;

	if (status)
		return status;
	journals_find(NULL, &c->journals);
	pager = pager_start();
	status = targets_each(&c->opts->targets, false, print_one, c) ? 1 : 0;
	if (c->table && !status)
		status = table_print(c->table, NULL);
	pager_wait(pager);
	return status;
}

static int run(int argc, char **argv)
{
	struct stat_opts opts = { 0 };
	struct context c = { .opts = &opts, .top = TRACEDIR_NONE };
	struct table_show show;
	char **operands;
	int n = opt_parse(&cmd_stat, &opts, argc, argv, &operands), status;

	if (n < 0)
		status = opt_status(n);
	else if (n)
		status = usage(&cmd_stat, "it takes no arguments, and here is '%s'", *operands);
	else if (table_settle(&cmd_stat, &opts.forms, STDOUT_FILENO, &show) || (table_asked(&opts.forms) && table_new(&c.table, &stat_table, &show)))
		status = 2;
	else
		status = tell(&c);
	table_free(c.table);
	journals_fini(&c.journals);
	tracedir_fini(&c.top);
	targets_fini(&opts.targets);
	return status;
}

static const struct opt options[] = {
	TARGET_ROWS(OPT_TO(struct stat_opts, targets)),
	{ OPT_FLAG, 'o', .name = "options", .offset = OPT_TO(struct stat_opts, options),
	  .help = "print all trace options; \"no\" stands before the options that are off" },
	{ OPT_ROWS, .rows = table_form_options, .offset = OPT_TO(struct stat_opts, forms) },
	OPT_END,
};

const struct cmd cmd_stat = {
	.name = "stat",
	.synopsis = "[OPTION...]",
	.summary = "tell which tracing settings have been changed, by whom, and what is in the buffers",
	.details = "Settings that are the same as after a fresh boot are not shown.",
	.opts = options,
	.run = run,
};
