/* SPDX-License-Identifier: GPL-2.0 */
/* Reads how many nanoseconds a tick of the TSC has, as the kernel calculates it. */
#define _GNU_SOURCE
#include "lib/tracefs/meta.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Reads the factors from the page that the kernel maps for an event. Any event has them (include/uapi/linux/perf_event.h). */
static int read_page(struct tsc2nsec *out)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.size = sizeof(attr),
		.disabled = 1,
		.exclude_kernel = 1,
	};
	__cleanup(close_fd) int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	const volatile struct perf_event_mmap_page *page;
	uint32_t seq;

	if (fd < 0)
		return -errno;
	page = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		return -errno;
	do {
		seq = page->lock;
		__sync_synchronize();
		*out = (struct tsc2nsec){ .present = page->cap_user_time, .mult = page->time_mult, .shift = page->time_shift };
		__sync_synchronize();
	} while (page->lock != seq || seq & 1);
	munmap((void *)page, size);
	return 0;
}

int meta_tsc2nsec(struct metadata *meta, const char *clock)
{
	struct tsc2nsec tsc = { 0 };
	int err;

	if (strcmp(clock, "x86-tsc"))
		return fail(EINVAL, "--tsc2nsec: the clock '%s' does not count the TSC; -C tsc2nsec is the one that does", clock);
	err = read_page(&tsc);
	if (err)
		return fail(-err, "--tsc2nsec: perf_event_open, which tells what a tick of the TSC is: %s", strerror(-err));
	if (!tsc.present || !tsc.mult || tsc.shift >= 64)
		return fail(ENOTSUP, "--tsc2nsec: this kernel does not tell what a tick of the TSC is, as its own time is another "
				     "clock's (in virtual machines) or the TSC is not steady; -C mono has nanoseconds");
	meta->tsc2nsec = tsc;
	return 0;
}
