/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/event/comms.h"
#include "lib/base/map.h"
#include "lib/base/visible.h"

#include <ctype.h>

enum { LONGEST = 64 }; /* the most bytes of a name that are shown on a terminal; the kernel's names have up to 15 */

struct comms {
	MAP(int, const char *) tasks; /* by process id; the names are in .names */
	/* Each name is kept once and is never freed before the end: many tasks share it, and callers keep pointers. */
	MAP(struct text, char *) names;
	const struct comms *below; /* has the names of the tasks that are not in .tasks; NULL: they have none */
	bool visible;
};

/* Returns the only copy of a name, or NULL for lack of memory. */
static const char *keep_name(struct comms *comms, const char *name, size_t n)
{
	map_entry(&comms->names) entry;
	char shown[VISIBLE_MOST * LONGEST];
	char *copy;

	n = strnlen(name, n);
	if (comms->visible) {
		n = (size_t)(visible_put(shown, name, MIN(n, (size_t)LONGEST), false, NULL) - shown);
		name = shown;
	}
	entry = map_find_text(&comms->names, name, n);
	if (entry)
		return entry->value;
	copy = strndup(name, n);
	entry = copy ? map_add_text(&comms->names, copy, n) : NULL;
	if (!entry) {
		free(copy);
		return NULL;
	}
	return entry->value = copy;
}

static int add(struct comms *comms, int pid, const char *name, size_t n, bool replace)
{
	map_entry(&comms->tasks) task = map_find(&comms->tasks, pid);
	const char *copy;

	if ((task || (!replace && comms->below && comms_has(comms->below, pid))) && !(replace && pid))
		return 0;
	copy = keep_name(comms, name, n);
	task = copy ? map_add(&comms->tasks, pid) : NULL;
	if (!task)
		return -ENOMEM;
	task->value = copy;
	return 0;
}

/* Adds a line "PID COMM". The name may contain spaces. */
static int add_line(struct comms *comms, const struct text *line, bool replace)
{
	const char *at = line->at, *end = line->at + line->size;
	uint32_t pid = 0;

	while (at < end && *at == ' ')
		at++;
	if (at == end || !isdigit((unsigned char)*at))
		return 0;
	while (at < end && isdigit((unsigned char)*at))
		pid = pid * 10 + (uint32_t)(*at++ - '0');
	if (at == end || *at != ' ')
		return 0;
	at++;
	return add(comms, (int)pid, at, (size_t)(end - at), replace);
}

int comms_new(struct comms **out, const struct text *cmdlines, bool visible)
{
	struct text rest = *cmdlines, line;
	struct comms *comms = calloc(1, sizeof(*comms));

	if (comms)
		comms->visible = visible;
	if (!comms || add(comms, 0, "<idle>", 6, false))
		goto nomem;
	while (text_line(&rest, &line))
		if (add_line(comms, &line, false))
			goto nomem;
	*out = comms;
	return 0;
nomem:
	comms_free(comms);
	return -ENOMEM;
}

int comms_over(struct comms **out, const struct comms *below)
{
	struct comms *comms = calloc(1, sizeof(*comms));

	if (!comms)
		return -ENOMEM;
	*comms = (struct comms){ .below = below, .visible = below->visible };
	*out = comms;
	return 0;
}

int comms_update(struct comms *comms, const struct text *cmdlines)
{
	struct text rest = *cmdlines, line;
	int err = 0;

	while (!err && text_line(&rest, &line))
		err = add_line(comms, &line, true);
	return err;
}

void comms_free(struct comms *comms)
{
	if (!comms)
		return;
	map_each (&comms->names, name)
		free(name->value);
	map_fini(&comms->names);
	map_fini(&comms->tasks);
	free(comms);
}

const char *comms_find(const struct comms *comms, int pid)
{
	map_entry(&comms->tasks) task = map_find(&comms->tasks, pid);

	if (task)
		return task->value;
	return comms->below ? comms_find(comms->below, pid) : "<...>";
}

const char *comms_known(const struct comms *comms, int pid)
{
	const char *name = comms_find(comms, pid);

	return strcmp(name, "<...>") == 0 ? NULL : name;
}

bool comms_has(const struct comms *comms, int pid)
{
	return map_find(&comms->tasks, pid) || (comms->below && comms_has(comms->below, pid));
}

void comms_learn(struct comms *comms, int pid, const char *name, size_t n)
{
	add(comms, pid, name, n, false);
}

void comms_rename(struct comms *comms, int pid, const char *name, size_t n)
{
	add(comms, pid, name, n, true);
}

void comms_each(const struct comms *comms, void (*each)(void *ctx, int pid, const char *name), void *ctx)
{
	map_each (&comms->tasks, task)
		each(ctx, task->key, task->value);
}
