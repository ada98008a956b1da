/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lists the names of flags and commands that only a few system calls take. The names and numbers come from the kernel's include/uapi. The names are in the
 * order in which strace prints them.
 */
#ifndef RINGSIDE_SYSCALL_FLAGS_H
#define RINGSIDE_SYSCALL_FLAGS_H

#include "lib/event/meanings.h"

/* clang-format off */
static const struct meaning xattr_flags[] = {
	{ 0x1, "XATTR_CREATE" }, { 0x2, "XATTR_REPLACE" }, { 0, NULL },
};
static const struct meaning inotify_masks[] = {
	{ 0x1, "IN_ACCESS" }, { 0x2, "IN_MODIFY" }, { 0x4, "IN_ATTRIB" }, { 0x8, "IN_CLOSE_WRITE" }, { 0x10, "IN_CLOSE_NOWRITE" }, { 0x20, "IN_OPEN" },
	{ 0x40, "IN_MOVED_FROM" }, { 0x80, "IN_MOVED_TO" }, { 0x100, "IN_CREATE" }, { 0x200, "IN_DELETE" }, { 0x400, "IN_DELETE_SELF" },
	{ 0x800, "IN_MOVE_SELF" }, { 0x2000, "IN_UNMOUNT" }, { 0x4000, "IN_Q_OVERFLOW" }, { 0x8000, "IN_IGNORED" }, { 0x1000000, "IN_ONLYDIR" },
	{ 0x2000000, "IN_DONT_FOLLOW" }, { 0x4000000, "IN_EXCL_UNLINK" }, { 0x10000000, "IN_MASK_CREATE" }, { 0x20000000, "IN_MASK_ADD" },
	{ 0x40000000, "IN_ISDIR" }, { 0x80000000, "IN_ONESHOT" }, { 0, NULL },
};
static const struct meaning perf_flags[] = {
	{ 0x1, "PERF_FLAG_FD_NO_GROUP" }, { 0x2, "PERF_FLAG_FD_OUTPUT" }, { 0x4, "PERF_FLAG_PID_CGROUP" }, { 0x8, "PERF_FLAG_FD_CLOEXEC" }, { 0, NULL },
};
static const struct meaning bpf_commands[] = {
	{ 0, "BPF_MAP_CREATE" }, { 0x1, "BPF_MAP_LOOKUP_ELEM" }, { 0x2, "BPF_MAP_UPDATE_ELEM" }, { 0x3, "BPF_MAP_DELETE_ELEM" },
	{ 0x4, "BPF_MAP_GET_NEXT_KEY" }, { 0x5, "BPF_PROG_LOAD" }, { 0x6, "BPF_OBJ_PIN" }, { 0x7, "BPF_OBJ_GET" }, { 0x8, "BPF_PROG_ATTACH" },
	{ 0x9, "BPF_PROG_DETACH" }, { 0xa, "BPF_PROG_TEST_RUN" }, { 0xb, "BPF_PROG_GET_NEXT_ID" }, { 0xc, "BPF_MAP_GET_NEXT_ID" },
	{ 0xd, "BPF_PROG_GET_FD_BY_ID" }, { 0xe, "BPF_MAP_GET_FD_BY_ID" }, { 0xf, "BPF_OBJ_GET_INFO_BY_FD" }, { 0x10, "BPF_PROG_QUERY" },
	{ 0x11, "BPF_RAW_TRACEPOINT_OPEN" }, { 0x12, "BPF_BTF_LOAD" }, { 0x13, "BPF_BTF_GET_FD_BY_ID" }, { 0x14, "BPF_TASK_FD_QUERY" },
	{ 0x15, "BPF_MAP_LOOKUP_AND_DELETE_ELEM" }, { 0x16, "BPF_MAP_FREEZE" }, { 0x17, "BPF_BTF_GET_NEXT_ID" }, { 0x18, "BPF_MAP_LOOKUP_BATCH" },
	{ 0x19, "BPF_MAP_LOOKUP_AND_DELETE_BATCH" }, { 0x1a, "BPF_MAP_UPDATE_BATCH" }, { 0x1b, "BPF_MAP_DELETE_BATCH" }, { 0x1c, "BPF_LINK_CREATE" },
	{ 0x1d, "BPF_LINK_UPDATE" }, { 0x1e, "BPF_LINK_GET_FD_BY_ID" }, { 0x1f, "BPF_LINK_GET_NEXT_ID" }, { 0x20, "BPF_ENABLE_STATS" },
	{ 0x21, "BPF_ITER_CREATE" }, { 0x22, "BPF_LINK_DETACH" }, { 0x23, "BPF_PROG_BIND_MAP" }, { 0, NULL },
};
static const struct meaning uring_enters[] = {
	{ 0x1, "IORING_ENTER_GETEVENTS" }, { 0x2, "IORING_ENTER_SQ_WAKEUP" }, { 0x4, "IORING_ENTER_SQ_WAIT" }, { 0x8, "IORING_ENTER_EXT_ARG" },
	{ 0x10, "IORING_ENTER_REGISTERED_RING" }, { 0, NULL },
};
static const struct meaning uring_registers[] = {
	{ 0, "IORING_REGISTER_BUFFERS" }, { 0x1, "IORING_UNREGISTER_BUFFERS" }, { 0x2, "IORING_REGISTER_FILES" }, { 0x3, "IORING_UNREGISTER_FILES" },
	{ 0x4, "IORING_REGISTER_EVENTFD" }, { 0x5, "IORING_UNREGISTER_EVENTFD" }, { 0x6, "IORING_REGISTER_FILES_UPDATE" },
	{ 0x7, "IORING_REGISTER_EVENTFD_ASYNC" }, { 0x8, "IORING_REGISTER_PROBE" }, { 0x9, "IORING_REGISTER_PERSONALITY" },
	{ 0xa, "IORING_UNREGISTER_PERSONALITY" }, { 0xb, "IORING_REGISTER_RESTRICTIONS" }, { 0xc, "IORING_REGISTER_ENABLE_RINGS" },
	{ 0xd, "IORING_REGISTER_FILES2" }, { 0xe, "IORING_REGISTER_FILES_UPDATE2" }, { 0xf, "IORING_REGISTER_BUFFERS2" },
	{ 0x10, "IORING_REGISTER_BUFFERS_UPDATE" }, { 0x11, "IORING_REGISTER_IOWQ_AFF" }, { 0x12, "IORING_UNREGISTER_IOWQ_AFF" },
	{ 0x13, "IORING_REGISTER_IOWQ_MAX_WORKERS" }, { 0x14, "IORING_REGISTER_RING_FDS" }, { 0x15, "IORING_UNREGISTER_RING_FDS" },
	{ 0x16, "IORING_REGISTER_PBUF_RING" }, { 0x17, "IORING_UNREGISTER_PBUF_RING" }, { 0x18, "IORING_REGISTER_SYNC_CANCEL" },
	{ 0x19, "IORING_REGISTER_FILE_ALLOC_RANGE" }, { 0, NULL },
};
static const struct meaning seccomp_operations[] = {
	{ 0, "SECCOMP_SET_MODE_STRICT" }, { 0x1, "SECCOMP_SET_MODE_FILTER" }, { 0x2, "SECCOMP_GET_ACTION_AVAIL" }, { 0x3, "SECCOMP_GET_NOTIF_SIZES" },
	{ 0, NULL },
};
static const struct meaning policies[] = {
	{ 0, "SCHED_OTHER" }, { 0x1, "SCHED_FIFO" }, { 0x2, "SCHED_RR" }, { 0x3, "SCHED_BATCH" }, { 0x5, "SCHED_IDLE" }, { 0x6, "SCHED_DEADLINE" },
	{ 0, NULL },
};
static const struct meaning tree_flags[] = {
	{ 0x1, "OPEN_TREE_CLONE" }, { 0x80000, "OPEN_TREE_CLOEXEC" }, { 0x100, "AT_SYMLINK_NOFOLLOW" }, { 0x800, "AT_NO_AUTOMOUNT" },
	{ 0x1000, "AT_EMPTY_PATH" }, { 0x8000, "AT_RECURSIVE" }, { 0, NULL },
};
static const struct meaning mount_moves[] = {
	{ 0x1, "MOVE_MOUNT_F_SYMLINKS" }, { 0x2, "MOVE_MOUNT_F_AUTOMOUNTS" }, { 0x4, "MOVE_MOUNT_F_EMPTY_PATH" }, { 0x10, "MOVE_MOUNT_T_SYMLINKS" },
	{ 0x20, "MOVE_MOUNT_T_AUTOMOUNTS" }, { 0x40, "MOVE_MOUNT_T_EMPTY_PATH" }, { 0x100, "MOVE_MOUNT_SET_GROUP" }, { 0, NULL },
};
static const struct meaning fsopen_flags[] = {
	{ 0x1, "FSOPEN_CLOEXEC" }, { 0, NULL },
};
static const struct meaning fsmount_flags[] = {
	{ 0x1, "FSMOUNT_CLOEXEC" }, { 0, NULL },
};
static const struct meaning fspick_flags[] = {
	{ 0x1, "FSPICK_CLOEXEC" }, { 0x2, "FSPICK_SYMLINK_NOFOLLOW" }, { 0x4, "FSPICK_NO_AUTOMOUNT" }, { 0x8, "FSPICK_EMPTY_PATH" }, { 0, NULL },
};
static const struct meaning fsconfig_commands[] = {
	{ 0, "FSCONFIG_SET_FLAG" }, { 0x1, "FSCONFIG_SET_STRING" }, { 0x2, "FSCONFIG_SET_BINARY" }, { 0x3, "FSCONFIG_SET_PATH" },
	{ 0x4, "FSCONFIG_SET_PATH_EMPTY" }, { 0x5, "FSCONFIG_SET_FD" }, { 0x6, "FSCONFIG_CMD_CREATE" }, { 0x7, "FSCONFIG_CMD_RECONFIGURE" },
	{ 0, NULL },
};
static const struct meaning mount_attributes[] = {
	{ 0x1, "MOUNT_ATTR_RDONLY" }, { 0x2, "MOUNT_ATTR_NOSUID" }, { 0x4, "MOUNT_ATTR_NODEV" }, { 0x8, "MOUNT_ATTR_NOEXEC" },
	{ 0x10, "MOUNT_ATTR_NOATIME" }, { 0x20, "MOUNT_ATTR_STRICTATIME" }, { 0x80, "MOUNT_ATTR_NODIRATIME" }, { 0x100000, "MOUNT_ATTR_IDMAP" },
	{ 0x200000, "MOUNT_ATTR_NOSYMFOLLOW" }, { 0, NULL },
};
static const struct meaning mount_at_flags[] = {
	{ 0x100, "AT_SYMLINK_NOFOLLOW" }, { 0x800, "AT_NO_AUTOMOUNT" }, { 0x1000, "AT_EMPTY_PATH" }, { 0x8000, "AT_RECURSIVE" }, { 0, NULL },
};
static const struct meaning file_ranges[] = {
	{ 0x1, "SYNC_FILE_RANGE_WAIT_BEFORE" }, { 0x2, "SYNC_FILE_RANGE_WRITE" }, { 0x4, "SYNC_FILE_RANGE_WAIT_AFTER" }, { 0, NULL },
};
static const struct meaning mlock_flags[] = {
	{ 0x1, "MLOCK_ONFAULT" }, { 0, NULL },
};
static const struct meaning timerfd_flags[] = {
	{ 0x80000, "TFD_CLOEXEC" }, { 0x800, "TFD_NONBLOCK" }, { 0, NULL },
};
static const struct meaning ioprio_whos[] = {
	{ 0x1, "IOPRIO_WHO_PROCESS" }, { 0x2, "IOPRIO_WHO_PGRP" }, { 0x3, "IOPRIO_WHO_USER" }, { 0, NULL },
};
static const struct meaning userfaultfd_flags[] = {
	{ 0x1, "UFFD_USER_MODE_ONLY" }, { 0x80000, "O_CLOEXEC" }, { 0x800, "O_NONBLOCK" }, { 0, NULL },
};
static const struct meaning module_flags[] = {
	{ 0x1, "MODULE_INIT_IGNORE_MODVERSIONS" }, { 0x2, "MODULE_INIT_IGNORE_VERMAGIC" }, { 0x4, "MODULE_INIT_COMPRESSED_FILE" }, { 0, NULL },
};
/* clang-format on */

#endif
