/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Perfetto's trace format. Calls are slices of threads' tracks; what Perfetto knows of ftrace (who runs, who wakes whom, interrupts, the
 * frequencies of CPUs) comes as bundles of a CPU's events, so that its own tracks of CPUs and states of threads work; all else is an
 * instant of its thread's track with its fields. Other buffers and files have groups of tracks of their own, and no bundles: they tell
 * of the same CPUs a second time, or of another machine.
 */
#include "lib/export/perfetto.h"
#include "lib/base/digits.h"
#include "lib/export/exporter.h"

/* A bundle is written when it has so many bytes. */
enum { BUNDLE = 8192 };

struct perfetto_cpu {
	struct str *bundle; /* events that are not written yet; NULL: none */
	bool lost;	    /* before the first of them */
	uint64_t overrun;   /* events lost so far */
};

/* --- packets ---------------------------------------------------------------------------------------------------- */

/* The beginning of an event's packet, of which end_packet() is the end. Where the event begins is for that, too. */
static size_t begin_packet(struct timeline *t, uint64_t ns)
{
	struct perfetto *p = t->mine;
	struct str *out = &p->packet;
	char *to;

	str_clear(out);
	if (!str_room(out, 64))
		return 0;
	to = pb_put_uint(out->at, PACKET_TIMESTAMP, ns);
	to = pb_put_uint(to, PACKET_SEQUENCE, SEQUENCE);
	to = pb_put_uint(to, PACKET_SEQUENCE_FLAGS, SEQUENCE_NEEDS_STATE);
	out->len = (size_t)(to - out->at);
	return pb_begin(out, PACKET_TRACK_EVENT);
}

static void end_packet(struct timeline *t, size_t event)
{
	struct perfetto *p = t->mine;

	pb_end(&p->packet, event);
	t->out.oom |= p->packet.oom;
	pb_bytes(&t->out, TRACE_PACKET, str_text(&p->packet), p->packet.len);
}

/* A packet that makes @iid the name of a text; @kind is INTERNED_… */
static void intern(struct timeline *t, uint32_t kind, uint32_t iid, const char *text)
{
	struct perfetto *p = t->mine;
	struct str *out = &t->out;
	size_t packet = pb_begin(out, TRACE_PACKET), data, entry;

	pb_uint(out, PACKET_SEQUENCE, SEQUENCE);
	pb_uint(out, PACKET_SEQUENCE_FLAGS, SEQUENCE_NEEDS_STATE | (p->begun ? 0 : SEQUENCE_CLEARED));
	p->begun = true;
	data = pb_begin(out, PACKET_INTERNED);
	entry = pb_begin(out, kind);
	pb_uint(out, INTERN_IID, iid);
	pb_text(out, INTERN_NAME, text, strlen(text));
	pb_end(out, entry);
	pb_end(out, data);
	pb_end(out, packet);
}

/* More of them, or longer ones, would be a reader's burden. */
enum { MOST_STRINGS = 1 << 13, LONGEST_STRING = 200 };

static uint32_t find_string(struct timeline *t, const char *text, size_t n)
{
	struct perfetto *p = t->mine;
	map_entry(&p->strings) entry = map_find_text(&p->strings, text, n);
	char *copy;

	if (entry || map_count(&p->strings) >= MOST_STRINGS)
		return entry ? entry->value : 0;
	copy = strndup(text, n);
	entry = copy ? map_add_text(&p->strings, copy, n) : NULL;
	if (!entry) {
		free(copy);
		t->out.oom = true;
		return 0;
	}
	entry->value = (uint32_t)map_count(&p->strings);
	intern(t, INTERNED_STRING, entry->value, copy);
	return entry->value;
}

/* Its length and its last bytes tell most texts from others. */
uint32_t perfetto_string(struct timeline *t, const char *text, size_t n)
{
	struct perfetto *p = t->mine;
	struct perfetto_text *recent;
	uint64_t last = 0;

	if (n > LONGEST_STRING)
		return 0;
	memcpy(&last, text + n - MIN(n, sizeof(last)), MIN(n, sizeof(last)));
	recent = &p->texts[((last + n) * 0x9e3779b97f4a7c15ULL >> 32) % PERFETTO_TEXTS];
	if (recent->iid && recent->n == n && memcmp(recent->text, text, n) == 0)
		return recent->iid;
	recent->iid = find_string(t, text, n);
	recent->n = n;
	recent->text = recent->iid ? map_find_text(&p->strings, text, n)->key.at : NULL;
	return recent->iid;
}

static uint32_t annotation(struct timeline *t, uint32_t *iid, const char *text)
{
	struct perfetto *p = t->mine;

	if (unlikely(!*iid)) {
		*iid = ++p->annotations;
		intern(t, INTERNED_ANNOTATION, *iid, text);
	}
	return *iid;
}

/* --- calls ------------------------------------------------------------------------------------------------------ */

static void name(struct timeline *t, __unused uint32_t index, const char *text, __unused const char *module, struct str *out)
{
	struct perfetto *p = t->mine;

	out->oom |= vec_push(&p->iids, ++p->names) != 0;
	str_addc(out, '-');
	intern(t, INTERNED_NAME, p->names, text);
}

/* What an event is here, made when it is first asked for. */
static const struct perfetto_event *event_of(struct timeline *t, const struct plan *plan)
{
	const struct perfetto_known *known = perfetto_known;
	struct perfetto_event *made = plan->mine;

	if (likely(made))
		return made;
	made = calloc(1, sizeof(*made) + 2 * plan->fields.n * sizeof(made->fields[0]));
	if (!made) {
		t->out.oom = true;
		return NULL;
	}
	((struct plan *)plan)->mine = made;
	while (known->name && (strcmp(known->name, plan->event->name) || strcmp(known->system, plan->event->system)))
		known++;
	made->known = known->name ? known : NULL;
	for (size_t i = 0; i < plan->fields.n; i++)
		for (size_t k = 0; known->name && k < ARRAY_LEN(known->fields) && known->fields[k].name; k++)
			if (strcmp(known->fields[k].name, plan->fields.at[i].name) == 0)
				made->fields[i] = known->fields[k].number;
	return made;
}

/* The same for an instant, whose annotations have names. */
static const struct perfetto_event *instant_of(struct timeline *t, const struct plan *plan)
{
	struct perfetto *p = t->mine;
	struct perfetto_event *event = plan->mine;

	if (likely(event->name))
		return event;
	event->name = ++p->names;
	event->category = ++p->categories;
	intern(t, INTERNED_NAME, event->name, plan->event->name);
	intern(t, INTERNED_CATEGORY, event->category, plan->event->system);
	for (size_t i = 0; i < plan->fields.n; i++)
		annotation(t, &event->fields[plan->fields.n + i], plan->fields.at[i].name);
	return event;
}

static int enter(struct timeline *t, struct call_task *task, struct call_frame *frame, uint32_t called, const struct plan *plan, const struct record *rec)
{
	struct perfetto *p = t->mine;
	struct str *out = &p->packet;
	const uint64_t track = perfetto_track(t, task);
	size_t event;
	char *to;

	if (unlikely(plan && (!event_of(t, plan) || !instant_of(t, plan))))
		return 0;
	event = begin_packet(t, frame->ns);
	if (!str_room(out, 64))
		return 0;
	to = pb_put_uint(out->at + out->len, EVENT_TYPE, TYPE_BEGIN);
	to = pb_put_uint(to, EVENT_NAME_IID, p->iids.at[called]);
	to = pb_put_uint(to, EVENT_TRACK, track);
	out->len = (size_t)(to - out->at);
	if (unlikely(plan))
		perfetto_annotations(t, p->recent, plan, rec, out);
	end_packet(t, event);
	return 0;
}

static void add_uint(struct str *out, uint32_t iid, uint32_t field, uint64_t v)
{
	size_t at = pb_begin(out, EVENT_ANNOTATION);

	pb_uint(out, ANNOTATION_NAME_IID, iid);
	pb_uint(out, field, v);
	pb_end(out, at);
}

static void add_string(struct str *out, uint32_t iid, const char *text)
{
	size_t at = pb_begin(out, EVENT_ANNOTATION);

	pb_uint(out, ANNOTATION_NAME_IID, iid);
	pb_text(out, ANNOTATION_STRING, text, strlen(text));
	pb_end(out, at);
}

/* What is only known now. */
static void add_call(struct timeline *t, const struct call_task *task, const struct call_frame *frame, const struct call_end *end, uint64_t ns)
{
	struct perfetto *p = t->mine;
	struct str *out = &p->packet;

	if (end->duration != CALL_UNKNOWN && !end->cut && end->duration != ns - frame->ns)
		add_uint(out, p->total, ANNOTATION_UINT, end->duration);
	if (unlikely(end->has_retval))
		add_uint(out, p->retval, ANNOTATION_INT, end->retval);
	if (unlikely(frame->retaddr)) {
		const struct symbol *caller = symbols_find(task->trace->symbols, frame->retaddr);

		if (caller)
			add_string(out, p->caller, caller->name);
		else
			add_uint(out, p->caller, ANNOTATION_POINTER, frame->retaddr);
	}
	if (unlikely(end->cut))
		add_string(out, p->cut, timeline_cut(end->cut));
}

static int leave(struct timeline *t, struct call_task *task, const struct call_frame *frame, const struct timeline_frame *mine, const struct call_end *end,
		 uint32_t called)
{
	struct perfetto *p = t->mine;
	const uint64_t ns = timeline_end_ns(frame, end), track = perfetto_track(t, task);
	const size_t event = begin_packet(t, ns);
	struct str *out = &p->packet;
	char *to;

	if (!str_room(out, 64))
		return 0;
	to = pb_put_uint(out->at + out->len, EVENT_TYPE, TYPE_END);
	/* A function whose entry is not recorded has its name only now. */
	if (unlikely(called != mine->name))
		to = pb_put_uint(to, EVENT_NAME_IID, p->iids.at[called]);
	to = pb_put_uint(to, EVENT_TRACK, track);
	out->len = (size_t)(to - out->at);
	add_call(t, task, frame, end, ns);
	end_packet(t, event);
	return 0;
}

/* --- bundles of ftrace's events --------------------------------------------------------------------------------- */

static void write_bundle(struct timeline *t, uint16_t number, struct perfetto_cpu *cpu)
{
	struct str *out = &t->out;
	size_t packet, bundle;

	if (!cpu->bundle || !(cpu->bundle->len || cpu->lost))
		return;
	packet = pb_begin(out, TRACE_PACKET);
	bundle = pb_begin(out, PACKET_FTRACE_EVENTS);
	pb_uint(out, BUNDLE_CPU, number);
	str_addn(out, str_text(cpu->bundle), cpu->bundle->len);
	if (cpu->lost)
		pb_uint(out, BUNDLE_LOST, 1);
	pb_end(out, bundle);
	pb_end(out, packet);
	out->oom |= cpu->bundle->oom;
	str_clear(cpu->bundle);
	cpu->lost = false;
}

static struct perfetto_cpu *cpu_of(struct timeline *t, const struct record *rec)
{
	struct perfetto *p = t->mine;
	struct perfetto_cpu *cpu = stream_of(&t->streams, rec);

	if (cpu && !cpu->bundle) {
		cpu->bundle = calloc(1, sizeof(*cpu->bundle));
		if (!cpu->bundle || vec_push(&p->bundles, cpu->bundle)) {
			free(take(cpu->bundle));
			cpu = NULL;
		}
	}
	t->out.oom |= !cpu;
	return cpu;
}

static void add_known(struct timeline *t, const struct plan *plan, const struct record *rec, uint64_t ns, int pid)
{
	const struct perfetto_event *made = plan->mine;
	struct perfetto_cpu *cpu = cpu_of(t, rec);
	size_t event, fields;

	if (!cpu)
		return;
	event = pb_begin(cpu->bundle, BUNDLE_EVENT);
	pb_uint(cpu->bundle, FTRACE_TIMESTAMP, ns);
	pb_uint(cpu->bundle, FTRACE_PID, (unsigned int)pid);
	fields = pb_begin(cpu->bundle, made->known->message);
	perfetto_fields(plan, rec, cpu->bundle);
	pb_end(cpu->bundle, fields);
	pb_end(cpu->bundle, event);
	if (cpu->bundle->len > BUNDLE)
		write_bundle(t, rec->cpu, cpu);
}

/* --- all other events ------------------------------------------------------------------------------------------- */

static bool on_counter(struct timeline *t, struct call_task *task, const struct plan *plan, const struct record *rec, uint64_t ns)
{
	struct perfetto *p = t->mine;
	struct key key = { (uint64_t)task->file << 16 | task->buffer, KEY_MIX, (uint64_t)task->pid };
	map_entry(&p->counters) entry;
	size_t event;
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
	event = begin_packet(t, ns);
	pb_uint(&p->packet, EVENT_TYPE, TYPE_COUNTER);
	pb_uint(&p->packet, EVENT_TRACK, entry->value);
	pb_uint(&p->packet, EVENT_COUNTER_VALUE, (uint64_t)value);
	end_packet(t, event);
	return true;
}

static int event(struct timeline *t, struct call_task *task, const struct plan *plan, const struct record *rec, uint64_t ns)
{
	const struct perfetto_event *made = event_of(t, plan);
	struct perfetto *p = t->mine;
	uint64_t track;
	size_t at;

	if (!made)
		return 0;
	if (made->known && !perfetto_group(t, rec->file, rec->buffer)) {
		add_known(t, plan, rec, ns, task->pid);
		return 0;
	}
	if (on_counter(t, task, plan, rec, ns))
		return 0;
	instant_of(t, plan);
	track = perfetto_track(t, task);
	at = begin_packet(t, ns);
	pb_uint(&p->packet, EVENT_CATEGORY_IID, made->category);
	pb_uint(&p->packet, EVENT_TYPE, TYPE_INSTANT);
	pb_uint(&p->packet, EVENT_NAME_IID, made->name);
	pb_uint(&p->packet, EVENT_TRACK, track);
	perfetto_annotations(t, p->recent, plan, rec, &p->packet);
	end_packet(t, at);
	return 0;
}

static int lost(struct timeline *t, const struct record *rec, uint64_t ns)
{
	struct perfetto *p = t->mine;
	const uint64_t group = perfetto_group(t, rec->file, rec->buffer);
	struct perfetto_cpu *cpu = cpu_of(t, rec);
	size_t at;

	if (!cpu)
		return 0;
	if (!group)
		write_bundle(t, rec->cpu, cpu);
	cpu->lost = !group;
	cpu->overrun += rec->lost == LOST_UNKNOWN ? 0 : (uint64_t)rec->lost;
	at = begin_packet(t, ns);
	pb_uint(&p->packet, EVENT_TYPE, TYPE_INSTANT);
	pb_uint(&p->packet, EVENT_NAME_IID, p->lost_name);
	pb_uint(&p->packet, EVENT_TRACK, group);
	add_uint(&p->packet, p->cpu, ANNOTATION_UINT, rec->cpu);
	if (rec->lost != LOST_UNKNOWN)
		add_uint(&p->packet, p->count, ANNOTATION_UINT, (uint64_t)rec->lost);
	end_packet(t, at);
	return 0;
}

/* --- the trace -------------------------------------------------------------------------------------------------- */

static int begin(struct timeline *t)
{
	struct perfetto *p = t->mine;

	annotation(t, &p->total, "total");
	annotation(t, &p->retval, "retval");
	annotation(t, &p->caller, "caller");
	annotation(t, &p->cut, "cut");
	annotation(t, &p->count, "count");
	annotation(t, &p->cpu, "cpu");
	p->lost_name = ++p->names;
	intern(t, INTERNED_NAME, p->lost_name, "lost_events");
	return 0;
}

/* What the kernel could not keep, CPU by CPU of the first buffer. */
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
	for (size_t file = 0; file < t->streams.files.n; file++) {
		vec_each (&t->streams.files.at[file], cpus)
			for (size_t i = 0; i < cpus->n; i++)
				write_bundle(t, (uint16_t)i, (struct perfetto_cpu *)(cpus->states + i * t->streams.size));
	}
	perfetto_clocks(t);
	add_stats(t);
	return 0;
}

static void fini(struct timeline *t)
{
	struct perfetto *p = t->mine;

	if (!p)
		return;
	vec_each (&p->bundles, bundle) {
		str_fini(*bundle);
		free(*bundle);
	}
	vec_fini(&p->bundles);
	vec_fini(&p->iids);
	map_fini(&p->groups);
	map_fini(&p->counters);
	map_each (&p->strings, entry)
		free((char *)entry->key.at);
	map_fini(&p->strings);
	str_fini(&p->packet);
	str_fini(&p->packed);
}

/* clang-format off */
static const struct timeline_format format = {
	.style = PLAN_JSON, .mine = sizeof(struct perfetto), .stream = sizeof(struct perfetto_cpu), .begin = begin, .name = name,
	.task = perfetto_task, .enter = enter, .leave = leave, .event = event, .lost = lost, .end = end, .pack = perfetto_pack, .fini = fini,
};
/* clang-format on */

static int make(struct handler **out, struct reading *reading, __unused void *options)
{
	return timeline_make(out, reading, &format);
}

const struct analysis perfetto_analysis = { .name = "perfetto", .needs = ANALYSIS_SWITCHES | ANALYSIS_STAYS, .folds = calls_fold, .make = make };
