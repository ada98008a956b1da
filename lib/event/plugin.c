/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/event/plugin.h"
#include "lib/base/err.h"
#include "lib/base/parse.h"

#include <dlfcn.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>
#include <unistd.h>

/* The options of built-in printers, with the names that trace-cmd and libtraceevent use. */
static const struct option_row {
	const char *plugin, *name;
	size_t offset;
	bool inverse;
	const char *help; /* NULL: libtraceevent's plug-in of that name lists the option */
} rows[] = {
	{ "ftrace", "parent", offsetof(struct trace_options, func_parent), false },
	{ "ftrace", "indent", offsetof(struct trace_options, func_no_indent), true },
	{ "ftrace", "offset", offsetof(struct trace_options, func_offset), false },
	{ "fgraph", "tailprint", offsetof(struct trace_options, graph_tail), false, "Name the function at its end too" },
	{ "fgraph", "depth", offsetof(struct trace_options, graph_depth), false, "Show the depth of each call" },
};

static const struct {
	const char *name;
	int retval;
} retvals[] = {
	{ "retval-skip", RETVAL_SKIP },
	{ "retval-dec", RETVAL_DEC },
	{ "retval-hex", RETVAL_HEX },
};

/* Reads a flag's value as libtraceevent does: "1", "true" and no value turn the flag on. */
static bool truth(const char *value)
{
	return !value || strcmp(value, "1") == 0 || strcasecmp(value, "true") == 0;
}

static bool named(const char *text, size_t n, const char *name)
{
	return strlen(name) == n && memcmp(text, name, n) == 0;
}

static void option(struct trace_options *opt, const char *text)
{
	const char *colon = strchr(text, ':'), *equal = strchr(text, '=');
	const char *name = colon && (!equal || colon < equal) ? colon + 1 : text;
	size_t plugin_len = name == text ? 0 : (size_t)(name - text - 1);
	size_t n = equal ? (size_t)(equal - name) : strlen(name);
	const char *value = equal ? equal + 1 : NULL;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (named(name, n, rows[i].name) && (!plugin_len || named(text, plugin_len, rows[i].plugin)))
			*(bool *)((char *)opt + rows[i].offset) = truth(value) != rows[i].inverse;
	for (size_t i = 0; i < ARRAY_LEN(retvals); i++)
		if (named(name, n, retvals[i].name) && truth(value))
			opt->retval = retvals[i].retval;
}

bool plugin_own_option(size_t i, const char **plugin, const char **name, const char **help)
{
	for (size_t row = 0; row < ARRAY_LEN(rows); row++) {
		if (!rows[row].help || i--)
			continue;
		*plugin = rows[row].plugin;
		*name = rows[row].name;
		*help = rows[row].help;
		return true;
	}
	return false;
}

/* Adds the options of libtraceevent's plug-ins, which are read from its text. tep_plugin_list_options() writes beyond its list in version 1.7.1. */
static void add_listed(strv_t *out)
{
	struct trace_seq s;
	struct text rest, line, plugin = { 0 };

	trace_seq_init(&s);
	tep_plugin_print_options(&s);
	trace_seq_terminate(&s);
	rest = (struct text){ s.buffer, s.len };
	while (text_line(&rest, &line)) {
		const char *value = memchr(line.at, '\t', line.size);
		struct text word = { value ? (char *)value + 1 : NULL, value ? (size_t)(line.at + line.size - value - 1) : 0 };

		if (str_starts(line.at, "  plugin:"))
			plugin = word;
		else if (str_starts(line.at, "  option:") && plugin.at)
			strv_own(out, str_printf("%.*s:%.*s", prec(plugin.size), plugin.at, prec(word.size), word.at));
	}
	trace_seq_destroy(&s);
}

/* Lists all options as "PLUGIN:NAME". */
static void known_options(strv_t *out)
{
	struct trace_options none = { 0 };
	struct tep_handle *tep = tep_alloc();
	struct tep_plugin_list *plugins = tep ? plugins_load(tep, &none) : NULL;

	add_listed(out);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		strv_own(out, str_printf("%s:%s", rows[i].plugin, rows[i].name));
	for (size_t i = 0; i < ARRAY_LEN(retvals); i++)
		strv_own(out, str_printf("fgraph:%s", retvals[i].name));
	plugins_unload(plugins, tep);
	tep_free(tep);
}

/* Is there an option that @text sets? If it names no plug-in, the option may belong to any. */
static bool is_known(const strv_t *known, const char *text)
{
	size_t n = strcspn(text, "=");
	bool whole = memchr(text, ':', n);

	vec_each (known, name) {
		const char *colon = strchr(*name, ':');

		if (named(text, n, whole || !colon ? *name : colon + 1))
			return true;
	}
	return false;
}

static void warn_of_unknown(const struct trace_options *opt)
{
	strv_t known = { 0 };

	known_options(&known);
	vec_each (&opt->plugin_options, text) {
		__cleanup(free_ptr) char *near = NULL, *name = strndup(*text, strcspn(*text, "="));
		strv_t best = { 0 };

		if (!name || is_known(&known, *text))
			continue;
		nearest_names(name, &known, 2, &best);
		near = join_names(&best, "; nearest: ", "");
		warn("-O %s: no plug-in has such an option%s; `ringside options` lists them", *text, near ? near : "");
		strv_fini(&best);
	}
	strv_fini(&known);
}

int trace_option_parse(struct trace_options *opt)
{
	if (opt->plugin_options.n && !opt->no_plugins)
		warn_of_unknown(opt);
	vec_each (&opt->plugin_options, text)
		option(opt, *text);
	return 0;
}

void trace_options_fini(struct trace_options *opt)
{
	strv_fini(&opt->raw_events);
	strv_fini(&opt->plain_events);
	strv_fini(&opt->plugin_options);
}

/* Passes options to the plug-ins. libtraceevent keeps them until the plug-ins are loaded, and ignores unknown ones. */
static void pass_options(const struct trace_options *opt)
{
	vec_each (&opt->plugin_options, text) {
		__cleanup(free_ptr) char *name = strdup(*text);
		char *equal = name ? strchr(name, '=') : NULL;

		if (!name)
			return;
		if (equal)
			*equal++ = '\0';
		tep_plugin_add_option(name, equal);
	}
}

struct tep_plugin_list *plugins_load(struct tep_handle *tep, const struct trace_options *opt)
{
	const char *own = getenv("RINGSIDE_PLUGIN_DIR");
	__cleanup(free_ptr) char *dir = strdup(own ? own : RINGSIDE_PLUGIN_DIR);

	if (opt->no_plugins)
		return NULL;
	if (opt->no_system_plugins)
		tep_set_flag(tep, TEP_DISABLE_SYS_PLUGINS);
	pass_options(opt);
	if (dir && access(dir, R_OK | X_OK) == 0)
		tep_add_plugin_path(tep, dir, TEP_PLUGIN_LAST);
	return tep_load_plugins(tep);
}

bool plugin_is_systems(const void *function)
{
	__cleanup(free_ptr) char *library_path = NULL, *plugin_path = NULL;
	static const char folder[] = "/traceevent/plugins/";
	Dl_info library, plugin;
	size_t n;

	if (!dladdr(function, &plugin) || !dladdr((const void *)tep_load_plugins, &library))
		return false;
	/* One path may begin with /lib and the other with /usr/lib, so they are resolved. */
	library_path = realpath(library.dli_fname, NULL);
	plugin_path = realpath(plugin.dli_fname, NULL);
	if (!library_path || !plugin_path)
		return false;
	n = (size_t)(strrchr(library_path, '/') - library_path);
	return strncmp(plugin_path, library_path, n) == 0 && str_starts(plugin_path + n, folder) && !strchr(plugin_path + n + strlen(folder), '/');
}

void plugins_unload(struct tep_plugin_list *plugins, struct tep_handle *tep)
{
	if (plugins)
		tep_unload_plugins(plugins, tep);
}
