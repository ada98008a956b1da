/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Waits for who connects from other machines, as recorders do to `listen` and to `agent`. A child process serves each, so that a failure
 * of one does not disturb the others.
 */
#ifndef RINGSIDE_LISTEN_H
#define RINGSIDE_LISTEN_H

#include "lib/base/base.h"

struct listen_spec {
	/*
	 * Serves who has connected (@fd, which it may close or leave) in a process of its own, in which the signals that end listening are held back: @signals, a signalfd,
	 * becomes readable by them. Returns 0 or -errno after a message.
	 */
	int (*serve)(void *ctx, int fd, int signals);
	/* Is who has connected to be served? NULL: everybody. It says why not. */
	bool (*welcome)(void *ctx, int fd);
	void *ctx;
	const char *who;   /* what connects, for messages: "recorder" */
	const char *lost;  /* said behind that what served one was killed: what to do about it; NULL: nothing */
	unsigned int most; /* the greatest number of them at a time; others are refused */
};

/*
 * Serves those that connect to the socket @fd (of net_listen() in lib/net/socket.h) until SIGINT, SIGTERM or SIGHUP
 * comes. It must be called while there are no threads. Returns 0,
 * or -errno after a message.
 */
int listen_serve(const struct listen_spec *spec, int fd);

#endif
