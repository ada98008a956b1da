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

/* Lets go the event of the context @at, which waits. */
static int let_go(struct count_waits *w, int at, const char *stack, count_stacked_fn *fn, void *ctx)
{
	struct count_event_waits *event = &w->at[at];

	w->waits &= (uint8_t) ~(1U << at);
	event->rec.data = event->data.at;
	return fn(ctx, &event->rec, stack);
}

/* Lets go the events that wait and that are in @gone, a mask of contexts. */
static int let_go_all(struct count_waits *w, unsigned int gone, count_stacked_fn *fn, void *ctx)
{
	int err = 0;

	for (gone &= w->waits; !err && gone; gone &= gone - 1)
		err = let_go(w, __builtin_ctz(gone), NULL, fn, ctx);
	return err;
}

static int wait_for_stack(struct count_waits *w, enum call_irq at, const struct record *rec)
{
	struct count_event_waits *event = &w->at[at];

	str_clear(&event->data);
	str_addn(&event->data, rec->data, rec->size);
	event->rec = *rec;
	w->waits |= (uint8_t)(1U << at);
	return str_ok(&event->data);
}

/* Takes in a stack that a record of the context @level has. */
static int take_stack(struct count_stacks *stacks, struct count_waits *w, enum call_irq level, const struct event *event, const struct record *rec,
		      count_stacked_fn *fn, void *ctx)
{
	const int at = stack_owner_at(&w->owners, level, event, rec);
	int err = let_go_all(w, ~(unsigned int)w->owners.waiting, fn, ctx);

	if (err || at < 0 || !(w->waits >> at & 1) || stack_is_user(event))
		return err;
	err = count_stack_of(event, rec, &stacks->addresses, &stacks->path);
	return err ? err : let_go(w, at, stacks->path.len ? str_text(&stacks->path) : NULL, fn, ctx);
}

int count_stacks_take(struct count_stacks *stacks, const struct trace *trace, const struct record *rec, count_stacked_fn *fn, void *ctx)
{
	struct count_waits *w = stream_of(&stacks->streams, rec);
	const struct event *event;
	struct common common;
	enum call_irq level;
	int err;

	if (!w)
		return -ENOMEM;
	if (unlikely(rec->flags & (RECORD_LOST | RECORD_NODATA))) {
		stack_owner_lost(&w->owners);
		err = let_go_all(w, ~0U, fn, ctx);
		if (err || rec->flags & RECORD_NODATA)
			return err;
	}
	common = record_common(trace, rec);
	event = trace_event(trace, common.id);
	level = call_context_of(common_context(&common));
	if (event && event->kind == EVENT_STACK)
		return take_stack(stacks, w, level, event, rec, fn, ctx);
	stack_owner_begin(&w->owners, level);
	/* This lets go the events of the context and of all inner contexts. In nearly all cases, only an event of the same context waits. */
	if (likely(w->waits == 1U << level))
		err = let_go(w, (int)level, NULL, fn, ctx);
	else
		err = let_go_all(w, ~0U << level, fn, ctx);
	return err || !event ? err : wait_for_stack(w, level, rec);
}

int count_stacks_flush(struct count_stacks *stacks, count_stacked_fn *fn, void *ctx)
{
	int err = 0;

	vec_each (&stacks->streams.files, buffers)
		vec_each (buffers, cpus)
			for (size_t i = 0; !err && i < cpus->n; i++) {
				struct count_waits *w = (struct count_waits *)cpus->states + i;

				stack_owner_lost(&w->owners);
				err = let_go_all(w, ~0U, fn, ctx);
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
