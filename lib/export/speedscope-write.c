/* SPDX-License-Identifier: GPL-2.0 */
/* Writes the document, after all calls are known. */
#include "lib/export/speedscope.h"
#include "lib/base/digits.h"
#include "lib/base/err.h"
#include "lib/base/quote.h"

/* Text is written when it has grown to this size. */
enum { ENOUGH = 1 << 16 };

#define PUT(at, text) put_bytes(at, text, sizeof(text) - 1)

/* A call that is open while the marks of its task are read. A mark is where a call begins or ends, or a pause. */
struct open_call {
	struct speedscope_call call;
	uint32_t frame;
	bool closed;		      /* it has had its total time, and the calls inside it go on without it */
	uint64_t self_seen, self;     /* how much of its own time has gone by, as the events tell it, and as it was laid out */
	uint64_t pauses_seen, pauses; /* the same for the time in which it paused */
	uint64_t owes;		      /* time of inner calls that lasted longer than their callers; it is taken off the call's own time */
	uint64_t until;		      /* when it must end; UINT64_MAX: its time was not measured */
	uint64_t earliest;	      /* the lowest .until of this call and of its callers that are not closed */
};

struct walk {
	VEC(struct open_call) open;
	uint64_t first; /* the time of the very first event */
	uint64_t real;	/* the time of the last event, counted from .first */
	uint64_t at;	/* the time of that event's mark in the document */
	uint64_t total; /* the time during which calls were open */
	size_t closed;	/* how many of the open calls are closed */
	bool any;
};

/* --- calls ------------------------------------------------------------------------------------------------------ */

static int put_event(struct timeline *t, struct walk *walk, bool ends, uint32_t frame)
{
	char *at;

	if (!str_room(&t->out, 96))
		return -ENOMEM;
	at = t->out.at + t->out.len;
	if (walk->any)
		*at++ = ',';
	walk->any = true;
	at = ends ? PUT(at, "\n{\"type\":\"C\",\"frame\":") : PUT(at, "\n{\"type\":\"O\",\"frame\":");
	at = put_u64(at, frame - 1);
	at = put_u64(PUT(at, ",\"at\":"), walk->at);
	*at++ = '}';
	t->out.len = (size_t)(at - t->out.at);
	return timeline_flush(t, ENOUGH);
}

static void set_earliest(struct walk *walk, size_t i)
{
	struct open_call *open = &walk->open.at[i];
	const uint64_t below = i ? walk->open.at[i - 1].earliest : UINT64_MAX;

	open->earliest = open->closed ? below : MIN(below, open->until);
}

/* Is the call inside a closed call of the same function? Then it is not shown, because the outermost call of a recursive function stands for all. */
static bool is_nested(const struct walk *walk, size_t i)
{
	for (size_t outer = i; outer-- > 0;)
		if (walk->open.at[outer].closed && walk->open.at[outer].frame == walk->open.at[i].frame)
			return true;
	return false;
}

static void close_call(struct walk *walk, struct open_call *open)
{
	open->closed = true;
	open->until = walk->at;
	walk->closed++;
}

/* Ends the calls that have had their time although calls inside them are still open. The inner calls end with them and begin again without them. */
static int close_early(struct timeline *t, struct walk *walk)
{
	size_t first = 0;
	int err = 0;

	while (walk->open.at[first].closed || walk->open.at[first].until > walk->at)
		first++;
	for (size_t i = walk->open.n; !err && i-- > first;)
		if (!walk->open.at[i].closed)
			err = put_event(t, walk, true, walk->open.at[i].frame);
	for (size_t i = first; !err && i < walk->open.n; i++) {
		struct open_call *open = &walk->open.at[i];

		if (!open->closed && (open->until <= walk->at || is_nested(walk, i)))
			close_call(walk, open);
		set_earliest(walk, i);
		if (!open->closed)
			err = put_event(t, walk, false, open->frame);
	}
	return err;
}

/* Time that passes inside a closed call is taken from its caller, which had not expected it. */
static void owe(struct walk *walk, uint64_t time)
{
	bool closed = false;

	for (size_t i = walk->open.n; i-- > 0;) {
		struct open_call *open = &walk->open.at[i];

		if (open->call.total == CALL_UNKNOWN)
			continue;
		open->owes += closed && !open->closed ? time : 0;
		closed = open->closed;
	}
}

static void pass_time(struct walk *walk, uint64_t to)
{
	const uint64_t time = to - walk->at;

	walk->at = to;
	walk->total += walk->open.n ? time : 0;
	if (unlikely(walk->closed))
		owe(walk, time);
}

/* Lets @time pass. No call gets more than its total. */
static int advance(struct timeline *t, struct walk *walk, uint64_t time)
{
	const uint64_t to = walk->at + time;
	int err = 0;

	while (!err && walk->open.n && walk->open.at[walk->open.n - 1].earliest < to) {
		pass_time(walk, walk->open.at[walk->open.n - 1].earliest);
		err = close_early(t, walk);
	}
	pass_time(walk, to);
	return err;
}

/* Returns the innermost call whose time was measured, or NULL. Time of unmeasured calls inside it is part of its time. */
static struct open_call *payer_of(struct walk *walk)
{
	for (size_t i = walk->open.n; i-- > 0;)
		if (walk->open.at[i].call.total != CALL_UNKNOWN)
			return &walk->open.at[i];
	return NULL;
}

/* Returns the part of @whole that corresponds to @seen out of @all_seen. */
static uint64_t part_of(uint64_t whole, uint64_t seen, uint64_t all_seen)
{
	return all_seen ? (uint64_t)((unsigned __int128)whole * MIN(seen, all_seen) / all_seen) : 0;
}

/* Returns @time, or what is left of the call's total if that is less. */
static uint64_t left_of(const struct open_call *call, const struct walk *walk, uint64_t time)
{
	return MIN(time, call->until - MIN(call->until, walk->at));
}

/*
 * Lets the time up to an event at @real pass; its last @pause belongs to something else. With @ends, the innermost measured call gets all that is left of its
 * time.
 */
static int move_on(struct timeline *t, struct walk *walk, uint64_t real, uint64_t pause, bool ends)
{
	const uint64_t gap = real - MIN(real, walk->real), own = gap - MIN(gap, pause);
	struct open_call *payer = payer_of(walk);
	uint64_t time, owed;

	walk->real += gap;
	if (!payer)
		return advance(t, walk, MAX(walk->at, walk->real - MIN(gap, pause)) - walk->at);
	if (ends)
		return advance(t, walk, left_of(payer, walk, UINT64_MAX));
	payer->self_seen += own;
	time = part_of(payer->call.self, payer->self_seen, payer->call.self_seen) - payer->self;
	payer->self += time;
	owed = MIN(time, payer->owes);
	payer->owes -= owed;
	return advance(t, walk, left_of(payer, walk, time - owed));
}

static int put_begin(struct timeline *t, struct walk *walk, uint32_t frame, const struct speedscope_call *call)
{
	struct open_call open = { .call = *call, .frame = frame, .until = UINT64_MAX };

	if (call->total != CALL_UNKNOWN)
		open.until = walk->at + call->total;
	if (vec_push(&walk->open, open))
		return -ENOMEM;
	if (unlikely(walk->closed) && is_nested(walk, walk->open.n - 1))
		close_call(walk, &walk->open.at[walk->open.n - 1]);
	set_earliest(walk, walk->open.n - 1);
	return walk->open.at[walk->open.n - 1].closed ? 0 : put_event(t, walk, false, frame);
}

static int put_end(struct timeline *t, struct walk *walk)
{
	const struct open_call *open = &walk->open.at[--walk->open.n];

	walk->closed -= open->closed;
	return open->closed ? 0 : put_event(t, walk, true, open->frame);
}

/* Shows a pause of this length in the innermost call. */
static int put_pause(struct timeline *t, struct walk *walk, uint32_t frame, uint64_t length)
{
	const struct speedscope_call unmeasured = { .total = CALL_UNKNOWN };
	struct open_call *payer = payer_of(walk);
	uint64_t time = MAX(walk->at, walk->real) - walk->at;
	int err;

	if (payer) {
		payer->pauses_seen += length;
		time = part_of(payer->call.pauses, payer->pauses_seen, payer->call.pauses_seen) - payer->pauses;
		payer->pauses += time;
		time = left_of(payer, walk, time);
	}
	err = put_begin(t, walk, frame, &unmeasured);
	err = err ? err : advance(t, walk, time);
	return err ? err : put_end(t, walk);
}

/* Puts the mark at *@at of the strand, and sets *@at to the next mark. */
static int put_mark(struct timeline *t, struct walk *walk, const struct strand *marks, uint64_t *at)
{
	struct speedscope *s = t->mine;
	struct speedscope_mark mark;
	struct speedscope_call call;
	uint64_t length = 0;
	int err = strand_get(&s->strands, marks, *at, &mark, sizeof(mark));

	*at += sizeof(mark);
	if (!err && mark.kind == SPEEDSCOPE_PAUSE) {
		err = strand_get(&s->strands, marks, *at, &length, sizeof(length));
		*at += sizeof(length);
	} else if (!err && mark.kind == SPEEDSCOPE_BEGIN) {
		err = strand_get(&s->strands, marks, *at, &call, sizeof(call));
		*at += sizeof(call);
	}
	if (!err)
		err = move_on(t, walk, mark.ns - walk->first, length,
			      mark.kind == SPEEDSCOPE_END && walk->open.at[walk->open.n - 1].call.total != CALL_UNKNOWN);
	if (err)
		return err;
	if (mark.kind == SPEEDSCOPE_PAUSE)
		return put_pause(t, walk, mark.frame, length);
	return mark.kind == SPEEDSCOPE_END ? put_end(t, walk) : put_begin(t, walk, mark.frame, &call);
}

static void add_name(struct timeline *t, const struct speedscope_profile *profile, const char *what)
{
	const struct call_task *task = profile->task, *whose = task->aside ? task->beside : task;
	const char *comm = timeline_comm(whose), *buffer = timeline_buffer(t, task->file, task->buffer);
	struct str text = { 0 };

	if (profile->irq)
		str_addf(&text, profile->irq > 1 ? "interrupts on CPU %u (%u)" : "interrupts on CPU %u", profile->cpu, profile->irq);
	else if (whose->pid)
		str_addf(&text, "%s-%d", comm ? comm : "task", whose->pid);
	else
		str_addf(&text, "<idle>/%u", whose->idle_cpu);
	str_add(&text, what);
	if (buffer)
		str_addf(&text, " (%s)", buffer);
	str_add(&t->out, "\"name\":");
	quote_json(str_text(&text), &t->out);
	t->out.oom |= text.oom;
	str_fini(&text);
}

static void begin_profile(struct timeline *t, const char *kind, bool any)
{
	str_addf(&t->out, "%s\n{\"type\":\"%s\",", any ? "," : "", kind);
}

/* Writes the profile of a task's calls. *@total becomes the sum of its outermost calls. */
static int write_calls(struct timeline *t, const struct speedscope_profile *profile, bool any, uint64_t *total)
{
	const char *unit = profile->task->in_ns ? "nanoseconds" : "none";
	struct speedscope *s = t->mine;
	struct walk walk = { .first = s->first };
	struct speedscope_mark mark;
	int err = strand_get(&s->strands, &profile->marks, 0, &mark, sizeof(mark));

	if (err)
		return err;
	begin_profile(t, "evented", any);
	add_name(t, profile, profile->task->aside ? ", asynchronous" : "");
	str_addf(&t->out, ",\"unit\":\"%s\",\"startValue\":%llu,\"events\":[", unit, (unsigned long long)(mark.ns - s->first));
	for (uint64_t at = 0; !err && at < profile->marks.n;)
		err = put_mark(t, &walk, &profile->marks, &at);
	str_addf(&t->out, "],\"endValue\":%llu}", (unsigned long long)walk.at);
	vec_fini(&walk.open);
	*total = walk.total;
	return err;
}

/* --- stacks ----------------------------------------------------------------------------------------------------- */

/* Writes the frames of a stack, the outermost first. */
static int write_stack(struct timeline *t, const struct speedscope_profile *profile, uint64_t at, uint32_t n)
{
	struct speedscope *s = t->mine;
	uint32_t frame;
	int err = 0;

	for (uint32_t i = n; !err && i-- > 0;) {
		err = strand_get(&s->strands, &profile->samples, at + i * sizeof(frame), &frame, sizeof(frame));
		str_addf(&t->out, "%u,", frame - 1);
	}
	return err;
}

/* Writes the sample at *@at of the strand if it is one with a stack. Sets *@at to the next element. */
static int write_sample(struct timeline *t, const struct speedscope_profile *profile, uint64_t *at, bool *any)
{
	struct speedscope_sample sample = { 0 };
	struct speedscope *s = t->mine;
	int err = strand_get(&s->strands, &profile->samples, *at, &sample, sizeof(sample));

	*at += sizeof(sample) + sample.frames * sizeof(uint32_t);
	if (err || (!sample.n[0] && !sample.n[1]))
		return err;
	str_add(&t->out, *any ? ",\n[" : "\n[");
	*any = true;
	err = write_stack(t, profile, sample.at[1], sample.n[1]);
	err = err ? err : write_stack(t, profile, sample.at[0], sample.n[0]);
	str_addf(&t->out, "%u]", sample.event - 1);
	return err ? err : timeline_flush(t, ENOUGH);
}

static int write_samples(struct timeline *t, const struct speedscope_profile *profile, bool any)
{
	bool written = false;
	int err = 0;

	begin_profile(t, "sampled", any);
	add_name(t, profile, ", stacks of events");
	str_addf(&t->out, ",\"unit\":\"none\",\"startValue\":0,\"endValue\":%llu,\"samples\":[", (unsigned long long)profile->nsamples);
	for (uint64_t at = 0; !err && at < profile->samples.n;)
		err = write_sample(t, profile, &at, &written);
	str_add(&t->out, "],\"weights\":[");
	for (uint64_t i = 0; !err && i < profile->nsamples; i++) {
		str_add(&t->out, i ? ",1" : "1");
		err = timeline_flush(t, ENOUGH);
	}
	str_add(&t->out, "]}");
	return err;
}

/* --- all of it -------------------------------------------------------------------------------------------------- */

static void write_frame(struct timeline *t, struct text name, const struct speedscope_frame *frame)
{
	str_add(&t->out, "{\"name\":");
	quote_json_bytes(name.at, name.size, &t->out);
	if (frame->module && !frame->several) {
		str_add(&t->out, ",\"file\":");
		quote_json(frame->module, &t->out);
	}
	str_addc(&t->out, '}');
}

static int write_frames(struct timeline *t)
{
	struct speedscope *s = t->mine;
	int err = 0;

	str_add(&t->out, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"ringside " RINGSIDE_VERSION "\",\"name\":");
	quote_json(t->reading->inputs.at[0].path, &t->out);
	str_add(&t->out, ",\"shared\":{\"frames\":[");
	for (size_t i = 0; !err && i < map_count(&s->frames); i++) {
		str_add(&t->out, i ? ",\n" : "\n");
		write_frame(t, map_at(&s->frames, i)->key, &map_at(&s->frames, i)->value);
		err = timeline_flush(t, ENOUGH);
	}
	str_add(&t->out, "]},\"profiles\":[");
	return err;
}

int speedscope_write(struct timeline *t)
{
	struct speedscope *s = t->mine;
	uint64_t most = 0, total = 0;
	size_t n = 0, best = 0;
	int err = write_frames(t);

	vec_each (&s->profiles, profile) {
		if (!err && (*profile)->marks.n) {
			err = write_calls(t, *profile, n != 0, &total);
			best = !(*profile)->irq && total > most ? n : best;
			most = (*profile)->irq ? most : MAX(most, total);
			n++;
		}
		if (!err && (*profile)->nsamples)
			err = write_samples(t, *profile, n++ != 0);
	}
	str_addf(&t->out, "],\"activeProfileIndex\":%zu}\n", best);
	if (!err && !n && t->reading->pass.passed)
		note("there are neither calls nor stacks in %s, so that speedscope has nothing to show", t->reading->inputs.at[0].path);
	return err;
}
