/* SPDX-License-Identifier: GPL-2.0 */
/* The function tracer's events: names, indented by who called whom. */
#include "lib/base/digits.h"
#include "lib/event/text.h"

#define INDENT 3
#define MAX_INDENT 3000	/* columns; a file may claim any depth */

/* A name, with the offset in it when that is wanted, or the address. */
static void add_function(const struct text_call *call, uint64_t addr, struct str *out)
{
	const struct trace *trace = call->event->trace;
	const struct symbol *sym = symbols_find(trace->symbols, addr);
	char *at;

	if (!str_room(out, (sym ? sym->name_len : 0) + 32))
		return;
	at = out->at + out->len;
	if (sym) {
		at = put_bytes(at, sym->name, sym->name_len);
		if (trace->opt->func_offset) {
			at = put_bytes(at, "+0x", 3);
			at = put_hex(at, (uint32_t)(addr - sym->addr));
			*at++ = ' ';
		}
	} else {
		at = put_bytes(at, "0x", 2);
		at = put_hex(at, addr);
	}
	*at = '\0';
	out->len = (size_t)(at - out->at);
}

static bool get(const struct text_call *call, unsigned int field, uint64_t *out)
{
	return field_get(&call->event->field[field], call->rec->data, call->rec->size,
			 call->event->trace->swap, out);
}

static void print_function(const struct text_call *call, struct str *out)
{
	size_t indent = MIN(call->depth * INDENT, MAX_INDENT);
	uint64_t ip, parent;

	if (!get(call, FUNCTION_IP, &ip) || !get(call, FUNCTION_PARENT, &parent)) {
		str_addc(out, '!');
		return;
	}
	if (indent && str_room(out, indent)) {
		put_fill(out->at + out->len, ' ', indent);
		out->len += indent;
	}
	add_function(call, ip, out);
	if (call->event->trace->opt->func_parent) {
		str_add(out, " <-- ");
		add_function(call, parent, out);
	}
}

static void print_repeats(const struct text_call *call, struct str *out)
{
	uint64_t count, top, bottom;

	print_function(call, out);
	if (!get(call, FUNCTION_COUNT, &count) || !get(call, FUNCTION_TOP, &top) ||
	    !get(call, FUNCTION_BOTTOM, &bottom)) {
		str_addc(out, '!');
		return;
	}
	str_addf(out, " (count: %llu  last_ts: ", (unsigned long long)count);
	text_time(call->ts - (top << 32 | bottom), call->ns, call->exact, out);
	str_addc(out, ')');
}

const struct printer function_printers[] = {
	{ "ftrace", "function", EVENT_FUNCTION, { "ip", "parent_ip" }, 2, print_function },
	{ "ftrace", "func_repeats", EVENT_FUNCTION,
	  { "ip", "parent_ip", "count", "top_delta_ts", "bottom_delta_ts" }, 5, print_repeats },
	{ NULL }
};
