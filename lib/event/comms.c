/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/event/comms.h"
#include "lib/base/vec.h"

#include <ctype.h>

/* Open addressing; a slot without a name is free. */
struct slot {
	int pid;
	char *name;
};

struct comms {
	struct slot *slots;
	size_t n, mask;
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
				.mask = room - 1 };

	if (!bigger.slots)
		return -ENOMEM;
	for (size_t i = 0; comms->slots && i <= comms->mask; i++)
		if (comms->slots[i].name)
			*probe(&bigger, comms->slots[i].pid) = comms->slots[i];
	free(comms->slots);
	*comms = bigger;
	return 0;
}

static int add(struct comms *comms, int pid, const char *name, size_t n)
{
	struct slot *slot = probe(comms, pid);
	char *copy;

	if (slot->name)
		return 0;
	if (comms->n * 2 > comms->mask) {
		if (resize(comms, (comms->mask + 1) * 2))
			return -ENOMEM;
		slot = probe(comms, pid);
	}
	copy = strndup(name, n);
	if (!copy)
		return -ENOMEM;
	*slot = (struct slot){ pid, copy };
	comms->n++;
	return 0;
}

/* A line "PID COMM"; the name may hold spaces. */
static int add_line(struct comms *comms, const struct text *line)
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
	return add(comms, (int)pid, at, (size_t)(end - at));
}

int comms_new(struct comms **out, const struct text *cmdlines)
{
	struct text rest = *cmdlines, line;
	struct comms *comms = calloc(1, sizeof(*comms));

	if (!comms || resize(comms, 256) || add(comms, 0, "<idle>", 6))
		goto nomem;
	while (text_line(&rest, &line))
		if (add_line(comms, &line))
			goto nomem;
	*out = comms;
	return 0;
nomem:
	comms_free(comms);
	return -ENOMEM;
}

void comms_free(struct comms *comms)
{
	if (!comms)
		return;
	for (size_t i = 0; comms->slots && i <= comms->mask; i++)
		free(comms->slots[i].name);
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
	add(comms, pid, name, n);
}

void comms_each(const struct comms *comms, void (*each)(void *ctx, int pid, const char *name), void *ctx)
{
	for (size_t i = 0; i <= comms->mask; i++)
		if (comms->slots[i].name)
			each(ctx, comms->slots[i].pid, comms->slots[i].name);
}
