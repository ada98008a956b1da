/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Receives the sub-buffers of one peer (lib/record/receive.h), which is a recorder or an agent. There is a port for each CPU of the peer. The sub-buffers
 * are written to the spools (lib/record/spool.h) of these CPUs. Only receive.c uses this.
 */
#ifndef RINGSIDE_PORTS_H
#define RINGSIDE_PORTS_H

#include "lib/net/intake.h"
#include "lib/net/socket.h"
#include "lib/record/spool.h"
#include <poll.h>

struct ports;

/*
 * Opens a port for each CPU at the local address of the connection @fd. The ports accept data only from the host of @peer. @peer is borrowed until
 * ports_free(). @client is what the peer has said of itself. numbers[i] becomes the number of the port for the CPU i. Returns 0, or -errno after a message.
 * The caller calls ports_free() in any case.
 */
int ports_open(struct ports **out, int fd, const struct net_address *peer, const struct intake_client *client, const struct spool *spool,
	       unsigned int *numbers);

/*
 * When the peer is an agent, the agent opens the ports itself and tells their numbers. Then ports_expect() and ports_connect() replace ports_open().
 * ports_expect() takes the numbers, and ports_connect() connects to these ports of the machine at the other end of the connection @fd. Both return 0, or
 * -errno after a message. The caller calls ports_free() in any case. ports_free() accepts NULL.
 */
int ports_expect(struct ports **out, const struct intake_client *client, const struct spool *spool, const unsigned int *numbers);
int ports_connect(struct ports *p, int fd);
void ports_free(struct ports *p);

/*
 * Sets up an array for poll(). The caller fills in the first two elements. Behind these two elements there are *@n elements for the ports. The function is
 * called before each poll(). @p owns the array.
 */
struct pollfd *ports_polled(struct ports *p, size_t *n);

/*
 * Is called after poll(). Takes in the data that have come. Returns 1 when data have come or the peer has closed a connection. Otherwise returns 0. Returns
 * -EPROTO when the peer did something wrong. In this case, *@wrong says what was wrong. Returns another -errno after a message.
 */
int ports_take(struct ports *p, const char **wrong);

/* Returns the number of bytes that have arrived so far. */
uint64_t ports_bytes(const struct ports *p);

/* For TCP: tells whether the peer has closed all connections. A connection that the peer never opened is treated as closed. */
bool ports_closed(const struct ports *p);

#endif
