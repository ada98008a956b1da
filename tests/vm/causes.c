/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes one cause of slow calls: forty calls of the usual kind, and then a few that are slow for a reason that is known.
 *	causes CAUSE		pipe, futex, mutex, spinner, more, own, fault, softirq, device
 * It names its threads, so that what is told can be compared: "caller" calls, "holder" is who holds or writes, "spinner" spins.
 * The device is /dev/vda, of which each read takes the disk some time.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <net/if.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { USUAL = 40, SLOW = 5, MANY = 1000, FAULTS = 100, FLOOD = 300, PAGE = 4096, HELD = 64 << 20 };

static int ends[2];
static atomic_int turn, word;

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void nap(long ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000 }, NULL);
}

/* Writes a byte some time after it was asked to. */
static void *holder(void *unused)
{
	(void)unused;
	prctl(PR_SET_NAME, "holder");
	pin(1);
	for (int i = 0; i < SLOW; i++) {
		while (atomic_load(&turn) <= i)
			nap(1);
		nap(50);
		if (write(ends[1], "x", 1) != 1)
			exit(1);
	}
	return NULL;
}

static void pipes_with(void *(*writer)(void *))
{
	pthread_t thread;
	char byte;

	pthread_create(&thread, NULL, writer, NULL);
	for (int i = 0; i < USUAL + SLOW; i++) {
		if (i < USUAL && write(ends[1], "y", 1) != 1)
			exit(1);
		if (i >= USUAL)
			atomic_fetch_add(&turn, 1);
		if (read(ends[0], &byte, 1) != 1)
			exit(1);
	}
	pthread_join(thread, NULL);
}

static void pipes(void)
{
	pipes_with(holder);
}

static void *futex_holder(void *unused)
{
	(void)unused;
	prctl(PR_SET_NAME, "holder");
	pin(1);
	for (int i = 0; i < SLOW; i++) {
		while (atomic_load(&turn) <= i)
			nap(1);
		nap(50);
		atomic_store(&word, 0);
		syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	}
	return NULL;
}

/* The usual call finds that there is nothing to wait for. */
static void futexes(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, futex_holder, NULL);
	for (int i = 0; i < USUAL + SLOW; i++) {
		atomic_store(&word, i >= USUAL);
		if (i >= USUAL)
			atomic_fetch_add(&turn, 1);
		syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0);
	}
	pthread_join(thread, NULL);
}

/* Writes a byte, which wakes the caller, while a more important task has the caller's CPU. */
static void *spin(void *unused)
{
	struct timespec begin, now;

	(void)unused;
	prctl(PR_SET_NAME, "spinner");
	pin(0);
	sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = 10 });
	for (int i = 0; i < SLOW; i++) {
		while (atomic_load(&turn) <= i)
			nap(1);
		nap(10);
		if (write(ends[1], "x", 1) != 1)
			exit(1);
		clock_gettime(CLOCK_MONOTONIC, &begin);
		do
			clock_gettime(CLOCK_MONOTONIC, &now);
		while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < 100);
	}
	return NULL;
}

static void spinner(void)
{
	pipes_with(spin);
}

static void more(void)
{
	struct pollfd fds[MANY];

	for (int i = 0; i < MANY; i++)
		fds[i] = (struct pollfd){ .fd = ends[0], .events = POLLIN };
	for (int i = 0; i < USUAL + SLOW; i++)
		poll(fds, i < USUAL ? 1 : MANY, 0);
}

static int must(int fd)
{
	if (fd < 0) {
		perror("causes");
		exit(1);
	}
	return fd;
}

static char *pages(size_t size)
{
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		exit(1);
	madvise(memory, size, MADV_NOHUGEPAGE);
	return memory;
}

static void get(int fd, char *to, size_t size, off_t at)
{
	if (pread(fd, to, size, at) <= 0)
		exit(1);
}

/* Reads so much of a file in memory at once that whoever asks for its position meanwhile waits for the lock on it. */
static int shared;

static void *position_holder(void *unused)
{
	char *to = pages(HELD);

	(void)unused;
	prctl(PR_SET_NAME, "holder");
	pin(1);
	memset(to, 1, HELD);
	for (int i = 0; i < SLOW; i++) {
		while (atomic_load(&turn) <= i)
			nap(1);
		lseek(shared, 0, SEEK_SET);
		atomic_store(&word, i + 1);
		if (read(shared, to, HELD) != HELD)
			exit(1);
	}
	return NULL;
}

static void mutexes(void)
{
	pthread_t thread;

	shared = must(open("/dev/shm", O_TMPFILE | O_RDWR, 0600));
	must(ftruncate(shared, HELD));
	for (int i = 0; i < USUAL; i++)
		lseek(shared, 0, SEEK_CUR);
	pthread_create(&thread, NULL, position_holder, NULL);
	for (int i = 0; i < SLOW; i++) {
		atomic_store(&turn, i + 1);
		while (atomic_load(&word) <= i)
			nap(1);
		nap(5);
		lseek(shared, 0, SEEK_CUR);
	}
	pthread_join(thread, NULL);
}

/* A slow call has a thousand times as much to do, by itself. */
static void own(void)
{
	char *hot = pages(MANY * PAGE);
	int zero = must(open("/dev/zero", O_RDONLY));

	memset(hot, 1, MANY * PAGE);
	for (int i = 0; i < USUAL + SLOW; i++)
		get(zero, hot, i < USUAL ? PAGE : MANY * PAGE, 0);
}

/* As much as usual, into memory that is not there yet. */
static void faults(void)
{
	char *hot = pages(FAULTS * PAGE);
	int zero = must(open("/dev/zero", O_RDONLY));

	memset(hot, 1, FAULTS * PAGE);
	for (int i = 0; i < USUAL + SLOW; i++)
		get(zero, i < USUAL ? hot : pages(FAULTS * PAGE), FAULTS * PAGE, 0);
}

/* Connects to nobody who would accept: the kernel sends each of the connections its first packet again after a second, all at once. */
static void connect_in_vain(const struct sockaddr_in *to, int *sockets, int n)
{
	for (int i = 0; i < n; i++) {
		sockets[i] = must(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
		connect(sockets[i], (const struct sockaddr *)to, sizeof(*to));
	}
}

static int deaf_listener(struct sockaddr_in *at)
{
	struct ifreq lo = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING | IFF_LOOPBACK };
	int fd = must(socket(AF_INET, SOCK_STREAM, 0)), first[2];
	socklen_t size = sizeof(*at);

	*at = (struct sockaddr_in){ .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	must(ioctl(fd, SIOCSIFFLAGS, &lo));
	must(bind(fd, (struct sockaddr *)at, sizeof(*at)));
	must(listen(fd, 0));
	must(getsockname(fd, (struct sockaddr *)at, &size));
	connect_in_vain(at, first, 2);
	return fd;
}

static long ms_since(const struct timespec *begin)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - begin->tv_sec) * 1000 + (now.tv_nsec - begin->tv_nsec) / 1000000;
}

/* A second after each flood of connections one of the calls is interrupted for all of them. */
static void softirqs(void)
{
	char *hot = pages(FAULTS * PAGE);
	int zero = must(open("/dev/zero", O_RDONLY)), sockets[FLOOD];
	struct sockaddr_in at;

	memset(hot, 1, FAULTS * PAGE);
	deaf_listener(&at);
	for (int i = 0; i < SLOW; i++) {
		struct timespec first, last;

		/* Each connection is tried again after a second. On a busy machine the first may be due before the last has been tried: all are waited for in calls. */
		clock_gettime(CLOCK_MONOTONIC, &first);
		connect_in_vain(&at, sockets, FLOOD);
		clock_gettime(CLOCK_MONOTONIC, &last);
		while (ms_since(&first) < 900)
			nap(10);
		while (ms_since(&last) < 1200)
			get(zero, hot, FAULTS * PAGE, 0);
		for (int k = 0; k < FLOOD; k++)
			close(sockets[k]);
	}
}

static void device(void)
{
	int disk = must(open("/dev/vda", O_RDONLY)), direct = must(open("/dev/vda", O_RDONLY | O_DIRECT));
	char *to = pages(PAGE);

	posix_fadvise(disk, 0, 0, POSIX_FADV_RANDOM);
	get(disk, to, PAGE, 0);
	for (int i = 0; i < USUAL; i++)
		get(disk, to, PAGE, 0);
	/* The disk lets some requests through at once before it becomes slow. */
	for (int i = 0; i < SLOW; i++)
		get(direct, to, PAGE, 0);
	for (int i = 0; i < SLOW; i++)
		get(disk, to, PAGE, (off_t)(i + 1) * MANY * PAGE);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*make)(void);
	} causes[] = { { "pipe", pipes }, { "futex", futexes }, { "mutex", mutexes },	 { "spinner", spinner }, { "more", more },
		       { "own", own },	  { "fault", faults },	{ "softirq", softirqs }, { "device", device } };

	prctl(PR_SET_NAME, "caller");
	if (pipe(ends))
		return 1;
	pin(0);
	for (size_t i = 0; argc == 2 && i < sizeof(causes) / sizeof(*causes); i++) {
		if (strcmp(argv[1], causes[i].name) == 0) {
			causes[i].make();
			return 0;
		}
	}
	return 2;
}
