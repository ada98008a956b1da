/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/event/syscalls.h"
#include "lib/base/parse.h"
#include "lib/data/metadata.h"
#include "lib/event/syscalls-events.h"
#include "lib/event/syscalls-x86_64.h"

struct syscalls syscalls_of(const struct metadata *meta)
{
	const struct text *uname = &meta->uname;

	/* A file without uname was made for tests or by a trace-cmd that wrote none. It is taken for x86_64, like most machines. */
	if (uname->size && !memmem(uname->at, uname->size, "x86_64", strlen("x86_64")))
		return (struct syscalls){ 0 };
	return (struct syscalls){ syscalls_x86_64, ARRAY_LEN(syscalls_x86_64) };
}

const struct syscall *syscall_find(const struct syscalls *calls, uint64_t number)
{
	return number < calls->n && calls->all[number].name ? &calls->all[number] : NULL;
}

int64_t syscall_number(const struct syscalls *calls, const char *name)
{
	for (size_t i = 0; i < calls->n; i++)
		if (calls->all[i].name && strcmp(calls->all[i].name, name) == 0)
			return (int64_t)i;
	return -1;
}

char *syscall_nearest(const struct syscalls *calls, const char *name)
{
	strv_t names = { 0 };

	for (size_t i = 0; i < calls->n; i++)
		if (calls->all[i].name && strv_add(&names, calls->all[i].name))
			break;
	return did_you_mean(name, &names, "");
}

const char *syscall_event_name(const struct syscall *call)
{
	return syscall_event(call->name);
}

const char *syscall_error(int64_t result)
{
	return result < 0 && result >= -4095 ? meaning_of(errno_names, (uint64_t)-result) : NULL;
}
