/* SPDX-License-Identifier: GPL-2.0 */
/* Makes the text of a system call's argument. Each file that includes this header gets static constants and functions of its own. */
#ifndef RINGSIDE_SYSCALLS_WORDS_H
#define RINGSIDE_SYSCALLS_WORDS_H

#include "lib/event/syscalls-ioctl.h"
#include "lib/event/syscalls.h"
#include <inttypes.h>
#include <stdio.h>

/* This is the text of an argument, with a NUL behind its .n bytes. The text of every argument fits into .at. words_add() checks the room all the same. */
struct syscall_words {
	char at[1024];
	size_t n;
};

static void words_add(struct syscall_words *w, const char *text)
{
	size_t n = strlen(text);

	if (n >= sizeof(w->at) - w->n)
		return;
	memcpy(w->at + w->n, text, n + 1);
	w->n += n;
}

static void words_number(struct syscall_words *w, const char *prefix, uint64_t value, unsigned int base)
{
	char text[32], *at = text + sizeof(text) - 1;

	*at = '\0';
	do
		*--at = "0123456789abcdef"[value % base];
	while (value /= base);
	words_add(w, prefix);
	words_add(w, at);
}

static void words_signed(struct syscall_words *w, int64_t value)
{
	words_number(w, value < 0 ? "-" : "", value < 0 ? -(uint64_t)value : (uint64_t)value, 10);
}

static void words_meaning(struct syscall_words *w, const struct meaning *m, uint64_t value)
{
	const char *name = meaning_of(m, value);

	if (name)
		words_add(w, name);
	else
		words_signed(w, (int64_t)value);
}

/* Appends the names of the bits with | between them. The bits without a name follow as one hexadecimal number. */
static void words_flags(struct syscall_words *w, const struct meaning *m, uint64_t value)
{
	uint64_t rest = value;
	const char *zero = value ? NULL : meaning_of(m, 0);

	if (!value) {
		words_add(w, zero ? zero : "0");
		return;
	}
	for (; m->name && rest; m++) {
		if (!m->value || (rest & m->value) != m->value)
			continue;
		words_add(w, rest != value ? "|" : "");
		words_add(w, m->name);
		rest &= ~m->value;
	}
	if (rest)
		words_number(w, rest != value ? "|0x" : "0x", rest, 16);
}

/* Appends a value that has a number in the bits of @mask and flags in the other bits. */
static void words_mixed(struct syscall_words *w, const struct meaning *numbers, uint32_t mask, const struct meaning *flags, uint32_t value)
{
	words_meaning(w, numbers, value & mask);
	if (!(value & ~mask))
		return;
	words_add(w, "|");
	words_flags(w, flags, value & ~mask);
}

static void words_open(struct syscall_words *w, uint32_t value)
{
	static const char *const modes[] = { "O_RDONLY", "O_WRONLY", "O_RDWR", "O_ACCMODE" };

	words_add(w, modes[value & 3]);
	if (!(value & ~3u))
		return;
	words_add(w, "|");
	words_flags(w, arg_open, value & ~3u);
}

static void words_clone(struct syscall_words *w, uint64_t value)
{
	enum { CLONE_NEWTIME = 0x80 /* a flag of unshare() and setns(); the number of a signal never has this bit */, SIGNAL = 0x7f };
	const uint64_t flags = value & ~(uint64_t)0xff, signal = value & SIGNAL;

	words_add(w, value & CLONE_NEWTIME ? "CLONE_NEWTIME" : "");
	if (value & CLONE_NEWTIME && (flags || signal))
		words_add(w, "|");
	if (flags || !value)
		words_flags(w, arg_clone, flags);
	words_add(w, flags && signal ? "|" : "");
	if (signal)
		words_meaning(w, signal_names, signal);
}

static void words_socket(struct syscall_words *w, uint32_t value)
{
	static const struct meaning flags[] = { { 0x800, "SOCK_NONBLOCK" }, { 0x80000, "SOCK_CLOEXEC" }, { 0, NULL } };

	if (value & 15)
		words_mixed(w, arg_socktype, 15, flags, value);
	else
		words_flags(w, flags, value);
}

static void words_ioctl(struct syscall_words *w, uint32_t value)
{
	const char *name = meaning_of(ioctl_names, value);

	if (name)
		words_add(w, name);
	else
		words_number(w, "0x", value, 16);
}

/* If the argument is a plain number, appends it and returns true. Otherwise returns false. */
static bool words_plain(struct syscall_words *w, enum arg_kind kind, uint64_t value)
{
	switch (kind) {
	case ARG_HEX:
	case ARG_PTR:
		if (value || kind == ARG_HEX)
			words_number(w, "0x", value, 16);
		else
			words_add(w, "NULL");
		return true;
	case ARG_HEX32:
		words_number(w, "0x", (uint32_t)value, 16);
		return true;
	case ARG_UINT:
		words_number(w, "", (uint32_t)value, 10);
		return true;
	case ARG_INT:
		words_signed(w, (int32_t)value);
		return true;
	case ARG_NUM:
		words_signed(w, (int64_t)value);
		return true;
	case ARG_SIZE:
		words_number(w, "", value, 10);
		return true;
	case ARG_ID:
		words_signed(w, (uint32_t)value == UINT32_MAX ? -1 : (int64_t)(uint32_t)value);
		return true;
	case ARG_OCT:
		words_number(w, (uint32_t)value ? "0" : "", (uint32_t)value, 8);
		return true;
	default:
		return false;
	}
}

/* Appends the text of an argument. Of an int argument, only the lower 32 bits are used, because the kernel ignores the rest of the register. */
__unused static void syscall_arg_words(struct syscall_words *w, enum arg_kind kind, uint64_t value)
{
	static const struct meaning futex_flags[] = { { 128, "PRIVATE" }, { 256, "CLOCK_REALTIME" }, { 0, NULL } };

	if (words_plain(w, kind, value))
		return;
	switch (kind) {
	case ARG_FD:
		if ((int32_t)value == -100)
			words_add(w, "AT_FDCWD");
		else
			words_signed(w, (int32_t)value);
		return;
	case ARG_SIG:
		words_meaning(w, signal_names, (uint32_t)value);
		return;
	case ARG_OPEN:
		words_open(w, (uint32_t)value);
		return;
	case ARG_FUTEX:
		words_mixed(w, arg_futex, 127, futex_flags, (uint32_t)value);
		return;
	case ARG_SOCKTYPE:
		words_socket(w, (uint32_t)value);
		return;
	case ARG_CLONE:
		words_clone(w, value);
		return;
	case ARG_IOCTL:
		words_ioctl(w, (uint32_t)value);
		return;
	default:
		break;
	}
	if (arg_tables[kind].flags)
		words_flags(w, arg_tables[kind].meanings, (uint32_t)value);
	else
		words_meaning(w, arg_tables[kind].meanings, (uint64_t)(int32_t)value);
}

/* Returns true if the call with this number on x86-64 returns an address. These calls are mmap, mremap, brk and shmat. */
__unused static bool syscall_gives_address(uint64_t number)
{
	return number == 9 || number == 25 || number == 12 || number == 30;
}

#endif
