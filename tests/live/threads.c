/* SPDX-License-Identifier: GPL-2.0 */
/* As many threads as the argument says call getpgid(2) every 10 ms, and the first one only waits: its own times are none. Writes a line when all are there. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void *call(void *arg)
{
	for (;;) {
		getpgid(0);
		usleep(10000);
	}
	return arg;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1;
	pthread_t thread;

	while (n-- > 0)
		if (pthread_create(&thread, NULL, call, NULL))
			return 1;
	puts("ready");
	fflush(stdout);
	for (;;)
		pause();
}
