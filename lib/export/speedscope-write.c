/* SPDX-License-Identifier: GPL-2.0 */
/* The document, when all is known. */
#include "lib/export/speedscope.h"
#include "lib/base/digits.h"
#include "lib/base/err.h"
#include "lib/base/quote.h"

/* Text that has grown so much is written. */
enum { ENOUGH = 1 << 16 };

#define PUT(at, text) put_bytes(at, text, sizeof(text) - 1)

/* A call while its marks are gone through. */
struct open_call {
	uint64_t self, gaps;	/* of its mark */
	uint64_t passed, given; /* how much of each has gone by */
};

struct walk {
	VEC(struct open_call) open;
	uint64_t real;	/* the time of the last event */
	uint64_t at;	/* and of its mark, ns since the first of all */
	uint64_t total; /* of the outermost calls */
	bool any;
};

static int write_some(struct timeline *t, size_t least)
{
	int err = str_ok(&t->out);

	if (err || t->out.len <= least)
		return err;
	err = reading_write(t->reading, &t->out);
	str_clear(&t->out);
	return err;
}

/* --- calls ------------------------------------------------------------------------------------------------------ */

static void move_on(struct walk *walk, const struct speedscope_mark *mark, uint64_t first)
{
	struct open_call *call = walk->open.n ? &walk->open.at[walk->open.n - 1] : NULL;
	uint64_t target;

	if (!call)
		walk->at = MAX(walk->at, mark->ns - first);
	if (call && mark->ns > walk->real)
		call->passed += mark->ns - walk->real;
	walk->real = MAX(walk->real, mark->ns);
	if (!call)
		return;
	if (mark->ends)
		target = call->self;
	else
		target = call->gaps ? (uint64_t)((unsigned __int128)call->self * MIN(call->passed, call->gaps) / call->gaps) : 0;
	walk->at += target - call->given;
	if (walk->open.n == 1)
		walk->total += target - call->given;
	call->given = target;
}

static int put_mark(struct timeline *t, struct walk *walk, const struct speedscope_mark *mark, uint64_t first)
{
	char *at;

	move_on(walk, mark, first);
	if (mark->ends)
		walk->open.n--;
	else if (vec_push(&walk->open, (struct open_call){ .self = mark->self, .gaps = mark->gaps }))
		return -ENOMEM;
	if (!str_room(&t->out, 96))
		return -ENOMEM;
	at = t->out.at + t->out.len;
	if (walk->any)
		*at++ = ',';
	walk->any = true;
	at = mark->ends ? PUT(at, "\n{\"type\":\"C\",\"frame\":") : PUT(at, "\n{\"type\":\"O\",\"frame\":");
	at = put_u64(at, mark->frame - 1);
	at = put_u64(PUT(at, ",\"at\":"), walk->at);
	*at++ = '}';
	t->out.len = (size_t)(at - t->out.at);
	return write_some(t, ENOUGH);
}

static void add_name(struct timeline *t, const struct call_task *task, const char *what)
{
	const struct call_task *whose = task->aside ? task->beside : task;
	const char *comm = timeline_comm(whose), *buffer = timeline_buffer(t, task->file, task->buffer);
	struct str text = { 0 };

	if (whose->pid)
		str_addf(&text, "%s-%d", comm ? comm : "task", whose->pid);
	else
		str_addf(&text, "idle/%u", whose->idle_cpu);
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

/* What the outermost calls of a profile add up to is *@total. */
static int write_calls(struct timeline *t, const struct speedscope_profile *profile, bool any, uint64_t *total)
{
	const char *unit = profile->task->in_ns ? "nanoseconds" : "none";
	struct speedscope *s = t->mine;
	struct speedscope_mark mark;
	struct walk walk = { 0 };
	int err = strand_get(&s->strands, &profile->marks, 0, &mark, sizeof(mark));

	if (err)
		return err;
	begin_profile(t, "evented", any);
	add_name(t, profile->task, profile->task->aside ? ", asynchronous" : "");
	str_addf(&t->out, ",\"unit\":\"%s\",\"startValue\":%llu,\"events\":[", unit, (unsigned long long)(mark.ns - s->first));
	for (uint64_t at = 0; !err && at < profile->marks.n; at += sizeof(mark)) {
		err = strand_get(&s->strands, &profile->marks, at, &mark, sizeof(mark));
		err = err ? err : put_mark(t, &walk, &mark, s->first);
	}
	str_addf(&t->out, "],\"endValue\":%llu}", (unsigned long long)walk.at);
	vec_fini(&walk.open);
	*total = walk.total;
	return err;
}

/* --- stacks ----------------------------------------------------------------------------------------------------- */

static int write_sample(struct timeline *t, const struct speedscope_profile *profile, uint64_t *at)
{
	struct speedscope *s = t->mine;
	uint32_t n = 0, frame;
	int err = strand_get(&s->strands, &profile->samples, *at, &n, sizeof(n));

	str_add(&t->out, *at ? ",\n[" : "\n[");
	*at += sizeof(n);
	for (uint32_t i = 0; !err && i < n; i++, *at += sizeof(n)) {
		err = strand_get(&s->strands, &profile->samples, *at, &frame, sizeof(frame));
		str_addf(&t->out, "%s%u", i ? "," : "", frame - 1);
	}
	str_addc(&t->out, ']');
	return err ? err : write_some(t, ENOUGH);
}

static int write_samples(struct timeline *t, const struct speedscope_profile *profile, bool any)
{
	int err = 0;

	begin_profile(t, "sampled", any);
	add_name(t, profile->task, ", stacks of events");
	str_addf(&t->out, ",\"unit\":\"none\",\"startValue\":0,\"endValue\":%llu,\"samples\":[", (unsigned long long)profile->nsamples);
	for (uint64_t at = 0; !err && at < profile->samples.n;)
		err = write_sample(t, profile, &at);
	str_add(&t->out, "],\"weights\":[");
	for (uint64_t i = 0; !err && i < profile->nsamples; i++) {
		str_add(&t->out, i ? ",1" : "1");
		err = write_some(t, ENOUGH);
	}
	str_add(&t->out, "]}");
	return err;
}

/* --- all of it -------------------------------------------------------------------------------------------------- */

static int write_frames(struct timeline *t)
{
	struct speedscope *s = t->mine;
	int err = 0;

	str_add(&t->out, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"ringside " RINGSIDE_VERSION "\",\"name\":");
	quote_json(t->reading->inputs.at[0].path, &t->out);
	str_add(&t->out, ",\"shared\":{\"frames\":[");
	for (size_t i = 0; !err && i < map_count(&s->frames); i++) {
		str_add(&t->out, i ? ",\n" : "\n");
		str_add(&t->out, map_at(&s->frames, i)->value);
		err = write_some(t, ENOUGH);
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
			best = total > most ? n : best;
			most = MAX(most, total);
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
