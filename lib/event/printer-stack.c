/* SPDX-License-Identifier: GPL-2.0 */
/* Prints stacks and raw markers. Also reads the fields of sched events that teach task names. */
#include "lib/base/digits.h"
#include "lib/event/text.h"

static char *add_name(const struct trace *trace, const struct symbol *sym, uint64_t addr, char *at)
{
	at = put_bytes(at, sym->name, sym->name_len);
	if (trace->opt->func_offset) {
		at = put_bytes(at, "+0x", 3);
		at = put_hex(at, (uint32_t)(addr - sym->addr));
		*at++ = ' ';
	}
	at = put_bytes(at, " (", 2);
	at = put_hex(at, addr);
	*at++ = ')';
	return at;
}

static void print_stack(const struct text_call *call, struct str *out)
{
	const struct trace *trace = call->event->trace;
	const struct record *rec = call->rec;

	str_add(out, "<stack trace >\n");
	for (size_t pos = call->event->field[STACK_CALLER].offset; pos + trace->long_size <= rec->size; pos += trace->long_size) {
		uint64_t addr = load((const char *)rec->data + pos, trace->long_size, trace->swap);
		const struct symbol *sym;
		char *at;

		if ((uint32_t)addr == UINT32_MAX) /* the kernel marks the end by -1 */
			break;
		sym = symbols_find(trace->symbols, addr);
		if (!str_room(out, (sym ? sym->name_len : 0) + 64))
			return;
		at = put_bytes(out->at + out->len, "=> ", 3);
		at = sym ? add_name(trace, sym, addr, at) : put_hex(at, addr);
		*at++ = '\n';
		*at = '\0';
		out->len = (size_t)(at - out->at);
	}
}

bool stack_is_user(const struct event *event)
{
	return strcmp(event->name, "user_stack") == 0;
}

int stack_tgid(const struct event *event, const struct record *rec)
{
	uint64_t pid;

	if (!field_get(&event->field[STACK_TGID], rec->data, rec->size, event->trace->swap, &pid))
		return record_pid(event->trace, rec);
	return (int)pid;
}

/* Reads a stack. After the last address of a program there are zeros; after the last one of the kernel there is -1, or the record ends. */
int stack_get(const struct event *event, const struct record *rec, addresses_t *out)
{
	const struct field *caller = &event->field[STACK_CALLER];
	unsigned int size = event->trace->long_size;
	size_t end = rec->size;

	if (stack_is_user(event) && caller->size)
		end = MIN((size_t)caller->offset + caller->size, end);
	for (size_t pos = caller->offset; pos + size <= end; pos += size) {
		uint64_t addr = load((const char *)rec->data + pos, size, event->trace->swap);

		if (!addr || (uint32_t)addr == UINT32_MAX)
			break;
		if (vec_push(out, addr))
			return -ENOMEM;
	}
	return 0;
}

/* Prints a program's stack: its first address, and then return addresses. */
static void print_user_stack(const struct text_call *call, struct str *out)
{
	const struct record *rec = call->rec;
	int pid = stack_tgid(call->event, rec);
	addresses_t stack = { 0 };

	str_add(out, "<user stack trace>\n");
	stack_get(call->event, rec, &stack);
	for (size_t i = 0; i < stack.n; i++) {
		str_add(out, "=> ");
		usermaps_text(call->event->trace->usermaps, pid, rec->ts, stack.at[i], i > 0, out);
		str_addc(out, '\n');
	}
	vec_fini(&stack);
}

/* Prints what a program wrote to trace_marker_raw: a number and bytes. */
static void print_raw_data(const struct text_call *call, struct str *out)
{
	const struct record *rec = call->rec;
	const uint8_t *data = rec->data;
	uint64_t id;
	char *at;

	if (!field_get(&call->event->field[0], data, rec->size, call->event->trace->swap, &id)) {
		str_addc(out, '!');
		return;
	}
	if (!str_room(out, 32 + 3 * (size_t)rec->size))
		return;
	at = put_bytes(out->at + out->len, "# ", 2);
	at = put_hex(at, id);
	for (size_t i = call->event->field[1].offset; i < rec->size; i++) {
		*at++ = ' ';
		*at++ = "0123456789abcdef"[data[i] >> 4];
		*at++ = "0123456789abcdef"[data[i] & 15];
	}
	*at = '\0';
	out->len = (size_t)(at - out->at);
}

const struct printer stack_printers[] = { { "ftrace", "kernel_stack", EVENT_STACK, { "caller" }, 1, print_stack },
					  { "ftrace", "user_stack", EVENT_STACK, { "caller" }, 1, NULL },
					  { "ftrace", "raw_data", EVENT_OTHER, { "id", "buf" }, 2, print_raw_data },
					  { NULL } };

const struct printer user_stack_printers[] = { { "ftrace", "user_stack", EVENT_STACK, { "caller", "tgid" }, 1, print_user_stack }, { NULL } };

const struct printer sched_printers[] = {
	{ "sched", "sched_switch", EVENT_SCHED_SWITCH, { "prev_pid", "prev_comm", "next_pid", "next_comm", "prev_state" }, 4, NULL },
	{ "sched", "sched_wakeup", EVENT_SCHED_WAKEUP, { "pid", "comm" }, 2, NULL },
	{ "sched", "sched_wakeup_new", EVENT_SCHED_WAKEUP, { "pid", "comm" }, 2, NULL },
	{ "sched", "sched_waking", EVENT_NAME, { "pid", "comm" }, 2, NULL },
	{ "sched", "sched_migrate_task", EVENT_NAME, { "pid", "comm" }, 2, NULL },
	{ "sched", "sched_process_exit", EVENT_NAME, { "pid", "comm" }, 2, NULL },
	{ "sched", "sched_process_free", EVENT_NAME, { "pid", "comm" }, 2, NULL },
	/* The names in sched_process_fork and task_newtask are those of the parents: a new task gets its own name later. */
	{ "task", "task_rename", EVENT_NAME, { "pid", "newcomm" }, 2, NULL },
	{ NULL }
};
