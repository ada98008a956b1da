// SPDX-License-Identifier: GPL-2.0
/*
 * System calls of x86-64: raw_syscalls and the syscalls:* events as "openat(dfd=AT_FDCWD, …, flags=O_RDONLY)" and
 * "openat = -2 ENOENT"; the latter without the names that are their events'.
 */
#include "lib/event/syscalls-events.h"
#include "lib/event/syscalls-words.h"
#include "lib/event/syscalls-x86_64.h"
#include "plugins/plugin.h"
#include <stdio.h>

static const struct syscall *call_of(uint64_t nr)
{
	return nr < PLUGIN_LEN(syscalls_x86_64) && syscalls_x86_64[nr].name ? &syscalls_x86_64[nr] : NULL;
}

static void put_arg(struct trace_seq *s, enum arg_kind kind, uint64_t value)
{
	struct syscall_words words = { .n = 0 };

	syscall_arg_words(&words, kind, value);
	put_str(s, words.at);
}

/* The arguments that are at @at, @n of @size bytes each. */
static void put_call(struct trace_seq *s, const struct shown *shown, const struct syscall *call, const char *at, size_t n, int size)
{
	for (size_t i = 0; i < n && i < 6; i++) {
		const struct syscall_arg *arg = &call->args[i];
		uint64_t value;

		if (call->known && !arg->name)
			break;
		value = read_bytes(shown, at + i * size, size);
		if (i)
			put_str(s, ", ");
		if (call->known) {
			put_str(s, arg->name);
			put_char(s, '=');
		}
		put_arg(s, call->known ? arg->kind : ARG_HEX, value);
	}
}

/* --- raw_syscalls --------------------------------------------------------------------------------------- */

enum { ID, ARGS };
enum { RET = 1 };

static const struct syscall unknown_call = { "", false, { { NULL, 0 } } };

static void put_name(struct trace_seq *s, uint64_t nr)
{
	const struct syscall *call = call_of(nr);

	if (call) {
		put_str(s, call->name);
	} else {
		put_str(s, "syscall ");
		put_s64(s, nr);
	}
}

static void print_enter(struct shown *shown, struct trace_seq *s, struct tep_record *record, struct tep_event *event)
{
	uint64_t nr = number_of(shown, ID, record);
	const struct syscall *call = call_of(nr);
	size_t n = 0;
	const char *at = bytes_of(shown, shown->fields[ARGS], record, &n);
	int size = shown->fields[ARGS] ? shown->fields[ARGS]->size / 6 : 8;

	(void)event;
	put_name(s, nr);
	put_char(s, '(');
	if (at && (size == 4 || size == 8))
		put_call(s, shown, call ? call : &unknown_call, at, n / size, size);
	put_char(s, ')');
}

static void put_result(struct trace_seq *s, uint64_t nr, int64_t ret)
{
	if (ret < 0 && ret >= -4095) {
		const char *name = meaning_of(errno_names, -ret);

		put_s64(s, ret);
		put_str(s, name ? " " : "");
		put_str(s, name ? name : "");
	} else if (syscall_gives_address(nr)) {
		put_hex(s, ret);
	} else {
		put_s64(s, ret);
	}
}

static void print_exit(struct shown *shown, struct trace_seq *s, struct tep_record *record, struct tep_event *event)
{
	uint64_t nr = number_of(shown, ID, record);

	(void)event;
	put_name(s, nr);
	put_str(s, " = ");
	put_result(s, nr, number_of(shown, RET, record));
}

/* --- syscalls:sys_enter_NAME, whose arguments are fields of 8 bytes behind __syscall_nr, and sys_exit_NAME ------------------------------- */

static void print_named_enter(struct shown *shown, struct trace_seq *s, struct tep_record *record, struct tep_event *event)
{
	const struct syscall *call = call_of(number_of(shown, ID, record));
	int first = shown->fields[ID] ? shown->fields[ID]->offset + 8 : 16;
	int n = (record->size - first) / 8;

	(void)event;
	if (call)
		put_call(s, shown, call, (char *)record->data + first, n > 0 ? n : 0, 8);
}

static void print_named_exit(struct shown *shown, struct trace_seq *s, struct tep_record *record, struct tep_event *event)
{
	(void)event;
	put_result(s, number_of(shown, ID, record), number_of(shown, RET, record));
}

static const struct column enter_fields[] = {
	[ID] = { .field = "id" },
	[ARGS] = { .field = "args" },
	{ .field = NULL },
};
static const struct column exit_fields[] = {
	[ID] = { .field = "id" },
	[RET] = { .field = "ret" },
	{ .field = NULL },
};
static const struct column named_fields[] = {
	[ID] = { .field = "__syscall_nr" },
	[RET] = { .field = "ret" },
	{ .field = NULL },
};

static const struct printer raw[] = {
	{ "raw_syscalls", "sys_enter", enter_fields, print_enter },
	{ "raw_syscalls", "sys_exit", exit_fields, print_exit },
};

/* Two printers for each call; their memory stays for all traces. */
static struct printer *named_printers(size_t *n)
{
	static struct printer named[2 * PLUGIN_LEN(syscalls_x86_64)];
	static char names[2 * PLUGIN_LEN(syscalls_x86_64)][48];
	static size_t count;

	for (size_t i = 0; !count && i < PLUGIN_LEN(syscalls_x86_64); i++) {
		for (int exit = 0; syscalls_x86_64[i].name && exit < 2; exit++) {
			if (!exit && !syscalls_x86_64[i].known)
				continue;
			snprintf(names[*n], sizeof(names[*n]), "sys_%s_%s", exit ? "exit" : "enter", syscall_event(syscalls_x86_64[i].name));
			named[*n] = (struct printer){ "syscalls", names[*n], named_fields, exit ? print_named_exit : print_named_enter };
			++*n;
		}
	}
	count = count ? count : *n;
	*n = count;
	return named;
}

static int load_named(struct shown **all, struct tep_handle *tep)
{
	size_t n = 0;
	const struct printer *named = named_printers(&n);

	return plugin_load(all, tep, named, n);
}

PLUGIN_WITH("syscalls", "calls by name, arguments and flags in words, errors by name (x86-64)", raw, load_named)
