/* SPDX-License-Identifier: GPL-2.0 */
/* Makes TCP and UDP sockets, and sockets between a virtual machine and its host (vsock). All descriptors are closed on exec. */
#ifndef RINGSIDE_NET_SOCKET_H
#define RINGSIDE_NET_SOCKET_H

#include "lib/base/base.h"
#include <sys/socket.h>

struct net_address {
	struct sockaddr_storage at;
	socklen_t size;
};

/*
 * Makes a socket that waits for connections at @where and @port. @where is a name or an address of this machine, or NULL for all addresses of this machine. If
 * @port is "0", the kernel chooses a port. Returns the descriptor, or -errno after a message.
 */
int net_listen(const char *where, const char *port);

/* Returns true if @text is the number of a port: a vsock port if @vsock is true, and a TCP port if @vsock is false. Also returns true for 0. */
bool net_is_port(const char *text, bool vsock);

/* Does what net_listen() does, at the vsock port @port. */
int net_listen_vsock(const char *port);

/*
 * Makes a socket at the local address of the connection @fd. If @type is SOCK_STREAM, the socket waits for a connection. If @type is SOCK_DGRAM, it waits for
 * datagrams. The kernel chooses a port for the socket, and *@port becomes this port. Returns the descriptor, which is non-blocking, or -errno after a message.
 */
int net_open_beside(int fd, int type, unsigned int *port);

/*
 * Connects a socket of the type @type (SOCK_STREAM or SOCK_DGRAM) to @port of @host, which is a name or an address. Waits at most @patience_ms for each
 * address of the host. Returns the descriptor, or -errno after a message.
 */
int net_connect(const char *host, const char *port, int type, unsigned int patience_ms);

/* Connects to the stream port @port of the virtual machine whose CID (context ID) is @cid, as net_connect() does. CID 2 is the host. */
int net_connect_vsock(unsigned int cid, const char *port, unsigned int patience_ms);

/* Returns true and puts the CID into *@cid if @host is the CID of a virtual machine ("12" or "@12"). */
bool net_cid(const char *host, unsigned int *cid);

/*
 * Returns true if the other end of the connection @fd is the machine @host. @host is a name or an address. If there is no address for the name, prints a
 * message and returns false.
 */
bool net_is_host(int fd, const char *host);

/* Checks that there is an address for @host, which is a name or an address. Returns 0, or -errno after a message. */
int net_check_host(const char *host);

/* Returns true if the other end of the connection @fd is the virtual machine with this CID. */
bool net_is_cid(int fd, unsigned int cid);

/*
 * Cuts "HOST:PORT" in two. An IPv6 address has to be in brackets. *@host and *@port become new memory, which the caller frees in any case. After a failure,
 * *@host, *@port or both are NULL. Returns 0, or -EINVAL or -ENOMEM after a message.
 */
int net_parse(const char *text, char **host, char **port);

/*
 * Connects to the stream port @port of the machine at the other end of the connection @fd. That machine has just named this port. Waits at most @patience_ms at
 * each attempt. trace-cmd's listener names its ports before its processes listen at these ports. So when that machine refuses the connection, the function
 * tries again for two seconds. Returns the descriptor, which is non-blocking, or -errno after a message.
 */
int net_connect_beside(int fd, unsigned int port, unsigned int patience_ms);

/* Returns the local port of a socket, or 0 if it has none. */
unsigned int net_port(int fd);

/* Puts the address of the other end into @out. Returns 0, or -errno without a message. */
int net_peer(int fd, struct net_address *out);

/* Returns true if both addresses have the same host. The ports may differ. An IPv4 address and its IPv4-mapped IPv6 address are taken for different hosts. */
bool net_same_host(const struct net_address *a, const struct net_address *b);

/*
 * Returns the address @who as "HOST:PORT", for messages and names of files, in new memory. HOST is the name of the host if the name is short and consists
 * of letters, digits, dots and dashes. Otherwise HOST is the numeric address. For a vsock address HOST is "vsock-CID". Returns NULL when memory runs out.
 */
char *net_name(const struct net_address *who);

/* Turns on keep-alive for the connection @fd, so that the connection fails within two minutes after the other end has vanished. */
void net_watch(int fd);

#endif
