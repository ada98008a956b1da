/* SPDX-License-Identifier: GPL-2.0 */
/* ringside list: prints what the running kernel and this program offer, as plain lines for people and scripts. */
#include "cmd/commands.h"
#include "cmd/list.h"
#include "cmd/pattern.h"
#include "lib/base/err.h"
#include "lib/data/codec.h"
#include "lib/tracefs/refused.h"
#include "lib/tracefs/select.h"
#include "lib/tracefs/setting.h"

#include <stdio.h>

struct list {
	bool systems, events, formats, full, filters, triggers, tracers, functions, options, clocks, instances;
	bool plugins, plugin_options, compression;
	strv_t event_patterns, function_patterns;
	strv_t *operands; /* the patterns to which the next operands belong: those of the latest -e or -f */
	strv_t early;	  /* operands before the first -e or -f */
};

/* --- patterns ----------------------------------------------------------------------------------------------- */

struct search {
	const strv_t *names;
	strv_t *out;
};

/* Appends the names in which the regular expression matches, without those that are in the list. Returns 1 if any matches, 0, or -ENOMEM. */
static int by_regex(void *ctx, const struct pattern *p)
{
	const struct search *search = ctx;
	const strv_t before = *search->out;
	int err = 0;

	for (size_t i = 0; !err && i < search->names->n; i++) {
		char *name = search->names->at[i], *colon = strchr(name, ':');
		__cleanup(free_ptr) char *system = colon ? strndup(name, (size_t)(colon - name)) : NULL;

		if (pattern_matches(p, system, colon ? colon + 1 : name) && !strv_has(&before, name))
			err = strv_add(search->out, name);
	}
	return err ? err : search->out->n > before.n;
}

/* Appends what record would take for the pattern. If no function matches, prints a message with the nearest names. */
static int by_glob(const struct tracedir *top, enum tracedir_list what, const char *pattern, strv_t *out)
{
	size_t before = out->n;
	int err = what == TRACEDIR_EVENTS ? events_find(top, pattern, out) : functions_find(top, pattern, out);

	if (!err && out->n == before && what == TRACEDIR_FUNCTIONS)
		err = functions_check(top, &(struct functions_asked){ "-f", &(strv_t){ (char **)&pattern, 1, 1 } }, 1);
	return err;
}

/*
 * Sets *@out to the names of kind @what that match a pattern, or to all if there is no pattern. A pattern is a basic regular expression, as for trace-cmd. If
 * it matches nothing, it is tried as an extended one, and then as a glob.
 */
static int select_names(const struct tracedir *top, enum tracedir_list what, const strv_t *patterns, strv_t *out)
{
	strv_t all = { 0 };
	struct search search = { &all, out };
	int err = what == TRACEDIR_EVENTS ? events_find(top, "all", &all) : functions_find(top, NULL, &all);

	if (!patterns->n) {
		*out = all;
		return err;
	}
	for (size_t i = 0; !err && i < patterns->n; i++) {
		int found = pattern_either(what == TRACEDIR_EVENTS ? "-e" : "-f", patterns->at[i], by_regex, &search);

		err = found ? MIN(found, 0) : by_glob(top, what, patterns->at[i], out);
	}
	strv_fini(&all);
	return err;
}

/* --- events ------------------------------------------------------------------------------------------------- */

/* Prints the text of an event's file, up to @until if that is not NULL. */
static int print_event_file(const struct tracedir *top, const char *event, const char *file, const char *until)
{
	__cleanup(free_ptr) char *path = str_printf("events/%s/%s", event, file);
	__cleanup(free_ptr) char *text = NULL;
	char *end;
	int err;

	if (!path)
		return fail(ENOMEM, "out of memory");
	*strchr(path + strlen("events/"), ':') = '/';
	err = tracedir_read(top, path, &text);
	if (err)
		return refused(top, path, -err);
	end = until ? strstr(text, until) : NULL;
	if (end)
		*end = '\0';
	printf("%s\n", text);
	return 0;
}

static int print_event(const struct list *list, const struct tracedir *top, const char *event)
{
	int err = 0;

	if (list->formats) {
		printf("system: %.*s\n", (int)strcspn(event, ":"), event);
		return print_event_file(top, event, "format", list->full ? NULL : "\nprint fmt:");
	}
	puts(event);
	if (list->filters)
		err = print_event_file(top, event, "filter", NULL);
	if (!err && list->triggers)
		err = print_event_file(top, event, "trigger", NULL);
	if (list->filters || list->triggers)
		putchar('\n');
	return err;
}

static int list_events(const struct list *list, const struct tracedir *top)
{
	strv_t events = { 0 };
	int err = select_names(top, TRACEDIR_EVENTS, &list->event_patterns, &events);

	for (size_t i = 0; !err && i < events.n; i++)
		err = print_event(list, top, events.at[i]);
	strv_fini(&events);
	return err;
}

/* --- the rest ----------------------------------------------------------------------------------------------- */

static int list_functions(const struct list *list, const struct tracedir *top)
{
	strv_t names = { 0 };
	int err = select_names(top, TRACEDIR_FUNCTIONS, &list->function_patterns, &names);

	for (size_t i = 0; !err && i < names.n; i++)
		puts(names.at[i]);
	strv_fini(&names);
	return err;
}

/* Prints options as -O takes them: "overwrite" if it is on, "nooverwrite" if it is off. */
static int list_options(__unused const struct list *list, const struct tracedir *top)
{
	strv_t names = { 0 };
	int err = tracedir_list(top, TRACEDIR_OPTIONS, &names);

	for (size_t i = 0; !err && i < names.n; i++) {
		__cleanup(free_ptr) char *file = str_printf("options/%s", names.at[i]);
		__cleanup(free_ptr) char *value = NULL;

		if (file && !setting_read(top, file, &value))
			printf("%s%s\n", strcmp(value, "0") == 0 ? "no" : "", names.at[i]);
	}
	strv_fini(&names);
	return err ? refused(top, "options", -err) : 0;
}

static int list_instances(__unused const struct list *list, const struct tracedir *top)
{
	strv_t names = { 0 };
	int err = tracedir_list(top, TRACEDIR_INSTANCES, &names);

	for (size_t i = 0; !err && i < names.n; i++)
		puts(names.at[i]);
	strv_fini(&names);
	return err ? refused(top, "instances", -err) : 0;
}

static int print_file(const struct tracedir *top, const char *file)
{
	__cleanup(free_ptr) char *text = NULL;
	int err = tracedir_read(top, file, &text);

	if (err)
		return refused(top, file, -err);
	puts(text);
	return 0;
}

static int list_tracers(__unused const struct list *list, const struct tracedir *top)
{
	return print_file(top, "available_tracers");
}

static int list_clocks(__unused const struct list *list, const struct tracedir *top)
{
	return print_file(top, "trace_clock");
}

static int list_systems(__unused const struct list *list, const struct tracedir *top)
{
	strv_t names = { 0 };
	int err = tracedir_list(top, TRACEDIR_SYSTEMS, &names);

	for (size_t i = 0; !err && i < names.n; i++)
		puts(names.at[i]);
	strv_fini(&names);
	return err ? refused(top, "available_events", -err) : 0;
}

static int list_compression(void)
{
	for (const struct codec *const *c = codec_all(); *c; c++)
		if (codec_packs(*c))
			printf("%s, %s\n", (*c)->name, (*c)->version());
		else
			puts((*c)->name);
	return 0;
}

/* --- the command -------------------------------------------------------------------------------------------- */

static int take_events(void *ctx, __unused const struct opt *opt, const char *value)
{
	struct list *list = ctx;

	list->events = true;
	list->operands = &list->event_patterns;
	return value ? strv_add(&list->event_patterns, value) : 0;
}

static int take_functions(void *ctx, __unused const struct opt *opt, const char *value)
{
	struct list *list = ctx;

	list->functions = true;
	list->operands = &list->function_patterns;
	return value ? strv_add(&list->function_patterns, value) : 0;
}

static int take_pattern(void *ctx, const char *word)
{
	struct list *list = ctx;

	return strv_add(list->operands ? list->operands : &list->early, word);
}

static const struct opt options[] = {
	{ OPT_HEADING, .help = "Of the running kernel" },
	{ OPT_CALL, 'e', .name = "events", .optional = true, .arg = "PATTERN", .complete = "events",
	  .help = "list the events, or only those that match PATTERN", .call = take_events },
	{ OPT_FLAG, 'F', .name = "formats", .help = "with -e: print the fields of each event", .offset = OPT_TO(struct list, formats) },
	{ OPT_FLAG, .name = "full", .help = "with -F: show the print format of each event as well", .offset = OPT_TO(struct list, full) },
	{ OPT_FLAG, 'l', .name = "filters", .help = "with -e: print the filter of each event", .offset = OPT_TO(struct list, filters) },
	{ OPT_FLAG, 'R', .name = "triggers", .help = "with -e: print the triggers of each event", .offset = OPT_TO(struct list, triggers) },
	{ OPT_FLAG, 's', .name = "systems", .help = "list event systems", .offset = OPT_TO(struct list, systems) },
	{ OPT_FLAG, 't', .name = "tracers", .help = "list tracers, for `record -p`", .offset = OPT_TO(struct list, tracers) },
	{ OPT_FLAG, 'p', .hidden = true, .help = "tracers", .offset = OPT_TO(struct list, tracers) },
	{ OPT_CALL, 'f', .name = "functions", .optional = true, .arg = "PATTERN", .complete = "functions",
	  .help = "list the functions that can be traced, or only those that match PATTERN", .call = take_functions },
	{ OPT_FLAG, 'o', .name = "options", .help = "list trace options; \"no\" stands before the options that are off",
	  .offset = OPT_TO(struct list, options) },
	{ OPT_FLAG, 'C', .name = "clocks", .help = "list clocks, with the current one in brackets", .offset = OPT_TO(struct list, clocks) },
	{ OPT_FLAG, 'B', .name = "instances", .help = "list trace instances", .offset = OPT_TO(struct list, instances) },
	{ OPT_HEADING, .help = "Of this program" },
	{ OPT_FLAG, 'P', .name = "plugins", .help = "list the plug-ins that `report` loads", .offset = OPT_TO(struct list, plugins) },
	{ OPT_FLAG, 'O', .name = "plugin-options", .help = "list the options of plug-ins, for `report -O`", .offset = OPT_TO(struct list, plugin_options) },
	{ OPT_FLAG, 'c', .name = "compression", .help = "list the compression methods for trace files", .offset = OPT_TO(struct list, compression) },
	OPT_END,
};

/* The parts in the order of printing. If several are printed, each has its heading. */
static const struct {
	size_t wanted;
	const char *heading;
	int (*kernel)(const struct list *list, const struct tracedir *top);
	int (*own)(void); /* for parts that do not need the kernel */
} parts[] = {
	{ OPT_TO(struct list, systems), "event systems", .kernel = list_systems },
	{ OPT_TO(struct list, events), "events", .kernel = list_events },
	{ OPT_TO(struct list, tracers), "tracers", .kernel = list_tracers },
	{ OPT_TO(struct list, functions), "functions", .kernel = list_functions },
	{ OPT_TO(struct list, options), "options", .kernel = list_options },
	{ OPT_TO(struct list, clocks), "clocks", .kernel = list_clocks },
	{ OPT_TO(struct list, instances), "instances", .kernel = list_instances },
	{ OPT_TO(struct list, plugins), "plug-ins", .own = list_plugins },
	{ OPT_TO(struct list, plugin_options), "plug-in options", .own = list_plugin_options },
	{ OPT_TO(struct list, compression), "compression", .own = list_compression },
};

static bool wanted(const struct list *list, size_t part)
{
	return *(const bool *)((const char *)list + parts[part].wanted);
}

static int print_parts(const struct list *list)
{
	struct tracedir top = TRACEDIR_NONE;
	size_t n = 0, done = 0;
	int err = 0;

	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		n += wanted(list, i);
	for (size_t i = 0; !err && i < ARRAY_LEN(parts); i++) {
		if (!wanted(list, i))
			continue;
		if (parts[i].kernel && top.fd < 0)
			err = tracedir_open(&top, NULL);
		if (err)
			break;
		if (n > 1)
			printf("%s%s:\n", done++ ? "\n" : "", parts[i].heading);
		err = parts[i].own ? parts[i].own() : parts[i].kernel(list, &top);
	}
	tracedir_fini(&top);
	return err;
}

static int run(int argc, char **argv)
{
	struct list list = { 0 };
	char **patterns;
	bool any = false;
	int err = 0, n = opt_parse(&cmd_list, &list, argc, argv, &patterns);

	if (n < 0) {
		err = n;
		goto out;
	}
	list.events = list.events || list.formats || list.filters || list.triggers;
	if (!list.operands && list.events)
		list.operands = &list.event_patterns;
	if (list.early.n && !list.operands) {
		usage(&cmd_list, "'%s' is a pattern of what? Give -e for events, -f for functions", list.early.at[0]);
		n = -EINVAL;
		goto out;
	}
	vec_each (&list.early, pattern)
		if (!err && strv_add(list.operands, *pattern))
			err = fail(ENOMEM, "out of memory");
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		any = any || wanted(&list, i);
	if (!any)
		list.systems = list.events = list.tracers = list.options = true;
	if (!err)
		err = print_parts(&list);
out:
	strv_fini(&list.event_patterns);
	strv_fini(&list.function_patterns);
	strv_fini(&list.early);
	if (n < 0)
		return opt_status(n);
	return err ? 1 : 0;
}

const struct cmd cmd_list = {
	.name = "list",
	.synopsis = "[OPTION...] [PATTERN...]",
	.summary = "list events, tracers, functions, options and clocks of the running kernel",
	.details = "Without options, the event systems, events, tracers and trace options are listed. A pattern is a regular expression that\n"
		   "may match anywhere in a name. If a pattern matches no name, the pattern is read as a glob, as for `record -e` and `record -l`.\n\n"
		   "Examples:\n"
		   "  ringside list -e sched_switch -F\n"
		   "  ringside list -f '^vfs_.*read'",
	.opts = options,
	.operands = "events",
	.operand = take_pattern,
	.run = run,
};
