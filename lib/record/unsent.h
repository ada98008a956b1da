/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sends a recording while it runs. The data wait in the spools of a recorder (lib/record/recorder.h), which are files with the data of the CPUs. When data were
 * sent, their space is given back to the file system. So a slow connection costs disk space but no events. When the other end goes away, the data that were not
 * sent are still in the spools.
 */
#ifndef RINGSIDE_UNSENT_H
#define RINGSIDE_UNSENT_H

#include "lib/record/recorder.h"

/* The state of a lane, which is a CPU's spool and the thread that writes it (lib/record/recorder.h). */
struct unsent_lane {
	uint64_t sent;	     /* how many bytes of the lane's spool were sent; atomic */
	uint64_t given_back; /* how many bytes of the lane's spool were given back to the file system */
};

struct unsent {
	struct unsent_lane *lanes; /* element i: the lane with the index i; NULL before unsent_init() */
	uint32_t unit;		   /* the size of a unit in bytes (unsent_init()) */
};

/*
 * Makes room for @lanes lanes. Only whole units of @unit bytes are given back to the file system. A unit that was sent only partly is kept. So the
 * spool still has the whole unit if the other end goes away. Returns 0 or -ENOMEM.
 */
int unsent_init(struct unsent *u, size_t lanes, uint32_t unit);
void unsent_fini(struct unsent *u);

/*
 * A function of this type sends the @n bytes at @bytes, which belong to @lane. It may send fewer bytes, from the first one on. It returns how many bytes it
 * has sent, or -errno. When it returns 0, unsent_send() calls it again without waiting. So the function itself has to wait for the other end before it
 * returns 0.
 */
typedef ssize_t (*unsent_send_t)(void *ctx, const struct lane_result *lane, const char *bytes, size_t n);

/*
 * Sends from the spools of @rec until nothing is left in them to send. The lanes take turns. Each time, at most @size bytes of a lane are read into the
 * memory @room and given to @send. @rec has at most as many lanes as unsent_init() was given.
 * Returns 0, the -errno that @send returned, or another -errno when a spool cannot be read.
 */
int unsent_send(struct unsent *u, const struct recorder *rec, char *room, size_t size, unsent_send_t send, void *ctx);

/* Returns how many bytes wait in the spools of @rec. Only the thread that sends may call it. */
uint64_t unsent_left(const struct unsent *u, const struct recorder *rec);

/* Returns how many bytes of the lane were sent. Any thread may call it. */
uint64_t unsent_sent(const struct unsent *u, size_t lane);

#endif
