/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/syscall-named.h"
#include "lib/event/syscalls-words.h"
#include "lib/output/syscall-flags.h"

/* clang-format off */
static const struct meaning file_types[] = {
	{ 0010000, "S_IFIFO" }, { 0020000, "S_IFCHR" }, { 0040000, "S_IFDIR" }, { 0060000, "S_IFBLK" }, { 0100000, "S_IFREG" },
	{ 0120000, "S_IFLNK" }, { 0140000, "S_IFSOCK" }, { 0, NULL },
};
static const struct meaning mode_bits[] = { { 04000, "S_ISUID" }, { 02000, "S_ISGID" }, { 01000, "S_ISVTX" }, { 0, NULL } };
static const struct meaning ipc_flags[] = { { 01000, "IPC_CREAT" }, { 02000, "IPC_EXCL" }, { 04000, "IPC_NOWAIT" }, { 0, NULL } };
static const struct meaning shm_flags[] = {
	{ 01000, "IPC_CREAT" }, { 02000, "IPC_EXCL" }, { 04000, "SHM_HUGETLB" }, { 010000, "SHM_NORESERVE" }, { 0, NULL },
};
static const struct meaning shmat_flags[] = {
	{ 010000, "SHM_RDONLY" }, { 020000, "SHM_RND" }, { 040000, "SHM_REMAP" }, { 0100000, "SHM_EXEC" }, { 0, NULL },
};
static const struct meaning message_flags[] = {
	{ 04000, "IPC_NOWAIT" }, { 010000, "MSG_NOERROR" }, { 020000, "MSG_EXCEPT" }, { 040000, "MSG_COPY" }, { 0, NULL },
};
static const struct meaning keys[] = { { 0, "IPC_PRIVATE" }, { 0, NULL } };
static const struct meaning shm_commands[] = {
	{ 0, "IPC_RMID" }, { 1, "IPC_SET" }, { 2, "IPC_STAT" }, { 3, "IPC_INFO" }, { 11, "SHM_LOCK" }, { 12, "SHM_UNLOCK" },
	{ 13, "SHM_STAT" }, { 14, "SHM_INFO" }, { 15, "SHM_STAT_ANY" }, { 0, NULL },
};
static const struct meaning sem_commands[] = {
	{ 0, "IPC_RMID" }, { 1, "IPC_SET" }, { 2, "IPC_STAT" }, { 3, "IPC_INFO" }, { 11, "GETPID" }, { 12, "GETVAL" }, { 13, "GETALL" },
	{ 14, "GETNCNT" }, { 15, "GETZCNT" }, { 16, "SETVAL" }, { 17, "SETALL" }, { 18, "SEM_STAT" }, { 19, "SEM_INFO" },
	{ 20, "SEM_STAT_ANY" }, { 0, NULL },
};
static const struct meaning message_commands[] = {
	{ 0, "IPC_RMID" }, { 1, "IPC_SET" }, { 2, "IPC_STAT" }, { 3, "IPC_INFO" }, { 11, "MSG_STAT" }, { 12, "MSG_INFO" },
	{ 13, "MSG_STAT_ANY" }, { 0, NULL },
};
static const struct meaning barriers[] = {
	{ 0, "MEMBARRIER_CMD_QUERY" }, { 1, "MEMBARRIER_CMD_GLOBAL" }, { 2, "MEMBARRIER_CMD_GLOBAL_EXPEDITED" },
	{ 4, "MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED" }, { 8, "MEMBARRIER_CMD_PRIVATE_EXPEDITED" },
	{ 16, "MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED" }, { 32, "MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE" },
	{ 64, "MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE" }, { 128, "MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ" },
	{ 256, "MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ" }, { 512, "MEMBARRIER_CMD_GET_REGISTRATIONS" }, { 0, NULL },
};
static const struct meaning barrier_flags[] = { { 1, "MEMBARRIER_CMD_FLAG_CPU" }, { 0, NULL } };
static const struct meaning lock_flags[] = { { 1, "MCL_CURRENT" }, { 2, "MCL_FUTURE" }, { 4, "MCL_ONFAULT" }, { 0, NULL } };
static const struct meaning allocations[] = {
	{ 0x1, "FALLOC_FL_KEEP_SIZE" }, { 0x2, "FALLOC_FL_PUNCH_HOLE" }, { 0x4, "FALLOC_FL_NO_HIDE_STALE" },
	{ 0x8, "FALLOC_FL_COLLAPSE_RANGE" }, { 0x10, "FALLOC_FL_ZERO_RANGE" }, { 0x20, "FALLOC_FL_INSERT_RANGE" },
	{ 0x40, "FALLOC_FL_UNSHARE_RANGE" }, { 0, NULL },
};
static const struct meaning seccomp_modes[] = { { 1, "SECCOMP_MODE_STRICT" }, { 2, "SECCOMP_MODE_FILTER" }, { 0, NULL } };
/* clang-format on */

/* The shape of an argument: one word of a table, flags, or flags with the permissions of a file. */
enum shape { WORD, FLAGS, FLAGS_AND_MODE };

static const struct row {
	const char *call;
	unsigned int i;
	enum shape shape;
	const struct meaning *words;
} rows[] = {
	{ "shmget", 0, WORD, keys },
	{ "semget", 0, WORD, keys },
	{ "msgget", 0, WORD, keys },
	{ "shmget", 2, FLAGS_AND_MODE, shm_flags },
	{ "semget", 2, FLAGS_AND_MODE, ipc_flags },
	{ "msgget", 1, FLAGS_AND_MODE, ipc_flags },
	{ "shmctl", 1, WORD, shm_commands },
	{ "semctl", 2, WORD, sem_commands },
	{ "msgctl", 1, WORD, message_commands },
	{ "shmat", 2, FLAGS, shmat_flags },
	{ "msgsnd", 3, FLAGS, message_flags },
	{ "msgrcv", 4, FLAGS, message_flags },
	{ "mlockall", 0, FLAGS, lock_flags },
	{ "fallocate", 1, FLAGS, allocations },
	{ "membarrier", 0, WORD, barriers },
	{ "membarrier", 1, FLAGS, barrier_flags },
	{ "setxattr", 4, FLAGS, xattr_flags },
	{ "lsetxattr", 4, FLAGS, xattr_flags },
	{ "fsetxattr", 4, FLAGS, xattr_flags },
	{ "inotify_add_watch", 2, FLAGS, inotify_masks },
	{ "perf_event_open", 4, FLAGS, perf_flags },
	{ "bpf", 0, WORD, bpf_commands },
	{ "io_uring_enter", 3, FLAGS, uring_enters },
	{ "io_uring_register", 1, WORD, uring_registers },
	{ "seccomp", 0, WORD, seccomp_operations },
	{ "sched_setscheduler", 1, WORD, policies },
	{ "sched_get_priority_max", 0, WORD, policies },
	{ "sched_get_priority_min", 0, WORD, policies },
	{ "open_tree", 2, FLAGS, tree_flags },
	{ "move_mount", 4, FLAGS, mount_moves },
	{ "fsopen", 1, FLAGS, fsopen_flags },
	{ "fsmount", 1, FLAGS, fsmount_flags },
	{ "fsmount", 2, FLAGS, mount_attributes },
	{ "fspick", 2, FLAGS, fspick_flags },
	{ "fsconfig", 1, WORD, fsconfig_commands },
	{ "mount_setattr", 2, FLAGS, mount_at_flags },
	{ "sync_file_range", 3, FLAGS, file_ranges },
	{ "mlock2", 2, FLAGS, mlock_flags },
	{ "timerfd_create", 1, FLAGS, timerfd_flags },
	{ "ioprio_get", 0, WORD, ioprio_whos },
	{ "ioprio_set", 0, WORD, ioprio_whos },
	{ "userfaultfd", 0, FLAGS, userfaultfd_flags },
	{ "finit_module", 2, FLAGS, module_flags },
};

/* The ioctls that have no argument, and those whose argument is a number or an address. */
enum { NO_ARGUMENT, NUMBER, ADDRESS };
static const struct {
	uint32_t command;
	int argument;
} ioctls[] = {
	{ 0x5451, NO_ARGUMENT }, { 0x5450, NO_ARGUMENT }, { 0x5422, NO_ARGUMENT }, { 0x540c, NO_ARGUMENT }, { 0x540d, NO_ARGUMENT }, { 0x5409, NUMBER },
	{ 0x540e, NUMBER },	 { 0x5425, NUMBER },	  { 0x5401, ADDRESS },	   { 0x5402, ADDRESS },	    { 0x5403, ADDRESS },     { 0x5404, ADDRESS },
	{ 0x540f, ADDRESS },	 { 0x5410, ADDRESS },	  { 0x5413, ADDRESS },	   { 0x4c00, NUMBER },	    { 0x40049409, NUMBER },  { 0x5414, ADDRESS },
	{ 0x541b, ADDRESS },	 { 0x5421, ADDRESS },	  { 0x5452, ADDRESS },
};

/* Adds permissions as strace prints them, with at least three digits. */
static void add_mode(uint32_t mode, struct str *out)
{
	str_addf(out, "%#03o", mode);
}

static bool add_row(const struct row *row, uint32_t value, struct str *out)
{
	enum { MODE = 0777 };
	struct syscall_words words = { .n = 0 };
	const uint32_t flags = row->shape == FLAGS_AND_MODE ? value & ~(uint32_t)MODE : value;

	if (row->shape == WORD && !meaning_of(row->words, value))
		return false;
	if (row->shape == WORD)
		words_meaning(&words, row->words, value);
	else if (flags || row->shape == FLAGS)
		words_flags(&words, row->words, flags);
	str_add(out, words.at);
	if (row->shape != FLAGS_AND_MODE)
		return true;
	str_add(out, flags ? "|" : "");
	add_mode(value & MODE, out);
	return true;
}

static bool add_file_mode(uint32_t mode, struct str *out)
{
	enum { TYPE = 0170000, BITS = 07000 };
	const char *type = meaning_of(file_types, mode & TYPE);
	struct syscall_words words = { .n = 0 };

	if (!type)
		return false;
	str_addf(out, "%s|", type);
	if (mode & BITS) {
		words_flags(&words, mode_bits, mode & BITS);
		str_addf(out, "%s|", words.at);
	}
	add_mode(mode & ~(uint32_t)(TYPE | BITS), out);
	return true;
}

/* Adds a device number in the form that system calls take. */
static void add_device(uint32_t value, struct str *out)
{
	str_addf(out, "makedev(%#x, %#x)", value >> 8 & 0xfff, (value & 0xff) | (value >> 12 & 0xfff00));
}

/* Adds an ioctl without a name by the parts of its number (the kernel's asm-generic/ioctl.h). */
static bool add_ioctl(uint32_t command, struct str *out)
{
	static const char *const directions[] = { "_IOC_NONE", "_IOC_WRITE", "_IOC_READ", "_IOC_READ|_IOC_WRITE" };

	if (meaning_of(ioctl_names, command))
		return false;
	str_addf(out, "_IOC(%s, %#x, %#x, %#x)", directions[command >> 30], command >> 8 & 0xff, command & 0xff, command >> 16 & 0x3fff);
	return true;
}

static bool add_ioctl_argument(uint32_t command, uint64_t value, struct str *out)
{
	for (size_t i = 0; i < ARRAY_LEN(ioctls); i++) {
		if (ioctls[i].command != command || ioctls[i].argument == NO_ARGUMENT || (ioctls[i].argument == ADDRESS && value))
			continue;
		if (ioctls[i].argument == ADDRESS)
			str_add(out, "NULL");
		else
			str_addf(out, "%d", (int32_t)value);
		return true;
	}
	return false;
}

static bool add_prctl(const struct syscall_open *call, unsigned int i, struct str *out)
{
	enum { SET_PDEATHSIG = 1, SET_SECCOMP = 22, SET_TIMERSLACK = 29, SET_CHILD_SUBREAPER = 36, SET_NO_NEW_PRIVS = 38, SET_THP_DISABLE = 41 };
	const uint32_t option = (uint32_t)call->args[0];
	const char *mode = i == 1 && option == SET_SECCOMP ? meaning_of(seccomp_modes, call->args[1]) : NULL;

	if (i == 1 && option == SET_PDEATHSIG && call->args[1])
		mode = meaning_of(signal_names, call->args[1]);
	if (mode)
		str_add(out, mode);
	else if (i == 1 && (option == SET_TIMERSLACK || option == SET_CHILD_SUBREAPER || option == SET_NO_NEW_PRIVS || option == SET_THP_DISABLE))
		str_addf(out, "%" PRIu64, call->args[1]);
	else
		return false;
	return true;
}

bool syscall_named_arg(const struct syscall_open *call, unsigned int i, struct str *out)
{
	enum { CHARACTER = 0020000, BLOCK = 0060000, TYPE = 0170000 };
	const unsigned int mode = syscall_is(call, "mknodat") ? 2 : 1;
	const uint32_t value = (uint32_t)call->args[i];

	if (!call->call || !call->call->known)
		return false;
	for (size_t n = 0; n < ARRAY_LEN(rows); n++)
		if (rows[n].i == i && syscall_is(call, rows[n].call))
			return add_row(&rows[n], value, out);
	if (syscall_is(call, "mknod") || syscall_is(call, "mknodat")) {
		if (i == mode)
			return add_file_mode(value, out);
		if (i == mode + 1 && ((call->args[mode] & TYPE) == CHARACTER || (call->args[mode] & TYPE) == BLOCK))
			return add_device(value, out), true;
	}
	if (syscall_is(call, "ioctl"))
		return i == 1 ? add_ioctl(value, out) : i == 2 && add_ioctl_argument((uint32_t)call->args[1], call->args[2], out);
	return syscall_is(call, "prctl") && add_prctl(call, i, out);
}

bool syscall_named_unused(const struct syscall_open *call, unsigned int i)
{
	enum { CHARACTER = 0020000, BLOCK = 0060000, TYPE = 0170000, FLAG_CPU = 1 };
	const unsigned int mode = syscall_is(call, "mknodat") ? 2 : 1;

	if (syscall_is(call, "mknod") || syscall_is(call, "mknodat"))
		return i == mode + 1 && (call->args[mode] & TYPE) != CHARACTER && (call->args[mode] & TYPE) != BLOCK;
	if (syscall_is(call, "membarrier"))
		return i == 2 && !(call->args[1] & FLAG_CPU);
	for (size_t n = 0; i == 2 && syscall_is(call, "ioctl") && n < ARRAY_LEN(ioctls); n++)
		if (ioctls[n].command == (uint32_t)call->args[1])
			return ioctls[n].argument == NO_ARGUMENT;
	return false;
}
