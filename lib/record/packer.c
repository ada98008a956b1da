/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/packer.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/pool.h"
#include "lib/data/format.h"
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* A lane is packed by one thread at a time; so many of them are enough for the lanes that are busy at once. */
enum { MOST_THREADS = 16 };
/* Free space is looked at each time so many bytes were packed. */
#define SPACE_STEP (4u << 20)

struct track {
	struct packed_part part;
	uint64_t space_checked;	/* part.size when free space was looked at */
	size_t chunk_size;
	bool taken;		/* a thread is at it: atomic */
	bool given_up;
};

struct worker {
	struct packer *packer;
	pthread_t thread;
	bool running;
	struct str plain, packed;
	void *work;		/* the codec's */
};

struct packer {
	const struct codec *codec;
	struct recorder *recorder;
	const struct metadata *meta;
	struct packed_section symbols;
	struct track *tracks;	/* a lane each */
	size_t ntracks;
	struct worker *workers;
	size_t nworkers;
	pid_t *tids;
	int wake, stop;		/* eventfds: there may be something to pack; all threads are to end */
	bool ending, idle;	/* the same as stop; a thread may wait for wake: both atomic */
};

static bool ending(const struct packer *p)
{
	return __atomic_load_n(&p->ending, __ATOMIC_ACQUIRE);
}

/* The file without a name is taken to be nothing: what it holds is packed at the end, as all the rest. */
static void give_up(struct track *track)
{
	track->given_up = true;
	track->part.size = track->part.plain = track->part.chunks = 0;
	close_fd(&track->part.fd);
}

/* Its files must not be what ends the recording, or what the file then has no room for. */
static bool has_space(struct packer *p, struct track *track)
{
	if (track->space_checked && track->part.size - track->space_checked < SPACE_STEP)
		return true;
	track->space_checked = track->part.size + 1;
	return recorder_has_room(p->recorder, track->part.fd, 2);
}

static bool pack_chunk(struct worker *w, struct track *track, const struct lane_result *lane)
{
	const uint16_t probe = 1;
	bool big_endian = *(const uint8_t *)&probe == 0;
	struct packed_part *part = &track->part;
	ssize_t got;

	if (!has_space(w->packer, track) || !str_room(&w->plain, track->chunk_size))
		return false;
	if (io_pread(lane->fd, w->plain.at, track->chunk_size, lane->offset + part->plain) != (ssize_t)track->chunk_size)
		return false;
	got = chunk_pack(w->packer->codec, 0, &w->work, big_endian, w->plain.at, track->chunk_size, &w->packed);
	if (got < 0 || io_pwrite(part->fd, w->packed.at, (size_t)got, PACKED_PART_BEGIN + part->size))
		return false;
	part->size += (uint64_t)got;
	part->plain += track->chunk_size;
	part->chunks++;
	return true;
}

/* Packs what there is of a lane; did it find anything? */
static bool pack_lane(struct worker *w, size_t i)
{
	struct track *track = &w->packer->tracks[i];
	struct lane_result lane;
	bool any = false;

	if (__atomic_exchange_n(&track->taken, true, __ATOMIC_ACQUIRE))
		return false;
	while (!track->given_up && !ending(w->packer)) {
		recorder_result(w->packer->recorder, i, &lane);
		if (lane.size - track->part.plain < track->chunk_size)
			break;
		any = true;
		if (!pack_chunk(w, track, &lane))
			give_up(track);
	}
	__atomic_store_n(&track->taken, false, __ATOMIC_RELEASE);
	return any;
}

static bool pack_all(struct worker *w)
{
	struct packer *p = w->packer;
	size_t first = (size_t)(w - p->workers);
	bool any = false;

	for (size_t i = 0; i < p->ntracks && !ending(p); i++)
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
	/* The largest part of the metadata. */
	if (w == p->workers && !ending(p))
		section_pack(&p->symbols, DAT_KALLSYMS, p->meta, p->codec);
	while (!ending(p)) {
		/* Before looking: what comes from here on is told of. */
		__atomic_store_n(&p->idle, true, __ATOMIC_SEQ_CST);
		if (!pack_all(w))
			wait_for_more(p);
	}
	return NULL;
}

void packer_wake(struct packer *p)
{
	uint64_t one = 1;

	if (__atomic_exchange_n(&p->idle, false, __ATOMIC_SEQ_CST))
		io_write(p->wake, &one, sizeof(one));
}

static int start_threads(struct packer *p)
{
	sigset_t all, before;
	int err = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	for (size_t i = 0; i < p->nworkers && !err; i++) {
		p->workers[i].packer = p;
		err = -pthread_create(&p->workers[i].thread, NULL, thread_main, &p->workers[i]);
		p->workers[i].running = !err;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	for (size_t i = 0; i < p->nworkers && !err; i++)
		while (!__atomic_load_n(&p->tids[i], __ATOMIC_ACQUIRE))
			sched_yield();
	return err ? fail(-err, "cannot start the packing threads: %s", strerror(-err)) : 0;
}

/* A file that nobody sees; what cannot be made is done without. */
static int nameless(int folder, size_t i)
{
	char name[32];
	int fd = openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0)
		return fd;
	snprintf(name, sizeof(name), "packed%zu", i);
	fd = openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0)
		unlinkat(folder, name, 0);
	return fd;
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
	for (size_t i = 0; p->tracks && i < p->ntracks; i++)
		p->tracks[i].part.fd = -1;
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
	if (!p)
		return fail(ENOMEM, "cannot prepare the packing threads: %m");
	for (size_t i = 0; i < p->ntracks; i++) {
		p->tracks[i].chunk_size = (size_t)config->page_sizes[i] * DAT_CHUNK_PAGES;
		p->tracks[i].part.fd = nameless(config->folder, i);
		p->tracks[i].given_up = p->tracks[i].part.fd < 0;
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

void packer_stop(struct packer *p)
{
	struct sched_param param = { 0 };
	uint64_t one = 1;

	if (!p)
		return;
	__atomic_store_n(&p->ending, true, __ATOMIC_RELEASE);
	io_write(p->stop, &one, sizeof(one));
	for (size_t i = 0; i < p->nworkers; i++) {
		if (!p->workers[i].running)
			continue;
		/* It ends with the chunk at hand: that is not to wait for an idle core. */
		pthread_setschedparam(p->workers[i].thread, SCHED_OTHER, &param);
		pthread_join(p->workers[i].thread, NULL);
		p->workers[i].running = false;
	}
}

const struct packed_part *packer_part(const struct packer *p, size_t lane)
{
	const struct packed_part *part = p ? &p->tracks[lane].part : NULL;

	return part && part->chunks ? part : NULL;
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
	for (size_t i = 0; p->workers && i < p->nworkers; i++) {
		str_fini(&p->workers[i].plain);
		str_fini(&p->workers[i].packed);
		codec_work_free(p->codec, p->workers[i].work);
	}
	for (size_t i = 0; p->tracks && i < p->ntracks; i++)
		close_fd(&p->tracks[i].part.fd);
	free(p->symbols.chunk.at);
	close_fd(&p->wake);
	close_fd(&p->stop);
	free(p->tracks);
	free(p->workers);
	free(p->tids);
	free(p);
}
