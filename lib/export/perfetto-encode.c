/* SPDX-License-Identifier: GPL-2.0 */
/* Makes packets from the notes that lib/export/perfetto.c has taken of a batch. Each lane is encoded by any thread of the pool. */
#include "lib/export/perfetto.h"

/* At most so many strings of at most this length are interned, so that readers need not keep too many. */
enum { MOST_STRINGS = 1 << 13, LONGEST_STRING = 200 };

/* --- names ------------------------------------------------------------------------------------------------------ */

/* Writes a packet that gives a text the number @iid; @kind is INTERNED_... */
static void intern(struct perfetto_lane *lane, uint32_t kind, uint32_t iid, const char *text)
{
	struct str *out = &lane->front;
	size_t packet = pb_begin(out, TRACE_PACKET), data, entry;

	pb_uint(out, PACKET_SEQUENCE, lane->sequence);
	pb_uint(out, PACKET_SEQUENCE_FLAGS, SEQUENCE_NEEDS_STATE);
	data = pb_begin(out, PACKET_INTERNED);
	entry = pb_begin(out, kind);
	pb_uint(out, INTERN_IID, iid);
	pb_text(out, INTERN_NAME, text, strlen(text));
	pb_end(out, entry);
	pb_end(out, data);
	pb_end(out, packet);
}

/*
 * Two bits of .marks belong to each text. If one of them is 0, the text is not interned. After the last interning, this answers for most texts without a
 * search.
 */
static inline bool marked(const struct perfetto_lane *lane, uint64_t hash, unsigned int shift)
{
	const uint64_t bit = hash >> shift & (PERFETTO_MARKS - 1);

	return lane->marks[bit / 64] >> bit % 64 & 1;
}

static inline void mark(struct perfetto_lane *lane, uint64_t hash, unsigned int shift)
{
	const uint64_t bit = hash >> shift & (PERFETTO_MARKS - 1);

	lane->marks[bit / 64] |= 1ULL << bit % 64;
}

static uint32_t find_string(struct perfetto_lane *lane, const char *text, size_t n, uint64_t hash)
{
	const bool full = map_count(&lane->strings) >= MOST_STRINGS;
	map_entry(&lane->strings) entry;
	char *copy;

	if (full && !(marked(lane, hash, 48) && marked(lane, hash, 32)))
		return 0;
	entry = map_find_text(&lane->strings, text, n);
	if (entry || full)
		return entry ? entry->value : 0;
	copy = strndup(text, n);
	entry = copy ? map_add_text(&lane->strings, copy, n) : NULL;
	if (!entry) {
		free(copy);
		lane->front.oom = true;
		return 0;
	}
	entry->value = (uint32_t)map_count(&lane->strings);
	mark(lane, hash, 48);
	mark(lane, hash, 32);
	intern(lane, INTERNED_STRING, entry->value, copy);
	return entry->value;
}

/* Hashes eight bytes at a time, because nearly every text is looked up. */
static inline uint64_t hash_of(const char *text, size_t n)
{
	uint64_t hash = n, word;

	for (; n >= sizeof(word); text += sizeof(word), n -= sizeof(word)) {
		memcpy(&word, text, sizeof(word));
		hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
		hash ^= hash >> 32;
	}
	word = 0;
	memcpy(&word, text, n);
	return (hash ^ word) * 0x9e3779b97f4a7c15ULL;
}

uint32_t perfetto_string(struct perfetto_lane *lane, const char *text, size_t n)
{
	struct perfetto_text *recent;
	uint64_t hash;

	if (n > LONGEST_STRING)
		return 0;
	hash = hash_of(text, n);
	recent = &lane->texts[(hash >> 32) % PERFETTO_TEXTS];
	if (recent->iid && recent->n == n && memcmp(recent->text, text, n) == 0)
		return recent->iid;
	recent->iid = find_string(lane, text, n, hash);
	recent->n = n;
	recent->text = recent->iid ? map_find_text(&lane->strings, text, n)->key.at : NULL;
	return recent->iid;
}

static uint32_t annotation(struct perfetto_lane *lane, uint32_t *iid, const char *text)
{
	if (unlikely(!*iid)) {
		*iid = ++lane->annotations;
		intern(lane, INTERNED_ANNOTATION, *iid, text);
	}
	return *iid;
}

static uint32_t name_of(struct perfetto_lane *lane, uint32_t called, const char *text)
{
	while (unlikely(lane->iids.n <= called)) {
		if (vec_push(&lane->iids, 0)) {
			lane->front.oom = true;
			return 0;
		}
	}
	if (unlikely(!lane->iids.at[called])) {
		lane->iids.at[called] = ++lane->names;
		intern(lane, INTERNED_NAME, lane->names, text);
	}
	return lane->iids.at[called];
}

static struct perfetto_interned *intern_event(struct perfetto_lane *lane, const struct plan *plan)
{
	struct perfetto_interned *made = calloc(1, sizeof(*made) + plan->fields.n * sizeof(made->fields[0]));

	if (!made)
		return NULL;
	made->name = ++lane->names;
	made->category = ++lane->categories;
	intern(lane, INTERNED_NAME, made->name, plan->event->name);
	intern(lane, INTERNED_CATEGORY, made->category, plan->event->system);
	for (size_t i = 0; i < plan->fields.n; i++)
		annotation(lane, &made->fields[i], plan->fields.at[i].name);
	return made;
}

const struct perfetto_interned *perfetto_interned(struct perfetto_lane *lane, const struct plan *plan)
{
	const struct perfetto_event *event = plan->mine;

	while (unlikely(lane->events.n <= event->index)) {
		if (vec_push(&lane->events, NULL)) {
			lane->front.oom = true;
			return NULL;
		}
	}
	if (unlikely(!lane->events.at[event->index])) {
		lane->events.at[event->index] = intern_event(lane, plan);
		lane->front.oom |= !lane->events.at[event->index];
	}
	return lane->events.at[event->index];
}

/* --- packets ---------------------------------------------------------------------------------------------------- */

/* Where a packet and the event inside it begin, and how many bytes the length of each takes. */
struct packet {
	size_t at, event, room;
};

/* Lengths of one or two bytes. Most instants have 128 bytes or more, so their lengths take two. */
enum { SHORT_PACKET = 1, LONG_PACKET = 2 };

/* Puts what comes before each event of a track. @to must have room for it. */
static inline char *put_head(char *to, const struct perfetto_lane *lane, uint64_t ns)
{
	to = pb_put_uint(to, PACKET_TIMESTAMP, ns);
	to = pb_put_uint(to, PACKET_SEQUENCE, lane->sequence);
	return pb_put_uint(to, PACKET_SEQUENCE_FLAGS, SEQUENCE_NEEDS_STATE);
}

static struct packet begin_packet(struct perfetto_lane *lane, uint64_t ns, size_t room)
{
	struct str *out = &lane->slot.out;
	struct packet packet = { .at = pb_begin_wide(out, TRACE_PACKET, room), .room = room };

	if (!str_room(out, 64))
		return packet;
	out->len = (size_t)(put_head(out->at + out->len, lane, ns) - out->at);
	packet.event = pb_begin_wide(out, PACKET_TRACK_EVENT, room);
	return packet;
}

static void end_packet(struct perfetto_lane *lane, const struct packet *packet)
{
	pb_end_wide(&lane->slot.out, packet->event, packet->room);
	pb_end_wide(&lane->slot.out, packet->at, packet->room);
}

/*
 * Puts the whole packet that begins or ends a slice, without annotations. It is shorter than 128 bytes, so that each length takes one byte. @to must have room
 * for 128 bytes. @iid is 0 if there is no name.
 */
static inline char *put_slice(char *to, const struct perfetto_lane *lane, uint64_t ns, uint32_t type, uint32_t iid, uint64_t track)
{
	char *const packet = pb_put_key(to, TRACE_PACKET, PB_BYTES) + 1;
	char *const event = pb_put_key(put_head(packet, lane, ns), PACKET_TRACK_EVENT, PB_BYTES) + 1;

	to = pb_put_uint(event, EVENT_TYPE, type);
	if (iid)
		to = pb_put_uint(to, EVENT_NAME_IID, iid);
	to = pb_put_uint(to, EVENT_TRACK, track);
	event[-1] = (char)(to - event);
	packet[-1] = (char)(to - packet);
	return to;
}

static void add_slice(struct perfetto_lane *lane, uint64_t ns, uint32_t type, uint32_t iid, uint64_t track)
{
	struct str *out = &lane->slot.out;

	if (str_room(out, 128))
		out->len = (size_t)(put_slice(out->at + out->len, lane, ns, type, iid, track) - out->at);
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

/* --- calls ------------------------------------------------------------------------------------------------------ */

static void add_caller(struct perfetto_lane *lane, const struct perfetto_op *op)
{
	const uint32_t iid = annotation(lane, &lane->caller, "caller");
	const struct symbol *caller = symbols_find(lane->t->reading->inputs.at[op->file].trace->symbols, op->retaddr);

	if (caller)
		add_string(&lane->slot.out, iid, caller->name);
	else
		add_uint(&lane->slot.out, iid, ANNOTATION_POINTER, op->retaddr);
}

/*
 * Writes the end of a slice, with what is known only at the end. It has no name, because Perfetto drops an end whose name is not that of the slice. @function is
 * the name of a call that was not known at its beginning, or NULL.
 */
static void add_end(struct perfetto_lane *lane, const struct perfetto_op *op, uint64_t ns, const char *function)
{
	struct str *out = &lane->slot.out;
	struct packet packet;

	if (likely(op->total == CALL_UNKNOWN && !op->has_retval && !op->retaddr && !op->cut && !function)) {
		add_slice(lane, ns, TYPE_END, 0, op->track);
		return;
	}
	packet = begin_packet(lane, ns, SHORT_PACKET);
	pb_uint(out, EVENT_TYPE, TYPE_END);
	pb_uint(out, EVENT_TRACK, op->track);
	if (function)
		add_string(out, annotation(lane, &lane->function, "function"), function);
	if (op->total != CALL_UNKNOWN)
		add_uint(out, annotation(lane, &lane->total, "total"), ANNOTATION_UINT, op->total);
	if (op->has_retval)
		add_uint(out, annotation(lane, &lane->retval, "retval"), ANNOTATION_INT, op->retval);
	if (op->retaddr)
		add_caller(lane, op);
	if (op->cut)
		add_string(out, annotation(lane, &lane->cut, "cut"), timeline_cut(op->cut));
	end_packet(lane, &packet);
}

static void on_begin(struct perfetto_lane *lane, const struct perfetto_op *op)
{
	const uint32_t iid = name_of(lane, op->called, op->name);
	struct str *out = &lane->slot.out;
	struct packet packet;

	if (likely(!op->plan)) {
		add_slice(lane, op->ns, TYPE_BEGIN, iid, op->track);
		return;
	}
	packet = begin_packet(lane, op->ns, SHORT_PACKET);
	pb_uint(out, EVENT_TYPE, TYPE_BEGIN);
	pb_uint(out, EVENT_NAME_IID, iid);
	pb_uint(out, EVENT_TRACK, op->track);
	perfetto_annotations(lane, op->plan, &lane->records.at[op->rec], out);
	end_packet(lane, &packet);
}

static void on_end(struct perfetto_lane *lane, const struct perfetto_op *op)
{
	add_end(lane, op, op->ns, op->name);
}

static void on_leaf(struct perfetto_lane *lane, const struct perfetto_op *op)
{
	add_slice(lane, op->ns, TYPE_BEGIN, name_of(lane, op->called, op->name), op->track);
	add_end(lane, op, op->ended, NULL);
}

/* --- all others ------------------------------------------------------------------------------------------------- */

static void on_instant(struct perfetto_lane *lane, const struct perfetto_op *op)
{
	const struct perfetto_interned *interned = perfetto_interned(lane, op->plan);
	struct str *out = &lane->slot.out;
	struct packet packet;
	char *to;

	if (!interned)
		return;
	packet = begin_packet(lane, op->ns, LONG_PACKET);
	if (!str_room(out, 64))
		return;
	to = pb_put_uint(out->at + out->len, EVENT_CATEGORY_IID, interned->category);
	to = pb_put_uint(to, EVENT_TYPE, TYPE_INSTANT);
	to = pb_put_uint(to, EVENT_NAME_IID, interned->name);
	to = pb_put_uint(to, EVENT_TRACK, op->track);
	out->len = (size_t)(to - out->at);
	perfetto_annotations(lane, op->plan, &lane->records.at[op->rec], out);
	end_packet(lane, &packet);
}

static void on_counter(struct perfetto_lane *lane, const struct perfetto_op *op)
{
	const struct packet packet = begin_packet(lane, op->ns, SHORT_PACKET);
	struct str *out = &lane->slot.out;

	pb_uint(out, EVENT_TYPE, TYPE_COUNTER);
	pb_uint(out, EVENT_TRACK, op->track);
	pb_uint(out, EVENT_COUNTER_VALUE, (uint64_t)op->value);
	end_packet(lane, &packet);
}

static struct perfetto_bundle *bundle_of(struct perfetto_lane *lane, unsigned int cpu)
{
	while (lane->bundles.n <= cpu) {
		if (vec_push(&lane->bundles, (struct perfetto_bundle){ 0 })) {
			lane->front.oom = true;
			return NULL;
		}
	}
	return &lane->bundles.at[cpu];
}

static void write_bundle(struct perfetto_lane *lane, unsigned int cpu, struct perfetto_bundle *bundle)
{
	struct str *out = &lane->slot.out;
	size_t packet, events;

	if (!bundle->events.len && !bundle->lost)
		return;
	packet = pb_begin(out, TRACE_PACKET);
	events = pb_begin(out, PACKET_FTRACE_EVENTS);
	pb_uint(out, BUNDLE_CPU, cpu);
	str_addn(out, str_text(&bundle->events), bundle->events.len);
	if (bundle->lost)
		pb_uint(out, BUNDLE_LOST, 1);
	pb_end(out, events);
	pb_end(out, packet);
	out->oom |= bundle->events.oom;
	str_clear(&bundle->events);
	bundle->lost = false;
}

static void on_ftrace(struct perfetto_lane *lane, const struct perfetto_op *op)
{
	const struct record *rec = &lane->records.at[op->rec];
	struct perfetto_bundle *bundle = bundle_of(lane, rec->cpu);
	size_t event, fields;

	if (!bundle)
		return;
	event = pb_begin(&bundle->events, BUNDLE_EVENT);
	pb_uint(&bundle->events, FTRACE_TIMESTAMP, op->ns);
	pb_uint(&bundle->events, FTRACE_PID, op->called);
	fields = pb_begin(&bundle->events, ((const struct perfetto_event *)op->plan->mine)->known->message);
	perfetto_fields(op->plan, rec, &bundle->events);
	pb_end(&bundle->events, fields);
	pb_end(&bundle->events, event);
}

static void on_lost(struct perfetto_lane *lane, const struct perfetto_op *op)
{
	const uint32_t cpu = annotation(lane, &lane->cpu, "cpu"), count = annotation(lane, &lane->count, "count");
	struct perfetto_bundle *bundle = op->track ? NULL : bundle_of(lane, op->called);
	struct str *out = &lane->slot.out;
	struct packet packet;

	if (bundle) {
		write_bundle(lane, op->called, bundle);
		bundle->lost = true;
	}
	if (!lane->lost) {
		lane->lost = ++lane->names;
		intern(lane, INTERNED_NAME, lane->lost, "lost_events");
	}
	packet = begin_packet(lane, op->ns, SHORT_PACKET);
	pb_uint(out, EVENT_TYPE, TYPE_INSTANT);
	pb_uint(out, EVENT_NAME_IID, lane->lost);
	pb_uint(out, EVENT_TRACK, op->track);
	add_uint(out, cpu, ANNOTATION_UINT, op->called);
	if (op->value != LOST_UNKNOWN)
		add_uint(out, count, ANNOTATION_UINT, (uint64_t)op->value);
	end_packet(lane, &packet);
}

/* --- a batch ---------------------------------------------------------------------------------------------------- */

/* Begins a sequence. Readers skip all packets of a sequence before the one which says that nothing is interned yet. */
static void begin_sequence(struct perfetto_lane *lane)
{
	struct str *out = &lane->slot.out;
	const size_t packet = pb_begin(out, TRACE_PACKET);

	pb_uint(out, PACKET_SEQUENCE, lane->sequence);
	pb_uint(out, PACKET_SEQUENCE_FLAGS, SEQUENCE_CLEARED);
	pb_end(out, packet);
	lane->begun = true;
}

/* Names that were interned for the packets from @begin on are in .front. Their packets are moved in front of those that use them. */
static void put_names_first(struct perfetto_lane *lane, size_t begin)
{
	struct str *out = &lane->slot.out, *behind = &lane->scratch;

	str_clear(behind);
	str_addn(behind, out->at + begin, out->len - begin);
	out->len = begin;
	str_addn(out, str_text(&lane->front), lane->front.len);
	str_addn(out, str_text(behind), behind->len);
	out->oom |= behind->oom | lane->front.oom;
	str_clear(&lane->front);
}

static void give_back(struct perfetto_lane *lane)
{
	while (lane->nkept)
		batch_put(lane->kept[--lane->nkept]);
	while (lane->entries.n)
		free(lane->entries.at[--lane->entries.n]);
}

void perfetto_encode(struct job *job)
{
	static void (*const each[])(struct perfetto_lane * lane, const struct perfetto_op *op) = {
		[PERFETTO_BEGIN] = on_begin,   [PERFETTO_END] = on_end,		[PERFETTO_LEAF] = on_leaf, [PERFETTO_INSTANT] = on_instant,
		[PERFETTO_FTRACE] = on_ftrace, [PERFETTO_COUNTER] = on_counter, [PERFETTO_LOST] = on_lost,
	};
	struct perfetto_lane *lane = container_of(job, struct perfetto_lane, slot.job);

	swap(lane->slot.out, lane->front);
	if (unlikely(!lane->begun))
		begin_sequence(lane);
	vec_each (&lane->ops, op) {
		const size_t begin = lane->slot.out.len;

		each[op->kind](lane, op);
		if (unlikely(lane->front.len))
			put_names_first(lane, begin);
	}
	give_back(lane);
	vec_each (&lane->bundles, bundle)
		write_bundle(lane, (unsigned int)(bundle - lane->bundles.at), bundle);
	lane->slot.out.oom |= lane->front.oom;
	if (lane->deflate && lane->slot.out.len)
		perfetto_deflate(lane);
}

void perfetto_fini_lane(void *at)
{
	struct perfetto_lane *lane = at;

	give_back(lane);
	vec_fini(&lane->ops);
	vec_fini(&lane->records);
	vec_fini(&lane->entries);
	str_fini(&lane->front);
	str_fini(&lane->scratch);
	vec_fini(&lane->iids);
	vec_each (&lane->events, event)
		free(*event);
	vec_fini(&lane->events);
	map_each (&lane->strings, entry)
		free((char *)entry->key.at);
	map_fini(&lane->strings);
	map_fini(&lane->functions);
	vec_each (&lane->bundles, bundle)
		str_fini(&bundle->events);
	vec_fini(&lane->bundles);
}
