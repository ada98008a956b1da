/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/syscalls-graph.h"
#include "lib/base/map.h"
#include "lib/event/text.h"

/* The lines of a system call that a task is in. */
struct below {
	struct str lines;
	const void *told; /* the exit that was printed with its entry, if the last record was a leaf; otherwise NULL */
};

struct syscalls_graph {
	const inputs_t *inputs;
	struct syscall_set set;
	bool seen;
	MAP(const struct syscall_open *, struct below *) calls;
};

int syscalls_graph_new(struct syscalls_graph **out, const inputs_t *inputs, const struct syscalls *calls, const strv_t *names)
{
	struct syscalls_graph *graph = calloc(1, sizeof(*graph));
	int err = graph ? syscall_set_init(&graph->set, calls, names) : -ENOMEM;

	*out = err ? NULL : graph;
	if (!err)
		graph->inputs = inputs;
	else
		syscalls_graph_free(graph);
	return err;
}

void syscalls_graph_free(struct syscalls_graph *graph)
{
	if (!graph)
		return;
	map_each (&graph->calls, entry) {
		str_fini(&entry->value->lines);
		free(entry->value);
	}
	map_fini(&graph->calls);
	syscall_set_fini(&graph->set);
	free(graph);
}

static struct below *below_of(struct syscalls_graph *graph, const struct syscall_open *call)
{
	map_entry(&graph->calls) entry = map_find(&graph->calls, call);
	struct below *below;

	if (entry)
		return entry->value;
	below = calloc(1, sizeof(*below));
	entry = below ? map_add(&graph->calls, call) : NULL;
	if (!entry) {
		free(below);
		return NULL;
	}
	return entry->value = below;
}

int syscalls_graph_record(struct syscalls_graph *graph, struct syscall_reader *reader, const struct record *rec)
{
	const struct input *input = &graph->inputs->at[rec->file];
	const struct syscall_open *call;
	struct text_call text;
	struct event *event;
	struct below *below;

	if (rec->flags & RECORD_NODATA)
		return 0;
	event = trace_event(input->trace, record_id(input->trace, rec));
	if (!event || (event->kind != EVENT_GRAPH_ENTRY && event->kind != EVENT_GRAPH_EXIT))
		return 0;
	graph->seen = true;
	call = syscall_reader_call(reader, rec);
	if (!call || !call->chosen || !syscall_set_has(&graph->set, call->number))
		return 0;
	below = below_of(graph, call);
	if (!below)
		return -ENOMEM;
	if (rec->flags & RECORD_FOLDED && (below->told == rec->data || rec->flags & RECORD_TAIL))
		return 0;
	event_prepare(event);
	below->told = rec->flags & RECORD_LEAF && event->printer ? rec->exit : NULL;
	text = (struct text_call){ .event = event, .rec = rec, .ts = input_time(input, rec), .ns = !input->raw_ticks };
	event_text(&text, &below->lines);
	str_addc(&below->lines, '\n');
	return str_ok(&below->lines);
}

void syscalls_graph_begin(struct syscalls_graph *graph, const struct syscall_open *call)
{
	map_entry(&graph->calls) entry = map_find(&graph->calls, call);

	if (!entry)
		return;
	str_clear(&entry->value->lines);
	entry->value->told = NULL;
}

const char *syscalls_graph_lines(const struct syscalls_graph *graph, const struct syscall_open *call)
{
	const map_entry(&graph->calls) entry = map_find(&graph->calls, call);

	return entry ? str_text(&entry->value->lines) : "";
}

bool syscalls_graph_seen(const struct syscalls_graph *graph)
{
	return graph->seen;
}
