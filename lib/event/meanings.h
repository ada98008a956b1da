/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lists names of numbers that the kernel's events show: errors, signals and flags of sigaction(), with the numbers that x86 and most other machines use.
 * Each file that includes this header has the tables as constants of its own. The reason is that ringside's plug-ins for libtraceevent (plugins/) also include
 * the header, but are not linked with the code in lib/.
 */
#ifndef RINGSIDE_MEANINGS_H
#define RINGSIDE_MEANINGS_H

#include "lib/base/base.h"

/* This is a number and its name. Tables end with a row without a name. */
struct meaning {
	uint64_t value;
	const char *name;
};

/* Returns the name of a number, or NULL when it has none. */
__unused static const char *meaning_of(const struct meaning *m, uint64_t value)
{
	for (; m->name; m++)
		if (m->value == value)
			return m->name;
	return NULL;
}

/* Programs never see the errors from 512 on, but traces show them. */
/* clang-format off */
__unused static const struct meaning errno_names[] = {
	{ 1, "EPERM" }, { 2, "ENOENT" }, { 3, "ESRCH" }, { 4, "EINTR" }, { 5, "EIO" },
	{ 6, "ENXIO" }, { 7, "E2BIG" }, { 8, "ENOEXEC" }, { 9, "EBADF" }, { 10, "ECHILD" },
	{ 11, "EAGAIN" }, { 12, "ENOMEM" }, { 13, "EACCES" }, { 14, "EFAULT" }, { 15, "ENOTBLK" },
	{ 16, "EBUSY" }, { 17, "EEXIST" }, { 18, "EXDEV" }, { 19, "ENODEV" }, { 20, "ENOTDIR" },
	{ 21, "EISDIR" }, { 22, "EINVAL" }, { 23, "ENFILE" }, { 24, "EMFILE" }, { 25, "ENOTTY" },
	{ 26, "ETXTBSY" }, { 27, "EFBIG" }, { 28, "ENOSPC" }, { 29, "ESPIPE" }, { 30, "EROFS" },
	{ 31, "EMLINK" }, { 32, "EPIPE" }, { 33, "EDOM" }, { 34, "ERANGE" }, { 35, "EDEADLK" },
	{ 36, "ENAMETOOLONG" }, { 37, "ENOLCK" }, { 38, "ENOSYS" }, { 39, "ENOTEMPTY" },
	{ 40, "ELOOP" }, { 42, "ENOMSG" }, { 43, "EIDRM" }, { 44, "ECHRNG" }, { 45, "EL2NSYNC" },
	{ 46, "EL3HLT" }, { 47, "EL3RST" }, { 48, "ELNRNG" }, { 49, "EUNATCH" }, { 50, "ENOCSI" },
	{ 51, "EL2HLT" }, { 52, "EBADE" }, { 53, "EBADR" }, { 54, "EXFULL" }, { 55, "ENOANO" },
	{ 56, "EBADRQC" }, { 57, "EBADSLT" }, { 59, "EBFONT" }, { 60, "ENOSTR" },
	{ 61, "ENODATA" }, { 62, "ETIME" }, { 63, "ENOSR" }, { 64, "ENONET" }, { 65, "ENOPKG" },
	{ 66, "EREMOTE" }, { 67, "ENOLINK" }, { 68, "EADV" }, { 69, "ESRMNT" }, { 70, "ECOMM" },
	{ 71, "EPROTO" }, { 72, "EMULTIHOP" }, { 73, "EDOTDOT" }, { 74, "EBADMSG" },
	{ 75, "EOVERFLOW" }, { 76, "ENOTUNIQ" }, { 77, "EBADFD" }, { 78, "EREMCHG" },
	{ 79, "ELIBACC" }, { 80, "ELIBBAD" }, { 81, "ELIBSCN" }, { 82, "ELIBMAX" },
	{ 83, "ELIBEXEC" }, { 84, "EILSEQ" }, { 85, "ERESTART" }, { 86, "ESTRPIPE" },
	{ 87, "EUSERS" }, { 88, "ENOTSOCK" }, { 89, "EDESTADDRREQ" }, { 90, "EMSGSIZE" },
	{ 91, "EPROTOTYPE" }, { 92, "ENOPROTOOPT" }, { 93, "EPROTONOSUPPORT" },
	{ 94, "ESOCKTNOSUPPORT" }, { 95, "EOPNOTSUPP" }, { 96, "EPFNOSUPPORT" },
	{ 97, "EAFNOSUPPORT" }, { 98, "EADDRINUSE" }, { 99, "EADDRNOTAVAIL" },
	{ 100, "ENETDOWN" }, { 101, "ENETUNREACH" }, { 102, "ENETRESET" },
	{ 103, "ECONNABORTED" }, { 104, "ECONNRESET" }, { 105, "ENOBUFS" }, { 106, "EISCONN" },
	{ 107, "ENOTCONN" }, { 108, "ESHUTDOWN" }, { 109, "ETOOMANYREFS" }, { 110, "ETIMEDOUT" },
	{ 111, "ECONNREFUSED" }, { 112, "EHOSTDOWN" }, { 113, "EHOSTUNREACH" },
	{ 114, "EALREADY" }, { 115, "EINPROGRESS" }, { 116, "ESTALE" }, { 117, "EUCLEAN" },
	{ 118, "ENOTNAM" }, { 119, "ENAVAIL" }, { 120, "EISNAM" }, { 121, "EREMOTEIO" },
	{ 122, "EDQUOT" }, { 123, "ENOMEDIUM" }, { 124, "EMEDIUMTYPE" }, { 125, "ECANCELED" },
	{ 126, "ENOKEY" }, { 127, "EKEYEXPIRED" }, { 128, "EKEYREVOKED" },
	{ 129, "EKEYREJECTED" }, { 130, "EOWNERDEAD" }, { 131, "ENOTRECOVERABLE" },
	{ 132, "ERFKILL" }, { 133, "EHWPOISON" }, { 512, "ERESTARTSYS" },
	{ 513, "ERESTARTNOINTR" }, { 514, "ERESTARTNOHAND" }, { 515, "ENOIOCTLCMD" },
	{ 516, "ERESTART_RESTARTBLOCK" }, { 517, "EPROBE_DEFER" }, { 518, "EOPENSTALE" },
	{ 519, "ENOPARAM" }, { 524, "ENOTSUPP" }, { 529, "EIOCBQUEUED" }, { 0, NULL },
};
/* clang-format on */

__unused static const struct meaning signal_names[] = {
	{ 1, "SIGHUP" },   { 2, "SIGINT" },	{ 3, "SIGQUIT" },  { 4, "SIGILL" },   { 5, "SIGTRAP" },	   { 6, "SIGABRT" },  { 7, "SIGBUS" },
	{ 8, "SIGFPE" },   { 9, "SIGKILL" },	{ 10, "SIGUSR1" }, { 11, "SIGSEGV" }, { 12, "SIGUSR2" },   { 13, "SIGPIPE" }, { 14, "SIGALRM" },
	{ 15, "SIGTERM" }, { 16, "SIGSTKFLT" }, { 17, "SIGCHLD" }, { 18, "SIGCONT" }, { 19, "SIGSTOP" },   { 20, "SIGTSTP" }, { 21, "SIGTTIN" },
	{ 22, "SIGTTOU" }, { 23, "SIGURG" },	{ 24, "SIGXCPU" }, { 25, "SIGXFSZ" }, { 26, "SIGVTALRM" }, { 27, "SIGPROF" }, { 28, "SIGWINCH" },
	{ 29, "SIGIO" },   { 30, "SIGPWR" },	{ 31, "SIGSYS" },  { 0, NULL },
};

__unused static const struct meaning sigaction_flags[] = {
	{ 0x80000000, "SA_RESETHAND" }, { 0x40000000, "SA_NODEFER" },
	{ 0x10000000, "SA_RESTART" },	{ 0x08000000, "SA_ONSTACK" },
	{ 0x04000000, "SA_RESTORER" },	{ 0x1, "SA_NOCLDSTOP" },
	{ 0x2, "SA_NOCLDWAIT" },	{ 0x4, "SA_SIGINFO" },
	{ 0x800, "SA_EXPOSE_TAGBITS" }, { 0, NULL },
};

#endif
