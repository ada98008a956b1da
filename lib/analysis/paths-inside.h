/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines what lib/analysis/paths.c, lib/analysis/paths-owners.c and lib/analysis/paths-rows.c share. Only these files use this header. In the graph of calls
 * (lib/analysis/callgraph.h), an owner is a node above the outermost functions. An owner stands for all calls, or for the calls of one task, one name of tasks
 * or one CPU (enum paths_by).
 */
#ifndef RINGSIDE_PATHS_INSIDE_H
#define RINGSIDE_PATHS_INSIDE_H

#include "lib/analysis/paths.h"

/* This is the data of paths.c about a task. lib/analysis/calls.h keeps it with the struct call_task of the task. */
struct paths_task {
	uint32_t owner;	     /* the index of the owner of the task's calls; 0: not known yet, or paths_options.by is PATHS_CPU */
	bool looked, wanted; /* .wanted: the task is selected; .looked: .wanted has been set */
};

/* This is the payload of each frame. */
struct paths_frame {
	uint32_t node; /* the node of the call; 0: the call is not wanted, or it is in a flat tree and its function is not known yet */
	/*
	 * After a gap, another call may have taken the place of this call on the stack. As long as it is not known which call is there now, .inside is a node
	 * without a name for that call. The exit of that call, or the next call at this place on the stack, tells which call it is. 0: there is no such node.
	 */
	uint32_t inside;
	uint32_t gaps;	 /* call_task.gaps when .inside was made */
	bool mixed;	 /* the task had further gaps after .inside was made */
	uint64_t nested; /* the sum of the totals of inner calls of the same row; these totals are parts of this call's total */
};

static inline struct timed_call *call_of(const struct paths *paths, struct call_frame *frame)
{
	return call_frame_of(paths->timed_user, frame);
}

static inline struct paths_frame *mine_of(const struct paths *paths, struct call_frame *frame)
{
	return call_frame_of(&paths->user, frame);
}

/* Returns the caller of @frame, or NULL if there is none. The outermost call of an interrupt has no caller: the interrupted call is in another tree. */
static inline struct call_frame *caller_in_tree(const struct paths *paths, const struct call_task *task, struct call_frame *frame)
{
	return call_of(paths, frame)->irq ? NULL : call_caller(task, frame);
}

/*
 * Looks at @caller, which may be NULL, and at the calls further out in the same tree. Returns the innermost of these calls that meets two conditions: the call
 * is not cut, and a table of functions counts it in the same row as the calls of @node. Returns NULL if there is no such call. The total of a cut call is not
 * known, so this total has no parts.
 */
struct call_frame *paths_outer(const struct paths *paths, const struct call_task *task, struct call_frame *caller, uint32_t node);

/* Notes that calls of @node took @ns, which are a part of the total of the call @outer. Returns 0 or -ENOMEM. */
int paths_nest(const struct paths *paths, struct call_frame *outer, uint32_t node, uint64_t ns);

/*
 * Gives a name to @node, which callgraph_unknown() has made. @node stands for the innermost call of @task, which is @frame. @name is the name of this call, or
 * CALLGRAPH_UNKNOWN_NAME. The calls that this call has made stand below @node. If callers decide about the rows of a table of functions
 * (paths_options.callees_of, .callers_of), it was not known until now in which rows the calls below @node are counted. So in this case, the function also calls
 * callgraph_nest(). If only the exit has told that the call ran in an interrupt, @node belongs below the owner of interrupts. But the caller may still turn out
 * to be a call of this interrupt. So while the caller's name is not known, @node stays where it is, and paths_place_callees() gives it its place later. For a
 * node that callgraph_child() has made, nothing is done. Returns the node that the call has now, or -ENOMEM.
 */
int64_t paths_name_node(struct paths *paths, const struct call_task *task, struct call_frame *frame, uint32_t node, uint32_t name);

/*
 * Must be called when @irq has turned out to be the context of the call of @node. If paths_name_node() has left callees below @node where they were, this
 * function gives these callees their places. Returns 0 or -ENOMEM.
 */
int paths_place_callees(struct paths *paths, uint32_t node, enum call_irq irq);

/* Returns the index of the owner of calls that began outside of interrupts, in @task on @cpu. Returns -ENOMEM if memory runs out. */
int64_t paths_task_owner(struct paths *paths, struct call_task *task, unsigned int cpu);

/* Returns the index of the owner of calls that began in an interrupt on @cpu. Returns -ENOMEM if memory runs out. */
int64_t paths_irq_owner(struct paths *paths, unsigned int cpu);

#endif
