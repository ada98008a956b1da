/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lists the numbers of those fields of Perfetto's trace format that are used here, as google/perfetto publishes them
 * (protos/perfetto/trace). tests/data/perfetto.proto has the same numbers for protoc. The files of the exporter share the rest of this
 * header.
 */
#ifndef RINGSIDE_PERFETTO_H
#define RINGSIDE_PERFETTO_H

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

/* All packets that use interned names belong to one sequence. */
enum { SEQUENCE = 1 };

/* An event that Perfetto knows itself: the number of its message in FtraceEvent, and the numbers of the fields in that message. */
struct perfetto_known {
	const char *system, *name;
	uint16_t message;
	struct {
		const char *name;
		uint8_t number;
	} fields[8];
};
extern const struct perfetto_known perfetto_known[]; /* ends with one without a name */

/* What the exporter makes of an event. It is a plan's .mine. */
struct perfetto_event {
	const struct perfetto_known *known; /* NULL: the event is an instant on its task's track */
	uint32_t name, category;	    /* interned; for an instant */
	uint32_t fields[];		    /* for each field of the plan its number in the message (0: none), and behind these the interned name of each */
};

/*
 * Returns the interned number of a text that is a value. A new text is written in a packet of its own. Returns 0 when the text is too long or when
 * there are too many others.
 */
uint32_t perfetto_string(struct timeline *t, const char *text, size_t n);

/* A cache of the texts of numbers: functions and flags that were needed lately. */
enum { PERFETTO_RECENT = 4096 };
struct perfetto_recent {
	const struct plan_field *field;
	uint64_t number;
	uint32_t iid;
};

/* A cache of texts that were values lately. */
enum { PERFETTO_TEXTS = 1024 };
struct perfetto_text {
	const char *text; /* owned by perfetto.strings */
	size_t n;
	uint32_t iid; /* 0: there is none */
};

/* The state of the exporter, timeline.mine. */
struct perfetto {
	uint32_t names, categories, annotations;	 /* how many are interned */
	uint64_t tracks;				 /* how many tracks are described */
	VEC(uint32_t) iids;				 /* the interned name of each of timeline.names */
	uint32_t total, retval, caller, cut, count, cpu; /* interned names of annotations; 0: not yet */
	uint32_t lost_name;
	bool begun;			    /* the first packet of the sequence has been written */
	MAP(uint64_t, uint64_t) groups;	    /* the track of each buffer of each file */
	MAP(struct key, uint64_t) counters; /* the track of each task and name */
	VEC(struct str *) bundles;	    /* all of them */
	MAP(struct text, uint32_t) strings; /* interned values; the texts are owned */
	struct perfetto_recent recent[PERFETTO_RECENT];
	struct perfetto_text texts[PERFETTO_TEXTS];
	struct str packet; /* the packet that is being made; others may have to come before it */
	struct str packed; /* packets, deflated */
	uint64_t deflated; /* how many bytes of packets have been deflated */
};

/* Packs timeline.out, which has whole packets, as long as that takes little time. Returns 0, -ENOMEM, or another -errno after a message. */
int perfetto_pack(struct timeline *t);

/* Adds a track that does not belong to a thread, and returns its number. */
uint64_t perfetto_add_track(struct timeline *t, uint64_t parent, const char *text, size_t n, bool counter);

/* Returns the track that groups the tracks of this buffer, or 0 for the first buffer, whose tracks have no group. */
uint64_t perfetto_group(struct timeline *t, unsigned int file, unsigned int buffer);

/* Adds the track of a task when the task is met for the first time. */
void perfetto_task(struct timeline *t, struct call_task *task);

/* Returns the track of a task. A call beside a task has a track for its place there. */
uint64_t perfetto_track(struct timeline *t, struct call_task *task);

/* Says at the end which times these are: with --date those of the calendar. */
void perfetto_clocks(struct timeline *t);

/* perfetto_annotations() appends an annotation for each field. perfetto_fields() appends each field as a field of the event's own message. */
void perfetto_annotations(struct timeline *t, struct perfetto_recent *recent, const struct plan *plan, const struct record *rec, struct str *out);
void perfetto_fields(const struct plan *plan, const struct record *rec, struct str *out);

#endif
