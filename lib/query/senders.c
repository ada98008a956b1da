/* SPDX-License-Identifier: GPL-2.0 */
#if defined(RINGSIDE_SQLITE) && defined(RINGSIDE_CURL)
#include "lib/base/err.h"
#include "lib/base/now.h"
#include "lib/query/fleet-inside.h"

#include <inttypes.h>
#include <unistd.h>
#include <zlib.h>

enum { MOST_QUEUED = 2, FIRST_PAUSE_MS = 50, MOST_PAUSE_MS = 1000 };

void block_free(struct block *block)
{
	if (!block)
		return;
	str_fini(&block->bytes);
	free(block);
}

bool be_patient(struct patience *p, const struct fleet_options *options)
{
	if (!p->pause_ms)
		*p = (struct patience){ now_ns() + options->wait_ns, FIRST_PAUSE_MS };
	if (now_ns() >= p->until)
		return false;
	usleep(p->pause_ms * 1000);
	p->pause_ms = MIN(p->pause_ms * 2, (unsigned int)MOST_PAUSE_MS);
	return true;
}

static int gave_up(struct server *server, const struct fleet_options *options)
{
	return fail(EIO, "%s: no answer for %llu s (%s); what has been sent is kept, and the same command, run again, goes on from there", server_name(server),
		    (unsigned long long)(options->wait_ns / NSEC_PER_SEC), server_error(server));
}

int fleet_ask(struct server *server, const struct fleet_options *options, const char *query, bool no_database)
{
	const struct server_request request = { .query = query, .no_database = no_database };
	struct patience patience = { 0 };
	bool told = false, long_break;

	for (;;) {
		switch (server_ask(server, &request)) {
		case SERVER_DONE:
			return 0;
		case SERVER_REFUSED:
			return fail(EIO, "%s: %s", server_name(server), server_error(server));
		default:
			if (!options->patient && !server_reached(server) && server_is_absent(server))
				return fail(ECONNREFUSED,
					    "%s: nobody listens there (%s): is the address right? With --wait TIME a server that is not up yet is waited for",
					    server_name(server), server_error(server));
			if (!be_patient(&patience, options))
				return gave_up(server, options);
			/* A server that was never reached is reported at once, because the address may be mistyped. A break is reported only if it is long. */
			long_break = !server_reached(server) || patience.pause_ms == MOST_PAUSE_MS;
			if (!told && long_break)
				note("%s does not answer (%s); it is asked again for %llu s (--wait sets this time)", server_name(server), server_error(server),
				     (unsigned long long)(options->wait_ns / NSEC_PER_SEC));
			told |= long_break;
		}
	}
}

/* --- a block ----------------------------------------------------------------------------------------------------- */

/*
 * Packs a block as one gzip stream. The server waits for its end, so that it does not insert rows that arrived only in part. For a server on this machine the
 * bytes are not compressed, because sending them costs less.
 */
static int pack(const struct block *block, bool near, struct str *out)
{
	z_stream z = { 0 };
	int ret;

	if (deflateInit2(&z, near ? 0 : 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		return -ENOMEM;
	str_clear(out);
	if (!str_room(out, deflateBound(&z, block->bytes.len) + 64)) {
		deflateEnd(&z);
		return -ENOMEM;
	}
	z.next_in = (Bytef *)block->bytes.at;
	z.avail_in = (uInt)block->bytes.len;
	z.next_out = (Bytef *)out->at;
	z.avail_out = (uInt)(out->cap - 1);
	ret = deflate(&z, Z_FINISH);
	out->len = z.total_out;
	deflateEnd(&z);
	return ret == Z_STREAM_END ? 0 : -ENOMEM;
}

enum there { THERE_NOT, THERE_ALL, THERE_UNKNOWN, THERE_WRONG };

/* Is the block in the store? This is not known while a query that inserts it runs. */
static enum there look(const struct senders *senders, struct server *server, const struct block *block, const char *id)
{
	struct server_request request = { 0 };
	enum there there = THERE_UNKNOWN;
	struct str query = { 0 };
	uint64_t n;

	str_add(&query, "SELECT count() FROM system.processes WHERE query_id = ");
	encode_literal(id, &query);
	request.query = str_text(&query);
	if (server_ask(server, &request) != SERVER_DONE || strtoull(server_answer(server), NULL, 10))
		goto out;
	str_clear(&query);
	str_addf(&query, "SELECT count() FROM %s WHERE ", block->table->name);
	fleet_where(senders->identity, block->table->what, &query);
	str_addf(&query, " AND _block = %" PRIu64, block->first);
	request.query = str_text(&query);
	if (server_ask(server, &request) != SERVER_DONE)
		goto out;
	n = strtoull(server_answer(server), NULL, 10);
	there = !n ? THERE_NOT : n == block->n ? THERE_ALL : THERE_WRONG;
out:
	str_fini(&query);
	return there;
}

static int send_block(const struct senders *senders, struct server *server, const struct block *block, const struct str *packed)
{
	__cleanup(free_ptr) char *id = str_printf("ringside-%s-%s-%" PRIu64, senders->identity->recording, block->table->what->name, block->first);
	const struct server_request request = { .query = block->table->insert, .id = id, .body = packed->at, .size = packed->len, .more = senders->more };
	struct patience patience = { 0 };
	enum there there;

	if (!id)
		return fail(ENOMEM, "out of memory");
	for (;;) {
		enum server_result result = server_ask(server, &request);

		if (result == SERVER_DONE)
			return 0;
		if (result == SERVER_REFUSED)
			return fail(EIO, "%s: rows of %s: %s", server_name(server), block->table->what->name, server_error(server));
		/* Whether the block has been inserted is not known before the server answers again. */
		do {
			if (!be_patient(&patience, senders->options))
				return gave_up(server, senders->options);
			there = look(senders, server, block, id);
		} while (there == THERE_UNKNOWN);
		if (there == THERE_ALL)
			return 0;
		if (there == THERE_WRONG)
			return fail(
				EIO,
				"%s: table %s has a part of a block of rows: delete the rows of the recording, WHERE _recording = '%s', and export it again",
				server_name(server), block->table->what->name, senders->identity->recording);
	}
}

/* --- threads ----------------------------------------------------------------------------------------------------- */

static struct block *next_block(struct senders *senders)
{
	struct block *block;

	pthread_mutex_lock(&senders->lock);
	while (!senders->queue && !senders->closed && !senders->err)
		pthread_cond_wait(&senders->change, &senders->lock);
	block = senders->err ? NULL : senders->queue;
	if (block) {
		senders->queue = block->next;
		senders->last = senders->queue ? senders->last : &senders->queue;
		senders->queued--;
		pthread_cond_broadcast(&senders->change);
	}
	pthread_mutex_unlock(&senders->lock);
	return block;
}

static void *run(void *ctx)
{
	struct senders *senders = ctx;
	struct server *server;
	struct str packed = { 0 };
	struct block *block;
	const bool near = server_is_near(&senders->options->address, senders->host);
	int err = server_open(&server, &senders->options->address, senders->host);

	while (!err && (block = next_block(senders))) {
		err = pack(block, near, &packed);
		if (err)
			fail(ENOMEM, "out of memory");
		err = err ? err : send_block(senders, server, block, &packed);
		block_free(block);
	}
	if (err) {
		pthread_mutex_lock(&senders->lock);
		senders->err = senders->err ? senders->err : err;
		pthread_cond_broadcast(&senders->change);
		pthread_mutex_unlock(&senders->lock);
	}
	str_fini(&packed);
	server_close(server);
	return NULL;
}

int senders_open(struct senders *senders)
{
	int err = 0;

	senders->last = &senders->queue;
	pthread_mutex_init(&senders->lock, NULL);
	pthread_cond_init(&senders->change, NULL);
	while (senders->n < FLEET_CONNECTIONS && !err) {
		err = pthread_create(&senders->threads[senders->n], NULL, run, senders);
		senders->n += !err;
	}
	return senders->n ? 0 : fail(err, "no thread could be started: %m");
}

int senders_give(struct senders *senders, struct block *block)
{
	int err;

	pthread_mutex_lock(&senders->lock);
	while (senders->queued >= MOST_QUEUED && !senders->err)
		pthread_cond_wait(&senders->change, &senders->lock);
	err = senders->err;
	if (!err) {
		*senders->last = block;
		senders->last = &block->next;
		senders->queued++;
		pthread_cond_broadcast(&senders->change);
	}
	pthread_mutex_unlock(&senders->lock);
	if (err)
		block_free(block);
	return err;
}

int senders_end(struct senders *senders)
{
	pthread_mutex_lock(&senders->lock);
	senders->closed = true;
	pthread_cond_broadcast(&senders->change);
	pthread_mutex_unlock(&senders->lock);
	for (unsigned int i = 0; i < senders->n; i++)
		pthread_join(senders->threads[i], NULL);
	for (struct block *block = senders->queue, *next; block; block = next) {
		next = block->next;
		block_free(block);
	}
	pthread_cond_destroy(&senders->change);
	pthread_mutex_destroy(&senders->lock);
	return senders->err;
}
#endif
