/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The side of a conversation that sends what is recorded, by version 3 of trace-cmd's protocol: a recorder's with a listener (lib/net/intake.h), or an agent's with
 * who asked it to record (lib/net/request.h). What the other end says is checked.
 */
#ifndef RINGSIDE_NET_DIAL_H
#define RINGSIDE_NET_DIAL_H

#include "lib/base/str.h"

struct dial {
	int fd;
	const char *where;	/* "HOST:PORT" as it was given, borrowed: for messages */
	char *host;
	uint32_t cpus;
	unsigned int *ports;	/* of the CPUs, after dial_begin() */
	bool agent;		/* the other end has connected to us, and asks for the data */
	bool begins;		/* the same: it wants to know when we record */
	int *waiting;		/* of an agent: where it is to connect to, of each CPU; -1: it has */
	bool syncs;		/* the same: it can compare clocks, and so can we */
	int sync;		/* the same, after dial_begin(): where it is to connect to for that; -1: it is not */
	struct str in;		/* the same: what it has said, as far as that is no message yet */
};

#define DIAL_NONE { .fd = -1, .sync = -1 }

/* Connects to @where, and agrees on the protocol. 0 or -errno after a message; dial_close() after it in any case. */
int dial_open(struct dial *c, const char *where);

/* The same of an agent, with the connection @fd that brought a request, which is the dial's from now on. */
int dial_answer(struct dial *c, int fd, const char *where, bool begins);

/* Says what is to come, and is told the ports, or opens and tells them. 0 or -errno after a message. */
int dial_begin(struct dial *c, uint32_t cpus, uint32_t page_size);

/*
 * A connection for the data of the CPU of that index. Of an agent after dial_described(), as trace-cmd connects then: it waits for a minute. A descriptor, or -errno
 * after a message.
 */
int dial_port(struct dial *c, uint32_t cpu);

/* Of an agent, without waiting: 1: it was told to end the recording; 0: not yet; -ECONNRESET, -EPROTO, without a message. */
int dial_told(struct dial *c);

/* The same: it records now. 0 or -errno after a message. */
int dial_begun(const struct dial *c);

/* The next bytes of the metadata; that they are all; that the recording has ended. 0 or -errno after a message. */
int dial_meta(const struct dial *c, const char *bytes, size_t n);
int dial_described(const struct dial *c);
int dial_end(const struct dial *c);

/* Waits at most @patience_ms for the listener to close the connection, which it does when it has made its file. False: it did not. */
bool dial_done(const struct dial *c, unsigned int patience_ms);

void dial_close(struct dial *c);

#endif
