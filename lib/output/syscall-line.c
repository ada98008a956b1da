/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/syscall-line.h"
#include "lib/base/digits.h"
#include "lib/event/syscalls-words.h"
#include "lib/output/syscall-named.h"
#include "lib/output/syscall-shape.h"

void syscall_name_text(const struct syscall_open *call, struct str *out)
{
	if (call->call)
		str_add(out, call->call->name);
	else
		str_addf(out, "syscall_0x%" PRIx64, call->number);
}

/* What a program may have put into a text: unprintable bytes, and those of @also, are written as C does. */
static void add_bytes(const char *text, const char *also, struct str *out)
{
	static const char escapes[] = "\aa\bb\tt\nn\vv\ff\rr\"\"\\\\";

	for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
		const char *escape = strchr(escapes, *at);

		while (escape && (escape - escapes) % 2)
			escape = strchr(escape + 1, *at);
		if (escape) {
			str_addc(out, '\\');
			str_addc(out, escape[1]);
		} else if (*at >= ' ' && *at < 0x7f && !strchr(also, *at)) {
			str_addc(out, (char)*at);
		} else {
			str_addf(out, at[1] >= '0' && at[1] <= '9' ? "\\%03o" : "\\%o", *at);
		}
	}
}

/* A string of the program in quotation marks. */
static void add_string(const char *text, struct str *out)
{
	str_addc(out, '"');
	add_bytes(text, "", out);
	str_addc(out, '"');
}

/* What a descriptor is: "</etc/passwd>". The kernel marks a file that has been deleted, which strace shows behind it. */
static void add_descriptor(const char *name, struct str *out)
{
	static const char deleted[] = " (deleted)";
	const bool gone = *name == '/' && str_ends(name, deleted);
	const size_t n = strlen(name) - (gone ? strlen(deleted) : 0);
	__cleanup(free_ptr) char *plain = strndup(name, n);

	str_addc(out, '<');
	add_bytes(plain ? plain : "?", "<>", out);
	str_add(out, gone ? ">(deleted)" : ">");
}

/* That of an argument, as it was when the call began. */
static void add_descriptor_of(const struct syscall_open *call, int fd, struct str *out)
{
	const struct descriptors *table = fd == DESCRIPTOR_CWD ? call->place : call->files;
	const char *name = table ? descriptors_at(table, fd, call->ns) : NULL;

	if (name)
		add_descriptor(name, out);
}

/* What strace says of a futex's operation in one word is two of the kernel's. */
static void add_futex(uint32_t value, struct str *out)
{
	struct syscall_words words = { .n = 0 };

	syscall_arg_words(&words, ARG_FUTEX, value & ~384u);
	str_add(out, words.at);
	str_add(out, value & 128 ? "_PRIVATE" : "");
	str_add(out, value & 256 ? "|FUTEX_CLOCK_REALTIME" : "");
}

/* What the third argument of fcntl() is, its command says. */
static enum arg_kind fcntl_kind(uint32_t command)
{
	enum { F_DUP = 0, F_SETFLAGS = 4, F_OWN = 8, F_SIGNAL = 10, F_LEASE = 1024, F_DUP_CLOEXEC = 1030, F_PIPE_SIZE = 1031 };

	return command == F_SETFLAGS												  ? ARG_OPEN
	       : command == F_DUP || command == F_DUP_CLOEXEC || command == F_OWN || command == F_LEASE || command == F_PIPE_SIZE ? ARG_INT
	       : command == F_SIGNAL												  ? ARG_SIG
																  : ARG_HEX;
}

/* Where one argument says what another one is. */
static enum arg_kind kind_of(const struct syscall_open *call, unsigned int i)
{
	enum { INET = 2, INET6 = 10 };

	if (!call->call || !call->call->known)
		return ARG_HEX;
	if (i == 2 && syscall_is(call, "fcntl"))
		return fcntl_kind((uint32_t)call->args[1]);
	if (call->call->args[i].kind == ARG_IPPROTO && call->args[0] != INET && call->args[0] != INET6)
		return ARG_INT;
	return call->call->args[i].kind;
}

/* F_GETFD, F_GETFL and the others that have no third argument. */
static bool is_unused(const struct syscall_open *call, unsigned int i)
{
	static const uint32_t commands[] = { 1, 3, 9, 11, 1025, 1032, 1034 };

	for (size_t n = 0; i == 2 && syscall_is(call, "fcntl") && n < ARRAY_LEN(commands); n++)
		if ((uint32_t)call->args[1] == commands[n])
			return true;
	return false;
}

static void add_arg(const struct syscall_open *call, unsigned int i, struct str *out)
{
	enum arg_kind kind = kind_of(call, i);
	struct syscall_words words = { .n = 0 };

	if (call->strings[i]) {
		add_string(call->strings[i], out);
	} else if (syscall_shape_arg(call, i, out) || syscall_named_arg(call, i, out)) {
		return;
	} else if (i == 2 && call->args[1] == 2 && call->args[2] == 1 && syscall_is(call, "fcntl")) {
		str_add(out, "FD_CLOEXEC"); /* of F_SETFD */
	} else if (kind == ARG_FUTEX) {
		add_futex((uint32_t)call->args[i], out);
	} else if ((kind == ARG_HEX && !call->args[i]) || (kind == ARG_HEX32 && !(uint32_t)call->args[i])) {
		str_addc(out, '0');
	} else {
		syscall_arg_words(&words, kind, call->args[i]);
		str_add(out, words.at);
		if (kind == ARG_FD)
			add_descriptor_of(call, (int32_t)call->args[i], out);
	}
}

/* Is this a mode that the kernel does not look at, as nothing is made? */
static bool is_idle_mode(const struct syscall_open *call, unsigned int i)
{
	enum { CREATES = 0x40 | 0x400000 }; /* O_CREAT, and O_TMPFILE without O_DIRECTORY */

	return i && call->call && call->call->known && call->call->args[i].kind == ARG_OCT && call->call->args[i - 1].kind == ARG_OPEN &&
	       !(call->args[i - 1] & CREATES);
}

/* Arguments that hold names of files. */
static bool is_name(const struct syscall_open *call, unsigned int i)
{
	static const char *const names[] = { "filename", "pathname", "path", "oldname", "newname", "old", "new", "specialfile", "name" };
	const struct syscall_arg *arg = &call->call->args[i];

	for (size_t n = 0; arg->kind == ARG_PTR && n < ARRAY_LEN(names); n++)
		if (strcmp(arg->name, names[n]) == 0)
			return call->args[i];
	return false;
}

bool syscall_lacks_name(const struct syscall_open *call)
{
	for (unsigned int i = 0; i < call->nargs; i++)
		if (!call->strings[i] && call->call && call->call->known && is_name(call, i))
			return true;
	return false;
}

void syscall_args_text(const struct syscall_open *call, struct str *out)
{
	if (call->refused && !(call->call && call->call->known && !call->call->args[0].name))
		str_add(out, "...");
	if (call->refused || syscall_shape_all(call, out))
		return;
	for (unsigned int i = 0; i < call->nargs; i++) {
		if (is_idle_mode(call, i) || is_unused(call, i) || syscall_shape_unused(call, i) || syscall_named_unused(call, i))
			continue;
		str_add(out, i ? ", " : "");
		add_arg(call, i, out);
	}
}

/* Results that only the kernel sees, and what it does of them: the program sees another result, or none. */
static const char *restart_of(int64_t result)
{
	static const struct {
		int64_t result;
		const char *text;
	} rows[] = {
		{ -512, "To be restarted if SA_RESTART is set" },
		{ -513, "To be restarted" },
		{ -514, "To be restarted if no handler" },
		{ -516, "Interrupted by signal" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].result == result)
			return rows[i].text;
	return NULL;
}

/* Most results are numbers, and str_addf() takes longer than all the rest of a line. */
static void add_number(int64_t value, struct str *out)
{
	char digits[24];

	str_addn(out, digits, (size_t)(put_s64(digits, value) - digits));
}

void syscall_result_text(const struct syscall_open *call, int64_t result, struct str *out)
{
	const char *name = syscall_error(result), *restart = restart_of(result);
	const char *made = call->made_ns && call->files && result <= INT32_MAX ? descriptors_made(call->files, (int)result, call->made_ns) : NULL;

	if (restart)
		str_addf(out, "? %s (%s)", name, restart);
	else if (name && result <= -512)
		str_addf(out, "? %s", name);
	else if (name)
		str_addf(out, "-1 %s (%s)", name, strerror((int)-result));
	else if (syscall_shape_result(call, result, out))
		return;
	else if (syscall_is(call, "umask"))
		str_addf(out, "%03" PRIo64, (uint64_t)result);
	else if (syscall_gives_address(call->number) && result)
		str_addf(out, "0x%" PRIx64, (uint64_t)result);
	else
		add_number(result, out);
	if (made)
		add_descriptor(made, out);
}

bool syscall_is_last(const struct syscall_open *call)
{
	return syscall_is(call, "exit") || syscall_is(call, "exit_group");
}
