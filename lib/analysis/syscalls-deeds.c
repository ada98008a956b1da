/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/syscalls-deeds.h"
#include "lib/base/str.h"

/* clang-format off */
static const struct deed_row rows[] = {
	{ "open", OPENS, -1, 0, 1, NULL }, { "openat", OPENS, 0, 1, 2, NULL }, { "creat", OPENS, -1, 0, FLAGS_KEPT, NULL },
	{ "epoll_create", MAKES, -1, -1, FLAGS_KEPT, "anon_inode:[eventpoll]" }, { "epoll_create1", MAKES, -1, -1, 0, "anon_inode:[eventpoll]" },
	{ "eventfd", MAKES, -1, -1, FLAGS_KEPT, "anon_inode:[eventfd]" }, { "eventfd2", MAKES, -1, -1, 1, "anon_inode:[eventfd]" },
	{ "timerfd_create", MAKES, -1, -1, 1, "anon_inode:[timerfd]" }, { "signalfd", MAKES, -1, -1, FLAGS_UNKNOWN, "anon_inode:[signalfd]" },
	{ "signalfd4", MAKES, -1, -1, 3, "anon_inode:[signalfd]" }, { "inotify_init", MAKES, -1, -1, FLAGS_KEPT, "anon_inode:inotify" },
	{ "inotify_init1", MAKES, -1, -1, 0, "anon_inode:inotify" }, { "fanotify_init", MAKES, -1, -1, FLAGS_UNKNOWN, "anon_inode:[fanotify]" },
	{ "io_uring_setup", MAKES, -1, -1, FLAGS_UNKNOWN, "anon_inode:[io_uring]" },
	{ "perf_event_open", MAKES, -1, -1, FLAGS_UNKNOWN, "anon_inode:[perf_event]" },
	/* What these descriptors are is known only to the kernel, or is in a structure that is not recorded. */
	{ "openat2", MAKES, -1, -1, FLAGS_UNKNOWN, NULL },
	{ "socket", MAKES, -1, -1, FLAGS_UNKNOWN, NULL }, { "accept", MAKES, -1, -1, FLAGS_UNKNOWN, NULL },
	{ "accept4", MAKES, -1, -1, FLAGS_UNKNOWN, NULL }, { "memfd_create", MAKES, -1, -1, FLAGS_UNKNOWN, NULL },
	{ "memfd_secret", MAKES, -1, -1, FLAGS_UNKNOWN, NULL }, { "open_by_handle_at", MAKES, -1, -1, FLAGS_UNKNOWN, NULL },
	{ "userfaultfd", MAKES, -1, -1, FLAGS_UNKNOWN, NULL }, { "pidfd_open", MAKES, -1, -1, FLAGS_UNKNOWN, NULL },
	{ "pidfd_getfd", MAKES, -1, -1, FLAGS_UNKNOWN, NULL }, { "mq_open", MAKES, -1, -1, FLAGS_UNKNOWN, NULL },
	{ "fsopen", MAKES, -1, -1, FLAGS_UNKNOWN, NULL }, { "fsmount", MAKES, -1, -1, FLAGS_UNKNOWN, NULL },
	{ "fspick", MAKES, -1, -1, FLAGS_UNKNOWN, NULL }, { "open_tree", MAKES, -1, -1, FLAGS_UNKNOWN, NULL },
	{ "dup", COPIES, 0, -1, FLAGS_KEPT, NULL }, { "dup2", DUPLICATES, 0, -1, FLAGS_KEPT, NULL }, { "dup3", DUPLICATES, 0, -1, 2, NULL },
	{ "fcntl", CONTROLS, 0, -1, FLAGS_UNKNOWN, NULL },
	{ "close", CLOSES, 0, -1, -1, NULL }, { "close_range", CLOSES_RANGE, -1, -1, -1, NULL },
	{ "execve", EXECUTES, -1, -1, -1, NULL }, { "execveat", EXECUTES, -1, -1, -1, NULL },
	{ "chdir", GOES, -1, 0, -1, NULL }, { "fchdir", GOES_TO, 0, -1, -1, NULL },
	{ "chroot", CHANGES_ROOT, -1, -1, -1, NULL }, { "pivot_root", CHANGES_ROOT, -1, -1, -1, NULL }, { "setns", CHANGES_ROOT, -1, -1, -1, NULL },
	{ "unshare", UNSHARES, -1, -1, -1, NULL },
	{ "clone", IS_BORN, -1, -1, 0, NULL }, { "fork", IS_BORN, -1, -1, FLAGS_KEPT, NULL }, { "vfork", IS_BORN, -1, -1, FLAGS_KEPT, NULL },
	{ "clone3", IS_BORN, -1, -1, FLAGS_UNKNOWN, NULL },
	/* This call may open and close any descriptor. */
	{ "io_uring_enter", HIDES, -1, -1, -1, NULL },
};
/* clang-format on */

struct deeds {
	size_t n;
	uint8_t row[]; /* for each call: 0 if it has no row, and 1 + the index of its row otherwise */
};
_Static_assert(ARRAY_LEN(rows) < UINT8_MAX, "each row has an index that fits into deeds.row");

static uint8_t find_row(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_LEN(rows); i++)
		if (strcmp(rows[i].call, name) == 0)
			return (uint8_t)(i + 1);
	return 0;
}

struct deeds *deeds_of(const struct syscalls *calls)
{
	struct deeds *deeds = calloc(1, sizeof(*deeds) + calls->n);

	if (!deeds)
		return NULL;
	deeds->n = calls->n;
	for (size_t i = 0; i < calls->n; i++)
		deeds->row[i] = find_row(calls->all[i].name);
	return deeds;
}

const struct deed_row *deeds_row(const struct deeds *deeds, uint64_t number)
{
	const unsigned int row = number < deeds->n ? deeds->row[number] : 0;

	return row ? &rows[row - 1] : NULL;
}
