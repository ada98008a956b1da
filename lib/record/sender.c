/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/sender.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/now.h"
#include "lib/base/thread.h"
#include "lib/data/sequel.h"
#include "lib/record/answerer.h"
#include "lib/record/unsent.h"
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/* AT_ONCE: the most bytes of a CPU that are sent before the others have their turn. DEAD_MS: a listener whose machine takes nothing for this time has gone. */
enum { AT_ONCE = 1 << 18, DEAD_MS = 60000, LOOK_MS = 1000, DONE_MS = 60000, GONE_MS = 10000 };

struct sender {
	struct dial dial;
	struct answerer *answerer; /* NULL: clocks are not compared */
	bool sequel;		   /* the peer takes a second part of the metadata, sent at the end */
	bool told;		   /* the peer has told this agent to end; atomic, set by the thread */
	const struct recorder *rec;
	struct unsent unsent;
	int *ports;	    /* the connection of each CPU, by the CPU's number */
	uint32_t n;	    /* how many CPUs there are */
	char *room;	    /* for what is sent next */
	uint32_t page_size; /* the size of a sub-buffer */
	uint64_t meta;	    /* bytes of the first part of the metadata */
	pthread_t thread;
	bool threaded;
	pid_t tid;
	int wake;		    /* an eventfd */
	int alarm[2];		    /* a pipe: its reading end is closed when the listener has gone */
	bool started, ending;	    /* atomic */
	uint64_t max_bytes, max_ns; /* see struct record_peer; 0: no limit */
	uint64_t until;		    /* everything has to be sent by then; 0: there is no limit yet; only the thread uses it */
	int err;		    /* the -errno of the thread */
};

int sender_open(struct sender **out, const char *where, bool vsock, const struct record_peer *peer)
{
	struct sender *s = calloc(1, sizeof(*s));

	*out = s;
	if (!s)
		return fail(ENOMEM, "no memory for sending");
	*s = (struct sender){ .dial = DIAL_NONE, .sequel = !peer || peer->sequel, .alarm = { -1, -1 } };
	s->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (s->wake < 0 || pipe2(s->alarm, O_CLOEXEC))
		return fail(errno, "cannot prepare to send: %m");
	if (!peer)
		return dial_open(&s->dial, where, vsock);
	dial_answer(&s->dial, peer->fd, peer->who, peer->sequel);
	s->dial.syncs = peer->sync;
	s->max_bytes = peer->max_bytes;
	s->max_ns = peer->max_ns;
	return 0;
}

/* Checks whether the peer takes the data too slowly and is given up. Returns 0 or an -errno for why_broken(). */
static int check_pace(struct sender *s)
{
	if (s->max_ns && !s->until && __atomic_load_n(&s->ending, __ATOMIC_ACQUIRE))
		s->until = now_ns() + s->max_ns;
	if (s->max_bytes && unsent_left(&s->unsent, s->rec) > s->max_bytes)
		return -EDQUOT;
	return s->until && now_ns() > s->until ? -ETIME : 0;
}

static const char *why_broken(int err)
{
	return err == -EPROTO	? "sent a message that has no place there"
	       : err == -EDQUOT ? "takes the data so slowly that more of it waits than --max-size allows"
	       : err == -ETIME	? "takes longer to take the rest than --max-time allows"
				: NULL;
}

/* Takes what the recorder that asked this agent has said, if it has said anything: the recording ends, and what there is goes on to be sent. */
static int take_word(struct sender *s)
{
	int told = dial_told(&s->dial);

	if (told <= 0)
		return told;
	__atomic_store_n(&s->told, true, __ATOMIC_RELEASE);
	close_fd(&s->alarm[0]);
	return 0;
}

/*
 * The bytes are copied and not sent with sendfile(2), which queues the pages of the spool itself. When a part of the spool is given back to the file system,
 * a folio may be zeroed in part, and with it pages that are still on their way.
 */
static ssize_t send_data(void *ctx, const struct lane_result *lane, const char *bytes, size_t n)
{
	struct sender *s = ctx;
	/* Sending may take long, so the word to end is looked for here, too. */
	const int err = check_pace(s) ?: s->dial.agent && !s->told ? take_word(s) : 0;
	const ssize_t sent = err ? err : send(s->ports[lane->cpu], bytes, n, MSG_NOSIGNAL);

	if (err)
		return err;
	if (sent < 0)
		return errno == EINTR || errno == EAGAIN ? 0 : -errno;
	return sent ? sent : -EIO;
}

/* Waits until there may be more to send. Returns 0, -ECONNRESET when the other end has closed the connection, or another -errno. */
static int wait_for_more(struct sender *s)
{
	short events = s->dial.agent && !s->told ? POLLRDHUP | POLLIN : POLLRDHUP;
	struct pollfd fds[] = { { .fd = s->wake, .events = POLLIN }, { .fd = s->dial.fd, .events = events } };
	uint64_t times;

	if (poll(fds, ARRAY_LEN(fds), LOOK_MS) < 0)
		return errno == EINTR ? 0 : -errno;
	if (fds[1].revents & POLLIN && !s->told)
		return take_word(s);
	if (fds[1].revents & (POLLRDHUP | POLLERR | POLLHUP))
		return -ECONNRESET;
	return fds[0].revents && io_read(s->wake, &times, sizeof(times)) < 0 ? 0 : 0;
}

static void *sender_main(void *arg)
{
	struct sender *s = arg;
	bool ending = false;
	int err = 0;

	__atomic_store_n(&s->tid, gettid(), __ATOMIC_RELEASE);
	while (!err && !ending) {
		/* .ending is read before the data are sent: so all that was recorded before the end is sent in this round. */
		ending = __atomic_load_n(&s->ending, __ATOMIC_ACQUIRE);
		if (__atomic_load_n(&s->started, __ATOMIC_ACQUIRE))
			err = unsent_send(&s->unsent, s->rec, s->room, AT_ONCE, send_data, s);
		if (!err && !ending)
			err = wait_for_more(s);
	}
	s->err = err;
	if (err)
		close_fd(&s->alarm[0]);
	return NULL;
}

static int open_lanes(struct sender *s, uint32_t n)
{
	const struct timeval look = { .tv_sec = LOOK_MS / 1000 };
	int patience = DEAD_MS;

	s->ports = calloc(n, sizeof(*s->ports));
	s->room = malloc(AT_ONCE);
	if (unsent_init(&s->unsent, n, s->page_size) || !s->ports || !s->room)
		return fail(ENOMEM, "no memory for sending");
	for (uint32_t i = 0; i < n; i++)
		s->ports[i] = -1;
	s->n = n;
	for (uint32_t i = 0; i < n; i++) {
		s->ports[i] = dial_port(&s->dial, i);
		if (s->ports[i] < 0)
			return s->ports[i];
		setsockopt(s->ports[i], IPPROTO_TCP, TCP_USER_TIMEOUT, &patience, sizeof(patience));
		/* send() returns after this time, so that a peer that takes little is checked again and again. */
		setsockopt(s->ports[i], SOL_SOCKET, SO_SNDTIMEO, &look, sizeof(look));
	}
	return 0;
}

/* Starts the thread that sends. It has SIGPIPE blocked: send() tells it when a connection has ended. */
static int make_thread(struct sender *s, pid_t *tid)
{
	int err = thread_start(&s->thread, sender_main, s);

	if (err)
		return fail(err, "cannot start a thread for sending: %s", strerror(err));
	s->threaded = true;
	while (!(*tid = __atomic_load_n(&s->tid, __ATOMIC_ACQUIRE)))
		usleep(100);
	return 0;
}

/* Sends the metadata that are known by now. A peer that takes no second part gets all of them now. */
static int send_known(struct sender *s, const struct metadata *meta, const struct text *first)
{
	struct str now = { 0 };
	int err = dial_meta(&s->dial, first->at, first->size);

	s->meta = first->size;
	if (!err && !s->sequel)
		err = sequel_end(&now, s->meta, meta) ? fail(ENOMEM, "no memory for names of tasks") : dial_meta(&s->dial, now.at, now.len);
	str_fini(&now);
	return err ? err : s->dial.agent ? dial_described(&s->dial) : 0;
}

/*
 * Returns true if the clock's times can be compared. Some clocks count something else than nanoseconds. trace-cmd's recorder (which takes no second part)
 * asks for ticks by default, but sends the times of another clock of its machine.
 */
static bool tells_time(const struct sender *s, const char *clock)
{
	if (clock_is_ns(clock) || !s->dial.syncs)
		return true;
	if (s->sequel && strcmp(clock, "x86-tsc") == 0)
		return true;
	warn("%s: its clock is not compared with the one here, which counts no nanoseconds (%s); let it say -C mono, behind -A and for itself", s->dial.where,
	     clock);
	return false;
}

int sender_prepare(struct sender *s, const struct metadata *meta, uint32_t page_size, const struct sender_clock *clock, pid_t tids[SENDER_THREADS], size_t *n)
{
	struct text first = { 0 };
	/* The first part is made before any message is sent, because a peer that waits for the next message is not patient. */
	int err = sequel_begin(&first, meta, codec_find("zstd"));

	*n = 0;
	s->page_size = page_size;
	s->dial.syncs &= tells_time(s, clock->name);
	if (!err)
		err = dial_begin(&s->dial, meta->ncpus, page_size);
	if (!err && s->dial.sync >= 0)
		err = answerer_start(&s->answerer, s->dial.sync, s->dial.fd, clock->stats, clock->name, &tids[(*n)++]);
	if (!err)
		err = send_known(s, meta, &first);
	free(first.at);
	if (!err)
		err = open_lanes(s, meta->ncpus);
	return err ? err : make_thread(s, &tids[(*n)++]);
}

void sender_start(struct sender *s, const struct recorder *rec)
{
	/* Each lane belongs to a CPU that the metadata count, so it has a connection. */
	s->rec = rec;
	__atomic_store_n(&s->started, true, __ATOMIC_RELEASE);
	sender_wake(s);
}

int sender_begun(const struct sender *s)
{
	return dial_begun(&s->dial);
}

void sender_quit_clocks(struct sender *s)
{
	if (s)
		answerer_end(s->answerer, __atomic_load_n(&s->told, __ATOMIC_ACQUIRE));
}

void sender_wake(struct sender *s)
{
	eventfd_write(s->wake, 1);
}

const int *sender_broken(const struct sender *s)
{
	return &s->alarm[1];
}

uint64_t sender_sent(const struct sender *s, size_t lane)
{
	return unsent_sent(&s->unsent, lane);
}

static void close_ports(struct sender *s)
{
	for (uint32_t i = 0; i < s->n; i++)
		close_fd(&s->ports[i]);
}

static void join(struct sender *s)
{
	if (!s->threaded)
		return;
	__atomic_store_n(&s->ending, true, __ATOMIC_RELEASE);
	sender_wake(s);
	pthread_join(s->thread, NULL);
	s->threaded = false;
}

/* Sends the second part of the metadata. */
static int send_late(const struct sender *s, const struct metadata *meta)
{
	struct str second = { 0 };
	int err = sequel_end(&second, s->meta, meta);

	err = err ? fail(-err, "no memory for names of tasks") : dial_meta(&s->dial, second.at, second.len);
	str_fini(&second);
	return err ? err : s->dial.agent ? 0 : dial_described(&s->dial);
}

int sender_finish(struct sender *s, const struct metadata *meta)
{
	const char *other = s->dial.agent ? "recorder" : "listener";
	int err;

	join(s);
	if (why_broken(s->err))
		return fail(-s->err, "%s: the %s %s", s->dial.where, other, why_broken(s->err));
	if (s->err)
		return fail(-s->err, "%s: the %s has gone (%s)", s->dial.where, other, strerror(-s->err));
	err = s->sequel ? send_late(s, meta) : 0;
	close_ports(s);
	if (!err)
		err = dial_end(&s->dial);
	if (!err && !dial_done(&s->dial, s->dial.agent ? GONE_MS : DONE_MS) && !s->dial.agent)
		warn("%s: all was sent, but the listener did not say that its file is complete", s->dial.where);
	return err;
}

void sender_close(struct sender *s)
{
	if (!s)
		return;
	join(s);
	answerer_free(s->answerer);
	close_ports(s);
	unsent_fini(&s->unsent);
	free(s->ports);
	free(s->room);
	dial_close(&s->dial);
	close_fd(&s->wake);
	close_fd(&s->alarm[0]);
	close_fd(&s->alarm[1]);
	free(s);
}
