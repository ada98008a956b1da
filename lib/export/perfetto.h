/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lists the numbers of those fields of Perfetto's trace format that are used here, as google/perfetto publishes them
 * (protos/perfetto/trace). tests/data/perfetto.proto has the same numbers for protoc. The rest of this header is what the source files of the
 * exporter share.
 */
#ifndef RINGSIDE_PERFETTO_H
#define RINGSIDE_PERFETTO_H

#include "lib/analysis/texts.h"
#include "lib/export/protobuf.h"
#include "lib/export/timeline.h"

enum { TRACE_PACKET = 1 };
enum {
	PACKET_FTRACE_EVENTS = 1,
	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED = 12,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_FTRACE_STATS = 34,
	PACKET_COMPRESSED = 50,
	PACKET_TRACK_DESCRIPTOR = 60,
};
enum { SEQUENCE_CLEARED = 1, SEQUENCE_NEEDS_STATE = 2 };
enum { INTERNED_CATEGORY = 1, INTERNED_NAME = 2, INTERNED_ANNOTATION = 3, INTERNED_STRING = 29 };
enum { INTERN_IID = 1, INTERN_NAME = 2 };
enum { TRACK_UUID = 1, TRACK_NAME = 2, TRACK_PROCESS = 3, TRACK_THREAD = 4, TRACK_PARENT = 5, TRACK_COUNTER = 8 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6 };
enum { THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };
enum {
	EVENT_CATEGORY_IID = 3,
	EVENT_ANNOTATION = 4,
	EVENT_TYPE = 9,
	EVENT_NAME_IID = 10,
	EVENT_TRACK = 11,
	EVENT_COUNTER_VALUE = 30,
};
enum { TYPE_BEGIN = 1, TYPE_END = 2, TYPE_INSTANT = 3, TYPE_COUNTER = 4 };
enum {
	ANNOTATION_NAME_IID = 1,
	ANNOTATION_BOOL = 2,
	ANNOTATION_UINT = 3,
	ANNOTATION_INT = 4,
	ANNOTATION_STRING = 6,
	ANNOTATION_POINTER = 7,
	ANNOTATION_ARRAY = 12,
	ANNOTATION_STRING_IID = 17,
};
enum { BUNDLE_CPU = 1, BUNDLE_EVENT = 2, BUNDLE_LOST = 3 };
enum { FTRACE_TIMESTAMP = 1, FTRACE_PID = 2 };
enum { STATS_PHASE = 1, STATS_CPU = 2, STATS_END_OF_TRACE = 2 };
enum { CPU_STATS_CPU = 1, CPU_STATS_OVERRUN = 3 };
enum { SNAPSHOT_CLOCK = 1, CLOCK_ID = 1, CLOCK_TIMESTAMP = 2, CLOCK_REALTIME_ID = 1, CLOCK_BOOTTIME_ID = 6 };

enum { FIRST_SEQUENCE = 1 };

/* This is an event that Perfetto knows itself: the number of its message in FtraceEvent, and the numbers of the fields in that message. */
struct perfetto_known {
	const char *system, *name;
	uint16_t message;
	struct {
		const char *name;
		uint8_t number;
	} fields[8];
};
extern const struct perfetto_known perfetto_known[]; /* the last element has no name */

/* This is what the exporter makes of an event. The .mine of the event's plan points to it. */
struct perfetto_event {
	const struct perfetto_known *known; /* NULL: the event is an instant on its task's track */
	uint32_t index;			    /* the index of the event, from 0 */
	bool counts;			    /* its records may hold a counter: see timeline_counter() */
	uint8_t numbers[];		    /* for each field of the plan its number in the message; 0: none */
};

/* --- what is to be written -------------------------------------------------------------------------------------- */

/*
 * One thread matches entries and exits of calls. It only notes what there is to write, with a struct perfetto_op for each thing. When this thread has
 * taken in a few batches of records, a lane makes packets of what was noted for them, on any thread of the pool, while the next batches are read. In
 * Perfetto's terms a lane is a sequence of packets, so it has interned names of its own. Batches are given to the lanes in turn, whatever the number of
 * threads is, so that the bytes are always the same.
 */
enum { PERFETTO_LANES = 3 };

/*
 * A lane is given this many batches at a time. A pass merges eight batches at a time (lib/analysis/ahead.c). All lanes together have room for more than
 * eight, so that the exporter can take in eight batches without waiting for a lane.
 */
enum { PERFETTO_BATCHES = 4 };

/* PERFETTO_FTRACE is an event that goes into a struct perfetto_bundle. PERFETTO_INSTANT is any other event: an instant on the track of its task. */
enum perfetto_kind { PERFETTO_BEGIN, PERFETTO_END, PERFETTO_LEAF, PERFETTO_INSTANT, PERFETTO_FTRACE, PERFETTO_COUNTER, PERFETTO_LOST };

struct perfetto_op {
	uint64_t ns;	/* when it happened; for a leaf, when it began */
	uint64_t ended; /* of a leaf: when it ended */
	/* The number of its track. Of a loss it is what perfetto_group() returned; when that is 0, the CPU's struct perfetto_bundle notes the loss, too. */
	uint64_t track;
	const char *name; /* of a call, owned by the timeline; NULL at the end of a call whose name was written at its beginning */
	uint32_t called;  /* of a call: the index of its name in timeline.names; of PERFETTO_FTRACE: the task's pid; of a loss: the CPU */
	uint8_t kind;	  /* enum perfetto_kind */
	uint8_t cut;	  /* see timeline_cut() */
	uint8_t file;	  /* index of the input */
	bool has_retval;
	union {
		struct {			 /* of a beginning and of an event */
			const struct plan *plan; /* NULL: no fields are written */
			size_t rec;		 /* used if .plan is not NULL: the index of the record in perfetto_lane.records */
		};
		struct {		/* of a leaf and of an end */
			uint64_t total; /* the measured duration; CALL_UNKNOWN: it is as long as the slice, or not known */
			uint64_t retval;
		};
		int64_t value; /* of a counter: its value; of a loss: how many events, or LOST_UNKNOWN */
	};
	uint64_t retaddr; /* of a leaf and of an end; 0: it is not recorded */
};

typedef VEC(struct perfetto_op) perfetto_ops_t;

/*
 * These are copies of the records whose fields are to be written. Their data stay in the batches. The records are copied because a pass may move the
 * records of a batch after they have been taken in.
 */
typedef VEC(struct record) perfetto_records_t;

/* This is an entry of a cache: a number that was the value of a field recently, and the text that is written for it (a function, names of flags). */
enum { PERFETTO_RECENT = 1024 };
struct perfetto_recent {
	uint64_t number;
	uint32_t field; /* the interned number of the field's name */
	uint32_t iid;	/* the interned number of the text; 0: there is none */
};

/* This is an entry of another cache: a text that was the value of a field recently. */
enum { PERFETTO_TEXTS = 1024 };
struct perfetto_text {
	const char *text; /* owned by perfetto_lane.strings */
	size_t n;
	uint32_t iid; /* its interned number; 0: there is none */
};

/*
 * A lane has a Bloom filter of this many bits for its interned texts. The filter is used when so many texts are interned that no more can be. Then it
 * tells of most other texts, without a search, that they are not interned.
 */
enum { PERFETTO_MARKS = 1 << 16 };

/* These are the interned numbers that the names of an event have in a lane. */
struct perfetto_interned {
	uint32_t name, category;
	uint32_t fields[]; /* for each field of the plan: the interned number of its name */
};

/* These are events of one CPU, in the batches that the lane was given, for Perfetto's own tracks of the CPUs. */
struct perfetto_bundle {
	struct str events;
	bool lost; /* events were lost right before these */
};

struct perfetto_lane {
	struct texts_slot slot;
	const struct timeline *t;
	perfetto_ops_t ops;
	perfetto_records_t records;
	struct batch *kept[PERFETTO_BATCHES]; /* references to the batches of .ops, which perfetto_encode() gives back; .nkept of them */
	size_t nkept;
	/*
	 * Before perfetto_encode(), these are the packets of tracks, which are written first. During perfetto_encode(), they are packets of names that
	 * were interned for the current op. They are written before the packets of this op.
	 */
	struct str front;
	struct str scratch;
	bool deflate;	   /* the lane's packets are to be deflated */
	bool begun;	   /* the first packet of the sequence has been written */
	uint32_t sequence; /* the number of the sequence */
	/* How many texts of each kind are interned: names of calls and events, categories of events, and names of annotations. */
	uint32_t names, categories, annotations;
	VEC(uint32_t) iids;				       /* the interned number of each of timeline.names; 0: not interned yet */
	VEC(struct perfetto_interned *) events;		       /* by perfetto_event.index; NULL: not interned yet */
	uint32_t total, retval, caller, cut, count, cpu, lost; /* the interned numbers of these names; 0: not interned yet */
	MAP(struct text, uint32_t) strings;		       /* the interned number of each text that is a value; the lane owns the texts */
	MAP(uint64_t, uint32_t) functions;		       /* for the address of a function's struct symbol: what perfetto_string() returned for its name */
	VEC(struct perfetto_bundle) bundles;		       /* one for each CPU */
	uint64_t marks[PERFETTO_MARKS / 64];
	struct perfetto_recent recent[PERFETTO_RECENT];
	struct perfetto_text texts[PERFETTO_TEXTS];
};

/* This is the job of a lane: makes .slot.out of .ops and .front. */
void perfetto_encode(struct job *job);
void perfetto_fini_lane(void *lane);

/* Makes one deflated packet of the packets in lane.slot.out. When memory runs out, lane.slot.out.oom is set. */
void perfetto_deflate(struct perfetto_lane *lane);

/*
 * Returns the interned number of a text that is the value of a field. A new text is written in a packet of its own. Returns 0 when the text is too
 * long, or when too many texts are interned already.
 */
uint32_t perfetto_string(struct perfetto_lane *lane, const char *text, size_t n);

/* Returns the interned numbers of the event's names in this lane. When memory runs out, it returns NULL and sets lane.front.oom. */
const struct perfetto_interned *perfetto_interned(struct perfetto_lane *lane, const struct plan *plan);

/* perfetto_annotations() appends an annotation for each field. perfetto_fields() appends each field as a field of the event's own message. */
void perfetto_annotations(struct perfetto_lane *lane, const struct plan *plan, const struct record *rec, struct str *out);
void perfetto_fields(const struct plan *plan, const struct record *rec, struct str *out);

/* --- the thread that takes calls in ----------------------------------------------------------------------------- */

/* This is the state of the exporter, timeline.mine. Tracks are written to timeline.out, which becomes the .front of the next lane. */
struct perfetto {
	struct texts texts; /* its slots are struct perfetto_lane */
	perfetto_ops_t ops; /* what has been noted and not been given to a lane */
	perfetto_records_t records;
	struct batch *kept[PERFETTO_BATCHES]; /* references to the batches of .ops; .nkept of them */
	size_t nkept;
	uint32_t events;		    /* how many events have a struct perfetto_event */
	uint64_t given;			    /* how often a lane was given batches */
	uint64_t tracks;		    /* how many tracks are described */
	MAP(uint64_t, uint64_t) groups;	    /* for each buffer of each file: the track that perfetto_group() returns */
	MAP(struct key, uint64_t) counters; /* the track of each counter, by its task and its name */
};

/* Adds a track that does not belong to a thread, and returns its number. */
uint64_t perfetto_add_track(struct timeline *t, uint64_t parent, const char *text, size_t n, bool counter);

/* Returns the track that groups the tracks of this buffer, or 0 for the top buffer of the only file, whose tracks have no group. */
uint64_t perfetto_group(struct timeline *t, unsigned int file, unsigned int buffer);

/* Adds the track of a task when the task is met for the first time. */
void perfetto_task(struct timeline *t, struct call_task *task);

/* Returns the track of a task, or the track of asynchronous calls when @task is a place beside a task (lib/analysis/calls.h). */
uint64_t perfetto_track(struct timeline *t, struct call_task *task);

/* Must be called at the end. When the times are wall-clock times (--date), it writes a packet that says so. */
void perfetto_clocks(struct timeline *t);

#endif
