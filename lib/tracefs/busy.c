/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/tracefs/busy.h"
#include "lib/base/parse.h"

#include <stdio.h>

static void add(struct str *s, const char *fmt, ...) __printf(2, 3);
static void add(struct str *s, const char *fmt, ...)
{
	va_list ap;

	if (s->len)
		str_add(s, ", ");
	va_start(ap, fmt);
	str_vaddf(s, fmt, ap);
	va_end(ap);
}

/*
 * Returns true if the event is on. The file set_event cannot tell this: it also lists events that only a trigger holds. Such an event reads "0*", and the
 * trigger is a setting.
 */
bool event_enabled(const struct tracedir *dir, const char *event)
{
	__cleanup(free_ptr) char *file = str_printf("events/%s/enable", event);
	__cleanup(free_ptr) char *on = NULL;
	char *colon = file ? strchr(file, ':') : NULL;

	if (!colon)
		return false;
	*colon = '/';
	return !tracedir_read(dir, file, &on) && on[0] == '1';
}

static void add_events(struct str *s, const struct tracedir *dir)
{
	__cleanup(free_ptr) char *on = NULL;
	strv_t names = { 0 };
	const char *first = NULL;
	size_t n = 0;

	if (tracedir_read(dir, "events/enable", &on) || (on[0] != '1' && on[0] != 'X'))
		return;
	tracedir_list(dir, TRACEDIR_ENABLED, &names);
	for (size_t i = 0; i < names.n && n < 2; i++) {
		if (!event_enabled(dir, names.at[i]))
			continue;
		n++;
		first = first ? first : names.at[i];
	}
	if (n)
		add(s, n > 1 ? "events are enabled (%s, ...)" : "event %s is enabled", first);
	strv_fini(&names);
}

static uint64_t entries_of(const struct tracedir *dir, const char *cpu)
{
	__cleanup(free_ptr) char *file = str_printf("per_cpu/%s/stats", cpu);
	__cleanup(free_ptr) char *stats = NULL;
	const char *at;

	if (!file || tracedir_read(dir, file, &stats))
		return 0;
	at = strstr(stats, "entries: ");
	return at ? strtoull(at + 9, NULL, 10) : 0;
}

static void add_entries(struct str *s, const struct tracedir *dir)
{
	strv_t cpus = { 0 };
	uint64_t n = 0;

	tracedir_list(dir, TRACEDIR_CPUS, &cpus);
	vec_each (&cpus, cpu)
		n += entries_of(dir, *cpu);
	strv_fini(&cpus);
	if (n)
		add(s, "its buffer holds %llu entries", (unsigned long long)n);
}

char *busy_tracing(const struct tracedir *dir)
{
	__cleanup(free_ptr) char *tracer = NULL;
	struct str s = { 0 };

	if (!tracedir_read(dir, "current_tracer", &tracer) && strcmp(tracer, "nop") != 0)
		add(&s, "tracer %s is set", tracer);
	add_events(&s, dir);
	add_entries(&s, dir);
	return s.len ? str_take(&s) : NULL;
}

static bool used(const struct journal_info *info, const char *tracing_dir, const char *name)
{
	return strcmp(info->tracing_dir, tracing_dir) == 0 && strv_has(&info->uses, name);
}

const struct journal_info *busy_recording(const journals_t *others, const char *tracing_dir, const char *name)
{
	vec_each (others, info)
		if (info->alive && used(info, tracing_dir, name))
			return info;
	return NULL;
}

char *busy_traced(const char *state_dir, const struct tracedir *top, const struct tracedir *dir, const char *name)
{
	char *signs = busy_tracing(dir), *text;
	journals_t all = { 0 };
	pid_t dead = 0;

	if (!signs)
		return NULL;
	journals_find(state_dir, &all);
	vec_each (&all, info)
		if (journal_is_stale(info) && used(info, top->path, name))
			dead = info->pid;
	journals_fini(&all);
	if (!dead)
		return signs;
	text = str_printf("%s, which a recording of pid %d left when it died (`ringside reset --stale` puts it back)", signs, (int)dead);
	free(signs);
	return text;
}
