/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Guesses to which part of the kernel a function belongs. The guess is based on the function's name and module. A part of the kernel is called a room here.
 * Only the colours of the output depend on this guess.
 */
#ifndef RINGSIDE_ROOMS_H
#define RINGSIDE_ROOMS_H

#include "lib/base/base.h"

enum kernel_room { ROOM_OTHER, ROOM_ENTRY, ROOM_FS, ROOM_MM, ROOM_NET, ROOM_SCHED, ROOM_LOCKING, ROOM_IRQ, ROOM_DRIVER, ROOM_COUNT };

/* Returns the part of the kernel to which a function belongs. @module is NULL when the function is not in a module, or when its module is not known. */
enum kernel_room room_of(const char *function, const char *module);

/* Element i is the name of the enum kernel_room i: "fs", "mm" and so on. */
extern const char *const room_names[ROOM_COUNT];

#endif
