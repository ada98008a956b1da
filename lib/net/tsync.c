/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/net/tsync.h"

#include "lib/base/io.h"
#include "lib/base/now.h"
#include "lib/net/message.h"
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

enum { ASK = 1, STOP = 2 };
enum { START = 1, PROBE = 2, TIMES = 3, OFFSET = 4, END = 5 };
/* trace-cmd's flags: the fastest measurement is chosen, and marks in the trace are used. */
enum { FLAGS = 3 };
/* MEASURED: how often an agent measures. trace-cmd takes a list of times only in a message that has room for twice as many. */
enum { MEASURED = 339, ROOM = 2 * MEASURED, TIME_SIZE = 12, NAME_SIZE = 16, FIXED = NAME_SIZE + 4 };
/* On a slow connection, an agent measures less often, but at least this often. */
enum { LEAST = 8 };
#define LONG_NS (NSEC_PER_SEC / 4)

static int broken(const char **wrong, const char *what)
{
	*wrong = what;
	return -EPROTO;
}

static uint64_t u64_at(const char *at)
{
	return (uint64_t)message_u32(at) << 32 | message_u32(at + 4);
}

static void add_u64(struct str *out, uint64_t value)
{
	message_add_u32(out, (uint32_t)(value >> 32));
	message_add_u32(out, (uint32_t)value);
}

/* Sends a message in one piece, so that its parts do not wait for each other on the way. */
static int say(int fd, const char *name, uint32_t kind, const void *rest, size_t n)
{
	uint32_t fixed[FIXED / 4] = { 0 };
	struct str out = { 0 };
	size_t at = 0;
	int err;

	/* message_add() writes numbers in big-endian order. */
	for (size_t i = 0; name[i]; i++)
		fixed[i / 4] |= (uint32_t)(unsigned char)name[i] << (24 - 8 * (i % 4));
	fixed[NAME_SIZE / 4] = kind;
	message_add(&out, MESSAGE_TIME_SYNC, fixed, ARRAY_LEN(fixed), rest, n);
	err = str_ok(&out);
	while (!err && at < out.len) {
		ssize_t sent = send(fd, out.at + at, out.len - at, MSG_NOSIGNAL);

		if (sent < 0 && errno != EINTR)
			err = -errno;
		at += sent > 0 ? (size_t)sent : 0;
	}
	str_fini(&out);
	return err;
}

struct heard {
	char bytes[MESSAGE_MOST];
	const char *rest;
	size_t n;
	uint32_t kind;
	bool plain; /* the name is "none" and not "ptp" */
};

/* Reads a message. Returns 1, 0 when the connection has ended, or -errno. */
static int hear(int fd, struct heard *out, const char **wrong)
{
	const int quick = 1;
	struct message m;
	uint32_t size;
	ssize_t got;

	/*
	 * trace-cmd sends a message in pieces, and each piece waits until the one before is acknowledged. If this is not TCP, the call fails, which does not
	 * matter.
	 */
	setsockopt(fd, IPPROTO_TCP, TCP_QUICKACK, &quick, sizeof(quick));
	got = io_read(fd, out->bytes, MESSAGE_HEAD);
	if (got <= 0)
		return (int)got;
	size = got == MESSAGE_HEAD ? message_u32(out->bytes) : 0;
	if (size < MESSAGE_HEAD + FIXED || size > sizeof(out->bytes))
		return broken(wrong, "it sent something else than the time");
	setsockopt(fd, IPPROTO_TCP, TCP_QUICKACK, &quick, sizeof(quick));
	got = io_read(fd, out->bytes + MESSAGE_HEAD, size - MESSAGE_HEAD);
	if (got < 0)
		return (int)got;
	if ((size_t)got < size - MESSAGE_HEAD)
		return broken(wrong, "it went away in the middle of a message");
	if (message_take(out->bytes, size, &m, wrong) <= 0)
		return -EPROTO;
	if (m.kind != MESSAGE_TIME_SYNC || m.nfixed != FIXED)
		return broken(wrong, "it sent something else than the time");
	out->plain = strncmp(m.fixed, "none", NAME_SIZE) == 0;
	if (!out->plain && strncmp(m.fixed, TSYNC_NAME, NAME_SIZE))
		return broken(wrong, "it compares clocks in another way than was agreed upon");
	out->kind = message_u32(m.fixed + NAME_SIZE);
	out->rest = m.rest;
	out->n = m.nrest;
	return 1;
}

/* Reads a message of the exchange that has at least @n bytes. */
static int expect(int fd, struct heard *out, size_t n, const char **wrong)
{
	int got = hear(fd, out, wrong);

	if (got <= 0)
		return got ? got : broken(wrong, "it went away while clocks were compared");
	return out->plain || out->n < n ? broken(wrong, "it broke the exchange by which clocks are compared") : 0;
}

/* --- the recorder ----------------------------------------------------------------------------------------------- */

struct times {
	struct str list; /* the list in the form in which it is sent */
	size_t n;
	int64_t last[2];  /* the last two times, the newest first */
	int64_t shortest; /* the shortest time from one probe to the next but one, which encloses a round trip; INT64_MAX: not known */
};

static void add_time(struct times *t, int64_t time, uint32_t which)
{
	add_u64(&t->list, (uint64_t)time);
	message_add_u32(&t->list, which);
	if (t->n >= 2 && time - t->last[1] < t->shortest)
		t->shortest = time - t->last[1];
	t->last[1] = t->last[0];
	t->last[0] = time;
	t->n++;
}

/* Notes when each probe of the agent came, and sends the probe back, until the agent sends no more. */
static int answer_probes(int fd, const struct tsync_clock *clock, struct times *t, const char **wrong)
{
	struct heard m;
	int64_t time;
	int err;

	for (;;) {
		err = expect(fd, &m, 0, wrong);
		if (err)
			return err;
		if (!clock->read(clock->ctx, &time))
			return broken(wrong, "the clock here cannot be read");
		if (m.kind == END)
			return t->n ? 0 : broken(wrong, "it measured nothing");
		if (m.kind != PROBE || m.n < 4)
			return broken(wrong, "it broke the exchange by which clocks are compared");
		if (t->n == ROOM)
			return broken(wrong, "it measures without an end");
		err = say(fd, TSYNC_NAME, PROBE, m.rest, 4);
		if (err)
			return err;
		add_time(t, time, message_u32(m.rest));
	}
}

static int send_times(int fd, uint32_t series, const struct times *t)
{
	struct str out = { 0 };
	int err;

	message_add_u32(&out, series);
	message_add_u32(&out, (uint32_t)t->n);
	str_addn(&out, t->list.at, t->list.len);
	for (size_t i = t->n; i < ROOM; i++)
		str_addn(&out, "\0\0\0\0\0\0\0\0\0\0\0", TIME_SIZE);
	err = str_ok(&out) ?: say(fd, TSYNC_NAME, TIMES, out.at, out.len);
	str_fini(&out);
	return err;
}

static int take_offset(int fd, const struct times *t, struct tsync_answer *out, const char **wrong)
{
	struct heard m;
	int err = expect(fd, &m, 16, wrong);
	int64_t here;

	if (err)
		return err;
	if (m.kind != OFFSET)
		return broken(wrong, "it broke the exchange by which clocks are compared");
	out->time = (int64_t)u64_at(m.rest);
	out->offset = (int64_t)u64_at(m.rest + 8);
	out->error = t->shortest == INT64_MAX ? INT64_MAX / 4 : t->shortest / 2;
	out->round = (uint64_t)MIN(t->shortest, INT64_MAX / 4);
	/* The agent's answer must be one of the times that it was told. Each of them was read here while the agent's clock went from one mark to the next. */
	if (__builtin_add_overflow(out->time, out->offset, &here))
		return broken(wrong, "what it says of its clock cannot be true");
	for (size_t i = 0; i < t->n; i++)
		if ((uint64_t)here == u64_at(t->list.at + i * TIME_SIZE))
			return 0;
	return broken(wrong, "what it says of its clock cannot be true");
}

int tsync_ask(int fd, unsigned int cpu, const struct tsync_clock *clock, struct tsync_answer *out, const char **wrong)
{
	struct times t = { .shortest = INT64_MAX };
	const uint16_t which = (uint16_t)cpu;
	struct heard m;
	uint32_t series;
	int err = say(fd, "none", ASK, &which, sizeof(which));

	*wrong = "it does not answer";
	err = err ?: expect(fd, &m, 8, wrong);
	if (err)
		return err;
	if (m.kind != START)
		return broken(wrong, "it broke the exchange by which clocks are compared");
	series = message_u32(m.rest);
	err = say(fd, TSYNC_NAME, START, m.rest, 8);
	err = err ?: answer_probes(fd, clock, &t, wrong);
	err = err ?: send_times(fd, series, &t);
	err = err ?: take_offset(fd, &t, out, wrong);
	str_fini(&t.list);
	return err;
}

int tsync_stop(int fd)
{
	return say(fd, "none", STOP, NULL, 0);
}

/* --- the agent -------------------------------------------------------------------------------------------------- */

struct measured {
	int64_t sent, came;
};

static int measure(int fd, const struct tsync_clock *clock, struct measured all[MEASURED], size_t *n, const char **wrong)
{
	const uint64_t begin = now_ns();
	struct heard m;
	int err = 0;

	for (*n = 0; !err && *n < MEASURED && (*n < LEAST || now_ns() - begin < LONG_NS); ++*n) {
		const uint32_t which = (uint32_t)*n + 1;
		const char number[] = { (char)(which >> 24), (char)(which >> 16), (char)(which >> 8), (char)which };

		if (!clock->read(clock->ctx, &all[*n].sent))
			return broken(wrong, "the clock here cannot be read");
		err = say(fd, TSYNC_NAME, PROBE, number, sizeof(number)) ?: expect(fd, &m, 4, wrong);
		if (!err && !clock->read(clock->ctx, &all[*n].came))
			return broken(wrong, "the clock here cannot be read");
		if (!err && (m.kind != PROBE || message_u32(m.rest) != which))
			return broken(wrong, "it broke the exchange by which clocks are compared");
	}
	return err;
}

/* Chooses, of the times that the recorder told, the one whose probe came back soonest. */
static int choose(const struct heard *m, const struct measured *all, size_t n, uint64_t told[2], const char **wrong)
{
	uint32_t count = m->n >= 8 ? message_u32(m->rest + 4) : 0;
	int64_t best = INT64_MAX;

	if (m->kind != TIMES || !count || count > (m->n - 8) / TIME_SIZE)
		return broken(wrong, "it broke the exchange by which clocks are compared");
	for (uint32_t i = 0; i < count; i++) {
		const char *at = m->rest + 8 + (size_t)i * TIME_SIZE;
		uint32_t which = message_u32(at + 8) - 1;

		if (which >= n || all[which].came - all[which].sent >= best)
			continue;
		best = all[which].came - all[which].sent;
		told[0] = (uint64_t)(all[which].sent + best / 2);
		told[1] = u64_at(at) - told[0];
	}
	return best == INT64_MAX ? broken(wrong, "it told the times of nothing that was measured") : 0;
}

int tsync_reply(int fd, uint32_t series, const struct tsync_clock *clock, void (*cpu)(unsigned int cpu), const char **wrong)
{
	struct measured all[MEASURED];
	struct str out = { 0 };
	uint64_t told[2] = { 0 };
	uint16_t which;
	struct heard m;
	size_t n;
	int err = hear(fd, &m, wrong);

	if (err <= 0)
		return err;
	if (m.plain && m.kind == STOP)
		return 0;
	if (!m.plain || m.kind != ASK || m.n < sizeof(which))
		return broken(wrong, "it broke the exchange by which clocks are compared");
	memcpy(&which, m.rest, sizeof(which));
	cpu(which);
	message_add_u32(&out, series);
	message_add_u32(&out, FLAGS);
	err = str_ok(&out) ?: say(fd, TSYNC_NAME, START, out.at, out.len);
	err = err ?: expect(fd, &m, 8, wrong);
	if (!err && (m.kind != START || message_u32(m.rest) != series))
		err = broken(wrong, "it broke the exchange by which clocks are compared");
	err = err ?: measure(fd, clock, all, &n, wrong);
	err = err ?: say(fd, TSYNC_NAME, END, NULL, 0);
	err = err ?: expect(fd, &m, 8, wrong);
	err = err ?: choose(&m, all, n, told, wrong);
	str_clear(&out);
	add_u64(&out, told[0]);
	add_u64(&out, told[1]);
	err = err ?: str_ok(&out) ?: say(fd, TSYNC_NAME, OFFSET, out.at, out.len);
	str_fini(&out);
	return err ? err : 1;
}
