/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/net/request.h"

#include "lib/base/err.h"
#include "lib/base/now.h"
#include "lib/net/tsync.h"
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>

/*
 * The numbers of the parameters of a request. Each parameter has its number and its length before it. The last number is only ringside's: it is "RS1\0",
 * which nobody else will use.
 */
enum { PARAM_WORDS = 0, PARAM_TIME_SYNC = 1, PARAM_SEQUEL = 0x52533100 };
enum { PARAM_HEAD = 8, REQUEST_FIXED = 16, PROXY_FIXED = 24, RESPONSE_FIXED = 40, FLAG_FIFOS = 1 };
/* A flag of ringside, which is sent only to ringside. */
#define FLAG_BEGINS 0x80000000u

void request_fini(struct trace_request *request)
{
	strv_fini(&request->words);
}

bool request_add(struct str *out, const struct trace_request *request)
{
	/* Flags, and a number for the recording. For a virtual machine, its number of CPUs and how many others of that host it asks follow. */
	const uint32_t fixed[PROXY_FIXED / 4] = { [REQUEST_FIXED / 4] = request->cpus };
	const size_t nfixed = request->proxy ? PROXY_FIXED : REQUEST_FIXED;
	struct str params = { 0 };
	size_t bytes = 4;
	bool fits;

	vec_each (&request->words, word)
		bytes += strlen(*word) + 1;
	if (request->words.n) {
		message_add_u32(&params, PARAM_WORDS);
		message_add_u32(&params, (uint32_t)bytes);
		message_add_u32(&params, (uint32_t)request->words.n);
		vec_each (&request->words, word)
			str_addn(&params, *word, strlen(*word) + 1);
	}
	if (request->sync) {
		/* An empty name ends the list. */
		message_add_u32(&params, PARAM_TIME_SYNC);
		message_add_u32(&params, sizeof(TSYNC_NAME) + 1);
		str_addn(&params, TSYNC_NAME "\0", sizeof(TSYNC_NAME) + 1);
	}
	if (request->sequel) {
		message_add_u32(&params, PARAM_SEQUEL);
		message_add_u32(&params, 4);
		message_add_u32(&params, 1);
	}
	fits = params.len <= MESSAGE_MOST - MESSAGE_HEAD - nfixed && request->words.n <= REQUEST_MOST_WORDS;
	if (fits)
		message_add(out, request->proxy ? MESSAGE_TRACE_PROXY : MESSAGE_TRACE_REQ, fixed, nfixed / 4, params.at, params.len);
	str_fini(&params);
	return fits;
}

static int wrong_request(const char **wrong)
{
	*wrong = "it sent a request that makes no sense";
	return -EPROTO;
}

/* Takes a list of words: their number, and then each word with a NUL behind it. */
static int take_words(struct trace_request *out, const char *at, size_t n, const char **wrong)
{
	const char *end = at + n;
	uint32_t words = n >= 4 ? message_u32(at) : 0;

	if (n < 4 || words > REQUEST_MOST_WORDS || out->words.n)
		return wrong_request(wrong);
	at += 4;
	for (uint32_t i = 0; i < words; i++) {
		size_t length = strnlen(at, (size_t)(end - at));

		if (at + length == end)
			return wrong_request(wrong);
		if (strv_add(&out->words, at))
			return -ENOMEM;
		at += length + 1;
	}
	return 0;
}

/* Returns true if the list has the only way to compare clocks that is known here. */
static bool has_sync(const char *at, size_t n)
{
	for (const char *end = at + n; at < end; at += strnlen(at, (size_t)(end - at)) + 1)
		if (strnlen(at, (size_t)(end - at)) == strlen(TSYNC_NAME) && memcmp(at, TSYNC_NAME, strlen(TSYNC_NAME)) == 0)
			return true;
	return false;
}

int request_take(const struct message *m, struct trace_request *out, const char **wrong)
{
	const char *at = m->rest, *end = m->rest + m->nrest;

	*out = (struct trace_request){ .proxy = m->kind == MESSAGE_TRACE_PROXY };
	if (m->kind != MESSAGE_TRACE_REQ && m->kind != MESSAGE_TRACE_PROXY) {
		*wrong = "it did not say what is to be recorded";
		return -EPROTO;
	}
	if (m->nfixed < (out->proxy ? PROXY_FIXED : REQUEST_FIXED))
		return wrong_request(wrong);
	if (out->proxy)
		out->cpus = message_u32(m->fixed + REQUEST_FIXED);
	while (end - at >= PARAM_HEAD) {
		uint32_t id = message_u32(at), length = message_u32(at + 4);
		int err = 0;

		at += PARAM_HEAD;
		if (length > (size_t)(end - at))
			return wrong_request(wrong);
		/* Unknown parameters are skipped. */
		if (id == PARAM_WORDS)
			err = take_words(out, at, length, wrong);
		else if (id == PARAM_TIME_SYNC)
			out->sync = has_sync(at, length);
		else if (id == PARAM_SEQUEL)
			out->sequel = true;
		if (err)
			return err;
		at += length;
	}
	return at == end ? 0 : wrong_request(wrong);
}

void response_add(struct str *out, uint32_t cpus, uint32_t page_size, const unsigned int *ports, bool begins, unsigned int sync)
{
	/*
	 * Flags, CPUs, bytes of a sub-buffer, and two numbers for the recording. Then the name of the way to compare clocks ("ptp") in four numbers, and one
	 * for its port.
	 */
	const uint32_t numbers[RESPONSE_FIXED / 4] = { begins ? FLAG_BEGINS : 0, cpus, page_size, 0, 0, sync ? 0x70747000 : 0, 0, 0, 0, sync };
	struct str list = { 0 };

	for (uint32_t i = 0; i < cpus; i++) {
		str_addf(&list, "%u", ports[i]);
		str_addc(&list, '\0');
	}
	message_add(out, MESSAGE_TRACE_RESP, numbers, ARRAY_LEN(numbers), list.at, list.len);
	str_fini(&list);
}

/* Returns the port at which clocks are compared. Returns 0 when there is none or the way to compare them is not known. */
static uint32_t sync_port(const struct message *m)
{
	uint32_t port = m->nfixed < RESPONSE_FIXED ? 0 : message_u32(m->fixed + RESPONSE_FIXED - 4);

	return port && port < UINT32_MAX && memcmp(m->fixed + 20, TSYNC_NAME, sizeof(TSYNC_NAME)) == 0 ? port : 0;
}

int response_take(const struct message *m, struct trace_response *out, const char **wrong)
{
	if (m->kind != MESSAGE_TRACE_RESP || m->nfixed < 12) {
		*wrong = "it did not say how many CPUs it has";
		return -EPROTO;
	}
	*out = (struct trace_response){
		.cpus = message_u32(m->fixed + 4),
		.page_size = message_u32(m->fixed + 8),
		.fifos = message_u32(m->fixed) & FLAG_FIFOS,
		.begins = message_u32(m->fixed) & FLAG_BEGINS,
		.sync = sync_port(m),
		.ports = m->rest,
		.nports = m->nrest,
	};
	return 0;
}

static int short_request(const char *who, ssize_t got)
{
	if (got == -EAGAIN)
		return fail(EPROTO, "%s: it connected and did not say what is to be recorded", who);
	if (got < 0)
		return fail((int)-got, "%s: it has gone: %s", who, strerror((int)-got));
	return fail(EPROTO, "%s: it went away before it had said what is to be recorded", who);
}

/*
 * Reads exactly @n bytes until the time @until. Returns how many bytes came, which are fewer if the connection has ended. Returns -EAGAIN when they did not
 * come in time, or another -errno.
 */
static ssize_t hear_by(int fd, char *bytes, size_t n, uint64_t until)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	size_t at = 0;

	while (at < n) {
		uint64_t now = now_ns();
		ssize_t got;

		if (now >= until)
			return -EAGAIN;
		if (poll(&ready, 1, (int)((until - now) / 1000000 + 1)) <= 0)
			continue;
		got = recv(fd, bytes + at, n - at, MSG_DONTWAIT);
		if (!got)
			break;
		if (got < 0 && errno != EAGAIN && errno != EINTR)
			return -errno;
		at += got > 0 ? (size_t)got : 0;
	}
	return (ssize_t)at;
}

int request_hear(int fd, const char *who, unsigned int patience_ms, struct trace_request *out)
{
	const uint64_t until = now_ns() + (uint64_t)patience_ms * 1000000;
	__cleanup(free_ptr) char *bytes = malloc(MESSAGE_TAKEN);
	const char *wrong = "";
	struct message m;
	ssize_t got;
	int err;

	*out = (struct trace_request){ 0 };
	if (!bytes)
		return fail(ENOMEM, "no memory for a request");
	got = hear_by(fd, bytes, MESSAGE_HEAD, until);
	if (got < MESSAGE_HEAD)
		return short_request(who, got);
	if (message_u32(bytes) < MESSAGE_HEAD || message_u32(bytes) > MESSAGE_TAKEN)
		return fail(EPROTO, "%s: it speaks another protocol than trace-cmd's", who);
	got = hear_by(fd, bytes + MESSAGE_HEAD, message_u32(bytes) - MESSAGE_HEAD, until);
	if (got < (ssize_t)(message_u32(bytes) - MESSAGE_HEAD))
		return short_request(who, got);
	if (message_take(bytes, message_u32(bytes), &m, &wrong) <= 0)
		return fail(EPROTO, "%s: %s", who, wrong);
	err = request_take(&m, out, &wrong);
	return err == -EPROTO ? fail(EPROTO, "%s: %s", who, wrong) : err ? fail(-err, "no memory for a request") : 0;
}
