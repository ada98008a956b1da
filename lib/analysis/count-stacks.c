/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/count-stacks.h"
#include "lib/analysis/stacks.h"

#include <inttypes.h>
#include <string.h>

static bool has_no_name(const char *function)
{
	return strncmp(function, "0x", 2) == 0;
}

void count_stack_path(const strv_t *names, struct str *out)
{
	size_t inside = 0;

	while (inside < names->n && (has_no_name(names->at[inside]) || stack_is_tracing(names->at[inside])))
		inside++;
	if (inside == names->n)
		inside = 0;
	for (size_t i = names->n; i-- > inside;)
		str_addf(out, "%s%s", i + 1 < names->n ? ";" : "", names->at[i]);
}

int count_stack_of(const struct event *event, const struct record *rec, addresses_t *addresses, struct str *out)
{
	strv_t names = { 0 };
	int err;

	addresses->n = 0;
	err = stack_get(event, rec, addresses);
	for (size_t i = 0; !err && i < addresses->n; i++) {
		const struct symbol *symbol = symbols_function(event->trace->symbols, addresses->at[i]);

		err = symbol ? strv_add(&names, symbol->name) : strv_own(&names, str_printf("0x%" PRIx64, addresses->at[i]));
	}
	str_clear(out);
	count_stack_path(&names, out);
	strv_fini(&names);
	return err ? err : str_ok(out);
}

static int let_go(struct count_event_waits *w, const char *stack, count_stacked_fn *fn, void *ctx)
{
	if (!w->waits)
		return 0;
	w->waits = false;
	w->rec.data = w->data.at;
	return fn(ctx, &w->rec, stack);
}

/* Lets go the events whose stacks cannot come any more. The event of the context @over is one of them; -1: none. */
static int let_go_over(struct count_waits *w, int over, count_stacked_fn *fn, void *ctx)
{
	int err = 0;

	for (int i = 0; !err && i < STACK_LEVELS; i++)
		if (i == over || !(w->owners.waiting >> i & 1))
			err = let_go(&w->at[i], NULL, fn, ctx);
	return err;
}

static int wait_for_stack(struct count_event_waits *w, const struct record *rec)
{
	str_clear(&w->data);
	str_addn(&w->data, rec->data, rec->size);
	w->rec = *rec;
	w->waits = true;
	return str_ok(&w->data);
}

int count_stacks_take(struct count_stacks *stacks, const struct trace *trace, const struct record *rec, count_stacked_fn *fn, void *ctx)
{
	struct count_waits *w = stream_of(&stacks->streams, rec);
	const struct event *event;
	bool is_stack;
	int at, err;

	if (!w)
		return -ENOMEM;
	if (rec->flags & (RECORD_LOST | RECORD_NODATA)) {
		stack_owner_lost(&w->owners);
		err = let_go_over(w, -1, fn, ctx);
		if (err || rec->flags & RECORD_NODATA)
			return err;
	}
	event = trace_event(trace, record_id(trace, rec));
	is_stack = event && event->kind == EVENT_STACK;
	at = stack_owner(&w->owners, trace, event, rec);
	err = let_go_over(w, is_stack ? -1 : at, fn, ctx);
	if (err || !event)
		return err;
	if (!is_stack)
		return wait_for_stack(&w->at[at], rec);
	if (at < 0 || !w->at[at].waits || stack_is_user(event))
		return 0;
	err = count_stack_of(event, rec, &stacks->addresses, &stacks->path);
	return err ? err : let_go(&w->at[at], stacks->path.len ? str_text(&stacks->path) : NULL, fn, ctx);
}

int count_stacks_flush(struct count_stacks *stacks, count_stacked_fn *fn, void *ctx)
{
	int err = 0;

	vec_each (&stacks->streams.files, buffers)
		vec_each (buffers, cpus)
			for (size_t i = 0; !err && i < cpus->n; i++) {
				struct count_waits *w = (struct count_waits *)cpus->states + i;

				stack_owner_lost(&w->owners);
				err = let_go_over(w, -1, fn, ctx);
			}
	return err;
}

static void fini_waits(void *state)
{
	for (size_t i = 0; i < STACK_LEVELS; i++)
		str_fini(&((struct count_waits *)state)->at[i].data);
}

void count_stacks_fini(struct count_stacks *stacks)
{
	streams_fini(&stacks->streams, fini_waits);
	vec_fini(&stacks->addresses);
	str_fini(&stacks->path);
}
