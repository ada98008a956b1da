/* SPDX-License-Identifier: GPL-2.0 */
/* Which part of the kernel a function belongs to, as far as its name and its module tell: for colours, and for nothing that counts. */
#ifndef RINGSIDE_ROOMS_H
#define RINGSIDE_ROOMS_H

#include "lib/base/base.h"

enum kernel_room {
	ROOM_OTHER, ROOM_ENTRY, ROOM_FS, ROOM_MM, ROOM_NET, ROOM_SCHED, ROOM_LOCKING, ROOM_IRQ, ROOM_DRIVER, ROOM_COUNT
};

/* @module: NULL when it is the kernel's own, or not known. */
enum kernel_room room_of(const char *function, const char *module);

/* "fs", "mm", … by enum kernel_room. */
extern const char *const room_names[ROOM_COUNT];

#endif
