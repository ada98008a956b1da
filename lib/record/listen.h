/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Waits for recorders on other machines, and takes what each sends (lib/record/receive.h) in a process of its own: one that breaks costs the others
 * nothing.
 */
#ifndef RINGSIDE_LISTEN_H
#define RINGSIDE_LISTEN_H

#include "lib/record/receive.h"

struct listen_spec {
	struct receive_spec receive;
	unsigned int most;	/* recorders at a time; others are sent away */
};

/*
 * Serves those who come to the socket @fd (lib/net/socket.h, net_listen()) until SIGINT, SIGTERM or SIGHUP comes; then those who still record keep what they
 * have sent. To be called without threads. 0 or -errno after a message.
 */
int listen_serve(const struct listen_spec *spec, int fd);

#endif
