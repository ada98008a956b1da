/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parses and makes the messages of version 3 of trace-cmd's network protocol. A message begins with three big-endian numbers of 32 bits: the length of the
 * whole message, its kind, and the length of its fixed part. Then come the fixed part and the rest. The bytes of a peer are looked at only after their length
 * has been checked.
 */
#ifndef RINGSIDE_NET_MESSAGE_H
#define RINGSIDE_NET_MESSAGE_H

#include "lib/base/str.h"

enum message_kind {
	MESSAGE_CLOSE = 0,    /* the recording has ended; to an agent: the recording is to end */
	MESSAGE_TINIT = 1,    /* fixed: the number of CPUs, the size of a sub-buffer, the number of options; the rest: the options, each with a NUL behind it */
	MESSAGE_RINIT = 2,    /* fixed: the number of CPUs; the rest: a port for each CPU, in decimal with a NUL behind it */
	MESSAGE_DATA = 3,     /* the rest: the next bytes of the metadata */
	MESSAGE_FIN_DATA = 4, /* all metadata were sent */
	MESSAGE_NOT_SUPPORTED = 5,
	MESSAGE_TRACE_REQ = 6,	  /* to an agent: lib/net/request.h */
	MESSAGE_TRACE_RESP = 7,	  /* from an agent: lib/net/request.h */
	MESSAGE_CLOSE_RESP = 8,	  /* from an agent: the agent has sent everything and put the kernel's settings back */
	MESSAGE_TIME_SYNC = 9,	  /* lib/net/tsync.h */
	MESSAGE_TRACE_PROXY = 10, /* from a virtual machine to the agent on its host: lib/net/request.h */
	MESSAGE_CONT = 11,	  /* only from a ringside agent that was asked for this message (lib/net/request.h): the agent records from now on */
};

enum {
	MESSAGE_HEAD = 12,     /* how many bytes the three numbers at the beginning of a message take */
	MESSAGE_MOST = 8192,   /* the length of the longest message that trace-cmd and ringside send */
	MESSAGE_TAKEN = 65536, /* longer messages are refused */
};

struct message {
	uint32_t kind;
	const char *fixed, *rest; /* they point into the bytes from which the message was taken */
	size_t nfixed, nrest;
};

/*
 * Takes the message at the beginning of the @n bytes at @bytes. Returns the length of the message. Returns 0 when the message is not complete yet. Returns
 * -EPROTO when no message can begin with these bytes. After -EPROTO, *@wrong says why.
 */
ssize_t message_take(const char *bytes, size_t n, struct message *out, const char **wrong);

/* Appends a message. Its fixed part is the @nnumbers numbers at @numbers, and its rest is the @nrest bytes at @rest. */
void message_add(struct str *out, enum message_kind kind, const uint32_t *numbers, size_t nnumbers, const void *rest, size_t nrest);

/* message_u32() reads a big-endian number of 32 bits, and message_add_u32() appends one. */
uint32_t message_u32(const char *at);
void message_add_u32(struct str *out, uint32_t value);

/*
 * Puts the ports of @cpus CPUs into @ports. The @n bytes at @at have the ports in decimal, each with a NUL behind it. Returns false when a port is
 * missing or a number cannot be a port.
 */
bool message_ports(const char *at, size_t n, uint32_t cpus, unsigned int *ports);

#endif
