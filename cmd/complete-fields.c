/* SPDX-License-Identifier: GPL-2.0 */
/* Completes events and their fields, of the running kernel or of a file. */
#include "cmd/complete.h"
#include "lib/base/event-fields.h"
#include "lib/base/parse.h"
#include "lib/data/reader.h"
#include "lib/event/field.h"
#include "lib/tracefs/select.h"

#include <ctype.h>

static bool of_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static int fields_of_kernel(const char *pattern, strv_t *names)
{
	struct tracedir dir = TRACEDIR_NONE;
	strv_t events = { 0 };
	int err = complete_tracefs(&dir);

	err = err ? err : events_find(&dir, pattern, &events);
	vec_each (&events, event)
		err = err ? err : event_fields(&dir, *event, names);
	strv_fini(&events);
	tracedir_fini(&dir);
	return err;
}

/* Does the event match? The pattern means one event or several, as in "sched:sched_switch", "sched/" or "sched_*"; an empty one matches all. */
static bool matches(const char *pattern, const char *system, const char *name)
{
	size_t n = strcspn(pattern, ":/");
	__cleanup(free_ptr) char *first = strndup(pattern, n);

	if (!*pattern)
		return true;
	if (!first)
		return false;
	if (pattern[n])
		return glob_match(first, system) && (!pattern[n + 1] || glob_match(pattern + n + 1, name));
	return glob_match(first, system) || glob_match(first, name);
}

/* Adds the names, or the fields, of a file's events that match @pattern. */
static int of_file(const char *file, const char *pattern, bool fields, strv_t *names)
{
	struct datfile *dat;
	int err = datfile_open(&dat, file);

	if (err)
		return err;
	vec_each (&dat->meta.formats, format) {
		__cleanup(free_ptr) char *name = NULL;
		uint16_t id;

		if (err || format_head(&format->format, &name, &id) || !matches(pattern, format->system, name))
			continue;
		err = fields ? format_fields(format->format.at, names) : strv_add(names, name);
	}
	datfile_close(dat);
	return err;
}

int complete_fields(const char *file, const char *pattern, strv_t *names)
{
	return file ? of_file(file, pattern, true, names) : fields_of_kernel(pattern, names);
}

int complete_filter(const char *file, const char *pattern, const char *word, size_t *from, strv_t *names)
{
	size_t end = strlen(word), colon = strcspn(word, ":");
	const char *expression = word;

	/* The filter is "EVENTS : EXPRESSION". Before the colon, events are completed. */
	if (file && !word[colon]) {
		const char *event = strrchr(word, ',') ? strrchr(word, ',') + 1 : word;

		*from += (size_t)(event + strspn(event, " ") - word);
		return of_file(file, "", false, names);
	}
	if (file)
		expression = word + colon + 1;
	while (end > (size_t)(expression - word) && of_name(word[end - 1]))
		end--;
	*from += end;
	if (file) {
		__cleanup(free_ptr) char *events = strndup(word, colon);

		return events ? of_file(file, str_trim(events), true, names) : -ENOMEM;
	}
	return pattern ? fields_of_kernel(pattern, names) : -ENOENT;
}
