/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Receives a recording by trace-cmd's protocol, versions 1 and 3. This is the listener's side of the conversation. The peer is the other side, which makes the
 * recording. The caller passes on the bytes that come from the peer, and gets the bytes of the answer. These functions use no socket, so tests can pass on any
 * bytes. The lines below show the conversation in version 3. The lines from "V3\0" to TINIT do not exist in version 1. In the other lines, parentheses say what
 * version 1 sends instead.
 *
 *	listener			recorder
 *	"tracecmd"
 *					"-1V3\0" (version 1: the values below)
 *	"V3\0"
 *					"766679\0\0"
 *	"OK"
 *					TINIT
 *	RINIT (version 1: "PORT,PORT\0")
 *					DATA ... FIN_DATA (version 1: the metadata as they are)
 *					meanwhile through the ports: each CPU's sub-buffers
 *					CLOSE (version 1: the end of the connection)
 *
 * In these lines, the recorder is the peer: it makes the recording and sends it to the listener. In version 1, it first sends these values:
 * - the number of CPUs;
 * - the size of a sub-buffer in bytes;
 * - the number of options;
 * - for each option its length and its text.
 * A NUL stands behind each number and each text.
 *
 * This file also has one side of the conversation with an agent (lib/net/request.h). This side asks for a recording and receives it. The peer is the agent,
 * which makes the recording and sends it. Note that lib/net/request.h calls the receiving side the recorder.
 */
#ifndef RINGSIDE_NET_INTAKE_H
#define RINGSIDE_NET_INTAKE_H

#include "lib/base/str.h"

#define NET_GREETING "tracecmd" /* without a NUL */
#define NET_VERSION "V3"
#define NET_ASKS "-1V"	     /* the beginning of the recorder's word "-1V3", in which 3 is the version */
#define NET_MAGIC "766679\0" /* eight bytes with the NUL that C adds */
#define NET_OK "OK"
#define NET_TCP "tcp"	  /* the option for data through TCP; in version 1 it is "TCP" */
#define NET_VSOCK "vsock" /* the option for data through vsockets */

enum { NET_MOST_CPUS = 8192, NET_LEAST_PAGE = 4096, NET_LARGEST_PAGE = 1 << 20 };

/* What the peer has said of itself. */
struct intake_client {
	unsigned int protocol; /* 1 or 3 */
	uint32_t cpus, page_size;
	bool tcp;      /* true: the data come through connections of the conversation's own kind (TCP or vsocket); false: the data come through UDP */
	uint32_t sync; /* the port at which an agent compares clocks; 0: none */
};

struct intake_sink {
	/*
	 * Called when the peer has said how many CPUs it has. A listener opens a port for each CPU and stores the numbers of the ports in @ports. In a
	 * conversation with an agent, the agent has opened the ports, and @ports has their numbers. Returns 0, or -errno after a message.
	 */
	int (*begin)(void *ctx, const struct intake_client *client, unsigned int *ports);
	/* Takes the next bytes of the metadata. Returns 0, or -errno after a message. */
	int (*meta)(void *ctx, const char *bytes, size_t n);
	void *ctx;
};

/* What the peer has to send next. INTAKE_RESPONSE is an agent's TRACE_RESP. INTAKE_V1_... are states of version 1. */
enum intake_state {
	INTAKE_FIRST,
	INTAKE_RESPONSE,
	INTAKE_MAGIC,
	INTAKE_TINIT,
	INTAKE_META,
	INTAKE_RECORDING,
	INTAKE_CLOSED,
	INTAKE_V1_PAGE,
	INTAKE_V1_OPTIONS,
	INTAKE_V1_LENGTH,
	INTAKE_V1_OPTION,
	INTAKE_V1_META,
};

struct intake {
	const struct intake_sink *sink;
	enum intake_state state;
	bool agent; /* the peer is an agent */
	/* The agent runs on the host of this virtual machine, and the request was a TRACE_PROXY. The caller sets this after intake_init_agent(). */
	bool proxy;
	bool begins; /* the agent will say when it has begun to record */
	bool begun;  /* the agent has said that it has begun to record */
	bool sequel; /* the agent may send a sequel, the second part of the metadata (lib/data/sequel.h), when the recording has ended */
	struct intake_client client;
	struct str in;	   /* the bytes of a message that is not complete yet */
	struct str reply;  /* the caller sends this and then empties it */
	uint64_t meta;	   /* bytes of metadata so far */
	uint32_t options;  /* version 1: how many options are still to come */
	uint32_t length;   /* version 1: how long the next option is */
	const char *wrong; /* what the peer did wrong; NULL: nothing yet */
};

/* Begins a listener's conversation and puts the greeting into out->reply. Borrows @sink. */
void intake_init(struct intake *out, const struct intake_sink *sink);
/*
 * Begins a conversation with an agent and puts @request, a message of request_add(), into out->reply. Borrows @sink. @sequel is true if the agent may
 * send a sequel (lib/data/sequel.h) when the recording has ended.
 */
void intake_init_agent(struct intake *out, const struct intake_sink *sink, const struct str *request, bool sequel);
/* Frees what the conversation holds. */
void intake_fini(struct intake *in);

/*
 * Takes @n bytes from the peer. Returns 0 or one of these errors: -ENOMEM without a message, an -errno of the sink after the sink's message, or -EPROTO without
 * a message. -EPROTO means that the peer did something wrong, and in->wrong says what. After an error, the caller must not call intake_feed() again.
 */
int intake_feed(struct intake *in, const char *bytes, size_t n);

/*
 * Notes that the peer has closed the connection. Returns 0 when the peer has sent everything. Otherwise returns -EPROTO, and in->wrong says what is missing.
 */
int intake_end(struct intake *in);

#endif
