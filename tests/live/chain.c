/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls getppid from known chains of functions, for user stacks: from main, from a thread, from a library opened late, from a
 * child, and from another program that it becomes (itself, with an argument). Built with frame pointers.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

/* In the code itself: libc's keeps no frame. */
static inline __attribute__((always_inline)) long ask(void)
{
	long ret;
#if defined(__x86_64__)
	__asm__ volatile("syscall" : "=a"(ret) : "a"(SYS_getppid) : "rcx", "r11", "memory");
#else
	ret = syscall(SYS_getppid);
#endif
	return ret;
}

NOINLINE long leaf(int n)
{
	return ask() + n;
}
NOINLINE long middle(int n)
{
	return leaf(n + 1) + 1;
}
NOINLINE long outer(int n)
{
	return middle(n + 1) + 1;
}
NOINLINE long in_child(int n)
{
	return leaf(n) + 1;
}
NOINLINE long became(int n)
{
	return leaf(n) + 1;
}

NOINLINE static void *in_thread(void *arg)
{
	return (void *)(middle(1) + (arg != NULL));
}

NOINLINE static long from_library(const char *path)
{
	void *lib = dlopen(path, RTLD_NOW);
	long (*step)(long (*)(int)) = lib ? (long (*)(long (*)(int)))dlsym(lib, "library_step") : NULL;

	return step ? step(leaf) + 1 : -1;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	pid_t pid;

	if (argc > 1 && argv[1][0] == '-')
		return became(1) == 0;
	outer(1);
	pthread_create(&thread, NULL, in_thread, NULL);
	pthread_join(thread, NULL);
	if (argc > 1)
		from_library(argv[1]);
	pid = fork();
	if (pid == 0) {
		in_child(1);
		execl("/proc/self/exe", argv[0], "-", NULL);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
	return 0;
}
