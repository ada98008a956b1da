/* SPDX-License-Identifier: GPL-2.0 */
/* Puts together the calls of functions. The function_graph tracer records an entry and an exit for each call, and each of them tells the call's depth. */
#include "lib/analysis/calls-inside.h"
#include "lib/event/graph.h"

#include <stdio.h>

static bool find(__unused const struct trace *trace, const struct event *event, struct call_event *out)
{
	out->leave = event->kind == EVENT_GRAPH_EXIT;
	return out->leave || event->kind == EVENT_GRAPH_ENTRY;
}

/*
 * Returns the index of the outermost call of this source that has not ended and whose depth is @depth or more. Returns task->depth if there is none. Of several
 * calls with the depth @depth (see comes_at_end()), this is the innermost one.
 */
static size_t index_of(const struct call_task *task, uint32_t depth)
{
	const unsigned int graph = call_source_index(&call_source_graph);
	size_t i = task->depth, found = i;

	/* In nearly all cases, the innermost calls are of this source, and their depths follow each other without a gap. */
	if (likely(i && !task->over && call_top(task)->source == graph)) {
		const uint32_t top = call_top(task)->depth;

		if (depth > top)
			return i;
		if (top - depth < i && call_at(task, i - 1 - (top - depth))->source == graph && call_at(task, i - 1 - (top - depth))->depth == depth)
			return i - 1 - (top - depth);
	}
	while (i-- > 0) {
		const struct call_frame *frame = call_at(task, i);

		if (frame->level < CALL_LEVEL_KERNEL)
			break;
		if (frame->source != graph || frame->over)
			continue;
		if (frame->depth < depth)
			break;
		found = i;
		if (frame->depth == depth)
			break;
	}
	return found;
}

/* Returns how many levels of function_graph are open: the depth of the innermost open call, plus 1. Returns 0 if no call is open. */
static uint32_t levels(const struct call_task *task)
{
	const unsigned int graph = call_source_index(&call_source_graph);

	for (size_t i = task->depth; i-- > 0 && call_at(task, i)->level == CALL_LEVEL_KERNEL;) {
		const struct call_frame *frame = call_at(task, i);

		if (frame->source == graph && !frame->over)
			return frame->depth + 1;
	}
	return 0;
}

/* Ends the calls whose depth is @depth or more. Their exits were not recorded. Returns 0 or -errno. */
static int cut_to(const struct call_at *at, uint32_t depth)
{
	const unsigned int graph = call_source_index(&call_source_graph);
	struct call_task *task = at->task;
	size_t first = index_of(task, depth);
	int err = 0;

	for (size_t i = task->depth; !err && i-- > first;)
		if (call_at(task, i)->source == graph && !call_at(task, i)->over)
			err = call_cut(at, i);
	return err;
}

/*
 * Is called after a gap, when something runs in the context @irq. If an interrupt was on top of this context before the gap, it has ended by now. This ends
 * the interrupt's calls. Returns 0 or -errno.
 */
static int cut_irqs(const struct call_at *at, enum call_irq irq)
{
	const unsigned int graph = call_source_index(&call_source_graph);
	struct call_task *task = at->task;
	int err = 0;

	while (!err && task->depth && call_top(task)->gap && call_top(task)->irq > irq && call_top(task)->source == graph && !call_top(task)->over)
		err = call_cut(at, task->depth - 1);
	return err;
}

/* Is the call of this depth missing because -I or -S has left out the record of its entry? Then nothing stands for the call. */
static bool is_left_out(const struct call_at *at, uint32_t depth)
{
	return unlikely(at->task->input->no_interrupts) && !at->task->gaps && depth >= at->task->lowest;
}

/*
 * Enters calls that must be open, although the recording does not hold their entries. Afterwards, @depth levels are open, except those of calls for which
 * is_left_out() is true. If the task has never been seen at the depth of such a call, the call began before the recording did. @own is the depth of the call
 * that the record at hand enters or leaves. With calls_without_callers(), a chosen function may be recorded without its callers. Then only the call at the
 * depth @own can be missing while no call is open. Returns 0 or -errno.
 */
static int fill_to(const struct call_at *at, uint32_t depth, uint32_t own)
{
	const uint32_t open = levels(at->task);
	int err = 0;

	for (uint32_t n = !open && at->calls->no_callers ? own : open; !err && n < depth; n++) {
		struct call_frame frame = call_begin(at);

		if (is_left_out(at, n))
			continue;
		frame.depth = n;
		frame.stacked = true;
		/* After a gap, the call may also be one of an interrupt. In this case its exit will tell in which context it ran. */
		if (!at->task->gaps)
			frame.irq = CALL_IN_TASK;
		frame.cut = CALL_NO_ENTRY | (at->stream->ngaps ? CALL_LOSS : n < at->task->lowest ? CALL_EDGE : 0);
		err = call_enter(at, CALL_LEVEL_KERNEL, &frame, NULL);
	}
	return err;
}

/*
 * Is @frame the call that the exit @ret ends? After a gap, the exit may belong to a later call of the same function. Then the beginning of the call is
 * after the gap. The exit tells how long the call took, and so when it began. If the clock's ticks have an unknown length, this cannot be found out. Then
 * the answer is no.
 */
static bool same_call(const struct call_at *at, const struct call_frame *frame, const struct graph_exit *ret)
{
	const struct clock *clock = &at->task->input->clock;
	uint64_t gap;

	if ((frame->func && frame->func != ret->func) || (frame->cut & CALL_NO_ENTRY && frame->irq > call_context(at)))
		return false;
	if (frame->gap)
		return at->task->in_ns && at->ns - (ret->rettime - ret->calltime) <= frame->gap;
	if (!call_lost_since(at, frame, &gap) || frame->cut & CALL_NO_ENTRY)
		return true;
	return at->task->in_ns && at->ns - (ret->rettime - ret->calltime) <= clock_time(clock, at->rec->cpu, gap);
}

/* Ends and enters calls until the call that the exit @ret ends is the innermost call of its source, if it is not left out. Returns 0 or -errno. */
static int bring_to_top(const struct call_at *at, const struct graph_exit *ret)
{
	struct call_task *task = at->task;
	int err = cut_to(at, ret->depth + 1);

	/* A call and calls of an interrupt at its end can have the same depth: see comes_at_end(). */
	for (size_t i = index_of(task, ret->depth); !err && i < task->depth && !same_call(at, call_at(task, i), ret) && !is_left_out(at, ret->depth);
	     i = index_of(task, ret->depth))
		err = cut_to(at, ret->depth);
	return err ? err : fill_to(at, ret->depth + 1, ret->depth);
}

static int on_exit_data(const struct call_at *at, const struct graph_exit *ret, bool leaf)
{
	struct call_task *task = at->task;
	const bool simple = call_is_of_top(at->task, at->stream, ret);
	struct call_end end;
	size_t i;
	int err;

	if (unlikely(ret->depth >= CALL_MOST_DEPTH)) {
		at->calls->deep_exits++;
		return 0;
	}
	call_end_of_function(&end, task, at->rec, at->ns, ret, leaf);
	err = simple ? 0 : bring_to_top(at, ret);
	if (err)
		return err;
	task->lowest = MIN(task->lowest, ret->depth);
	i = simple ? task->depth - 1 : index_of(task, ret->depth);
	if (unlikely(!simple && is_left_out(at, ret->depth) && (i == task->depth || !same_call(at, call_at(task, i), ret))))
		return 0;
	call_at(task, i)->func = ret->func;
	/* Nothing else tells the context in which such a call ran. */
	if (unlikely(call_at(task, i)->cut & CALL_NO_ENTRY))
		call_at(task, i)->irq = MAX(call_at(task, i)->irq, (uint8_t)call_context(at));
	end.cut = call_at(task, i)->cut;
	return call_leave(at, i, &end);
}

/* These are the fields of an entry. */
struct entry {
	uint64_t func, depth, retaddr;
};

static inline bool entry_get(const struct event *event, const struct record *rec, struct entry *out)
{
	const bool swap = event->trace->swap;

	out->retaddr = 0;
	if (!field_get(&event->field[GRAPH_FUNC], rec->data, rec->size, swap, &out->func) ||
	    !field_get(&event->field[GRAPH_DEPTH], rec->data, rec->size, swap, &out->depth))
		return false;
	if (unlikely(event->field[GRAPH_RETADDR].found))
		field_get(&event->field[GRAPH_RETADDR], rec->data, rec->size, swap, &out->retaddr);
	return true;
}

/*
 * Is this a function that interrupts call when the flags do not tell of an interrupt yet, or no longer? Others than interrupts call some of them, too, but not
 * at the places where this is asked.
 */
static bool is_of_interrupt(const struct call_at *at, uint64_t func)
{
	static const char *const names[] = { "irq_enter_rcu", "irq_enter", "handle_softirqs", "__do_softirq", "tick_nohz_irq_exit", "preempt_schedule_irq" };
	const struct symbol *sym = symbols_function(at->task->trace->symbols, func);

	for (size_t i = 0; sym && i < ARRAY_LEN(names); i++)
		if (strcmp(sym->name, names[i]) == 0)
			return true;
	return false;
}

/* Was the function of @entry called by an interrupt, and not by @below? @below is NULL if no call of this source is open. */
static bool interrupts(const struct call_at *at, const struct call_frame *below, const struct entry *entry)
{
	return call_context(at) > (below ? below->irq : CALL_IN_TASK) || is_of_interrupt(at, entry->func);
}

/* Returns the innermost call if it is of this source and its entry is recorded, and if no events were lost since. Otherwise returns NULL. */
static const struct call_frame *sure_top(const struct call_at *at)
{
	const struct call_frame *top = at->task->depth ? call_top(at->task) : NULL;

	return top && top->source == call_source_index(&call_source_graph) && !top->over && !top->cut && !top->gap && !call_lost_since(at, top, NULL) ? top
																		      : NULL;
}

/*
 * Some kernels, such as 6.1, take a call off their own stack before they record its exit. An interrupt can come in between. Then its functions have the same
 * depth as the call. Is the entry of such a function at hand?
 */
static bool comes_at_end(const struct call_at *at, const struct entry *entry)
{
	const struct call_frame *top = sure_top(at);

	return top && top->depth == entry->depth && interrupts(at, top, entry);
}

/*
 * The kernel puts a call on its own stack, and takes the time of its beginning, before it records the entry. An interrupt can come in between. Then its functions
 * are one level deeper than they seem to be. Is the entry of such a function at hand? A task that was never seen outside of all calls may as well be in
 * a call that began before the recording.
 */
static bool comes_before_entry(const struct call_at *at, const struct entry *entry)
{
	const uint32_t open = levels(at->task);
	const struct call_frame *top = sure_top(at);

	return entry->depth == open + 1 && (open ? top != NULL : !at->calls->no_callers && !at->task->lowest && !at->task->gaps) &&
	       interrupts(at, open ? top : NULL, entry);
}

static int enter_out_of_step(const struct call_at *at, const struct entry *entry)
{
	struct call_frame frame = call_begin(at);
	bool at_end;
	int err;

	frame.func = entry->func;
	frame.retaddr = entry->retaddr;
	frame.depth = (uint32_t)entry->depth;
	frame.stacked = true;
	at_end = comes_at_end(at, entry);
	for (err = 0; !err && !at_end && index_of(at->task, frame.depth) < at->task->depth; at_end = comes_at_end(at, entry))
		err = cut_to(at, frame.depth);
	if (!err && unlikely(at->task->gaps))
		err = cut_irqs(at, frame.irq);
	frame.early = !err && !is_left_out(at, frame.depth - 1) && comes_before_entry(at, entry);
	err = err || frame.early ? err : fill_to(at, frame.depth, frame.depth);
	return err ? err : call_enter(at, CALL_LEVEL_KERNEL, &frame, at->rec);
}

/*
 * Reads the exit that is folded into the record of the entry. Returns false if there is no such exit, if it cannot be read, or if it may be the exit of
 * another call.
 */
static inline bool exit_of_leaf(const struct call_at *at, struct graph_exit *ret)
{
	const struct trace *trace = at->task->trace;
	const struct event *event;

	if (!record_is_leaf(at->rec) || at->task->apart)
		return false;
	event = trace_event(trace, trace->graph.exit.id);
	return event && graph_exit_get(event, at->rec->exit, at->rec->exit_size, ret);
}

/*
 * Returns true if the entry and the exit of a leaf belong together and if no events are missing around them. This is the case for most leaves. The caller
 * has found out that the entry is in step (call_is_in_step()).
 */
static inline bool is_plain_leaf(const struct call_at *at, const struct entry *entry, const struct graph_exit *ret)
{
	return likely(at->leaves && !at->task->nwaiting && entry->func && ret->func == entry->func && ret->depth == entry->depth &&
		      call_took(ret) != CALL_UNKNOWN && !call_lost_after(at->stream, at->rec->ts));
}

static int on_entry(const struct call_at *at)
{
	struct graph_exit ret;
	struct call_end end;
	struct entry entry;
	bool leaf;
	int err;

	if (!entry_get(at->event, at->rec, &entry))
		return 0;
	if (unlikely(entry.depth >= CALL_MOST_DEPTH)) {
		at->calls->deep_entries++;
		return 0;
	}
	at->task->lowest = MIN(at->task->lowest, (uint32_t)entry.depth);
	leaf = exit_of_leaf(at, &ret);
	if (!call_is_in_step(at->task, entry.depth)) {
		err = enter_out_of_step(at, &entry);
	} else if (leaf && is_plain_leaf(at, &entry, &ret)) {
		call_end_of_function(&end, at->task, at->rec, at->ns, &ret, true);
		return call_leaf_at_once(at, CALL_SOURCE_GRAPH, entry.func, entry.retaddr, (uint32_t)entry.depth, &end);
	} else {
		err = call_enter_at_once(at, CALL_SOURCE_GRAPH, entry.func, entry.retaddr, (uint32_t)entry.depth);
	}
	return err || !leaf ? err : on_exit_data(at, &ret, true);
}

static int on_record(const struct call_at *at)
{
	struct graph_exit ret;

	if (unlikely(at->task->gaps))
		at->task->least_irq = (uint8_t)MIN(at->task->least_irq, call_context(at));
	if (!at->what->leave)
		return on_entry(at);
	return graph_exit_get(at->event, at->rec->data, at->rec->size, &ret) ? on_exit_data(at, &ret, false) : 0;
}

static const char *name_of(const struct trace *trace, uint64_t func, char buf[CALL_NAME], const char **module)
{
	const struct symbol *sym = symbols_find(trace->symbols, func);

	if (!sym) {
		snprintf(buf, CALL_NAME, "0x%llx", (unsigned long long)func);
		return buf;
	}
	if (module)
		*module = sym->module;
	return sym->name;
}

const struct call_source call_source_graph = {
	.name = "function_graph",
	.calls = "calls of function_graph",
	.functions = true,
	.addresses = true,
	.find = find,
	.record = on_record,
	.name_of = name_of,
};
