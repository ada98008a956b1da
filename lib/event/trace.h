/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells what the metadata of a trace mean: the event that belongs to each id, the places of the common fields, and the names of functions and tasks. The
 * metadata are the part of a trace file that describes the events and the machine (lib/data/metadata.h). The format of an event is parsed in full only
 * when the event is used for the first time (event_prepare()).
 */
#ifndef RINGSIDE_TRACE_H
#define RINGSIDE_TRACE_H

#include "lib/data/merge.h"
#include "lib/data/metadata.h"
#include "lib/event/comms.h"
#include "lib/event/field.h"
#include "lib/event/printk.h"
#include "lib/event/symbols.h"
#include "lib/event/syscalls.h"
#include "lib/event/usermaps.h"

struct trace;
struct tep_side;
struct printer;
struct print_program;
struct tep_event;
struct values;

/* This tells how events become text. The comments name the options of `report` that set the members. */
struct trace_options {
	bool no_plugins;	/* -N: no plug-ins and no built-in printers, but only the kernel's print formats */
	bool no_system_plugins; /* -L: no plug-ins from the system's folder (lib/event/plugin.h) */
	bool raw;		/* -R: fields instead of text, for all events */
	strv_t raw_events;	/* -r: regular expressions; fields are printed instead of text if the event's name or system matches one */
	strv_t plain_events;	/* -n: regular expressions; only the kernel's print format is used if the event's name or system matches one */
	strv_t plugin_options;	/* -O [PLUGIN:]NAME[=VALUE] */
	bool visible;		/* true: names of tasks and events are stored in a form that cannot control a terminal (lib/base/visible.h) */
	bool live_maps;		/* true: usermaps_add() (lib/event/usermaps.h) will add memory maps of processes later */
	/* trace_option_parse() sets the members from here on, as .plugin_options says. */
	bool func_no_indent, func_parent, func_offset;
	bool graph_tail, graph_depth;
	enum { RETVAL_AUTO, RETVAL_SKIP, RETVAL_DEC, RETVAL_HEX } retval;
};

void trace_options_fini(struct trace_options *opt);

/* A built-in printer can name at most this many fields. They are looked up once for each event and kept in event.field. */
enum { EVENT_FIELDS = 6 };

struct event {
	struct trace *trace;
	char *system, *name;
	const struct text *format;
	char *label; /* " NAME: ", padded as in reports; at least SLACK bytes from its first byte on can be read (lib/event/print-program.h) */
	uint16_t label_len;
	uint16_t id;
	uint16_t plain_size;		  /* event_is_plain() returns true for payloads of at least this size; 0: it never returns true */
	uint8_t kind;			  /* enum event_kind */
	bool prepared;			  /* event_prepare() was called for it */
	bool raw;			  /* its fields are printed (-R, -r) */
	bool plain;			  /* neither a plug-in nor a built-in printer prints it (-N, -n) */
	bool failed;			  /* its print format could not be parsed */
	bool no_fields;			  /* lines of some of its fields were not given to libtraceevent (lib/event/vet.h) */
	const char *beyond;		  /* why a part of the format was not given to libtraceevent; NULL: libtraceevent got the whole format */
	const struct printer *printer;	  /* the built-in printer (lib/event/text.h); NULL: none */
	struct print_program *program;	  /* prints the event (lib/event/print.h); NULL: .printer prints it, or libtraceevent if .printer is NULL, too */
	const char *not_compiled;	  /* why the print format was not compiled; NULL: it was compiled, or nobody has tried to compile it */
	struct tep_event *tep;		  /* NULL: tep_prepare() was not called, or nothing could be parsed */
	struct values *values;		  /* what values_of() (lib/event/values.h) made; NULL: values_of() was not called */
	struct field field[EVENT_FIELDS]; /* the fields that .printer names; FUNCTION_IP and the other indices below tell which is which */
};

/* This is the kind of an event. For each kind except EVENT_OTHER, ringside knows more about the event than its format tells. */
enum event_kind {
	EVENT_OTHER,
	EVENT_FUNCTION, /* function and func_repeats */
	EVENT_GRAPH_ENTRY,
	EVENT_GRAPH_EXIT,
	EVENT_STACK, /* kernel_stack, user_stack: the stack at an earlier event of the same CPU */
	EVENT_SCHED_SWITCH,
	EVENT_SCHED_WAKEUP, /* sched_wakeup and sched_wakeup_new */
	/*
	 * Other events that carry the name of a task, such as sched_waking and task_rename. `report` does not learn names from these events for its lines,
	 * because trace-cmd does not learn names from them.
	 */
	EVENT_NAME,
};

/* These are indices into event.field. The prefix of a name tells to which kind of event the index belongs. GRAPH_ stands for entries and exits. */
enum { FUNCTION_IP, FUNCTION_PARENT, FUNCTION_COUNT, FUNCTION_TOP, FUNCTION_BOTTOM }; /* only func_repeats has the last three */
enum { GRAPH_FUNC, GRAPH_DEPTH, GRAPH_CALLTIME, GRAPH_RETTIME, GRAPH_RETVAL, GRAPH_OVERRUN };
enum { GRAPH_RETADDR = GRAPH_CALLTIME }; /* in an EVENT_GRAPH_ENTRY */
enum { STACK_CALLER, STACK_TGID };
enum { SWITCH_PREV_PID, SWITCH_PREV_COMM, SWITCH_NEXT_PID, SWITCH_NEXT_COMM, SWITCH_PREV_STATE };
enum { WAKEUP_PID, WAKEUP_COMM }; /* also in an EVENT_NAME */

struct trace {
	const struct metadata *meta;
	struct trace_options *opt; /* borrowed */
	uint8_t index;		   /* the index of the input file, as in record.file */
	bool swap;		   /* the file's byte order is not this machine's */
	uint8_t long_size;	   /* bytes of a long in the traced kernel */
	/* These are the common fields: common_type, common_flags and so on. */
	struct field type, flags, preempt, pid, migrate_disable, lock_depth;
	bool damaged;		    /* true: a format was found that no kernel writes, and a message has said so */
	bool said_beyond;	    /* a message has named an event whose event->beyond is set */
	bool plain_common;	    /* type, flags, preempt and pid are where struct common has them, in our byte order */
	struct event **by_id;	    /* element i: the event with the id i; NULL: there is none */
	size_t nids;		    /* the number of elements of .by_id */
	VEC(struct event *) events; /* in the metadata's order, owned */
	struct graph_ids graph;	    /* tells how to recognise leaf calls (lib/data/merge.h) */
	struct syscalls calls;	    /* the system calls of the traced machine: what syscalls_of() returns for .meta */
	struct symbols *symbols;
	struct usermaps *usermaps; /* NULL: the file has no maps, and user stacks are printed by the kernel's format */
	struct printk *printk;	   /* what the function trace_printk() below returns; NULL until it is called */
	struct comms *comms;
	struct tep_side *tep; /* libtraceevent's handle and plug-ins (lib/event/tep.h); NULL: trace_tep() was not called yet */
};

/* Makes a trace. The trace borrows @meta and @opt, which must live as long as the trace. Returns 0, or -errno after a message. */
int trace_open(struct trace **out, const struct metadata *meta, struct trace_options *opt, uint8_t index);
void trace_close(struct trace *trace);

/* Returns the kernel's constant strings, which the first call reads. The trace owns them. Returns NULL when memory runs out. */
struct printk *trace_printk(struct trace *trace);

/*
 * Sets the members of *@opt that opt->plugin_options name. The list itself stays as it is, because plug-ins get it, too. If .no_plugins is false, warns
 * of options that no printer and no plug-in has. Returns 0.
 */
int trace_option_parse(struct trace_options *opt);

/* Returns the event with this id, or NULL when the file does not describe it. Does not call event_prepare() for it. */
static inline struct event *trace_event(const struct trace *trace, uint16_t id)
{
	return likely(id < trace->nids) ? trace->by_id[id] : NULL;
}

/*
 * Returns true if all of this holds:
 *  - The event is an EVENT_FUNCTION, an EVENT_GRAPH_ENTRY or an EVENT_GRAPH_EXIT.
 *  - A payload of @size bytes has all fields that an event of this kind needs.
 *  - These fields are in our byte order.
 *  - The depth has 4 bytes, and each of the remaining fields has 8 bytes.
 */
static inline bool event_is_plain(const struct event *event, size_t size)
{
	return event->plain_size && size >= event->plain_size;
}

/* Returns the event of this name in this system, or in any system when @system is NULL. Returns NULL when there is none. */
struct event *trace_find(const struct trace *trace, const char *system, const char *name);

/* Does what trace_find() does, for a name as people type it: "SYSTEM:EVENT", or "EVENT" for any system. */
struct event *trace_find_said(const struct trace *trace, const char *said);

/* Appends the names of all events, for did_you_mean(). A name that is already in *@out is not added again. Returns 0 or -ENOMEM. */
int trace_event_names(const struct trace *trace, strv_t *out);

/* Prepares the event for printing. Only one thread at a time may call this function. A second call for the same event does nothing. */
void event_prepare(struct event *event);

/* These are the fields that all events have. They are zero when the payload is too short for them. */
struct common {
	uint16_t id;
	uint8_t flags, preempt;
	int32_t pid;
};

void record_common_slow(const struct trace *trace, const struct record *rec, struct common *out);

static inline struct common record_common(const struct trace *trace, const struct record *rec)
{
	struct common common;

	/* All fields are copied at once, because this is done several times for every record. */
	if (likely(trace->plain_common && rec->size >= sizeof(common)))
		memcpy(&common, rec->data, sizeof(common));
	else
		record_common_slow(trace, rec, &common);
	return common;
}

static inline uint16_t record_id(const struct trace *trace, const struct record *rec)
{
	return record_common(trace, rec).id;
}

static inline int record_pid(const struct trace *trace, const struct record *rec)
{
	return record_common(trace, rec).pid;
}

/* These are bits of common_flags (include/linux/trace_events.h, enum trace_flag_type). */
enum {
	FLAG_IRQS_OFF = 0x01,
	FLAG_RESCHED_LAZY = 0x02,
	FLAG_RESCHED = 0x04,
	FLAG_HARDIRQ = 0x08,
	FLAG_SOFTIRQ = 0x10,
	FLAG_PREEMPT_RESCHED = 0x20,
	FLAG_NMI = 0x40,
	FLAG_BH_OFF = 0x80,
};

/*
 * Returns common_flags as they were when the event happened. Tracing itself usually adds 1 to preempt_count, and kernels with preemption subtract 1 from the
 * recorded preempt_count (tracing_gen_ctx_dec() in include/linux/trace_events.h). These kernels subtract 1 even when tracing has added nothing, as at a uprobe.
 * If preempt_count was 0, the subtraction borrows 1 from the flags in the bits above preempt_count. A recorded preempt_count of 255 shows that this has
 * happened.
 */
static inline uint8_t common_context(const struct common *common)
{
	return unlikely(common->preempt == UINT8_MAX) ? (uint8_t)(common->flags + 1) : common->flags;
}

/*
 * Calls @each for each name of a task that a record of EVENT_SCHED_SWITCH, EVENT_SCHED_WAKEUP or EVENT_NAME carries. The name ends before the first NUL,
 * or after @n bytes. Records of other kinds carry no names.
 */
void trace_names(const struct trace *trace, const struct event *event, const struct record *rec, void (*each)(void *ctx, int pid, const char *name, size_t n),
		 void *ctx);

/*
 * Gives the names that trace_names() finds in @rec to trace->comms, by comms_learn(). Only the thread that goes through the records in order may call this
 * function.
 */
void trace_learn(struct trace *trace, const struct event *event, const struct record *rec);

#endif
