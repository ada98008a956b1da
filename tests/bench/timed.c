/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs two commands in turn and prints one row of a table: the medians of their wall-clock times, the ratio of the times (the median and the range over the
 * pairs of runs), and the peak memory of each command.
 *
 *	timed RUNS LABEL OURS [THEIRS]
 *
 * The shell runs both with stdout to /dev/null. A first run of each is not counted. Without THEIRS the row has the wall-clock time of OURS, its CPU time on
 * all CPUs together, and its peak memory.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 100 };

struct run {
	double wall, cpu;
	double peak_mb;
};

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static double seconds(struct timeval tv)
{
	return (double)tv.tv_sec + (double)tv.tv_usec / 1e6;
}

static struct run run(const char *command)
{
	double begin = now();
	struct rusage usage;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		int null = open("/dev/null", O_WRONLY);

		dup2(null, 1);
		execl("/bin/sh", "sh", "-c", command, NULL);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) < 0 || !WIFEXITED(status) || WEXITSTATUS(status)) {
		fprintf(stderr, "timed: '%s' failed\n", command);
		exit(1);
	}
	return (struct run){ now() - begin, seconds(usage.ru_utime) + seconds(usage.ru_stime), (double)usage.ru_maxrss / 1024 };
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, int n)
{
	qsort(v, (size_t)n, sizeof(*v), by_value);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

int main(int argc, char **argv)
{
	double ours[MOST], theirs[MOST], ratio[MOST], our_cpu[MOST], our_mb = 0, their_mb = 0, r;
	int n = argc == 5 || argc == 4 ? atoi(argv[1]) : 0;

	if (n < 1 || n > MOST) {
		fprintf(stderr, "usage: timed RUNS LABEL OURS [THEIRS]\n");
		return 2;
	}
	run(argv[3]);
	if (argc == 5)
		run(argv[4]);
	for (int i = 0; i < n; i++) {
		struct run a = run(argv[3]), b = argc == 5 ? run(argv[4]) : a;

		ours[i] = a.wall;
		our_cpu[i] = a.cpu;
		theirs[i] = b.wall;
		ratio[i] = b.wall / a.wall;
		our_mb = a.peak_mb > our_mb ? a.peak_mb : our_mb;
		their_mb = b.peak_mb > their_mb ? b.peak_mb : their_mb;
	}
	if (argc == 4) {
		printf("| %-44s | %8.3f | %8.3f | %6.0f |\n", argv[2], median(ours, n), median(our_cpu, n), our_mb);
		return 0;
	}
	r = median(ratio, n);
	printf("| %-44s | %8.3f | %8.3f | %5.1f (%.1f to %.1f) | %6.0f | %6.0f |\n", argv[2], median(ours, n), median(theirs, n), r, ratio[0], ratio[n - 1],
	       our_mb, their_mb);
	return 0;
}
