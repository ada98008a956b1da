/* SPDX-License-Identifier: GPL-2.0 */
/* ringside agent [OPTION…] */
#include "cmd/background.h"
#include "cmd/commands.h"
#include "cmd/guest.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/net/request.h"
#include "lib/net/socket.h"
#include "lib/record/listen.h"
#include "lib/record/spool.h"
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { MOST_CLIENTS = 64, ASK_MS = 20000 };

struct context {
	const char *port, *client, *bind, *temp, *log, *cid;
	uint64_t max_clients, max_kb, max_ns;
	int level;
	unsigned int guest; /* the guest of -P */
	bool daemon, private_;
};

static int set_level(void *ctx, const struct opt *opt __unused, const char *value)
{
	return opt_level(value, &((struct context *)ctx)->level);
}

static const struct opt options[] = {
	{ OPT_STR(struct context, port), 'p', .name = "port", .arg = "PORT",
	  .help = "listen on this port (default: " AGENT_PORT "); 0: listen on a free port, and print its number" },
	{ OPT_STR(struct context, client), 'N', .name = "client", .arg = "HOST",
	  .help = "listen on a TCP port, not on a vsocket, and serve only the machine HOST" },
	{ OPT_STR(struct context, bind), .name = "bind", .arg = "ADDRESS",
	  .help = "with -N: listen only on this address of this machine (default: on all addresses)" },
	{ OPT_FLAG(struct context, private_), .name = "private", .help = "record in trace instances that ringside makes, not in the top buffer" },
	{ OPT_STR(struct context, temp), .name = "temp", .arg = "DIR", .complete = "dirs",
	  .help = "keep data that have not been sent yet in this folder (default: /var/tmp)" },
	{ OPT_FLAG(struct context, daemon), 'D', .name = "daemon", .help = "run in the background" },
	{ OPT_STR(struct context, log), 'l', .name = "log", .arg = "FILE", .complete = "files", .help = "append all messages to this file" },
	{ OPT_U64(struct context, max_clients), .name = "max-clients", .arg = "N", .positive = true,
	  .help = "record for at most this many clients at a time (default: 1)" },
	{ OPT_KB(struct context, max_kb), .name = "max-size", .arg = "SIZE", .positive = true,
	  .help = "end a recording when more than SIZE of its data wait to be sent; SIZE is in kB, or has a unit k, M, G (default: end when the disk is full)" },
	{ OPT_TIME(struct context, max_ns), .name = "max-time", .arg = "TIME", .positive = true,
	  .help = "end each recording after this time, in seconds, or with a unit ms, m, h (default: when the other machine ends it)" },
	{ OPT_CALL, .name = "verbose", .optional = true, .arg = "LEVEL", .complete = "=none crit err warn info debug all", .call = set_level,
	  .help = "with LEVEL 'none', 'crit', 'err' or 'warn', print only messages about what went wrong; otherwise, print all messages (the default)" },
	{ OPT_STR(struct context, cid), 'P', .name = "proxy", .arg = "CID",
	  .help = "record also when the virtual machine with this vsocket number (CID) asks by `ringside record --proxy`" },
	OPT_END,
};

static bool welcome(void *ctx, int fd)
{
	const struct context *c = ctx;
	__cleanup(free_ptr) char *who = NULL;
	struct net_address peer;

	if (!c->client || net_is_host(fd, c->client))
		return true;
	who = net_peer(fd, &peer) ? NULL : net_name(&peer);
	warn("%s was refused: -N allows only %s", who ? who : "somebody", c->client);
	return false;
}

static void said(void *ctx, const char *sentence)
{
	const struct context *c = ctx;

	if (c->level > 3)
		note("%s", sentence);
}

/* Records what was asked for, as `record` does. */
static int record_for(const struct context *c, struct record_opts *o, const struct record_peer *peer)
{
	const struct record_hooks hooks = { .said = said, .ctx = (void *)c };
	__cleanup(free_ptr) char *output = str_printf("%s/ringside-agent-%d.dat", c->temp, (int)getpid());
	struct record_outcome out = { 0 };
	uint64_t events = 0, lost = 0;
	int err;

	if (!output)
		return fail(ENOMEM, "no memory for a file name");
	o->spec.output = output;
	o->spec.network = peer->who;
	o->spec.peer = peer;
	o->spec.program = "ringside " RINGSIDE_VERSION;
	o->spec.private_ |= c->private_;
	if (c->max_ns && (!o->spec.duration_ns || o->spec.duration_ns > c->max_ns))
		o->spec.duration_ns = c->max_ns;
	err = record(&o->spec, &hooks, &out);
	vec_each (&out.cpus, cpu) {
		events += cpu->events;
		lost += cpu->lost;
	}
	if (!err && c->level > 3)
		note("%s: %llu events sent, %llu lost", peer->who, (unsigned long long)events, (unsigned long long)lost);
	record_outcome_fini(&out);
	return err;
}

/* Runs a request; its words are options of `record`. */
static int do_request(const struct context *c, const struct trace_request *request, const struct record_peer *peer)
{
	__cleanup(free_ptr) char **argv = calloc(request->words.n + 2, sizeof(*argv));
	__cleanup(free_ptr) char *name = strdup("record");
	struct record_opts opts;
	int err;

	if (!argv || !name)
		return fail(ENOMEM, "no memory for a request");
	argv[0] = name;
	for (size_t i = 0; i < request->words.n; i++)
		argv[i + 1] = request->words.at[i];
	err = guest_parse(&opts, (int)request->words.n + 1, argv);
	if (err)
		warn("%s: it asks for something that an agent does not do", peer->who);
	if (!err)
		err = record_for(c, &opts, peer);
	else
		close(peer->fd);
	record_opts_fini(&opts);
	return err;
}

/* Serves a connection in a process of its own, because record() waits for signals itself. */
static int serve(void *ctx, int fd, int signals __unused)
{
	const struct context *c = ctx;
	struct trace_request request = { 0 };
	__cleanup(free_ptr) char *who = NULL;
	struct record_peer peer = { .fd = dup(fd), .max_bytes = c->max_kb * 1024, .max_ns = c->max_ns };
	struct net_address address;
	sigset_t all;
	int err;

	sigfillset(&all);
	sigprocmask(SIG_UNBLOCK, &all, NULL);
	who = net_peer(fd, &address) ? strdup("somebody") : net_name(&address);
	if (!who || peer.fd < 0)
		return fail(ENOMEM, "no memory for a connection");
	close(fd);
	fcntl(peer.fd, F_SETFD, FD_CLOEXEC);
	peer.who = who;
	err = request_hear(peer.fd, who, ASK_MS, &request);
	if (!err && request.proxy && !request.sequel)
		err = fail(ENOTSUP, "%s: it asks by trace-cmd's --proxy, whose protocol is not known here: let it ask by -A, or by `ringside record --proxy`",
			   who);
	else if (!err && request.proxy && (!c->cid || !net_is_cid(peer.fd, c->guest)))
		err = fail(EPERM, "%s: it asks as a virtual machine that -P does not name", who);
	peer.sequel = request.sequel;
	peer.sync = request.sync;
	err = err ? err : do_request(c, &request, &peer);
	request_fini(&request);
	return err;
}

static int check(struct context *c, int operands)
{
	if (operands)
		return usage(&cmd_agent, "it takes no operand");
	if (c->cid && (c->client || !net_cid(c->cid, &c->guest)))
		return usage(&cmd_agent,
			     c->client ? "-P names a virtual machine, which comes through the vsocket: it does not go with -N"
				       : "-P %s: the number of a virtual machine is wanted",
			     c->cid);
	if (!net_is_port(c->port, !c->client))
		return usage(&cmd_agent, "-p: '%s' is not the number of a port, from 0 to %s", c->port, c->client ? "65535" : "4294967294");
	if (c->bind && !c->client)
		return usage(&cmd_agent, "--bind is an address of TCP: name with -N the machine that may connect");
	if (c->max_clients > MOST_CLIENTS)
		return usage(&cmd_agent, "--max-clients is %d at most", MOST_CLIENTS);
	return c->temp[0] == '/' ? 0 : usage(&cmd_agent, "--temp: a path from the root is wanted");
}

static void tell_port(void *ctx, int fd)
{
	const struct context *c = ctx;

	if (c->level > 3)
		note("an agent listens on %s %u", c->client ? "port" : "the vsocket's port", net_port(fd));
}

static int wait_here(struct context *c)
{
	const struct listen_spec spec = {
		.serve = serve,
		.welcome = welcome,
		.ready = c->daemon ? NULL : tell_port,
		.ctx = c,
		.who = "recorder",
		.most = (unsigned int)c->max_clients,
	};
	__cleanup(close_fd) int fd = c->client ? net_listen(c->bind, c->port) : net_listen_vsock(c->port);
	int away;

	if (fd < 0 || (c->client && net_check_host(c->client)) || output_check_folder(c->temp, OUTPUT_NAME_TEMP) || (c->log && background_log(c->log)))
		return 1;
	/* In the background, nobody would see it. */
	if (c->daemon)
		tell_port(c, fd);
	away = c->daemon ? background_go("an agent waits", c->log != NULL) : 0;
	if (away)
		return away < 0;
	return listen_serve(&spec, fd) ? 1 : 0;
}

static int run(int argc, char **argv)
{
	struct context c = { .port = AGENT_PORT, .temp = "/var/tmp", .max_clients = 1, .level = 4 };
	char **operands;
	int n = opt_parse(&cmd_agent, &c, argc, argv, &operands), status;

	if (n < 0)
		return opt_status(n);
	status = check(&c, n);
	return status ? status : wait_here(&c);
}

const struct cmd cmd_agent = {
	.name = "agent",
	.synopsis = "[-N HOST] [-p PORT] [OPTION...]",
	.summary = "record what another machine asks for, and send the recording to that machine",
	.details = "The other machine asks by `ringside record -A` or `trace-cmd record -A`. Without -N, the agent\n"
		   "listens on a vsocket: if this machine is a virtual one, its host can connect.\n"
		   "Nothing is encrypted. With -N, every program on the machine HOST can make this agent record.\n\n"
		   "Examples:\n"
		   "  ringside agent\n"
		   "  ringside agent -N 10.0.0.1 --bind 10.0.0.7 -p 5679 -D -l /var/log/agent.log",
	.opts = options,
	.run = run,
};
