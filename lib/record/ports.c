/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/ports.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include <stdio.h>
#include <unistd.h>

/* AT_ONCE: the most bytes that are read of a CPU before the next one has its turn. */
enum { AT_ONCE = 1 << 18, CONNECT_MS = 10000 };

struct port {
	int waiting;	     /* the listening socket of TCP; -1: the peer has connected */
	int fd;		     /* the socket of UDP, or the peer's connection; -1: there is none, or it is closed again */
	unsigned int number; /* the agent's port, to which we connect */
	int out;	     /* the spool */
	uint64_t bytes;
};

struct ports {
	const struct net_address *peer;
	bool tcp;
	uint32_t page_size;
	size_t n;
	struct port *at;
	struct pollfd *polled;
	char *room;
};

static int open_one(struct ports *p, int fd, unsigned int cpu, const struct spool *spool, unsigned int *number)
{
	__cleanup(free_ptr) char *path = NULL;
	struct port *port = &p->at[cpu];
	int made = net_open_beside(fd, p->tcp ? SOCK_STREAM : SOCK_DGRAM, number);

	if (made < 0)
		return made;
	if (p->tcp)
		port->waiting = made;
	else
		port->fd = made;
	port->out = spool_file(spool, "", cpu, &path);
	return MIN(port->out, 0);
}

static int make(struct ports **out, const struct net_address *peer, const struct intake_client *client)
{
	struct ports *p = calloc(1, sizeof(*p));

	*out = p;
	if (!p)
		return fail(ENOMEM, "no memory for a recorder");
	*p = (struct ports){ .peer = peer, .tcp = client->tcp, .page_size = client->page_size };
	p->at = calloc(client->cpus, sizeof(*p->at));
	p->polled = calloc(client->cpus + 2, sizeof(*p->polled));
	p->room = malloc(AT_ONCE);
	if (!p->at || !p->polled || !p->room)
		return fail(ENOMEM, "no memory for the CPUs of a recorder");
	p->n = client->cpus;
	for (size_t i = 0; i < p->n; i++)
		p->at[i] = (struct port){ .waiting = -1, .fd = -1, .out = -1 };
	return 0;
}

int ports_open(struct ports **out, int fd, const struct net_address *peer, const struct intake_client *client, const struct spool *spool, unsigned int *numbers)
{
	int err = make(out, peer, client);

	for (size_t i = 0; !err && i < (*out)->n; i++)
		err = open_one(*out, fd, (unsigned int)i, spool, &numbers[i]);
	return err;
}

int ports_expect(struct ports **out, const struct intake_client *client, const struct spool *spool, const unsigned int *numbers)
{
	int err = make(out, NULL, client);

	for (size_t i = 0; !err && i < (*out)->n; i++) {
		__cleanup(free_ptr) char *path = NULL;

		(*out)->at[i].number = numbers[i];
		(*out)->at[i].out = spool_file(spool, "", (unsigned int)i, &path);
		err = MIN((*out)->at[i].out, 0);
	}
	return err;
}

int ports_connect(struct ports *p, int fd)
{
	for (size_t i = 0; i < p->n; i++) {
		p->at[i].fd = net_connect_beside(fd, p->at[i].number, CONNECT_MS);
		if (p->at[i].fd < 0)
			return p->at[i].fd;
		net_watch(p->at[i].fd);
	}
	return 0;
}

void ports_free(struct ports *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->n; i++) {
		close_fd(&p->at[i].waiting);
		close_fd(&p->at[i].fd);
		close_fd(&p->at[i].out);
	}
	free(p->at);
	free(p->polled);
	free(p->room);
	free(p);
}

struct pollfd *ports_polled(struct ports *p, size_t *n)
{
	*n = p->n;
	for (size_t i = 0; i < p->n; i++)
		p->polled[i + 2] = (struct pollfd){ .fd = p->at[i].fd >= 0 ? p->at[i].fd : p->at[i].waiting, .events = POLLIN };
	return p->polled;
}

/* Accepts a connection. One that is not from the peer's host is closed. */
static void let_in(const struct ports *p, struct port *port)
{
	struct net_address who = { .size = sizeof(who.at) };
	int fd = accept4(port->waiting, (struct sockaddr *)&who.at, &who.size, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd >= 0 && !net_same_host(&who, p->peer))
		close_fd(&fd);
	if (fd < 0)
		return;
	net_watch(fd);
	port->fd = fd;
	close_fd(&port->waiting);
}

/* Receives a datagram. A recorder sends whole sub-buffers, so any other datagram is ignored. */
static ssize_t next_datagram(const struct ports *p, const struct port *port)
{
	struct net_address who = { .size = sizeof(who.at) };
	ssize_t n = recvfrom(port->fd, p->room, AT_ONCE, MSG_DONTWAIT, (struct sockaddr *)&who.at, &who.size);

	if (n > 0 && (!net_same_host(&who, p->peer) || n % p->page_size))
		return 0;
	return n;
}

static int save(const struct ports *p, struct port *port, size_t n)
{
	int err = io_pwrite(port->out, p->room, n, port->bytes);

	if (err)
		return fail(-err, "cannot save what was received: %s", strerror(-err));
	port->bytes += n;
	return 1;
}

static int take_datagrams(const struct ports *p, struct port *port)
{
	int got = 0;

	for (unsigned int i = 0; i < AT_ONCE / NET_LEAST_PAGE && got >= 0; i++) {
		ssize_t n = next_datagram(p, port);

		if (n < 0)
			break;
		if (n > 0)
			got = save(p, port, (size_t)n);
	}
	return got;
}

static int take_stream(const struct ports *p, struct port *port, const char **wrong)
{
	ssize_t n = recv(port->fd, p->room, AT_ONCE, MSG_DONTWAIT);

	if (n > 0)
		return save(p, port, (size_t)n);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	close_fd(&port->fd);
	if (n < 0)
		*wrong = "the connection for the data of one of its CPUs broke off";
	return n < 0 ? -EPROTO : 1;
}

int ports_take(struct ports *p, const char **wrong)
{
	int got = 0;

	for (size_t i = 0; i < p->n; i++) {
		struct port *port = &p->at[i];
		int n;

		if (!p->polled[i + 2].revents)
			continue;
		if (port->fd < 0) {
			let_in(p, port);
			continue;
		}
		n = p->tcp ? take_stream(p, port, wrong) : take_datagrams(p, port);
		if (n < 0)
			return n;
		got |= n;
	}
	return got;
}

uint64_t ports_bytes(const struct ports *p)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < p->n; i++)
		sum += p->at[i].bytes;
	return sum;
}

bool ports_closed(const struct ports *p)
{
	for (size_t i = 0; i < p->n; i++) {
		struct pollfd waiting = { .fd = p->at[i].waiting, .events = POLLIN };

		/* A peer that has connected by now has something to send. */
		if (p->at[i].fd >= 0 || (waiting.fd >= 0 && poll(&waiting, 1, 0) > 0))
			return false;
	}
	return true;
}
