/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/net/intake.h"

#include "lib/base/parse.h"
#include "lib/net/request.h"

/* No word of the protocol is longer than LONGEST_WORD. */
enum { LONGEST_WORD = 32, MOST_OPTIONS = 16, LONGEST_OPTION = 256 };

void intake_init(struct intake *out, const struct intake_sink *sink)
{
	*out = (struct intake){ .sink = sink };
	str_add(&out->reply, NET_GREETING);
}

void intake_init_agent(struct intake *out, const struct intake_sink *sink, const struct str *request, bool sequel)
{
	*out = (struct intake){ .sink = sink, .state = INTAKE_RESPONSE, .agent = true, .sequel = sequel };
	str_addn(&out->reply, request->at, request->len);
}

void intake_fini(struct intake *in)
{
	str_fini(&in->in);
	str_fini(&in->reply);
}

static int wrong(struct intake *in, const char *what)
{
	in->wrong = what;
	return -EPROTO;
}

/* Parses a number that the peer has sent. Returns false if it is not from @least to @most. */
static bool number(const char *word, uint64_t least, uint64_t most, uint32_t *out)
{
	uint64_t value;

	if (*word < '0' || *word > '9' || parse_u64(word, &value) || value < least || value > most)
		return false;
	*out = (uint32_t)value;
	return true;
}

static int check_client(struct intake *in)
{
	const struct intake_client *c = &in->client;

	if (!c->cpus || c->cpus > NET_MOST_CPUS)
		return wrong(in, "it says that it has an impossible number of CPUs");
	if (c->page_size < NET_LEAST_PAGE || c->page_size > NET_LARGEST_PAGE || c->page_size & (c->page_size - 1))
		return wrong(in, "it says that its sub-buffers have an impossible size");
	return 0;
}

/* Opens the ports and tells the peer their numbers. */
static int begin(struct intake *in)
{
	__cleanup(free_ptr) unsigned int *ports = NULL;
	struct str list = { 0 };
	int err = check_client(in);

	if (err)
		return err;
	ports = calloc(in->client.cpus, sizeof(*ports));
	err = ports ? in->sink->begin(in->sink->ctx, &in->client, ports) : -ENOMEM;
	if (err)
		return err;
	for (uint32_t i = 0; i < in->client.cpus; i++) {
		str_addf(&list, in->client.protocol == 1 && i ? ",%u" : "%u", ports[i]);
		if (in->client.protocol != 1)
			str_addc(&list, '\0');
	}
	if (in->client.protocol == 1)
		str_addn(&in->reply, str_text(&list), list.len + 1);
	else
		message_add(&in->reply, MESSAGE_RINIT, &in->client.cpus, 1, list.at, list.len);
	err = str_ok(&list) ?: str_ok(&in->reply);
	str_fini(&list);
	in->state = in->client.protocol == 1 ? INTAKE_V1_META : INTAKE_META;
	return err;
}

static int take_meta(struct intake *in, const char *bytes, size_t n)
{
	in->meta += n;
	return in->sink->meta(in->sink->ctx, bytes, n);
}

static int take_tinit(struct intake *in, const struct message *m)
{
	uint32_t options;
	const char *at = m->rest, *end = m->rest + m->nrest;

	if (m->kind != MESSAGE_TINIT || m->nfixed < 12)
		return wrong(in, "it did not say how many CPUs it has");
	in->client = (struct intake_client){ .protocol = 3, .cpus = message_u32(m->fixed), .page_size = message_u32(m->fixed + 4) };
	options = message_u32(m->fixed + 8);
	if (options > MOST_OPTIONS)
		return wrong(in, "it announces more options than trace-cmd has");
	for (uint32_t i = 0; i < options; i++) {
		size_t n = strnlen(at, (size_t)(end - at));

		if (at + n == end)
			return wrong(in, "it has an option without an end");
		if (strcmp(at, NET_TCP) && strcmp(at, NET_VSOCK))
			return wrong(in, "it asks for something that is not known here");
		in->client.tcp = true;
		at += n + 1;
	}
	return begin(in);
}

static int take_response(struct intake *in, const struct message *m)
{
	__cleanup(free_ptr) unsigned int *ports = NULL;
	struct trace_response response;
	int err = response_take(m, &response, &in->wrong);

	if (err)
		return err;
	in->client = (struct intake_client){ .protocol = 3, .cpus = response.cpus, .page_size = response.page_size, .tcp = true, .sync = response.sync };
	err = check_client(in);
	if (err)
		return err;
	if (in->proxy && !response.begins)
		return wrong(in, "it is not an agent of ringside, and --proxy works with no other: use -A");
	if (response.fifos)
		return wrong(in, "it wants to send its data through FIFOs, which it was not asked for");
	ports = calloc(response.cpus, sizeof(*ports));
	if (!ports)
		return -ENOMEM;
	if (!message_ports(response.ports, response.nports, response.cpus, ports))
		return wrong(in, "it did not say at which ports its data are");
	in->begins = response.begins;
	in->state = INTAKE_META;
	return in->sink->begin(in->sink->ctx, &in->client, ports);
}

/* Takes a message that an agent sends after its metadata. */
static int take_late(struct intake *in, const struct message *m)
{
	if (m->kind == MESSAGE_DATA && in->sequel)
		return take_meta(in, m->rest, m->nrest);
	if (m->kind == MESSAGE_CONT && in->begins && !in->begun) {
		in->begun = true;
		return 0;
	}
	if (m->kind != MESSAGE_CLOSE_RESP)
		return wrong(in, "it sent a message that the protocol does not allow there");
	in->state = INTAKE_CLOSED;
	return 0;
}

static int take_message(struct intake *in, const struct message *m)
{
	if (in->state == INTAKE_TINIT)
		return take_tinit(in, m);
	if (in->state == INTAKE_RESPONSE)
		return take_response(in, m);
	if (in->agent && in->state == INTAKE_RECORDING)
		return take_late(in, m);
	if (in->state == INTAKE_META && m->kind == MESSAGE_DATA)
		return take_meta(in, m->rest, m->nrest);
	if (in->state == INTAKE_META && m->kind == MESSAGE_FIN_DATA) {
		in->state = INTAKE_RECORDING;
		return 0;
	}
	if (m->kind == MESSAGE_CLOSE && !in->agent) {
		if (in->state != INTAKE_RECORDING)
			return wrong(in, "it ended before it had sent its metadata");
		in->state = INTAKE_CLOSED;
		return 0;
	}
	return wrong(in, "it sent a message that the protocol does not allow there");
}

static int take_first(struct intake *in, const char *word)
{
	uint32_t version;

	if (str_starts(word, NET_ASKS)) {
		if (!number(word + strlen(NET_ASKS), 2, 1000, &version))
			return wrong(in, "it speaks another protocol than trace-cmd's");
		str_addn(&in->reply, NET_VERSION, sizeof(NET_VERSION));
		/* If the peer asks for a later version, it has to say whether version 3 will do. */
		if (version == 3)
			in->state = INTAKE_MAGIC;
		return version == 2 ? wrong(in, "it speaks version 2 of trace-cmd's protocol: only 1 and 3 are known here") : 0;
	}
	in->client = (struct intake_client){ .protocol = 1 };
	if (!number(word, 1, NET_MOST_CPUS, &in->client.cpus))
		return wrong(in, "it speaks another protocol than trace-cmd's");
	in->state = INTAKE_V1_PAGE;
	return 0;
}

static int next_option(struct intake *in)
{
	if (!in->options)
		return begin(in);
	in->options--;
	in->state = INTAKE_V1_LENGTH;
	return 0;
}

static int take_word(struct intake *in, const char *word)
{
	switch (in->state) {
	case INTAKE_FIRST:
		return take_first(in, word);
	case INTAKE_V1_PAGE:
		if (!number(word, NET_LEAST_PAGE, NET_LARGEST_PAGE, &in->client.page_size))
			return wrong(in, "it says that its sub-buffers have an impossible size");
		in->state = INTAKE_V1_OPTIONS;
		return 0;
	case INTAKE_V1_OPTIONS:
		if (!number(word, 0, MOST_OPTIONS, &in->options))
			return wrong(in, "it announces more options than trace-cmd has");
		return next_option(in);
	default:
		if (!number(word, 1, LONGEST_OPTION, &in->length))
			return wrong(in, "it has an option of an impossible length");
		in->state = INTAKE_V1_OPTION;
		return 0;
	}
}

/* Takes the bytes up to the next NUL, in the states that wait for words. Returns how many bytes it took, 0 when more have to come, or -errno. */
static ssize_t step_word(struct intake *in, const char *at, size_t n)
{
	/* The caller has put a NUL behind the bytes. */
	size_t length = strnlen(at, n);
	int err;

	if (length > LONGEST_WORD || strspn(at, NET_ASKS "0123456789") < length)
		return wrong(in, "it speaks another protocol than trace-cmd's");
	if (length == n)
		return 0;
	err = take_word(in, at);
	return err ? err : (ssize_t)length + 1;
}

static ssize_t step_option(struct intake *in, const char *at, size_t n)
{
	int err;

	if (n < in->length)
		return 0;
	if (in->length != sizeof("TCP") || memcmp(at, "TCP", sizeof("TCP")))
		return wrong(in, "it asks for something that is not known here");
	in->client.tcp = true;
	err = next_option(in);
	return err ? err : (ssize_t)in->length;
}

static ssize_t step_message(struct intake *in, const char *at, size_t n)
{
	struct message m;
	ssize_t size = message_take(at, n, &m, &in->wrong);
	int err = size > 0 ? take_message(in, &m) : 0;

	return err ? err : size;
}

static ssize_t step(struct intake *in, const char *at, size_t n)
{
	int err;

	switch (in->state) {
	case INTAKE_FIRST:
	case INTAKE_V1_PAGE:
	case INTAKE_V1_OPTIONS:
	case INTAKE_V1_LENGTH:
		return step_word(in, at, n);
	case INTAKE_V1_OPTION:
		return step_option(in, at, n);
	case INTAKE_V1_META:
		err = take_meta(in, at, n);
		return err ? err : (ssize_t)n;
	case INTAKE_MAGIC:
		if (n < sizeof(NET_MAGIC))
			return 0;
		if (memcmp(at, NET_MAGIC, sizeof(NET_MAGIC)))
			return wrong(in, "it speaks another protocol than trace-cmd's");
		str_add(&in->reply, NET_OK);
		in->state = INTAKE_TINIT;
		return sizeof(NET_MAGIC);
	case INTAKE_CLOSED:
		return wrong(in, "it sent more after it had said that it ended");
	default:
		return step_message(in, at, n);
	}
}

int intake_feed(struct intake *in, const char *bytes, size_t n)
{
	size_t at = 0;
	ssize_t took = 1;

	str_addn(&in->in, bytes, n);
	if (str_ok(&in->in))
		return -ENOMEM;
	while (took > 0 && at < in->in.len) {
		took = step(in, in->in.at + at, in->in.len - at);
		at += took > 0 ? (size_t)took : 0;
	}
	if (took < 0)
		return (int)took;
	memmove(in->in.at, in->in.at + at, in->in.len - at);
	in->in.len -= at;
	return str_ok(&in->reply);
}

int intake_end(struct intake *in)
{
	if (in->state == INTAKE_CLOSED || (in->state == INTAKE_V1_META && in->meta))
		return 0;
	if (in->state == INTAKE_RESPONSE && !in->in.len)
		return wrong(in, "it does not do what it was asked for; it may have a message that tells why");
	if (in->state == INTAKE_FIRST && !in->in.len)
		return wrong(in, "it went away without a word");
	if (in->state == INTAKE_RECORDING)
		return wrong(in, "it went away while it recorded");
	return wrong(in, in->state == INTAKE_META || in->state == INTAKE_V1_META ? "it went away before it had sent its metadata"
										 : "it went away before it had said who it is");
}
