/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Feeds fuzzed bytes to the parser of lib/net/intake.h, for the fuzz targets of conversations with a recorder or an agent. The parser's replies are
 * dropped. What the parser passes to its sink is only summed up.
 */
#ifndef RINGSIDE_FUZZ_CONVERSATION_H
#define RINGSIDE_FUZZ_CONVERSATION_H

#include "lib/net/intake.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>

static int begin(void *ctx, const struct intake_client *client, unsigned int *ports)
{
	size_t *sum = ctx;

	if (!client->cpus || client->cpus > NET_MOST_CPUS)
		abort();
	for (uint32_t i = 0; i < client->cpus; i++)
		ports[i] += i;
	*sum += client->page_size;
	return 0;
}

static int meta(void *ctx, const char *bytes, size_t n)
{
	size_t *sum = ctx;

	for (size_t i = 0; i < n; i++)
		*sum += (unsigned char)bytes[i];
	return 0;
}

/*
 * Feeds @size bytes to the parser, in pieces. When @agent is false, the parser is that of a listener. When @agent is true, it is the parser of a recorder
 * that has asked an agent to record. A byte of @pieces with the value N stands for a piece of 16 * (N + 1) bytes. After the last byte of @pieces, the first
 * is used again. When @npieces is 0, all bytes are fed at once. *@err becomes the parser's error. *@err, *@sum and the state of @in must not depend on the
 * pieces.
 */
static void feed(const char *at, size_t size, const uint8_t *pieces, size_t npieces, bool agent, struct intake *in, int *err, size_t *sum)
{
	const struct intake_sink sink = { begin, meta, sum };
	const struct str none = { 0 };
	size_t i = 0;

	if (agent)
		intake_init_agent(in, &sink, &none, true);
	else
		intake_init(in, &sink);
	*err = 0;
	while (!*err && size) {
		size_t n = npieces ? 16 * (size_t)(pieces[i++ % npieces] + 1) : size;

		n = MIN(n, size);
		*err = intake_feed(in, at, n);
		str_clear(&in->reply);
		at += n;
		size -= n;
	}
	if (!*err)
		*err = intake_end(in);
	if ((*err == -EPROTO) != (in->wrong != NULL))
		abort();
	in->sink = NULL;
}

static int converse(const uint8_t *data, size_t size, bool agent)
{
	struct intake once, pieces;
	size_t sum = 0, again = 0;
	int err, other;

	feed((const char *)data, size, NULL, 0, agent, &once, &err, &sum);
	feed((const char *)data, size, data, MIN(size, (size_t)8), agent, &pieces, &other, &again);
	if (err != other || once.state != pieces.state || sum != again)
		abort();
	intake_fini(&once);
	intake_fini(&pieces);
	return 0;
}

#endif
