/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/net/socket.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/parse.h"
#include "lib/base/str.h"
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <unistd.h>
#include <linux/vm_sockets.h>

enum { WAITING = 16, RECEIVE_BYTES = 8 << 20 };

static int resolve(const char *host, const char *port, int type, struct addrinfo **out)
{
	struct addrinfo want = { .ai_family = AF_UNSPEC, .ai_socktype = type, .ai_flags = host ? 0 : AI_PASSIVE };
	int err = getaddrinfo(host, port, &want, out);

	return err ? fail(EINVAL, "%s%s: %s%s", host ? "" : "port ", host ? host : port, err == EAI_SYSTEM ? strerror(errno) : gai_strerror(err),
			  err == EAI_NONAME && host ? "; is the name right?" : "")
		   : 0;
}

static int bind_one(const struct addrinfo *a)
{
	__cleanup(close_fd) int fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int on = 1, off = 0;

	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (a->ai_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
	if (bind(fd, a->ai_addr, a->ai_addrlen) || listen(fd, WAITING))
		return -errno;
	return take_fd(&fd);
}

/* Returns the host without the brackets in which an address of IPv6 may stand. New memory; NULL: out of memory. */
static char *bare(const char *host)
{
	const size_t n = strlen(host);
	const bool brackets = n > 2 && host[0] == '[' && host[n - 1] == ']';

	return brackets ? strndup(host + 1, n - 2) : strdup(host);
}

int net_listen(const char *where, const char *port)
{
	__cleanup(free_ptr) char *bind = where ? bare(where) : NULL;
	struct addrinfo *all = NULL;
	int fd = where && !bind ? fail(ENOMEM, "no memory for an address") : resolve(bind, port, SOCK_STREAM, &all);

	if (fd)
		return fd;
	fd = -EADDRNOTAVAIL;
	/* To listen at all addresses, an address of IPv6 is tried first, because it takes connections by IPv4 as well. */
	for (int family = bind ? AF_UNSPEC : AF_INET6; fd < 0; family = AF_UNSPEC) {
		for (struct addrinfo *a = all; a && fd < 0; a = a->ai_next)
			if (family == AF_UNSPEC || a->ai_family == family)
				fd = bind_one(a);
		if (family == AF_UNSPEC)
			break;
	}
	freeaddrinfo(all);
	if (fd < 0)
		return fail(-fd, "cannot listen on %s%sport %s: %s%s", bind ? bind : "", bind ? ", " : "", port, strerror(-fd),
			    fd == -EADDRINUSE	   ? "; choose another port with -p"
			    : fd == -EACCES	   ? "; ports below 1024 are root's"
			    : fd == -EADDRNOTAVAIL ? "; --bind takes an address that this machine has (`ip address` lists them)"
						   : "");
	return fd;
}

static int no_vsock(int err)
{
	return fail(err, "no vsocket: %s%s", strerror(err), err == EAFNOSUPPORT ? "; this kernel has none: TCP is -N HOST" : "");
}

static struct sockaddr_vm *vsock_of(const struct net_address *a)
{
	return (struct sockaddr_vm *)&a->at;
}

bool net_is_port(const char *text, bool vsock)
{
	uint64_t number;

	return *text && strspn(text, "0123456789") == strlen(text) && !parse_u64(text, &number) && number <= (vsock ? UINT32_MAX - 1 : UINT16_MAX);
}

static bool parse_vsock_port(const char *port, unsigned int *out)
{
	uint64_t number;

	if (parse_u64(port, &number) || number >= UINT32_MAX)
		return false;
	*out = number ? (unsigned int)number : VMADDR_PORT_ANY;
	return true;
}

int net_listen_vsock(const char *port)
{
	struct sockaddr_vm at = { .svm_family = AF_VSOCK, .svm_cid = VMADDR_CID_ANY };
	__cleanup(close_fd) int fd = socket(AF_VSOCK, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return no_vsock(errno);
	if (!parse_vsock_port(port, &at.svm_port))
		return fail(EINVAL, "'%s' is not the number of a port", port);
	if (bind(fd, (struct sockaddr *)&at, sizeof(at)) || listen(fd, WAITING))
		return fail(errno, "cannot listen at the vsocket's port %s: %m", port);
	return take_fd(&fd);
}

static void set_port(struct net_address *a, unsigned int port)
{
	if (a->at.ss_family == AF_INET)
		((struct sockaddr_in *)&a->at)->sin_port = htons((uint16_t)port);
	else if (a->at.ss_family == AF_INET6)
		((struct sockaddr_in6 *)&a->at)->sin6_port = htons((uint16_t)port);
	else if (a->at.ss_family == AF_VSOCK)
		vsock_of(a)->svm_port = port ? port : VMADDR_PORT_ANY;
}

static unsigned int port_of(const struct net_address *a)
{
	if (a->at.ss_family == AF_INET)
		return ntohs(((const struct sockaddr_in *)&a->at)->sin_port);
	if (a->at.ss_family == AF_VSOCK)
		return vsock_of(a)->svm_port;
	return a->at.ss_family == AF_INET6 ? ntohs(((const struct sockaddr_in6 *)&a->at)->sin6_port) : 0;
}

unsigned int net_port(int fd)
{
	struct net_address a = { .size = sizeof(a.at) };

	return getsockname(fd, (struct sockaddr *)&a.at, &a.size) ? 0 : port_of(&a);
}

int net_open_beside(int fd, int type, unsigned int *port)
{
	struct net_address a = { .size = sizeof(a.at) };
	__cleanup(close_fd) int beside = -1;
	int room = RECEIVE_BYTES;

	if (getsockname(fd, (struct sockaddr *)&a.at, &a.size))
		return fail(errno, "cannot tell where a connection came to: %m");
	set_port(&a, 0);
	beside = socket(a.at.ss_family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (type == SOCK_DGRAM && beside >= 0 && setsockopt(beside, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room)))
		setsockopt(beside, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
	if (beside < 0 || bind(beside, (struct sockaddr *)&a.at, a.size) || (type == SOCK_STREAM && listen(beside, 1)))
		return fail(errno, "cannot open a port for a CPU's data: %m");
	*port = net_port(beside);
	return take_fd(&beside);
}

/* Connects within @patience_ms. Returns 0 or -errno. */
static int connect_within(int fd, const struct sockaddr *to, socklen_t n, unsigned int patience_ms)
{
	struct pollfd waits = { .fd = fd, .events = POLLOUT };
	socklen_t size = sizeof(int);
	int err = 0, ready;

	if (connect(fd, to, n) == 0)
		return 0;
	if (errno != EINPROGRESS)
		return -errno;
	while ((ready = poll(&waits, 1, (int)patience_ms)) < 0)
		if (errno != EINTR)
			return -errno;
	if (!ready)
		return -ETIMEDOUT;
	return getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &size) ? -errno : -err;
}

/* Connects to a port that the other end has named but at which it may not listen yet. While the connection is refused, it is tried again. */
static int connect_soon(int fd, const struct sockaddr *to, socklen_t n, unsigned int patience_ms)
{
	enum { SOON_MS = 2000, PAUSE_MS = 10 };
	int err = connect_within(fd, to, n, patience_ms), refused = err;

	/* After a refused connection, the kernel answers the next attempt on this socket with ECONNABORTED. The attempt after that one is a new one. */
	for (unsigned int ms = 0; (err == -ECONNREFUSED || err == -ECONNABORTED) && ms < SOON_MS; ms += PAUSE_MS) {
		usleep(PAUSE_MS * 1000);
		err = connect_within(fd, to, n, patience_ms);
	}
	return err == -ECONNABORTED ? refused : err;
}

int net_connect(const char *host, const char *port, int type, unsigned int patience_ms)
{
	struct addrinfo *all = NULL;
	/* The C library would take larger numbers modulo 65536, and nobody listens at port 0. */
	bool is_port = net_is_port(port, false) && strspn(port, "0") < strlen(port);
	int err = is_port ? resolve(host, port, type, &all) : fail(EINVAL, "%s:%s: a port is a number from 1 to %d", host, port, UINT16_MAX), on = 1;
	__cleanup(close_fd) int fd = -1;

	if (err)
		return err;
	err = -EADDRNOTAVAIL;
	for (struct addrinfo *a = all; a && err; a = a->ai_next) {
		close_fd(&fd);
		fd = socket(a->ai_family, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
		err = fd < 0 ? -errno : connect_within(fd, a->ai_addr, a->ai_addrlen, patience_ms);
	}
	freeaddrinfo(all);
	if (err)
		return fail(-err, "cannot connect to %s, port %s: %s%s", host, port, strerror(-err),
			    err == -ECONNREFUSED ? "; is `ringside listen` or `ringside agent` running there?" : "");
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	if (type == SOCK_STREAM)
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	return take_fd(&fd);
}

int net_connect_beside(int fd, unsigned int port, unsigned int patience_ms)
{
	struct net_address to;
	__cleanup(close_fd) int beside = -1;
	int err = net_peer(fd, &to);

	if (err)
		return fail(-err, "cannot tell where a connection goes to: %s", strerror(-err));
	set_port(&to, port);
	beside = socket(to.at.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	err = beside < 0 ? -errno : connect_soon(beside, (struct sockaddr *)&to.at, to.size, patience_ms);
	if (err)
		return fail(-err, "cannot connect to port %u, which it has named: %s", port, strerror(-err));
	return take_fd(&beside);
}

bool net_cid(const char *host, unsigned int *cid)
{
	const char *digits = host + (*host == '@');
	uint64_t number;

	if (!*digits || digits[strspn(digits, "0123456789")] || parse_u64(digits, &number) || number >= UINT32_MAX)
		return false;
	*cid = (unsigned int)number;
	return true;
}

int net_connect_vsock(unsigned int cid, const char *port, unsigned int patience_ms)
{
	struct sockaddr_vm to = { .svm_family = AF_VSOCK, .svm_cid = cid };
	__cleanup(close_fd) int fd = socket(AF_VSOCK, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int err;

	if (fd < 0)
		return no_vsock(errno);
	if (!parse_vsock_port(port, &to.svm_port))
		return fail(EINVAL, "'%s' is not the number of a port", port);
	err = connect_within(fd, (struct sockaddr *)&to, sizeof(to), patience_ms);
	if (err)
		return fail(-err, "cannot connect to the virtual machine %u, port %s: %s; does an agent or a listener wait there?", cid, port, strerror(-err));
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	return take_fd(&fd);
}

int net_parse(const char *text, char **host, char **port)
{
	const char *colon = strrchr(text, ':'), *end = colon;

	*host = *port = NULL;
	if (!colon || colon == text || !colon[1] || strspn(colon + 1, "0123456789") != strlen(colon + 1))
		return fail(EINVAL, "'%s': say HOST:PORT, the port as a number", text);
	if (*text == '[' && colon[-1] == ']') {
		text++;
		end--;
	} else if (memchr(text, ':', (size_t)(colon - text))) {
		return fail(EINVAL, "'%s': an address of IPv6 stands in brackets, as in [::1]:5678", text);
	}
	*host = strndup(text, (size_t)(end - text));
	*port = strdup(colon + 1);
	return *host && *port ? 0 : fail(ENOMEM, "no memory for a name");
}

int net_peer(int fd, struct net_address *out)
{
	*out = (struct net_address){ .size = sizeof(out->at) };
	return getpeername(fd, (struct sockaddr *)&out->at, &out->size) ? -errno : 0;
}

bool net_same_host(const struct net_address *a, const struct net_address *b)
{
	if (a->at.ss_family != b->at.ss_family)
		return false;
	if (a->at.ss_family == AF_VSOCK)
		return vsock_of(a)->svm_cid == vsock_of(b)->svm_cid;
	if (a->at.ss_family == AF_INET)
		return ((const struct sockaddr_in *)&a->at)->sin_addr.s_addr == ((const struct sockaddr_in *)&b->at)->sin_addr.s_addr;
	return a->at.ss_family == AF_INET6 &&
	       memcmp(&((const struct sockaddr_in6 *)&a->at)->sin6_addr, &((const struct sockaddr_in6 *)&b->at)->sin6_addr, sizeof(struct in6_addr)) == 0;
}

/* Turns an address of IPv4 that came to a socket of IPv6 into one of IPv4. */
static void unmap(struct net_address *a)
{
	const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)&a->at;
	struct sockaddr_in in = { .sin_family = AF_INET };

	if (a->at.ss_family != AF_INET6 || !IN6_IS_ADDR_V4MAPPED(&in6->sin6_addr))
		return;
	in.sin_port = in6->sin6_port;
	memcpy(&in.sin_addr, &in6->sin6_addr.s6_addr[12], 4);
	memcpy(&a->at, &in, sizeof(in));
	a->size = sizeof(in);
}

bool net_is_host(int fd, const char *host)
{
	struct net_address who;
	struct addrinfo *all = NULL;
	__cleanup(free_ptr) char *name = bare(host);
	bool is = false;

	if (!name || net_peer(fd, &who) || resolve(name, "0", SOCK_STREAM, &all))
		return false;
	unmap(&who);
	for (const struct addrinfo *a = all; a && !is; a = a->ai_next) {
		struct net_address one = { .size = MIN(a->ai_addrlen, (socklen_t)sizeof(one.at)) };

		memcpy(&one.at, a->ai_addr, one.size);
		is = net_same_host(&who, &one);
	}
	freeaddrinfo(all);
	return is;
}

int net_check_host(const char *host)
{
	__cleanup(free_ptr) char *name = bare(host);
	struct addrinfo *all = NULL;
	int err = name ? resolve(name, "0", SOCK_STREAM, &all) : fail(ENOMEM, "no memory for an address");

	if (all)
		freeaddrinfo(all);
	return err;
}

bool net_is_cid(int fd, unsigned int cid)
{
	struct net_address who;

	return !net_peer(fd, &who) && who.at.ss_family == AF_VSOCK && vsock_of(&who)->svm_cid == cid;
}

/* Returns true if the name is plain enough to become a part of a file's name. The name comes from a name server, so it can be any text. */
static bool plain(const char *host)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-";
	size_t n = strlen(host);

	return n && n < 64 && *host != '.' && *host != '-' && strspn(host, allowed) == n;
}

char *net_name(const struct net_address *who)
{
	char host[NI_MAXHOST], number[NI_MAXHOST] = "somewhere", *shown = number;
	const char *mapped = "::ffff:";

	if (who->at.ss_family == AF_VSOCK)
		return str_printf("vsock-%u:%u", vsock_of(who)->svm_cid, port_of(who));
	getnameinfo((const struct sockaddr *)&who->at, who->size, number, sizeof(number), NULL, 0, NI_NUMERICHOST);
	if (str_starts(number, mapped) && strchr(number, '.'))
		shown = number + strlen(mapped);
	if (!getnameinfo((const struct sockaddr *)&who->at, who->size, host, sizeof(host), NULL, 0, NI_NAMEREQD) && plain(host))
		shown = host;
	return str_printf("%s:%u", shown, port_of(who));
}

void net_watch(int fd)
{
	int on = 1, idle = 60, every = 15, times = 4;

	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof(idle));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &every, sizeof(every));
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &times, sizeof(times));
}
