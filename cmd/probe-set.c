/* SPDX-License-Identifier: GPL-2.0 */
/* ringside probe add, del, list and show: probes that stay until they are removed or the machine reboots. */
#include "cmd/probe.h"
#include "cmd/table-options.h"

#include "lib/base/err.h"
#include "lib/record/probes.h"
#include "lib/tracefs/dynevent.h"

#include <stdio.h>
#include <unistd.h>

/* Does the pattern match the probe? A pattern without a group matches in any group. */
static bool is_meant(const struct dynevent *d, const char *pattern)
{
	const char *slash = strchr(d->name, '/');

	if (glob_match(pattern, d->name))
		return true;
	return !strchr(pattern, '/') && slash && glob_match(pattern, slash + 1);
}

/* --- add ----------------------------------------------------------------------------------------------------- */

static int add_command(const struct tracedir *top, const struct probe_command *c)
{
	__cleanup(free_ptr) char *folder = str_printf("events/%s/%s", c->group, c->event);
	__cleanup(free_ptr) char *what = NULL;
	size_t at = 0;
	int err;

	if (folder && tracedir_has(top, folder))
		return fail(EEXIST, "there is a %s/%s already; choose another name with name=GROUP/EVENT", c->group, c->event);
	err = dynevent_add(top, c->text, c->plain, &what, &at);
	if (err)
		return what ? probe_refused(c, -err, what, at) : err;
	printf("%s:%s\n", c->group, c->event);
	return 0;
}

struct add_opts {
	bool force;
};

#define TO(field) offsetof(struct add_opts, field)

static int add_one(const struct tracedir *top, const char *text, bool force)
{
	struct probe_world world = probes_world(top);
	struct probe_set *set = NULL;
	size_t done = 0;
	int err = probe_set_new(&set, text, false);

	world.force = force;
	if (err == -ENOMEM)
		fail(ENOMEM, "no memory for the probe '%s'", text);
	err = err ? err : probe_compile(&world, &set->spec, &set->commands);
	for (; !err && done < set->commands.n; done++)
		err = add_command(top, &set->commands.at[done]);
	/* After an error, the commands before it are undone. */
	for (size_t i = 0; err && done && i + 1 < done; i++)
		tracedir_write(top, "dynamic_events", set->commands.at[i].remove, false);
	probe_world_fini(&world);
	probe_set_free(set);
	return err;
}

static int run_add(int argc, char **argv)
{
	struct tracedir top = TRACEDIR_NONE;
	struct add_opts o = { 0 };
	char **operands;
	int n = opt_parse(&probe_cmd_add, &o, argc, argv, &operands), err;

	if (n < 0)
		return opt_status(n);
	if (n == 0)
		return usage(&probe_cmd_add, "a probe is wanted, as 'kprobe:do_sys_openat2 dfd filename:string'");
	err = tracedir_open(&top, NULL);
	for (int i = 0; !err && i < n; i++)
		err = add_one(&top, operands[i], o.force);
	tracedir_fini(&top);
	return err != 0;
}

const struct cmd probe_cmd_add = {
	.name = "probe add",
	.synopsis = "[OPTION...] PROBE ...",
	.summary = "add probes that stay until they are deleted, and print the names of their events for `record -e`",
	.details = "PROBE is a probe such as 'kprobe:do_sys_openat2 dfd filename:string'. ringside-probe(1) says how probes are written.",
	.operands = "probes",
	.opts = (const struct opt[]){ { OPT_FLAG, .name = "force", .offset = TO(force), .help = "put a uprobe even where no instruction begins" }, OPT_END },
	.run = run_add,
};

/* --- del, list, show ------------------------------------------------------------------------------------------ */

static int add_matching(const dynevents_t *all, const char *pattern, strv_t *out)
{
	bool found = false;

	vec_each (all, d) {
		if (!is_meant(d, pattern))
			continue;
		found = true;
		if (!strv_has(out, d->name) && strv_add(out, d->name))
			return fail(ENOMEM, "out of memory");
	}
	return found ? 0 : fail(ENOENT, "there is no probe '%s'; `ringside probe list` lists them", pattern);
}

static int run_del(int argc, char **argv)
{
	struct tracedir top = TRACEDIR_NONE;
	dynevents_t all = { 0 };
	strv_t names = { 0 };
	char **operands;
	int n = opt_parse(&probe_cmd_del, NULL, argc, argv, &operands), err;

	if (n < 0)
		return opt_status(n);
	if (n == 0)
		return usage(&probe_cmd_del, "the name of a probe is wanted, or a glob as 'ringside/*'");
	err = tracedir_open(&top, NULL);
	err = err ? err : dynevents_read(&top, &all);
	for (int i = 0; !err && i < n; i++)
		err = add_matching(&all, operands[i], &names);
	err = err ? err : dynevents_remove(&top, &names);
	strv_fini(&names);
	dynevents_fini(&all);
	tracedir_fini(&top);
	return err != 0;
}

const struct cmd probe_cmd_del = {
	.name = "probe del",
	.synopsis = "GROUP/EVENT | GLOB ...",
	.summary = "remove probes by name",
	.details = "GROUP/EVENT is the name of one probe, as `ringside probe list` shows it. GLOB stands for all probes whose names match GLOB.",
	.operands = "dynevents",
	.run = run_del,
};

enum { PROBE, ENABLED, DEFINITION };

static const struct table_column columns[] = {
	[PROBE] = { "probe", TABLE_TEXT },
	[ENABLED] = { "enabled", TABLE_BOOL },
	[DEFINITION] = { "definition", TABLE_TEXT, .wrap = true },
	{ NULL },
};
static const struct table_spec spec = { .columns = columns };

static bool is_enabled(const struct tracedir *top, const struct dynevent *d)
{
	__cleanup(free_ptr) char *file = str_printf("events/%s/enable", d->name);
	__cleanup(free_ptr) char *on = NULL;

	if (file)
		tracedir_read(top, file, &on);
	return on && on[0] == '1';
}

static void add_row(struct table *table, const struct dynevent *d, bool enabled)
{
	table_row(table, TABLE_ROOT);
	table_copy(table, PROBE, d->name);
	table_bool(table, ENABLED, enabled);
	table_copy(table, DEFINITION, d->line);
}

/*
 * Lists the probes that match @pattern (NULL: all). They go into @table or, if that is NULL, are printed one per line: with @whole the definition, otherwise
 * the name.
 */
static int each_probe(const char *pattern, struct table *table, bool whole)
{
	struct tracedir top = TRACEDIR_NONE;
	dynevents_t all = { 0 };
	size_t n = 0;
	int err = tracedir_open(&top, NULL);

	err = err ? err : dynevents_read(&top, &all);
	vec_each (&all, d) {
		if (pattern && !is_meant(d, pattern))
			continue;
		n++;
		if (table)
			add_row(table, d, is_enabled(&top, d));
		else if (whole)
			printf("%s\n", d->line);
		else
			printf("%-40s %s\n", d->name, is_enabled(&top, d) ? "enabled" : "disabled");
	}
	if (!err && pattern && !n)
		err = fail(ENOENT, "there is no probe '%s'", pattern);
	dynevents_fini(&all);
	tracedir_fini(&top);
	return err;
}

static int run_list(int argc, char **argv)
{
	struct table_opts forms = { 0 };
	struct table *table = NULL;
	struct table_show show;
	char **operands;
	int n = opt_parse(&probe_cmd_list, &forms, argc, argv, &operands), status;

	if (n < 0)
		return opt_status(n);
	if (table_settle(&probe_cmd_list, &forms, STDOUT_FILENO, &show) || (table_asked(&forms) && table_new(&table, &spec, &show)))
		return 2;
	status = each_probe(operands[0], table, false) ? 1 : 0;
	if (table && !status)
		status = table_print(table, NULL);
	table_free(table);
	return status;
}

static const struct opt list_options[] = {
	{ OPT_ROWS, .rows = table_form_options },
	OPT_END,
};

const struct cmd probe_cmd_list = {
	.name = "probe list",
	.synopsis = "[OPTION...] [GLOB]",
	.summary = "list all probes, and whether they are enabled",
	.opts = list_options,
	.operands = "dynevents",
	.run = run_list,
};

static int run_show(int argc, char **argv)
{
	char **operands;
	int n = opt_parse(&probe_cmd_show, NULL, argc, argv, &operands);

	if (n < 0)
		return opt_status(n);
	return each_probe(operands[0], NULL, true) ? 1 : 0;
}

const struct cmd probe_cmd_show = {
	.name = "probe show",
	.synopsis = "[GLOB]",
	.summary = "print all probes in the kernel's own syntax",
	.operands = "dynevents",
	.run = run_show,
};
