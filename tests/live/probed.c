/* SPDX-License-Identifier: GPL-2.0 */
/* A program to be probed by the live tests: what it does is what the probes must show. */
#include <stdio.h>

#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>

/* Counted up by the kernel while somebody probes; the code asks it. */
__attribute__((section(".probes"))) unsigned short probed_step_semaphore;

struct point {
	int x, y;
	const char *name;
	unsigned int low : 3, high : 5;
};

__attribute__((noinline)) long work(struct point *p, int n, const char *what)
{
	long sum = p->x;

	for (int i = 0; i < n; i++)
		sum += p->y; /* the line of the loop */
	if (probed_step_semaphore)
		STAP_PROBE3(probed, step, n, what, &p->y);
	return sum;
}

int main(void)
{
	struct point p = { 3, 4, "corner", 5, 17 };
	long sum = 0;

	for (int n = 1; n <= 3; n++)
		sum += work(&p, n, "hello");
	printf("%ld\n", sum);
	return 0;
}
