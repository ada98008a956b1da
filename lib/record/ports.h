/* SPDX-License-Identifier: GPL-2.0 */
/* The ports through which the CPUs' sub-buffers of one recorder come, and the files of its spool folder into which they go; for receive.c alone. */
#ifndef RINGSIDE_PORTS_H
#define RINGSIDE_PORTS_H

#include "lib/net/intake.h"
#include "lib/net/socket.h"
#include "lib/record/spool.h"
#include <poll.h>

struct ports;

/*
 * Opens one for each CPU at the address that the connection @fd came to, for @peer alone; their numbers into @numbers. 0 or -errno after a message.
 * @peer is borrowed.
 */
int ports_open(struct ports **out, int fd, const struct net_address *peer, const struct intake_client *client, const struct spool *spool,
	       unsigned int *numbers);
void ports_free(struct ports *p);

/* To be polled: *@n of them behind two that are the caller's. As long as @p lives. */
struct pollfd *ports_polled(struct ports *p, size_t *n);

/* Takes what those have got that were polled: 1, 0: nothing came, -errno after a message; -EPROTO: *@wrong says why. */
int ports_take(struct ports *p, const char **wrong);

/* Bytes so far. */
uint64_t ports_bytes(const struct ports *p);

/* Of TCP: has the peer closed all of them? One that it never opened is closed. */
bool ports_closed(const struct ports *p);

#endif
