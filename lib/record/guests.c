/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/guests.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/net/request.h"
#include "lib/net/socket.h"
#include "lib/record/receive.h"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CONNECT_MS = 10000 };

struct guest {
	pid_t pid; /* 0: the process has ended */
	int ready; /* a pipe's reading end, from which the word comes that the agent records */
	int stop;  /* our end of a pair of sockets; -1: the process was told to end */
};

struct guests {
	struct guest *at;
	pid_t *pids;
	size_t n;
	bool failed;
	void (*said)(void *ctx, const char *sentence);
	void *ctx;
};

/* Connects to an agent. "@12:823" or "12:823" is a virtual machine, as with trace-cmd. */
static int connect_to(const char *where)
{
	__cleanup(free_ptr) char *host = NULL, *port = NULL;
	unsigned int cid;
	int err = net_parse(where, &host, &port);

	if (err)
		return err;
	if (net_cid(host, &cid))
		return net_connect_vsock(cid, port, CONNECT_MS);
	return net_connect(host, port, SOCK_STREAM, CONNECT_MS);
}

/* Receives the recording of one agent. Runs in a process of its own. */
static int converse_with(const struct guests *g, const struct guest_spec *spec, int ready, int stop)
{
	struct trace_request request = { .words = spec->words, .sequel = true, .sync = spec->sync, .proxy = spec->proxy, .cpus = (uint32_t)get_nprocs_conf() };
	__cleanup(close_fd) int fd = connect_to(spec->where);
	struct str bytes = { 0 };
	/* clang-format off */
	const struct receive_agent agent = {
		.request = &bytes, .output = spec->output, .ready = ready, .stop = stop, .proxy = spec->proxy, .sync = spec->sync, .clock = spec->clock, .interval_ns = spec->interval_ns,
	};
	/* clang-format on */
	const struct receive_spec how = { .agent = &agent, .said = g->said, .ctx = g->ctx };
	int err;

	if (fd < 0)
		return fd;
	if (!request_add(&bytes, &request))
		return fail(E2BIG, "%s: there are more options than an agent takes", spec->where);
	err = str_ok(&bytes) ? fail(ENOMEM, "no memory for a request") : receive(&how, fd, -1);
	str_fini(&bytes);
	return err;
}

/* The process that talks to one agent. It blocks all signals. The process that started it tells it when to end, either by a word or by ending itself. */
static _Noreturn void child(struct guests *g, size_t i, const struct guest_spec *spec, int ready, int stop)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	for (size_t other = 0; other < i; other++) {
		close_fd(&g->at[other].ready);
		close_fd(&g->at[other].stop);
	}
	_exit(converse_with(g, spec, ready, stop) ? 1 : 0);
}

static int begin_one(struct guests *g, size_t i, const struct guest_spec *spec)
{
	int ready[2] = { -1, -1 }, stop[2] = { -1, -1 }, err = 0;
	struct guest *guest = &g->at[i];

	if (pipe2(ready, O_CLOEXEC) || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, stop))
		err = fail(errno, "%s: cannot make a pipe for it: %m", spec->where);
	guest->pid = err ? 0 : fork();
	if (guest->pid < 0) {
		err = fail(errno, "%s: cannot start a process for it: %m", spec->where);
		guest->pid = 0;
	} else if (!guest->pid && !err) {
		close_fd(&ready[0]);
		close_fd(&stop[1]);
		child(g, i, spec, ready[1], stop[0]);
	}
	guest->ready = ready[0];
	guest->stop = stop[1];
	close_fd(&ready[1]);
	close_fd(&stop[0]);
	return err;
}

int guests_begin(struct guests **out, const struct guest_spec *specs, size_t n, void (*said)(void *ctx, const char *sentence), void *ctx)
{
	struct guests *g = calloc(1, sizeof(*g));
	int err = 0;
	char byte;

	*out = g;
	if (!g)
		return fail(ENOMEM, "no memory for agents");
	*g = (struct guests){ .at = calloc(n, sizeof(*g->at)), .pids = calloc(n, sizeof(*g->pids)), .n = n, .said = said, .ctx = ctx };
	if (!g->at || !g->pids)
		return fail(ENOMEM, "no memory for agents");
	for (size_t i = 0; i < n; i++)
		g->at[i] = (struct guest){ .ready = -1, .stop = -1 };
	for (size_t i = 0; i < n && !err; i++)
		err = begin_one(g, i, &specs[i]);
	/* A process that fails has printed a message. */
	for (size_t i = 0; i < n && !err; i++)
		err = io_read(g->at[i].ready, &byte, 1) == 1 ? 0 : -EIO;
	for (size_t i = 0; i < n; i++)
		g->pids[i] = g->at[i].pid;
	if (err)
		guests_drop(g);
	return err;
}

static void tell_all(struct guests *g, char word)
{
	for (size_t i = 0; i < g->n; i++) {
		if (g->at[i].stop >= 0)
			(void)!send(g->at[i].stop, &word, 1, MSG_NOSIGNAL);
		close_fd(&g->at[i].stop);
	}
}

void guests_end(struct guests *g)
{
	tell_all(g, RECEIVE_END);
}

void guests_drop(struct guests *g)
{
	tell_all(g, RECEIVE_DROP);
}

int guests_join(struct guests *g)
{
	int status;

	guests_end(g);
	for (size_t i = 0; i < g->n; i++) {
		if (g->at[i].pid && waitpid(g->at[i].pid, &status, 0) == g->at[i].pid)
			g->failed |= status != 0;
		g->at[i].pid = 0;
	}
	return g->failed ? -EIO : 0;
}

void guests_free(struct guests *g)
{
	if (!g)
		return;
	if (g->at && g->pids)
		guests_join(g);
	for (size_t i = 0; g->at && i < g->n; i++)
		close_fd(&g->at[i].ready);
	free(g->at);
	free(g->pids);
	free(g);
}

static int find_command(const struct record_spec *spec, char **path, int *status)
{
	int err = workload_find(spec->argv[0], path);

	*status = err == -ENOENT ? STATUS_NOT_FOUND : err == -EACCES ? STATUS_NOT_EXECUTABLE : 1;
	return err;
}

static int wait_here(const struct guests *g, const struct record_spec *spec, const struct watch *watch, struct workload *w, int *status, enum watch_end *end)
{
	struct watch_for what = { .command = w, .recorder = -1, .pids = g->pids, .npids = g->n, .duration_ns = spec->duration_ns };
	int err = watch_wait(watch, &what, end);

	if (err || !w)
		return err;
	if (*end == END_SIGNAL)
		workload_signal(w, SIGTERM);
	*status = *end == END_SIGNAL ? STATUS_SIGNAL + SIGTERM : 0;
	if (workload_ended(w))
		*status = workload_status(w);
	return 0;
}

int guests_attend(struct guests *g, const struct record_spec *spec, int *status, enum watch_end *end)
{
	__cleanup(free_ptr) char *path = NULL;
	struct watch watch = WATCH_NONE;
	struct workload *w = NULL;
	int err = spec->argv ? find_command(spec, &path, status) : 0;

	if (!err)
		err = watch_open(&watch);
	if (!err && spec->argv)
		err = workload_hold(&w, path, spec->argv, spec->user);
	if (!err && w)
		err = workload_release(w, NULL, 0);
	if (err)
		guests_drop(g);
	else
		err = wait_here(g, spec, &watch, w, status, end);
	workload_free(w);
	watch_close(&watch);
	return err;
}
