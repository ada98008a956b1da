/* SPDX-License-Identifier: GPL-2.0 */
/* Prints the lines of `trace-cmd stat` word for word, for scripts that look for them. */
#include "cmd/stat.h"

#include "lib/tracefs/busy.h"
#include "lib/tracefs/setting.h"
#include <stdio.h>

/* Prints the heading and one entry per line, if there are any. */
static void print_list(const char *heading, const char *indent, const strv_t *entries)
{
	if (!entries->n)
		return;
	printf("%s:\n", heading);
	vec_each (entries, entry)
		printf("%s%s\n", indent, *entry);
	putchar('\n');
}

static void print_file_list(const struct tracedir *dir, const char *heading, const char *indent, const char *file)
{
	strv_t entries = { 0 };

	if (!setting_lines(dir, file, &entries))
		print_list(heading, indent, &entries);
	strv_fini(&entries);
}

static void print_tracer(const struct tracedir *dir)
{
	__cleanup(free_ptr) char *tracer = NULL;

	if (!setting_read(dir, "current_tracer", &tracer) && strcmp(tracer, "nop"))
		printf("Tracer: %s\n\n", tracer);
}

/* Prints the systems of which all events are on, or the single events. */
static void print_events(const struct tracedir *dir, const strv_t *all)
{
	strv_t systems = { 0 };
	const char *said = "", *system = "";

	printf("Events:\n");
	vec_each (all, event) {
		__cleanup(free_ptr) char *name = strndup(*event, strcspn(*event, ":"));
		__cleanup(free_ptr) char *file = name ? str_printf("events/%s/enable", name) : NULL;
		__cleanup(free_ptr) char *now = NULL;

		if (file && !strv_has(&systems, name) && !setting_read(dir, file, &now) && strcmp(now, "1") == 0)
			strv_add(&systems, name);
	}
	strv_sort(&systems);
	if (systems.n)
		printf("%s", said = " Individual systems:\n");
	vec_each (&systems, name)
		printf("   %s\n", *name);
	vec_each (all, event) {
		size_t len = strcspn(*event, ":");
		__cleanup(free_ptr) char *name = strndup(*event, len);

		if (!name || strv_has(&systems, name) || !event_enabled(dir, *event))
			continue;
		if (!strstr(said, "events"))
			printf("%s", said = " Individual events:\n");
		if (strncmp(system, *event, len + 1) != 0)
			printf("    %s\n", name);
		system = *event;
		printf("        %s\n", *event + len + 1);
	}
	printf("%s\n", *said ? "" : " All disabled\n");
	strv_fini(&systems);
}

/* Prints the filters (@kind "filter") or triggers (@kind "trigger") of all events. */
static void print_conditions(const struct tracedir *dir, const strv_t *all, const char *heading, const char *kind)
{
	strv_t found = { 0 };

	vec_each (all, event) {
		__cleanup(free_ptr) char *file = str_printf("events/%s/%s", *event, kind);
		__cleanup(free_ptr) char *now = NULL;

		if (!file)
			continue;
		*strchr(file, ':') = '/';
		if (!tracedir_read(dir, file, &now) && strcmp(now, "none") && *now && now[0] != '#')
			strv_own(&found, str_printf("%s \"%s\"", *event, now));
	}
	print_list(heading, "  ", &found);
	strv_fini(&found);
}

static void print_number(const struct tracedir *dir, const char *heading, const char *file)
{
	__cleanup(free_ptr) char *text = NULL;

	if (!tracedir_read(dir, file, &text))
		printf("%s:\n   %.*s\n\n", heading, (int)strspn(text, "0123456789"), text);
}

void stat_lines(const struct tracedir *dir, const struct tracedir *top, const char *name)
{
	__cleanup(free_ptr) char *on = NULL;
	strv_t all = { 0 }, instances = { 0 };

	tracedir_list(top, TRACEDIR_EVENTS, &all);
	strv_sort(&all);
	printf(*name ? "Instance: %s\n\n" : "\n", name);
	print_tracer(dir);
	print_events(dir, &all);
	print_conditions(dir, &all, "Filters", "filter");
	print_conditions(dir, &all, "Triggers", "trigger");
	print_file_list(dir, "Function Filter", "   ", "set_ftrace_filter");
	print_file_list(dir, "Function No Trace", "   ", "set_ftrace_notrace");
	print_file_list(dir, "Function Graph Filter", "   ", "set_graph_function");
	print_file_list(dir, "Function Graph No Trace", "   ", "set_graph_notrace");
	print_number(dir, "Buffer size in kilobytes (per cpu)", "buffer_size_kb");
	print_number(dir, "Buffer total size in kilobytes", "buffer_total_size_kb");
	print_file_list(dir, "Filtered event PIDs", "", "set_event_pid");
	print_file_list(dir, "Filtered function tracer PIDs", "", "set_ftrace_pid");
	if (!setting_read(dir, "tracing_on", &on))
		printf("Tracing is %s\n\n", strcmp(on, "0") ? "enabled" : "disabled");
	if (!*name && !tracedir_list(top, TRACEDIR_INSTANCES, &instances))
		print_list("Instances", " ", &instances);
	strv_fini(&instances);
	strv_fini(&all);
}
