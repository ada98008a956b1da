/* SPDX-License-Identifier: GPL-2.0 */
/* Prints the function tracer's events: names, indented by who called whom. */
#include "lib/base/digits.h"
#include "lib/event/text.h"

#define INDENT 3
#define MAX_INDENT 3000 /* columns, because a damaged file may have any depth */

/* Adds @indent blanks and the name, with the offset if that is wanted; or the address if there is no name. */
static void add_function(const struct text_call *call, const struct symbol *sym, uint64_t addr, size_t indent, struct str *out)
{
	char *at;

	if (!str_room(out, indent + (sym ? sym->name_len : 0) + 128))
		return;
	at = put_blanks(out->at + out->len, indent);
	if (likely(sym)) {
		at = put_short(at, sym->name, sym->name_len);
		if (call->event->trace->opt->func_offset) {
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

bool function_get(const struct event *event, const struct record *rec, uint64_t *ip, uint64_t *parent)
{
	const struct field *f = event->field;
	bool swap = event->trace->swap;

	if (unlikely(!event_is_plain(event, rec->size)))
		return field_get(&f[FUNCTION_IP], rec->data, rec->size, swap, ip) && field_get(&f[FUNCTION_PARENT], rec->data, rec->size, swap, parent);
	*ip = field_plain(&f[FUNCTION_IP], rec->data, 8);
	*parent = field_plain(&f[FUNCTION_PARENT], rec->data, 8);
	return true;
}

static bool get(const struct text_call *call, unsigned int field, uint64_t *out)
{
	return field_get(&call->event->field[field], call->rec->data, call->rec->size, call->event->trace->swap, out);
}

static void print_function(const struct text_call *call, struct str *out)
{
	const struct trace *trace = call->event->trace;
	size_t indent = MIN(call->depth * INDENT, MAX_INDENT);
	uint64_t ip, parent;

	if (!function_get(call->event, call->rec, &ip, &parent)) {
		str_addc(out, '!');
		return;
	}
	add_function(call, call->function ? call->function : symbols_find(trace->symbols, ip), ip, indent, out);
	if (trace->opt->func_parent) {
		str_add(out, " <-- ");
		add_function(call, symbols_find(trace->symbols, parent), parent, 0, out);
	}
}

static void print_repeats(const struct text_call *call, struct str *out)
{
	uint64_t count, top, bottom;

	print_function(call, out);
	if (!get(call, FUNCTION_COUNT, &count) || !get(call, FUNCTION_TOP, &top) || !get(call, FUNCTION_BOTTOM, &bottom)) {
		str_addc(out, '!');
		return;
	}
	str_addf(out, " (count: %llu  last_ts: ", (unsigned long long)count);
	text_time(call->ts - (top << 32 | bottom), call->ns, call->exact, out);
	str_addc(out, ')');
}

const struct printer function_printers[] = {
	{ "ftrace", "function", EVENT_FUNCTION, { "ip", "parent_ip" }, 2, print_function },
	{ "ftrace", "func_repeats", EVENT_FUNCTION, { "ip", "parent_ip", "count", "top_delta_ts", "bottom_delta_ts" }, 5, print_repeats },
	{ NULL }
};
