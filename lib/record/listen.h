/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Waits for connections from other machines, for `ringside listen` and `ringside agent`. Each connection is served by a child process, so that a failure in one
 * connection does not disturb the other connections.
 */
#ifndef RINGSIDE_LISTEN_H
#define RINGSIDE_LISTEN_H

#include "lib/base/base.h"

struct listen_spec {
	/*
	 * Serves the connection @fd. This function is called in a process of its own, and may close @fd or leave it open. The signals that end listening
	 * are blocked in this process, and make the signalfd @signals readable. Returns 0 or -errno after a message.
	 */
	int (*serve)(void *ctx, int fd, int signals);
	/* Is this connection to be served? When the function returns false, it has printed why. NULL: all connections are served. */
	bool (*welcome)(void *ctx, int fd);
	/* Is called with the socket when connections are taken, and the signals that end listening no longer kill this process. NULL: nothing is called. */
	void (*ready)(void *ctx, int fd);
	void *ctx;
	const char *who; /* what connects, for messages, such as "recorder" */
	/*
	 * The end of the message that is printed when a signal kills a process that serves a connection. This text tells what the user can do about the
	 * lost connection. NULL: there is no text.
	 */
	const char *lost;
	unsigned int most; /* the greatest number of connections at a time; further connections are refused */
};

/*
 * Serves the connections to the socket @fd (of net_listen() in lib/net/socket.h) until SIGINT, SIGTERM or SIGHUP comes. Then the function sends SIGTERM to
 * the processes that still serve connections, and waits for their end. The process must have no other threads when it calls this function. Returns 0, or
 * -errno after a message.
 */
int listen_serve(const struct listen_spec *spec, int fd);

#endif
