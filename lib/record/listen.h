/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Waits for recorders on other machines. A child process for each recorder receives what it sends (lib/record/receive.h), so
 * that a failure of one does not disturb the others.
 */
#ifndef RINGSIDE_LISTEN_H
#define RINGSIDE_LISTEN_H

#include "lib/record/receive.h"

struct listen_spec {
	struct receive_spec receive;
	unsigned int most;	/* the greatest number of recorders at a time; others are refused */
};

/*
 * Serves the recorders that connect to the socket @fd (of net_listen() in lib/net/socket.h) until SIGINT, SIGTERM or SIGHUP
 * comes. What the recorders that are connected then have sent is kept. It must be called while there are no threads. Returns 0,
 * or -errno after a message.
 */
int listen_serve(const struct listen_spec *spec, int fd);

#endif
