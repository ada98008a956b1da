/* SPDX-License-Identifier: GPL-2.0 */
/* Calls malloc 10,000 times and then says with which sizes, a line each, without any other malloc. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CALLS = 10000 };

static char text[CALLS * 12];

int main(void)
{
	unsigned int random = 12345;
	size_t at = 0;

	for (int i = 0; i < CALLS; i++) {
		size_t size;
		char *p;

		random = random * 1103515245 + 12345;
		size = 1 + random % (i % 100 ? 3000 : 3000000);
		p = malloc(size);
		if (!p)
			return 1;
		memset(p, i, size < 16 ? size : 16);
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%zu\n", size);
		if (i % 3)
			free(p);
	}
	return write(STDOUT_FILENO, text, at) != (ssize_t)at;
}
