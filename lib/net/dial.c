/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/net/dial.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/now.h"
#include "lib/net/intake.h"
#include "lib/net/request.h"
#include "lib/net/socket.h"
#include <fcntl.h>
#include <poll.h>
#include <sys/time.h>
#include <unistd.h>

enum { CONNECT_MS = 10000, ANSWER_S = 20, COME_MS = 60000 };

static int no_listener(const struct dial *c)
{
	return fail(EPROTO, "%s: who listens there does not speak trace-cmd's protocol: is it `ringside listen` or `trace-cmd listen`?", c->where);
}

static int went_away(const struct dial *c, int err)
{
	return fail(-err, "%s: the %s %s", c->where, c->agent ? "recorder" : "listener", err == -EAGAIN ? "takes nothing any more" : "has gone");
}

static int say(const struct dial *c, const void *bytes, size_t n)
{
	const char *at = bytes;

	while (n) {
		ssize_t done = send(c->fd, at, n, MSG_NOSIGNAL);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return went_away(c, -errno);
		at += done;
		n -= (size_t)done;
	}
	return 0;
}

/* Reads exactly @n bytes. */
static int hear(const struct dial *c, void *bytes, size_t n)
{
	ssize_t got = io_read(c->fd, bytes, n);

	if (got == -EAGAIN)
		return fail(EPROTO, "%s: the listener says nothing: is something else at that port?", c->where);
	if (got < 0 || (got < (ssize_t)n && !got))
		return fail(ECONNRESET, "%s: the listener has closed the connection; it may have a message that tells why", c->where);
	return got < (ssize_t)n ? no_listener(c) : 0;
}

static void be_patient(const struct dial *c)
{
	net_watch(c->fd);
	setsockopt(c->fd, SOL_SOCKET, SO_SNDTIMEO, &(struct timeval){ .tv_sec = ANSWER_S }, sizeof(struct timeval));
	setsockopt(c->fd, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){ .tv_sec = ANSWER_S }, sizeof(struct timeval));
}

static int expect(const struct dial *c, const void *what, size_t n)
{
	char got[16];
	int err = hear(c, got, n);

	return err ? err : memcmp(got, what, n) ? no_listener(c) : 0;
}

static int connect_to(struct dial *c)
{
	__cleanup(free_ptr) char *host = NULL, *port = NULL;
	unsigned int cid;
	int err = c->vsock && !strchr(c->where, ':') ? 0 : net_parse(c->where, &host, &port);

	if (err)
		return err;
	if (c->vsock && (!host || !net_cid(host, &cid)))
		return fail(EINVAL, "'%s': say CID:PORT, where CID is the number of a virtual machine, or 2 for the host of this one", c->where);
	c->fd = c->vsock ? net_connect_vsock(cid, port, CONNECT_MS) : net_connect(host, port, SOCK_STREAM, CONNECT_MS);
	return MIN(c->fd, 0);
}

int dial_open(struct dial *c, const char *where, bool vsock)
{
	static const char ask[] = NET_ASKS "3";
	int err;

	*c = (struct dial){ .fd = -1, .sync = -1, .where = where, .vsock = vsock };
	err = connect_to(c);
	if (err)
		return err;
	be_patient(c);
	err = expect(c, NET_GREETING, strlen(NET_GREETING));
	if (!err)
		err = say(c, ask, sizeof(ask));
	if (!err)
		err = expect(c, NET_VERSION, sizeof(NET_VERSION));
	if (!err)
		err = say(c, NET_MAGIC, sizeof(NET_MAGIC));
	return err ? err : expect(c, NET_OK, strlen(NET_OK));
}

int dial_answer(struct dial *c, int fd, const char *where, bool begins)
{
	*c = (struct dial){ .fd = fd, .sync = -1, .where = where, .agent = true, .begins = begins };
	be_patient(c);
	return 0;
}

/* Opens a port for each CPU and tells the recorder their numbers. */
static int open_ports(struct dial *c, uint32_t page_size)
{
	struct str message = { 0 };
	unsigned int sync = 0;
	int err = 0;

	c->waiting = calloc(c->cpus, sizeof(*c->waiting));
	if (!c->ports || !c->waiting)
		return fail(ENOMEM, "no memory for a message");
	for (uint32_t i = 0; i < c->cpus; i++)
		c->waiting[i] = -1;
	for (uint32_t i = 0; i < c->cpus && !err; i++) {
		c->waiting[i] = net_open_beside(c->fd, SOCK_STREAM, &c->ports[i]);
		err = MIN(c->waiting[i], 0);
	}
	if (!err && c->syncs) {
		c->sync = net_open_beside(c->fd, SOCK_STREAM, &sync);
		err = MIN(c->sync, 0);
	}
	if (err)
		return err;
	response_add(&message, c->cpus, page_size, c->ports, c->begins, sync);
	err = str_ok(&message) ? fail(ENOMEM, "no memory for a message") : say(c, message.at, message.len);
	str_fini(&message);
	return err;
}

int dial_begin(struct dial *c, uint32_t cpus, uint32_t page_size)
{
	const uint32_t numbers[] = { cpus, page_size, 1 };
	const char *way = c->vsock ? NET_VSOCK : NET_TCP;
	__cleanup(free_ptr) char *bytes = malloc(MESSAGE_TAKEN);
	struct str message = { 0 };
	const char *wrong;
	struct message m;
	int err;

	c->cpus = cpus;
	c->ports = calloc(cpus, sizeof(*c->ports));
	if (c->agent)
		return open_ports(c, page_size);
	message_add(&message, MESSAGE_TINIT, numbers, ARRAY_LEN(numbers), way, strlen(way) + 1);
	err = !bytes || !c->ports || str_ok(&message) ? fail(ENOMEM, "no memory for a message") : say(c, message.at, message.len);
	str_fini(&message);
	if (!err)
		err = hear(c, bytes, MESSAGE_HEAD);
	if (err)
		return err;
	if (message_u32(bytes) > MESSAGE_TAKEN || message_u32(bytes) < MESSAGE_HEAD)
		return no_listener(c);
	err = hear(c, bytes + MESSAGE_HEAD, message_u32(bytes) - MESSAGE_HEAD);
	if (err)
		return err;
	if (message_take(bytes, message_u32(bytes), &m, &wrong) <= 0 || m.kind != MESSAGE_RINIT || m.nfixed < 4 || message_u32(m.fixed) != cpus)
		return no_listener(c);
	return message_ports(m.rest, m.nrest, cpus, c->ports) ? 0 : no_listener(c);
}

/*
 * Accepts the connection for a CPU. One that is not from the recorder's machine is closed. The wait is long, because the recorder may be busy with other
 * machines.
 */
static int let_in(struct dial *c, uint32_t cpu)
{
	struct pollfd fds[] = { { .fd = c->waiting[cpu], .events = POLLIN }, { .fd = c->fd, .events = POLLRDHUP } };
	struct net_address who, peer;
	uint64_t begin = now_ns();
	int err = net_peer(c->fd, &peer);

	while (!err) {
		uint64_t waited = (now_ns() - begin) / 1000000;
		int fd, n = waited < COME_MS ? poll(fds, ARRAY_LEN(fds), (int)(COME_MS - waited)) : 0;

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0 || fds[1].revents)
			return fail(ECONNRESET, "%s: the recorder %s", c->where, n ? "has gone before it took anything" : "does not take the data of a CPU");
		who.size = sizeof(who.at);
		fd = accept4(c->waiting[cpu], (struct sockaddr *)&who.at, &who.size, SOCK_CLOEXEC);
		if (fd >= 0 && net_same_host(&who, &peer)) {
			close_fd(&c->waiting[cpu]);
			net_watch(fd);
			return fd;
		}
		close_fd(&fd);
	}
	return fail(-err, "%s: the recorder has gone", c->where);
}

int dial_port(struct dial *c, uint32_t cpu)
{
	int fd;

	if (c->agent)
		return let_in(c, cpu);
	fd = net_connect_beside(c->fd, c->ports[cpu], CONNECT_MS);
	if (fd < 0)
		return fd;
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	net_watch(fd);
	return fd;
}

static int say_message(const struct dial *c, enum message_kind kind, const char *rest, size_t n)
{
	struct str message = { 0 };
	int err;

	message_add(&message, kind, NULL, 0, rest, n);
	err = str_ok(&message) ? fail(ENOMEM, "no memory for a message") : say(c, message.at, message.len);
	str_fini(&message);
	return err;
}

int dial_meta(const struct dial *c, const char *bytes, size_t n)
{
	int err = 0;

	while (n && !err) {
		size_t part = MIN(n, (size_t)(MESSAGE_MOST - MESSAGE_HEAD));

		err = say_message(c, MESSAGE_DATA, bytes, part);
		bytes += part;
		n -= part;
	}
	return err;
}

int dial_described(const struct dial *c)
{
	return say_message(c, MESSAGE_FIN_DATA, NULL, 0);
}

int dial_end(const struct dial *c)
{
	return say_message(c, c->agent ? MESSAGE_CLOSE_RESP : MESSAGE_CLOSE, NULL, 0);
}

int dial_begun(const struct dial *c)
{
	return c->begins ? say_message(c, MESSAGE_CONT, NULL, 0) : 0;
}

int dial_told(struct dial *c)
{
	char bytes[256];
	ssize_t n = recv(c->fd, bytes, sizeof(bytes), MSG_DONTWAIT), took = 1;
	const char *wrong;
	struct message m;
	int told = 0;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n <= 0)
		return -ECONNRESET;
	str_addn(&c->in, bytes, (size_t)n);
	if (str_ok(&c->in))
		return -ENOMEM;
	while (!told && (took = message_take(c->in.at, c->in.len, &m, &wrong)) > 0) {
		/* An agent that does not know a message answers so, as trace-cmd's does. What follows the word to end is not read. */
		told = m.kind == MESSAGE_CLOSE;
		if (!told && m.kind != MESSAGE_NOT_SUPPORTED)
			return -EPROTO;
		memmove(c->in.at, c->in.at + took, c->in.len - (size_t)took);
		c->in.len -= (size_t)took;
	}
	return took < 0 ? -EPROTO : told;
}

bool dial_done(const struct dial *c, unsigned int patience_ms)
{
	struct pollfd fd = { .fd = c->fd, .events = POLLIN };
	char byte;

	return poll(&fd, 1, (int)patience_ms) > 0 && recv(c->fd, &byte, 1, MSG_DONTWAIT) == 0;
}

void dial_close(struct dial *c)
{
	close_fd(&c->fd);
	close_fd(&c->sync);
	for (uint32_t i = 0; c->waiting && i < c->cpus; i++)
		close_fd(&c->waiting[i]);
	free(c->waiting);
	c->waiting = NULL;
	str_fini(&c->in);
	free(c->ports);
	c->ports = NULL;
}
