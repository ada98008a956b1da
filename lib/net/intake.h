/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The listener's side of a conversation by trace-cmd's protocol, versions 1 and 3: it is fed what came from the peer, and says what is to be answered. It
 * touches no socket, so that anything can be fed to it.
 *
 *	listener			recorder
 *	"tracecmd"
 *					"-1V3\0" (version 1: the number of CPUs, bytes of a sub-buffer, number of options, and for each option its length
 *					and text, all with a NUL behind them)
 *	"V3\0"
 *					"766679\0\0"
 *	"OK"
 *					TINIT
 *	RINIT (version 1: "PORT,PORT\0")
 *					DATA ... FIN_DATA (version 1: the metadata as they are)
 *					meanwhile through the ports: each CPU's sub-buffers
 *					CLOSE (version 1: the end of the connection)
 *
 * With an agent the recorder is who hears the metadata: lib/net/request.h says how.
 */
#ifndef RINGSIDE_NET_INTAKE_H
#define RINGSIDE_NET_INTAKE_H

#include "lib/base/str.h"

#define NET_GREETING "tracecmd"	/* without a NUL */
#define NET_VERSION "V3"
#define NET_ASKS "-1V"		/* the client's word, a number behind it */
#define NET_MAGIC "766679\0"	/* with the NUL behind it, eight bytes */
#define NET_OK "OK"
#define NET_TCP "tcp"		/* the option; version 1 has it in capitals */

enum { NET_MOST_CPUS = 8192, NET_LEAST_PAGE = 4096, NET_LARGEST_PAGE = 1 << 20 };

struct intake_client {
	unsigned int protocol;	/* 1 or 3 */
	uint32_t cpus, page_size;
	bool tcp;		/* data come through TCP, else through UDP */
	uint32_t sync;		/* the port at which an agent compares clocks; 0: none */
};

struct intake_sink {
	/*
	 * Who it is has been said: opens a port for each CPU, their numbers into @ports; or, of an agent, whose they are, takes them from there.
	 * 0 or -errno after a message.
	 */
	int (*begin)(void *ctx, const struct intake_client *client, unsigned int *ports);
	/* The next bytes of the metadata. 0 or -errno after a message. */
	int (*meta)(void *ctx, const char *bytes, size_t n);
	void *ctx;
};

enum intake_state {
	INTAKE_FIRST, INTAKE_RESPONSE, INTAKE_MAGIC, INTAKE_TINIT, INTAKE_META, INTAKE_RECORDING, INTAKE_CLOSED,
	INTAKE_V1_PAGE, INTAKE_V1_OPTIONS, INTAKE_V1_LENGTH, INTAKE_V1_OPTION, INTAKE_V1_META,
};

struct intake {
	const struct intake_sink *sink;
	enum intake_state state;
	bool agent;		/* the peer is one */
	bool begins, begun;	/* which says when it records; it has */
	bool sequel;		/* and has more to say when the recording has ended */
	struct intake_client client;
	struct str in;		/* what is not yet understood; never more than a message */
	struct str reply;	/* to be sent, and then emptied by who has sent it */
	uint64_t meta;		/* bytes of metadata so far */
	uint32_t options;	/* version 1: how many are to come, and how long the next is */
	uint32_t length;
	const char *wrong;	/* what the peer did wrong; NULL: nothing yet */
};

/* @sink is borrowed. The greeting is in out->reply. */
void intake_init(struct intake *out, const struct intake_sink *sink);
/* The same with an agent, of which @request is asked (a message of request_add()): that is in out->reply. */
void intake_init_agent(struct intake *out, const struct intake_sink *sink, const struct str *request, bool sequel);
void intake_fini(struct intake *in);

/* 0; -EPROTO: in->wrong says what is wrong; another -errno of the sink, after a message, or -ENOMEM. Nothing may be fed after that. */
int intake_feed(struct intake *in, const char *bytes, size_t n);

/* The peer has closed the connection: 0 when it had said all, -EPROTO and in->wrong when not. */
int intake_end(struct intake *in);

#endif
