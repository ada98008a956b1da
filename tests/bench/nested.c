/* SPDX-License-Identifier: GPL-2.0 */
/*
 * nested ROUNDS: calls functions and system calls in known numbers. In each round it calls middle() once, which calls leaf() twice, and open_close() once. At
 * the end fact() calls itself ten times. The program is compiled with -finstrument-functions, so that uftrace can record it.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((noipa)) static unsigned int leaf(unsigned int n)
{
	volatile unsigned int sum = 0;

	while (n--)
		sum += n;
	return sum;
}

__attribute__((noipa)) static unsigned int middle(unsigned int n)
{
	return leaf(n) + leaf(n / 2);
}

__attribute__((noipa)) static int open_close(void)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	return fd < 0 ? 1 : close(fd);
}

__attribute__((noipa)) static unsigned int fact(unsigned int n)
{
	return n < 2 ? 1 : n * fact(n - 1);
}

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 100;
	bool failed = false;

	while (rounds--) {
		failed |= middle(1000) == 0;
		failed |= open_close() != 0;
	}
	return failed || fact(10) != 3628800;
}
