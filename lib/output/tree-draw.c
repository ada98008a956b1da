/* SPDX-License-Identifier: GPL-2.0 */
/* Draws the items of tasks, one task after the other. At the end of a recording, the threads of the pool draw parts of a task at the same time. */
#include "lib/analysis/texts.h"
#include "lib/output/tree-items.h"

#define RULE " ------------------------------------------\n"

/* At most this many items are drawn by one job. */
enum { PART = 4096 };

/* After so many bytes, live output is written. */
enum { PIECE = 1 << 18 };

static void add_header(struct tree *tree)
{
	const bool times = tree->reading->exact;

	if (tree->headed)
		return;
	tree->headed = true;
	str_add(&tree->out, "# tracer: function_graph\n#\n");
	str_addf(&tree->out, "#%s CPU  TASK/PID         DURATION                  FUNCTION CALLS\n", times ? "     TIME       " : "");
	str_addf(&tree->out, "#%s |     |    |           |   |                     |   |   |   |\n", times ? "      |         " : "");
}

int tree_flush(struct tree *tree)
{
	int err = tree->out.len ? reading_write_shown(tree->reading, &tree->out) : str_ok(&tree->out);

	str_clear(&tree->out);
	return err;
}

/* Says whose calls follow, where several tasks are drawn. The buffer is named if it is an instance's. */
static void add_title(const struct call_task *task, bool first, struct str *out)
{
	const char *name = task->input->file->buffers.at[task->buffer].name;

	if (!first)
		str_addc(out, '\n');
	str_addf(out, RULE " %s%s%s-%d", name, name[0] ? ": " : "", comms_find(task->trace->comms, task->pid), task->pid);
	if (!task->pid)
		str_addf(out, " of CPU %u", task->idle_cpu);
	str_add(out, "\n" RULE "\n");
}

static bool are_drawn(const struct item *items, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (items[i].kind != ITEM_NONE)
			return true;
	return false;
}

/* --- live -------------------------------------------------------------------------------------------------------- */

int tree_draw_task(struct tree *tree, struct call_task *task)
{
	const struct tree_task *mine = tree_task_of(tree, task);
	int err = tree->drawing ? 0 : tree_drawing_new(&tree->drawing, tree, &tree->out);

	if (err)
		return err;
	add_header(tree);
	if (!are_drawn(mine->items.at, mine->items.n))
		return 0;
	/* A title stands in front of the task if another task was drawn before. */
	if (tree->last && tree->last != task)
		add_title(task, false, &tree->out);
	tree->last = task;
	tree_drawing_task(tree->drawing, task);
	for (size_t i = 0, n; !err && i < mine->items.n; i += n) {
		n = MIN(mine->items.n - i, (size_t)PART);
		tree_draw_items(tree->drawing, mine->items.at + i, n, mine->texts.at);
		err = tree->out.len > PIECE ? tree_flush(tree) : 0;
	}
	return err ? err : str_ok(&tree->out);
}

/* --- at the end ----------------------------------------------------------------------------------------------------- */

/* What was read of a block besides its items. Several jobs use it. Only the caller's thread changes .users. */
struct rest {
	struct tree_rest rest;
	size_t users;
};

/* A part of a task's items, which a job draws. */
struct part_slot {
	struct texts_slot slot; /* first */
	const struct tree *tree;
	struct tree_drawing *drawing;
	const struct call_task *task; /* the task for which .drawing is prepared */
	struct item *room;	      /* room for PART items */
	const struct item *items;     /* the items; NULL: the job reads them from .block, from the item .first on */
	const struct tree_block *block;
	size_t first, n;
	struct rest *rest; /* NULL: the items are not from a block */
	const char *texts;
	int err; /* why the job has failed */
};

struct painting {
	struct tree *tree;
	struct texts texts; /* of struct part_slot */
	bool titled;	    /* tasks have titles */
	bool begun;	    /* something of the current task is drawn */
};

static void put_rest(struct rest *rest)
{
	if (!rest || --rest->users)
		return;
	tree_free_rest(&rest->rest);
	free(rest);
}

static int read_items(struct part_slot *slot)
{
	if (slot->items)
		return 0;
	slot->items = slot->room;
	return tree_read(slot->tree, slot->block, &slot->rest->rest, slot->first, slot->room, slot->n);
}

static void run_part(struct job *job)
{
	struct part_slot *slot = container_of(job, struct part_slot, slot.job);

	slot->err = read_items(slot);
	if (!slot->err)
		tree_draw_items(slot->drawing, slot->items, slot->n, slot->texts);
}

static void fini_part(void *at)
{
	struct part_slot *slot = at;

	put_rest(slot->rest);
	free(slot->room);
	tree_drawing_free(slot->drawing);
}

/* Returns a free slot that is prepared for drawing items of @task, or NULL and sets *@err. */
static struct part_slot *next_part(struct painting *p, const struct call_task *task, int *err)
{
	struct part_slot *slot = texts_next(&p->texts, err);

	if (slot)
		*err = slot->err;
	if (*err)
		return NULL;
	put_rest(take(slot->rest));
	slot->tree = p->tree;
	if (!slot->room)
		slot->room = calloc(PART, sizeof(*slot->room));
	if (!slot->room || (!slot->drawing && tree_drawing_new(&slot->drawing, p->tree, &slot->slot.out))) {
		*err = -ENOMEM;
		return NULL;
	}
	if (slot->task != task)
		tree_drawing_task(slot->drawing, task);
	slot->task = task;
	return slot;
}

/* Begins to draw @n items, either of @block from the item @first on, or those at @items. */
static int draw_part(struct painting *p, struct call_task *task, const struct tree_block *block, struct rest *rest, size_t first, const struct item *items,
		     size_t n)
{
	int err;
	struct part_slot *slot = next_part(p, task, &err);

	if (err)
		return err;
	slot->block = block;
	slot->rest = rest;
	if (rest)
		rest->users++;
	slot->texts = rest ? rest->rest.texts : tree_task_of(p->tree, task)->texts.at;
	slot->first = first;
	slot->items = items;
	slot->n = n;
	if (!p->begun) {
		err = read_items(slot);
		if (err || !are_drawn(slot->items, n))
			return err;
		if (p->titled)
			add_title(task, !p->tree->last, &slot->slot.out);
		p->tree->last = task;
		p->begun = true;
	}
	texts_start(&p->texts, &slot->slot, NULL);
	return 0;
}

static int draw_block(struct painting *p, struct call_task *task, const struct tree_block *block)
{
	struct rest *rest = calloc(1, sizeof(*rest));
	int err;

	if (!rest)
		return -ENOMEM;
	rest->users = 1;
	err = tree_read_rest(p->tree, block, &rest->rest);
	for (size_t i = 0, n; !err && i < block->n; i += n) {
		n = MIN(block->n - i, (size_t)PART);
		err = draw_part(p, task, block, rest, i, NULL, n);
	}
	put_rest(rest);
	return err;
}

static int draw_task(struct painting *p, struct call_task *task)
{
	const struct tree_task *mine = tree_task_of(p->tree, task);
	int err = 0;

	p->begun = false;
	vec_each (&mine->blocks, block)
		err = err ? err : draw_block(p, task, block);
	for (size_t i = 0, n; !err && i < mine->items.n; i += n) {
		n = MIN(mine->items.n - i, (size_t)PART);
		err = draw_part(p, task, NULL, NULL, 0, mine->items.at + i, n);
	}
	return err;
}

static int draw_tasks(struct tree *tree)
{
	const size_t ntasks = calls_ntasks(tree->reading->calls);
	struct painting p = { .tree = tree, .titled = ntasks > 1 };
	int err = texts_init(&p.texts, tree->reading->pool, tree->reading->out, sizeof(struct part_slot), 0, run_part);

	if (tree->reading->out_name)
		p.texts.what = tree->reading->out_name;
	for (size_t i = 0; !err && i < ntasks; i++)
		err = draw_task(&p, calls_task(tree->reading->calls, i));
	err = err ? err : texts_flush(&p.texts);
	for (size_t i = 0; !err && p.texts.slots && i < p.texts.n; i++)
		err = ((struct part_slot *)texts_slot(&p.texts, i))->err;
	texts_fini(&p.texts, fini_part);
	return err;
}

int tree_draw(struct tree *tree)
{
	/* What is left in memory is written away, too, to make room for drawing. */
	int err = tree->written ? tree_write_away(tree) : 0;

	add_header(tree);
	for (size_t i = 0; !err && tree->opt.live && i < calls_ntasks(tree->reading->calls); i++)
		err = tree_draw_task(tree, calls_task(tree->reading->calls, i));
	err = err ? err : tree_flush(tree);
	return err || tree->opt.live ? err : draw_tasks(tree);
}
