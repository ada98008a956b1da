/* SPDX-License-Identifier: GPL-2.0 */
/* The events of a session: on and off, filters, triggers. */
#define _GNU_SOURCE
#include "lib/tracefs/refused.h"
#include "lib/tracefs/select.h"
#include "lib/tracefs/setting.h"
#include "lib/tracefs/state.h"
#include "lib/tracefs/trigger.h"
#include "lib/base/err.h"
#include "lib/base/event-fields.h"
#include "lib/base/parse.h"

#include <ctype.h>

/* Returns "events/sched/sched_switch/FILE" for "sched:sched_switch", in new memory. Returns NULL after a message when memory runs out. */
static char *event_file(const char *event, const char *file)
{
	char *path = str_printf("events/%s/%s", event, file), *colon = path ? strchr(path, ':') : NULL;

	if (colon)
		*colon = '/';
	if (!path)
		fail(ENOMEM, "out of memory");
	return path;
}

static size_t system_len(const char *event)
{
	return strcspn(event, ":");
}

static int all_events(struct session *s, const strv_t **out)
{
	int err = s->events.n ? 0 : tracedir_list(&s->top, TRACEDIR_EVENTS, &s->events);

	*out = &s->events;
	return err ? refused(&s->top, "available_events", -err) : 0;
}

/* --- on and off --------------------------------------------------------------------------------------------- */

/*
 * Switches many events with one write to @file, the "enable" of a system or of all events. If it reads 0, all these events are off.
 * - Returns 1 when all of them are now as wanted.
 * - Returns 0 when the caller must go on one by one. An event that is off but that a trigger holds counts as on in @file.
 * - Returns -errno after a message.
 */
static int set_whole(struct instance *inst, const char *file, bool on)
{
	__cleanup(free_ptr) char *now = NULL;
	int err = setting_read(&inst->dir, file, &now);

	if (err)
		return refused(&inst->dir, file, -err);
	if (*now != '0')
		return 0;
	err = on ? session_set(inst, file, "1") : 0;
	return err ? err : 1;
}

/* Removes a filter that the user has left on the event, because it would narrow the recording. A filter that we have set stays. */
static int drop_filter(struct instance *inst, const char *event)
{
	__cleanup(free_ptr) char *file = NULL;

	if (inst->created || inst->adds || strv_has(&inst->filtered, event) || strv_has(&inst->session->made, event))
		return 0;
	file = event_file(event, "filter");
	if (!file)
		return -ENOMEM;
	/* Some events have no filter file. */
	return tracedir_has(&inst->dir, file) ? session_set(inst, file, "0") : 0;
}

/* Switches the @n events at @events, which are all of one system. The system has @total events. */
static int set_system(struct instance *inst, char *const *events, size_t n, size_t total, bool on)
{
	__cleanup(free_ptr) char *whole = NULL;
	int ret = 0;

	for (size_t i = 0; on && i < n; i++) {
		ret = drop_filter(inst, events[i]);
		if (ret)
			return ret;
	}
	if (n == total) {
		whole = str_printf("events/%.*s/enable", (int)system_len(events[0]), events[0]);
		ret = whole ? set_whole(inst, whole, on) : fail(ENOMEM, "out of memory");
		if (ret)
			return MIN(ret, 0);
	}
	for (size_t i = 0; !ret && i < n; i++) {
		__cleanup(free_ptr) char *file = event_file(events[i], "enable");

		ret = file ? session_set(inst, file, on ? "1" : "0") : -ENOMEM;
	}
	return ret;
}

static size_t run_of_system(char *const *events, size_t n)
{
	size_t len = system_len(events[0]), i = 1;

	while (i < n && system_len(events[i]) == len && memcmp(events[i], events[0], len) == 0)
		i++;
	return i;
}

static size_t count_of_system(const strv_t *all, const char *event)
{
	size_t len = system_len(event) + 1, n = 0;

	vec_each (all, e)
		n += strncmp(*e, event, len) == 0;
	return n;
}

int session_events(struct instance *inst, const strv_t *events, bool on)
{
	const strv_t *all;
	strv_t sorted = { 0 };
	int ret;

	if (!events) {
		ret = set_whole(inst, "events/enable", on);
		if (ret)
			return MIN(ret, 0);
	}
	ret = all_events(inst->session, &all);
	for (size_t i = 0; !ret && i < (events ? events : all)->n; i++)
		ret = strv_add(&sorted, (events ? events : all)->at[i]);
	strv_sort(&sorted);
	for (size_t i = 0, n; !ret && i < sorted.n; i += n) {
		n = run_of_system(sorted.at + i, sorted.n - i);
		ret = set_system(inst, sorted.at + i, n, count_of_system(all, sorted.at[i]), on);
	}
	strv_fini(&sorted);
	return ret;
}

/* --- filters ------------------------------------------------------------------------------------------------ */

int event_fields(const struct tracedir *dir, const char *event, strv_t *out)
{
	__cleanup(free_ptr) char *file = event_file(event, "format");
	__cleanup(free_ptr) char *format = NULL;
	int err = file ? tracedir_read(dir, file, &format) : -ENOMEM;

	return err ? err : format_fields(format, out);
}

char *event_declaration(const struct tracedir *dir, const char *event, const char *field)
{
	static const char *const locs[] = { "__data_loc ", "__rel_loc " };
	__cleanup(free_ptr) char *file = event_file(event, "format");
	__cleanup(free_ptr) char *format = NULL;
	struct text declared, name;

	if (!file || tracedir_read(dir, file, &format))
		return NULL;
	for (const char *at = format; format_next_field(&at, &declared, &name);) {
		size_t skip = 0;

		for (size_t i = 0; i < ARRAY_LEN(locs); i++)
			if (str_starts(declared.at, locs[i]))
				skip = strlen(locs[i]);
		if (name.size == strlen(field) && memcmp(name.at, field, name.size) == 0)
			return strndup(declared.at + skip, declared.size - skip);
	}
	return NULL;
}

static bool is_quote(char c)
{
	return c == '"' || c == '\'';
}

/* Does @filter compare the field @name with a text, as in: name == "text"? */
static bool compares_with_text(const char *filter, const struct text *name)
{
	for (const char *at = filter; (at = memmem(at, strlen(at), name->at, name->size)); at++) {
		const char *op = at + name->size;
		size_t n;

		op += strspn(op, " ");
		n = strspn(op, "=!~");
		if (n && (at == filter || (!isalnum((unsigned char)at[-1]) && at[-1] != '_')) && is_quote(op[n + strspn(op + n, " ")]))
			return true;
	}
	return false;
}

char *event_filter_pointer(const struct tracedir *dir, const char *event, const char *filter)
{
	__cleanup(free_ptr) char *file = event_file(event, "format");
	__cleanup(free_ptr) char *format = NULL;
	struct text declared, name;

	if (!file || tracedir_read(dir, file, &format))
		return NULL;
	for (const char *at = format; format_next_field(&at, &declared, &name);)
		if (memchr(declared.at, '*', declared.size) && compares_with_text(filter, &name))
			return strndup(name.at, name.size);
	return NULL;
}

bool event_has_list(const struct tracedir *dir, const char *event, const char *field)
{
	__cleanup(free_ptr) char *declared = event_declaration(dir, event, field);

	return declared && strchr(declared, '[') && !strstr(declared, "char");
}

/* When the word at the caret is no field, returns "; nearest: ..." or "; it has ...", in new memory. Otherwise returns NULL. */
static char *field_hint(const struct instance *inst, const char *event, const char *filter)
{
	__cleanup(free_ptr) char *what = NULL;
	__cleanup(free_ptr) char *word = NULL;
	strv_t fields = { 0 }, best = { 0 };
	size_t at, n = 0;
	char *hint = NULL;

	if (!tracedir_error(&inst->dir, filter, &what, &at) || !strcasestr(what, "field"))
		return NULL;
	/* The caret is in the name or right behind it. */
	while (at > 0 && !isalnum((unsigned char)filter[at]) && filter[at] != '_')
		at--;
	while (at > 0 && (isalnum((unsigned char)filter[at - 1]) || filter[at - 1] == '_'))
		at--;
	while (isalnum((unsigned char)filter[at + n]) || filter[at + n] == '_')
		n++;
	word = strndup(filter + at, n);
	event_fields(&inst->dir, event, &fields);
	if (word)
		nearest_names(word, &fields, 3, &best);
	hint = best.n ? join_names(&best, "; nearest: ", "") : join_names(&fields, "; it has ", "");
	strv_fini(&fields);
	strv_fini(&best);
	return hint;
}

/* Tries to set a filter. When the kernel does not take it, returns -EINVAL without a message, and the event has no filter. */
static int try_filter(struct instance *inst, const char *event, const char *file, const char *filter)
{
	__cleanup(free_ptr) char *old = NULL;
	int err;

	if (!strv_has(&inst->filtered, event) && strv_add(&inst->filtered, event))
		return fail(ENOMEM, "out of memory");
	err = setting_read(&inst->dir, file, &old);
	if (err)
		return refused(&inst->dir, file, -err);
	if (setting_same(file, old, filter))
		return 0;
	err = session_remember(inst, JOURNAL_SET, file, old);
	if (err)
		return err;
	err = tracedir_write(&inst->dir, file, filter, true);
	return err && err != -EINVAL ? refused_value(&inst->dir, file, filter, -err, NULL) : err;
}

int session_filter(struct instance *inst, const char *event, const char *filter)
{
	__cleanup(free_ptr) char *file = event_file(event, "filter");
	__cleanup(free_ptr) char *hint = NULL;
	int err = file ? try_filter(inst, event, file, filter) : fail(ENOMEM, "out of memory");

	if (err != -EINVAL)
		return err;
	hint = field_hint(inst, event, filter);
	return refused_value(&inst->dir, file, filter, EINVAL, hint);
}

int session_filters(struct instance *inst, const strv_t *events, const char *filter, size_t *without)
{
	const char *refusing = NULL;

	*without = 0;
	for (size_t i = 0; i < events->n; i++) {
		__cleanup(free_ptr) char *file = event_file(events->at[i], "filter");
		int err = file ? try_filter(inst, events->at[i], file, filter) : fail(ENOMEM, "out of memory");

		if (err && err != -EINVAL)
			return err;
		if (!err)
			continue;
		refusing = events->at[i];
		(*without)++;
		/* The kernel keeps the text of a filter that it refused, so it is removed. */
		err = tracedir_write(&inst->dir, file, "0", true);
		if (err)
			return refused(&inst->dir, file, -err);
	}
	/* No event takes the filter. So one of them is tried again, to let the kernel say why. */
	return refusing && *without == events->n ? session_filter(inst, refusing, filter) : 0;
}

/* --- triggers ----------------------------------------------------------------------------------------------- */

/* Remembers the trace clock when the trigger is a histogram with times. Then the kernel changes the clock, to "global" if the trigger names no clock. */
static int remember_clock(struct instance *inst, const char *trigger)
{
	__cleanup(free_ptr) char *clock = NULL;

	if (!str_starts(trigger, "hist:") || !strstr(trigger, "common_timestamp") || setting_read(&inst->dir, "trace_clock", &clock))
		return 0;
	return session_remember(inst, JOURNAL_SET, "trace_clock", clock);
}

int session_remember_switched(struct instance *inst, const char *trigger)
{
	__cleanup(free_ptr) char *event = NULL;
	__cleanup(free_ptr) char *file = NULL;
	__cleanup(free_ptr) char *old = NULL;
	int err = trigger_switches(trigger, &event);

	if (err || !event)
		return err;
	file = event_file(event, "enable");
	if (!file)
		return -ENOMEM;
	err = setting_read(&inst->dir, file, &old);
	if (err == -ENOENT)
		return 0;
	return err ? refused(&inst->dir, file, -err) : session_remember(inst, JOURNAL_SET, file, old);
}

int session_trigger(struct instance *inst, const char *event, const char *trigger)
{
	__cleanup(free_ptr) char *file = event_file(event, "trigger");
	__cleanup(free_ptr) char *old = NULL;
	__cleanup(free_ptr) char *both = NULL;
	__cleanup(free_ptr) char *hint = NULL;
	enum trigger_there there;
	int err;

	if (!file)
		return fail(ENOMEM, "out of memory");
	err = tracedir_read(&inst->dir, file, &old);
	if (err)
		return refused(&inst->dir, file, -err);
	there = trigger_is_there(old, trigger);
	if (there == TRIGGER_OTHER)
		warn("%s has a trigger of this kind already, with another condition than '%s'; an event can have only one, so that one stays as it is%s", event,
		     trigger, inst->created ? "" : "; a buffer of your own (-B NAME) has none");
	if (there)
		return 0;
	err = trigger_check(old, trigger);
	if (err)
		return err;
	both = str_printf("%s\n%s", trigger, old);
	if (!both)
		return fail(ENOMEM, "out of memory");
	err = remember_clock(inst, trigger);
	err = err ? err : session_remember_switched(inst, trigger);
	err = err ? err : session_remember(inst, JOURNAL_TRIGGER, file, both);
	if (err)
		return err;
	err = tracedir_write(&inst->dir, file, trigger, false);
	if (!err)
		return 0;
	/* The kernel knows this trigger in another spelling. So it is somebody else's trigger, and we must not remove it. */
	if (!inst->created)
		journal_add(inst->session->journal, JOURNAL_VOID, NULL, NULL);
	if (err == -EEXIST)
		return 0;
	hint = field_hint(inst, event, trigger);
	return refused_value(&inst->dir, file, trigger, -err, hint);
}
