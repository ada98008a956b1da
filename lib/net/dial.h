/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sends a recording to another machine, by version 3 of trace-cmd's protocol. We send in one of two roles. In the first role we connect to a listener
 * (lib/net/intake.h). In the second role we are an agent (lib/net/request.h). The other end has then connected to us, asks for the recording, and receives the
 * recording. In this file, the other end of an agent is called the recorder. Everything that the other end says is checked.
 */
#ifndef RINGSIDE_NET_DIAL_H
#define RINGSIDE_NET_DIAL_H

#include "lib/base/str.h"

struct dial {
	int fd;
	const char *where; /* "HOST:PORT" as it was given, for messages; borrowed */
	bool vsock;	   /* the listener is at a vsocket */
	uint32_t cpus;
	unsigned int *ports; /* after dial_begin(): element i is the port for the CPU with the index i */
	bool agent;	     /* true: we are an agent, so the other end has connected to us and asks for the data */
	/* Only an agent uses the members below. */
	bool begins; /* the recorder wants to know when the recording has begun */
	/*
	 * Element i is the socket to which the recorder connects to get the data of the CPU with the index i. The element is -1 when the recorder has
	 * connected.
	 */
	int *waiting;
	bool syncs;    /* true: both ends can compare clocks; the caller sets this before dial_begin() */
	int sync;      /* after dial_begin(): the socket to which the recorder connects to compare clocks; -1: there is none */
	struct str in; /* bytes from the recorder that are not a whole message yet */
};

/* clang-format off */
#define DIAL_NONE { .fd = -1, .sync = -1 }
/* clang-format on */

/*
 * Connects to the listener at @where and agrees with it on the protocol. @where is "HOST:PORT". If @vsock is true, @where is "CID:PORT", where the CID is
 * the number of a virtual machine. Returns 0, or -errno after a message. The caller calls dial_close() in either case.
 */
int dial_open(struct dial *c, const char *where, bool vsock);

/*
 * Begins the agent's side of a conversation, over the connection @fd on which a request has come. @c owns @fd from now on. @begins is true if the
 * recorder wants to know when the recording has begun. Returns 0, or -errno after a message. The caller calls dial_close() in either case.
 */
int dial_answer(struct dial *c, int fd, const char *where, bool begins);

/*
 * Announces the data of @cpus CPUs in sub-buffers of @page_size bytes, and sets .ports. A listener opens the ports and tells us their numbers. An agent
 * opens the ports itself and sends their numbers. Returns 0, or -errno after a message.
 */
int dial_begin(struct dial *c, uint32_t cpus, uint32_t page_size);

/*
 * Returns the descriptor of a connection for the data of the CPU with the index @cpu, or -errno after a message. The caller owns the descriptor. An agent must
 * call dial_port() after dial_described(), because a recorder of trace-cmd connects to the ports only when the recorder has all metadata. For an agent, the
 * function waits at most a minute for the recorder to connect.
 */
int dial_port(struct dial *c, uint32_t cpu);

/*
 * Tells an agent, without waiting, whether the recorder has asked it to end the recording. Returns 1 for yes and 0 for no. On failure it prints no
 * message, and returns one of these:
 *  - -ECONNRESET: the connection has ended.
 *  - -EPROTO: another message than MESSAGE_CLOSE (lib/net/message.h) came, or bytes that are no message. MESSAGE_NOT_SUPPORTED is ignored.
 *  - -ENOMEM.
 */
int dial_told(struct dial *c);

/* If the recorder wants to know when the recording has begun (.begins), tells the recorder that the agent records now. Returns 0, or -errno after a message. */
int dial_begun(const struct dial *c);

/*
 * dial_meta() sends the next bytes of the metadata. dial_described() tells the other end that the metadata are complete. dial_end() tells the other end that
 * the recording has ended. All three return 0, or -errno after a message.
 */
int dial_meta(const struct dial *c, const char *bytes, size_t n);
int dial_described(const struct dial *c);
int dial_end(const struct dial *c);

/*
 * Waits at most @patience_ms until the other end closes the connection, and then returns true. A listener closes the connection when the listener's file is
 * complete. Returns false in these cases:
 * - The connection is still open after @patience_ms.
 * - The connection has failed.
 * - The other end sends bytes instead of closing the connection.
 */
bool dial_done(const struct dial *c, unsigned int patience_ms);

/* Ends the conversation and frees what the dial owns. Accepts DIAL_NONE. */
void dial_close(struct dial *c);

#endif
