/* SPDX-License-Identifier: GPL-2.0 */
/*
 * timed FILE: times its own calls of f() and g(), and writes "TID NAME INSIDE AROUND" in ns into FILE, in the order in
 * which they return. What a probe at the entry and one at the return find lies between what was measured inside and
 * around the call.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 20, DEPTH = 6, MOST = 4096 };

struct call {
	char name;
	uint64_t inside, around;
};

static FILE *file;
static __thread struct call *calls;
static __thread size_t n;
static __thread jmp_buf out;

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void note(char name, uint64_t begin)
{
	calls[n].name = name;
	calls[n++].inside = now() - begin;
}

static void around(uint64_t begin)
{
	calls[n - 1].around = now() - begin;
}

__attribute__((noinline)) void g(int depth);

/* Calls itself and g(). */
__attribute__((noinline)) void f(int depth)
{
	uint64_t begin = now();

	for (int i = 0; depth > 0 && i < 2; i++) {
		uint64_t before = now();

		if (i)
			g(depth - 1);
		else
			f(depth - 1);
		around(before);
	}
	note('f', begin);
}

/* Calls f() but at the bottom. */
__attribute__((noinline)) void g(int depth)
{
	uint64_t begin = now();

	if (depth > 2) {
		uint64_t before = now();

		f(depth - 2);
		around(before);
	}
	note('g', begin);
}

/* Never returns with a @depth from 0. */
__attribute__((noinline)) void leave(int depth)
{
	if (depth < 0)
		return;
	if (depth == 0)
		longjmp(out, 1);
	leave(depth - 1);
	note('l', 0);
}

static void *run(void *arg)
{
	calls = calloc(MOST, sizeof(*calls));
	for (volatile int i = 0; calls && i < ROUNDS; i++) {
		volatile uint64_t before;

		if (i % 3 == 2 && setjmp(out) == 0)
			leave(i % 4);
		before = now();
		f(DEPTH);
		around(before);
	}
	for (size_t i = 0; calls && i < n; i++)
		fprintf(file, "%d %c %llu %llu\n", gettid(), calls[i].name, (unsigned long long)calls[i].inside, (unsigned long long)calls[i].around);
	free(calls);
	return arg;
}

/* The process ends in here. */
__attribute__((noinline)) void last(void)
{
	exit(0);
}

int main(int argc, char *argv[])
{
	pthread_t thread;

	file = argc == 2 ? fopen(argv[1], "w") : NULL;
	if (!file || pthread_create(&thread, NULL, run, NULL))
		return 1;
	run(NULL);
	pthread_join(thread, NULL);
	if (fclose(file))
		return 1;
	last();
	return 0;
}
