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

/* Puts the sample of an event, unless it has been put. Its stacks may still come. */
static int put_sample(struct timeline *t, struct speedscope_pending *pending)
{
	struct strand *samples = &pending->profile->samples;
	struct speedscope *s = t->mine;

	if (pending->put)
		return 0;
	pending->put = true;
	pending->at = samples->n;
	return strand_add(&s->strands, samples, &pending->sample, sizeof(pending->sample));
}

int speedscope_event(struct timeline *t, struct call_task *task, const struct event *event, const struct record *rec)
{
	struct speedscope_stream *stream = stream_of(&t->streams, rec);
	struct speedscope_pending *pending;
	uint64_t ip, parent;

	if (!stream)
		return -ENOMEM;
	pending = &stream->at[stack_owner(&stream->owners, event->trace, event, rec)];
	*pending = (struct speedscope_pending){ .profile = speedscope_profile(t, task) };
	if (event->kind == EVENT_FUNCTION && function_get(event, rec, &ip, &parent))
		pending->sample.event = function_of(t, event, ip);
	else
		pending->sample.event = speedscope_frame(t, event->name, strlen(event->name), NULL, NULL);
	return pending->profile && pending->sample.event ? 0 : -ENOMEM;
}

int speedscope_lost(struct timeline *t, const struct record *there, __unused uint64_t ns)
{
	struct speedscope_stream *stream = stream_of(&t->streams, there);

	if (!stream)
		return -ENOMEM;
	stack_owner_lost(&stream->owners);
	return 0;
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

/* Puts the frames of a stack, and notes in the sample where they are. */
static int put_stack(struct timeline *t, struct speedscope_pending *pending, const struct event *event, const struct record *rec, const addresses_t *stack)
{
	const struct speedscope_sample head = { .frames = (uint32_t)stack->n };
	struct speedscope_profile *profile = pending->profile;
	struct speedscope_sample *sample = &pending->sample;
	const bool user = stack_is_user(event);
	struct speedscope *s = t->mine;
	int err = strand_add(&s->strands, &profile->samples, &head, sizeof(head));

	profile->nsamples += !sample->n[0] && !sample->n[1];
	sample->n[user] = (uint32_t)stack->n;
	sample->at[user] = profile->samples.n;
	for (size_t i = 0; !err && i < stack->n; i++) {
		const uint32_t frame = user ? user_frame(t, event, rec, stack->at[i], i > 0) : function_of(t, event, stack->at[i]);

		err = frame ? strand_add(&s->strands, &profile->samples, &frame, sizeof(frame)) : -ENOMEM;
	}
	return err ? err : strand_set(&s->strands, &profile->samples, pending->at, sample, sizeof(*sample));
}

int speedscope_stack(struct timeline *t, const struct event *event, const struct record *rec)
{
	struct speedscope_stream *stream = stream_of(&t->streams, rec);
	addresses_t stack = { 0 };
	int err, at;

	if (!stream)
		return -ENOMEM;
	at = stack_owner(&stream->owners, event->trace, event, rec);
	/* The event of this stack was not chosen or was lost, or has had such a stack. */
	if (at < 0 || stream->at[at].sample.n[stack_is_user(event)])
		return 0;
	err = stack_get(event, rec, &stack);
	/* The events that were interrupted come first, although their stacks come later. */
	for (int i = 0; !err && stack.n && i <= at; i++)
		if (stream->owners.waiting >> i & 1)
			err = put_sample(t, &stream->at[i]);
	if (!err && stack.n)
		err = put_stack(t, &stream->at[at], event, rec, &stack);
	vec_fini(&stack);
	return err;
}
