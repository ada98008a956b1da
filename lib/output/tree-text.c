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

/* This many functions that were drawn lately are found without a search. */
enum { RECENT = 2048 };

/* The name of a function. The text belongs to the trace and stays where it is. */
struct tree_name {
	uint64_t func;
	const char *name, *module; /* .name NULL: none yet */
	size_t len;
};

struct tree_drawing {
	const struct tree *tree;
	const struct call_task *task; /* the task whose items are being drawn; NULL: none yet */
	const char *texts;	      /* the texts of the items that are being drawn */
	char proc[64];		      /* "    ls-156    " */
	char front[128];	      /* " CPU) PROC | " for .front_cpu */
	size_t front_len;	      /* 0: not made yet */
	unsigned int front_cpu;
	unsigned int cpu_width;
	bool ns;
	bool plain;		   /* lines have neither times nor colours, and nothing in them must be made visible */
	const struct trace *named; /* the trace of .names */
	struct tree_name *names;   /* of functions that were drawn lately, by address */
	struct str *out;
	size_t body; /* where in *out the text from the trace begins, in the line that is being drawn */
};

/* Durations from here on are yellow or red, which are those that the kernel marks with '!' and '*'. */
#define NOTABLE_NS (100 * NSEC_PER_USEC)
#define LONG_NS (10 * NSEC_PER_MSEC)

/* Room for what graph_duration() writes, the end of the colour and the bar. */
enum { DURATION_ROOM = 64 };

/* Makes the TASK/PID column: at most 7 characters of the name and the process id, centred. */
static void make_proc(struct tree_drawing *d)
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

static void make_front(struct tree_drawing *d, uint16_t cpu)
{
	d->front_len = (size_t)snprintf(d->front, sizeof(d->front), " %*u) %s | ", (int)d->cpu_width, cpu, d->proc);
	d->front_cpu = cpu;
}

/* Adds the columns TIME, CPU and TASK/PID. */
static void add_front(struct tree_drawing *d, const struct item *item)
{
	struct str *out = d->out;

	if (d->tree->reading->exact) {
		if (d->ns)
			str_addc(out, ' ');
		text_time(clock_time(&d->task->input->clock, item->cpu, item->ts), d->ns, false, out);
		str_addn(out, " |  ", 4);
	}
	if (unlikely(!d->front_len || d->front_cpu != item->cpu))
		make_front(d, item->cpu);
	str_addn(out, d->front, d->front_len);
}

/* Adds the front, the DURATION and the indentation of @item. What follows them differs from kind to kind. */
static void add_head(struct tree_drawing *d, const struct item *item, uint64_t duration)
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

static const struct tree_name *name_of(const struct tree_drawing *d, const struct item *item, char buf[CALL_NAME], struct tree_name *other)
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

static void add_name(const struct tree_drawing *d, const struct item *item)
{
	struct tree_name other;
	char buf[CALL_NAME];
	const struct tree_name *name = name_of(d, item, buf, &other);

	str_addn(d->out, name->name, name->len);
	if (name->module)
		str_addf(d->out, " [%s]", name->module);
}

static void add_remark(const struct tree_drawing *d, const struct item *item)
{
	if (item->text)
		str_add(d->out, d->texts + item->text);
}

/* Says why a call has no entry. It is said to be older than the recording only where the recording itself begins, and not where --since cuts it. */
static void add_entry_remark(struct tree_drawing *d, unsigned int cut)
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

static void add_exit_remark(struct tree_drawing *d, unsigned int cut)
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

static void draw_open(struct tree_drawing *d, const struct item *item)
{
	add_head(d, item, CALL_UNKNOWN);
	add_name(d, item);
	str_addn(d->out, "() {", 4);
	add_remark(d, item);
	add_entry_remark(d, item->cut);
}

static void draw_leaf(struct tree_drawing *d, const struct item *item)
{
	add_head(d, item, item->duration);
	add_name(d, item);
	str_addn(d->out, "();", 3);
	add_remark(d, item);
}

static void draw_close(struct tree_drawing *d, const struct item *item)
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

static void draw_comment(struct tree_drawing *d, const struct item *item)
{
	add_head(d, item, CALL_UNKNOWN);
	str_addf(d->out, "/* %s */", d->texts + item->text);
}

static void draw_irq_in(struct tree_drawing *d, const struct item *item)
{
	add_front(d, item);
	str_add(d->out, "  ==========> |");
}

static void draw_irq_out(struct tree_drawing *d, const struct item *item)
{
	add_front(d, item);
	str_add(d->out, "  <========== |");
}

static void (*const draw[])(struct tree_drawing *d, const struct item *item) = {
	[ITEM_OPEN] = draw_open,       [ITEM_LEAF] = draw_leaf,	    [ITEM_CLOSE] = draw_close,
	[ITEM_COMMENT] = draw_comment, [ITEM_IRQ_IN] = draw_irq_in, [ITEM_IRQ_OUT] = draw_irq_out,
};

static unsigned int cpu_width(const struct tree *tree)
{
	uint32_t most = 1;

	vec_each (&tree->reading->inputs, input)
		most = MAX(most, input->file->meta.ncpus);
	return count_digits(most - 1);
}

/* Draws an item of the most common kind, a call about which nothing more is to be said, in one go. Returns false if the item is of another kind. */
static inline bool draw_plain(struct tree_drawing *d, const struct item *item)
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

static void draw_item(struct tree_drawing *d, const struct item *item)
{
	d->body = d->out->len;
	draw[item->kind](d, item);
	if (d->tree->reading->trace.visible)
		visible_str(d->out, d->body, false);
	str_addc(d->out, '\n');
}

void tree_draw_items(struct tree_drawing *d, const struct item *items, size_t n, const char *texts)
{
	d->texts = texts;
	for (const struct item *item = items; item < items + n; item++)
		if (item->kind != ITEM_NONE && !draw_plain(d, item))
			draw_item(d, item);
}

/* --- its life -------------------------------------------------------------------------------------------------- */

int tree_drawing_new(struct tree_drawing **out, const struct tree *tree, struct str *text)
{
	struct tree_drawing *d = calloc(1, sizeof(*d));
	struct tree_name *names = calloc(RECENT, sizeof(*names));

	*out = d;
	if (!d || !names) {
		free(names);
		return -ENOMEM;
	}
	d->tree = tree;
	d->out = text;
	d->names = names;
	d->cpu_width = cpu_width(tree);
	d->plain = !(tree->reading->exact | tree->reading->colour | tree->reading->trace.visible);
	return 0;
}

void tree_drawing_task(struct tree_drawing *d, const struct call_task *task)
{
	d->task = task;
	d->ns = task->in_ns;
	d->front_len = 0;
	make_proc(d);
	if (d->named != task->trace)
		memset(d->names, 0, RECENT * sizeof(*d->names));
	d->named = task->trace;
}

void tree_drawing_free(struct tree_drawing *d)
{
	if (d)
		free(d->names);
	free(d);
}
