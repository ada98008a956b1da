/* SPDX-License-Identifier: GPL-2.0 */
/* The columns are those of kernel/trace/trace_functions_graph.c. */
#include "lib/base/digits.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/visible.h"
#include "lib/event/graph.h"
#include "lib/event/text.h"
#include "lib/output/tree-items.h"

#include <stdio.h>

#define PROC_WIDTH 14
#define COMM_WIDTH 7
#define INDENT 2
#define RULE " ------------------------------------------\n"

/* This many functions that were drawn lately are found without a search. */
enum { RECENT = 2048 };

/* The name of a function. The text belongs to the trace and stays where it is. */
struct tree_name {
	uint64_t func;
	const char *name, *module; /* .name NULL: none yet */
	size_t len;
};

/* What stays the same while one task is drawn, and what is remembered from line to line. */
struct drawing {
	const struct tree *tree;
	const struct input *in;
	const struct call_task *task;
	const struct tree_task *mine;
	char *texts;	  /* the texts of the items that are being drawn */
	bool begun;	  /* a line of this task has been drawn */
	char proc[64];	  /* "    ls-156    " */
	char front[128];  /* " CPU) PROC | " for .front_cpu */
	size_t front_len; /* 0: not made yet */
	unsigned int front_cpu;
	unsigned int cpu_width;
	bool ns;
	bool plain;		 /* lines have neither times nor colours, and nothing in them must be made visible */
	struct tree_name *names; /* of functions that were drawn lately, by address */
	struct str *out;
	size_t body; /* where in *out the text from the trace begins, in the line that is being drawn */
};

/* Durations from here on are yellow or red, which are those that the kernel marks with '!' and '*'. */
#define NOTABLE_NS (100 * NSEC_PER_USEC)
#define LONG_NS (10 * NSEC_PER_MSEC)

/* Room for what graph_duration() writes, the end of the colour and the bar. */
enum { DURATION_ROOM = 64 };

/* At most this many items are read back from the temporary file at once. */
enum { PART = 4096 };

static void add_header(const struct tree *tree, struct str *out)
{
	str_add(out, "# tracer: function_graph\n#\n");
	str_addf(out, "#%s CPU  TASK/PID         DURATION                  FUNCTION CALLS\n", tree->reading->exact ? "     TIME       " : "");
	str_addf(out, "#%s |     |    |           |   |                     |   |   |   |\n", tree->reading->exact ? "      |         " : "");
}

/* Makes the TASK/PID column: at most 7 characters of the name and the process id, centred. */
static void make_proc(struct drawing *d)
{
	const char *comm = comms_find(d->task->trace->comms, d->task->pid);
	char name[32];
	char *at = put_bytes(name, comm, MIN(strlen(comm), (size_t)COMM_WIDTH));
	size_t len, spaces;

	*at++ = '-';
	at = put_s64(at, d->task->pid);
	len = (size_t)(at - name);
	spaces = len < PROC_WIDTH ? PROC_WIDTH - len : 0;
	at = put_fill(d->proc, ' ', spaces / 2);
	at = put_bytes(at, name, len);
	at = put_fill(at, ' ', spaces - spaces / 2);
	*at = '\0';
}

static void make_front(struct drawing *d, uint16_t cpu)
{
	d->front_len = (size_t)snprintf(d->front, sizeof(d->front), " %*u) %s | ", (int)d->cpu_width, cpu, d->proc);
	d->front_cpu = cpu;
}

static int make_names(struct drawing *d, struct tree *tree)
{
	if (!tree->names)
		tree->names = calloc(RECENT, sizeof(*tree->names));
	else if (tree->named != d->task->trace)
		memset(tree->names, 0, RECENT * sizeof(*tree->names));
	tree->named = d->task->trace;
	d->names = tree->names;
	return d->names ? 0 : -ENOMEM;
}

/* Adds the columns TIME, CPU and TASK/PID. */
static void add_front(struct drawing *d, const struct item *item)
{
	struct str *out = d->out;

	if (d->tree->reading->exact) {
		if (d->ns)
			str_addc(out, ' ');
		text_time(clock_time(&d->in->clock, item->cpu, item->ts), d->ns, false, out);
		str_addn(out, " |  ", 4);
	}
	if (unlikely(!d->front_len || d->front_cpu != item->cpu))
		make_front(d, item->cpu);
	str_addn(out, d->front, d->front_len);
}

/* Adds the front, the DURATION and the indentation of @item. What follows them differs from kind to kind. */
static void add_head(struct drawing *d, const struct item *item, uint64_t duration)
{
	const size_t indent = (size_t)item->depth * INDENT;
	const char *on = "", *off = "";
	struct str *out = d->out;
	char *at;

	add_front(d, item);
	if (d->tree->reading->colour && duration != CALL_UNKNOWN)
		on = duration >= LONG_NS ? "\033[31m" : duration >= NOTABLE_NS ? "\033[33m" : "";
	if (*on)
		off = "\033[m";
	str_add(out, on);
	if (!str_room(out, DURATION_ROOM + indent))
		return;
	at = graph_duration(out->at + out->len, duration, GRAPH_KERNEL_WIDTH);
	at = put_bytes(at, off, strlen(off));
	at = put_bytes(at, "|  ", 3);
	d->body = (size_t)(at - out->at);
	at = put_fill(at, ' ', indent);
	*at = '\0';
	out->len = (size_t)(at - out->at);
}

static const struct tree_name *name_of(const struct drawing *d, const struct item *item, char buf[CALL_NAME], struct tree_name *other)
{
	struct tree_name *known = &d->names[(item->func >> 4 ^ item->func >> 16) % RECENT];

	if (likely(known->name && known->func == item->func && item->source == CALL_SOURCE_GRAPH))
		return known;
	other->func = item->func;
	other->name = call_name(d->task->trace, item->source, item->func, buf, &other->module);
	other->len = strlen(other->name);
	if (item->source != CALL_SOURCE_GRAPH || other->name == buf)
		return other;
	*known = *other;
	return known;
}

static void add_name(const struct drawing *d, const struct item *item)
{
	struct tree_name other;
	char buf[CALL_NAME];
	const struct tree_name *name = name_of(d, item, buf, &other);

	str_addn(d->out, name->name, name->len);
	if (name->module)
		str_addf(d->out, " [%s]", name->module);
}

static void add_remark(const struct drawing *d, const struct item *item)
{
	if (item->text)
		str_add(d->out, d->texts + item->text);
}

/* Says why a call has no entry. It is said to be older than the recording only where the recording itself begins, and not where --since cuts it. */
static void add_entry_remark(struct drawing *d, unsigned int cut)
{
	const char *since = d->tree->reading->since;

	if (!(cut & CALL_NO_ENTRY))
		return;
	if (cut & CALL_LOSS)
		str_add(d->out, " /* its entry was lost */");
	else if (!(cut & CALL_EDGE))
		str_add(d->out, " /* its entry is not recorded */");
	else if (since)
		str_addf(d->out, " /* entered before %s */", since);
	else
		str_add(d->out, " /* entered before the recording began */");
}

static void add_exit_remark(struct drawing *d, unsigned int cut)
{
	const char *until = d->tree->reading->until;

	if (!(cut & CALL_NO_EXIT))
		return;
	if (cut & CALL_LOSS)
		str_add(d->out, ": its return was lost");
	else if (!(cut & CALL_EDGE))
		str_add(d->out, ": its return is not recorded");
	else if (until)
		str_addf(d->out, ": had not returned at %s", until);
	else
		str_add(d->out, ": had not returned when the recording ended");
}

static void draw_open(struct drawing *d, const struct item *item)
{
	add_head(d, item, CALL_UNKNOWN);
	add_name(d, item);
	str_addn(d->out, "() {", 4);
	add_remark(d, item);
	add_entry_remark(d, item->cut);
}

static void draw_leaf(struct drawing *d, const struct item *item)
{
	add_head(d, item, item->duration);
	add_name(d, item);
	str_addn(d->out, "();", 3);
	add_remark(d, item);
}

static void draw_close(struct drawing *d, const struct item *item)
{
	add_head(d, item, item->duration);
	str_addc(d->out, '}');
	add_remark(d, item);
	if (!item->named)
		return;
	str_addn(d->out, " /* ", 4);
	add_name(d, item);
	add_exit_remark(d, item->cut);
	str_addn(d->out, " */", 3);
}

static void draw_comment(struct drawing *d, const struct item *item)
{
	add_head(d, item, CALL_UNKNOWN);
	str_addf(d->out, "/* %s */", d->texts + item->text);
}

static void draw_irq_in(struct drawing *d, const struct item *item)
{
	add_front(d, item);
	str_add(d->out, "  ==========> |");
}

static void draw_irq_out(struct drawing *d, const struct item *item)
{
	add_front(d, item);
	str_add(d->out, "  <========== |");
}

static void (*const draw[])(struct drawing *d, const struct item *item) = {
	[ITEM_OPEN] = draw_open,       [ITEM_LEAF] = draw_leaf,	    [ITEM_CLOSE] = draw_close,
	[ITEM_COMMENT] = draw_comment, [ITEM_IRQ_IN] = draw_irq_in, [ITEM_IRQ_OUT] = draw_irq_out,
};

int tree_flush(struct tree *tree)
{
	int err = tree->out.len ? reading_write_shown(tree->reading, &tree->out) : str_ok(&tree->out);

	str_clear(&tree->out);
	return err;
}

static unsigned int cpu_width(const struct tree *tree)
{
	uint32_t most = 1;

	vec_each (&tree->reading->inputs, input)
		most = MAX(most, input->file->meta.ncpus);
	return count_digits(most - 1);
}

/* Says whose calls follow, where several tasks are drawn. The buffer is named if it is an instance's. */
static void add_title(const struct drawing *d, bool first)
{
	const char *name = d->in->file->buffers.at[d->task->buffer].name;

	if (!first)
		str_addc(d->out, '\n');
	str_addf(d->out, RULE " %s%s%s-%d", name, name[0] ? ": " : "", comms_find(d->task->trace->comms, d->task->pid), d->task->pid);
	if (!d->task->pid)
		str_addf(d->out, " of CPU %u", d->task->idle_cpu);
	str_add(d->out, "\n" RULE "\n");
}

/* Does a title stand in front of the task? It does if there are several tasks. With live output, it does if another task was drawn before. */
static bool is_titled(const struct tree *tree, const struct call_task *task)
{
	if (tree->opt.live)
		return tree->last && tree->last != task;
	return calls_ntasks(tree->reading->calls) > 1;
}

/* Draws an item of the most common kind, a call about which nothing more is to be said, in one go. Returns false if the item is of another kind. */
static inline bool draw_plain(struct drawing *d, const struct item *item)
{
	static const char *const ends[] = { [ITEM_OPEN] = "() {\n", [ITEM_LEAF] = "();\n", [ITEM_CLOSE] = "}\n" };
	const size_t indent = (size_t)item->depth * INDENT, end = item->kind == ITEM_OPEN ? 5 : item->kind == ITEM_LEAF ? 4 : 2;
	const bool closes = item->kind == ITEM_CLOSE;
	const struct tree_name *name = NULL;
	struct str *out = d->out;
	struct tree_name other;
	char buf[CALL_NAME], *at;

	if (!d->plain || item->text | item->cut | item->named || item->kind > ITEM_CLOSE || item->source != CALL_SOURCE_GRAPH)
		return false;
	if (!closes) {
		name = name_of(d, item, buf, &other);
		if (name->module)
			return false;
	}
	if (unlikely(!d->front_len || d->front_cpu != item->cpu))
		make_front(d, item->cpu);
	if (!str_room(out, d->front_len + DURATION_ROOM + SHORT_ROOM + indent + (closes ? 0 : name->len) + end))
		return false;
	at = put_short(out->at + out->len, d->front, d->front_len);
	at = graph_duration(at, item->kind == ITEM_OPEN ? CALL_UNKNOWN : item->duration, GRAPH_KERNEL_WIDTH);
	at = put_bytes(at, "|  ", 3);
	at = put_blanks(at, indent);
	if (!closes)
		at = put_bytes(at, name->name, name->len);
	at = put_bytes(at, ends[item->kind], end);
	*at = '\0';
	out->len = (size_t)(at - out->at);
	return true;
}

static void draw_item(struct drawing *d, struct tree *tree, const struct item *item)
{
	if (!d->begun && is_titled(tree, d->task))
		add_title(d, !tree->last);
	d->begun = true;
	tree->last = d->task;
	d->body = d->out->len;
	draw[item->kind](d, item);
	if (tree->reading->trace.visible)
		visible_str(d->out, d->body, false);
	str_addc(d->out, '\n');
}

static int draw_items(struct drawing *d, struct tree *tree, const struct item *items, size_t n)
{
	int err = 0;

	for (const struct item *item = items; !err && item < items + n; item++) {
		if (item->kind == ITEM_NONE)
			continue;
		if (!d->begun || !draw_plain(d, item))
			draw_item(d, tree, item);
		if (d->out->len > 1 << 18)
			err = tree_flush(tree);
	}
	return err;
}

/* Draws the items of a block that has been written to the temporary file, a part at a time. */
static int draw_block(struct drawing *d, struct tree *tree, const struct tree_block *block)
{
	const size_t most = MIN(block->n, (size_t)PART);
	__cleanup(free_ptr) struct item *part = calloc(most, sizeof(*part));
	struct tree_rest rest = { 0 };
	int err = part ? tree_read_rest(tree, block, &rest) : -ENOMEM;

	d->texts = rest.texts;
	for (size_t i = 0, n; !err && i < block->n; i += n) {
		n = MIN(block->n - i, most);
		err = tree_read(tree, block, &rest, i, part, n);
		err = err ? err : draw_items(d, tree, part, n);
	}
	d->texts = NULL;
	tree_free_rest(&rest);
	return err;
}

int tree_draw_task(struct tree *tree, struct call_task *task)
{
	struct tree_task *mine = tree_task_of(tree, task);
	struct drawing d = { .tree = tree,
			     .task = task,
			     .mine = mine,
			     .in = task->input,
			     .out = &tree->out,
			     .cpu_width = cpu_width(tree),
			     .ns = task->in_ns,
			     .plain = !(tree->reading->exact | tree->reading->colour | tree->reading->trace.visible) };
	int err = make_names(&d, tree);

	if (!tree->headed)
		add_header(tree, &tree->out);
	tree->headed = true;
	make_proc(&d);
	vec_each (&mine->blocks, block)
		err = err ? err : draw_block(&d, tree, block);
	d.texts = mine->texts.at;
	err = err ? err : draw_items(&d, tree, mine->items.at, mine->items.n);
	return err ? err : str_ok(&tree->out);
}

int tree_draw(struct tree *tree)
{
	size_t ntasks = calls_ntasks(tree->reading->calls);
	/* What is left in memory is written away, too, to make room for drawing. */
	int err = tree->written ? tree_write_away(tree) : 0;

	if (!ntasks && !tree->headed)
		add_header(tree, &tree->out);
	for (size_t i = 0; !err && i < ntasks; i++)
		err = tree_draw_task(tree, calls_task(tree->reading->calls, i));
	return err ? err : tree_flush(tree);
}
