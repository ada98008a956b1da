/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/record/spec.h"
#include "lib/base/err.h"
#include "lib/record/probes.h"
#include "lib/tracefs/funcommand.h"
#include "lib/tracefs/trigger.h"

bool buffer_used(const struct record_spec *spec, const struct buffer_spec *buffer)
{
	return buffer->name || spec->buffers.n == 1 || spec->join == JOIN_READ || buffer->tracer || buffer->events.n;
}

static void buffer_fini(struct buffer_spec *buffer)
{
	vec_each (&buffer->events, event) {
		strv_fini(&event->triggers);
		strv_fini(&event->found);
		probe_set_free(event->probes);
	}
	vec_fini(&buffer->events);
	strv_fini(&buffer->functions);
	strv_fini(&buffer->not_functions);
	strv_fini(&buffer->funcommands);
	strv_fini(&buffer->graph);
	strv_fini(&buffer->options);
}

static int add_event(strv_t *out, const char *name)
{
	return !strv_has(out, name) && strv_add(out, name) ? fail(ENOMEM, "no memory for the list of events") : 0;
}

static int add_switched(strv_t *out, const char *trigger)
{
	__cleanup(free_ptr) char *name = NULL;
	int err = trigger_switches(trigger, &name);

	return err || !name ? err : add_event(out, name);
}

static int add_events(const struct buffer_spec *b, strv_t *out)
{
	int err = 0;

	vec_each (&b->events, event) {
		vec_each (&event->found, name)
			err = err ? err : add_event(out, *name);
		vec_each (&event->triggers, trigger)
			err = err ? err : add_switched(out, *trigger);
	}
	vec_each (&b->funcommands, command)
		err = err ? err : add_switched(out, funcommand_action(*command));
	return err;
}

int spec_events(const struct record_spec *spec, strv_t *out)
{
	int err = 0;

	vec_each (&spec->buffers, buffer)
		err = err ? err : add_events(buffer, out);
	return err;
}

void record_spec_fini(struct record_spec *spec)
{
	vec_each (&spec->buffers, buffer)
		buffer_fini(buffer);
	vec_fini(&spec->buffers);
	vec_fini(&spec->pids);
	strv_fini(&spec->hooks);
}

bool buffer_traces_functions(const struct buffer_spec *b)
{
	return b->tracer && strcmp(b->tracer, "nop") != 0;
}

bool buffer_enables_events(const struct buffer_spec *b)
{
	vec_each (&b->events, event)
		if (!event->off)
			return true;
	return false;
}

bool buffer_records_events(const struct buffer_spec *b)
{
	vec_each (&b->events, event)
		if (!event->off && !event->counted)
			return true;
	return false;
}

/* Returns true if a later -v takes away the event @name, which the element @i of the buffer's events has added. */
static bool left_out(const struct buffer_spec *b, size_t i, const char *name)
{
	for (i++; i < b->events.n; i++)
		if (b->events.at[i].off && strv_has(&b->events.at[i].found, name))
			return true;
	return false;
}

bool buffer_leaves_out_all(const struct buffer_spec *b)
{
	bool any = false;

	if (b->tracer || b->funcommands.n)
		return false;
	for (size_t i = 0; i < b->events.n; i++) {
		const struct event_spec *event = &b->events.at[i];

		any |= event->off;
		if (event->triggers.n || (event->probes && !event->off))
			return false;
		if (event->off || event->counted)
			continue;
		vec_each (&event->found, name)
			if (!left_out(b, i, *name))
				return false;
	}
	return any;
}

bool spec_leaves_out_all(const struct record_spec *spec)
{
	vec_each (&spec->buffers, buffer)
		if (buffer_used(spec, buffer) && !buffer_leaves_out_all(buffer))
			return false;
	return true;
}
