/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/tracefs/hist.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/tracefs/refused.h"

#include <stdio.h>

/* Returns "events/sched/sched_switch/FILE" for "sched:sched_switch", in new memory. */
static char *file_of(const char *event, const char *file)
{
	const char *colon = strchr(event, ':');

	return colon ? str_printf("events/%.*s/%s/%s", (int)(colon - event), event, colon + 1, file) : NULL;
}

bool hist_is_there(const struct tracedir *top, const char *event)
{
	__cleanup(free_ptr) char *file = file_of(event, "hist");

	return file && tracedir_has(top, file);
}

char *hist_with(const char *trigger, const char *attribute)
{
	const char *condition = strstr(trigger, " if ");
	int n = (int)(condition ? (size_t)(condition - trigger) : strlen(trigger));

	return str_printf("%.*s:%s%s", n, trigger, attribute, condition ? condition : "");
}

int hist_run(struct instance *inst, const char *event, const char *trigger, bool run)
{
	__cleanup(free_ptr) char *file = file_of(event, "trigger");
	__cleanup(free_ptr) char *text = hist_with(trigger, run ? "cont" : "pause");
	int err;

	if (!file || !text)
		return fail(ENOMEM, "out of memory");
	err = tracedir_write(&inst->dir, file, text, false);
	return err ? refused_value(&inst->dir, file, text, -err, NULL) : 0;
}

/* --- reading ------------------------------------------------------------------------------------------------- */

static const char head[] = "# trigger info: hist:keys=";

int hist_read(const struct instance *inst, const char *event, const char *keys, struct text *out)
{
	__cleanup(free_ptr) char *file = file_of(event, "hist");
	__cleanup(free_ptr) char *wanted = str_printf("%s%s:", head, keys);
	struct text all = { 0 };
	char *at, *end;
	int err = file && wanted ? io_slurp_at(inst->dir.fd, file, &all) : -ENOMEM;

	*out = (struct text){ 0 };
	if (err)
		return refused(&inst->dir, file ? file : event, -err);
	at = strstr(all.at, wanted);
	if (!at) {
		free(all.at);
		return fail(ENOENT, "%s/%s has no histogram by %s any more: somebody has removed it", inst->dir.path, file, keys);
	}
	end = strstr(at, "\n# event histogram\n");
	out->size = end ? (size_t)(end - at) : strlen(at);
	memmove(all.at, at, out->size);
	all.at[out->size] = '\0';
	out->at = all.at;
	return 0;
}

static struct text trimmed(const char *at, const char *end)
{
	while (at < end && *at == ' ')
		at++;
	while (at < end && end[-1] == ' ')
		end--;
	return (struct text){ (char *)at, (size_t)(end - at) };
}

static const char *find(const char *at, const char *end, const char *what)
{
	return at < end ? memmem(at, (size_t)(end - at), what, strlen(what)) : NULL;
}

/* Finds the last place of @what. What stands before it may hold anything, while the names come from the kernel. */
static const char *find_last(const char *at, const char *end, const char *what)
{
	const char *last = NULL;

	for (const char *next; (next = find(at, end, what)); at = next + 1)
		last = next;
	return last;
}

static bool take_keys(const char *at, const char *end, const char *const *names, size_t n, struct hist_entry *out)
{
	for (size_t i = n; i-- > 0;) {
		char name[256];
		const char *from;

		snprintf(name, sizeof(name), "%s%s:", i ? ", " : "{ ", names[i]);
		from = i ? find_last(at, end, name) : find(at, end, name);
		if (!from || !strchr(" \n", from[strlen(name)]))
			return false;
		out->keys[i] = trimmed(from + strlen(name), end);
		end = from;
	}
	return true;
}

/* Takes the next entry. It goes from a line "{ …" to the next such line or to the totals. A stack ends with its last line. */
bool hist_next(struct text *rest, const char *const *names, size_t n, struct hist_entry *out)
{
	static const char hits[] = "} hitcount: ";

	for (;;) {
		const char *end = rest->at + rest->size, *at = find(rest->at, end, "\n{ "), *next, *keys;

		if (!at)
			return false;
		at++;
		keys = find(at, end, hits);
		while (keys && !strchr(" \n", keys[-1]))
			keys = find(keys + 1, end, hits);
		if (!keys)
			return false;
		next = find(keys, end, "\n{ ");
		next = next ? next : find(keys, end, "\n\nTotals:");
		next = next ? next : end;
		rest->at = (char *)next;
		rest->size = (size_t)(end - next);
		*out = (struct hist_entry){ .hits = strtoull(keys + strlen(hits), NULL, 10) };
		out->rest = (struct text){ (char *)keys + strlen(hits), (size_t)(next - keys) - strlen(hits) };
		if (take_keys(at, keys, names, n, out))
			return true;
	}
}

static const char *find_value(const struct hist_entry *entry, const char *name)
{
	const char *end = entry->rest.at + entry->rest.size, *at;
	char text[256];

	snprintf(text, sizeof(text), "%s: ", name);
	for (at = entry->rest.at; (at = find(at, end, text)); at++)
		if (at > entry->rest.at && strchr(" \t", at[-1]))
			return at + strlen(text);
	return NULL;
}

bool hist_number(const struct hist_entry *entry, const char *name, uint64_t *out)
{
	const char *at = find_value(entry, name);

	if (at)
		*out = strtoull(at, NULL, 10);
	return at;
}

bool hist_kept(const struct hist_entry *entry, const char *name, struct text *out)
{
	const char *at = find_value(entry, name), *end, *line;

	if (!at)
		return false;
	/* Values that are texts are filled up with blanks. A value ends with two blanks or with the line. */
	line = memchr(at, '\n', (size_t)(entry->rest.at + entry->rest.size - at));
	end = line ? line : entry->rest.at + entry->rest.size;
	while (at < end && *at == ' ')
		at++;
	line = find(at, end, "  ");
	*out = trimmed(at, line ? line : end);
	return true;
}

const char *hist_stack_key(const struct tracedir *top)
{
	__cleanup(free_ptr) char *readme = NULL;

	return !tracedir_read(top, "README", &readme) && strstr(readme, "common_stacktrace") ? "common_stacktrace" : "stacktrace";
}

/* Takes the next function of a stack. Each has a line, as in "         vfs_read+0x9c/0x290 [module]". */
bool hist_stack_next(struct text *stack, struct text *function)
{
	struct text line;

	while (text_line(stack, &line)) {
		const char *end;

		line = trimmed(line.at, line.at + line.size);
		end = memchr(line.at, '+', line.size);
		end = end ? end : memchr(line.at, ' ', line.size);
		*function = (struct text){ line.at, end ? (size_t)(end - line.at) : line.size };
		if (function->size)
			return true;
	}
	return false;
}

bool hist_task(const struct text *key, struct text *comm, uint64_t *pid)
{
	const char *end = key->at + key->size, *at = end;

	while (at > key->at && at[-1] != '[')
		at--;
	if (at == key->at || end[-1] != ']')
		return false;
	*pid = strtoull(at, NULL, 10);
	*comm = trimmed(key->at, at - 1);
	return true;
}

uint64_t hist_dropped(const struct text *text)
{
	const char *at = find_last(text->at, text->at + text->size, "\n    Dropped: ");

	return at ? strtoull(at + strlen("\n    Dropped: "), NULL, 10) : 0;
}
