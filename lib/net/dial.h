/* SPDX-License-Identifier: GPL-2.0 */
/* The recorder's side of a conversation with a listener (lib/net/intake.h), by version 3 of trace-cmd's protocol. What the listener says is checked. */
#ifndef RINGSIDE_NET_DIAL_H
#define RINGSIDE_NET_DIAL_H

#include "lib/base/base.h"

struct dial {
	int fd;
	const char *where;	/* "HOST:PORT" as it was given, borrowed: for messages */
	char *host;
	uint32_t cpus;
	unsigned int *ports;	/* of the CPUs, after dial_begin() */
};

#define DIAL_NONE { .fd = -1 }

/* Connects to @where, and agrees on the protocol. 0 or -errno after a message; dial_close() after it in any case. */
int dial_open(struct dial *c, const char *where);

/* Says what is to come, and is told the ports. 0 or -errno after a message. */
int dial_begin(struct dial *c, uint32_t cpus, uint32_t page_size);

/* A connection for the data of the CPU of that index. A descriptor, or -errno after a message. */
int dial_port(const struct dial *c, uint32_t cpu);

/* The next bytes of the metadata; that they are all; that the recording has ended. 0 or -errno after a message. */
int dial_meta(const struct dial *c, const char *bytes, size_t n);
int dial_described(const struct dial *c);
int dial_end(const struct dial *c);

/* Waits at most @patience_ms for the listener to close the connection, which it does when it has made its file. False: it did not. */
bool dial_done(const struct dial *c, unsigned int patience_ms);

void dial_close(struct dial *c);

#endif
