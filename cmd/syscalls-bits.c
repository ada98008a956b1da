/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/syscalls-bits.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/record/workload.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>

static void warn_of_32_bits(const char *name, const char *path)
{
	__cleanup(close_fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	unsigned char head[EI_CLASS + 1];

	if (fd >= 0 && io_pread(fd, head, sizeof(head), 0) == sizeof(head) && memcmp(head, ELFMAG, SELFMAG) == 0 && head[EI_CLASS] == ELFCLASS32)
		warn("%s is a program of 32 bits, whose calls have other numbers: they are shown as the calls of 64-bit programs that have these numbers; "
		     "strace shows them right",
		     name);
}

void syscalls_bits_of_processes(const struct record_spec *spec)
{
	vec_each (&spec->pids, pid) {
		char path[32];

		snprintf(path, sizeof(path), "/proc/%d/exe", (int)*pid);
		warn_of_32_bits(path, path);
	}
}

void syscalls_bits_of_command(const struct record_spec *spec)
{
	__cleanup(free_ptr) char *path = NULL;

	if (spec->argv && !workload_find(*spec->argv, &path))
		warn_of_32_bits(*spec->argv, path);
}
