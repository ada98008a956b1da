/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/net/dial.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/parse.h"
#include "lib/net/intake.h"
#include "lib/net/message.h"
#include "lib/net/socket.h"
#include <poll.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

enum { CONNECT_MS = 10000, ANSWER_S = 20, LONGEST_PORT = 8 };

static int no_listener(const struct dial *c)
{
	return fail(EPROTO, "%s: who listens there does not speak trace-cmd's protocol: is it `ringside listen` or `trace-cmd listen`?", c->where);
}

static int went_away(const struct dial *c, int err)
{
	return fail(-err, "%s: the listener %s", c->where, err == -EAGAIN ? "takes nothing any more" : "has gone");
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

/* Exactly @n bytes. */
static int hear(const struct dial *c, void *bytes, size_t n)
{
	ssize_t got = io_read(c->fd, bytes, n);

	if (got == -EAGAIN)
		return fail(EPROTO, "%s: the listener says nothing: is something else at that port?", c->where);
	if (got < 0 || (got < (ssize_t)n && !got))
		return fail(ECONNRESET, "%s: the listener has closed the connection; it may have a message that tells why", c->where);
	return got < (ssize_t)n ? no_listener(c) : 0;
}

static int expect(const struct dial *c, const void *what, size_t n)
{
	char got[16];
	int err = hear(c, got, n);

	return err ? err : memcmp(got, what, n) ? no_listener(c) : 0;
}

int dial_open(struct dial *c, const char *where)
{
	static const char ask[] = NET_ASKS "3";
	__cleanup(free_ptr) char *port = NULL;
	int err;

	*c = (struct dial){ .fd = -1, .where = where };
	err = net_parse(where, &c->host, &port);
	if (err)
		return err;
	c->fd = net_connect(c->host, port, SOCK_STREAM, CONNECT_MS);
	if (c->fd < 0)
		return c->fd;
	net_watch(c->fd);
	setsockopt(c->fd, SOL_SOCKET, SO_SNDTIMEO, &(struct timeval){ .tv_sec = ANSWER_S }, sizeof(struct timeval));
	setsockopt(c->fd, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){ .tv_sec = ANSWER_S }, sizeof(struct timeval));
	err = expect(c, NET_GREETING, strlen(NET_GREETING));
	if (!err)
		err = say(c, ask, sizeof(ask));
	if (!err)
		err = expect(c, NET_VERSION, sizeof(NET_VERSION));
	if (!err)
		err = say(c, NET_MAGIC, sizeof(NET_MAGIC));
	return err ? err : expect(c, NET_OK, strlen(NET_OK));
}

/* The ports behind the number of CPUs, each with a NUL behind it. */
static int read_ports(struct dial *c, const char *at, size_t n)
{
	const char *end = at + n;

	for (uint32_t i = 0; i < c->cpus; i++) {
		size_t length = strnlen(at, (size_t)(end - at));
		uint64_t port;

		if (at + length == end || !length || length > LONGEST_PORT || parse_u64(at, &port) || !port || port > UINT16_MAX)
			return no_listener(c);
		c->ports[i] = (unsigned int)port;
		at += length + 1;
	}
	return 0;
}

int dial_begin(struct dial *c, uint32_t cpus, uint32_t page_size)
{
	const uint32_t numbers[] = { cpus, page_size, 1 };
	__cleanup(free_ptr) char *bytes = malloc(MESSAGE_TAKEN);
	struct str message = { 0 };
	const char *wrong;
	struct message m;
	int err;

	c->cpus = cpus;
	c->ports = calloc(cpus, sizeof(*c->ports));
	message_add(&message, MESSAGE_TINIT, numbers, ARRAY_LEN(numbers), NET_TCP, sizeof(NET_TCP));
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
	return read_ports(c, m.rest, m.nrest);
}

int dial_port(const struct dial *c, uint32_t cpu)
{
	char port[16];
	int fd;

	snprintf(port, sizeof(port), "%u", c->ports[cpu]);
	fd = net_connect(c->host, port, SOCK_STREAM, CONNECT_MS);
	if (fd >= 0)
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
	return say_message(c, MESSAGE_CLOSE, NULL, 0);
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
	free(c->host);
	free(c->ports);
	c->host = NULL;
	c->ports = NULL;
}
