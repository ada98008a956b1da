/* SPDX-License-Identifier: GPL-2.0 */
/* Prints the function_graph tracer's events: calls as braces with durations. */
#include "lib/event/graph.h"
#include "lib/base/digits.h"
#include "lib/event/text.h"

#define INDENT 2
#define MAX_INDENT 2000 /* columns, because a damaged file may have any depth */
#define MAX_ERRNO 4095
#define GRAPH_DIGITS 7U /* of a duration, before and after the point together; the kernel writes no more */

char graph_mark(uint64_t duration_ns)
{
	static const struct {
		uint64_t above;
		char mark;
	} marks[] = {
		{ 1000000000, '$' }, { 100000000, '@' }, { 10000000, '*' }, { 1000000, '#' }, { 100000, '!' }, { 10000, '+' },
	};

	if (likely(duration_ns <= 10000))
		return ' ';
	for (size_t i = 0; i < ARRAY_LEN(marks); i++)
		if (duration_ns > marks[i].above)
			return marks[i].mark;
	return ' ';
}

static char *long_duration(char *at, uint64_t duration_ns, unsigned int width)
{
	uint64_t us = duration_ns / 1000;
	unsigned int digits;
	char *start = at + 2, *least = start + width + 4;

	*at = graph_mark(duration_ns);
	at = put_u64(start, us);
	digits = (unsigned int)(at - start);
	if (digits < GRAPH_DIGITS) {
		*at = '.';
		put_3(at + 1, (unsigned int)(duration_ns - us * 1000));
		at += 1 + MIN(GRAPH_DIGITS - digits, 3U);
	}
	memcpy(at, " us ", 4);
	at += 4;
	return MAX(at, least);
}

/* Inlined, so that @width is a constant. */
static inline char *put_duration(char *at, uint64_t duration_ns, unsigned int width)
{
	bool none = duration_ns == GRAPH_NO_DURATION;
	uint32_t ns = (uint32_t)duration_ns & ((uint32_t)none - 1), us = ns / 1000;
	unsigned int digits = 1 + (us > 9) + (us > 99);
	char *to = at + 16 * none; /* without a duration, the digits go where they are overwritten */

	memset(at, ' ', 16);
	if (unlikely(duration_ns >= NSEC_PER_MSEC && !none))
		return long_duration(at, duration_ns, width);
	/* Most durations are short, but the number of their digits cannot be predicted, so there are no branches here. */
	put_3(to + digits - 1, us);
	to[0] = " +!"[(ns > 10000) + (ns > 100000)];
	to[1] = ' ';
	to[2 + digits] = '.';
	put_3(to + 3 + digits, ns - us * 1000);
	memcpy(to + 6 + digits, " us ", 4);
	return at + width + 6;
}

char *graph_duration(char *at, uint64_t duration_ns, unsigned int width)
{
	return put_duration(at, duration_ns, width);
}

/* Reads an exit whose payload has another layout than event_is_plain() expects. */
static __attribute__((noinline)) bool exit_get_slowly(const struct event *event, const void *data, size_t size, struct graph_exit *out)
{
	const struct field *f = event->field;
	bool swap = event->trace->swap;
	uint64_t depth;

	if (!field_get(&f[GRAPH_FUNC], data, size, swap, &out->func) || !field_get(&f[GRAPH_DEPTH], data, size, swap, &depth) ||
	    !field_get(&f[GRAPH_CALLTIME], data, size, swap, &out->calltime) || !field_get(&f[GRAPH_RETTIME], data, size, swap, &out->rettime))
		return false;
	out->depth = (uint32_t)depth;
	return true;
}

static inline bool exit_get(const struct event *event, const void *data, size_t size, struct graph_exit *out)
{
	const struct field *f = event->field;

	if (likely(event_is_plain(event, size))) {
		out->func = field_plain(&f[GRAPH_FUNC], data, 8);
		out->depth = (uint32_t)field_plain(&f[GRAPH_DEPTH], data, 4);
		out->calltime = field_plain(&f[GRAPH_CALLTIME], data, 8);
		out->rettime = field_plain(&f[GRAPH_RETTIME], data, 8);
	} else if (!exit_get_slowly(event, data, size, out)) {
		return false;
	}
	out->has_retval = f[GRAPH_RETVAL].found && field_get(&f[GRAPH_RETVAL], data, size, event->trace->swap, &out->retval);
	return true;
}

bool graph_exit_get(const struct event *event, const void *data, size_t size, struct graph_exit *out)
{
	return exit_get(event, data, size, out);
}

static __attribute__((noinline)) bool entry_get_slowly(const struct event *event, const struct record *rec, uint64_t *func, uint64_t *depth)
{
	const struct field *f = event->field;

	return field_get(&f[GRAPH_FUNC], rec->data, rec->size, event->trace->swap, func) &&
	       field_get(&f[GRAPH_DEPTH], rec->data, rec->size, event->trace->swap, depth);
}

static inline bool entry_get(const struct event *event, const struct record *rec, uint64_t *func, uint64_t *depth)
{
	const struct field *f = event->field;

	if (unlikely(!event_is_plain(event, rec->size)))
		return entry_get_slowly(event, rec, func, depth);
	*func = field_plain(&f[GRAPH_FUNC], rec->data, 8);
	*depth = field_plain(&f[GRAPH_DEPTH], rec->data, 4);
	if (f[GRAPH_DEPTH].is_signed)
		*depth = (uint64_t)(int64_t)(int32_t)*depth;
	return true;
}

void graph_retval(const struct trace_options *opt, const struct graph_exit *ret, unsigned int long_size, struct str *out)
{
	int64_t value = long_size == 4 ? (int32_t)ret->retval : (int64_t)ret->retval;
	bool dec = opt->retval == RETVAL_DEC || (opt->retval == RETVAL_AUTO && value < 0 && value >= -MAX_ERRNO);

	if (!ret->has_retval || opt->retval == RETVAL_SKIP)
		return;
	if (dec)
		str_addf(out, " (ret=%lld)", (long long)value);
	else
		str_addf(out, " (ret=0x%llx)", (unsigned long long)ret->retval);
}

/* Begins a line with duration, bar and indentation. Leaves room for @more bytes of a name, and for put_short(). */
static char *begin_line(struct str *out, uint64_t duration, uint64_t depth, size_t more)
{
	size_t indent = MIN(depth * INDENT, (uint64_t)MAX_INDENT);
	char *at;

	if (!str_room(out, 128 + indent + more))
		return NULL;
	at = put_duration(out->at + out->len, duration, GRAPH_REPORT_WIDTH);
	memcpy(at, "|  ", 4);
	return put_blanks(at + 3, indent);
}

static void end_at(struct str *out, char *at)
{
	*at = '\0';
	out->len = (size_t)(at - out->at);
}

/* Adds "<-CALLER" inside a comment. */
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

/* Adds what follows the call: its depth, its return value if it has @returned, and its caller. */
static inline void add_tail(const struct text_call *call, uint64_t depth, const struct graph_exit *ret, bool returned, struct str *out)
{
	const struct event *event = call->event;
	const struct trace_options *opt = event->trace->opt;

	if (unlikely(opt->graph_depth))
		str_addf(out, " (%llu)", (unsigned long long)depth);
	if (unlikely(ret->has_retval & returned))
		graph_retval(opt, ret, event->trace->long_size, out);
	if (event->kind == EVENT_GRAPH_ENTRY && event->field[GRAPH_RETADDR].found)
		add_caller(call, out);
}

/* Returns the description of the exit event, for the exit that a leaf's entry record carries. */
static const struct event *exit_event(const struct trace *trace)
{
	return trace_event(trace, trace->graph.exit.id);
}

/* Branches on whether a call is a leaf are predicted badly, so there are none. An entry that is not a leaf's gets this exit, which is ignored. */
static const char no_exit[64];

/* Reads the exit of the leaf whose entry is *@rec. Returns false, with *@out undefined, if the entry is not a leaf's. */
static inline bool leaf_exit(const struct trace *trace, const struct record *rec, struct graph_exit *out)
{
	const struct event *event = exit_event(trace);
	const bool leaf = rec->flags & RECORD_LEAF;
	const uintptr_t mask = -(uintptr_t)leaf;
	const void *data = (const void *)(((uintptr_t)rec->exit & mask) | ((uintptr_t)no_exit & ~mask));

	*out = (struct graph_exit){ 0 };
	return likely(event) && exit_get(event, data, leaf ? rec->exit_size : sizeof(no_exit), out) && leaf;
}

static void print_entry(const struct text_call *call, struct str *out)
{
	static const char ends[2][4] = { "() {", "();" };
	const struct event *event = call->event;
	const struct trace *trace = event->trace;
	const struct record *rec = call->rec;
	const struct symbol *sym;
	struct graph_exit ret;
	uint64_t func, depth;
	bool leaf;
	char *at;

	if (!entry_get(event, rec, &func, &depth)) {
		str_addc(out, '!');
		return;
	}
	leaf = leaf_exit(trace, rec, &ret);
	sym = symbols_find(trace->symbols, func);
	at = begin_line(out, (ret.rettime - ret.calltime) | ((uint64_t)leaf - 1), depth, sym ? sym->name_len : 0);
	if (!at)
		return;
	at = likely(sym) ? put_short(at, sym->name, sym->name_len) : put_hex(at, func);
	memcpy(at, ends[leaf], 4);
	end_at(out, at + 4 - leaf);
	add_tail(call, depth, &ret, leaf, out);
}

static void print_exit(const struct text_call *call, struct str *out)
{
	const struct trace *trace = call->event->trace;
	const struct symbol *sym;
	struct graph_exit ret;
	char *at;

	if (!exit_get(call->event, call->rec->data, call->rec->size, &ret)) {
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
	add_tail(call, ret.depth, &ret, true, out);
}

const struct printer graph_printers[] = {
	{ "ftrace", "funcgraph_entry", EVENT_GRAPH_ENTRY, { "func", "depth" }, 2, print_entry },
	{ "ftrace", "fgraph_retaddr_entry", EVENT_GRAPH_ENTRY, { "func", "depth", "retaddr" }, 3, print_entry },
	{ "ftrace", "funcgraph_exit", EVENT_GRAPH_EXIT, { "func", "depth", "calltime", "rettime", "retval", "overrun" }, 4, print_exit },
	{ NULL }
};
