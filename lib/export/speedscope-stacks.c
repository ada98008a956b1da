/* SPDX-License-Identifier: GPL-2.0 */
/* Writes the stacks that were recorded with events. Each becomes a sample of the program's calls, the kernel's calls, and the event. */
#include "lib/export/speedscope.h"
#include "lib/event/text.h"

#include <stdio.h>

static uint32_t function_of(struct timeline *t, const struct event *event, uint64_t addr)
{
	const struct trace *trace = event->trace;
	struct speedscope *s = t->mine;
	const struct symbol *sym;
	char number[24];
	int64_t i;

	i = keys_element(&s->functions, &s->function_frames, ((struct key){ addr, trace->index, 0 }), 0);
	if (i < 0)
		return 0;
	if (s->function_frames.at[i])
		return s->function_frames.at[i];
	sym = symbols_function(trace->symbols, addr);
	snprintf(number, sizeof(number), "0x%llx", (unsigned long long)addr);
	return s->function_frames.at[i] = speedscope_frame(t, sym ? sym->name : number, sym ? sym->name_len : strlen(number), sym ? sym->module : NULL, NULL);
}

/* Puts a sample. The stack is complete when another record of its CPU comes. */
static int put_sample(struct timeline *t, struct speedscope_pending *pending)
{
	const uint32_t n = (uint32_t)(pending->user.n + pending->kernel.n + 1);
	struct speedscope_profile *profile = pending->profile;
	struct speedscope *s = t->mine;
	const uint32_t event = pending->event;
	int err = 0;

	pending->event = 0;
	if (!event || n == 1)
		return 0;
	err = strand_add(&s->strands, &profile->samples, &n, sizeof(n));
	for (size_t i = pending->user.n; !err && i-- > 0;)
		err = strand_add(&s->strands, &profile->samples, &pending->user.at[i], sizeof(n));
	for (size_t i = pending->kernel.n; !err && i-- > 0;)
		err = strand_add(&s->strands, &profile->samples, &pending->kernel.at[i], sizeof(n));
	err = err ? err : strand_add(&s->strands, &profile->samples, &event, sizeof(event));
	profile->nsamples++;
	pending->kernel.n = pending->user.n = 0;
	return err;
}

/* Returns what is kept for the last event of a context, or NULL when memory runs out. */
static struct speedscope_pending *pending_of(struct timeline *t, struct speedscope_stream *stream, int at)
{
	struct speedscope *s = t->mine;
	struct speedscope_pending **there = &stream->at[at];

	if (!*there) {
		*there = calloc(1, sizeof(**there));
		if (*there && vec_push(&s->pendings, *there))
			free(take(*there));
	}
	return *there;
}

int speedscope_event(struct timeline *t, struct call_task *task, const struct event *event, const struct record *rec)
{
	struct speedscope_stream *stream = stream_of(&t->streams, rec);
	struct speedscope_pending *pending;
	uint64_t ip, parent;
	int err = 0, at;

	if (!stream)
		return -ENOMEM;
	at = stack_owner(&stream->owners, event->trace, event, rec);
	for (int i = at; !err && i < STACK_LEVELS; i++)
		err = stream->at[i] ? put_sample(t, stream->at[i]) : 0;
	pending = pending_of(t, stream, at);
	if (!pending)
		return -ENOMEM;
	pending->profile = speedscope_profile(t, task);
	if (event->kind == EVENT_FUNCTION && function_get(event, rec, &ip, &parent))
		pending->event = function_of(t, event, ip);
	else
		pending->event = speedscope_frame(t, event->name, strlen(event->name), NULL, NULL);
	return err || (pending->profile && pending->event) ? err : -ENOMEM;
}

static uint32_t user_frame(struct timeline *t, const struct event *event, const struct record *rec, uint64_t addr, bool returns)
{
	str_clear(&t->scratch);
	if (event->trace->usermaps)
		usermaps_text(event->trace->usermaps, stack_tgid(event, rec), rec->ts, addr, returns, &t->scratch);
	else
		str_addf(&t->scratch, "0x%llx", (unsigned long long)addr);
	return speedscope_frame(t, str_text(&t->scratch), t->scratch.len, NULL, NULL);
}

int speedscope_stack(struct timeline *t, const struct event *event, const struct record *rec)
{
	struct speedscope_stream *stream = stream_of(&t->streams, rec);
	struct speedscope_pending *pending;
	const bool user = stack_is_user(event);
	addresses_t stack = { 0 };
	int err, at;

	if (!stream)
		return -ENOMEM;
	at = stack_owner(&stream->owners, event->trace, event, rec);
	pending = at < 0 ? NULL : stream->at[at];
	/* The event of this stack was not chosen or was lost. */
	if (!pending || !pending->event)
		return 0;
	err = stack_get(event, rec, &stack);
	for (size_t i = 0; !err && i < stack.n; i++) {
		const uint32_t frame = user ? user_frame(t, event, rec, stack.at[i], i > 0) : function_of(t, event, stack.at[i]);

		err = !frame ? -ENOMEM : user ? vec_push(&pending->user, frame) : vec_push(&pending->kernel, frame);
	}
	vec_fini(&stack);
	return err;
}

int speedscope_stacks_end(struct timeline *t)
{
	struct speedscope *s = t->mine;
	int err = 0;

	vec_each (&s->pendings, pending)
		err = err ? err : put_sample(t, *pending);
	return err;
}
