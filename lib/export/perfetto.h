/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lists the field numbers of Perfetto's trace format, for the fields that ringside writes. google/perfetto publishes these numbers (protos/perfetto/trace).
 * tests/data/perfetto.proto has the same numbers for protoc. The rest of this header is shared by the source files of the exporter.
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

enum { FIRST_SEQUENCE = 1 }; /* the number of the first sequence of packets; the other sequences have the numbers after it */

/* This is an event of the kernel for which Perfetto defines a protobuf message. */
struct perfetto_known {
	const char *system, *name;
	uint16_t message; /* the number of the message in FtraceEvent */
	struct {
		const char *name; /* the name of a field of the event; NULL: there are no more fields */
		uint8_t number;	  /* the number of this field in the message */
	} fields[8];
};
extern const struct perfetto_known perfetto_known[]; /* the last element has no name */

/* This is what the exporter knows of an event. The member .mine of the event's plan (struct plan in lib/export/plan.h) points to it. */
struct perfetto_event {
	const struct perfetto_known *known; /* NULL: Perfetto has no message for the event, so its records are PERFETTO_INSTANT */
	uint32_t index;			    /* the events that have a struct perfetto_event are numbered from 0 on, and this is the event's number */
	bool counts;			    /* the event's records can hold a counter (timeline_counter()) */
	uint8_t numbers[];		    /* element i is the number that the plan's field i has in the message; 0: the message lacks this field */
};

/* --- what is to be written -------------------------------------------------------------------------------------- */

/*
 * One thread takes in the batches of records and matches entries and exits of calls. The thread makes a note, a struct perfetto_op, of each slice, instant and
 * so on that has to be written. A lane (struct perfetto_lane) makes packets from notes. After every PERFETTO_BATCHES batches, the thread gives the notes for
 * these batches to a lane, and goes on. The lane does its work on any thread of the pool. The lanes get notes in turn. Which lane gets which notes does not
 * depend on the number of threads, so the bytes of the output are always the same.
 *
 * Each lane writes one of Perfetto's sequences of packets. To intern a text is to give it a number (Perfetto's iid) in one packet. Later packets of the
 * sequence have this number in place of the text. The number is valid only in this sequence, so each lane interns texts by itself.
 */
enum { PERFETTO_LANES = 3 };

/*
 * A lane is given the notes for this many batches at a time. A pass over the recording merges eight batches at a time (lib/analysis/ahead.c). All lanes
 * together can hold the notes for more than eight batches, so the exporter can take in eight batches without waiting for a lane.
 */
enum { PERFETTO_BATCHES = 4 };

/*
 * PERFETTO_BEGIN and PERFETTO_END are the beginning and the end of a call. PERFETTO_LEAF is a leaf: a complete call that calls nothing. PERFETTO_FTRACE is an
 * event that goes into a struct perfetto_bundle. PERFETTO_INSTANT is any other event. It becomes an instant on the track of its task.
 */
enum perfetto_kind { PERFETTO_BEGIN, PERFETTO_END, PERFETTO_LEAF, PERFETTO_INSTANT, PERFETTO_FTRACE, PERFETTO_COUNTER, PERFETTO_LOST };

struct perfetto_op {
	uint64_t ns;	/* the time of the beginning, end, event or loss; for a leaf, the time of its beginning */
	uint64_t ended; /* of a leaf: when it ended */
	/*
	 * The number of the op's track. It is not used for PERFETTO_FTRACE. For a loss, it is the number that perfetto_group() returned. If this number
	 * is 0, the loss is also written to the struct perfetto_bundle of its CPU.
	 */
	uint64_t track;
	/* Of a call: its name, owned by the timeline. NULL: the name is not known, or this op is the end of a call whose name was written at its beginning. */
	const char *name;
	uint32_t called; /* of a call: the index of its name in timeline.names; of PERFETTO_FTRACE: the task's pid; of a loss: the CPU */
	uint8_t kind;	 /* enum perfetto_kind */
	uint8_t cut;	 /* of a leaf and of an end: in which way the call is incomplete, for timeline_cut() */
	uint8_t file;	 /* of a leaf and of an end: the index of the input */
	bool has_retval; /* of a leaf and of an end: .retval is set */
	union {
		struct {			 /* of a beginning and of an event */
			const struct plan *plan; /* NULL: no fields are written */
			size_t rec;		 /* used if .plan is not NULL: the index of the record in perfetto_lane.records */
		};
		struct { /* of a leaf and of an end */
			/*
			 * The duration. If it is CALL_UNKNOWN, it is not written. It is CALL_UNKNOWN in these cases:
			 * - The call is incomplete.
			 * - The duration of the call is not known.
			 * - The duration of the call equals the length of the slice.
			 */
			uint64_t total;
			uint64_t retval;
		};
		int64_t value; /* of a counter: its value; of a loss: how many events were lost, or LOST_UNKNOWN */
	};
	uint64_t retaddr; /* of a leaf and of an end: the return address; 0: it is not recorded */
};

typedef VEC(struct perfetto_op) perfetto_ops_t;

/*
 * These are copies of the struct records whose fields are to be written. The payloads (record.data) are not copied, and stay in the batches or in
 * perfetto_entries_t.
 */
typedef VEC(struct record) perfetto_records_t;

/*
 * These are copies of records with their payloads. The batch of such a record may be gone when the record is written. Elements of perfetto_records_t refer to
 * the payloads of these copies.
 */
typedef VEC(struct timeline_entry *) perfetto_entries_t;

/*
 * For some fields, a text is written in place of a number: the name of a function, or the names of flags. A cache keeps the numbers that such fields had
 * recently. This is an entry of the cache.
 */
enum { PERFETTO_RECENT = 1024 };
struct perfetto_recent {
	uint64_t number;
	uint32_t field; /* the interned number of the field's name */
	uint32_t iid;	/* the interned number of the text; 0: the text is not interned, or the entry is empty */
};

/* This is an entry of a cache of texts that were recently values of fields. */
enum { PERFETTO_TEXTS = 1024 };
struct perfetto_text {
	const char *text; /* owned by perfetto_lane.strings */
	size_t n;
	uint32_t iid; /* the interned number of the text; 0: the text is not interned, or the entry is empty */
};

/*
 * A lane has a Bloom filter of this many bits for the texts that are interned in perfetto_lane.strings. The filter is used when .strings is full. For
 * most texts that are not in .strings, the filter shows without a search that they are not there.
 */
enum { PERFETTO_MARKS = 1 << 16 };

/* These are the interned numbers that the names of an event have in a lane. */
struct perfetto_interned {
	uint32_t name;	   /* of the event's name */
	uint32_t category; /* of the name of the event's system */
	uint32_t fields[]; /* element i: the interned number of the name of the plan's field i */
};

/*
 * This is one of Perfetto's bundles (FtraceEventBundle). It has those events of one CPU whose notes the lane was given. Perfetto makes a track for this CPU by
 * itself, and shows the events on this track.
 */
struct perfetto_bundle {
	struct str events;
	bool lost; /* events were lost right before .events */
};

struct perfetto_lane {
	struct texts_slot slot;
	const struct timeline *t;
	perfetto_ops_t ops;		      /* what the lane has to write */
	perfetto_records_t records;	      /* the records to which .ops refer */
	perfetto_entries_t entries;	      /* perfetto_encode() frees them */
	struct batch *kept[PERFETTO_BATCHES]; /* references to the batches of .ops; perfetto_encode() gives them back */
	size_t nkept;			      /* how many references .kept has */
	/*
	 * Before perfetto_encode(), .front has the packets that describe tracks. They are written first. During perfetto_encode(), .front has the packets
	 * that intern names for the current op. They are written before the packets of the op.
	 */
	struct str front;
	struct str scratch;
	bool deflate;				/* the lane's packets are to be deflated */
	bool begun;				/* the first packet of the sequence has been written */
	uint32_t sequence;			/* the number of the sequence */
	uint32_t names;				/* how many names of calls and events are interned */
	uint32_t categories;			/* how many categories of events are interned */
	uint32_t annotations;			/* how many names of annotations are interned */
	VEC(uint32_t) iids;			/* element i: the interned number of timeline.names.at[i]; 0: not interned yet */
	VEC(struct perfetto_interned *) events; /* element i: for the event whose perfetto_event.index is i; NULL: not interned yet */
	/* the interned numbers of the annotations "total", "retval" and so on; 0: not interned yet */
	uint32_t total, retval, caller, cut, count, cpu, function;
	uint32_t lost;			    /* the interned number of the event name "lost_events"; 0: not interned yet */
	MAP(struct text, uint32_t) strings; /* the interned number of each text that is a value; the lane owns the texts */
	/* The key is the address of a function's struct symbol. The value is what perfetto_string() returned for the name of the function. */
	MAP(uint64_t, uint32_t) functions;
	VEC(struct perfetto_bundle) bundles; /* element i: for the CPU i */
	uint64_t marks[PERFETTO_MARKS / 64]; /* the Bloom filter */
	struct perfetto_recent recent[PERFETTO_RECENT];
	struct perfetto_text texts[PERFETTO_TEXTS];
};

/* Does the work of a lane, as a job: makes the packets in .slot.out from .ops and .front. */
void perfetto_encode(struct job *job);
void perfetto_fini_lane(void *lane);

/* Makes one deflated packet from the packets in lane.slot.out. When memory runs out, lane.slot.out.oom is set. */
void perfetto_deflate(struct perfetto_lane *lane);

/*
 * Returns the interned number of a text that is the value of a field. A text that is not interned yet is interned in a packet of its own. Returns 0 in these
 * cases:
 * - The text is too long.
 * - The text is not interned yet, and too many texts are already interned.
 * - Memory runs out. Then lane.front.oom is set, too.
 */
uint32_t perfetto_string(struct perfetto_lane *lane, const char *text, size_t n);

/* Returns the interned numbers of the event's names in this lane. When memory runs out, returns NULL and sets lane.front.oom. */
const struct perfetto_interned *perfetto_interned(struct perfetto_lane *lane, const struct plan *plan);

/*
 * perfetto_annotations() appends an annotation for each field. perfetto_fields() appends each field as a field of the message that Perfetto defines for
 * the event (struct perfetto_known).
 */
void perfetto_annotations(struct perfetto_lane *lane, const struct plan *plan, const struct record *rec, struct str *out);
void perfetto_fields(const struct plan *plan, const struct record *rec, struct str *out);

/* --- the thread that takes calls in ----------------------------------------------------------------------------- */

/*
 * This is the state of the exporter, timeline.mine. The packets that describe tracks are appended to timeline.out. The next lane that is given notes gets
 * timeline.out as its .front.
 */
struct perfetto {
	struct texts texts;		      /* its slots are struct perfetto_lane */
	perfetto_ops_t ops;		      /* the notes that have not been given to a lane yet */
	perfetto_records_t records;	      /* the records to which .ops refer */
	perfetto_entries_t entries;	      /* some of .records have their payloads in these */
	struct batch *kept[PERFETTO_BATCHES]; /* references to the batches of .ops */
	size_t nkept;			      /* how many references .kept has */
	uint32_t events;		      /* how many events have a struct perfetto_event */
	uint64_t given;			      /* how often notes were given to a lane */
	uint64_t tracks;		      /* how many tracks are described */
	MAP(uint64_t, uint64_t) groups;	      /* the track that perfetto_group() returns for each buffer of each file */
	MAP(struct key, uint64_t) counters;   /* the track of each counter, by its task and its name */
};

/*
 * Adds a track that does not belong to a thread, and returns its number. @parent is the number of the track above the new track, or 0 if there is none. The @n
 * bytes at @text are the new track's name. @counter is true for a track of a counter.
 */
uint64_t perfetto_add_track(struct timeline *t, uint64_t parent, const char *text, size_t n, bool counter);

/*
 * Returns the track that groups the tracks of this buffer. If there is only one file, the tracks of its top buffer have no group, and the function returns 0
 * for this buffer. When memory runs out, the function returns 0 and sets timeline.out.oom.
 */
uint64_t perfetto_group(struct timeline *t, unsigned int file, unsigned int buffer);

/* Adds the track of a task when the task is met for the first time. */
void perfetto_task(struct timeline *t, struct call_task *task);

/*
 * Returns the track of a task. When @task->aside is true (lib/analysis/calls.h), @task stands for a call that is not on the stack of the task @task->beside. In
 * this case, the function returns the track for this call.
 */
uint64_t perfetto_track(struct timeline *t, struct call_task *task);

/*
 * Returns the track for a row of a task (struct timeline_row). The track for row 0 is the one that perfetto_track() returns. The tracks for the other rows are
 * below the track for row 0. For TIMELINE_NO_ROW, each call of this function makes a new track, which is also below the track for row 0.
 */
uint64_t perfetto_row(struct timeline *t, struct call_task *task, uint32_t row);

/* Must be called at the end. When the times are wall-clock times (--date), appends a packet to timeline.out that says so. */
void perfetto_clocks(struct timeline *t);

#endif
