/* SPDX-License-Identifier: GPL-2.0 */
/* System calls of many kinds whose arguments and results are the same in each run, for comparing what is told of them with strace. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

static void files(void)
{
	char text[64];
	int fd = openat(AT_FDCWD, "made", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0640), other;

	(void)!write(fd, "twelve bytes", 12);
	lseek(fd, 3, SEEK_SET);
	(void)!read(fd, text, sizeof(text));
	(void)!pread(fd, text, 4, 100);
	fsync(fd);
	flock(fd, LOCK_EX | LOCK_NB);
	(void)!ftruncate(fd, 4);
	fchmod(fd, 0600);
	other = dup(fd);
	fcntl(other, F_GETFD);
	fcntl(other, F_SETFD, FD_CLOEXEC);
	ioctl(fd, TIOCGWINSZ, text);
	close(other);
	close(fd);
	close(fd);
	openat(AT_FDCWD, "not there", O_RDONLY);
	openat(AT_FDCWD, "made", O_WRONLY | O_APPEND | O_NONBLOCK | O_NOFOLLOW);
	mkdir("folder", 0755);
	rmdir("folder");
	rename("made", "moved");
	unlink("moved");
	unlink("moved");
	access("/etc/passwd", R_OK | W_OK);
}

static void memory(void)
{
	char *at = mmap(NULL, 16384, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	mprotect(at, 4096, PROT_NONE);
	madvise(at + 4096, 4096, MADV_DONTNEED);
	munmap(at, 16384);
	mmap(NULL, 0, PROT_EXEC, MAP_SHARED, -1, 0);
}

static void sockets(void)
{
	int pair[2], fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	socketpair(AF_UNIX, SOCK_DGRAM, 0, pair);
	shutdown(pair[0], SHUT_RDWR);
	listen(fd, 5);
	socket(AF_INET, SOCK_DGRAM, 250);
	close(fd);
	close(pair[0]);
	close(pair[1]);
}

static void rarer(void)
{
	struct statfs about;
	struct timespec time;

	getpriority(PRIO_USER, 0);
	setpriority(PRIO_PROCESS, 0, 0);
	syscall(SYS_sched_get_priority_max, SCHED_FIFO);
	sched_rr_get_interval(0, &time);
	setresuid(-1, -1, -1);
	syscall(SYS_setfsgid, -1);
	getgroups(0, NULL);
	statfs("not there", &about);
	fstatfs(99, &about);
	syscall(SYS_io_setup, 0, NULL);
	syscall(SYS_close_range, 200, 300, 4);
	removexattr("folder", "user.none");
	fremovexattr(99, "user.none");
	readahead(99, 4096, 8192);
	preadv(99, NULL, 0, 5);
	syncfs(99);
	munlockall();
	shmdt(NULL);
}

static void others(void)
{
	struct rlimit limit;
	int fd = epoll_create1(EPOLL_CLOEXEC), event = eventfd(3, EFD_NONBLOCK);

	epoll_ctl(fd, EPOLL_CTL_DEL, event, NULL);
	close(event);
	close(fd);
	getrlimit(RLIMIT_CORE, &limit);
	kill(0, 0);
	kill(1, 99);
	sched_yield();
	getpid();
	umask(022);
	rarer();
	poll(NULL, 0, 1);
}

/* Arguments at the ends of what they can be, and flags with names of their own. None of these calls does anything. */
static void odd(void)
{
	static const int levels[][2] = { { 0, 1 }, { 0, 8 }, { 1, 46 }, { 1, 60 }, { 6, 16 }, { 6, 31 }, { 41, 26 }, { 41, 49 }, { 270, 1 } };

	syscall(SYS_read, 99, NULL, -1L);
	syscall(SYS_write, 99, NULL, 1UL << 63);
	syscall(SYS_mmap, NULL, -1L, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	syscall(SYS_mremap, NULL, 4096L, 8192L, MREMAP_MAYMOVE, 77L);
	syscall(SYS_mremap, 1L, 4096L, 8192L, MREMAP_MAYMOVE | MREMAP_FIXED, 16L);
	syscall(SYS_chown, NULL, 4294901760U, -1);
	syscall(SYS_mount, NULL, NULL, NULL, 0xc0ed0000UL | 1, NULL);	     /* MS_MGC_VAL */
	syscall(SYS_unshare, 0x80 | CLONE_VM | CLONE_NEWPID | CLONE_THREAD); /* CLONE_NEWTIME, and what does not go with it */
	syscall(SYS_setns, 99, 0x80);
	syscall(SYS_mq_open, NULL, O_RDONLY, 0777, 5L);
	syscall(SYS_mq_open, NULL, O_RDWR | O_CREAT, 0600, 5L);
	syscall(SYS_fsetxattr, 99, NULL, NULL, 0L, XATTR_CREATE);
	syscall(SYS_inotify_add_watch, 99, NULL, IN_MODIFY | IN_CLOSE | IN_MOVE | IN_ONLYDIR);
	syscall(SYS_perf_event_open, NULL, 0, -1, -1, 8UL /* PERF_FLAG_FD_CLOEXEC */);
	syscall(SYS_sched_setscheduler, 0, SCHED_OTHER, NULL);
	syscall(SYS_fsmount, 99, 1, 2);
	syscall(SYS_sync_file_range, 99, 0L, 0L, SYNC_FILE_RANGE_WRITE);
	syscall(SYS_timerfd_create, CLOCK_PROCESS_CPUTIME_ID, 0x80800);
	for (unsigned int i = 0; i < sizeof(levels) / sizeof(*levels); i++)
		syscall(SYS_setsockopt, 99, levels[i][0], levels[i][1], NULL, 4);
	close(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 15));
	socket(AF_PACKET, SOCK_RDM, 0x300);
	socket(AF_INET, SOCK_RDM, IPPROTO_ESP);
}

int main(void)
{
	files();
	memory();
	sockets();
	others();
	odd();
	return 0;
}
