/* SPDX-License-Identifier: GPL-2.0 */
/* ringside listen -p PORT [OPTION…] */
#include "cmd/background.h"
#include "cmd/commands.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/net/socket.h"
#include "lib/record/listen.h"
#include "lib/record/receive.h"
#include "lib/record/spool.h"
#include "lib/record/workload.h"
#include <stdio.h>
#include <unistd.h>

enum { MOST_CLIENTS = 1024 };

struct context {
	const char *port, *bind, *output, *dir, *log, *user;
	uint64_t max_clients, max_kb, max_ns;
	int level;
	bool daemon, vsock;
};

static int set_level(void *ctx, const struct opt *opt __unused, const char *value)
{
	return opt_level(value, &((struct context *)ctx)->level);
}

static const struct opt options[] = {
	{ OPT_STR(struct context, port), 'p', .name = "port", .arg = "PORT", .help = "listen on this port; 0: listen on a free port, and print its number" },
	{ OPT_FLAG(struct context, vsock), 'V', .name = "vsock",
	  .help = "listen on a vsocket; virtual machines of this machine can connect to it; if this machine is a virtual one itself, its host can connect" },
	{ OPT_STR(struct context, bind), .name = "bind", .arg = "ADDRESS", .help = "listen only on this address of this machine (default: on all addresses)" },
	{ OPT_STR(struct context, dir), 'd', .name = "directory", .arg = "DIR", .complete = "dirs",
	  .help = "write the files into this folder (default: the current one)" },
	{ OPT_STR(struct context, output), 'o', .name = "output", .arg = "NAME", .help = "name the files NAME.HOST:PORT.dat (default: NAME is trace)" },
	{ OPT_FLAG(struct context, daemon), 'D', .name = "daemon", .help = "run in the background" },
	{ OPT_STR(struct context, log), 'l', .name = "log", .arg = "FILE", .complete = "files", .help = "append all messages to this file" },
	{ OPT_STR(struct context, user), .name = "user", .arg = "USER", .complete = "users", .help = "become this user once the port is open" },
	{ OPT_U64(struct context, max_clients), .name = "max-clients", .arg = "N", .positive = true,
	  .help = "serve at most this many recorders at a time (default: 16)" },
	{ OPT_KB(struct context, max_kb), .name = "max-size", .arg = "SIZE", .positive = true,
	  .help = "take at most this much data from each recorder, in kB, or with a unit k, M, G (default: as much as the disk has room for)" },
	{ OPT_TIME(struct context, max_ns), .name = "max-time", .arg = "TIME", .positive = true,
	  .help = "take data from each recorder for at most this time, in seconds, or with a unit ms, m, h (default: no limit)" },
	{ OPT_CALL, .name = "verbose", .optional = true, .arg = "LEVEL", .complete = "=none crit err warn info debug all", .call = set_level,
	  .help = "with LEVEL 'none', 'crit', 'err' or 'warn', print only messages about what went wrong; otherwise, print all messages (the default)" },
	OPT_END,
};

static void said(void *ctx, const char *sentence)
{
	const struct context *c = ctx;

	if (c->level > 3)
		note("%s", sentence);
}

static int check(const struct context *c, int operands)
{
	if (operands)
		return usage(&cmd_listen, "it takes no operand");
	if (c->vsock && c->bind)
		return usage(&cmd_listen, "--bind is an address of TCP: -V listens on a vsocket");
	if (!c->port)
		return usage(&cmd_listen, "say with -p at which port to wait");
	if (!net_is_port(c->port, c->vsock))
		return usage(&cmd_listen, "-p: '%s' is not the number of a port, from 0 to %s", c->port, c->vsock ? "4294967294" : "65535");
	if (!*c->output || strchr(c->output, '/'))
		return usage(&cmd_listen, "-o is the beginning of a file's name: the folder is named with -d");
	if (c->max_clients > MOST_CLIENTS)
		return usage(&cmd_listen, "--max-clients is %d at most", MOST_CLIENTS);
	return 0;
}

static int prepare(const struct context *c)
{
	int err;

	if (c->user && workload_user_check(c->user))
		return 1;
	if (c->log && background_log(c->log))
		return 1;
	if (c->dir && chdir(c->dir))
		return -fail(errno, "-d %s: %m%s", c->dir, errno == ENOENT ? "; make the folder first" : "");
	err = c->user ? workload_become(c->user) : 0;
	if (err)
		return -fail(-err, "cannot become user %s: %s", c->user, strerror(-err));
	return -output_check_folder(".", "name another folder with -d");
}

static int serve(void *ctx, int fd, int signals)
{
	const struct context *c = ctx;
	const struct receive_spec spec = {
		.stem = c->output,
		.program = "ringside " RINGSIDE_VERSION,
		.max_bytes = c->max_kb * 1024,
		.max_ns = c->max_ns,
		.said = said,
		.ctx = ctx,
	};

	return receive(&spec, fd, signals);
}

static void tell_port(void *ctx, int fd)
{
	const struct context *c = ctx;

	if (c->level > 3)
		note("listening on %s %u", c->vsock ? "the vsocket's port" : "port", net_port(fd));
}

static int listen_here(struct context *c)
{
	const struct listen_spec spec = {
		.serve = serve,
		.ready = c->daemon ? NULL : tell_port,
		.ctx = c,
		.who = "recorder",
		.lost = ": `ringside restore FILE.spool` makes a file of what it had",
		.most = (unsigned int)c->max_clients,
	};
	__cleanup(close_fd) int fd = c->vsock ? net_listen_vsock(c->port) : net_listen(c->bind, c->port);
	int away;

	if (fd < 0 || prepare(c))
		return 1;
	/* In the background, nobody would see it. */
	if (c->daemon)
		tell_port(c, fd);
	away = c->daemon ? background_go("listening", c->log != NULL) : 0;
	if (away)
		return away < 0;
	return listen_serve(&spec, fd) ? 1 : 0;
}

static int run(int argc, char **argv)
{
	struct context c = { .output = "trace", .max_clients = 16, .level = 4 };
	char **operands;
	int n = opt_parse(&cmd_listen, &c, argc, argv, &operands), status;

	if (n < 0)
		return opt_status(n);
	status = check(&c, n);
	return status ? status : listen_here(&c);
}

const struct cmd cmd_listen = {
	.name = "listen",
	.synopsis = "-p PORT [OPTION...]",
	.summary = "receive recordings from other machines, and write a file for each",
	.details = "Recorders are `ringside record -N HOST:PORT` and `trace-cmd record -t -N HOST:PORT`. With listen -V, the recorder is\n"
		   "`ringside record -V CID:PORT` in the virtual machine or on the host. The file of a recorder appears when all data have arrived.\n"
		   "Nothing is encrypted, and nobody is authenticated. So listen only where you trust everybody who can connect.\n\n"
		   "Examples:\n"
		   "  ringside listen -p 5678 -d /var/tmp\n"
		   "  ringside listen -p 5678 --bind 10.0.0.1 --user nobody -d /srv/traces -D -l /var/log/traces.log",
	.opts = options,
	.run = run,
};
