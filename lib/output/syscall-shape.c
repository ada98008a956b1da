/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/syscall-shape.h"
#include "lib/event/syscalls-words.h"
#include "lib/output/signal-line.h"
#include "lib/output/syscall-sockets.h"

/* The flags of open() in strace's order, which is not the order of the bits. */
static const struct meaning open_flags[] = {
	{ 0x40, "O_CREAT" },	    { 0x80, "O_EXCL" },	       { 0x100, "O_NOCTTY" },
	{ 0x200, "O_TRUNC" },	    { 0x400, "O_APPEND" },     { 0x800, "O_NONBLOCK" },
	{ 0x101000, "O_SYNC" },	    { 0x1000, "O_DSYNC" },     { 0x4000, "O_DIRECT" },
	{ 0x8000, "O_LARGEFILE" },  { 0x20000, "O_NOFOLLOW" }, { 0x40000, "O_NOATIME" },
	{ 0x80000, "O_CLOEXEC" },   { 0x200000, "O_PATH" },    { 0x410000, "O_TMPFILE" },
	{ 0x10000, "O_DIRECTORY" }, { 0x2000, "FASYNC" },      { 0, NULL },
};
static const struct meaning socket_flags[] = { { 0x80000, "SOCK_CLOEXEC" }, { 0x800, "SOCK_NONBLOCK" }, { 0, NULL } };

/* clang-format off */
static const struct meaning statx_masks[] = {
	{ 0xfff, "STATX_ALL" }, { 0x7ff, "STATX_BASIC_STATS" }, { 0x1, "STATX_TYPE" }, { 0x2, "STATX_MODE" }, { 0x4, "STATX_NLINK" },
	{ 0x8, "STATX_UID" }, { 0x10, "STATX_GID" }, { 0x20, "STATX_ATIME" }, { 0x40, "STATX_MTIME" }, { 0x80, "STATX_CTIME" },
	{ 0x100, "STATX_INO" }, { 0x200, "STATX_SIZE" }, { 0x400, "STATX_BLOCKS" }, { 0x800, "STATX_BTIME" }, { 0x1000, "STATX_MNT_ID" },
	{ 0x2000, "STATX_DIOALIGN" }, { 0, NULL },
};
/* clang-format on */
static const struct meaning access_flags[] = {
	{ 0x100, "AT_SYMLINK_NOFOLLOW" },
	{ 0x200, "AT_EACCESS" },
	{ 0x1000, "AT_EMPTY_PATH" },
	{ 0, NULL },
};

static const struct meaning file_advices[] = {
	{ 0, "POSIX_FADV_NORMAL" },
	{ 1, "POSIX_FADV_RANDOM" },
	{ 2, "POSIX_FADV_SEQUENTIAL" },
	{ 3, "POSIX_FADV_WILLNEED" },
	{ 4, "POSIX_FADV_DONTNEED" },
	{ 5, "POSIX_FADV_NOREUSE" },
	{ 0, NULL },
};

/* How many arguments prctl() has, by its first argument. With other first arguments, all of them are shown. */
static const struct {
	uint32_t option;
	unsigned int n;
} prctls[] = {
	{ 1, 2 },  { 2, 2 },  { 3, 1 },	 { 4, 2 },  { 7, 1 },  { 8, 2 },  { 15, 2 }, { 16, 2 }, { 21, 1 }, { 23, 2 },
	{ 24, 2 }, { 27, 1 }, { 28, 2 }, { 29, 2 }, { 30, 1 }, { 36, 2 }, { 37, 2 }, { 52, 2 }, { 53, 3 }, { 0x59616d61, 2 },
};

enum {
	FUTEX_WAIT,
	FUTEX_WAKE,
	FUTEX_REQUEUE = 3,
	FUTEX_CMP_REQUEUE,
	FUTEX_LOCK_PI = 6,
	FUTEX_UNLOCK_PI,
	FUTEX_TRYLOCK_PI,
	FUTEX_WAIT_BITSET,
	FUTEX_WAKE_BITSET,
	FUTEX_LOCK_PI2 = 13,
	FUTEX_COMMAND = 127
};
enum { UADDR, OP, VAL, TIMEOUT, UADDR2, VAL3 }; /* the arguments of futex() */

/* Returns which arguments futex() has, as one bit for each. For an unknown operation, all bits are set. */
static unsigned int futex_args(uint32_t op)
{
	static const struct {
		uint32_t op;
		unsigned int args;
	} rows[] = {
		{ FUTEX_WAIT, 1 << UADDR | 1 << OP | 1 << VAL | 1 << TIMEOUT },
		{ FUTEX_WAKE, 1 << UADDR | 1 << OP | 1 << VAL },
		{ FUTEX_REQUEUE, 1 << UADDR | 1 << OP | 1 << VAL | 1 << TIMEOUT | 1 << UADDR2 },
		{ FUTEX_LOCK_PI, 1 << UADDR | 1 << OP | 1 << TIMEOUT },
		{ FUTEX_LOCK_PI2, 1 << UADDR | 1 << OP | 1 << TIMEOUT },
		{ FUTEX_UNLOCK_PI, 1 << UADDR | 1 << OP },
		{ FUTEX_TRYLOCK_PI, 1 << UADDR | 1 << OP },
		{ FUTEX_WAIT_BITSET, 1 << UADDR | 1 << OP | 1 << VAL | 1 << TIMEOUT | 1 << VAL3 },
		{ FUTEX_WAKE_BITSET, 1 << UADDR | 1 << OP | 1 << VAL | 1 << VAL3 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].op == (op & FUTEX_COMMAND))
			return rows[i].args;
	return ~0U;
}

bool syscall_shape_unused(const struct syscall_open *call, unsigned int i)
{
	enum { PR_SET_SECCOMP = 22, SECCOMP_MODE_FILTER = 2, POS_HIGH = 4 /* is used on machines of 32 bits only */ };
	enum { NEW_ADDRESS = 4, MOVED = 3 /* MREMAP_MAYMOVE and MREMAP_FIXED */, ATTRIBUTES = 3, O_CREAT = 0x40 };

	if (syscall_is(call, "futex"))
		return !(futex_args((uint32_t)call->args[OP]) >> i & 1);
	if (syscall_is(call, "mremap"))
		return i == NEW_ADDRESS && (call->args[3] & MOVED) != MOVED;
	if (syscall_is(call, "mq_open"))
		return i == ATTRIBUTES && !(call->args[1] & O_CREAT);
	if (syscall_is(call, "preadv2") || syscall_is(call, "pwritev2"))
		return i == POS_HIGH;
	if (syscall_is(call, "prctl") && call->args[0] == PR_SET_SECCOMP)
		return i > 1 + (call->args[1] == SECCOMP_MODE_FILTER);
	for (size_t n = 0; syscall_is(call, "prctl") && n < ARRAY_LEN(prctls); n++)
		if (prctls[n].option == (uint32_t)call->args[0])
			return i >= prctls[n].n;
	return false;
}

/* For some operations of futex(), the fourth argument is a number in the place of the time, and the last one is a set of bits. */
static bool futex_arg(const struct syscall_open *call, unsigned int i, struct syscall_words *words)
{
	const uint32_t command = (uint32_t)call->args[OP] & FUTEX_COMMAND;

	if (i == TIMEOUT && (command == FUTEX_REQUEUE || command == FUTEX_CMP_REQUEUE))
		words_signed(words, (int64_t)call->args[i]);
	else if (i == VAL3 && (command == FUTEX_WAIT_BITSET || command == FUTEX_WAKE_BITSET) && (uint32_t)call->args[i] == UINT32_MAX)
		words_add(words, "FUTEX_BITSET_MATCH_ANY");
	else
		return false;
	return true;
}

static bool socket_option(const struct syscall_open *call, unsigned int i, struct syscall_words *words)
{
	static const struct {
		uint32_t level;
		const struct meaning *options;
	} levels[] = {
		{ 0, ip_options }, { 1, socket_options }, { 6, tcp_options }, { 41, ipv6_options }, { 270, netlink_options },
	};

	if (i == 1) {
		words_meaning(words, socket_levels, (uint64_t)(int32_t)call->args[i]);
		return true;
	}
	for (size_t n = 0; i == 2 && n < ARRAY_LEN(levels); n++) {
		if (levels[n].level != (uint32_t)call->args[1])
			continue;
		words_meaning(words, levels[n].options, (uint64_t)(int32_t)call->args[i]);
		return true;
	}
	return false;
}

/* Names the protocol of socket() for families whose protocols have their own names. Packet protocols are in network byte order. */
static bool socket_protocol(const struct syscall_open *call, uint32_t value, struct syscall_words *words)
{
	enum { NETLINK = 16, PACKET = 17 };
	const uint32_t family = (uint32_t)call->args[0], swapped = (value >> 8 & 0xff) | (value & 0xff) << 8;
	const char *name = family == NETLINK ? meaning_of(netlink_protocols, value) : NULL;

	if (family == PACKET && value <= UINT16_MAX)
		name = meaning_of(packet_protocols, swapped);
	if (!name)
		return false;
	words_add(words, family == PACKET ? "htons(" : "");
	words_add(words, name);
	words_add(words, family == PACKET ? ")" : "");
	return true;
}

static void open_words(struct syscall_words *words, uint32_t value)
{
	static const char *const modes[] = { "O_RDONLY", "O_WRONLY", "O_RDWR", "O_ACCMODE" };

	words_add(words, modes[value & 3]);
	if (!(value & ~3u))
		return;
	words_add(words, "|");
	words_flags(words, open_flags, value & ~3u);
}

/* Adds the flags of statx(). Two of the bits form one of three words, which is always shown. */
static void statx_words(struct syscall_words *words, uint32_t value)
{
	enum { SYNC = 0x6000, FORCE = 0x2000, DONT = 0x4000 };

	words_add(words, (value & SYNC) == FORCE  ? "AT_STATX_FORCE_SYNC"
			 : (value & SYNC) == DONT ? "AT_STATX_DONT_SYNC"
			 : (value & SYNC)	  ? "AT_STATX_FORCE_SYNC|AT_STATX_DONT_SYNC"
						  : "AT_STATX_SYNC_AS_STAT");
	if (!(value & ~(uint32_t)SYNC))
		return;
	words_add(words, "|");
	words_flags(words, arg_at, value & ~(uint32_t)SYNC);
}

/* Adds the words of an argument by its kind. */
static bool kind_words(const struct syscall_open *call, unsigned int i, struct syscall_words *words)
{
	enum { TYPE = 15 };
	const enum arg_kind kind = call->call && call->call->known ? call->call->args[i].kind : ARG_HEX;
	const uint32_t value = (uint32_t)call->args[i];

	if (kind == ARG_IPPROTO)
		return socket_protocol(call, value, words);
	if (kind == ARG_OPEN)
		open_words(words, value);
	else if (kind == ARG_SOCKTYPE && value & TYPE)
		words_mixed(words, arg_socktype, TYPE, socket_flags, value);
	else
		return false;
	return true;
}

bool syscall_shape_arg(const struct syscall_open *call, unsigned int i, struct str *out)
{
	enum { FIRST_OF_TIME = 32 };
	struct syscall_words words = { .n = 0 };
	bool told;

	if (call->call && call->call->known && call->call->args[i].kind == ARG_SIG && call->args[i] >= FIRST_OF_TIME && call->args[i] <= 64) {
		signal_name_text((int)call->args[i], out);
		return true;
	}
	if (syscall_is(call, "futex"))
		told = futex_arg(call, i, &words);
	else if (syscall_is(call, "setsockopt") || syscall_is(call, "getsockopt"))
		told = socket_option(call, i, &words);
	else if (syscall_is(call, "statx") && (told = i == 2))
		statx_words(&words, (uint32_t)call->args[i]);
	else if (syscall_is(call, "statx") && (told = i == 3))
		words_flags(&words, statx_masks, (uint32_t)call->args[i]);
	else if (syscall_is(call, "rseq") && (told = i == 1))
		words_number(&words, "0x", (uint32_t)call->args[i], 16);
	else if (syscall_is(call, "fadvise64") && (told = i == 3))
		words_meaning(&words, file_advices, (uint32_t)call->args[i]);
	else if (syscall_is(call, "faccessat2") && (told = i == 3))
		words_flags(&words, access_flags, (uint32_t)call->args[i]);
	else
		told = kind_words(call, i, &words);
	if (told)
		str_add(out, words.at);
	return told;
}

static void add_pointer(struct str *out, const char *name, uint64_t value)
{
	str_add(out, name);
	if (value)
		str_addf(out, "0x%" PRIx64, value);
	else
		str_add(out, "NULL");
}

bool syscall_shape_all(const struct syscall_open *call, struct str *out)
{
	enum { FLAGS, STACK, PARENT_TID, CHILD_TID, TLS, CLONE_SETTLS = 0x80000, CLONE_PARENT_SETTID = 0x100000, CLONE_CHILD_TIDS = 0x1200000 };
	struct syscall_words words = { .n = 0 };
	const uint64_t flags = call->args[FLAGS];

	if (!syscall_is(call, "clone") || call->nargs <= TLS)
		return false;
	add_pointer(out, "child_stack=", call->args[STACK]);
	syscall_arg_words(&words, ARG_CLONE, flags);
	str_addf(out, ", flags=%s", words.at);
	if (flags & CLONE_PARENT_SETTID)
		add_pointer(out, ", parent_tid=", call->args[PARENT_TID]);
	if (flags & CLONE_SETTLS)
		str_addf(out, ", tls=%#" PRIx64, call->args[TLS]);
	if (flags & CLONE_CHILD_TIDS)
		add_pointer(out, ", child_tidptr=", call->args[CHILD_TID]);
	return true;
}

bool syscall_shape_result(const struct syscall_open *call, int64_t result, struct str *out)
{
	enum { F_GETFD = 1, F_GETFL = 3 };
	struct syscall_words words = { .n = 0 };

	if (!syscall_is(call, "fcntl") || !call->has_entry || result < 0)
		return false;
	if (call->args[1] == F_GETFL) {
		open_words(&words, (uint32_t)result);
		str_addf(out, "%#" PRIx64 " (flags %s)", (uint64_t)result, words.at);
		return true;
	}
	if (call->args[1] != F_GETFD || result != 1)
		return false;
	str_add(out, "0x1 (flags FD_CLOEXEC)");
	return true;
}
