/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the kernel's buffer of a CPU still held when the recording was killed: the guard, or who comes after it, appends it to
 * "cpuN.rest" in the spool folder (lib/tracefs/save.h). It belongs behind all that the recording had taken itself. The file
 * begins with 16 bytes "ringside rest" and a u64 in the machine's byte order: where in the CPU's bytes that is, all ones as
 * long as nobody has asked; so that it can be taken over again after a failure.
 */
#ifndef RINGSIDE_REST_H
#define RINGSIDE_REST_H

#include "lib/base/base.h"

/* Bytes before the first page. */
#define REST_HEAD 24

/* Begins the file @fd, which is empty. 0 or -errno, without a message. */
int rest_begin(int fd);

/*
 * Copies what is in @fd to @to at @end, or where an earlier call with another @end had it. 0 or -errno (-EBADMSG: it is none),
 * without a message.
 */
int rest_take(int fd, int to, uint64_t end);

#endif
