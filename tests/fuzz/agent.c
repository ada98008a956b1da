/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What others may say to who records for them or has them record. The first byte chooses: what an agent answers to a recorder; what a recorder asks an agent for; the
 * ports that a listener tells.
 */
#include "lib/net/request.h"
#include "tests/fuzz/conversation.h"

/* What was taken is asked for again, and comes out as the same. */
static void ask_again(const struct trace_request *request)
{
	struct trace_request again;
	struct str bytes = { 0 };
	const char *wrong = NULL;
	struct message m;

	if (request_add(&bytes, request)) {
		if (message_take(bytes.at, bytes.len, &m, &wrong) != (ssize_t)bytes.len || request_take(&m, &again, &wrong))
			abort();
		if (again.words.n != request->words.n || again.sequel != request->sequel || again.sync != request->sync)
			abort();
		for (size_t i = 0; i < again.words.n; i++)
			if (strcmp(again.words.at[i], request->words.at[i]))
				abort();
		request_fini(&again);
	}
	str_fini(&bytes);
}

static void ask(const char *bytes, size_t size)
{
	struct trace_request request = { 0 };
	const char *wrong = NULL;
	struct message m;
	int err = message_take(bytes, size, &m, &wrong) > 0 ? request_take(&m, &request, &wrong) : -EAGAIN;

	if (err == -EPROTO && !wrong)
		abort();
	if (!err)
		ask_again(&request);
	request_fini(&request);
}

static void listen_to(const char *bytes, size_t size)
{
	const char *wrong = NULL;
	unsigned int ports[4];
	struct message m;

	if (message_take(bytes, size, &m, &wrong) > 0 && message_ports(m.rest, m.nrest, ARRAY_LEN(ports), ports))
		for (size_t i = 0; i < ARRAY_LEN(ports); i++)
			if (!ports[i])
				abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	switch (data[0] % 3) {
	case 0:
		return converse(data + 1, size - 1, true);
	case 1:
		ask((const char *)data + 1, size - 1);
		return 0;
	default:
		listen_to((const char *)data + 1, size - 1);
		return 0;
	}
}
