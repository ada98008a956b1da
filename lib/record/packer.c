/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/packer.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/pool.h"
#include "lib/base/thread.h"
#include "lib/data/format.h"
#include "lib/record/packed.h"
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* The most threads. Each lane is packed by one thread at a time, so this is enough for the lanes that are busy at once. */
enum { MOST_THREADS = 16 };
/* Free space is checked each time this many bytes were packed. */
#define SPACE_STEP (4u << 20)

struct track {
	struct packed packed;
	uint64_t done;		/* the offset up to which all is packed or left for the end */
	uint64_t space_checked; /* the value of packed.end when free space was last checked */
	bool cramped;		/* there was little free space */
	size_t chunk_size;
	struct handover *handover; /* the recorder's; NULL: all data are in the spool */
	bool taken;		   /* a thread packs this lane; atomic */
	bool given_up;
};

struct worker {
	struct packer *packer;
	pthread_t thread;
	bool running;
	struct str plain, packed;
	void *work; /* the codec's */
};

struct packer {
	const struct codec *codec;
	struct recorder *recorder;
	const struct metadata *meta;
	struct packed_section symbols;
	struct track *tracks; /* one for each lane */
	size_t ntracks;
	struct worker *workers;
	size_t nworkers;
	pid_t *tids;
	int wake, stop;	   /* eventfds: there may be something to pack; all threads are to end */
	bool ending, idle; /* ending: stop was written to; idle: a thread may wait for wake; both are atomic */
};

static bool ending(const struct packer *p)
{
	return __atomic_load_n(&p->ending, __ATOMIC_ACQUIRE);
}

/*
 * Returns true if there is space to pack spooled data. Until the end, packing them takes space in addition to the spool. That must neither end the recording
 * nor take the space that the file needs. (Data that were handed over are never spooled, so packing them saves space.)
 */
static bool has_space(const struct packer *p, struct track *track)
{
	if (!track->space_checked || track->packed.end - track->space_checked >= SPACE_STEP) {
		track->space_checked = track->packed.end + 1;
		track->cramped = recorder_spare(p->recorder, track->packed.part.fd, 2) < 0;
	}
	return !track->cramped;
}

static bool pack(struct worker *w, struct track *track, const struct handed *chunk)
{
	const uint16_t probe = 1;
	bool big_endian = *(const uint8_t *)&probe == 0;
	ssize_t got = chunk_pack(w->packer->codec, 0, &w->work, big_endian, chunk->bytes, chunk->size, &w->packed);

	if (got < 0 || packed_add(&track->packed, chunk->at, w->packed.at, (size_t)got, chunk->size))
		return false;
	track->done = chunk->at + chunk->size;
	recorder_packed(w->packer->recorder, chunk->size, (uint64_t)got);
	return true;
}

/*
 * Reads the next chunk of the lane from the spool. Returns false when there is no whole chunk. If data were handed over later (@handed is not NULL), the
 * chunk ends where they begin. It is then left for the end when data come faster than they can be packed.
 */
static bool next_spooled(struct worker *w, struct track *track, const struct lane_result *lane, const struct handed *handed, struct handed *out)
{
	uint64_t size = track->chunk_size;

	if (ending(w->packer) || (handed && handover_presses(track->handover)) || !has_space(w->packer, track))
		return false;
	if (handed)
		size = MIN(size, handed->at - track->done);
	else if (lane->size - track->done < size)
		return false;
	track->given_up = !str_room(&w->plain, size) || io_pread(lane->fd, w->plain.at, size, lane->offset + track->done) != (ssize_t)size;
	*out = (struct handed){ w->plain.at, track->done, size };
	return !track->given_up;
}

/* Packs one chunk of a lane. Returns false when there is none, or when the lane is given up. What was packed before stays valid. */
static bool pack_next(struct worker *w, struct track *track, size_t i)
{
	struct handed handed, spooled;
	struct lane_result lane;
	bool any;

	/* The lane is asked for its size first. All that was handed over before that size was set is then found by the next line. */
	recorder_result(w->packer->recorder, i, &lane);
	any = track->handover && handover_first(track->handover, &handed);
	if ((!any || handed.at > track->done) && next_spooled(w, track, &lane, any ? &handed : NULL, &spooled)) {
		track->given_up = !pack(w, track, &spooled);
		return !track->given_up;
	}
	track->given_up |= any && !pack(w, track, &handed);
	if (!any || track->given_up)
		return false;
	handover_drop(track->handover);
	return true;
}

/* Packs what there is of a lane. Returns true if there was anything. */
static bool pack_lane(struct worker *w, size_t i)
{
	struct track *track = &w->packer->tracks[i];
	bool any = false;

	if (__atomic_exchange_n(&track->taken, true, __ATOMIC_ACQUIRE))
		return false;
	while (!track->given_up && pack_next(w, track, i))
		any = true;
	__atomic_store_n(&track->taken, false, __ATOMIC_RELEASE);
	return any;
}

static bool pack_all(struct worker *w)
{
	struct packer *p = w->packer;
	size_t first = (size_t)(w - p->workers);
	bool any = false;

	for (size_t i = 0; i < p->ntracks; i++)
		any |= pack_lane(w, (first + i) % p->ntracks);
	return any;
}

static void wait_for_more(struct packer *p)
{
	struct pollfd fds[] = { { .fd = p->stop, .events = POLLIN }, { .fd = p->wake, .events = POLLIN } };
	uint64_t n;

	if (poll(fds, ARRAY_LEN(fds), -1) > 0 && fds[1].revents && read(p->wake, &n, sizeof(n)) < 0)
		return; /* another thread has taken it */
}

static void *thread_main(void *arg)
{
	struct worker *w = arg;
	struct packer *p = w->packer;
	struct sched_param param = { 0 };

	pthread_setname_np(pthread_self(), "ringside/pack");
	__atomic_store_n(&p->tids[w - p->workers], gettid(), __ATOMIC_RELEASE);
	pthread_setschedparam(pthread_self(), SCHED_IDLE, &param);
	/* The symbols are the largest part of the metadata. */
	if (w == p->workers && !ending(p))
		section_pack(&p->symbols, DAT_KALLSYMS, p->meta, p->codec);
	while (!ending(p)) {
		/* .idle is set before looking for data, so that packer_wake() wakes a thread for data that come from now on. */
		__atomic_store_n(&p->idle, true, __ATOMIC_SEQ_CST);
		if (!pack_all(w))
			wait_for_more(p);
	}
	/* This packs what was handed over last. */
	pack_all(w);
	return NULL;
}

void packer_wake(struct packer *p)
{
	if (__atomic_exchange_n(&p->idle, false, __ATOMIC_SEQ_CST))
		eventfd_write(p->wake, 1);
}

static int start_threads(struct packer *p)
{
	int err = 0;

	for (size_t i = 0; i < p->nworkers && !err; i++) {
		p->workers[i].packer = p;
		err = -thread_start(&p->workers[i].thread, thread_main, &p->workers[i]);
		p->workers[i].running = !err;
	}
	for (size_t i = 0; i < p->nworkers && !err; i++)
		while (!__atomic_load_n(&p->tids[i], __ATOMIC_ACQUIRE))
			sched_yield();
	return err ? fail(-err, "cannot start the packing threads: %s", strerror(-err)) : 0;
}

static struct packer *make(const struct packer_config *config)
{
	struct packer *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->codec = config->codec;
	p->recorder = config->recorder;
	p->meta = config->meta;
	p->ntracks = recorder_lanes(config->recorder);
	p->nworkers = MIN(MIN((size_t)pool_default_threads(), p->ntracks), (size_t)MOST_THREADS);
	p->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	p->stop = eventfd(0, EFD_CLOEXEC);
	p->tracks = calloc(p->ntracks + 1, sizeof(*p->tracks));
	p->workers = calloc(p->nworkers + 1, sizeof(*p->workers));
	p->tids = calloc(p->nworkers + 1, sizeof(*p->tids));
	p->ntracks = p->tracks ? p->ntracks : 0;
	p->nworkers = p->workers ? p->nworkers : 0;
	for (size_t i = 0; i < p->ntracks; i++) {
		p->tracks[i].packed.part.fd = config->files[i];
		config->files[i] = -1;
	}
	if (p->wake >= 0 && p->stop >= 0 && p->tracks && p->workers && p->tids)
		return p;
	packer_close(p);
	return NULL;
}

int packer_open(struct packer **out, const struct packer_config *config)
{
	struct packer *p = make(config);
	int err;

	*out = NULL;
	for (size_t i = 0; i < recorder_lanes(config->recorder); i++)
		close_fd(&config->files[i]);
	if (!p)
		return fail(ENOMEM, "cannot prepare the packing threads: %m");
	for (size_t i = 0; i < p->ntracks; i++) {
		struct track *track = &p->tracks[i];

		track->chunk_size = (size_t)config->page_sizes[i] * DAT_CHUNK_PAGES;
		track->handover = recorder_handover(config->recorder, i);
		track->packed.codec = config->codec;
		track->given_up = track->packed.part.fd < 0;
	}
	err = start_threads(p);
	if (err)
		packer_close(p);
	else
		*out = p;
	return err;
}

const pid_t *packer_tids(const struct packer *p, size_t *n)
{
	*n = p->nworkers;
	return p->tids;
}

/* Writes to the spool what was handed over and could not be packed. */
static int spool_handed(struct packer *p, size_t i)
{
	struct handover *handover = p->tracks[i].handover;
	struct lane_result lane;
	struct handed chunk;
	int err = 0;

	recorder_result(p->recorder, i, &lane);
	while (handover && !err && handover_first(handover, &chunk)) {
		err = io_pwrite(lane.fd, chunk.bytes, chunk.size, chunk.at);
		if (!err)
			handover_drop(handover);
	}
	return err ? fail(-err, "cannot spool what was recorded on CPU %u: %s", lane.cpu, strerror(-err)) : 0;
}

int packer_stop(struct packer *p)
{
	struct sched_param param = { 0 };
	int err = 0;

	if (!p || ending(p))
		return 0;
	__atomic_store_n(&p->ending, true, __ATOMIC_RELEASE);
	eventfd_write(p->stop, 1);
	for (size_t i = 0; i < p->nworkers; i++) {
		if (!p->workers[i].running)
			continue;
		/* The thread ends after the present chunk. It gets a normal priority, so that it does not have to wait for an idle CPU. */
		pthread_setschedparam(p->workers[i].thread, SCHED_OTHER, &param);
		pthread_join(p->workers[i].thread, NULL);
		p->workers[i].running = false;
	}
	for (size_t i = 0; i < p->ntracks && !err; i++)
		err = spool_handed(p, i);
	return err;
}

const struct packed_part *packer_part(const struct packer *p, size_t lane)
{
	const struct packed_part *part = p ? &p->tracks[lane].packed.part : NULL;

	return part && part->runs.n ? part : NULL;
}

const struct packed_section *packer_symbols(const struct packer *p)
{
	return p && p->symbols.chunk.at ? &p->symbols : NULL;
}

void packer_close(struct packer *p)
{
	if (!p)
		return;
	packer_stop(p);
	for (size_t i = 0; i < p->nworkers; i++) {
		str_fini(&p->workers[i].plain);
		str_fini(&p->workers[i].packed);
		codec_work_free(p->codec, p->workers[i].work);
	}
	for (size_t i = 0; i < p->ntracks; i++)
		packed_fini(&p->tracks[i].packed);
	free(p->symbols.chunk.at);
	close_fd(&p->wake);
	close_fd(&p->stop);
	free(p->tracks);
	free(p->workers);
	free(p->tids);
	free(p);
}
