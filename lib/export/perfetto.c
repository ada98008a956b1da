/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes Perfetto's trace format.
 * - Calls are slices of the threads' tracks, or of tracks below these (struct timeline_row).
 * - Events that Perfetto knows of ftrace (switches, wakeups, interrupts, CPU frequencies) are written as bundles of a CPU's events. Perfetto makes its own
 *   tracks of CPUs and thread states from them.
 * - All other events are instants on the track of their thread, with their fields.
 *
 * Other buffers and files have their own groups of tracks and no bundles, because they tell of the same CPUs a second time or of another machine.
 */
#include "lib/export/perfetto.h"
#include "lib/export/exporter.h"

/*
 * Lanes are the jobs that encode a part of the trace each. The first lanes' packets are deflated, which are some megabytes. The rest of a larger recording is
 * not, because deflating takes several times as long as everything else.
 */
enum { MOST_DEFLATED = 16 };

/* How many events a CPU of the first buffer has lost so far. */
struct perfetto_cpu {
	uint64_t overrun;
};

static struct perfetto_op *add_op(struct timeline *t, enum perfetto_kind kind, uint64_t track, uint64_t ns)
{
	struct perfetto *p = t->mine;
	struct perfetto_op *op;

	if (unlikely(vec_reserve(&p->ops, 1))) {
		t->out.oom = true;
		return NULL;
	}
	op = &p->ops.at[p->ops.n++];
	op->kind = (uint8_t)kind;
	op->track = track;
	op->ns = ns;
	return op;
}

/* Notes that the fields of the record are to be written. */
static void add_fields(struct timeline *t, struct perfetto_op *op, const struct plan *plan, const struct record *rec)
{
	struct perfetto *p = t->mine;

	op->plan = plan;
	op->rec = p->records.n;
	t->out.oom |= vec_push(&p->records, *rec) != 0;
}

/* --- calls ------------------------------------------------------------------------------------------------------ */

static void name(__unused struct timeline *t, __unused uint32_t index, const char *text, __unused const char *module, struct str *out)
{
	str_add(out, text);
}

/* Returns what an event is written as; it is made at the first call. */
static const struct perfetto_event *event_of(struct timeline *t, const struct plan *plan)
{
	const struct perfetto_known *known = perfetto_known;
	struct perfetto_event *made = plan->mine;
	struct perfetto *p = t->mine;

	if (likely(made))
		return made;
	made = calloc(1, sizeof(*made) + plan->fields.n * sizeof(made->numbers[0]));
	if (!made) {
		t->out.oom = true;
		return NULL;
	}
	((struct plan *)plan)->mine = made;
	while (known->name && (strcmp(known->name, plan->event->name) || strcmp(known->system, plan->event->system)))
		known++;
	made->known = known->name ? known : NULL;
	made->index = p->events++;
	made->counts = strcmp(plan->event->name, "print") == 0;
	for (size_t i = 0; i < plan->fields.n; i++)
		for (size_t k = 0; known->name && k < ARRAY_LEN(known->fields) && known->fields[k].name; k++)
			if (strcmp(known->fields[k].name, plan->fields.at[i].name) == 0)
				made->numbers[i] = known->fields[k].number;
	return made;
}

static int enter(struct timeline *t, struct call_task *task, struct call_frame *frame, uint32_t called, const struct plan *plan, const struct record *rec)
{
	struct perfetto_op *op;

	if (unlikely(plan && !event_of(t, plan)))
		return 0;
	op = add_op(t, PERFETTO_BEGIN, perfetto_track(t, task), frame->ns);
	if (!op)
		return 0;
	op->name = t->names.at[called].text;
	op->called = called;
	op->plan = NULL;
	if (unlikely(plan))
		add_fields(t, op, plan, rec);
	return 0;
}

/* Fills in what is known only at the end of a call. */
static inline void fill_end(struct perfetto_op *op, const struct call_task *task, const struct call_frame *frame, const struct call_end *end, uint64_t ns)
{
	op->total = end->cut || end->duration == ns - frame->ns ? CALL_UNKNOWN : end->duration;
	op->retval = end->retval;
	op->has_retval = end->has_retval;
	op->retaddr = frame->retaddr;
	op->cut = end->cut;
	op->file = task->file;
}

/* Notes the beginning of a call whose row is known only at its end. The note takes over the record of the call's entry. */
static void begin_late(struct timeline *t, const struct call_frame *frame, uint64_t track, uint32_t called)
{
	struct timeline_frame *mine = timeline_frame_of(t, (struct call_frame *)frame);
	struct timeline_entry *entry = mine->entry;
	struct perfetto_op *op = add_op(t, PERFETTO_BEGIN, track, frame->ns);
	struct perfetto *p = t->mine;

	if (!op)
		return;
	op->name = t->names.at[called].text;
	op->called = called;
	op->plan = NULL;
	if (!entry || !event_of(t, entry->plan))
		return;
	if (vec_push(&p->entries, entry)) {
		t->out.oom = true;
		return;
	}
	mine->entry = NULL;
	add_fields(t, op, entry->plan, &entry->rec);
}

static int leave(struct timeline *t, struct call_task *task, const struct call_frame *frame, const struct timeline_frame *mine, const struct call_end *end,
		 uint32_t called)
{
	const uint64_t ns = timeline_end_ns(frame, end), track = perfetto_row(t, task, mine->row);
	struct perfetto_op *op;

	if (timeline_has_row(task, frame))
		begin_late(t, frame, track, called);
	op = add_op(t, PERFETTO_END, track, ns);
	if (!op)
		return 0;
	/* If a function's entry is not recorded, its name is found only now, and it has begun as [unknown]. */
	op->name = called == mine->name || timeline_has_row(task, frame) ? NULL : t->names.at[called].text;
	op->called = called;
	fill_end(op, task, frame, end, ns);
	return 0;
}

static int leaf(struct timeline *t, struct call_task *task, const struct call_frame *frame, const struct call_end *end, uint32_t called)
{
	const uint64_t ns = timeline_end_ns(frame, end);
	struct perfetto_op *op = add_op(t, PERFETTO_LEAF, perfetto_track(t, task), frame->ns);

	if (!op)
		return 0;
	op->ended = ns;
	op->name = t->names.at[called].text;
	op->called = called;
	fill_end(op, task, frame, end, ns);
	return 0;
}

/* --- all other events ------------------------------------------------------------------------------------------- */

static bool on_counter(struct timeline *t, struct call_task *task, const struct plan *plan, const struct record *rec, uint64_t ns)
{
	struct perfetto *p = t->mine;
	struct key key = { (uint64_t)task->file << 16 | task->buffer, KEY_MIX, (uint64_t)task->pid };
	map_entry(&p->counters) entry;
	struct perfetto_op *op;
	struct text text;
	int64_t value;

	if (!timeline_counter(plan, rec, &text, &value))
		return false;
	for (size_t i = 0; i < text.size; i++)
		key_mix(&key.a, &key.b, (uint8_t)text.at[i]);
	entry = map_add(&p->counters, key);
	if (!entry) {
		t->out.oom = true;
		return true;
	}
	if (!entry->value)
		entry->value = perfetto_add_track(t, perfetto_track(t, task), text.at, text.size, true);
	op = add_op(t, PERFETTO_COUNTER, entry->value, ns);
	if (op)
		op->value = value;
	return true;
}

static int event(struct timeline *t, struct call_task *task, const struct plan *plan, const struct record *rec, uint64_t ns)
{
	const struct perfetto_event *made = event_of(t, plan);
	struct perfetto_op *op;
	bool bundled;

	if (!made || (unlikely(made->counts) && on_counter(t, task, plan, rec, ns)))
		return 0;
	bundled = made->known && !perfetto_group(t, rec->file, rec->buffer);
	op = add_op(t, bundled ? PERFETTO_FTRACE : PERFETTO_INSTANT, bundled ? 0 : perfetto_track(t, task), ns);
	if (!op)
		return 0;
	add_fields(t, op, plan, rec);
	op->called = (uint32_t)task->pid;
	return 0;
}

static int lost(struct timeline *t, const struct record *rec, uint64_t ns)
{
	const uint64_t group = perfetto_group(t, rec->file, rec->buffer);
	struct perfetto_cpu *cpu = stream_of(&t->streams, rec);
	struct perfetto_op *op = cpu ? add_op(t, PERFETTO_LOST, group, ns) : NULL;

	t->out.oom |= !cpu;
	if (!op)
		return 0;
	cpu->overrun += rec->lost == LOST_UNKNOWN ? 0 : (uint64_t)rec->lost;
	op->called = rec->cpu;
	op->value = rec->lost;
	return 0;
}

/* --- batches ---------------------------------------------------------------------------------------------------- */

/* Gives the notes to the next lane. Returns the lane; or NULL, with the error in *@err. *@err is 0 otherwise. */
static struct perfetto_lane *next_lane(struct timeline *t, int *err)
{
	struct perfetto *p = t->mine;
	struct perfetto_lane *lane;

	*err = str_ok(&t->out);
	lane = *err ? NULL : texts_next(&p->texts, err);
	if (!lane)
		return NULL;
	p->texts.what = t->reading->out_name ? t->reading->out_name : p->texts.what;
	swap(lane->ops, p->ops);
	p->ops.n = 0;
	swap(lane->records, p->records);
	p->records.n = 0;
	swap(lane->entries, p->entries);
	memcpy(lane->kept, p->kept, sizeof(p->kept));
	lane->nkept = p->nkept;
	p->nkept = 0;
	swap(lane->front, t->out);
	str_clear(&t->out);
	lane->deflate = p->given++ < MOST_DEFLATED;
	return lane;
}

static int batch(struct timeline *t, const struct batch *records)
{
	struct perfetto *p = t->mine;
	struct perfetto_lane *lane;
	int err;

	p->kept[p->nkept++] = batch_get(records);
	if (p->nkept < PERFETTO_BATCHES)
		return 0;
	lane = next_lane(t, &err);
	if (lane)
		texts_start(&p->texts, &lane->slot, records);
	return err;
}

/* --- the trace -------------------------------------------------------------------------------------------------- */

static int begin(struct timeline *t)
{
	struct perfetto *p = t->mine;
	int err = texts_init(&p->texts, t->reading->pool, t->reading->out, sizeof(struct perfetto_lane), PERFETTO_LANES, perfetto_encode);

	for (size_t i = 0; !err && i < p->texts.n; i++) {
		struct perfetto_lane *lane = texts_slot(&p->texts, i);

		lane->t = t;
		lane->sequence = FIRST_SEQUENCE + (uint32_t)i;
	}
	return err;
}

/* Adds how many events the kernel lost on each CPU of the first buffer. */
static void add_stats(struct timeline *t)
{
	struct str *out = &t->out;
	size_t packet = pb_begin(out, TRACE_PACKET), stats = pb_begin(out, PACKET_FTRACE_STATS);
	const struct datbuf *buffer = t->reading->inputs.at[0].file->buffers.n ? t->reading->inputs.at[0].file->buffers.at : NULL;

	pb_uint(out, STATS_PHASE, STATS_END_OF_TRACE);
	for (size_t i = 0; buffer && i < buffer->cpus.n; i++) {
		const struct record there = { .cpu = (uint16_t)buffer->cpus.at[i].cpu };
		const struct perfetto_cpu *cpu = stream_of(&t->streams, &there);
		size_t at = pb_begin(out, STATS_CPU);

		pb_uint(out, CPU_STATS_CPU, there.cpu);
		pb_uint(out, CPU_STATS_OVERRUN, cpu ? cpu->overrun : 0);
		pb_end(out, at);
	}
	pb_end(out, stats);
	pb_end(out, packet);
}

static int end(struct timeline *t)
{
	struct perfetto *p = t->mine;
	struct perfetto_lane *lane;
	int err;

	/* Encodes the rest, which has the ends of all calls that were still open. */
	lane = next_lane(t, &err);
	err = err ? err : texts_flush(&p->texts);
	if (!err && lane) {
		perfetto_encode(&lane->slot.job);
		swap(t->out, lane->slot.out);
	}
	/* A failed write has been reported already, and nothing more is written. */
	if (p->texts.failed)
		str_clear(&t->out);
	if (err || p->texts.failed)
		return err;
	perfetto_clocks(t);
	add_stats(t);
	return 0;
}

static void fini(struct timeline *t)
{
	struct perfetto *p = t->mine;

	if (!p)
		return;
	texts_fini(&p->texts, perfetto_fini_lane);
	while (p->nkept)
		batch_put(p->kept[--p->nkept]);
	vec_fini(&p->ops);
	vec_fini(&p->records);
	vec_each (&p->entries, entry)
		free(*entry);
	vec_fini(&p->entries);
	map_fini(&p->groups);
	map_fini(&p->counters);
}

/* clang-format off */
static const struct timeline_format format = {
	.style = PLAN_JSON, .mine = sizeof(struct perfetto), .stream = sizeof(struct perfetto_cpu), .rows = true, .begin = begin, .name = name,
	.task = perfetto_task, .enter = enter, .leave = leave, .leaf = leaf, .event = event, .lost = lost, .batch = batch, .end = end, .fini = fini,
};
/* clang-format on */

static int make(struct handler **out, struct reading *reading, __unused void *options)
{
	return timeline_make(out, reading, &format);
}

const struct analysis perfetto_analysis = { .name = "perfetto",
					    .needs = ANALYSIS_SWITCHES | ANALYSIS_STAYS | ANALYSIS_SUMS | ANALYSIS_LEARN,
					    .folds = calls_fold,
					    .make = make };
