/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes and parses requests and responses in trace-cmd's protocol. The recorder asks for a recording and receives it. The agent makes the recording on its own
 * machine.
 *
 * A sequel (lib/data/sequel.h) is the part of the metadata that is known only at the end of the recording. It is sent only when both ends are ringside. The
 * recorder asks for the sequel by a parameter of the request. trace-cmd's agent ignores this parameter.
 *
 * This is the conversation of agent and recorder:
 *
 *	agent				recorder
 *					TRACE_REQ (TRACE_PROXY when a virtual machine asks its host): what is to be recorded, as words of a command line
 *	TRACE_RESP: CPUs and ports
 *	DATA ... FIN_DATA
 *	meanwhile, through the ports to which the recorder connects: each CPU's sub-buffers
 *	(if the recorder has asked for a sequel: CONT, when the agent begins to record)
 *					CLOSE
 *	(if the recorder has asked for a sequel: DATA ...)
 *	CLOSE_RESP
 */
#ifndef RINGSIDE_NET_REQUEST_H
#define RINGSIDE_NET_REQUEST_H

#include "lib/base/vec.h"
#include "lib/net/message.h"

/* A request with more words than this is refused. */
enum { REQUEST_MOST_WORDS = 1024 };

struct trace_request {
	strv_t words;  /* options of `record` */
	bool sequel;   /* the recorder asks for the sequel */
	bool sync;     /* the recorder can compare its clock with the agent's clock (lib/net/tsync.h) */
	bool proxy;    /* a virtual machine asks its host, by TRACE_PROXY */
	uint32_t cpus; /* if .proxy is true: how many CPUs the virtual machine has */
};

/* Appends the message for @request. Returns false when request->words do not fit into one message. */
bool request_add(struct str *out, const struct trace_request *request);

/* Takes a TRACE_REQ or TRACE_PROXY apart. Returns 0, -ENOMEM or -EPROTO. After -EPROTO, *@wrong says why. The caller calls request_fini() in any case. */
int request_take(const struct message *m, struct trace_request *out, const char **wrong);
void request_fini(struct trace_request *request);

/*
 * Appends a response, which offers no FIFOs (lib/net/fifos.h). @begins is true if the agent will send CONT when it begins to record. @sync is the port at which
 * the agent compares clocks (lib/net/tsync.h), or 0 when the agent compares no clocks.
 */
void response_add(struct str *out, uint32_t cpus, uint32_t page_size, const unsigned int *ports, bool begins, unsigned int sync);

struct trace_response {
	uint32_t cpus, page_size;
	bool fifos;	   /* the agent offers FIFOs (lib/net/fifos.h) for the data */
	bool begins;	   /* the agent will send CONT when it begins to record */
	uint32_t sync;	   /* the port at which the agent compares clocks; 0: none */
	const char *ports; /* points into the message; for message_ports() */
	size_t nports;	   /* how many bytes .ports has */
};

/* Takes a TRACE_RESP apart. Returns 0 or -EPROTO. After -EPROTO, *@wrong says why. */
int response_take(const struct message *m, struct trace_response *out, const char **wrong);

/*
 * Waits at most @patience_ms until a whole request has come on the connection @fd. Returns 0, or -errno after a message. The message begins with @who, unless
 * memory has run out. The caller calls request_fini() in any case.
 */
int request_hear(int fd, const char *who, unsigned int patience_ms, struct trace_request *out);

#endif
