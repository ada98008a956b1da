/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/receive.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/now.h"
#include "lib/data/sequel.h"
#include "lib/net/intake.h"
#include "lib/net/message.h"
#include "lib/net/socket.h"
#include "lib/record/aligner.h"
#include "lib/record/ports.h"
#include "lib/record/restore.h"
#include "lib/record/spool.h"
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { TAKEN_AT_ONCE = 1 << 16, ANSWER_S = 10, MOST_ROUNDS = 4096, REST_MS = 100, CLOCKS_MS = 5000, MOST_NAMES = 1000 };

/* How long the peer may be silent before its first metadata, which a slow machine takes long to gather; and after its end, while data may still come. */
#define PATIENCE_NS (120 * NSEC_PER_SEC)
#define LAST_NS (10 * NSEC_PER_SEC)
/* How long datagrams are waited for after the word that the recording has ended, which may overtake them. */
#define STRAY_NS (NSEC_PER_SEC / 2)
/* When the connection has been silent for so long, all the metadata that were sent before the data have come. */
#define SETTLED_NS (2 * NSEC_PER_SEC)
/* An agent that was told to end and is silent for longer than this will never answer. */
#define END_NS (60 * NSEC_PER_SEC)
/* No machine's symbols and formats are larger. */
#define MOST_META (512ull << 20)
/* The space that is left free on the disk, beside the room for the file that is made of the received data. */
#define RESERVE (64ull << 20)

struct receiver {
	const struct receive_spec *spec;
	int fd, signals;
	struct net_address peer;
	char *who, *output; /* "HOST:PORT"; the name of the file that is to be made */
	struct intake intake;
	struct spool spool;
	struct ports *ports;		      /* NULL: not begun */
	int raw;			      /* the metadata as they came */
	int sync;			      /* of an agent: the connection for clocks, until the aligner has it; -1: none */
	struct aligner *aligner;	      /* NULL: clocks are not compared */
	bool aligned;			      /* the aligner has ended, and what it found was saved */
	bool ready, told, dropped;	      /* the agent records; it was told to end; nothing of the recording is wanted */
	bool described, complete, ended;      /* "meta" was written; it is made of all metadata; the peer sends nothing more */
	uint64_t begin_ns, heard_ns, word_ns; /* when the conversation began, when anything came, and when something came through the connection */
};

static void say(const struct receiver *r, const char *fmt, ...) __printf(2, 3);
static void say(const struct receiver *r, const char *fmt, ...)
{
	struct str s = { 0 };
	va_list ap;

	va_start(ap, fmt);
	str_vaddf(&s, fmt, ap);
	va_end(ap);
	if (r->spec->said && !str_ok(&s))
		r->spec->said(r->spec->ctx, str_text(&s));
	str_fini(&s);
}

/* Notes what the peer did wrong. The caller ends the conversation with this sentence. */
static int wrong(struct receiver *r, const char *what)
{
	r->intake.wrong = what;
	return -EPROTO;
}

/* Returns a name that no file has yet, so that earlier recordings from the same port of the same host stay. */
static char *choose_name(const struct receiver *r)
{
	char *name = str_printf("%s.%s.dat", r->spec->stem, r->who);

	for (unsigned int n = 2; name; n++) {
		__cleanup(free_ptr) char *spool = str_printf("%s" SPOOL_SUFFIX, name);

		if (!spool || (access(name, F_OK) && access(spool, F_OK)))
			break;
		free(name);
		name = n + 1 < MOST_NAMES ? str_printf("%s.%s-%u.dat", r->spec->stem, r->who, n) : NULL;
	}
	return name;
}

/* Connects at once, because trace-cmd's agent waits for this connection before it says anything else. */
static void connect_clocks(struct receiver *r, const struct intake_client *client)
{
	const struct receive_agent *agent = r->spec->agent;

	if (agent && agent->sync && client->sync)
		r->sync = net_connect_beside(r->fd, client->sync, CLOCKS_MS);
}

static int begin(void *ctx, const struct intake_client *client, unsigned int *ports)
{
	struct receiver *r = ctx;
	const struct receive_agent *agent = r->spec->agent;
	const char *way = !client->tcp ? "UDP" : "TCP";
	int err;

	if (client->tcp && r->peer.at.ss_family == AF_VSOCK)
		way = "a vsocket";
	r->output = agent ? strdup(agent->output) : choose_name(r);
	if (!r->output)
		return fail(EEXIST, "%s: no name for its file: there are files from it up to %s.%s-%d.dat", r->who, r->spec->stem, r->who, MOST_NAMES - 2);
	say(r, "%s: %u CPU%s, sub-buffers of %u bytes, by %s, protocol %u", r->who, client->cpus, client->cpus == 1 ? "" : "s", client->page_size, way,
	    client->protocol);
	err = output_check(r->output);
	if (!err)
		err = spool_make(&r->spool, r->output, NULL);
	if (!err) {
		r->raw = openat(r->spool.fd, SPOOL_SENT, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
		if (r->raw < 0)
			err = fail(errno, "cannot make %s/" SPOOL_SENT ": %m", r->spool.path);
	}
	if (!err)
		connect_clocks(r, client);
	if (!err)
		err = agent ? ports_expect(&r->ports, client, &r->spool, ports) : ports_open(&r->ports, r->fd, &r->peer, client, &r->spool, ports);
	return err;
}

/* The recording goes on, because a file whose times were not compared is better than none. */
static void warn_of_clock(const struct receiver *r, const char *why)
{
	warn("%s: its clock was not compared with this machine's, so its times are its own: %s", r->who, why);
}

/* Starts the comparison of clocks. This is called when the agent's metadata have come, because the agent then has time to answer. */
static int align(struct receiver *r)
{
	const struct receive_agent *agent = r->spec->agent;
	const struct aligner_spec spec = { .clock = agent->clock, .interval_ns = agent->interval_ns, .cpus = r->intake.client.cpus, .spool = &r->spool };
	int fd = take_fd(&r->sync);

	if (agent->sync && fd < 0)
		warn_of_clock(r, "it does not offer that");
	return fd < 0 ? 0 : aligner_start(&r->aligner, fd, &spec);
}

/* Ends the comparison of clocks and saves what was found for the file. A second call does nothing. */
static int end_clocks(struct receiver *r)
{
	const char *why;
	int kept = 1;

	aligner_end(r->aligner);
	if (r->aligner && !r->aligned)
		kept = aligner_keep(r->aligner, &why);
	r->aligned = r->aligner != NULL;
	if (!kept)
		warn_of_clock(r, why);
	return MIN(kept, 0);
}

static int meta(void *ctx, const char *bytes, size_t n)
{
	struct receiver *r = ctx;
	int err;

	if (r->intake.meta > MOST_META)
		return wrong(r, "it sent more metadata than any machine has");
	err = io_write(r->raw, bytes, n);
	return err ? fail(-err, "%s: cannot save its metadata: %s", r->spool.path, strerror(-err)) : 0;
}

/* In version 1 the listener writes what stands between the metadata and the data: no command lines, the number of CPUs, no options, no data. */
static int complete_v1(struct receiver *r)
{
	static const char options[] = "options  \0\0\0flyrecord";
	uint64_t none = 0;
	uint32_t cpus = r->intake.client.cpus;
	int err = io_write(r->raw, &none, sizeof(none));

	/*
	 * The numbers are in this machine's byte order. If the peer's order is the other one, its recording can be read only as far as its formats and
	 * symbols.
	 */
	err = err ?: io_write(r->raw, &cpus, sizeof(cpus));
	err = err ?: io_write(r->raw, options, 10 + 2);
	err = err ?: io_write(r->raw, options + 12, 10);
	for (uint32_t i = 0; i < 2 * cpus && !err; i++)
		err = io_write(r->raw, &none, sizeof(none));
	return err;
}

/* Makes the folder's "meta" of the metadata that have come. From now on, the data in the folder can be restored. */
static int describe(struct receiver *r)
{
	__cleanup(free_ptr) char *path = str_printf("%s/" SPOOL_SENT, r->spool.path);
	struct write_buffer buffer = { .name = "", .page_size = r->intake.client.page_size };
	struct datfile *file = NULL;
	uint64_t size;
	int err = path ? datfile_open(&file, path) : -ENOMEM;

	if (err)
		return err;
	if (file->buffers.n)
		buffer.clock = file->buffers.at[0].clock;
	if (!file->meta.ncpus)
		file->meta.ncpus = r->intake.client.cpus;
	file->meta.page_size = buffer.page_size;
	err = spool_save_meta(&r->spool, &file->meta, &buffer, 1, &size);
	datfile_close(file);
	r->described = !err;
	return err;
}

static int answer(struct receiver *r)
{
	struct str *reply = &r->intake.reply;
	ssize_t n = reply->len ? send(r->fd, reply->at, reply->len, MSG_NOSIGNAL) : 0;

	if (n < 0 && (errno == EPIPE || errno == ECONNRESET))
		return intake_end(&r->intake);
	/* These are a few bytes. A peer that does not take them now will never take them. */
	if (n != (ssize_t)reply->len)
		return wrong(r, "it does not take what is answered");
	str_clear(reply);
	return 0;
}

/* A ringside peer sends a second part of the metadata later. Until then, an empty list of options stands in its place. */
static int describe_begun(struct receiver *r)
{
	int err = sequel_none(r->raw, r->intake.meta);

	return err ? fail(-err, "%s: cannot save its metadata: %s", r->spool.path, strerror(-err)) : describe(r);
}

/* The agent has sent its metadata. Now it waits for connections that take its data. */
static int join_agent(struct receiver *r)
{
	return describe_begun(r) ?: ports_connect(r->ports, r->fd) ?: align(r);
}

/* Reports that the agent records. trace-cmd's agent does not say so. For that agent, this is the best guess. */
static int say_ready(struct receiver *r)
{
	if (r->ready || (r->intake.begins && !r->intake.begun))
		return 0;
	r->ready = true;
	return io_write(r->spec->agent->ready, "r", 1);
}

/* Takes the next step if what the peer has said so far makes it possible. */
static int advance(struct receiver *r)
{
	enum intake_state state = r->intake.state;
	int err = 0;

	if (state != INTAKE_RECORDING && state != INTAKE_CLOSED)
		return 0;
	if (!r->complete) {
		r->complete = true;
		err = r->spec->agent ? join_agent(r) : describe(r);
	}
	if (err || !r->spec->agent)
		return err;
	err = say_ready(r);
	if (err || state != INTAKE_CLOSED)
		return err;
	return end_clocks(r) ?: describe(r);
}

/* Takes what has come through the connection. Returns 0, 1 when the connection has ended as it should, or -errno. */
static int hear(struct receiver *r)
{
	char bytes[TAKEN_AT_ONCE];
	ssize_t n = recv(r->fd, bytes, sizeof(bytes), MSG_DONTWAIT);
	int err;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	r->heard_ns = r->word_ns = now_ns();
	/* A ringside peer ends its metadata when the recording has ended. If it goes away before, the metadata that it had sent are enough for a file. */
	if (n <= 0 && r->described && r->intake.state == INTAKE_META)
		return wrong(r, "it went away while it recorded");
	if (n <= 0)
		return intake_end(&r->intake) ?: 1;
	err = intake_feed(&r->intake, bytes, (size_t)n);
	if (!err)
		err = answer(r);
	if (!err)
		err = advance(r);
	return err ?: r->intake.state == INTAKE_CLOSED;
}

static int check_room(struct receiver *r)
{
	uint64_t bytes = ports_bytes(r->ports);

	if (r->spec->max_bytes && bytes > r->spec->max_bytes)
		return wrong(r, "it sent more than --max-size allows");
	if (io_space(r->spool.fd) < RESERVE + bytes / 2)
		return wrong(r, "the disk here is nearly full (64 MB are left for others)");
	return 0;
}

static int take_data(struct receiver *r)
{
	int got = ports_take(r->ports, &r->intake.wrong);

	if (got <= 0)
		return got;
	r->heard_ns = now_ns();
	return check_room(r);
}

/* Checks whether something takes too long. Returns 0 or -EPROTO. Sets *@wait to the ms after which the caller asks again. */
static int check_time(struct receiver *r, int *wait)
{
	uint64_t now = now_ns(), silent = now - r->heard_ns;

	*wait = 1000;
	if (r->spec->max_ns && now - r->begin_ns > r->spec->max_ns)
		return wrong(r, "it took longer than --max-time allows");
	if (r->ended) {
		*wait = 100;
		return silent > LAST_NS ? wrong(r, "it said that it has ended, and keeps its connections open") : 0;
	}
	if (r->told && silent > END_NS)
		return wrong(r, "it was told to end, and says nothing any more");
	if (!r->ports && now - r->begin_ns > PATIENCE_NS)
		return wrong(r, r->spec->agent ? "it did not say within two minutes who it is: is `ringside agent` or `trace-cmd agent` at that port?"
					       : "it did not say within two minutes who it is");
	return !r->intake.meta && silent > PATIENCE_NS ? wrong(r, "it said nothing for two minutes") : 0;
}

/* A ringside peer ends its metadata only with the recording. What it sent before the data is enough for a "meta", which is made as soon as data have come. */
static int describe_early(struct receiver *r)
{
	bool due = r->intake.state == INTAKE_META && !r->described && r->intake.meta && ports_bytes(r->ports) && now_ns() - r->word_ns > SETTLED_NS;

	return due ? describe_begun(r) : 0;
}

/* Returns true when all data have come. */
static bool complete(const struct receiver *r)
{
	if (!r->ended)
		return false;
	return r->intake.client.tcp ? ports_closed(r->ports) : now_ns() - r->heard_ns > STRAY_NS;
}

/* Ends the recording. An agent is told so. */
static int end_it(struct receiver *r)
{
	char word = RECEIVE_END;

	if (!r->spec->agent)
		return wrong(r, "listening was ended while it recorded");
	r->dropped = io_read(r->spec->agent->stop, &word, 1) == 1 && word == RECEIVE_DROP;
	/* An agent that has not begun to record is not told to end: it is given up. */
	if (!r->complete)
		return -ECANCELED;
	end_clocks(r);
	r->told = true;
	r->heard_ns = now_ns();
	message_add(&r->intake.reply, MESSAGE_CLOSE, NULL, 0, NULL, 0);
	return str_ok(&r->intake.reply) ?: answer(r);
}

static int wait_for(struct receiver *r, int wait)
{
	size_t n;
	struct pollfd *fds = r->ports ? ports_polled(r->ports, &n) : NULL;
	struct pollfd both[2];

	if (!fds) {
		fds = both;
		n = 0;
	}
	/* The first two elements are for the connection and for the word to end. */
	fds[0] = (struct pollfd){ .fd = r->ended ? -1 : r->fd, .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = r->told ? -1 : r->spec->agent ? r->spec->agent->stop : r->signals, .events = POLLIN };
	if (poll(fds, n + 2, wait) < 0 && errno != EINTR)
		return fail(errno, "cannot wait for %s: %m", r->who);
	return fds[1].revents ? end_it(r) : 0;
}

static int converse(struct receiver *r)
{
	int err = answer(r), wait;

	while (!err && !complete(r)) {
		err = check_time(r, &wait) ?: wait_for(r, wait);
		if (!err && !r->ended) {
			err = hear(r);
			r->ended = err > 0;
			err = MIN(err, 0);
		}
		if (!err && r->ports)
			err = take_data(r) ?: describe_early(r);
	}
	if (!err && r->intake.client.protocol == 1)
		err = complete_v1(r) ?: describe(r);
	return err;
}

static int make_file(struct receiver *r)
{
	char *const paths[] = { r->spool.path };
	const struct restore_spec
		spec = { .paths = paths, .npaths = 1, .output = r->output, .version = 7, .compression = "zstd", .program = r->spec->program, .empty = true };
	__cleanup(free_ptr) char *name = NULL;
	struct restored made;
	int err;

	/* restore() could not lock the folder as long as we have it open. */
	close_fd(&r->spool.fd);
	err = restore(&spec, &name, &made);
	if (!err)
		say(r, "%s: %llu kB of events of %zu CPU%s", name, (unsigned long long)made.bytes / 1024, made.cpus, made.cpus == 1 ? "" : "s");
	else
		say(r, "what %s has sent is kept: `ringside restore %s` makes a file of it", r->who, r->spool.path);
	if (!err && made.cut)
		say(r, "%s: %llu bytes that are no whole sub-buffer were left out", name, (unsigned long long)made.cut);
	return err;
}

/* Takes the data that had arrived when the connection broke off. */
static void take_rest(struct receiver *r)
{
	const char *unused;
	size_t n;

	for (unsigned int i = 0; i < MOST_ROUNDS && !check_room(r); i++) {
		struct pollfd *fds = ports_polled(r->ports, &n);

		if (poll(fds + 2, n, REST_MS) <= 0 || ports_take(r->ports, &unused) < 0)
			return;
	}
}

static void keep_all(struct receiver *r)
{
	uint64_t bytes = r->ports ? ports_bytes(r->ports) : 0;

	end_clocks(r);
	if (r->intake.meta && !r->described && bytes)
		r->intake.state == INTAKE_META ? describe_begun(r) : describe(r);
	if (bytes && r->described)
		say(r, "%s: %llu kB of events are kept: `ringside restore %s` makes a file of them", r->spool.path, (unsigned long long)bytes / 1024,
		    r->spool.path);
	else
		spool_remove(&r->spool);
}

/* Keeps what there is of the recording of a peer that broke off. */
static void keep(struct receiver *r)
{
	if (r->ports)
		take_rest(r);
	keep_all(r);
}

int receive(const struct receive_spec *spec, int fd, int signals)
{
	const uint64_t now = now_ns();
	struct receiver r = { .spec = spec, .fd = fd, .signals = signals, .spool = SPOOL_NONE, .raw = -1, .sync = -1, .begin_ns = now, .heard_ns = now };
	const struct intake_sink sink = { begin, meta, &r };
	int err = net_peer(fd, &r.peer);

	if (!err)
		r.who = net_name(&r.peer);
	if (err || !r.who)
		return fail(err ? -err : ENOMEM, "a connection: %s", strerror(err ? -err : ENOMEM));
	net_watch(fd);
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &(struct timeval){ .tv_sec = ANSWER_S }, sizeof(struct timeval));
	if (spec->agent)
		intake_init_agent(&r.intake, &sink, spec->agent->request, true);
	else
		intake_init(&r.intake, &sink);
	r.intake.proxy = spec->agent && spec->agent->proxy;
	err = converse(&r);
	if (err == -EPROTO)
		fail(EPROTO, "%s: %s", r.who, r.intake.wrong ? r.intake.wrong : "it broke the protocol");
	err = err ? err : r.dropped ? -ECANCELED : make_file(&r);
	if (err && r.spool.fd >= 0)
		r.dropped ? spool_remove(&r.spool) : keep(&r);
	aligner_free(r.aligner);
	close_fd(&r.sync);
	ports_free(r.ports);
	close_fd(&r.raw);
	spool_fini(&r.spool);
	intake_fini(&r.intake);
	free(r.who);
	free(r.output);
	return err;
}
