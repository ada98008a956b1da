/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Takes apart and makes the frames in which `record --hosts` and the ringside that it has started on another machine speak to each other
 * through a shell. A frame begins with its kind and its length, in 32 bits each with the big end first. Then come the numbers that its
 * kind has, in 64 bits each with the big end first, and then bytes. What comes from a peer is looked at only after its length has been
 * checked.
 *
 *	here				there
 *					FRAME_GREETING, behind whatever the shell prints
 *					HELLO, META ... META_END, ARMED
 *	ASK (again and again)		TIME for each
 *	GO				STARTED, DATA ...
 *					COMMAND_ENDED, if there is a command
 *	STOP				DATA ..., META ... META_END, DONE
 *	GOT
 */
#ifndef RINGSIDE_NET_FRAME_H
#define RINGSIDE_NET_FRAME_H

#include "lib/base/str.h"

#define FRAME_GREETING "\001ringside speaks frames\n"

enum frame_kind {
	FRAME_HELLO = 1, /* FRAME_PROTOCOL; the rest: the name of the file in which that machine keeps what it cannot send */
	FRAME_META,	 /* the rest: the next bytes of the metadata */
	FRAME_META_END,	 /* all metadata have been sent */
	FRAME_ARMED,	 /* 1 when its trace clock counts nanoseconds, otherwise 0 */
	FRAME_TIME,	 /* as struct frame_time has it */
	FRAME_STARTED,	 /* when recording began, by the trace clock */
	FRAME_DATA,	 /* the buffer's index in the metadata, the CPU; the rest: the next bytes of its sub-buffers */
	FRAME_COMMAND_ENDED,
	FRAME_DONE, /* how many events there are, and how many were lost */
	FRAME_ASK,  /* a number */
	FRAME_GO,   /* when to begin, in ns of that machine's CLOCK_MONOTONIC; 0: at once */
	FRAME_STOP, /* when to end, in the same form */
	FRAME_GOT,
};

enum {
	FRAME_PROTOCOL = 2,
	FRAME_HEAD = 8,
	FRAME_NUMBERS = 6,     /* how many a frame has at most */
	FRAME_BYTES = 1 << 16, /* behind the numbers, at most */
	FRAME_MOST = FRAME_HEAD + 8 * FRAME_NUMBERS + FRAME_BYTES,
};

/*
 * The numbers of FRAME_TIME. .heard, .before, .after and .said are times of that machine's CLOCK_MONOTONIC in ns. .trace is the time of its trace clock
 * in ns, cut to microseconds, and was read between .before and .after.
 */
struct frame_time {
	uint64_t number; /* of the question */
	uint64_t heard;	 /* when it came */
	uint64_t before, trace, after;
	uint64_t said; /* when the answer went */
};

struct frame {
	uint32_t kind;
	uint64_t numbers[FRAME_NUMBERS];
	const char *rest; /* in the bytes that it was taken from */
	size_t n;
};

/*
 * Takes the frame at the beginning of the @n @bytes. Returns how long it is, 0 when more bytes have to come first, or -EPROTO when no frame
 * can begin so, and *@wrong says why.
 */
ssize_t frame_take(const char *bytes, size_t n, struct frame *out, const char **wrong);

/*
 * Writes the head and the numbers of a frame to @to, and returns how long they are together. The caller sends the @n bytes of the frame behind them.
 * @numbers has as many numbers as the kind has, or is NULL when it has none.
 */
size_t frame_begin(char to[static FRAME_HEAD + 8 * FRAME_NUMBERS], enum frame_kind kind, const uint64_t *numbers, size_t n);

#endif
