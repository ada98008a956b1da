/* SPDX-License-Identifier: GPL-2.0 */
/* What tree.c gathers of each task and tree-text.c draws. Inside lib/output only. */
#ifndef RINGSIDE_TREE_ITEMS_H
#define RINGSIDE_TREE_ITEMS_H

#include "lib/analysis/reading.h"
#include "lib/output/tree.h"

enum item_kind {
	ITEM_NONE,		/* dropped: a call of which nothing is known */
	ITEM_OPEN,		/* name() { */
	ITEM_LEAF,		/* name(); */
	ITEM_CLOSE,		/* } */
	ITEM_COMMENT,		/* another event, or a loss */
	ITEM_IRQ_IN, ITEM_IRQ_OUT,
};

/* A line of a task's picture. */
struct item {
	uint64_t ts;
	uint64_t func;
	uint64_t duration;	/* CALL_UNKNOWN: none */
	uint32_t text;		/* offset in the task's texts: the comment, or what stands behind the call; 0: nothing */
	uint16_t depth;
	uint16_t cpu;
	uint8_t kind;		/* enum item_kind */
	uint8_t cut;		/* enum call_cut */
	uint8_t source;		/* what .func is: call_name() */
	bool named;		/* a closing brace with its name */
};

/* An open call. */
struct tree_call {
	size_t item;		/* index of the item that opened it */
	bool in_interrupt, marked;
};

struct tree_task {
	VEC(struct item) items;
	struct str texts;	/* NUL-terminated ones */
	size_t kept;		/* so many items have to stay: behind the last loss */
};

struct tree {
	struct handler handler;
	struct tree_options opt;
	struct reading *reading;
	uint64_t (*irqs)[2];	/* of each input: where functions that interrupts enter begin and end */
	struct calls_user user;	/* of struct tree_call and struct tree_task */
	struct str out;		/* drawn, and not written yet */
	bool headed;		/* the header is drawn */
	const struct call_task *last;	/* drawn before; NULL: none */
};

static inline struct tree_task *tree_task_of(const struct tree *tree, struct call_task *task)
{
	return call_task_of(&tree->user, task);
}

/* Draws what has come together of all tasks, or of one, to reading->out. 0, -EPIPE, or -errno after a message. */
int tree_draw(struct tree *tree);
int tree_draw_task(struct tree *tree, struct call_task *task);

/* Writes what is drawn. */
int tree_flush(struct tree *tree);

#endif
