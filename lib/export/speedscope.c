/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes Speedscope's own format: when the calls of each task begin and end (evented profiles), and the stacks that were recorded with events (sampled
 * profiles). Incomplete calls are frames with another name. So the times of a function's frame are those of `funcs --by task`.
 */
#include "lib/export/speedscope.h"
#include "lib/analysis/call-source.h"
#include "lib/base/quote.h"
#include "lib/export/exporter.h"

/* --- frames and profiles ---------------------------------------------------------------------------------------- */

uint32_t speedscope_frame(struct timeline *t, const char *name, size_t n, const char *module, const char *more)
{
	struct speedscope *s = t->mine;
	map_entry(&s->frames) entry = NULL;
	struct str label = { 0 };

	str_addn(&label, name, n);
	if (more)
		str_addf(&label, " (%s)", more);
	if (!str_ok(&label))
		entry = map_add_text(&s->frames, str_text(&label), label.len);
	if (entry && !entry->value.name)
		entry->value = (struct speedscope_frame){ .name = str_take(&label), .module = module };
	else if (entry)
		entry->value.several |= !entry->value.module != !module || (module && strcmp(entry->value.module, module));
	str_fini(&label);
	t->out.oom |= !entry;
	return entry ? (uint32_t)map_index(&s->frames, entry) + 1 : 0;
}

static struct speedscope_profile *new_profile(struct speedscope *s, const struct call_task *task)
{
	struct speedscope_profile *made = calloc(1, sizeof(*made));

	if (made && vec_push(&s->profiles, made))
		free(take(made));
	if (made)
		made->task = task;
	return made;
}

struct speedscope_profile *speedscope_profile(struct timeline *t, struct call_task *task)
{
	struct timeline_task *mine = call_task_of(&t->user, task);
	struct speedscope *s = t->mine;
	struct speedscope_profile *made;

	if (likely(mine->id))
		return s->profiles.at[mine->id - 1];
	made = new_profile(s, task);
	mine->id = made ? s->profiles.n : 0;
	return made;
}

/* Returns the profile in which the task's innermost call is: the task's own one, or one of interrupts. */
static struct speedscope_profile *innermost(struct timeline *t, struct call_task *task)
{
	struct speedscope_profile *at = speedscope_profile(t, task);

	while (at && at->inside)
		at = at->inside;
	return at;
}

/* Returns a profile of interrupts on this CPU in which no call is open. */
static struct speedscope_profile *irq_profile(struct timeline *t, const struct call_task *task, uint16_t cpu)
{
	struct speedscope *s = t->mine;
	map_entry(&s->irqs) entry = map_add(&s->irqs, ((struct key){ (uint64_t)task->file << 16 | task->buffer, cpu, 0 }));
	struct speedscope_profile **at = entry ? &entry->value : NULL;
	uint32_t nr = 1;

	if (!entry)
		return NULL;
	for (; *at && (*at)->open.n; at = &(*at)->more)
		nr++;
	if (*at)
		return *at;
	*at = new_profile(s, task);
	if (*at) {
		(*at)->irq = nr;
		(*at)->cpu = cpu;
	}
	return *at;
}

/* Notes a name. It gets a frame when one of its calls is complete: see frame_of(). */
static void name(struct timeline *t, __unused uint32_t index, const char *text, const char *module, struct str *out)
{
	struct speedscope *s = t->mine;

	out->oom |= vec_push(&s->names, (struct speedscope_name){ .module = module }) != 0;
	str_add(out, text);
}

/* Returns the frame of a name. @word says why the call is incomplete; NULL means that it is complete. */
static uint32_t frame_of(struct timeline *t, uint32_t called, const char *word)
{
	struct speedscope *s = t->mine;
	struct speedscope_name *named = &s->names.at[called];
	const char *text = t->names.at[called].text;
	uint32_t frame;

	if (!word && named->frame)
		return named->frame;
	frame = speedscope_frame(t, text, strlen(text), named->module, word);
	if (!word)
		named->frame = frame;
	return frame;
}

/* --- calls ------------------------------------------------------------------------------------------------------ */

static void see(struct timeline *t, uint64_t ns)
{
	struct speedscope *s = t->mine;

	s->first = s->any ? MIN(s->first, ns) : ns;
	s->any = true;
}

/* Notes that the innermost call paused for @length up to @ns. */
static int pause_to(struct timeline *t, struct speedscope_profile *profile, uint64_t ns, uint64_t length, uint32_t *frame, const char *what)
{
	struct speedscope_open *open = &profile->open.at[profile->open.n - 1];
	struct speedscope *s = t->mine;
	struct speedscope_mark mark;
	uint64_t gap;
	int err;

	if (!*frame)
		*frame = speedscope_frame(t, what, strlen(what), NULL, NULL);
	if (!*frame)
		return -ENOMEM;
	mark = (struct speedscope_mark){ .ns = MAX(ns, profile->last), .frame = *frame, .kind = SPEEDSCOPE_PAUSE };
	gap = mark.ns - profile->last;
	open->self_seen += gap - MIN(gap, length);
	open->pauses_seen += length;
	profile->last = mark.ns;
	err = strand_add(&s->strands, &profile->marks, &mark, sizeof(mark));
	return err ? err : strand_add(&s->strands, &profile->marks, &length, sizeof(length));
}

/* The time between the last mark and @ns belongs to the innermost call @frame: notes it as the call's own time or as a pause. */
static int pass(struct timeline *t, struct speedscope_profile *profile, const struct call_frame *frame, uint64_t ns)
{
	const struct call_times *times = &timed_call_of(t->timed, (struct call_frame *)frame)->times;
	struct speedscope_open *open = &profile->open.at[profile->open.n - 1];
	const uint64_t irq = times->irq - MIN(times->irq, open->irq), off = times->off - MIN(times->off, open->off);
	struct speedscope *s = t->mine;
	int err = 0;

	open->irq += irq;
	open->off += off;
	if (unlikely(off))
		err = pause_to(t, profile, ns - MIN(ns, irq), off, &s->off_frame, "[off the CPU]");
	if (!err && unlikely(irq))
		err = pause_to(t, profile, ns, irq, &s->irq_frame, "[interrupts]");
	if (!err && ns > profile->last) {
		open->self_seen += ns - profile->last;
		profile->last = ns;
	}
	return err;
}

static int enter(struct timeline *t, struct call_task *task, struct call_frame *frame, __unused uint32_t called, const struct plan *plan,
		 const struct record *rec)
{
	const struct speedscope_mark mark = { .ns = frame->ns, .kind = SPEEDSCOPE_BEGIN };
	struct speedscope_profile *profile = innermost(t, task);
	const struct speedscope_call call = { 0 };
	struct speedscope *s = t->mine;
	int err = 0;

	if (!profile)
		return -ENOMEM;
	see(t, frame->ns);
	if (profile->open.n)
		err = pass(t, profile, call_caller(task, frame), frame->ns);
	if (timed_call_of(t->timed, frame)->irq)
		profile = profile->inside = irq_profile(t, task, frame->cpu);
	if (err || !profile || vec_push(&profile->open, (struct speedscope_open){ .at = profile->marks.n }))
		return err ? err : -ENOMEM;
	profile->last = MAX(profile->last, frame->ns);
	err = strand_add(&s->strands, &profile->marks, &mark, sizeof(mark));
	err = err ? err : strand_add(&s->strands, &profile->marks, &call, sizeof(call));
	return err || !plan ? err : speedscope_event(t, task->aside ? task->beside : task, plan->event, rec);
}

/* Adds what an incomplete call did to its caller's time. */
static void add_to_caller(struct speedscope_profile *profile, const struct speedscope_open *open)
{
	struct speedscope_open *caller = &profile->open.at[profile->open.n - 1];

	caller->self_seen += open->self_seen;
	caller->pauses_seen += open->pauses_seen;
	caller->irq += open->irq;
	caller->off += open->off;
}

/* Puts the marks of a call when everything is known about it. */
static int put_call(struct timeline *t, const struct call_task *task, const struct call_frame *frame, struct speedscope_profile *profile,
		    const struct call_end *end, uint32_t called)
{
	const struct call_times *times = &timed_call_of(t->timed, (struct call_frame *)frame)->times;
	struct speedscope_mark mark = { .ns = frame->ns, .kind = SPEEDSCOPE_BEGIN };
	const struct speedscope_open open = profile->open.at[--profile->open.n];
	struct speedscope_call call = { .total = CALL_UNKNOWN };
	struct speedscope *s = t->mine;
	int err;

	if (!end->cut && task->in_ns)
		call = (struct speedscope_call){ times->total, times->self, times->irq + times->off, open.self_seen, open.pauses_seen };
	else if (profile->open.n)
		add_to_caller(profile, &open);
	mark.frame = frame_of(t, called, end->cut ? timeline_cut(end->cut) : NULL);
	if (!mark.frame)
		return -ENOMEM;
	err = strand_set(&s->strands, &profile->marks, open.at, &mark, sizeof(mark));
	err = err ? err : strand_set(&s->strands, &profile->marks, open.at + sizeof(mark), &call, sizeof(call));
	mark.ns = timeline_end_ns(frame, end);
	mark.kind = SPEEDSCOPE_END;
	return err ? err : strand_add(&s->strands, &profile->marks, &mark, sizeof(mark));
}

/* Ends an interrupt; what it interrupted goes on. */
static int resume(struct timeline *t, struct call_task *task, const struct call_frame *frame, uint64_t ns)
{
	struct speedscope_profile *below = speedscope_profile(t, task);

	while (below->inside->inside)
		below = below->inside;
	below->inside = NULL;
	return below->open.n ? pass(t, below, call_caller(task, frame), ns) : 0;
}

static int leave(struct timeline *t, struct call_task *task, const struct call_frame *frame, __unused const struct timeline_frame *mine,
		 const struct call_end *end, uint32_t called)
{
	const uint64_t ns = timeline_end_ns(frame, end);
	struct speedscope_profile *profile = innermost(t, task);
	int err;

	if (!profile || !profile->open.n)
		return -ENOMEM;
	err = pass(t, profile, frame, ns);
	err = err ? err : put_call(t, task, frame, profile, end, called);
	if (!err && timed_call_of(t->timed, (struct call_frame *)frame)->irq)
		err = resume(t, task, frame, ns);
	if (err || !end->rec || frame->level == CALL_LEVEL_KERNEL)
		return err;
	return speedscope_event(t, task->aside ? task->beside : task, trace_event(task->trace, record_id(task->trace, end->rec)), end->rec);
}

static int event(struct timeline *t, struct call_task *task, const struct plan *plan, const struct record *rec, uint64_t ns)
{
	see(t, ns);
	if (plan->event->kind == EVENT_STACK)
		return speedscope_stack(t, plan->event, rec);
	return speedscope_event(t, task, plan->event, rec);
}

/* --- the document ----------------------------------------------------------------------------------------------- */

static int begin(struct timeline *t)
{
	struct speedscope *s = t->mine;

	s->strands = STRANDS_NONE;
	return 0;
}

static int end(struct timeline *t)
{
	const struct speedscope *s = t->mine;

	return s->strands.failed ? -EIO : speedscope_write(t);
}

static void fini(struct timeline *t)
{
	struct speedscope *s = t->mine;

	if (!s)
		return;
	vec_each (&s->profiles, profile) {
		strand_fini(&(*profile)->marks);
		strand_fini(&(*profile)->samples);
		vec_fini(&(*profile)->open);
		free(*profile);
	}
	vec_fini(&s->profiles);
	map_each (&s->frames, entry)
		free(entry->value.name);
	map_fini(&s->frames);
	map_fini(&s->irqs);
	vec_fini(&s->names);
	keys_fini(&s->functions);
	vec_fini(&s->function_frames);
	if (t->streams.size)
		strands_fini(&s->strands);
}

/* clang-format off */
static const struct timeline_format format = {
	.style = PLAN_JSON, .mine = sizeof(struct speedscope), .stream = sizeof(struct speedscope_stream), .table = true, .begin = begin, .name = name,
	.enter = enter, .leave = leave, .event = event, .lost = speedscope_lost, .end = end, .fini = fini,
};
/* clang-format on */

static int make(struct handler **out, struct reading *reading, __unused void *options)
{
	return timeline_make(out, reading, &format);
}

const struct analysis speedscope_analysis = { .name = "speedscope", .needs = ANALYSIS_SWITCHES | ANALYSIS_CALLS | ANALYSIS_LEARN, .make = make };
