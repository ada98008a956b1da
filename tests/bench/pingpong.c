/* SPDX-License-Identifier: GPL-2.0 */
/* pingpong ROUNDS: sends a byte to a child and back, ROUNDS times. Most of the cost of this work is in switches, wakeups and system calls. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int back_and_forth(int from, int to, unsigned long rounds)
{
	char byte = 0;

	while (rounds--)
		if (read(from, &byte, 1) != 1 || write(to, &byte, 1) != 1)
			return 1;
	return 0;
}

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
	int there[2], back[2], status = 1;
	pid_t child;

	if (pipe(there) || pipe(back) || write(back[1], "", 1) != 1)
		return 1;
	child = fork();
	if (!child)
		_exit(back_and_forth(there[0], back[1], rounds));
	if (child < 0 || back_and_forth(back[0], there[1], rounds) || waitpid(child, &status, 0) != child)
		return 1;
	return status != 0;
}
