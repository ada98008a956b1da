/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Takes apart and makes the frames (messages) of `record --hosts`. `record --hosts` starts ringside on another machine through a shell. The process here and
 * the process there speak to each other in frames. A frame begins with its kind and its length, each big-endian in 32 bits. Then come the numbers that frames
 * of this kind have, each big-endian in 64 bits. The rest of the frame is bytes. The bytes of a peer are looked at only after their length has been checked.
 *
 *	here				there
 *					FRAME_GREETING, after any text that the shell prints
 *					HELLO, META ... META_END, ARMED
 *	ASK (again and again)		TIME for each ASK
 *	GO				STARTED, DATA ...
 *					COMMAND_ENDED, when the command that is traced there has ended (if there is one)
 *	STOP				DATA ..., META ... META_END, DONE
 *	GOT
 */
#ifndef RINGSIDE_NET_FRAME_H
#define RINGSIDE_NET_FRAME_H

#include "lib/base/str.h"

#define FRAME_GREETING "\001ringside speaks frames\n"

enum frame_kind {
	FRAME_HELLO = 1, /* the number: FRAME_PROTOCOL; the rest: the name of the file in which the other machine keeps data that it cannot send */
	FRAME_META,	 /* the rest: the next bytes of the metadata */
	FRAME_META_END,	 /* all metadata have been sent */
	FRAME_ARMED,	 /* everything is set up; the number: 1 if the other machine's trace clock counts nanoseconds, otherwise 0 */
	FRAME_TIME,	 /* the numbers of struct frame_time */
	FRAME_STARTED,	 /* the number: when the recording began, by the other machine's trace clock */
	FRAME_DATA,	 /* the numbers: the buffer's index in the metadata, and the CPU; the rest: the next bytes of that CPU's sub-buffers */
	FRAME_COMMAND_ENDED,
	FRAME_DONE, /* the numbers: how many events there are, and how many were lost */
	FRAME_ASK,  /* the number: the number of the question, which FRAME_TIME repeats */
	FRAME_GO,   /* the number: when to begin, in ns of the other machine's CLOCK_MONOTONIC; 0: at once */
	FRAME_STOP, /* the number: when to end, as in FRAME_GO */
	FRAME_GOT,  /* FRAME_DONE has come, so everything that the other machine sends has come */
};

enum {
	FRAME_PROTOCOL = 2,    /* the version of this protocol */
	FRAME_HEAD = 8,	       /* how many bytes the kind and the length take */
	FRAME_NUMBERS = 6,     /* the most numbers that a frame has */
	FRAME_BYTES = 1 << 16, /* the most bytes that the rest of a frame has */
	FRAME_MOST = FRAME_HEAD + 8 * FRAME_NUMBERS + FRAME_BYTES,
};

/*
 * These are the numbers of FRAME_TIME. .heard, .before, .after and .said are times of the other machine's CLOCK_MONOTONIC in ns. .trace is the time of that
 * machine's trace clock in ns, rounded down to a whole microsecond. The trace clock was read between .before and .after.
 */
struct frame_time {
	uint64_t number; /* the number of the question */
	uint64_t heard;	 /* when the question came */
	uint64_t before, trace, after;
	uint64_t said; /* when the answer was sent */
};

struct frame {
	uint32_t kind;
	uint64_t numbers[FRAME_NUMBERS];
	const char *rest; /* points into the bytes from which the frame was taken */
	size_t n;	  /* how many bytes the rest has */
};

/*
 * Takes the frame at the beginning of the @n bytes at @bytes. Returns the length of the frame. Returns 0 when the frame is not complete yet. Returns -EPROTO
 * when no frame can begin with these bytes. After -EPROTO, *@wrong says why.
 */
ssize_t frame_take(const char *bytes, size_t n, struct frame *out, const char **wrong);

/*
 * Writes the head and the numbers of a frame to @to, and returns the number of bytes that it wrote. After these bytes the caller sends the rest of the frame,
 * which has @n bytes. @numbers has as many numbers as frames of this kind have. @numbers is NULL when frames of this kind have no numbers.
 */
size_t frame_begin(char to[static FRAME_HEAD + 8 * FRAME_NUMBERS], enum frame_kind kind, const uint64_t *numbers, size_t n);

#endif
