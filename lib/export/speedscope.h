/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines what the source files of the exporter to speedscope share. In speedscope's format
 * (speedscope.app/file-format-schema.json) each profile is one piece of the file. In a recording,
 * the records of different tasks are interleaved. So the data of each task are kept in a strand
 * until the end. A strand is a growing sequence of bytes in a scratch file (lib/export/strands.h).
 */
#ifndef RINGSIDE_SPEEDSCOPE_H
#define RINGSIDE_SPEEDSCOPE_H

#include "lib/analysis/stack-owner.h"
#include "lib/export/strands.h"
#include "lib/export/timeline.h"

/*
 * Speedscope computes the duration of a call from its beginning and its end. But the time between the events of entry and exit includes the cost of tracing.
 * So this time differs from the duration that function_graph has recorded for the call. Therefore new times are computed for the calls (speedscope-write.c).
 * Each complete call gets exactly the total and the self time that `ringside funcs` counts for the call. A call has a pause while it is interrupted or off the
 * CPU. The events inside a call cut its self time into stretches. Measured by the times of the events, the stretches together are speedscope_call.self_seen
 * long. The length of each stretch is multiplied by .self / .self_seen, so that the stretches together become .self long. The length of each pause of the call
 * is multiplied by .pauses / .pauses_seen.
 *
 * An interrupt stands in a profile of its CPU, and not in the profile of the task. In the profile of the task, the interrupted call has a pause. `ringside
 * funcs` also keeps interrupts apart from the calls that they interrupt.
 */
enum speedscope_kind { SPEEDSCOPE_BEGIN, SPEEDSCOPE_END, SPEEDSCOPE_PAUSE };

/*
 * A mark says that a call begins, that the innermost open call ends, or that the innermost open call has paused. In the strand speedscope_profile.marks,
 * a struct speedscope_call follows each mark of a beginning. The length of the pause in ns (uint64_t) follows each mark of a pause.
 */
struct speedscope_mark {
	uint64_t ns;	/* for a beginning or an end: the time of the event; for a pause: the time at which the pause ended */
	uint32_t frame; /* what speedscope_frame() returned for the call or the pause */
	uint32_t kind;	/* enum speedscope_kind */
};

/* This is what is known of a call when it has ended. */
struct speedscope_call {
	/*
	 * How long the call took, as `ringside funcs` counts it. This is CALL_UNKNOWN if the call
	 * is not complete, or if the trace's clock does not count ns. If it is CALL_UNKNOWN, the
	 * call is drawn from the time of its entry to the time of its exit, and all other members
	 * are 0.
	 */
	uint64_t total;
	uint64_t self;	      /* its self time */
	uint64_t pauses;      /* for how long the call was interrupted or off the CPU */
	uint64_t self_seen;   /* its self time, computed from the times of the events, including the self time of incomplete calls directly inside it */
	uint64_t pauses_seen; /* its pauses, computed from the times of the events, including the pauses of incomplete calls directly inside it */
};

/* This is a call that is open. */
struct speedscope_open {
	uint64_t at;	      /* the offset, in speedscope_profile.marks, of the mark of the call's beginning */
	uint64_t self_seen;   /* speedscope_call.self_seen so far */
	uint64_t pauses_seen; /* speedscope_call.pauses_seen so far */
	uint64_t irq;	      /* how much of the call's time in interrupts has been marked as pauses */
	uint64_t off;	      /* how much of the call's time off the CPU has been marked as pauses */
};

/*
 * This is a profile. A profile belongs to one of these:
 * - a task;
 * - a call that is not on its task's stack (call_task.aside in lib/analysis/calls.h);
 * - interrupts on a CPU.
 */
struct speedscope_profile {
	const struct call_task *task; /* in a profile of interrupts: the first task that was interrupted */
	struct strand marks;
	struct strand samples;		  /* the samples and their stacks: struct speedscope_sample */
	VEC(struct speedscope_open) open; /* the open calls, the outermost first */
	uint64_t last;			  /* the time of the last mark so far */
	uint64_t nsamples;		  /* how many samples of .samples have a stack */
	/*
	 * A CPU can have several profiles for its interrupts. These profiles are numbered from 1 on. An interrupt is written to the first of these profiles in
	 * which no call is open. .irq is the number of this profile, or 0 if it is not a profile of interrupts.
	 */
	uint32_t irq;
	uint16_t cpu;			   /* in a profile of interrupts: the CPU of the interrupts */
	struct speedscope_profile *more;   /* in a profile of interrupts: the next profile of interrupts for the same CPU; NULL: there is none */
	struct speedscope_profile *inside; /* the profile of the interrupt that has interrupted the innermost call of this profile; NULL: there is none */
};

/*
 * This is an event whose stacks are shown, or one of these stacks. The samples in speedscope_profile.samples have the order of their events. A sample's stacks
 * may come after the samples of an interrupt. So each stack is an element of its own: a struct speedscope_sample in which only .frames is set, followed by the
 * frames, the innermost first.
 */
struct speedscope_sample {
	uint32_t event;	 /* what speedscope_frame() returned for the event; 0: it is a stack */
	uint32_t frames; /* of a stack: how many frames follow */
	uint32_t n[2];	 /* the number of frames of the kernel's stack and of the program's stack; 0: no stack */
	uint64_t at[2];	 /* the offsets of these frames in the strand */
};

/* This is the last event of a context of a CPU. The records of its stacks come after the record of the event. */
struct speedscope_pending {
	struct speedscope_sample sample;
	struct speedscope_profile *profile; /* the profile of the event's task */
	uint64_t at;			    /* the offset of .sample in .profile->samples, if .put is set */
	bool put;
};

/* This is kept for each CPU of a buffer. */
struct speedscope_stream {
	struct stack_owners owners;
	struct speedscope_pending at[STACK_LEVELS];
};

/* This is the name of something that is called. */
struct speedscope_name {
	const char *module; /* the module that has the function; NULL: it is in no module */
	uint32_t frame;	    /* 1 + the index of the frame for complete calls of this name; 0: not needed yet */
};

/* This is a frame. Functions of the same name share a frame, because `ringside funcs` also counts them as one function. */
struct speedscope_frame {
	char *name;	    /* the bytes of the frame's key in speedscope.frames */
	const char *module; /* the module that has the function; NULL: it is in no module */
	bool several;	    /* functions of this name are in several modules */
};

struct speedscope {
	struct strands strands;
	MAP(struct text, struct speedscope_frame) frames;
	VEC(struct speedscope_name) names; /* element i: for timeline.names.at[i] */
	struct keys functions;		   /* the functions in stacks */
	/*
	 * Element i is for the function whose key in .functions has the number i. It is 1 + the index of the function's frame, or 0 if the frame is not
	 * needed yet.
	 */
	VEC(uint32_t) function_frames;
	VEC(struct speedscope_profile *) profiles;
	MAP(struct key, struct speedscope_profile *) irqs; /* for each CPU of each buffer of each file: the first profile of interrupts */
	uint32_t irq_frame;				   /* 1 + the index of the frame that stands for pauses in interrupts; 0: not needed yet */
	uint32_t off_frame;				   /* 1 + the index of the frame that stands for pauses off the CPU; 0: not needed yet */
	uint64_t first;					   /* the earliest time of all calls */
	bool any;					   /* .first is set */
};

/* Returns the profile of a task, or NULL when memory runs out. If the task has no profile yet, the function makes one. */
struct speedscope_profile *speedscope_profile(struct timeline *t, struct call_task *task);

/*
 * Returns 1 + the index of the frame with the name @name, which has @n bytes. Returns 0 when memory runs out. @module is the module that has the function,
 * and @more is a text that is shown in parentheses behind the name. @module and @more may be NULL.
 */
uint32_t speedscope_frame(struct timeline *t, const char *name, size_t n, const char *module, const char *more);

/*
 * speedscope_event() takes in an event that may have stacks. speedscope_stack() takes in one of these stacks. speedscope_lost() must be called when events were
 * lost on the CPU of @there. A stack that comes after the loss and before the next event of the same context may belong to a lost event, so speedscope_stack()
 * ignores such a stack. All three return 0 or -errno.
 */
int speedscope_event(struct timeline *t, struct call_task *task, const struct event *event, const struct record *rec);
int speedscope_stack(struct timeline *t, const struct event *event, const struct record *rec);
int speedscope_lost(struct timeline *t, const struct record *there, uint64_t ns);

/* Writes the document. Returns 0 or -errno. */
int speedscope_write(struct timeline *t);

#endif
