/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/data/metadata.h"

static void text_fini(struct text *text)
{
	free(text->at);
	*text = (struct text){ 0 };
}

static void fini_formats(struct metadata *meta)
{
	vec_each (&meta->formats, event) {
		free(event->system);
		text_fini(&event->format);
	}
	vec_fini(&meta->formats);
}

static void fini_guests(struct metadata *meta)
{
	vec_each (&meta->guests, guest) {
		free(guest->name);
		vec_fini(&guest->cpus);
	}
	vec_fini(&meta->guests);
}

void metadata_fini(struct metadata *meta)
{
	struct text *const texts[] = {
		&meta->header_page, &meta->header_event, &meta->kallsyms, &meta->printk_formats, &meta->cmdlines, &meta->trace_clock, &meta->uname,
		&meta->version,	    &meta->modules,	 &meta->btf,	  &meta->last_boot,
	};
	strv_t *const lists[] = { &meta->cpustat, &meta->hooks, &meta->procmaps };

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		text_fini(texts[i]);
	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		strv_fini(lists[i]);
	fini_formats(meta);
	fini_guests(meta);
	vec_each (&meta->time_shift.cpus, cpu)
		vec_fini(&cpu->samples);
	vec_fini(&meta->time_shift.cpus);
	vec_each (&meta->unknown, option)
		text_fini(&option->data);
	vec_fini(&meta->unknown);
	*meta = (struct metadata){ 0 };
}

static bool is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\t';
}

/* Where clock_name() finds the name in the text: *@n bytes, which no NUL follows. */
static const char *find_clock_name(const struct text *clock, size_t *n)
{
	const char *at = clock->at ? clock->at : "", *end = at + strnlen(at, clock->size);
	const char *open = memchr(at, '[', (size_t)(end - at));
	const char *close = open ? memchr(open, ']', (size_t)(end - open)) : NULL;

	if (close) {
		at = open + 1;
		end = close;
	}
	while (at < end && is_space(*at))
		at++;
	while (at < end && is_space(end[-1]))
		end--;
	*n = at == end ? strlen("local") : (size_t)(end - at);
	return at == end ? "local" : at;
}

char *clock_name(const struct text *clock)
{
	size_t n;
	const char *name = find_clock_name(clock, &n);

	return strndup(name, n);
}

char *clock_name_of(const struct metadata *meta, const char *own)
{
	return own ? strdup(own) : clock_name(&meta->trace_clock);
}

bool clock_is_ns(const char *name)
{
	static const char *const ns[] = {
		"local", "global", "perf", "boot", "tai", "tsc2nsec",
	};

	for (size_t i = 0; i < ARRAY_LEN(ns); i++)
		if (strcmp(name, ns[i]) == 0)
			return true;
	return str_starts(name, "mono");
}

bool clock_in_seconds(const char *name)
{
	return clock_is_ns(name) || strcmp(name, "uptime") == 0;
}

bool clock_of_is(const struct metadata *meta, const char *own, bool (*is)(const char *name))
{
	char name[32]; /* longer ones are none of those that @is knows, but those that begin with "mono", and still do so */
	size_t n = own ? strlen(own) : 0;
	const char *at = own ? own : find_clock_name(&meta->trace_clock, &n);

	n = MIN(n, sizeof(name) - 1);
	memcpy(name, at, n);
	name[n] = '\0';
	return is(name);
}
