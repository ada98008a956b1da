/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ticks MARKER LOG RATE: writes "tick 1", "tick 2" and so on into the file trace_marker MARKER, RATE a second, or (0) as fast as it can, and
 * each 10 ms, or after each one when they are rarer, a line "NUMBER NS" into LOG: how many there were, and when that was on CLOCK_MONOTONIC. Dies
 * with its parent.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int main(int argc, char **argv)
{
	int marker = argc == 4 ? open(argv[1], O_WRONLY) : -1;
	int log = argc == 4 ? open(argv[2], O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0644) : -1;
	unsigned long rate = argc == 4 ? strtoul(argv[3], NULL, 10) : 0;
	uint64_t begin = now(), told = 0;

	if (marker < 0 || log < 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() == 1)
		return 1;
	for (unsigned long i = 1;; i++) {
		char text[64];
		uint64_t at;
		int n = snprintf(text, sizeof(text), "tick %lu", i);

		if (write(marker, text, (size_t)n) != n)
			return 1;
		at = now();
		if (rate && rate <= 100)
			told = 0;
		if (at - told >= 10000000) {
			n = snprintf(text, sizeof(text), "%lu %llu\n", i, (unsigned long long)at);
			if (write(log, text, (size_t)n) != n)
				return 1;
			told = at;
		}
		if (rate && begin + i * 1000000000u / rate > at) {
			uint64_t nap = begin + i * 1000000000u / rate - at;

			nanosleep(&(struct timespec){ (time_t)(nap / 1000000000u), (long)(nap % 1000000000u) }, NULL);
		}
	}
}
