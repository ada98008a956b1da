/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/lane.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/parse.h"
#include "lib/data/format.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { DEFAULT_PIPE = 1 << 16, LARGEST_PIPE = 1 << 20, BOUNCE = 1 << 17 };

/* Returns the size that /proc/sys/fs/pipe-max-size allows. A process without CAP_SYS_RESOURCE cannot have more. */
static size_t largest_pipe(void)
{
	__cleanup(free_ptr) char *text = NULL;
	struct text file = { 0 };
	uint64_t size = LARGEST_PIPE;

	if (io_slurp("/proc/sys/fs/pipe-max-size", &file))
		return size;
	text = file.at;
	if (parse_u64(str_trim(text), &size) || size < DEFAULT_PIPE)
		return DEFAULT_PIPE;
	return MIN(size, (uint64_t)LARGEST_PIPE);
}

/* A pipe holds one sub-buffer in each of its slots, and has a slot for each 4 kB page of its size. */
static int make_pipe(struct lane *lane)
{
	int size = 0;

	if (pipe2(lane->pipe, O_CLOEXEC))
		return fail(errno, "cannot make a pipe for CPU %u: %m%s", lane->spec.cpu,
			    errno == EMFILE ? "; each CPU takes six descriptors: raise the limit (ulimit -Hn)" : "");
	for (size_t want = largest_pipe(); want >= DEFAULT_PIPE && size < (int)want; want /= 2)
		size = fcntl(lane->pipe[1], F_SETPIPE_SZ, (int)want);
	if (size <= 0)
		size = DEFAULT_PIPE;
	lane->room = (size_t)(size / sysconf(_SC_PAGESIZE)) * lane->spec.page_size;
	return 0;
}

/* Makes the memory for reading. It is small, because at the end all CPUs read at once what splicing leaves, namely the sub-buffers that are not yet full. */
static int make_bounce(struct lane *lane)
{
	size_t pages = MAX(BOUNCE / lane->spec.page_size, 1u);

	if (lane->bounce)
		return 0;
	lane->room = pages * lane->spec.page_size;
	lane->bounce = mmap(NULL, lane->room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (lane->bounce == MAP_FAILED) {
		lane->bounce = NULL;
		return -ENOMEM;
	}
	return 0;
}

/* Makes the memory through which data are handed to the packer. If that fails, all data go through the spool. */
static void make_handover(struct lane *lane, uint64_t bytes)
{
	size_t chunk = (size_t)lane->spec.page_size * DAT_CHUNK_PAGES;

	if (lane->spec.handover >= 0)
		handover_new(&lane->handover, lane->spec.handover, chunk, MAX((size_t)(bytes / chunk), (size_t)2));
}

int lane_init(struct lane *lane, const struct lane_spec *spec, const struct recorder_config *config)
{
	int err;

	*lane = (struct lane){ .spec = *spec, .pipe = { -1, -1 }, .spliced = !config->no_splice };
	if (lane->spliced)
		make_handover(lane, config->handover_bytes);
	lane->drain_bytes = config->drain_bytes;
	/* There must be room for at least one sub-buffer more than is kept. */
	if (config->max_bytes)
		lane->max_bytes = MAX(config->max_bytes, 2 * (uint64_t)spec->page_size);
	err = lane->spliced ? make_pipe(lane) : 0;
	if (!err && !lane->spliced) {
		err = make_bounce(lane);
		if (err)
			fail(-err, "no memory for reading CPU %u", spec->cpu);
	}
	return err;
}

void lane_fini(struct lane *lane)
{
	if (lane->bounce)
		munmap(lane->bounce, lane->room);
	close_fd(&lane->pipe[0]);
	close_fd(&lane->pipe[1]);
	handover_free(lane->handover);
	free(lane->page);
	lane_spec_fini(&lane->spec);
}

/* Gives up the oldest bytes if there are more than @most. */
static void keep_newest(struct lane *lane, uint64_t most)
{
	uint64_t kept = lane->max_bytes / lane->spec.page_size * lane->spec.page_size;

	if (lane->max_bytes && lane->end - lane->start > most)
		__atomic_store_n(&lane->start, lane->end - kept, __ATOMIC_RELAXED);
}

/* Gives the oldest bytes back to the file system when there is an eighth more than allowed. So this is not done at each move. */
static int drop_oldest(struct lane *lane)
{
	uint64_t from = lane->start;

	keep_newest(lane, lane->max_bytes + lane->max_bytes / 8);
	if (lane->start == from)
		return 0;
	if (fallocate(lane->spec.out, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)from, (off_t)(lane->start - from)))
		return -errno;
	return 0;
}

/* Notes that @n more bytes are in the spool, or were handed over. Other threads see them from now on. */
static void grow(struct lane *lane, size_t n)
{
	__atomic_store_n(&lane->end, lane->end + n, __ATOMIC_RELEASE);
}

static int spooled(struct lane *lane, size_t n)
{
	grow(lane, n);
	return drop_oldest(lane);
}

/* Cuts off a sub-buffer that was written only in part, so that all sub-buffers in the spool are whole. Returns @err. */
static int give_up(struct lane *lane, int err)
{
	struct stat st;

	if (fstat(lane->spec.out, &st) == 0 && (uint64_t)st.st_size > lane->end)
		grow(lane, ((uint64_t)st.st_size - lane->end) / lane->spec.page_size * lane->spec.page_size);
	/* What lies behind lane->end is never read. If this fails, it costs only space. */
	(void)!ftruncate(lane->spec.out, (off_t)lane->end);
	return err;
}

/* Moves what is left in the pipe to the spool by read and write, for file systems to which a pipe cannot be spliced. */
static int empty_pipe(struct lane *lane, size_t n, uint64_t at)
{
	char bytes[4096];

	while (n) {
		ssize_t got = io_read(lane->pipe[0], bytes, MIN(n, sizeof(bytes)));
		int err = got < 0 ? (int)got : io_pwrite(lane->spec.out, bytes, (size_t)got, at);

		if (err || !got)
			return err ? err : -EIO;
		n -= (size_t)got;
		at += (size_t)got;
	}
	return 0;
}

static bool refused(int err)
{
	return err == EINVAL || err == EOPNOTSUPP || err == ENOSYS || err == EPERM;
}

static int pipe_to_spool(struct lane *lane, size_t n)
{
	off64_t at = (off64_t)lane->end;
	size_t left = n;

	while (left) {
		ssize_t done = splice(lane->pipe[0], NULL, lane->spec.out, &at, left, SPLICE_F_MOVE);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0 && refused(errno)) {
			int err = empty_pipe(lane, left, (uint64_t)at);

			lane->spliced = false;
			return err ? err : make_bounce(lane);
		}
		if (done < 0)
			return -errno;
		if (done == 0)
			return -ENOSPC;
		left -= (size_t)done;
	}
	return 0;
}

/* Hands over the chunk that is being filled, even if it is not full. */
static void hand_over(struct lane *lane)
{
	if (lane->handover)
		grow(lane, handover_give(lane->handover));
}

/* Moves up to @n bytes from the pipe to the handover. Returns how many bytes had no room there and are still in the pipe, or -errno. */
static ssize_t pipe_to_handover(struct lane *lane, size_t n)
{
	size_t room;
	char *at;

	while (n && lane->handover && (at = handover_room(lane->handover, lane->end, &room))) {
		ssize_t got;

		handover_expect(lane->handover, MIN(n, room), lane->spec.page_size);
		got = io_read(lane->pipe[0], at, MIN(n, room));
		if (handover_put(lane->handover, got > 0 ? (size_t)got : 0))
			hand_over(lane);
		if (got <= 0)
			return got ? got : -EIO;
		n -= (size_t)got;
	}
	return (ssize_t)n;
}

static ssize_t move_by_splice(struct lane *lane)
{
	ssize_t got, left;
	int err;

	do
		got = splice(lane->spec.in, NULL, lane->pipe[1], NULL, lane->room, SPLICE_F_NONBLOCK | SPLICE_F_MOVE);
	while (got < 0 && errno == EINTR);
	if (got < 0 && refused(errno)) {
		lane->spliced = false;
		err = make_bounce(lane);
		return err ? err : lane_move(lane);
	}
	if (got < 0)
		return errno == EAGAIN ? 0 : -errno;
	left = pipe_to_handover(lane, (size_t)got);
	err = left < 0 ? (int)left : 0;
	if (left > 0) {
		err = pipe_to_spool(lane, (size_t)left);
		if (!err)
			err = spooled(lane, (size_t)left);
	}
	return err ? give_up(lane, err) : got;
}

bool lane_looks_full(const char *page, size_t size)
{
	uint32_t commit;

	memcpy(&commit, page + 8, sizeof(commit));
	return (commit & 0x7ffffff) > size * 3 / 4;
}

ssize_t lane_read_page(int fd, char *page, size_t size)
{
	ssize_t got;

	do
		got = read(fd, page, size);
	while (got < 0 && errno == EINTR);
	if (got < 0 && errno != EAGAIN)
		return -errno;
	if (got <= 0)
		return 0;
	memset(page + got, 0, size - (size_t)got);
	return (ssize_t)size;
}

/* Reads up to @most bytes. Unless @all is true, stops after a partly filled sub-buffer, since the next one would be partly filled, too. */
static ssize_t read_pages(struct lane *lane, size_t most, bool all)
{
	size_t size = lane->spec.page_size, n = 0;

	while (n < most) {
		char *page = (char *)lane->bounce + n;
		ssize_t got = lane_read_page(lane->spec.in, page, size);

		if (got < 0)
			return got;
		n += (size_t)got;
		if (!got || (!all && !lane_looks_full(page, size)))
			break;
	}
	return (ssize_t)n;
}

static ssize_t move_by_read(struct lane *lane, bool all)
{
	ssize_t got = read_pages(lane, lane->room, all);
	int err;

	if (got <= 0)
		return got;
	hand_over(lane);
	err = io_pwrite(lane->spec.out, lane->bounce, (size_t)got, lane->end);
	if (!err)
		err = spooled(lane, (size_t)got);
	return err ? give_up(lane, err) : got;
}

ssize_t lane_move(struct lane *lane)
{
	ssize_t got = lane->spliced ? move_by_splice(lane) : move_by_read(lane, false);

	if (got > 0)
		__atomic_fetch_add(&lane->moves, 1, __ATOMIC_RELAXED);
	return got;
}

/* Reads a sub-buffer to the handover or the spool. Returns its size, 0 when there is none, or -errno. *@full becomes true if there may be another one. */
static ssize_t flush_one(struct lane *lane, bool *full)
{
	size_t size = lane->spec.page_size, room = 0;
	char *at = lane->handover ? handover_room(lane->handover, lane->end, &room) : NULL;
	ssize_t got;
	int err;

	if (!at && !lane->page && !(lane->page = malloc(size)))
		return -ENOMEM;
	if (at)
		handover_expect(lane->handover, size, size);
	got = lane_read_page(lane->spec.in, at ? at : lane->page, size);
	if (at && handover_put(lane->handover, got > 0 ? size : 0))
		hand_over(lane);
	if (got <= 0)
		return got;
	*full = lane_looks_full(at ? at : lane->page, size);
	if (at)
		return got;
	err = io_pwrite(lane->spec.out, lane->page, size, lane->end);
	if (!err)
		err = spooled(lane, size);
	return err ? give_up(lane, err) : got;
}

int lane_flush(struct lane *lane)
{
	size_t size = lane->spec.page_size;
	ssize_t got;
	bool full;

	/* With -m the space is for the newest events, not for sub-buffers that are nearly empty. */
	if (!lane->spliced || lane->max_bytes)
		return 0;
	/* Some kernels never splice a sub-buffer of which a part was read. On these, several sub-buffers may wait here. */
	for (size_t n = 0; n < lane->room; n += size) {
		got = flush_one(lane, &full);
		if (got <= 0)
			return (int)got;
		if (!full)
			break;
	}
	return 0;
}

/* Returns true when as much was drained as the buffer can hold. Without this limit, a buffer that is still being written to would be read for ever. */
static bool enough(const struct lane *lane)
{
	return lane->drain_bytes && lane->end >= lane->drain_bytes;
}

int lane_drain(struct lane *lane)
{
	ssize_t got;
	int err;

	do
		got = lane->spliced ? move_by_splice(lane) : 0;
	while (got > 0 && !enough(lane));
	hand_over(lane);
	if (got < 0)
		return (int)got;
	/* Splicing leaves the sub-buffer that is not yet full. */
	err = make_bounce(lane);
	if (err)
		return err;
	do
		got = enough(lane) ? 0 : move_by_read(lane, true);
	while (got > 0);
	keep_newest(lane, lane->max_bytes);
	return (int)got;
}

int lane_priority(pthread_t thread, int priority)
{
	struct sched_param param = { .sched_priority = priority };
	int err = priority ? pthread_setschedparam(thread, SCHED_FIFO, &param) : 0;

	return err ? fail(err, "cannot give the threads that read the real-time priority %d: %s", priority, strerror(err)) : 0;
}
