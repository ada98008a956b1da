/* clang-format off */
/* SPDX-License-Identifier: GPL-2.0 */
/* Names the values that arguments of system calls have on x86-64 (the kernel's include/uapi). */
#ifndef RINGSIDE_SYSCALLS_ARGS_H
#define RINGSIDE_SYSCALLS_ARGS_H

#include "lib/event/meanings.h"

/*
 * This tells how an argument is shown:
 *  - ARG_HEX and ARG_HEX32 are hexadecimal numbers of 64 and 32 bits.
 *  - ARG_PTR is an address. 0 is shown as NULL.
 *  - ARG_INT is a signed number of 32 bits, and ARG_UINT is an unsigned number of 32 bits.
 *  - ARG_NUM is a signed number of 64 bits, and ARG_SIZE is an unsigned number of 64 bits.
 *  - ARG_ID is the id of a user or a group, an unsigned number of 32 bits. The largest value, "none", is shown as -1.
 *  - ARG_OCT is an octal number of 32 bits.
 *  - ARG_FD is a file descriptor, or AT_FDCWD.
 *  - ARG_SIG is a signal. The names of signals are in lib/event/meanings.h.
 *  - ARG_IOCTL is the number of an ioctl. The names of ioctls are in lib/event/syscalls-ioctl.h.
 *  - The other kinds, from ARG_OPEN on, are values or flags whose names are in this file.
 */
enum arg_kind {
	ARG_HEX, ARG_HEX32, ARG_PTR, ARG_INT, ARG_UINT, ARG_NUM, ARG_SIZE, ARG_ID, ARG_OCT, ARG_FD, ARG_SIG, ARG_OPEN, ARG_FDFLAGS, ARG_PROT, ARG_MAP,
	ARG_FUTEX, ARG_FAMILY, ARG_SOCKTYPE, ARG_IPPROTO, ARG_SOLEVEL, ARG_MSG, ARG_SHUT, ARG_CLONE,
	ARG_SIGHOW, ARG_WHENCE, ARG_ACCESS, ARG_MREMAP, ARG_MSYNC, ARG_MADVISE, ARG_AT, ARG_WAIT,
	ARG_IDTYPE, ARG_FCNTL, ARG_FLOCK, ARG_RESOURCE, ARG_RUSAGE, ARG_PRCTL, ARG_ARCHPRCTL,
	ARG_MOUNT, ARG_UMOUNT, ARG_POLICY, ARG_EPOLLCREATE, ARG_EPOLLOP, ARG_CLOCKID, ARG_TIMER,
	ARG_TFD, ARG_EFD, ARG_RENAME, ARG_SPLICE, ARG_GRND, ARG_MEMFD, ARG_ITIMER, ARG_PTRACE, ARG_PRIO, ARG_CLOSERANGE,
	ARG_ACCEPT, ARG_SFD, ARG_INOTIFY, ARG_PIDFD, ARG_TFDTIMER, ARG_RWF, ARG_IOCTL,
};


static const struct meaning arg_open[] = {
	{ 0x410000, "O_TMPFILE" }, { 0x101000, "O_SYNC" }, { 0x40, "O_CREAT" }, { 0x80, "O_EXCL" },
	{ 0x100, "O_NOCTTY" }, { 0x200, "O_TRUNC" }, { 0x400, "O_APPEND" },
	{ 0x800, "O_NONBLOCK" }, { 0x1000, "O_DSYNC" }, { 0x2000, "FASYNC" },
	{ 0x4000, "O_DIRECT" }, { 0x8000, "O_LARGEFILE" }, { 0x10000, "O_DIRECTORY" }, { 0x20000, "O_NOFOLLOW" },
	{ 0x40000, "O_NOATIME" }, { 0x80000, "O_CLOEXEC" }, { 0x200000, "O_PATH" }, { 0, NULL },
};

static const struct meaning arg_fdflags[] = {
	{ 0x800, "O_NONBLOCK" }, { 0x4000, "O_DIRECT" }, { 0x80000, "O_CLOEXEC" }, { 0, NULL },
};

static const struct meaning arg_prot[] = {
	{ 0, "PROT_NONE" }, { 1, "PROT_READ" }, { 2, "PROT_WRITE" }, { 4, "PROT_EXEC" },
	{ 0x1000000, "PROT_GROWSDOWN" }, { 0x2000000, "PROT_GROWSUP" }, { 0, NULL },
};

/* clang-format off */
static const struct meaning arg_map[] = {
	{ 3, "MAP_SHARED_VALIDATE" }, { 1, "MAP_SHARED" }, { 2, "MAP_PRIVATE" },
	{ 0x10, "MAP_FIXED" }, { 0x20, "MAP_ANONYMOUS" }, { 0x40, "MAP_32BIT" },
	{ 0x100, "MAP_GROWSDOWN" }, { 0x800, "MAP_DENYWRITE" }, { 0x1000, "MAP_EXECUTABLE" },
	{ 0x2000, "MAP_LOCKED" }, { 0x4000, "MAP_NORESERVE" }, { 0x8000, "MAP_POPULATE" },
	{ 0x10000, "MAP_NONBLOCK" }, { 0x20000, "MAP_STACK" }, { 0x40000, "MAP_HUGETLB" },
	{ 0x80000, "MAP_SYNC" }, { 0x100000, "MAP_FIXED_NOREPLACE" }, { 0, NULL },
};
/* clang-format on */

/* clang-format off */
static const struct meaning arg_futex[] = {
	{ 0, "FUTEX_WAIT" }, { 1, "FUTEX_WAKE" }, { 2, "FUTEX_FD" }, { 3, "FUTEX_REQUEUE" },
	{ 4, "FUTEX_CMP_REQUEUE" }, { 5, "FUTEX_WAKE_OP" }, { 6, "FUTEX_LOCK_PI" },
	{ 7, "FUTEX_UNLOCK_PI" }, { 8, "FUTEX_TRYLOCK_PI" }, { 9, "FUTEX_WAIT_BITSET" },
	{ 10, "FUTEX_WAKE_BITSET" }, { 11, "FUTEX_WAIT_REQUEUE_PI" },
	{ 12, "FUTEX_CMP_REQUEUE_PI" }, { 13, "FUTEX_LOCK_PI2" }, { 0, NULL },
};
/* clang-format on */

static const struct meaning arg_family[] = {
	{ 0, "AF_UNSPEC" }, { 1, "AF_UNIX" },	  { 2, "AF_INET" },	{ 3, "AF_AX25" },	{ 4, "AF_IPX" },  { 5, "AF_APPLETALK" }, { 9, "AF_X25" },
	{ 10, "AF_INET6" }, { 15, "AF_KEY" },	  { 16, "AF_NETLINK" }, { 17, "AF_PACKET" },	{ 21, "AF_RDS" }, { 24, "AF_PPPOX" },	 { 26, "AF_LLC" },
	{ 27, "AF_IB" },    { 29, "AF_CAN" },	  { 30, "AF_TIPC" },	{ 31, "AF_BLUETOOTH" }, { 38, "AF_ALG" }, { 39, "AF_NFC" },	 { 40, "AF_VSOCK" },
	{ 41, "AF_KCM" },   { 42, "AF_QIPCRTR" }, { 43, "AF_SMC" },	{ 44, "AF_XDP" },	{ 0, NULL },
};

static const struct meaning arg_socktype[] = {
	{ 1, "SOCK_STREAM" },	 { 2, "SOCK_DGRAM" }, { 3, "SOCK_RAW" },     { 4, "SOCK_RDM" },
	{ 5, "SOCK_SEQPACKET" }, { 6, "SOCK_DCCP" },  { 10, "SOCK_PACKET" }, { 0, NULL },
};

static const struct meaning arg_ipproto[] = {
	{ 0, "IPPROTO_IP" },	 { 1, "IPPROTO_ICMP" },	     { 2, "IPPROTO_IGMP" },  { 6, "IPPROTO_TCP" },     { 17, "IPPROTO_UDP" },
	{ 41, "IPPROTO_IPV6" },	 { 47, "IPPROTO_GRE" },	     { 50, "IPPROTO_ESP" },  { 51, "IPPROTO_AH" },     { 58, "IPPROTO_ICMPV6" },
	{ 132, "IPPROTO_SCTP" }, { 136, "IPPROTO_UDPLITE" }, { 255, "IPPROTO_RAW" }, { 262, "IPPROTO_MPTCP" }, { 0, NULL },
};

static const struct meaning arg_solevel[] = {
	{ 0, "IPPROTO_IP" },	{ 1, "SOL_SOCKET" },   { 6, "IPPROTO_TCP" },   { 17, "IPPROTO_UDP" },
	{ 41, "IPPROTO_IPV6" }, { 263, "SOL_PACKET" }, { 270, "SOL_NETLINK" }, { 0, NULL },
};

/* clang-format off */
static const struct meaning arg_msg[] = {
	{ 1, "MSG_OOB" }, { 2, "MSG_PEEK" }, { 4, "MSG_DONTROUTE" }, { 8, "MSG_CTRUNC" },
	{ 0x20, "MSG_TRUNC" }, { 0x40, "MSG_DONTWAIT" }, { 0x80, "MSG_EOR" },
	{ 0x100, "MSG_WAITALL" }, { 0x800, "MSG_CONFIRM" }, { 0x2000, "MSG_ERRQUEUE" },
	{ 0x4000, "MSG_NOSIGNAL" }, { 0x8000, "MSG_MORE" }, { 0x10000, "MSG_WAITFORONE" },
	{ 0x4000000, "MSG_ZEROCOPY" }, { 0x20000000, "MSG_FASTOPEN" },
	{ 0x40000000, "MSG_CMSG_CLOEXEC" }, { 0, NULL },
};
/* clang-format on */

static const struct meaning arg_shut[] = {
	{ 0, "SHUT_RD" },
	{ 1, "SHUT_WR" },
	{ 2, "SHUT_RDWR" },
	{ 0, NULL },
};

/* clang-format off */
static const struct meaning arg_clone[] = {
	{ 0x100, "CLONE_VM" }, { 0x200, "CLONE_FS" }, { 0x400, "CLONE_FILES" },
	{ 0x800, "CLONE_SIGHAND" }, { 0x1000, "CLONE_PIDFD" }, { 0x2000, "CLONE_PTRACE" },
	{ 0x4000, "CLONE_VFORK" }, { 0x8000, "CLONE_PARENT" }, { 0x10000, "CLONE_THREAD" },
	{ 0x20000, "CLONE_NEWNS" }, { 0x40000, "CLONE_SYSVSEM" }, { 0x80000, "CLONE_SETTLS" },
	{ 0x100000, "CLONE_PARENT_SETTID" }, { 0x200000, "CLONE_CHILD_CLEARTID" },
	{ 0x400000, "CLONE_DETACHED" }, { 0x800000, "CLONE_UNTRACED" },
	{ 0x1000000, "CLONE_CHILD_SETTID" }, { 0x2000000, "CLONE_NEWCGROUP" },
	{ 0x4000000, "CLONE_NEWUTS" }, { 0x8000000, "CLONE_NEWIPC" },
	{ 0x10000000, "CLONE_NEWUSER" }, { 0x20000000, "CLONE_NEWPID" },
	{ 0x40000000, "CLONE_NEWNET" }, { 0x80000000, "CLONE_IO" }, { 0, NULL },
};
/* clang-format on */

static const struct meaning arg_sighow[] = {
	{ 0, "SIG_BLOCK" },
	{ 1, "SIG_UNBLOCK" },
	{ 2, "SIG_SETMASK" },
	{ 0, NULL },
};

static const struct meaning arg_whence[] = {
	{ 0, "SEEK_SET" }, { 1, "SEEK_CUR" }, { 2, "SEEK_END" }, { 3, "SEEK_DATA" }, { 4, "SEEK_HOLE" }, { 0, NULL },
};

static const struct meaning arg_access[] = {
	{ 0, "F_OK" }, { 4, "R_OK" }, { 2, "W_OK" }, { 1, "X_OK" }, { 0, NULL },
};

static const struct meaning arg_mremap[] = {
	{ 1, "MREMAP_MAYMOVE" },
	{ 2, "MREMAP_FIXED" },
	{ 4, "MREMAP_DONTUNMAP" },
	{ 0, NULL },
};

static const struct meaning arg_msync[] = {
	{ 1, "MS_ASYNC" },
	{ 2, "MS_INVALIDATE" },
	{ 4, "MS_SYNC" },
	{ 0, NULL },
};

static const struct meaning arg_madvise[] = {
	{ 0, "MADV_NORMAL" },		{ 1, "MADV_RANDOM" },	      { 2, "MADV_SEQUENTIAL" },
	{ 3, "MADV_WILLNEED" },		{ 4, "MADV_DONTNEED" },	      { 8, "MADV_FREE" },
	{ 9, "MADV_REMOVE" },		{ 10, "MADV_DONTFORK" },      { 11, "MADV_DOFORK" },
	{ 12, "MADV_MERGEABLE" },	{ 13, "MADV_UNMERGEABLE" },   { 14, "MADV_HUGEPAGE" },
	{ 15, "MADV_NOHUGEPAGE" },	{ 16, "MADV_DONTDUMP" },      { 17, "MADV_DODUMP" },
	{ 18, "MADV_WIPEONFORK" },	{ 19, "MADV_KEEPONFORK" },    { 20, "MADV_COLD" },
	{ 21, "MADV_PAGEOUT" },		{ 22, "MADV_POPULATE_READ" }, { 23, "MADV_POPULATE_WRITE" },
	{ 24, "MADV_DONTNEED_LOCKED" }, { 25, "MADV_COLLAPSE" },      { 0, NULL },
};

static const struct meaning arg_at[] = {
	{ 0x100, "AT_SYMLINK_NOFOLLOW" }, { 0x200, "AT_REMOVEDIR" },	     { 0x400, "AT_SYMLINK_FOLLOW" },   { 0x800, "AT_NO_AUTOMOUNT" },
	{ 0x1000, "AT_EMPTY_PATH" },	  { 0x2000, "AT_STATX_FORCE_SYNC" }, { 0x4000, "AT_STATX_DONT_SYNC" }, { 0, NULL },
};

static const struct meaning arg_wait[] = {
	{ 1, "WNOHANG" },	  { 2, "WUNTRACED" },	      { 4, "WEXITED" }, { 8, "WCONTINUED" }, { 0x1000000, "WNOWAIT" }, { 0x20000000, "__WNOTHREAD" },
	{ 0x40000000, "__WALL" }, { 0x80000000, "__WCLONE" }, { 0, NULL },
};

static const struct meaning arg_idtype[] = {
	{ 0, "P_ALL" }, { 1, "P_PID" }, { 2, "P_PGID" }, { 3, "P_PIDFD" }, { 0, NULL },
};

/* clang-format off */
static const struct meaning arg_fcntl[] = {
	{ 0, "F_DUPFD" }, { 1, "F_GETFD" }, { 2, "F_SETFD" }, { 3, "F_GETFL" }, { 4, "F_SETFL" },
	{ 5, "F_GETLK" }, { 6, "F_SETLK" }, { 7, "F_SETLKW" }, { 8, "F_SETOWN" },
	{ 9, "F_GETOWN" }, { 10, "F_SETSIG" }, { 11, "F_GETSIG" }, { 15, "F_SETOWN_EX" },
	{ 16, "F_GETOWN_EX" }, { 36, "F_OFD_GETLK" }, { 37, "F_OFD_SETLK" },
	{ 38, "F_OFD_SETLKW" }, { 1024, "F_SETLEASE" }, { 1025, "F_GETLEASE" },
	{ 1026, "F_NOTIFY" }, { 1030, "F_DUPFD_CLOEXEC" }, { 1031, "F_SETPIPE_SZ" },
	{ 1032, "F_GETPIPE_SZ" }, { 1033, "F_ADD_SEALS" }, { 1034, "F_GET_SEALS" }, { 0, NULL },
};
/* clang-format on */

static const struct meaning arg_flock[] = {
	{ 1, "LOCK_SH" }, { 2, "LOCK_EX" }, { 4, "LOCK_NB" }, { 8, "LOCK_UN" }, { 0, NULL },
};

/* clang-format off */
static const struct meaning arg_resource[] = {
	{ 0, "RLIMIT_CPU" }, { 1, "RLIMIT_FSIZE" }, { 2, "RLIMIT_DATA" }, { 3, "RLIMIT_STACK" },
	{ 4, "RLIMIT_CORE" }, { 5, "RLIMIT_RSS" }, { 6, "RLIMIT_NPROC" }, { 7, "RLIMIT_NOFILE" },
	{ 8, "RLIMIT_MEMLOCK" }, { 9, "RLIMIT_AS" }, { 10, "RLIMIT_LOCKS" },
	{ 11, "RLIMIT_SIGPENDING" }, { 12, "RLIMIT_MSGQUEUE" }, { 13, "RLIMIT_NICE" },
	{ 14, "RLIMIT_RTPRIO" }, { 15, "RLIMIT_RTTIME" }, { 0, NULL },
};
/* clang-format on */

static const struct meaning arg_rusage[] = {
	{ 0, "RUSAGE_SELF" },
	{ (uint64_t)-1, "RUSAGE_CHILDREN" },
	{ 1, "RUSAGE_THREAD" },
	{ 0, NULL },
};

/* clang-format off */
static const struct meaning arg_prctl[] = {
	{ 1, "PR_SET_PDEATHSIG" }, { 2, "PR_GET_PDEATHSIG" }, { 3, "PR_GET_DUMPABLE" },
	{ 4, "PR_SET_DUMPABLE" }, { 7, "PR_GET_KEEPCAPS" }, { 8, "PR_SET_KEEPCAPS" },
	{ 15, "PR_SET_NAME" }, { 16, "PR_GET_NAME" }, { 21, "PR_GET_SECCOMP" },
	{ 22, "PR_SET_SECCOMP" }, { 23, "PR_CAPBSET_READ" }, { 24, "PR_CAPBSET_DROP" },
	{ 27, "PR_GET_SECUREBITS" }, { 28, "PR_SET_SECUREBITS" }, { 29, "PR_SET_TIMERSLACK" },
	{ 30, "PR_GET_TIMERSLACK" }, { 35, "PR_SET_MM" }, { 36, "PR_SET_CHILD_SUBREAPER" },
	{ 37, "PR_GET_CHILD_SUBREAPER" }, { 38, "PR_SET_NO_NEW_PRIVS" },
	{ 39, "PR_GET_NO_NEW_PRIVS" }, { 41, "PR_SET_THP_DISABLE" }, { 42, "PR_GET_THP_DISABLE" },
	{ 47, "PR_CAP_AMBIENT" }, { 52, "PR_GET_SPECULATION_CTRL" },
	{ 53, "PR_SET_SPECULATION_CTRL" }, { 0x53564d41, "PR_SET_VMA" },
	{ 0x59616d61, "PR_SET_PTRACER" }, { 0, NULL },
};
/* clang-format on */

static const struct meaning arg_archprctl[] = {
	{ 4097, "ARCH_SET_GS" },
	{ 4098, "ARCH_SET_FS" },
	{ 4099, "ARCH_GET_FS" },
	{ 4100, "ARCH_GET_GS" },
	{ 4113, "ARCH_GET_CPUID" },
	{ 4114, "ARCH_SET_CPUID" },
	{ 0, NULL },
};

/* clang-format off */
static const struct meaning arg_mount[] = {
	{ 0xc0ed0000, "MS_MGC_VAL" }, { 1, "MS_RDONLY" }, { 2, "MS_NOSUID" }, { 4, "MS_NODEV" }, { 8, "MS_NOEXEC" },
	{ 0x10, "MS_SYNCHRONOUS" }, { 0x20, "MS_REMOUNT" }, { 0x40, "MS_MANDLOCK" },
	{ 0x80, "MS_DIRSYNC" }, { 0x400, "MS_NOATIME" }, { 0x800, "MS_NODIRATIME" },
	{ 0x1000, "MS_BIND" }, { 0x2000, "MS_MOVE" }, { 0x4000, "MS_REC" },
	{ 0x8000, "MS_SILENT" }, { 0x20000, "MS_UNBINDABLE" }, { 0x40000, "MS_PRIVATE" },
	{ 0x80000, "MS_SLAVE" }, { 0x100000, "MS_SHARED" }, { 0x200000, "MS_RELATIME" },
	{ 0x1000000, "MS_STRICTATIME" }, { 0x2000000, "MS_LAZYTIME" }, { 0, NULL },
};
/* clang-format on */

static const struct meaning arg_umount[] = {
	{ 1, "MNT_FORCE" }, { 2, "MNT_DETACH" }, { 4, "MNT_EXPIRE" }, { 8, "UMOUNT_NOFOLLOW" }, { 0, NULL },
};

static const struct meaning arg_policy[] = {
	{ 0, "SCHED_NORMAL" }, { 1, "SCHED_FIFO" }, { 2, "SCHED_RR" }, { 3, "SCHED_BATCH" }, { 5, "SCHED_IDLE" }, { 6, "SCHED_DEADLINE" }, { 0, NULL },
};

static const struct meaning arg_epollcreate[] = {
	{ 0x80000, "EPOLL_CLOEXEC" },
	{ 0, NULL },
};

static const struct meaning arg_epollop[] = {
	{ 1, "EPOLL_CTL_ADD" },
	{ 2, "EPOLL_CTL_DEL" },
	{ 3, "EPOLL_CTL_MOD" },
	{ 0, NULL },
};

static const struct meaning arg_clockid[] = {
	{ 0, "CLOCK_REALTIME" },	  { 1, "CLOCK_MONOTONIC" },	{ 2, "CLOCK_PROCESS_CPUTIME_ID" },
	{ 3, "CLOCK_THREAD_CPUTIME_ID" }, { 4, "CLOCK_MONOTONIC_RAW" }, { 5, "CLOCK_REALTIME_COARSE" },
	{ 6, "CLOCK_MONOTONIC_COARSE" },  { 7, "CLOCK_BOOTTIME" },	{ 8, "CLOCK_REALTIME_ALARM" },
	{ 9, "CLOCK_BOOTTIME_ALARM" },	  { 11, "CLOCK_TAI" },		{ 0, NULL },
};

static const struct meaning arg_timer[] = {
	{ 1, "TIMER_ABSTIME" },
	{ 0, NULL },
};

static const struct meaning arg_tfd[] = {
	{ 0x800, "TFD_NONBLOCK" },
	{ 0x80000, "TFD_CLOEXEC" },
	{ 0, NULL },
};

static const struct meaning arg_efd[] = {
	{ 1, "EFD_SEMAPHORE" },
	{ 0x800, "EFD_NONBLOCK" },
	{ 0x80000, "EFD_CLOEXEC" },
	{ 0, NULL },
};

static const struct meaning arg_rename[] = {
	{ 1, "RENAME_NOREPLACE" },
	{ 2, "RENAME_EXCHANGE" },
	{ 4, "RENAME_WHITEOUT" },
	{ 0, NULL },
};

static const struct meaning arg_splice[] = {
	{ 1, "SPLICE_F_MOVE" }, { 2, "SPLICE_F_NONBLOCK" }, { 4, "SPLICE_F_MORE" }, { 8, "SPLICE_F_GIFT" }, { 0, NULL },
};

static const struct meaning arg_grnd[] = {
	{ 1, "GRND_NONBLOCK" },
	{ 2, "GRND_RANDOM" },
	{ 4, "GRND_INSECURE" },
	{ 0, NULL },
};

static const struct meaning arg_memfd[] = {
	{ 1, "MFD_CLOEXEC" },
	{ 2, "MFD_ALLOW_SEALING" },
	{ 4, "MFD_HUGETLB" },
	{ 0, NULL },
};

static const struct meaning arg_itimer[] = {
	{ 0, "ITIMER_REAL" },
	{ 1, "ITIMER_VIRTUAL" },
	{ 2, "ITIMER_PROF" },
	{ 0, NULL },
};

/* clang-format off */
static const struct meaning arg_ptrace[] = {
	{ 0, "PTRACE_TRACEME" }, { 1, "PTRACE_PEEKTEXT" }, { 2, "PTRACE_PEEKDATA" },
	{ 3, "PTRACE_PEEKUSER" }, { 4, "PTRACE_POKETEXT" }, { 5, "PTRACE_POKEDATA" },
	{ 6, "PTRACE_POKEUSER" }, { 7, "PTRACE_CONT" }, { 8, "PTRACE_KILL" },
	{ 9, "PTRACE_SINGLESTEP" }, { 12, "PTRACE_GETREGS" }, { 13, "PTRACE_SETREGS" },
	{ 16, "PTRACE_ATTACH" }, { 17, "PTRACE_DETACH" }, { 24, "PTRACE_SYSCALL" },
	{ 16896, "PTRACE_SETOPTIONS" }, { 16897, "PTRACE_GETEVENTMSG" },
	{ 16898, "PTRACE_GETSIGINFO" }, { 16900, "PTRACE_GETREGSET" },
	{ 16901, "PTRACE_SETREGSET" }, { 16902, "PTRACE_SEIZE" }, { 16903, "PTRACE_INTERRUPT" },
	{ 16904, "PTRACE_LISTEN" }, { 0, NULL },
};
/* clang-format on */

static const struct meaning arg_prio[] = {
	{ 0, "PRIO_PROCESS" },
	{ 1, "PRIO_PGRP" },
	{ 2, "PRIO_USER" },
	{ 0, NULL },
};

static const struct meaning arg_closerange[] = {
	{ 2, "CLOSE_RANGE_UNSHARE" },
	{ 4, "CLOSE_RANGE_CLOEXEC" },
	{ 0, NULL },
};

static const struct meaning arg_accept[] = {
	{ 0x80000, "SOCK_CLOEXEC" },
	{ 0x800, "SOCK_NONBLOCK" },
	{ 0, NULL },
};

static const struct meaning arg_sfd[] = {
	{ 0x80000, "SFD_CLOEXEC" },
	{ 0x800, "SFD_NONBLOCK" },
	{ 0, NULL },
};

static const struct meaning arg_inotify[] = {
	{ 0x800, "IN_NONBLOCK" },
	{ 0x80000, "IN_CLOEXEC" },
	{ 0, NULL },
};

static const struct meaning arg_pidfd[] = {
	{ 0x800, "PIDFD_NONBLOCK" },
	{ 0, NULL },
};

static const struct meaning arg_tfdtimer[] = {
	{ 1, "TFD_TIMER_ABSTIME" },
	{ 2, "TFD_TIMER_CANCEL_ON_SET" },
	{ 0, NULL },
};

static const struct meaning arg_rwf[] = {
	{ 1, "RWF_HIPRI" }, { 2, "RWF_DSYNC" }, { 4, "RWF_SYNC" }, { 8, "RWF_NOWAIT" }, { 0x10, "RWF_APPEND" }, { 0, NULL },
};

/* Element i has the names for the kind i of enum arg_kind. Only kinds whose names are in this file may be looked up here. */
static const struct {
	const struct meaning *meanings;
	bool flags; /* true: each name stands for a bit; false: each name stands for a whole value */
} arg_tables[] = {
	[ARG_OPEN] = { arg_open, true },
	[ARG_FDFLAGS] = { arg_fdflags, true },
	[ARG_PROT] = { arg_prot, true },
	[ARG_MAP] = { arg_map, true },
	[ARG_FUTEX] = { arg_futex, false },
	[ARG_FAMILY] = { arg_family, false },
	[ARG_SOCKTYPE] = { arg_socktype, false },
	[ARG_IPPROTO] = { arg_ipproto, false },
	[ARG_SOLEVEL] = { arg_solevel, false },
	[ARG_MSG] = { arg_msg, true },
	[ARG_SHUT] = { arg_shut, false },
	[ARG_CLONE] = { arg_clone, true },
	[ARG_SIGHOW] = { arg_sighow, false },
	[ARG_WHENCE] = { arg_whence, false },
	[ARG_ACCESS] = { arg_access, true },
	[ARG_MREMAP] = { arg_mremap, true },
	[ARG_MSYNC] = { arg_msync, true },
	[ARG_MADVISE] = { arg_madvise, false },
	[ARG_AT] = { arg_at, true },
	[ARG_WAIT] = { arg_wait, true },
	[ARG_IDTYPE] = { arg_idtype, false },
	[ARG_FCNTL] = { arg_fcntl, false },
	[ARG_FLOCK] = { arg_flock, true },
	[ARG_RESOURCE] = { arg_resource, false },
	[ARG_RUSAGE] = { arg_rusage, false },
	[ARG_PRCTL] = { arg_prctl, false },
	[ARG_ARCHPRCTL] = { arg_archprctl, false },
	[ARG_MOUNT] = { arg_mount, true },
	[ARG_UMOUNT] = { arg_umount, true },
	[ARG_POLICY] = { arg_policy, false },
	[ARG_EPOLLCREATE] = { arg_epollcreate, true },
	[ARG_EPOLLOP] = { arg_epollop, false },
	[ARG_CLOCKID] = { arg_clockid, false },
	[ARG_TIMER] = { arg_timer, true },
	[ARG_TFD] = { arg_tfd, true },
	[ARG_EFD] = { arg_efd, true },
	[ARG_RENAME] = { arg_rename, true },
	[ARG_SPLICE] = { arg_splice, true },
	[ARG_GRND] = { arg_grnd, true },
	[ARG_MEMFD] = { arg_memfd, true },
	[ARG_ITIMER] = { arg_itimer, false },
	[ARG_PTRACE] = { arg_ptrace, false },
	[ARG_PRIO] = { arg_prio, false },
	[ARG_CLOSERANGE] = { arg_closerange, true },
	[ARG_ACCEPT] = { arg_accept, true },
	[ARG_SFD] = { arg_sfd, true },
	[ARG_INOTIFY] = { arg_inotify, true },
	[ARG_PIDFD] = { arg_pidfd, true },
	[ARG_TFDTIMER] = { arg_tfdtimer, true },
	[ARG_RWF] = { arg_rwf, true },
};

#endif
