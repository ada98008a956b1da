/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/mmaps.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/str.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { RING_PAGES = 64 };

/* The ring of one CPU: a page that says how full the ring is, and the records. */
struct ring {
	int fd;
	struct perf_event_mmap_page *head;
};

struct mmaps {
	VEC(struct ring) rings;
	size_t page, size;    /* bytes of a page; bytes of a ring's records */
	pthread_mutex_t lock; /* held while records are taken out of the rings */
	struct str records;   /* the records that were taken out, one behind the other */
	uint64_t lost;
	int stop; /* eventfd */
	pthread_t thread;
	bool running;
	pid_t tid;
};

void mmap_events_fini(mmap_events_t *v)
{
	vec_each (v, e) {
		free(e->file);
		free(e->build_id);
	}
	vec_fini(v);
}

/* --- taking records out ---------------------------------------------------------------------------------------- */

static void drain(struct mmaps *m, struct ring *r)
{
	uint64_t head = __atomic_load_n(&r->head->data_head, __ATOMIC_ACQUIRE), tail = r->head->data_tail;
	const char *data = (const char *)r->head + m->page;

	while (tail < head) {
		size_t at = tail % m->size, n = MIN(head - tail, m->size - at);

		str_addn(&m->records, data + at, n);
		tail += n;
	}
	__atomic_store_n(&r->head->data_tail, tail, __ATOMIC_RELEASE);
}

static void drain_all(struct mmaps *m)
{
	pthread_mutex_lock(&m->lock);
	vec_each (&m->rings, r)
		drain(m, r);
	pthread_mutex_unlock(&m->lock);
}

static void *take_up(void *arg)
{
	struct mmaps *m = arg;
	struct pollfd *polls = calloc(m->rings.n + 1, sizeof(*polls));

	__atomic_store_n(&m->tid, (pid_t)syscall(SYS_gettid), __ATOMIC_RELEASE);
	if (!polls)
		return NULL;
	for (size_t i = 0; i < m->rings.n; i++)
		polls[i] = (struct pollfd){ m->rings.at[i].fd, POLLIN, 0 };
	polls[m->rings.n] = (struct pollfd){ m->stop, POLLIN, 0 };
	while (!(polls[m->rings.n].revents & POLLIN)) {
		if (poll(polls, m->rings.n + 1, -1) < 0 && errno != EINTR)
			break;
		drain_all(m);
	}
	free(polls);
	return NULL;
}

/* --- opening ------------------------------------------------------------------------------------------------------ */

static int open_event(pid_t pid, int cpu, int clockid, uint32_t watermark)
{
	/* clang-format off */
	struct perf_event_attr a = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY, .size = sizeof(a),
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME, .sample_id_all = 1,
		.mmap = 1, .mmap2 = 1, .task = 1, .comm = 1, .comm_exec = 1, .build_id = 1,
		.use_clockid = clockid >= 0, .clockid = clockid >= 0 ? clockid : 0,
		.watermark = 1, .wakeup_watermark = watermark,
	};
	/* clang-format on */
	int fd = (int)syscall(SYS_perf_event_open, &a, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	/* Kernels before 5.12 record inodes instead of build-ids. */
	if (fd < 0 && errno == EINVAL) {
		a.build_id = 0;
		fd = (int)syscall(SYS_perf_event_open, &a, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	}
	return fd < 0 ? -errno : fd;
}

static int open_ring(struct mmaps *m, pid_t pid, int cpu, int clockid)
{
	struct ring r = { .fd = open_event(pid, cpu, clockid, (uint32_t)m->size / 2) };
	void *at;

	if (r.fd < 0)
		return r.fd;
	at = mmap(NULL, m->page + m->size, PROT_READ | PROT_WRITE, MAP_SHARED, r.fd, 0);
	if (at == MAP_FAILED || vec_push(&m->rings, (struct ring){ r.fd, at })) {
		int err = errno;

		if (at != MAP_FAILED)
			munmap(at, m->page + m->size);
		close(r.fd);
		return -err;
	}
	return 0;
}

static struct mmaps *mmaps_new(size_t pages)
{
	struct mmaps *m = calloc(1, sizeof(*m));

	if (m) {
		m->page = (size_t)sysconf(_SC_PAGESIZE);
		m->size = pages * m->page;
		m->stop = -1;
		pthread_mutex_init(&m->lock, NULL);
	}
	return m;
}

static int open_all(struct mmaps *m, int clockid)
{
	long n = sysconf(_SC_NPROCESSORS_CONF);

	for (int cpu = 0; cpu < n; cpu++) {
		int err = open_ring(m, -1, cpu, clockid);

		/* ENODEV means that the CPU is off. */
		if (err && err != -ENODEV)
			return err;
	}
	m->stop = eventfd(0, EFD_CLOEXEC);
	if (m->stop < 0 || pthread_create(&m->thread, NULL, take_up, m))
		return -EAGAIN;
	m->running = true;
	return 0;
}

int mmaps_open(struct mmaps **out, int clockid)
{
	struct mmaps *m = mmaps_new(RING_PAGES);
	int err = m ? open_all(m, clockid) : -ENOMEM;

	if (err) {
		mmaps_close(m);
		return err;
	}
	/* The thread's id must be known, because the thread is left out of the trace. */
	while (!__atomic_load_n(&m->tid, __ATOMIC_ACQUIRE))
		sched_yield();
	*out = m;
	return 0;
}

pid_t mmaps_tid(const struct mmaps *m)
{
	return m->tid;
}

void mmaps_close(struct mmaps *m)
{
	if (!m)
		return;
	if (m->running) {
		eventfd_write(m->stop, 1);
		pthread_join(m->thread, NULL);
	}
	vec_each (&m->rings, r) {
		munmap(r->head, m->page + m->size);
		close(r->fd);
	}
	vec_fini(&m->rings);
	if (m->stop >= 0)
		close(m->stop);
	str_fini(&m->records);
	pthread_mutex_destroy(&m->lock);
	free(m);
}

/* --- understanding records ------------------------------------------------------------------------------------------ */

struct map_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t start, size, offset;
	union {
		struct {
			uint32_t major, minor;
			uint64_t inode, generation;
		};
		struct {
			uint8_t id_size, reserved[3], id[20];
		};
	};
	uint32_t prot, flags;
	char file[];
};

struct task_record {
	struct perf_event_header header;
	uint32_t pid, ppid, tid, ptid; /* all are valid for a fork; for PERF_RECORD_COMM, only pid and tid are */
};

static int add_map(const struct map_record *r, size_t size, struct mmap_event *e)
{
	struct str id = { 0 };

	e->kind = MMAP_MAP;
	e->start = r->start;
	e->end = r->start + r->size;
	e->offset = r->offset;
	e->file = strndup(r->file, size - sizeof(*r));
	if (r->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		for (size_t i = 0; i < MIN(r->id_size, sizeof(r->id)); i++)
			str_addf(&id, "%02x", r->id[i]);
		e->build_id = str_take(&id);
	} else {
		e->inode = r->inode;
	}
	return e->file && !id.oom ? 0 : -ENOMEM;
}

static int add_record(struct mmaps *m, const char *at, mmap_events_t *out)
{
	const struct perf_event_header *h = (const void *)at;
	const struct task_record *task = (const void *)at;
	struct mmap_event e = { .pid = (pid_t)task->pid };
	int err;

	/* Every record ends with its time. */
	memcpy(&e.time, at + h->size - sizeof(e.time), sizeof(e.time));
	switch (h->type) {
	case PERF_RECORD_LOST:
		memcpy(&e.start, at + sizeof(*h) + 8, sizeof(e.start));
		m->lost += e.start;
		return 0;
	case PERF_RECORD_FORK:
		if (task->pid != task->tid)
			return 0;
		e.kind = MMAP_FORK;
		e.parent = (pid_t)task->ppid;
		break;
	case PERF_RECORD_COMM:
		if (!(h->misc & PERF_RECORD_MISC_COMM_EXEC))
			return 0;
		e.kind = MMAP_EXEC;
		break;
	case PERF_RECORD_MMAP2:
		err = add_map((const void *)at, h->size, &e);
		if (err)
			return err;
		break;
	default:
		return 0;
	}
	return vec_push(out, e);
}

static int by_time(const void *a, const void *b)
{
	const struct mmap_event *e = a, *f = b;

	return e->time < f->time ? -1 : e->time > f->time;
}

int mmaps_take(struct mmaps *m, mmap_events_t *out)
{
	int err;

	drain_all(m);
	pthread_mutex_lock(&m->lock);
	err = str_ok(&m->records);
	for (size_t at = 0; !err && at + sizeof(struct perf_event_header) <= m->records.len;) {
		const struct perf_event_header *h = (const void *)(m->records.at + at);

		if (h->size < sizeof(*h) || h->size > m->records.len - at)
			break;
		err = add_record(m, m->records.at + at, out);
		at += h->size;
	}
	str_clear(&m->records);
	pthread_mutex_unlock(&m->lock);
	if (out->n)
		qsort(out->at, out->n, sizeof(*out->at), by_time);
	return err;
}

int mmaps_stop(struct mmaps *m, mmap_events_t *out)
{
	int err;

	eventfd_write(m->stop, 1);
	pthread_join(m->thread, NULL);
	m->running = false;
	err = mmaps_take(m, out);
	if (m->lost)
		warn("%llu mappings came too fast to be noted: some user stacks will have addresses instead of names", (unsigned long long)m->lost);
	return err;
}

/* --- the clock -------------------------------------------------------------------------------------------------------- */

/* Reads perf's clock: maps a page of a file as code, for which the kernel makes a record with the time in it. */
int mmaps_clock(void *ctx __unused, uint64_t *ns)
{
	__cleanup(close_fd) int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct mmaps *m = mmaps_new(1);
	void *page = MAP_FAILED;
	int err = m ? open_ring(m, 0, -1, -1) : -ENOMEM;

	if (!err)
		page = mmap(NULL, m->page, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
	if (page != MAP_FAILED) {
		munmap(page, m->page);
		drain(m, &m->rings.at[0]);
	}
	err = err ? err : m->records.len < sizeof(struct perf_event_header) ? -ENODATA : 0;
	if (!err)
		memcpy(ns, m->records.at + ((const struct perf_event_header *)m->records.at)->size - sizeof(*ns), sizeof(*ns));
	mmaps_close(m);
	return err;
}
