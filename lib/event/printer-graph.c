/* SPDX-License-Identifier: GPL-2.0 */
/* The function_graph tracer's events: calls as braces with durations. */
#include "lib/event/graph.h"
#include "lib/base/digits.h"
#include "lib/event/text.h"

#define INDENT 2
#define MAX_INDENT 2000	/* columns; a file may claim any depth */
#define MAX_ERRNO 4095

char graph_mark(uint64_t duration_ns)
{
	static const struct {
		uint64_t above;
		char mark;
	} marks[] = {
		{ 1000000000, '$' }, { 100000000, '@' }, { 10000000, '*' },
		{ 1000000, '#' },    { 100000, '!' },	 { 10000, '+' },
	};

	if (likely(duration_ns <= 10000))
		return ' ';
	for (size_t i = 0; i < ARRAY_LEN(marks); i++)
		if (duration_ns > marks[i].above)
			return marks[i].mark;
	return ' ';
}

char *graph_duration(char *at, uint64_t duration_ns, unsigned int width)
{
	uint64_t us = duration_ns / 1000;
	unsigned int digits;
	char *start = at + 2, *least = start + width + 4;

	memset(at, ' ', 16);
	if (duration_ns == GRAPH_NO_DURATION)
		return least;
	*at = graph_mark(duration_ns);
	at = put_u64(start, us);
	digits = (unsigned int)(at - start);
	if (digits + 1 < width) {
		*at = '.';
		put_3(at + 1, (unsigned int)(duration_ns - us * 1000));
		at += 1 + MIN(width - 1 - digits, 3U);
	}
	memcpy(at, " us ", 4);
	at += 4;
	return MAX(at, least);
}

bool graph_exit_get(const struct event *event, const void *data, size_t size, struct graph_exit *out)
{
	const struct field *f = event->field;
	bool swap = event->trace->swap;
	uint64_t depth;

	if (likely(event_is_plain(event, size))) {
		out->func = field_plain(&f[GRAPH_FUNC], data, 8);
		out->depth = (uint32_t)field_plain(&f[GRAPH_DEPTH], data, 4);
		out->calltime = field_plain(&f[GRAPH_CALLTIME], data, 8);
		out->rettime = field_plain(&f[GRAPH_RETTIME], data, 8);
	} else {
		if (!field_get(&f[GRAPH_FUNC], data, size, swap, &out->func) ||
		    !field_get(&f[GRAPH_DEPTH], data, size, swap, &depth) ||
		    !field_get(&f[GRAPH_CALLTIME], data, size, swap, &out->calltime) ||
		    !field_get(&f[GRAPH_RETTIME], data, size, swap, &out->rettime))
			return false;
		out->depth = (uint32_t)depth;
	}
	out->has_retval = f[GRAPH_RETVAL].found && field_get(&f[GRAPH_RETVAL], data, size, swap, &out->retval);
	return true;
}

static bool entry_get(const struct event *event, const struct record *rec, uint64_t *func, uint64_t *depth)
{
	const struct field *f = event->field;

	if (unlikely(!event_is_plain(event, rec->size)))
		return field_get(&f[GRAPH_FUNC], rec->data, rec->size, event->trace->swap, func) &&
		       field_get(&f[GRAPH_DEPTH], rec->data, rec->size, event->trace->swap, depth);
	*func = field_plain(&f[GRAPH_FUNC], rec->data, 8);
	*depth = field_plain(&f[GRAPH_DEPTH], rec->data, 4);
	if (f[GRAPH_DEPTH].is_signed)
		*depth = (uint64_t)(int64_t)(int32_t)*depth;
	return true;
}

void graph_retval(const struct trace_options *opt, const struct graph_exit *ret, unsigned int long_size,
		  struct str *out)
{
	int64_t value = long_size == 4 ? (int32_t)ret->retval : (int64_t)ret->retval;
	bool dec = opt->retval == RETVAL_DEC ||
		   (opt->retval == RETVAL_AUTO && value < 0 && value >= -MAX_ERRNO);

	if (!ret->has_retval || opt->retval == RETVAL_SKIP)
		return;
	if (dec)
		str_addf(out, " (ret=%lld)", (long long)value);
	else
		str_addf(out, " (ret=0x%llx)", (unsigned long long)ret->retval);
}

/* Duration, bar and indentation: all that stands before the name. Leaves room for @more, and for put_short(). */
static char *begin_line(struct str *out, uint64_t duration, uint64_t depth, size_t more)
{
	size_t indent = MIN(depth * INDENT, (uint64_t)MAX_INDENT);
	char *at;

	if (!str_room(out, 128 + indent + more))
		return NULL;
	at = graph_duration(out->at + out->len, duration, GRAPH_REPORT_WIDTH);
	memcpy(at, "|  ", 4);
	return put_blanks(at + 3, indent);
}

static void end_at(struct str *out, char *at)
{
	*at = '\0';
	out->len = (size_t)(at - out->at);
}

/* "<-CALLER" in the signs of a comment. */
static void add_caller(const struct text_call *call, struct str *out)
{
	const struct event *event = call->event;
	const struct trace *trace = event->trace;
	const struct symbol *sym;
	uint64_t addr;

	if (!field_get(&event->field[GRAPH_RETADDR], call->rec->data, call->rec->size, trace->swap, &addr))
		return;
	sym = symbols_find(trace->symbols, addr);
	if (sym)
		str_addf(out, " /* <-%s */", sym->name);
	else
		str_addf(out, " /* <-%llx */", (unsigned long long)addr);
}

/* What stands behind the call: depth, return value, who called. */
static inline void add_tail(const struct text_call *call, uint64_t depth, const struct graph_exit *ret, struct str *out)
{
	const struct event *event = call->event;
	const struct trace_options *opt = event->trace->opt;

	if (unlikely(opt->graph_depth))
		str_addf(out, " (%llu)", (unsigned long long)depth);
	if (ret && ret->has_retval)
		graph_retval(opt, ret, event->trace->long_size, out);
	if (event->kind == EVENT_GRAPH_ENTRY && event->field[GRAPH_RETADDR].found)
		add_caller(call, out);
}

/* The exit event's description, for the exit record that a leaf's entry carries. */
static const struct event *exit_event(const struct trace *trace)
{
	return trace_event(trace, trace->graph.exit.id);
}

static void print_entry(const struct text_call *call, struct str *out)
{
	const struct event *event = call->event;
	const struct trace *trace = event->trace;
	const struct record *rec = call->rec;
	const struct symbol *sym;
	struct graph_exit ret, *leaf = NULL;
	uint64_t func, depth;
	char *at;

	if (!entry_get(event, rec, &func, &depth)) {
		str_addc(out, '!');
		return;
	}
	if (rec->flags & RECORD_LEAF && graph_exit_get(exit_event(trace), rec->exit, rec->exit_size, &ret))
		leaf = &ret;
	sym = symbols_find(trace->symbols, func);
	at = begin_line(out, leaf ? ret.rettime - ret.calltime : GRAPH_NO_DURATION, depth,
			sym ? sym->name_len : 0);
	if (!at)
		return;
	at = likely(sym) ? put_short(at, sym->name, sym->name_len) : put_hex(at, func);
	memcpy(at, leaf ? "();" : "() {", 4);
	end_at(out, at + (leaf ? 3 : 4));
	add_tail(call, depth, leaf, out);
}

static void print_exit(const struct text_call *call, struct str *out)
{
	const struct trace *trace = call->event->trace;
	const struct symbol *sym;
	struct graph_exit ret;
	char *at;

	if (!graph_exit_get(call->event, call->rec->data, call->rec->size, &ret)) {
		str_addc(out, '!');
		return;
	}
	at = begin_line(out, ret.rettime - ret.calltime, ret.depth, 1);
	if (!at)
		return;
	*at++ = '}';
	end_at(out, at);
	if (trace->opt->graph_tail) {
		sym = symbols_find(trace->symbols, ret.func);
		if (sym)
			str_addf(out, " /* %s */", sym->name);
	}
	add_tail(call, ret.depth, &ret, out);
}

const struct printer graph_printers[] = {
	{ "ftrace", "funcgraph_entry", EVENT_GRAPH_ENTRY, { "func", "depth" }, 2, print_entry },
	{ "ftrace", "fgraph_retaddr_entry", EVENT_GRAPH_ENTRY, { "func", "depth", "retaddr" }, 3, print_entry },
	{ "ftrace", "funcgraph_exit", EVENT_GRAPH_EXIT,
	  { "func", "depth", "calltime", "rettime", "retval", "overrun" }, 4, print_exit },
	{ NULL }
};
