/* SPDX-License-Identifier: GPL-2.0 */
/* The columns are those of kernel/trace/trace_functions_graph.c. */
#include "lib/base/digits.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/visible.h"
#include "lib/event/graph.h"
#include "lib/event/text.h"
#include "lib/output/tree-items.h"

#define PROC_WIDTH 14
#define COMM_WIDTH 7
#define INDENT 2
#define RULE " ------------------------------------------\n"

/* What does not change while one task is drawn. */
struct drawing {
	const struct tree *tree;
	const struct input *in;
	const struct call_task *task;
	const struct tree_task *mine;
	char proc[64];		/* "    ls-156    " */
	unsigned int cpu_width;
	bool ns;
	struct str *out;
	size_t body;		/* where what comes from the trace begins in *out, of the line that is drawn */
};

/* Durations from here on are yellow, and red: where the kernel marks them by ! and by *. */
#define NOTABLE_NS (100 * NSEC_PER_USEC)
#define LONG_NS (10 * NSEC_PER_MSEC)

static void add_header(const struct tree *tree, struct str *out)
{
	str_add(out, "# tracer: function_graph\n#\n");
	str_addf(out, "#%s CPU  TASK/PID         DURATION                  FUNCTION CALLS\n",
		 tree->reading->exact ? "     TIME       " : "");
	str_addf(out, "#%s |     |    |           |   |                     |   |   |   |\n",
		 tree->reading->exact ? "      |         " : "");
}

/* The short name in the middle of its column. */
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

/* TIME, CPU and TASK/PID. */
static void add_front(struct drawing *d, const struct item *item)
{
	struct str *out = d->out;

	if (d->tree->reading->exact) {
		if (d->ns)
			str_addc(out, ' ');
		text_time(clock_time(&d->in->clock, item->cpu, item->ts), d->ns, false, out);
		str_add(out, " |  ");
	}
	str_addf(out, " %*u) %s | ", (int)d->cpu_width, item->cpu, d->proc);
}

static void add_duration(struct drawing *d, uint64_t duration)
{
	char buf[48];
	char *at = graph_duration(buf, duration, GRAPH_KERNEL_WIDTH);
	const char *on = "";

	if (d->tree->reading->colour && duration != CALL_UNKNOWN)
		on = duration >= LONG_NS ? "\033[31m" : duration >= NOTABLE_NS ? "\033[33m" : "";
	str_add(d->out, on);
	str_addn(d->out, buf, (size_t)(at - buf));
	if (*on)
		str_add(d->out, "\033[m");
	str_add(d->out, "|  ");
	d->body = d->out->len;
}

static void add_indent(struct drawing *d, const struct item *item)
{
	str_addf(d->out, "%*s", item->depth * INDENT, "");
}

static void add_name(const struct drawing *d, const struct item *item)
{
	const char *module, *name;
	char buf[CALL_NAME];

	name = call_name(d->task->trace, item->source, item->func, buf, &module);
	str_add(d->out, name);
	if (module)
		str_addf(d->out, " [%s]", module);
}

/* What is behind an edge is known of the recording only where that is not cut by --since or --until. */
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
	add_front(d, item);
	add_duration(d, CALL_UNKNOWN);
	add_indent(d, item);
	add_name(d, item);
	str_add(d->out, "() {");
	str_add(d->out, d->mine->texts.at + item->text);
	add_entry_remark(d, item->cut);
}

static void draw_leaf(struct drawing *d, const struct item *item)
{
	add_front(d, item);
	add_duration(d, item->duration);
	add_indent(d, item);
	add_name(d, item);
	str_add(d->out, "();");
	str_add(d->out, d->mine->texts.at + item->text);
}

static void draw_close(struct drawing *d, const struct item *item)
{
	add_front(d, item);
	add_duration(d, item->duration);
	add_indent(d, item);
	str_addc(d->out, '}');
	str_add(d->out, d->mine->texts.at + item->text);
	if (!item->named)
		return;
	str_add(d->out, " /* ");
	add_name(d, item);
	add_exit_remark(d, item->cut);
	str_add(d->out, " */");
}

static void draw_comment(struct drawing *d, const struct item *item)
{
	add_front(d, item);
	add_duration(d, CALL_UNKNOWN);
	add_indent(d, item);
	str_addf(d->out, "/* %s */", d->mine->texts.at + item->text);
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
	[ITEM_OPEN] = draw_open,	 [ITEM_LEAF] = draw_leaf,	  [ITEM_CLOSE] = draw_close,
	[ITEM_COMMENT] = draw_comment, [ITEM_IRQ_IN] = draw_irq_in, [ITEM_IRQ_OUT] = draw_irq_out,
};

int tree_flush(struct tree *tree)
{
	int err = tree->out.len ? reading_write_shown(tree->reading, &tree->out) : str_ok(&tree->out);

	str_clear(&tree->out);
	return err;
}

static int draw_items(struct drawing *d, struct tree *tree)
{
	int err = 0;

	make_proc(d);
	vec_each (&d->mine->items, item) {
		if (item->kind == ITEM_NONE)
			continue;
		d->body = d->out->len;
		draw[item->kind](d, item);
		if (tree->reading->trace.visible)
			visible_str(d->out, d->body, false);
		str_addc(d->out, '\n');
		if (d->out->len > 1 << 18)
			err = tree_flush(tree);
		if (err)
			return err;
	}
	return 0;
}

static unsigned int cpu_width(const struct tree *tree)
{
	uint32_t most = 1;

	vec_each (&tree->reading->inputs, input)
		most = MAX(most, input->file->meta.ncpus);
	return count_digits(most - 1);
}

/* Whose picture follows, when there is more than one: the buffer too, when it is an instance's. */
static void add_title(const struct drawing *d, bool first)
{
	const char *name = d->in->file->buffers.at[d->task->buffer].name;

	if (!first)
		str_addc(d->out, '\n');
	str_addf(d->out, RULE " %s%s%s-%d", name, name[0] ? ": " : "",
		 comms_find(d->task->trace->comms, d->task->pid), d->task->pid);
	if (!d->task->pid)
		str_addf(d->out, " of CPU %u", d->task->idle_cpu);
	str_add(d->out, "\n" RULE "\n");
}

static bool is_empty(const struct tree_task *mine)
{
	vec_each (&mine->items, item)
		if (item->kind != ITEM_NONE)
			return false;
	return true;
}

/* A title stands in front of each task when there are several; live, where one task follows another. */
static bool is_titled(const struct tree *tree, const struct call_task *task)
{
	if (tree->opt.live)
		return tree->last && tree->last != task;
	return calls_ntasks(tree->reading->calls) > 1;
}

int tree_draw_task(struct tree *tree, struct call_task *task)
{
	struct drawing d = { .tree = tree, .task = task, .mine = tree_task_of(tree, task), .in = task->input, .out = &tree->out,
			     .cpu_width = cpu_width(tree) };
	int err;

	if (!tree->headed)
		add_header(tree, &tree->out);
	tree->headed = true;
	if (is_empty(d.mine))
		return 0;
	d.ns = task->in_ns;
	if (is_titled(tree, task))
		add_title(&d, !tree->last);
	tree->last = task;
	err = draw_items(&d, tree);
	return err ? err : str_ok(&tree->out);
}

int tree_draw(struct tree *tree)
{
	size_t ntasks = calls_ntasks(tree->reading->calls);
	int err = 0;

	if (!ntasks && !tree->headed)
		add_header(tree, &tree->out);
	for (size_t i = 0; !err && i < ntasks; i++)
		err = tree_draw_task(tree, calls_task(tree->reading->calls, i));
	return err ? err : tree_flush(tree);
}
