/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/event/comms.h"
#include "lib/base/vec.h"

#include <ctype.h>

/* Open addressing; a slot without a name is free. */
struct slot {
	int pid;
	const char *name;	/* one of the names below */
};

/* Names are kept once each and till the end: many tasks share them, and callers keep pointers. */
struct name_set {
	char **at;		/* open addressing */
	size_t n, mask;
};

struct comms {
	struct slot *slots;
	size_t n, mask;
	struct name_set names;
};

static size_t hash(int pid)
{
	return (uint32_t)pid * 2654435761U >> 7;
}

static struct slot *probe(const struct comms *comms, int pid)
{
	size_t i = hash(pid) & comms->mask;

	while (comms->slots[i].name && comms->slots[i].pid != pid)
		i = (i + 1) & comms->mask;
	return &comms->slots[i];
}

static int resize(struct comms *comms, size_t room)
{
	struct comms bigger = { .slots = calloc(room, sizeof(struct slot)), .n = comms->n,
				.mask = room - 1, .names = comms->names };

	if (!bigger.slots)
		return -ENOMEM;
	for (size_t i = 0; comms->slots && i <= comms->mask; i++)
		if (comms->slots[i].name)
			*probe(&bigger, comms->slots[i].pid) = comms->slots[i];
	free(comms->slots);
	*comms = bigger;
	return 0;
}

static char **find_name(const struct name_set *names, const char *name, size_t n)
{
	size_t i = 5381;

	for (size_t k = 0; k < n; k++)
		i = i * 33 + (unsigned char)name[k];
	i &= names->mask;
	while (names->at[i] && (strncmp(names->at[i], name, n) || names->at[i][n]))
		i = (i + 1) & names->mask;
	return &names->at[i];
}

static int grow_names(struct name_set *names)
{
	struct name_set bigger = { .n = names->n, .mask = names->at ? names->mask * 2 + 1 : 255 };

	bigger.at = calloc(bigger.mask + 1, sizeof(*bigger.at));
	if (!bigger.at)
		return -ENOMEM;
	for (size_t i = 0; names->at && i <= names->mask; i++)
		if (names->at[i])
			*find_name(&bigger, names->at[i], strlen(names->at[i])) = names->at[i];
	free(names->at);
	*names = bigger;
	return 0;
}

/* The one copy of a name; NULL: no memory. */
static const char *keep_name(struct name_set *names, const char *name, size_t n)
{
	char **at;

	if (names->n * 2 >= names->mask && grow_names(names))
		return NULL;
	n = strnlen(name, n);
	at = find_name(names, name, n);
	if (!*at) {
		*at = strndup(name, n);
		names->n += *at != NULL;
	}
	return *at;
}

static int add(struct comms *comms, int pid, const char *name, size_t n, bool replace)
{
	struct slot *slot = probe(comms, pid);
	const char *copy;

	if (slot->name && !(replace && pid))
		return 0;
	if (comms->n * 2 > comms->mask) {
		if (resize(comms, (comms->mask + 1) * 2))
			return -ENOMEM;
		slot = probe(comms, pid);
	}
	copy = keep_name(&comms->names, name, n);
	if (!copy)
		return -ENOMEM;
	comms->n += !slot->name;
	*slot = (struct slot){ pid, copy };
	return 0;
}

/* A line "PID COMM"; the name may hold spaces. */
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

int comms_new(struct comms **out, const struct text *cmdlines)
{
	struct text rest = *cmdlines, line;
	struct comms *comms = calloc(1, sizeof(*comms));

	if (!comms || resize(comms, 256) || add(comms, 0, "<idle>", 6, false))
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
	for (size_t i = 0; comms->names.at && i <= comms->names.mask; i++)
		free(comms->names.at[i]);
	free(comms->names.at);
	free(comms->slots);
	free(comms);
}

const char *comms_find(const struct comms *comms, int pid)
{
	const struct slot *slot = probe(comms, pid);

	return slot->name ? slot->name : "<...>";
}

void comms_learn(struct comms *comms, int pid, const char *name, size_t n)
{
	add(comms, pid, name, n, false);
}

void comms_each(const struct comms *comms, void (*each)(void *ctx, int pid, const char *name), void *ctx)
{
	for (size_t i = 0; i <= comms->mask; i++)
		if (comms->slots[i].name)
			each(ctx, comms->slots[i].pid, comms->slots[i].name);
}
