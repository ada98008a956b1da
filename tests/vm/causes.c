/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes one cause of slow calls: forty calls of the usual kind, and then a few that are slow for a reason that is known.
 *	causes CAUSE		pipe, futex, spinner, more
 * It names its threads, so that what is told can be compared: "caller" calls, "holder" is who holds or writes, "spinner" spins.
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { USUAL = 40, SLOW = 5, MANY = 1000 };

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

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*make)(void);
	} causes[] = { { "pipe", pipes }, { "futex", futexes }, { "spinner", spinner }, { "more", more } };

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
