/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines the items of a function graph. An item is a line of the graph. tree.c gathers the items of each task, tree-kept.c keeps them, tree-draw.c draws the
 * tasks in order, and tree-text.c makes the lines. Only lib/output uses this.
 */
#ifndef RINGSIDE_TREE_ITEMS_H
#define RINGSIDE_TREE_ITEMS_H

#include "lib/analysis/reading.h"
#include "lib/output/tree.h"

enum item_kind {
	ITEM_NONE,    /* a call of which nothing is known, so it is not drawn */
	ITEM_OPEN,    /* "name() {" */
	ITEM_LEAF,    /* "name();" */
	ITEM_CLOSE,   /* "}" */
	ITEM_COMMENT, /* a comment, which shows lost events or an event that is no function call */
	ITEM_IRQ_IN,  /* "==========> |": an interrupt begins */
	ITEM_IRQ_OUT, /* "<========== |": an interrupt ends */
};

/* This is an item of a task. */
struct item {
	uint64_t ts;
	uint64_t func;
	uint64_t duration; /* in ns; CALL_UNKNOWN: the duration is not known, or the item has none */
	uint32_t text;	   /* the offset of the item's text in .texts of the task; 0: there is no text. The text is a comment, or stands behind the call. */
	uint16_t depth;
	uint16_t cpu;
	uint8_t kind;	/* enum item_kind */
	uint8_t cut;	/* enum call_cut */
	uint8_t source; /* call_frame.source, which tells what kind of number .func is (lib/analysis/calls.h) */
	bool named;	/* for ITEM_CLOSE: the name of the function stands behind the brace */
};

/* This is an open call. */
struct tree_call {
	size_t item;	   /* the index of the item that opened the call */
	bool in_interrupt; /* the call is in an interrupt */
	bool marked;	   /* an ITEM_IRQ_IN stands in front of its item */
};

/*
 * A block is a sequence of items that are no longer in memory but in a file. The descriptor of the file is .fd of struct tree. In the file, a block has three
 * parts. The first part is all of its items in a short form. The second part is complete copies of the items that do not fit into the short form. The third
 * part is the texts of the items.
 */
struct tree_block {
	uint64_t at;  /* the offset of the block in the file */
	size_t first; /* the index of its first item among the task's items */
	/* How many items the block still has. It is less than .room after tree_cut() has removed items of the block or taken them back into memory. */
	size_t n;
	size_t room;  /* how many items were written */
	size_t whole; /* how many complete copies of items were written */
	size_t texts; /* how many bytes of texts were written */
};

/* These parts of a block are in memory while its items are read one after the other. */
struct tree_rest {
	struct item *whole; /* the complete copies of the items that do not fit into the short form */
	char *texts;	    /* the texts of the items */
};

/*
 * These are the items of a task. They are counted from 0. The items that have been written away to the file come first. The items in memory follow. The last
 * item is always in memory.
 */
struct tree_task {
	size_t away;		       /* how many items have been written away */
	VEC(struct tree_block) blocks; /* the blocks of the items that have been written away, in order */
	VEC(struct item) items;
	struct str texts; /* each ends with a NUL */
	size_t kept;	  /* tree_cut() must not remove the first .kept items: these are the items up to the last lost events */
};

struct tree {
	struct handler handler;
	struct tree_options opt;
	struct reading *reading;
	uint64_t (*irqs)[2];	      /* element i is for the input i: where the kernel's interrupt entry code begins, and where it ends */
	struct calls_user user;	      /* its payloads (lib/analysis/calls.h) are struct tree_call and struct tree_task */
	struct str out;		      /* the lines that are drawn and not written yet; without live output, only the header */
	struct tree_drawing *drawing; /* used for live output; NULL: none yet */
	int fd;			      /* the file of the items that were written away; -1: there is none yet */
	uint64_t written;	      /* bytes in that file */
	size_t bytes;		      /* about how many bytes of memory items and texts take */
	size_t much;		      /* the limit of .bytes at which items and texts are written away; 0: the limit that tree-kept.c has */
	bool headed;		      /* the header has been drawn */
	const struct call_task *last; /* the task of the line that was drawn last; NULL: none */
};

static inline struct tree_task *tree_task_of(const struct tree *tree, struct call_task *task)
{
	return call_task_of(&tree->user, task);
}

static inline size_t tree_count(const struct tree_task *mine)
{
	return mine->away + mine->items.n;
}

/* Appends an item. Its text must be in mine->texts already. Adds the memory of the item and of its text to tree->bytes. Returns 0 or -ENOMEM. */
int tree_add(struct tree *tree, struct tree_task *mine, const struct item *item);

/*
 * Appends an item without a text. The caller fills in the item. This is faster than tree_add(). Returns NULL when memory runs out.
 */
struct item *tree_new(struct tree *tree, struct tree_task *mine);

/*
 * If the items of all tasks take much memory, tree_keep() moves them from memory to the file. tree_write_away() moves them in any case. Both leave the
 * last two items of each task in memory. Pointers to items are not valid afterwards. Both return 0, -ENOMEM, or another -errno after a message.
 */
int tree_keep(struct tree *tree);
int tree_write_away(struct tree *tree);

/* Removes all but the first @n items. Returns 0, -ENOMEM, or another -errno after a message. */
int tree_cut(struct tree *tree, struct tree_task *mine, size_t n);

/*
 * Sets the function of the @i-th item to @func. The item must be in the file, and must open a call whose function was not known before. If @func is 0, the
 * function will never be known, and the item becomes an ITEM_NONE. Returns 0, or -errno after a message.
 */
int tree_rename(struct tree *tree, struct tree_task *mine, size_t i, uint64_t func);

/*
 * tree_read() reads @n items of a block from the file, from the block's @i-th item on. @rest is what tree_read_rest() has read for this block. If @rest
 * is NULL, tree_read() takes the complete copies of items from the file, one at a time. tree_read_rest() reads the complete copies and the texts of the
 * block. tree_free_rest() frees them, and must also be called after an error. tree_read() returns 0, or -errno after a message. tree_read_rest() returns
 * 0, -ENOMEM, or another -errno after a message.
 */
int tree_read(const struct tree *tree, const struct tree_block *block, const struct tree_rest *rest, size_t i, struct item *items, size_t n);
int tree_read_rest(const struct tree *tree, const struct tree_block *block, struct tree_rest *rest);
void tree_free_rest(struct tree_rest *rest);

/*
 * tree_draw() draws the gathered items of all tasks, and writes them to reading->out. With live output, these are the items that were not drawn yet.
 * tree_draw_task() is for live output: it draws the items of one task to tree->out. Whenever tree->out has become long, it is written to reading->out.
 * tree_flush() writes the rest. All three return 0, -EPIPE, -ENOMEM, or another -errno after a message.
 */
int tree_draw(struct tree *tree);
int tree_draw_task(struct tree *tree, struct call_task *task);
int tree_flush(struct tree *tree);

/*
 * A struct tree_drawing makes the lines of items. Several threads may draw at the same time, each with a struct tree_drawing of its own.
 * - tree_drawing_new() makes a struct tree_drawing that appends lines to *@text. Returns 0 or -ENOMEM. The caller calls tree_drawing_free() in either case.
 * - tree_drawing_task() is called before the items of another task are drawn, and when the task's name has changed.
 * - tree_draw_items() draws @n items. @texts has their texts. If memory runs out, text->oom is set.
 */
struct tree_drawing;
int tree_drawing_new(struct tree_drawing **out, const struct tree *tree, struct str *text);
void tree_drawing_task(struct tree_drawing *d, const struct call_task *task);
void tree_draw_items(struct tree_drawing *d, const struct item *items, size_t n, const char *texts);
void tree_drawing_free(struct tree_drawing *d);

#endif
