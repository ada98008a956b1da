/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Speedscope's own format: calls of each task as they begin and end (its evented form), and the stacks that were recorded with events (its
 * sampled form). Calls that are not complete are frames of another name, so that the times of a function's frame are those of `funcs`.
 */
#include "lib/export/speedscope.h"
#include "lib/analysis/call-source.h"
#include "lib/base/quote.h"
#include "lib/export/exporter.h"

/* --- frames and profiles ---------------------------------------------------------------------------------------- */

uint32_t speedscope_frame(struct timeline *t, const char *name, size_t n, const char *module, const char *more)
{
	struct speedscope *s = t->mine;
	struct str text = { 0 }, label = { 0 };
	map_entry(&s->frames) entry = NULL;

	str_addn(&label, name, n);
	if (more)
		str_addf(&label, " (%s)", more);
	str_add(&text, "{\"name\":");
	quote_json_bytes(str_text(&label), label.len, &text);
	if (module) {
		str_add(&text, ",\"file\":");
		quote_json(module, &text);
	}
	str_addc(&text, '}');
	text.oom |= label.oom;
	str_fini(&label);
	if (!str_ok(&text))
		entry = map_add_text(&s->frames, text.at, text.len);
	if (entry && !entry->value)
		entry->value = str_take(&text);
	str_fini(&text);
	t->out.oom |= !entry;
	return entry ? (uint32_t)map_index(&s->frames, entry) + 1 : 0;
}

struct speedscope_profile *speedscope_profile(struct timeline *t, struct call_task *task)
{
	struct timeline_task *mine = call_task_of(&t->user, task);
	struct speedscope *s = t->mine;
	struct speedscope_profile *made;

	if (likely(mine->id))
		return s->profiles.at[mine->id - 1];
	made = calloc(1, sizeof(*made));
	if (!made || vec_push(&s->profiles, made)) {
		free(made);
		return NULL;
	}
	made->task = task;
	mine->id = s->profiles.n;
	return made;
}

/* A name is a frame only when a call of it was complete: see frame_of(). */
static void name(struct timeline *t, __unused uint32_t index, const char *text, const char *module, struct str *out)
{
	struct speedscope *s = t->mine;

	out->oom |= vec_push(&s->names, (struct speedscope_name){ .module = module }) != 0;
	str_add(out, text);
}

/* @word: why the call is not complete; NULL: it is. */
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

/* What lies between the mark before and this one is the innermost call's own. */
static void pass(struct speedscope_profile *profile, uint64_t ns)
{
	if (ns <= profile->last)
		return;
	if (profile->open.n)
		profile->open.at[profile->open.n - 1].gaps += ns - profile->last;
	profile->last = ns;
}

static int enter(struct timeline *t, struct call_task *task, struct call_frame *frame, __unused uint32_t called, const struct plan *plan,
		 const struct record *rec)
{
	struct speedscope_profile *profile = speedscope_profile(t, task);
	const struct speedscope_mark mark = { .ns = frame->ns };
	struct speedscope *s = t->mine;
	int err;

	if (!profile)
		return -ENOMEM;
	see(t, frame->ns);
	pass(profile, frame->ns);
	if (vec_push(&profile->open, (struct speedscope_open){ .at = profile->marks.n }))
		return -ENOMEM;
	err = strand_add(&s->strands, &profile->marks, &mark, sizeof(mark));
	return err || !plan ? err : speedscope_event(t, task->aside ? task->beside : task, plan->event, rec);
}

static int leave(struct timeline *t, struct call_task *task, const struct call_frame *frame, __unused const struct timeline_frame *mine,
		 const struct call_end *end, uint32_t called)
{
	struct speedscope_profile *profile = speedscope_profile(t, task);
	const uint64_t ns = timeline_end_ns(frame, end);
	struct speedscope_mark begin = { .ns = frame->ns }, over = { .ns = ns, .ends = true };
	struct speedscope *s = t->mine;
	struct speedscope_open *open;
	int err;

	if (!profile || !profile->open.n)
		return -ENOMEM;
	pass(profile, ns);
	open = &profile->open.at[--profile->open.n];
	begin.gaps = begin.self = open->gaps;
	if (!end->cut && task->in_ns)
		begin.self = end->duration - MIN(end->duration, open->callees);
	if (profile->open.n)
		profile->open.at[profile->open.n - 1].callees += open->callees + begin.self;
	begin.frame = over.frame = frame_of(t, called, end->cut ? timeline_cut(end->cut) : NULL);
	if (!begin.frame)
		return -ENOMEM;
	err = strand_set(&s->strands, &profile->marks, open->at, &begin, sizeof(begin));
	err = err ? err : strand_add(&s->strands, &profile->marks, &over, sizeof(over));
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
	int err = s->strands.failed ? -EIO : speedscope_stacks_end(t);

	return err ? err : speedscope_write(t);
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
	vec_each (&s->pendings, pending) {
		vec_fini(&(*pending)->kernel);
		vec_fini(&(*pending)->user);
		free(*pending);
	}
	vec_fini(&s->pendings);
	map_each (&s->frames, entry)
		free(entry->value);
	map_fini(&s->frames);
	vec_fini(&s->names);
	keys_fini(&s->functions);
	vec_fini(&s->function_frames);
	if (t->streams.size)
		strands_fini(&s->strands);
}

/* clang-format off */
static const struct timeline_format format = {
	.style = PLAN_JSON, .mine = sizeof(struct speedscope), .stream = sizeof(struct speedscope_pending *), .table = true, .begin = begin, .name = name,
	.enter = enter, .leave = leave, .event = event, .end = end, .fini = fini,
};
/* clang-format on */

static int make(struct handler **out, struct reading *reading, __unused void *options)
{
	return timeline_make(out, reading, &format);
}

const struct analysis speedscope_analysis = { .name = "speedscope", .make = make };
