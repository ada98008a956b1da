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

char *clock_name(const struct text *clock)
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
	return at == end ? strdup("local") : strndup(at, (size_t)(end - at));
}

char *clock_name_of(const struct metadata *meta, const char *own)
{
	return own ? strdup(own) : clock_name(&meta->trace_clock);
}

bool clock_is_ns(const char *name)
{
	static const char *const ns[] = {
		"local", "global", "uptime", "perf", "boot", "tai", "tsc2nsec",
	};

	for (size_t i = 0; i < ARRAY_LEN(ns); i++)
		if (strcmp(name, ns[i]) == 0)
			return true;
	return str_starts(name, "mono");
}
